"""What keeps a table's lock shut, the same in every game: contacts that are open, a supply voltage that is too low.

A game's transitions lock or close it (:func:`controller.games.shared.closing.on_locking`); until the cause is gone,
the floorperson's key does not open it again.
"""

from controller.events.event import Event, Press, SupplyVoltage, TamperClosed, TamperOpened
from controller.events.tamper import SUPPLY

FLOOR_KEY = "floor-key"
SHUT = frozenset({"locked", "closed"})
"""The states of games in which the floorperson's key leads back to play."""
LOCKING = ("tamper-opened", "supply-voltage")
"""The events that lock a table, if they say so."""


def locking(data: object, event: Event) -> bool:
    """Guard: the event locks the table."""
    if isinstance(event, SupplyVoltage):
        return event.low and event.locks
    return isinstance(event, TamperOpened) and event.locks


def locked_by_after(before: tuple[str, ...], event: Event) -> tuple[str, ...]:
    """What keeps the lock shut after an event, by name."""
    if isinstance(event, TamperOpened | TamperClosed):
        name = event.contact
    elif isinstance(event, SupplyVoltage):
        name = SUPPLY
    else:
        return before
    others = tuple(one for one in before if one != name)
    return (*others, name) if locking(None, event) else others


def is_shut(locked_by: tuple[str, ...], state: str, held: bool) -> bool:
    """Whether the floorperson's key is refused."""
    return bool(locked_by) and (held or state in SHUT)


def shut_words(locked_by: tuple[str, ...]) -> str:
    """What a table whose lock is kept shut waits for, as text for the dealer."""
    contacts = [name for name in locked_by if name != SUPPLY]
    parts = [f"{_listed(contacts)} open: look inside and close {'it' if len(contacts) == 1 else 'them'}"]
    parts = parts if contacts else []
    if SUPPLY in locked_by:
        parts.append("the supply voltage is too low: have the power supply and its cable checked")
    return f"the table is locked, {'; '.join(parts)}; then turn the floorperson's key"


def _listed(contacts: list[str]) -> str:
    names = " and ".join(f"the {name}" for name in contacts)
    return f"{names} {'is' if len(contacts) == 1 else 'are'}"


def still_locking(name: str, at_ns: int) -> Event:
    """The event that locks a table which was made ready anew while something keeps its lock shut."""
    if name == SUPPLY:
        return SupplyVoltage(at_ns, 0, low=True, locks=True)
    return TamperOpened(at_ns, 0, name, locks=True)


def turns_key(event: Event) -> bool:
    """Whether the floorperson's key is turned."""
    return isinstance(event, Press) and event.control == FLOOR_KEY
