"""The ``options`` of simulated devices."""

from collections.abc import Mapping

from pydantic import BaseModel, ConfigDict, Field


class MockSettings(BaseModel):
    """A simulated device without anything to set."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class WheelSettings(MockSettings):
    """A simulated wheel and its sensor head.

    The defaults are a wheel of 5 feet that a firm throw turns four to six times in some 15 seconds.
    """

    seed: int = Field(0, ge=0, description="seed of everything random")
    sections: int | None = Field(
        None, ge=2, le=360, description="sections of the wheel; those of the game if left out"
    )
    counts_per_turn: int = Field(1440, ge=400, le=65_536, description="counts of the encoder in one turn")
    index_offset_counts: int = Field(7, ge=0, description="place of the index mark, as in wheel")
    reversed: bool = Field(False, description="the encoder counts backwards, as in wheel.reversed")
    inertia_kg_m2: float = Field(8.7, gt=0, le=100, description="moment of inertia")
    friction_nm: float = Field(0.25, gt=0, le=10, description="friction of the bearing")
    drag_nm_s2: float = Field(0.02, ge=0, le=1, description="air drag per squared speed")
    peg_j: float = Field(0.2, gt=0, le=5, description="energy that bending the clapper takes")
    contact_deg: float = Field(2.4, gt=0.2, le=4, description="turn from first touch until the clapper slips off")
    restitution: float = Field(0.15, ge=0, le=0.95, description="part of the clapper's energy that it gives back")
    sticks_from: float = Field(0.96, gt=0, le=1, description="part of the bend at which leather holds a peg")
    peg_error_deg: float = Field(0.1, ge=0, le=0.3, description="largest error in the place of a peg")
    jitter_us: float = Field(2.0, ge=0, le=10, description="largest error of the time stamps")
    chatter_part: float = Field(0.3, ge=0, le=1, description="part of the clapper's edges that bounce")
    chatter_us: float = Field(400.0, ge=0, le=1000, description="longest pause between bounces of a contact")


class RotorSettings(MockSettings):
    """A simulated roulette wheel: rotor, ball track and their sensor head.

    The defaults are a wheel of 32 inches whose ball runs some 15 seconds.
    """

    seed: int = Field(0, ge=0, description="seed of everything random")
    counts_per_turn: int = Field(
        400, ge=40, le=65_536, description="counts of the encoder in one turn of the rotor"
    )
    reversed: bool = Field(False, description="the encoder counts backwards, as in rotor.reversed")
    beam_angle_deg: float = Field(90.0, gt=0, lt=360, description="from ball_1 clockwise to ball_2, as in rotor")
    track_mm: float = Field(760.0, gt=100, le=2000, description="diameter of the ball's circle, as in rotor")
    ball_mm: float = Field(20.0, gt=5, le=50, description="diameter of the ball, as in rotor")
    pockets: tuple[str, ...] = Field(
        tuple(map(str, range(37))), min_length=2, description="the pockets clockwise around the rotor"
    )
    rotor_slows_rev_s2: float = Field(0.003, gt=0, le=1, description="what the rotor's bearing takes off its speed")
    ball_friction_rev_s2: float = Field(0.037, gt=0, le=1, description="the ball's deceleration at any speed")
    ball_drag_per_rev: float = Field(0.04, gt=0, le=1, description="the ball's deceleration per squared speed")
    leaves_rev_s: float = Field(0.55, gt=0, le=2, description="speed at which the ball leaves the track")
    hand_deg: float = Field(
        40.0, ge=0, lt=360, description="where the ball is thrown, counterclockwise from ball_1"
    )
    jitter_us: float = Field(2.0, ge=0, le=10, description="largest error of the time stamps")
    reader_turns: int = Field(2, ge=1, le=20, description="turns of the rotor until the reader is certain")


SETTINGS: Mapping[str, type[BaseModel]] = {
    "edges": WheelSettings,
    "rotor": RotorSettings,
    **dict.fromkeys(("reader", "keys", "switches", "panel", "sounder"), MockSettings),
}
