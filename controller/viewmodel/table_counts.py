"""What happened at a table since its process started, and how it is now: the figures of ``/metrics``."""

from collections import Counter
from collections.abc import Mapping

from controller.events.effect import Alert, Bonus, Refused, Result, RoundOpened, Void, WagersReturned
from controller.events.event import BallLeftTrack, Press, WheelRested
from controller.events.record import Outcome, Record
from controller.runtime.table import Table
from controller.viewmodel.history import TableHistory

Counts = Mapping[str, int | Mapping[str, int | str]]
"""Figures by name; those with a label by its value."""
_OF_EFFECTS = {
    RoundOpened: "rounds",
    Result: "results",
    Bonus: "bonus_spins",
    Refused: "refused_presses",
    Alert: "alerts",
}
_OF_GAME = "none"
"""The device of an alert that is about none."""


class TableCounts:
    """Counts the decisions of a table, through its starts and ends in one process."""

    def __init__(self) -> None:
        self._counted = Counter(dict.fromkeys(("decisions", "spins", "corrections", *_OF_EFFECTS.values()), 0))
        self._voids: Counter[str] = Counter()
        self._returned: Counter[str] = Counter()

    def take(self, record: Record, inspecting: bool) -> None:
        """Count a decision.

        Args:
            inspecting: people try the sensors, and a wheel that turns is no spin.
        """
        self._counted["decisions"] += 1
        if record.outcome == Outcome.ACCEPTED.value:
            self._counted["spins"] += isinstance(record.event, WheelRested | BallLeftTrack) and not inspecting
            self._counted["corrections"] += isinstance(record.event, Press) and record.event.control == "correct"
        for effect in record.effects:
            if isinstance(effect, Void):
                self._voids[effect.reason] += 1
            elif isinstance(effect, WagersReturned):
                self._returned[effect.reason] += 1
            elif type(effect) in _OF_EFFECTS:
                self._counted[_OF_EFFECTS[type(effect)]] += 1

    def document(self, table: Table | None, history: TableHistory | None) -> Counts:
        """The figures now; without a table, those since the start of its process alone."""
        found: dict[str, int | Mapping[str, int | str]] = {
            **self._counted,
            "voids": dict(self._voids),
            "wagers_returned": dict(self._returned),
            "running": int(table is not None),
            "halted": int(table is not None and bool(table.halted)),
        }
        if table is not None and history is not None:
            alerts = Counter(dict.fromkeys((_OF_GAME, *history.devices.names), 0))
            alerts.update(active.device or _OF_GAME for active in history.active_alerts())
            found["journal_entries"] = len(table.journal)
            found["state"] = {str(one.value): int(one is table.machine.state) for one in table.machine.states}
            found["alerts_active"] = dict(alerts)
            found["device_health"] = {one.device: one.state for one in history.devices.listed()}
        return found
