"""The events of an identification: the floorperson's key is turned, and number and PIN are keyed."""

from dataclasses import dataclass
from typing import Literal

from controller.events.frozen import Frozen


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class FloorKeyTurned(Frozen):
    """The floorperson's key was turned, and the game does not get it: number and PIN are asked for, or what it was
    to confirm is no longer possible."""

    at_ns: int
    by: str = ""
    """Credential number of the floorperson; empty if nobody has identified yet, or the table does not ask."""
    kind: Literal["floor-key-turned"] = "floor-key-turned"


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Identified(Frozen):
    """A floorperson keyed a credential number and its PIN."""

    at_ns: int
    number: str
    kind: Literal["identified"] = "identified"


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class IdentityRefused(Frozen):
    """A credential number and a PIN did not belong together, or the key was turned before the wait was over."""

    at_ns: int
    number: str
    """The credential number; ``unknown`` if nobody has what was keyed; empty if the key was turned too early."""
    failures: int
    """Wrong PINs in a row."""
    wait_ns: int
    """The time for which no identification is accepted."""
    keyed: bool = False
    """With an empty number: number and PIN were keyed before the wait was over, and were not looked at."""
    kind: Literal["identity-refused"] = "identity-refused"
