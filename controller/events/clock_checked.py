"""What a table learns about its wall time, where the computer's own may be wrong."""

from dataclasses import dataclass
from typing import Literal

from controller.events.frozen import Frozen


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class ClockChecked(Frozen):
    """The wall time was set, or came into doubt."""

    at_ns: int
    utc_ns: int
    """The table's wall time from now on."""
    moved_ns: int = 0
    """How much later it is than the table had counted; negative if it had counted too fast."""
    started_utc_ns: int = 0
    """The wall time at which this start of the table began, as counted then: what was stamped since moves, too."""
    doubt: str = ""
    """Why the wall time is not certain; empty if it is."""
    kind: Literal["clock-checked"] = "clock-checked"
