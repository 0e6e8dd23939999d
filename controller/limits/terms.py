"""The terms of a table's file: limits, payout odds and house rules, as data and as text.

They count once the floorperson confirmed them (§ 521.8). Wall times are in nanoseconds UTC; people read them in the
table's time zone.
"""

import re
from collections.abc import Iterator, Mapping
from datetime import datetime
from decimal import Decimal
from enum import Enum

from config.schema import LimitsSection, TableConfig
from controller.events.event import FileTerms, HouseRules
from controller.events.words import spoken as words
from controller.limits.table_state import Amounts, PayoutOdds
from controller.machine.registry import find_game
from controller.odds.wagers import to_one

NS_PER_S = 1_000_000_000
NS_PER_MIN = 60 * NS_PER_S
NOTICE_MIN, FARTHEST_MIN = 30, 24 * 60
"""The shortest notice (§ 521.8(c)(2)(i)), and the longest, with which a time of day is unambiguous."""
NOTICE_NS = NOTICE_MIN * NS_PER_MIN
_AMOUNT = re.compile(r"[0-9]{1,12}(\.[0-9]{1,4})?")
EVERY = "every"
"""In place of a wager's name: every wager that has no steps of its own."""
_AGES = frozenset({"warn_h", "retire_h"})
"""Of dice: the limits of their age may change while they are in use."""


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


def house_rules(config: TableConfig) -> HouseRules:
    model, dice, limits = find_game(config.game).rules, config.dice, config.limits
    rules = model.model_validate(config.rules).model_dump() if model is not None else {}
    steps = dict(sorted(limits.steps.items())) if limits is not None else {}
    return HouseRules(
        {name: _plain(value) for name, value in rules.items()},
        {name: _plain(value) for name, value in dice.model_dump().items()} if dice is not None else {},
        dict(sorted(config.layout.symbols.items())),
        {wager: f"{amount.normalize():f}" for wager, amount in steps.items()},
    )


def _plain(value: object) -> object:
    """A value of the file, as JSON has it; one way to write each number."""
    if isinstance(value, Decimal):
        return f"{value.normalize():f}"
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, Mapping):
        return {str(name): _plain(inner) for name, inner in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(inner) for inner in value]
    return value if isinstance(value, str | int | bool | None) else str(value)


def makes_anew(game: str, before: HouseRules, after: HouseRules) -> bool:
    """Whether a table has to be made ready anew for a change: other decks, another wheel, other positions."""
    other = {*_differing(before.rules, after.rules)} - find_game(game).rules_between_rounds
    return bool(other or {*_differing(before.dice, after.dice)} - _AGES)


def changed(before: HouseRules | None, after: HouseRules) -> HouseRules:
    """What differs: None or an empty text for what is no longer set; nothing from no rules on record."""
    if before is None:
        return HouseRules({}, {}, {}, {})

    def differing(old: Mapping[str, object], new: Mapping[str, object]) -> dict[str, object]:
        return {name: new.get(name) for name in _differing(old, new)}

    def texts(old: Mapping[str, str], new: Mapping[str, str]) -> dict[str, str]:
        return {name: new.get(name, "") for name in _differing(old, new)}

    return HouseRules(
        differing(before.rules, after.rules),
        differing(before.dice, after.dice),
        texts(before.symbols, after.symbols),
        texts(before.steps, after.steps),
    )


# -- text --------------------------------------------------------------------------------------------------------


def spoken(amounts: Amounts, currency: str) -> str:
    """Limits as text: ``$10 to $500, at most $25,000 paid out in a round``."""
    least, most = money(currency, amounts.minimum), money(currency, amounts.maximum)
    paid = f", at most {money(currency, amounts.payout)} paid out in a round" if amounts.payout else ""
    return f"{least} to {most}{paid}"


def time_of_day(utc_ns: int) -> str:
    """The time of day in the table's time zone: ``14:05``."""
    return datetime.fromtimestamp(utc_ns // NS_PER_S).strftime("%H:%M")


def money(currency: str, amount: str) -> str:
    """An amount: ``$25,000`` or ``$2.50``."""
    places = -int(str(Decimal(amount).as_tuple().exponent))
    return f"{currency}{Decimal(amount):,.{max(places, 2) if places else 0}f}"


def odds_text(odds: PayoutOdds | None) -> str:
    """Odds as text: ``40 pays 41 to 1``."""
    if odds is None or not odds.above:
        return "every wager pays the regulation's odds"
    return ", ".join(f"{words(area)} pays {pays}" for area, pays in odds.above.items())


def rules_text(before: HouseRules | None, after: HouseRules, currency: str) -> str:
    """What differs, as text: ``positions 5; joker is shown as star``; nothing from no rules on record."""
    return "; ".join(_changes(changed(before, after), currency))


def _changes(other: HouseRules, currency: str) -> Iterator[str]:
    for name, value in (*other.rules.items(), *((f"dice {name}", value) for name, value in other.dice.items())):
        yield _setting(name, value)
    for area, symbol in other.symbols.items():
        yield f"{words(area)} is shown as {symbol or words(area)}"
    for wager, amount in other.steps.items():
        yield _step(wager, amount, currency) if amount else _any_step(wager)


def _differing(before: Mapping[str, object], after: Mapping[str, object]) -> list[str]:
    return sorted(name for name in before.keys() | after.keys() if before.get(name) != after.get(name))


def _setting(name: str, value: object) -> str:
    shown = "not set" if value is None else {"True": "yes", "False": "no"}.get(str(value), value)
    return f"{name.replace('_', ' ')} {shown}"


def _step(wager: str, amount: str, currency: str) -> str:
    if wager == EVERY:
        return f"wagers in steps of {money(currency, amount)}"
    on, steps = words(wager), money(currency, amount)
    return f"wagers on {on} in steps of {steps}"


def _any_step(wager: str) -> str:
    if wager == EVERY:
        return "wagers of any amount"
    return f"wagers on {words(wager)} as all others"


def steps_text(steps: Mapping[str, str], currency: str) -> str:
    """Further requirements, as the sign states them (§ 521.7(d)); empty if there are none."""
    first = [EVERY] if EVERY in steps else []
    names = [*first, *(wager for wager in steps if wager != EVERY)]
    return "; ".join(_step(wager, steps[wager], currency) for wager in names)
