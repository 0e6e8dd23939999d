"""The rules of a table's file besides limits and odds: as plain data, what differs as text, and what a change asks.

They count once the floorperson confirmed them, from the next round on (§ 521.8(b)).
"""

from collections.abc import Iterator, Mapping
from decimal import Decimal
from enum import Enum

from config.schema import TableConfig
from controller.events.event import HouseRules
from controller.events.text import spoken as words
from controller.language.language import marked, pays_shown, tr, word
from controller.limits.money import money
from controller.limits.table_state import PayoutOdds
from controller.statechart.registry import find_game

EVERY = "every"
"""In place of a wager's name: every wager that has no steps of its own."""
_AGES = frozenset({"warn_h", "retire_h"})
"""Of dice: the limits of their age may change while they are in use."""
NAMES = (
    *(marked("positions"), marked("decks"), marked("shuffler"), marked("warn h"), marked("retire h")),
    *(marked("wheel"), marked("single-zero"), marked("double-zero"), marked("double-zero-as-single")),
    *(marked("result"), marked("keypad"), marked("reader"), marked("both"), marked("reader s")),
    *(marked("five adjacent"), marked("dice shaker"), marked("manual"), marked("automated")),
    *(marked("dice warn h"), marked("dice retire h"), marked("yes"), marked("no"), marked("not set")),
)
"""Settings and their values as players read them."""


def house_rules(config: TableConfig) -> HouseRules:
    """What a table's validated file says."""
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
    changed = {*_differing(before.rules, after.rules)} - find_game(game).rules_between_rounds
    return bool(changed or {*_differing(before.dice, after.dice)} - _AGES)


# -- text --------------------------------------------------------------------------------------------------------


def odds_text(odds: PayoutOdds) -> str:
    """Odds as text: ``40 pays 41 to 1``."""
    if not odds.above:
        return tr("every wager pays the regulation's odds")
    return ", ".join(pays_shown(words(area), pays) for area, pays in odds.above.items())


def changes(before: HouseRules, after: HouseRules, currency: str) -> str:
    """What differs, as text: ``positions 5; joker is shown as star``."""
    return "; ".join(_changes(before, after, currency))


def _changes(before: HouseRules, after: HouseRules, currency: str) -> Iterator[str]:
    for name in _differing(before.rules, after.rules):
        yield _setting(name, after.rules.get(name))
    for name in _differing(before.dice, after.dice):
        yield _setting(f"dice {name}", after.dice.get(name))
    for area in _differing(before.symbols, after.symbols):
        symbol = after.symbols.get(area, word(words(area)))
        yield tr("{wager} is shown as {symbol}", wager=word(words(area)), symbol=symbol)
    for wager in _differing(before.steps, after.steps):
        yield _step(wager, after.steps[wager], currency) if wager in after.steps else _any_step(wager)


def _differing(before: Mapping[str, object], after: Mapping[str, object]) -> list[str]:
    return sorted(name for name in before.keys() | after.keys() if before.get(name) != after.get(name))


def _setting(name: str, value: object) -> str:
    shown = "not set" if value is None else {"True": "yes", "False": "no"}.get(str(value), value)
    return tr("{setting} {value}", setting=word(name.replace("_", " ")), value=word(str(shown)))


def _step(wager: str, amount: str, currency: str) -> str:
    if wager == EVERY:
        return tr("wagers in steps of {money}", money=money(currency, amount))
    on, steps = word(words(wager)), money(currency, amount)
    return tr("wagers on {wager} in steps of {money}", wager=on, money=steps)


def _any_step(wager: str) -> str:
    if wager == EVERY:
        return tr("wagers of any amount")
    return tr("wagers on {wager} as all others", wager=word(words(wager)))


def steps_text(steps: Mapping[str, str], currency: str) -> str:
    """Further requirements, as the sign states them (§ 521.7(d)); empty if there are none."""
    first = [EVERY] if EVERY in steps else []
    names = [*first, *(wager for wager in steps if wager != EVERY)]
    return "; ".join(_step(wager, steps[wager], currency) for wager in names)
