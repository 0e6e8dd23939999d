"""What a table's file says of the computer under the table."""

from typing import Literal

from pydantic import Field

from config.section import Section


class ComputerSection(Section):
    """What is done about the computer itself, where it tells."""

    supply: Literal["alert", "lock", "off"] = Field(
        "alert",
        description="a supply voltage that is too low: alert, lock the table while it lasts, or do not look",
    )
    clock_battery: Literal["alert", "off"] = Field(
        "alert", description="a low battery of the computer's clock: alert, or do not look; off where there is none"
    )
