"""The events of a wheel's health: what a spin measured, and what was found. They concern no round."""

from dataclasses import dataclass
from typing import Literal

from controller.events.direction import Direction
from controller.events.frozen import Frozen


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class SpinMeasured(Frozen):
    """What a spin's edges say of a wheel with a clapper. It concerns no round: the wheel's health is made of these.

    Places are degrees past their calibrated ones, in the direction of the spin.
    """

    at_ns: int
    round: int
    """In which the wheel came to rest."""
    calibration: str
    """Names the calibration: only measures of one are comparable."""
    direction: Direction
    turns: float
    touched: bool
    """The spin was void because a hand was on the running wheel."""
    section_loss: float
    """Squared speed that a section takes, (degrees/s)²; 0: not known."""
    air_loss: float
    """Part of the squared speed that a turn takes besides."""
    loss_ratio: float
    """What sections took, over what they took in the calibration; 0: not known."""
    heavy_cosine: float
    """A heavy spot, as the part by which it makes sections take more or less; along the rim, its cosine."""
    heavy_sine: float
    strike_deg: float
    release_deg: float
    width_deg: float
    """How far the wheel turns with the contact closed."""
    pegs_mdeg: tuple[int | None, ...]
    """By peg, how far its strikes lie from where those of all say; None for one that never struck."""
    passages: tuple[int, ...]
    """By peg, how often it struck."""
    missed: tuple[int, ...]
    """Pegs that were passed and never struck."""
    chatter: int
    """Bounces of the contact."""
    index_shift: int | None = None
    """By how many counts the index was taken elsewhere in the calibration, where it changes on an encoder's edge.
    The places are without it."""
    watches: str = ""
    """Now and then, where the watches over the wheel stand after this spin, as JSON: a restart goes on from it."""
    kind: Literal["spin-measured"] = "spin-measured"


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class RotorMeasured(Frozen):
    """What a run of the ball says of a roulette wheel. It concerns no round: its health is made of these."""

    at_ns: int
    round: int
    """In which the ball left the track."""
    calibration: str
    """Names the wheel since work on it was last logged: only measures of one are comparable."""
    drops_from_mdeg: int
    """The ball came down between this beam and the next one on its way; counterclockwise from ball_1."""
    drops_within_mdeg: int
    """How far it is from there to the next one; a whole turn if the ball's direction is not known."""
    between_beams: bool | None = None
    """It came down clockwise from ball_1 to ball_2; None if that is not known."""
    rotor_slows_rev_s2: float | None = None
    """What the rotor lost of its speed, turns a second, each second; None for fewer than two turns."""
    watches: str = ""
    """Now and then, where the watches over the wheel stand after this run, as JSON: a restart goes on from it."""
    kind: Literal["rotor-measured"] = "rotor-measured"


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class WheelDegraded(Frozen):
    """A wheel needs maintenance: what its spins say, before one of them is void by it."""

    at_ns: int
    round: int
    """Of the spin that gave the last evidence."""
    calibration: str
    sign: str
    """What it is about: ``bent-peg``, ``strikes``, ``losses``, …; of a roulette wheel ``drops``, ``friction``."""
    detail: str
    """One sentence."""
    remedy: str
    """What to do, one sentence."""
    direction: Direction | None = None
    """None for both."""
    peg: int | None = None
    value: float = 0.0
    """How much, in the unit of ``detail``."""
    kind: Literal["wheel-degraded"] = "wheel-degraded"
