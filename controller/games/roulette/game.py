"""Roulette (58 Pa. Code ch. 617a): a ball against the turning wheel, on a single zero or a double zero layout."""

from collections.abc import Iterator, Mapping

from config.problems import Finding
from config.schema import TableConfig
from controller.games.roulette.layout import WHEEL_ORDER, WheelType, drawing, panel, wagers
from controller.games.roulette.round import RouletteRound
from controller.games.roulette.rules import (
    RESULT_STATES,
    RouletteRules,
    area_name,
    five_adjacent_return,
    listed,
    returns,
)
from controller.games.roulette.words import WORDS
from controller.machine.game import Game
from controller.machine.round_machine import DIGITS
from controller.odds.exact import WagerReturn
from controller.odds.wagers import Payouts, Wager


def _rules(rules: Mapping[str, object]) -> RouletteRules:
    return RouletteRules.model_validate(rules)


def _demands(config: TableConfig) -> Iterator[Finding]:
    """There is a wheel reader if, and only if, the rules use it."""
    reader, used = config.devices.reader, _rules(config.rules).reads
    if used and reader is None:
        message = "the winning number comes from a wheel reader, and there is none"
        yield Finding(
            ("devices", "reader"), message, "add `reader:`, or use `result: keypad`", see=(("rules", "result"),)
        )
    if reader is not None and not used:
        message = "there is a wheel reader, but the rules do not use it"
        yield Finding(("devices", "reader"), message, "use `result: both` under rules, or remove it", on_key=True)


def _every_wager() -> tuple[Wager, ...]:
    """The wagers of all layouts."""
    return tuple({wager.area: wager for wheel in WheelType for wager in wagers(wheel)}.values())


def _returns(payouts: Payouts, rules: Mapping[str, object]) -> list[WagerReturn]:
    own = _rules(rules)
    offered = [five_adjacent_return(own.type, payouts)] if own.five_adjacent else []
    return [*returns(own.type, payouts), *offered]


GAME: Game = Game(
    name="roulette",
    title="Roulette",
    chapter="617a",
    wagers=_every_wager(),
    layout=lambda rules: wagers(_rules(rules).type),
    pockets=lambda rules: WHEEL_ORDER[_rules(rules).type],
    drawing=lambda rules: drawing(_rules(rules).type),
    panel=lambda rules: panel(_rules(rules).type),
    controls=frozenset({"no-more-bets", "done", "clear", "enter", "no-spin", "correct", *DIGITS}),
    machine=lambda config: RouletteRound(config, _rules(config.rules), GAME.payouts(config)),
    returns=_returns,
    guide=(
        "Place chips on a number, on the lines and corners between numbers, or on the boxes beside them, until the "
        "dealer calls no more bets while the ball is running.",
        "The dealer spins the ball against the turning wheel. It must run around the track four times in full, or "
        "it is no spin and the wagers stay for the next one; so it is if the ball leaves the wheel.",
        "The number at which the ball comes to rest wins, and every wager that covers it.",
        "On 0, and on 00 where it is played, red, black, odd, even, 1 to 18 and 19 to 36 lose.",
        "Losing wagers are collected before winning wagers are paid.",
    ),
    rules=RouletteRules,
    rules_between_rounds=frozenset({"reader_s", "call_alert_s", "five_adjacent"}),
    demands=_demands,
    listed=listed,
    words=WORDS,
    result_states=RESULT_STATES,
    area_name=area_name,
)
