"""The ``options`` of simulated devices. Ranges are estimates from usual dimensions."""

import math
from collections.abc import Mapping
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

_Bent = Annotated[float, Field(ge=-3, le=3)]
_Angle = Annotated[float, Field(ge=0, lt=360)]
_Part = Annotated[float, Field(ge=0, le=1)]
_Spread = Annotated[float, Field(ge=0, le=0.2)]


class MockSettings(BaseModel):
    """A simulated device without anything to set."""

    model_config = ConfigDict(extra="forbid", frozen=True, defer_build=True)


class EncoderSettings(MockSettings):
    seed: int = Field(0, ge=0, description="seed of everything random")
    counts_per_turn: int = Field(1440, ge=40, le=65_536, description="counts of the encoder in one turn")
    reversed: bool = Field(False, description="it counts backwards, as in wheel.reversed and rotor.reversed")
    index_offset_counts: float = Field(7, ge=0, description="the count with the index mark, as in wheel")
    index_gate: Literal["none", "a", "ab"] = "none"
    """What the encoder joins the index pulse with: nothing (its edges lie in mid-count), its line A (two counts
    long), or A and B (one count long)."""
    index_wide_counts: float = Field(1.0, gt=0, le=8, description="width of an index that is not joined")
    index_inverted: bool = Field(False, description="the index line is low at the mark and high elsewhere")
    runout_deg: float = Field(0.0, ge=0, le=0.5, description="largest error of a disc that is out of centre")
    runout_at_deg: _Angle = Field(0.0, description="where that error is 0, and grows counterclockwise")
    jitter_us: float = Field(2.0, ge=0, le=10, description="largest error of the time stamps")


class WheelSettings(EncoderSettings):
    """A simulated wheel and its sensor head. Degrees are of the wheel.

    The defaults are a wheel of 5 feet that a firm throw turns four to six times in some 15 seconds.
    """

    sections: int | None = Field(None, ge=2, le=360, description="those of the game if left out")
    inertia_kg_m2: float = Field(8.7, gt=0, le=100, description="moment of inertia")
    friction_nm: float = Field(0.25, gt=0, le=10, description="friction of the bearing")
    friction_spread: _Spread = Field(0.0, description="standard deviation of it from spin to spin, as a part of it")
    drag_nm_s2: float = Field(0.02, ge=0, le=1, description="air drag per squared speed")
    imbalance_nm: float = Field(0.0, ge=0, le=5, description="largest torque of a wheel that is out of balance")
    heavy_at_deg: _Angle = Field(0.0, description="its heavy spot on the rim, from the first section's start")

    peg_radius_m: float = Field(0.668, ge=0.2, le=1.5, description="from the axle to the pegs")
    peg_mm: float = Field(9.0, gt=0, le=20, description="thickness of a peg")
    peg_error_deg: float = Field(0.1, ge=0, le=0.3, description="largest error in the place of a peg")
    bent_pegs: dict[int, _Bent] = Field({}, description="by number, how far, counterclockwise positive")
    missing_pegs: tuple[int, ...] = Field((), description="pegs that are gone, by number")

    leather_mm: float = Field(5.0, gt=0, le=12, description="thickness of the leather")
    set_deg: float = Field(0.0, ge=-1.5, le=1.5, description="how far to one side the leather hangs")
    """Positive: the pegs of a wheel that turns counterclockwise touch it later."""
    slip_deg: float = Field(3.0, gt=0.3, le=6, description="turn from the touch until a straight leather slips off")
    peg_j: float = Field(0.2, gt=0, le=5, description="energy that bending the clapper takes")
    leather_spread: _Spread = Field(0.0, description="standard deviation of it from peg to peg, as a part of it")
    restitution: float = Field(0.14, ge=0, le=0.95, description="part of the clapper's energy that it gives back")

    threshold_deg: float = Field(0.6, gt=0, le=2, description="bend at which the clapper's contact opens")
    hysteresis_deg: float = Field(0.1, ge=0, le=1, description="by how much less bend it closes on the way back")
    strike_delay_ms: float = Field(0.5, ge=0, le=10, description="how much later the contact opens")
    release_delay_ms: float = Field(0.5, ge=0, le=10, description="how much later it closes")
    chatter_part: _Part = Field(0.3, description="part of the clapper's edges that bounce")
    chatter_us: float = Field(400.0, ge=0, le=1000, description="longest pause between bounces of a contact")

    @property
    def half_deg(self) -> float:
        """Half a peg and half a leather: so far before the middle of a peg it touches."""
        return math.degrees((self.peg_mm + self.leather_mm) / 2000 / self.peg_radius_m)


class RotorSettings(EncoderSettings):
    """A simulated roulette wheel of 32 inches, whose ball runs some 15 seconds. Angles count from ball_1."""

    counts_per_turn: int = Field(400, ge=40, le=65_536, description="counts of the encoder in one turn")
    beam_angle_deg: float = Field(90.0, gt=0, lt=360, description="from ball_1 clockwise to ball_2, as in rotor")
    track_mm: float = Field(760.0, gt=100, le=2000, description="diameter of the ball's circle, as in rotor")
    ball_mm: float = Field(20.0, gt=5, le=50, description="diameter of the ball, as in rotor")
    pockets: tuple[str, ...] = Field(tuple(map(str, range(37))), min_length=2, description="clockwise")
    rotor_slows_rev_s2: float = Field(0.003, gt=0, le=1, description="what the rotor's bearing takes off its speed")
    ball_friction_rev_s2: float = Field(0.037, gt=0, le=1, description="the ball's deceleration at any speed")
    ball_drag_per_rev: float = Field(0.04, gt=0, le=1, description="the ball's deceleration per squared speed")
    ball_varies: float = Field(0.0, ge=0, le=0.5, description="part by which friction and air differ by throw")
    leaves_rev_s: float = Field(0.55, gt=0, le=2, description="speed at which the ball leaves the track")
    leaves_varies: _Spread = Field(0.03, description="part by which that differs by throw")
    hand_deg: _Angle = Field(40.0, description="where the ball is thrown, counterclockwise")
    tilt_part: _Spread = Field(0.0, description="part of its speed that the ball gains and loses a turn")
    tilt_deg: _Angle = Field(0.0, description="where it is fastest, counterclockwise")
    leaps_part: _Part = Field(0.0, description="part of the throws after which the ball leaps back")
    leap_longest_s: float = Field(0.5, ge=0.002, le=2, description="longest time for which a leap darkens a beam")
    climbs_part: _Part = Field(0.0, description="part of the throws whose ball runs up the wall")


SETTINGS: Mapping[str, type[BaseModel]] = {
    "edges": WheelSettings,
    "rotor": RotorSettings,
    **dict.fromkeys(("reader", "keys", "switches", "tamper", "panel", "sounder"), MockSettings),
}
