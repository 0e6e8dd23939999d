"""The metrics of a table, as ``/metrics`` among its pages shows them."""

from controller.metrics.declaration import PREFIX, MetricDeclaration, MetricKind

COUNTER, GAUGE, STATES = MetricKind.COUNTER, MetricKind.GAUGE, MetricKind.STATES
_OF = {"table": "the table's name", "game": "its game"}
_WHY = {"reason": "as on record, such as between-sections"}
_DEVICE = {"device": "as the dealer's screen names it"}


def _own(name: str, kind: MetricKind, text: str, labels: dict[str, str] | None = None) -> MetricDeclaration:
    return MetricDeclaration(PREFIX + name, kind, text, _OF | (labels or {}))


RUNNING = _own("running", GAUGE, "1 while the table runs; 0 while it waits for a journal or a device.")
HALTED = _own("halted", GAUGE, "1 if the table halted, as its record could not be written.")
STATE = _own(
    "state",
    STATES,
    "The state of the game's machine: 1 for the present one. Absent while no table runs.",
    {f"{PREFIX}state": "every state of the game"},
)
DECISIONS = _own("decisions_total", COUNTER, "Decisions on record since the process started.")
ROUNDS = _own("rounds_total", COUNTER, "Rounds opened since the process started.")
SPINS = _own("spins_total", COUNTER, "Spins of the wheel or runs of the ball that ended, void ones included.")
RESULTS = _own("results_total", COUNTER, "Results of spins, rolls or deals.")
BONUSES = _own("bonus_spins_total", COUNTER, "Sections that called for another spin.")
VOIDS = _own("voids_total", COUNTER, "Void spins and rolls, by reason.", _WHY)
RETURNED = _own("wagers_returned_total", COUNTER, "How often all wagers went back to the players, by reason.", _WHY)
CORRECTIONS = _own("corrections_total", COUNTER, "Entries that the dealer began to correct.")
REFUSED = _own("refused_presses_total", COUNTER, "Presses of keys that were not possible then.")
ALERTS = _own("alerts_total", COUNTER, "Alerts raised.")
ALERTS_ACTIVE = _own(
    "alerts_active",
    GAUGE,
    "Alerts of this round and those of devices still out of order, by device.",
    {"device": "that they are about; none: of the game"},
)
DEVICES = _own(
    "device_health",
    STATES,
    "The health of each sensor and device: 1 for the present one.",
    _DEVICE | {f"{PREFIX}device_health": "ok, silent, stuck, noisy, lossy, gone, open or degraded"},
)
JOURNAL = _own("journal_entries", GAUGE, "Entries of the journal in use.")
VIEWERS = _own("screens_viewers", GAUGE, "Connected screens: boards and dealer's screens.")

OF_TABLE = (
    *(RUNNING, HALTED, STATE, DECISIONS, ROUNDS, SPINS, RESULTS, BONUSES, VOIDS, RETURNED, CORRECTIONS, REFUSED),
    *(ALERTS, ALERTS_ACTIVE, DEVICES, JOURNAL, VIEWERS),
)
