"""The rules of a table's file about the age of its dice or cards (§ 577.4(d), § 651a.3(d))."""

from decimal import Decimal
from typing import Self

from pydantic import Field, model_validator

from config.schema import NS_PER_S, Section
from controller.machine.offers import Equipment

AGES = frozenset({"warn_h", "retire_h"})
"""Rules that may change while dice or cards are in use."""


class AgingRules(Section):
    """The part of a table's rules about the age of its dice or cards."""

    warn_h: Decimal = Field(Decimal(23), ge=1, le=24, description="age, in hours, at which the table warns")
    retire_h: Decimal = Field(
        Decimal(24), ge=1, le=24, description="age, in hours, at which no round opens any more"
    )

    @model_validator(mode="after")
    def _warns_first(self) -> Self:
        if self.warn_h > self.retire_h:
            raise ValueError(f"the warning at {self.warn_h} h comes after the end at {self.retire_h} h")
        return self

    def equipment(self, name: str, clause: str) -> Equipment:
        """Dice or cards of this age."""
        warn_ns, retire_ns = (int(hours * 3600 * NS_PER_S) for hours in (self.warn_h, self.retire_h))
        return Equipment(name, warn_ns, retire_ns, clause)
