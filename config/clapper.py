"""A wheel's clapper as measured: what ``calibrate`` writes into a table's file."""

from decimal import Decimal

from pydantic import Field

from config.fields import Text
from config.scalars import Quantity
from config.section import Section

_FARTHEST = Decimal(6)


class PerDirection(Section):
    """An angle past the peg, in the direction in which the wheel turns: negative is short of the peg."""

    clockwise: Quantity = Field(ge=-_FARTHEST, le=_FARTHEST, description="degrees past the peg, turning clockwise")
    counterclockwise: Quantity = Field(
        ge=-_FARTHEST, le=_FARTHEST, description="degrees past the peg, turning counterclockwise"
    )


class PerDirectionLoss(Section):
    """A loss of squared speed: (degrees a second)², or a part of it."""

    clockwise: Quantity = Field(ge=0, description="turning clockwise")
    counterclockwise: Quantity = Field(ge=0, description="turning counterclockwise")


class MeasuredClapper(Section):
    """Where each peg bends the clapper, closes its contact and lets it go."""

    measured: Text = Field(description="the date of the measurement")
    closes_deg: PerDirection = Field(description="where the contact closes on a slow wheel")
    slips_from_deg: PerDirection = Field(description="where the leather slips off and the contact opens, the least")
    slips_to_deg: PerDirection = Field(description="the same, the most")
    closing_delay_ms: Quantity = Field(ge=0, le=20, description="how much later the contact closes")
    opening_delay_ms: Quantity = Field(ge=0, le=20, description="how much later the contact opens")
    pegs_deg: list[Quantity] = Field(
        min_length=2, max_length=360, description="how far each peg is from its even place, clockwise along the rim"
    )
    runout_deg: Quantity = Field(Decimal(0), ge=0, le=2, description="how far out of centre the encoder is")
    runout_at_deg: Quantity = Field(
        Decimal(0), ge=0, lt=360, description="where along the rim the encoder is most ahead of the wheel"
    )
    left_over_deg: Quantity = Field(ge=0, le=2, description="the largest residue of a strike's place")
    section_loss: PerDirectionLoss | None = Field(None, description="what a section takes of the squared speed")
    air_loss: PerDirectionLoss | None = Field(
        None, description="the part of the squared speed that a turn takes besides"
    )
    drag_loss: PerDirectionLoss | None = Field(
        None, description="squared speed that a turn takes for each degree a second of its mean speed, besides"
    )
    loss_spread: Quantity = Field(
        Decimal("0.5"), ge=0, le=20, description="what turns of a spin differ by, in what sections take"
    )
