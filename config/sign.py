"""The parts of a table's file for the limits sign and the gaming guide (§§ 521.7-521.9)."""

from decimal import Decimal
from typing import Literal

from pydantic import Field, ValidationInfo, field_validator

from config.fields import Name, Text
from config.scalars import Quantity
from config.section import Section


class LimitsSection(Section):
    """The limits of the table, as its sign states them (§ 521.7), until they are changed at the table."""

    posted: Literal["elsewhere"] | None = Field(
        None, description="elsewhere: another sign states the limits, and the board shows none; then nothing else"
    )
    minimum: Quantity | None = Field(
        None, gt=0, le=1_000_000, description="the least wager, in the currency's unit"
    )
    maximum: Quantity | None = Field(
        None, gt=0, le=10_000_000, description="the highest wager, in the currency's unit"
    )
    payout: Quantity | None = Field(
        None, gt=0, le=1_000_000_000, description="the most that is paid out in a round, in the currency's unit"
    )
    steps: dict[Name, Quantity] = Field(
        default_factory=dict,
        description="wagers are placed in steps of this amount, by wager, or `every` for all others (§ 521.7(d))",
    )
    currency: Text = Field("$", description="the sign that stands before an amount")

    @field_validator("maximum")
    @classmethod
    def not_below_the_minimum(cls, maximum: Decimal | None, info: ValidationInfo) -> Decimal | None:
        if maximum is not None and maximum < (info.data.get("minimum") or 0):
            raise ValueError("is below the minimum")
        return maximum


class GuideSection(Section):
    """The approval of the gaming guide that is made from this file (§ 521.9(c), (d))."""

    approval: Text = Field(description="the approval of a sample of the guide: by whom, when, its reference")
    sample: Text = Field(description="which sample was approved: the number at the foot of the guide")
