"""What happened at a table since its process started, and how it is now: the figures of ``/metrics``."""

from collections import Counter
from typing import TypedDict

from controller.events.effect import Alert, Bonus, Refused, Result, RoundOpened, Void, WagersReturned
from controller.events.event import BallLeftTrack, Press, WheelRested
from controller.events.record import Outcome, Record
from controller.runtime.table import Table
from controller.table.machine import TableMachine
from controller.viewmodel.history import TableHistory

_OF_EFFECTS = {
    RoundOpened: "rounds",
    Result: "results",
    Bonus: "bonus_spins",
    Refused: "refused_presses",
    Alert: "alerts",
}
COUNTED = ("decisions", "spins", "corrections", *_OF_EFFECTS.values())
_OF_GAME = "none"
"""The device of an alert that is about none."""


class Counts(TypedDict):
    """The figures of one table."""

    since_start: dict[str, int]
    """By the names of :data:`COUNTED`."""
    voids: dict[str, int]
    """By reason."""
    wagers_returned: dict[str, int]
    running: bool
    halted: bool
    states: dict[str, bool]
    """Of the table's machine: whether it is the present one. Empty while no table runs."""
    entries: int
    """Of the journal in use."""
    alerts: dict[str, int]
    """Active ones, by device."""


class TableCounts:
    """Counts the decisions of a table, through its starts and ends in one process."""

    def __init__(self) -> None:
        self._counted = Counter(dict.fromkeys(COUNTED, 0))
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
        alerts = Counter[str]()
        if history is not None:
            alerts.update(dict.fromkeys((_OF_GAME, *history.devices.names), 0))
            alerts.update(active.device or _OF_GAME for active in history.active_alerts())
        return {
            "since_start": dict(self._counted),
            "voids": dict(self._voids),
            "wagers_returned": dict(self._returned),
            "running": table is not None,
            "halted": table is not None and bool(table.halted),
            "states": _states(table.machine) if table is not None else {},
            "entries": len(table.journal) if table is not None else 0,
            "alerts": dict(alerts),
        }


def _states(machine: TableMachine) -> dict[str, bool]:
    return {str(each.value): each is machine.state for each in machine.states}
