"""The terms of a table's file: limits and the house's rules, as data and as text.

They count once the floorperson confirmed them (§ 521.8). Wall times are in nanoseconds UTC; people read them in the
table's time zone.
"""

import re
from collections.abc import Iterable, Mapping
from datetime import datetime
from decimal import Decimal
from enum import Enum

from config.schema import LimitsSection, TableConfig
from controller.events.event import House, Limits, Terms
from controller.events.words import spoken as words
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
_AGES = ("dice.warn_h", "dice.retire_h")
"""The limits of the dice's age may change while they are in use."""


def limits_from(minimum: str, maximum: str, payout: str, currency: str) -> Limits:
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
    return Limits(least, most, paid, currency)


def _amount(what: str, text: str) -> str:
    """An amount in canonical form, without redundant zeros."""
    if not _AMOUNT.fullmatch(text) or not Decimal(text):
        raise ValueError(
            f"the {what} {text[:40]!a} is no amount; write one above 0 with at most 12 digits and 4 decimals"
        )
    return f"{Decimal(text).normalize():f}"


def file_limits(section: LimitsSection | None) -> Limits | None:
    """The limits in a table's validated file; None if it has none."""
    if section is None or section.minimum is None or section.maximum is None:
        return None
    payout = "" if section.payout is None else f"{section.payout:f}"
    return limits_from(f"{section.minimum:f}", f"{section.maximum:f}", payout, section.currency)


def currency_of(section: LimitsSection | None) -> str:
    return section.currency if section is not None else str(LimitsSection.model_fields["currency"].default)


def file_terms(config: TableConfig) -> Terms:
    return Terms(file_limits(config.limits), house_of(config))


def house_of(config: TableConfig) -> House:
    """What a table's file says of its play besides limits."""
    model, dice, limits = find_game(config.game).rules, config.dice, config.limits
    rules = model.model_validate(config.rules).model_dump() if model is not None else {}
    steps = dict(sorted(limits.steps.items())) if limits is not None else {}
    return House(
        rules={name: _plain(value) for name, value in rules.items()},
        dice={name: _plain(value) for name, value in dice.model_dump().items()} if dice is not None else {},
        odds={area: to_one(odds) for area, odds in sorted(config.layout.odds.items())},
        symbols=dict(sorted(config.layout.symbols.items())),
        steps={wager: f"{amount.normalize():f}" for wager, amount in steps.items()},
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


def changed(before: House | None, after: House) -> tuple[str, ...]:
    """Where they differ, by section and name: ``rules.positions``; nowhere from no terms on record."""
    sections = vars(before or after)
    return tuple(
        f"{section}.{name}"
        for section, new in vars(after).items()
        for name in sorted({*sections[section], *new})
        if sections[section].get(name) != new.get(name)
    )


def makes_anew(game: str, places: Iterable[str]) -> bool:
    """Whether a table has to be made ready anew for a change: other decks, another wheel, other positions."""
    between_rounds = {*_AGES, *(f"rules.{name}" for name in find_game(game).rules_between_rounds)}
    return any(place.startswith(("rules.", "dice.")) and place not in between_rounds for place in places)


# -- text --------------------------------------------------------------------------------------------------------


def limits_text(limits: Limits) -> str:
    """Limits as text: ``$10 to $500, at most $25,000 paid out in a round``."""
    least, most = money(limits.currency, limits.minimum), money(limits.currency, limits.maximum)
    paid = f", at most {money(limits.currency, limits.payout)} paid out in a round" if limits.payout else ""
    return f"{least} to {most}{paid}"


def time_of_day(utc_ns: int) -> str:
    """The time of day in the table's time zone: ``14:05``."""
    return datetime.fromtimestamp(utc_ns // NS_PER_S).strftime("%H:%M")


def money(currency: str, amount: str) -> str:
    """An amount: ``$25,000`` or ``$2.50``."""
    places = -int(str(Decimal(amount).as_tuple().exponent))
    return f"{currency}{Decimal(amount):,.{max(places, 2) if places else 0}f}"


def house_text(before: House | None, after: House, currency: str) -> str:
    """What differs, as text: ``positions 5; joker is shown as star``; nothing from no terms on record."""
    return "; ".join(_changed_text(after, place, currency) for place in changed(before, after))


def _changed_text(house: House, place: str, currency: str) -> str:
    section, _, name = place.partition(".")
    value = vars(house)[section].get(name)
    if section == "odds":
        return f"{words(name)} pays " + (value or "the regulation's odds")
    if section == "symbols":
        return f"{words(name)} is shown as {value or words(name)}"
    if section == "steps":
        return _step(name, value, currency)
    shown = "not set" if value is None else {"True": "yes", "False": "no"}.get(str(value), value)
    return f"{'dice ' if section == 'dice' else ''}{name.replace('_', ' ')} {shown}"


def _step(wager: str, amount: str | None, currency: str) -> str:
    on = "wagers" if wager == EVERY else f"wagers on {words(wager)}"
    if amount is None:
        return "wagers of any amount" if wager == EVERY else f"{on} as all others"
    return f"{on} in steps of {money(currency, amount)}"


def steps_text(steps: Mapping[str, str], currency: str) -> str:
    """Further requirements, as the sign states them (§ 521.7(d)); empty if there are none."""
    first = [EVERY] if EVERY in steps else []
    names = [*first, *(wager for wager in steps if wager != EVERY)]
    return "; ".join(_step(wager, steps[wager], currency) for wager in names)
