"""The recorded state of the table around its round: the lock, faults that wait, and the age of dice or cards."""

from dataclasses import dataclass, field

from controller.events.words import Text
from controller.machine.offers import Device
from controller.machine.round_machine import RoundSnapshot


@dataclass(frozen=True, slots=True)
class Fault:
    """A fault that stops the table, or will once the round allows it."""

    device: Device
    cause: Text


@dataclass(frozen=True, slots=True)
class TableData:
    """Plain data, in every checkpoint."""

    locked: bool = False
    causes: tuple[Text, ...] = ()
    """Why the table is locked, or was closed by a fault. The first is the oldest."""
    waiting: tuple[Fault, ...] = ()
    shut: tuple[str, ...] = ()
    """What keeps the lock shut: contacts that are open, by name, and the supply voltage."""
    settle: bool = False
    """A result that other software or another file decided is on record, and is to be settled by it."""
    fitted_utc_ns: dict[str, int] = field(default_factory=dict)
    """When each piece of equipment was put to use, by name."""
    retired: tuple[str, ...] = ()
    due: bool = False
    """Wagers are not accepted until the equipment is replaced."""
    calls: int = 0
    """Voids by the dealer since the last result."""


@dataclass(frozen=True, slots=True)
class TableSnapshot:
    """The machine of a table, in a checkpoint."""

    table: TableData
    round: RoundSnapshot
    lit: tuple[str, ...]
    """The areas that the last Light effect asked for."""
