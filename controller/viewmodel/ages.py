"""The age of the dice or cards, for the dealer's screen."""

from config.schema import TableConfig
from controller.runtime.table import Table
from controller.statechart.aged import Aged
from controller.viewmodel import documents
from controller.viewmodel.health import THE_CLOCK
from controller.viewmodel.history import TableHistory

_NS_PER_MIN = 60_000_000_000


def ages_of(config: TableConfig, table: Table, history: TableHistory) -> list[documents.Age]:
    """The age of the dice or cards, and how long they may still be used."""
    life, data = history.screen.lifetime(config), table.machine.data
    if life is None or not isinstance(data, Aged):
        return []
    if not data.fitted_utc_ns:
        return [{"what": life.what, "age": "not on record", "left": _hours(0), "warn": True}]
    age_ns = max(0, history.clock.utc_ns() - data.fitted_utc_ns)
    left_ns = 0 if data.retired else max(0, life.retire_ns - age_ns)
    warn, in_doubt = data.retired or age_ns >= life.warn_ns, THE_CLOCK in history.devices.faults
    age = f"at least {_hours(age_ns)}" if in_doubt else _hours(age_ns)
    return [{"what": life.what, "age": age, "left": _hours(left_ns), "warn": warn or in_doubt}]


def _hours(ns: int) -> str:
    hours, minutes = divmod(ns // _NS_PER_MIN, 60)
    return f"{hours} h {minutes} min" if hours else f"{minutes} min"
