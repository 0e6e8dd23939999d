"""The limits on a table's sign as amounts: of the table's file, as written by people, and as text.

Wall times are in nanoseconds UTC; displayed times are in the table's time zone.
"""

import re
from datetime import datetime
from decimal import Decimal

from config.schema import LimitsSection, TableConfig
from controller.events.event import FileTerms
from controller.limits.house_rules import house_rules, money
from controller.limits.table_state import Amounts
from controller.odds.wagers import to_one

NS_PER_S = 1_000_000_000
NS_PER_MIN = 60 * NS_PER_S
NOTICE_MIN, FARTHEST_MIN = 30, 24 * 60
"""The shortest notice (§ 521.8(c)(2)(i)), and the longest, with which a time of day is unambiguous."""
NOTICE_NS = NOTICE_MIN * NS_PER_MIN
_AMOUNT = re.compile(r"[0-9]{1,12}(\.[0-9]{1,4})?")


def amounts_of(minimum: str, maximum: str, payout: str = "") -> Amounts:
    """Parse and check limits.

    Args:
        payout: the most that is paid out in a round; empty for no limit.

    Raises:
        ValueError: one is no amount, or they contradict one another; the message says what to write.
    """
    least, most = _amount("minimum", minimum), _amount("maximum", maximum)
    if Decimal(most) < Decimal(least):
        raise ValueError(f"the maximum {most} is below the minimum {least}")
    paid = _amount("payout limit", payout) if payout else ""
    if paid and Decimal(paid) < Decimal(most):
        raise ValueError(f"the payout limit {paid} is below the maximum {most}: no such wager could be paid")
    return Amounts(least, most, paid)


def _amount(what: str, text: str) -> str:
    """An amount in canonical form, without redundant zeros."""
    if not _AMOUNT.fullmatch(text) or not Decimal(text):
        raise ValueError(
            f"the {what} {text[:40]!a} is no amount; write one above 0 with at most 12 digits and 4 decimals"
        )
    return f"{Decimal(text).normalize():f}"


def file_amounts(section: LimitsSection | None) -> Amounts | None:
    """The limits in a table's validated file; None if it has none."""
    if section is None or section.minimum is None or section.maximum is None:
        return None
    payout = "" if section.payout is None else f"{section.payout:f}"
    return amounts_of(f"{section.minimum:f}", f"{section.maximum:f}", payout)


def currency_of(section: LimitsSection | None) -> str:
    return section.currency if section is not None else str(LimitsSection.model_fields["currency"].default)


def file_terms(config: TableConfig) -> FileTerms:
    amounts = file_amounts(config.limits) or Amounts("", "")
    odds = {area: to_one(odds) for area, odds in sorted(config.layout.odds.items())}
    currency, house = currency_of(config.limits), house_rules(config)
    return FileTerms(amounts.minimum, amounts.maximum, amounts.payout, currency, odds, house)


def amounts_in(terms: FileTerms) -> Amounts | None:
    """The limits in a file's terms; None if it has none."""
    return Amounts(terms.minimum, terms.maximum, terms.payout) if terms.minimum else None


def spoken(amounts: Amounts, currency: str) -> str:
    """Limits as text: ``$10 to $500, at most $25,000 paid out in a round``."""
    least, most = money(currency, amounts.minimum), money(currency, amounts.maximum)
    paid = f", at most {money(currency, amounts.payout)} paid out in a round" if amounts.payout else ""
    return f"{least} to {most}{paid}"


def time_of_day(utc_ns: int) -> str:
    """The time of day in the table's time zone: ``14:05``."""
    return datetime.fromtimestamp(utc_ns // NS_PER_S).strftime("%H:%M")
