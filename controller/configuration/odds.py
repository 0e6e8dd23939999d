"""The configuration of a table under payout odds that are on record, whatever its file says by now (§ 521.8(b))."""

from fractions import Fraction

from config.schema import TableConfig
from controller.limits.table_state import PayoutOdds


def under_odds(config: TableConfig, odds: PayoutOdds | None) -> TableConfig:
    """The same table with these odds; the very same configuration if they are its own, or None are given."""
    if odds is None:
        return config
    above = {area: Fraction(pays.replace(" to ", "/")) for area, pays in odds.above.items()}
    if above == config.layout.odds:
        return config
    return config.model_copy(update={"layout": config.layout.model_copy(update={"odds": above})})
