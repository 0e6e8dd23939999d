"""What a table learns of its cabinet and its computer: opened contacts, supply voltage, clock battery."""

from dataclasses import dataclass
from enum import Enum
from typing import Literal

from controller.events.frozen import Frozen

SUPPLY = "supply voltage"
"""Its name beside those of contacts, none of which has a space."""
BATTERY = "clock battery"


class Noticed(Enum):
    """When a table noticed that a contact was opened."""

    NOW = "now"
    AT_START = "at-start"
    """It was open as the table started."""
    POWER_OFF = "power-off"
    """Its latch remembered an opening that the table did not see, because it did not run."""


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class TamperOpened(Frozen):
    """A door, the cabinet or a panel was opened."""

    at_ns: int
    utc_ns: int
    contact: str
    """Its name, as in the configuration."""
    locks: bool
    """The table locks; if not, it only alerts."""
    noticed: Noticed = Noticed.NOW
    by: str = ""
    """Credential number of the floorperson who had identified last, within the time for which that counts."""
    kind: Literal["tamper-opened"] = "tamper-opened"


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class TamperClosed(Frozen):
    """A contact is closed again, or no longer configured."""

    at_ns: int
    utc_ns: int
    contact: str
    by: str = ""
    """As in :class:`TamperOpened`."""
    kind: Literal["tamper-closed"] = "tamper-closed"


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class SupplyVoltage(Frozen):
    """The computer's supply voltage became too low, or is in order again."""

    at_ns: int
    utc_ns: int
    low: bool
    locks: bool = False
    """The table locks while it is low; if not, it only alerts."""
    earlier: bool = False
    """It was too low at some time since the computer was switched on, before the table looked."""
    kind: Literal["supply-voltage"] = "supply-voltage"


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class ClockBattery(Frozen):
    """The battery of the computer's clock became too low, or is in order again."""

    at_ns: int
    utc_ns: int
    low: bool
    detail: str = ""
    """What the computer says of it: its voltage, or its flag."""
    kind: Literal["clock-battery"] = "clock-battery"


Guarding = TamperOpened | TamperClosed | SupplyVoltage | ClockBattery


def guarding_text(event: Guarding) -> str:
    """What happened, as a sentence without its first capital."""
    if isinstance(event, TamperOpened):
        return f"{opened_text(event)}{_identified(event.by)}"
    if isinstance(event, TamperClosed):
        return f"the {event.contact} is closed{_identified(event.by)}"
    if isinstance(event, SupplyVoltage):
        return supply_text(event)
    return f"the clock's battery is {'low' if event.low else 'in order'}" + (
        f": {event.detail}" if event.detail else ""
    )


def opened_text(event: TamperOpened) -> str:
    """Which contact was opened, and when that was noticed."""
    if event.noticed is Noticed.POWER_OFF:
        return f"the {event.contact} was opened while the power was off"
    at_start = " as the table starts" if event.noticed is Noticed.AT_START else ""
    return f"the {event.contact} is open{at_start}"


def supply_text(event: SupplyVoltage) -> str:
    """The state of the supply voltage."""
    if event.low:
        return "the supply voltage is too low"
    if event.earlier:
        return "the supply voltage was too low since the computer was switched on; it is in order now"
    return "the supply voltage is in order"


def _identified(by: str) -> str:
    return f"; floorperson {by} had identified" if by else ""
