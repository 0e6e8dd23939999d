"""The events of a roulette wheel: its rotor, its ball, and the reader that names the pocket."""

from dataclasses import dataclass
from typing import Literal

from controller.events.direction import Direction
from controller.events.frozen import Frozen
from controller.events.health import Fault


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class RotorTurned(Frozen):
    """A roulette wheel's rotor has made its first full turn, or one opposite to the last certain one."""

    at_ns: int
    direction: Direction
    kind: Literal["rotor-turned"] = "rotor-turned"


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class BallThrown(Frozen):
    """The ball runs around the track: it has passed the beams often enough to be certain."""

    at_ns: int
    direction: Direction | None
    """None if there is only one beam, or if the direction is in doubt."""
    kind: Literal["ball-thrown"] = "ball-thrown"


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class BallRevolution(Frozen):
    """The ball has come back to the first beam that it passed."""

    at_ns: int
    number: int
    """How many times it has come back."""
    direction: Direction | None
    against: bool | None
    """Whether it runs against the rotor; None unless the rotor has turned one way since before the throw."""
    kind: Literal["ball-revolution"] = "ball-revolution"


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class BallLeftTrack(Frozen):
    """The ball no longer passes the beams."""

    at_ns: int
    left_ns: int
    """When it last passed one."""
    revolutions: int
    """The number of complete and certain ones."""
    direction: Direction | None
    rotor: Direction | None
    """The rotor's direction from before the throw until the ball had left; None if it changed or is unknown."""
    fault: Fault | None = None
    """Why the sensors are not trusted."""
    early: bool = False
    """The ball was still too fast to leave the track by itself."""
    kind: Literal["ball-left-track"] = "ball-left-track"

    @property
    def against(self) -> bool | None:
        """Whether the ball ran against the rotor; None if that is not known."""
        return None if None in (self.direction, self.rotor) else self.direction is not self.rotor


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class PocketRead(Frozen):
    """The wheel reader names the pocket in which the ball lies."""

    at_ns: int
    pocket: str
    kind: Literal["pocket-read"] = "pocket-read"


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class ReaderFault(Frozen):
    """The wheel reader sent something that is not a result."""

    at_ns: int
    detail: str
    kind: Literal["reader-fault"] = "reader-fault"
