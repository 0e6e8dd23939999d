"""The wheel's sections of a table's file: as built, as mounted, and as ``calibrate`` measured it."""

from decimal import Decimal

from pydantic import Field

from config.values import NS_PER_S, Name, Section, Text

_FARTHEST = Decimal(6)


class PerDirection(Section):
    """An angle past the peg, in the direction in which the wheel turns: negative is short of the peg."""

    clockwise: Decimal = Field(ge=-_FARTHEST, le=_FARTHEST, description="degrees past the peg, turning clockwise")
    counterclockwise: Decimal = Field(
        ge=-_FARTHEST, le=_FARTHEST, description="degrees past the peg, turning counterclockwise"
    )


class PerDirectionLoss(Section):
    """A loss of squared speed: (degrees a second)², or a part of it."""

    clockwise: Decimal = Field(ge=0, description="turning clockwise")
    counterclockwise: Decimal = Field(ge=0, description="turning counterclockwise")


class MeasuredClapper(Section):
    """Where each peg bends the clapper, closes its contact and lets it go."""

    measured: Text = Field(description="the date of the measurement")
    closes_deg: PerDirection = Field(description="where the contact closes on a slow wheel")
    slips_from_deg: PerDirection = Field(description="where the leather slips off and the contact opens, the least")
    slips_to_deg: PerDirection = Field(description="the same, the most")
    closing_delay_ms: Decimal = Field(ge=0, le=20, description="how much later the contact closes")
    opening_delay_ms: Decimal = Field(ge=0, le=20, description="how much later the contact opens")
    pegs_deg: list[Decimal] = Field(
        min_length=2, max_length=360, description="how far each peg is from its even place, clockwise along the rim"
    )
    runout_deg: Decimal = Field(Decimal(0), ge=0, le=2, description="how far out of centre the encoder is")
    runout_at_deg: Decimal = Field(
        Decimal(0), ge=0, lt=360, description="where along the rim the encoder is most ahead of the wheel"
    )
    left_over_deg: Decimal = Field(ge=0, le=2, description="the largest residue of a strike's place")
    section_loss: PerDirectionLoss | None = Field(None, description="what a section takes of the squared speed")
    air_loss: PerDirectionLoss | None = Field(
        None, description="the part of the squared speed that a turn takes besides"
    )
    drag_loss: PerDirectionLoss | None = Field(
        None, description="squared speed that a turn takes for each degree a second of its mean speed, besides"
    )
    loss_spread: Decimal = Field(
        Decimal("0.5"), ge=0, le=20, description="what turns of a spin differ by, in what sections take"
    )


class WheelSection(Section):
    """The wheel, its encoder and its clapper, as built and mounted."""

    counts_per_turn: int = Field(
        ge=720, le=65_536, multiple_of=4, description="encoder counts in one turn of the wheel: pulses times four"
    )
    index_offset_counts: int = Field(
        ge=0,
        lt=65_536,
        description="counts from the index mark back to the clockwise start of the first section "
        "of the wheel's order; `calibrate` measures it",
    )
    reversed: bool = Field(False, description="true if counts run backwards, as with an encoder at the rear")
    order: list[Name] | None = Field(
        None, description="the sections clockwise around the rim; leave it out for the regulation's order"
    )
    rest_s: Decimal = Field(
        Decimal("1.5"), ge=Decimal("0.5"), le=10, description="how long the wheel must stand to be at rest"
    )
    tolerance_deg: Decimal = Field(
        Decimal("0.3"),
        ge=Decimal("0.1"),
        le=2,
        description="how far from its place a peg may close or open the clapper's contact",
    )
    contact_deg: Decimal = Field(
        Decimal("2.4"),
        ge=Decimal("0.5"),
        le=3,
        description="how far the wheel turns from a peg until the clapper slips off it, if it is not calibrated",
    )
    debounce_ms: Decimal = Field(
        Decimal(2), ge=Decimal("0.1"), le=5, description="how long the clapper's contact may chatter"
    )
    spin_limit_s: Decimal = Field(
        Decimal(120), ge=30, le=600, description="a wheel that has not come to rest by then locks the table"
    )
    serial: Text | None = Field(None, description="the wheel's serial number, under which its results are counted")
    clapper: MeasuredClapper | None = Field(None, description="what `calibrate` measured; leave it to that command")

    @property
    def rest_ns(self) -> int:
        return int(self.rest_s * NS_PER_S)

    @property
    def debounce_ns(self) -> int:
        return int(self.debounce_ms * 1_000_000)

    @property
    def spin_limit_ns(self) -> int:
        return int(self.spin_limit_s * NS_PER_S)

    @property
    def tolerance_mdeg(self) -> int:
        """Tolerance in whole thousandths of a degree."""
        return int(self.tolerance_deg * 1000)


class RotorSection(Section):
    """The roulette wheel: its rotor's encoder, its ball and the ball's track, as built and mounted."""

    counts_per_turn: int = Field(
        ge=40, le=65_536, multiple_of=4, description="encoder counts in one turn of the rotor: pulses times four"
    )
    reversed: bool = Field(False, description="true if counts run backwards, as with an encoder upside down")
    beam_angle_deg: Decimal = Field(
        Decimal(90), ge=20, le=340, description="angle from the beam ball_1 clockwise to the beam ball_2"
    )
    track_mm: Decimal = Field(
        Decimal(760),
        ge=500,
        le=1200,
        description="diameter of the circle on which the ball's middle runs in the track",
    )
    ball_mm: Decimal = Field(
        Decimal(20),
        ge=Decimal("19.05"),
        le=Decimal("22.225"),
        description="diameter of the ball: 12/16 to 14/16 of an inch",
    )
    leaves_from_s: Decimal = Field(
        Decimal("1.1"),
        ge=Decimal("0.8"),
        le=Decimal("2.5"),
        description="a ball that takes less than this for a turn does not leave the track by itself",
    )
    spin_limit_s: Decimal = Field(
        Decimal(120), ge=30, le=600, description="a ball that has not left the track by then locks the table"
    )
    serial: Text | None = Field(None, description="the wheel's serial number, under which its results are counted")

    @property
    def spin_limit_ns(self) -> int:
        return int(self.spin_limit_s * NS_PER_S)
