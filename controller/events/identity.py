"""The events of an identification: the floorperson's key is turned, and number and PIN are keyed."""

from dataclasses import dataclass
from typing import Literal

from controller.events.frozen import Frozen


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class FloorKeyTurned(Frozen):
    """The floorperson's key was turned."""

    at_ns: int
    by: str = ""
    """Credential number of the floorperson who had identified just before; empty if nobody had."""
    kind: Literal["floor-key-turned"] = "floor-key-turned"


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Identified(Frozen):
    """A floorperson keyed a credential number and its PIN."""

    at_ns: int
    number: str
    kind: Literal["identified"] = "identified"


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class IdentityRefused(Frozen):
    """A credential number and a PIN did not belong together, or were keyed before the wait was over."""

    at_ns: int
    number: str
    """The credential number; ``unknown`` if nobody has what was keyed; empty if it was too early to look at it."""
    failures: int
    """Wrong PINs in a row."""
    wait_ns: int
    """The time for which no identification is accepted."""
    log_on: bool = False
    """A dealer's, and not a floorperson's."""
    kind: Literal["identity-refused"] = "identity-refused"
