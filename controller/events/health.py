"""The health of sensors and devices."""

from dataclasses import dataclass
from enum import Enum

from controller.events.frozen import Frozen


class Health(Enum):
    """The health of a sensor or a device."""

    OK = "ok"
    SILENT = "silent"
    STUCK = "stuck"
    NOISY = "noisy"
    LOSSY = "lossy"
    GONE = "gone"
    """Disconnected, as the device itself reports: a pulled cable."""
    OPEN = "open"
    """A contact of door or cabinet."""
    DEGRADED = "degraded"
    """It works, and needs maintenance before it no longer does."""


MEDIA = ("journal", "mirror")
"""The media of a mirrored journal, as their health names them."""
KEYS = ("keypad", "keyboard", "buttons")
"""The devices that people press, as their health names them."""
SWITCHES = "switches"
"""The device of all key switches and contacts, as its health names it."""
TAMPER = "tamper"
"""The device of the contacts of door and cabinet, as its health names it."""


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Fault(Frozen):
    """A sensor that cannot be trusted, and why."""

    sensor: str
    health: Health
    detail: str

    def __str__(self) -> str:
        return f"{self.sensor} {self.health.value}: {self.detail}"
