"""The age of the dice or cards, for the dealer's screen."""

from config.schema import TableConfig
from controller.events.words import say, text
from controller.machine.offers import Equipment
from controller.runtime.table import Table
from controller.table.machine import TableMachine
from controller.viewmodel import documents
from controller.viewmodel.health import THE_CLOCK
from controller.viewmodel.history import TableHistory

_NS_PER_MIN = 60_000_000_000


def ages_of(config: TableConfig, table: Table, history: TableHistory) -> list[documents.Age]:
    """The age of the dice or cards, and how long they may still be used."""
    machine = table.machine
    return [_age(one, machine, history) for one in machine.rounds.in_use]


def _age(one: Equipment, machine: TableMachine, history: TableHistory) -> documents.Age:
    data, name = machine.table, say(machine.words, text(one.name))
    fitted = data.fitted_utc_ns.get(one.name)
    if fitted is None:
        return {"what": name, "age": "not on record", "left": _hours(0), "warn": True}
    age_ns, retired = max(0, history.clock.utc_ns() - fitted), one.name in data.retired
    left_ns = 0 if retired else max(0, one.retire_ns - age_ns)
    in_doubt = THE_CLOCK in history.devices.faults
    age = f"at least {_hours(age_ns)}" if in_doubt else _hours(age_ns)
    return {
        "what": name,
        "age": age,
        "left": _hours(left_ns),
        "warn": retired or in_doubt or age_ns >= one.warn_ns,
    }


def _hours(ns: int) -> str:
    hours, minutes = divmod(ns // _NS_PER_MIN, 60)
    return f"{hours} h {minutes} min" if hours else f"{minutes} min"
