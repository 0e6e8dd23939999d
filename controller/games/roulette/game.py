"""Roulette (58 Pa. Code ch. 617a): a ball against the turning wheel, on a single zero or a double zero layout."""

from collections.abc import Iterator, Mapping
from decimal import Decimal
from typing import Literal

from pydantic import Field

from config.problems import Finding
from config.scalars import Quantity, YesNo
from config.schema import NS_PER_S, Section, TableConfig
from controller.games.roulette.inspection import RouletteInspection
from controller.games.roulette.layout import WHEEL_ORDER, WheelType, drawing, panel, wagers
from controller.games.roulette.odds import five_adjacent_return, returns
from controller.games.roulette.play import NumberSource, inspection_steps
from controller.games.roulette.results import RESULT_STATES, area_name, listed
from controller.games.roulette.round import RouletteRound
from controller.games.roulette.steps import RouletteSteps
from controller.games.roulette.words import RouletteWords
from controller.games.shared.entry import DIGITS
from controller.odds.exact import WagerReturn
from controller.odds.wagers import Payouts, Wager
from controller.statechart.game import Game


class RouletteRules(Section):
    """The rules of a table of Roulette."""

    wheel: Literal["single-zero", "double-zero", "double-zero-as-single"] = Field(
        description="the wheel and its layout; double-zero-as-single: 00 is covered, and no spin (§ 617a.1(e))"
    )
    result: Literal["keypad", "reader", "both"] = Field(
        "keypad", description="who names the winning number; both must agree, or the floorperson decides"
    )
    reader_s: Quantity = Field(
        Decimal(30), ge=5, le=120, description="a wheel reader that has said nothing by then is silent"
    )
    five_adjacent: YesNo = Field(
        False, description="whether the Five Adjacent Number Wager is offered (§ 617a.3(e)(1)(i))"
    )

    @property
    def type(self) -> WheelType:
        return WheelType(self.wheel)

    @property
    def source(self) -> NumberSource:
        return NumberSource(self.result)


def _type(rules: Mapping[str, object]) -> WheelType:
    return RouletteRules.model_validate(rules).type


def _machine(config: TableConfig) -> RouletteRound:
    rules = RouletteRules.model_validate(config.rules)
    head, rotor = config.devices.rotor, config.rotor
    assert head is not None
    assert rotor is not None
    converted, checks = rules.type is WheelType.DOUBLE_ZERO_AS_SINGLE, head.pins.ball_2 is not None
    confirmed = inspection_steps(converted, checks)
    return RouletteRound(
        RouletteSteps(
            rules.type,
            GAME.payouts(config),
            rules.source,
            checks,
            rotor.spin_limit_ns,
            int(rules.reader_s * NS_PER_S),
        ),
        RouletteWords(rules.type, rules.source, confirmed, checks, rules.five_adjacent),
        RouletteInspection(config.table, confirmed, checks),
        rules.source,
        checks,
        converted,
    )


def _demands(config: TableConfig) -> Iterator[Finding]:
    """There is a wheel reader if, and only if, the rules use it."""
    reader, used = config.devices.reader, _uses_reader(config.rules)
    if used and reader is None:
        message = "the winning number comes from a wheel reader, and there is none"
        yield Finding(
            ("devices", "reader"), message, "add `reader:`, or use `result: keypad`", see=(("rules", "result"),)
        )
    if reader is not None and not used:
        message = "there is a wheel reader, but the rules do not use it"
        yield Finding(("devices", "reader"), message, "use `result: both` under rules, or remove it", on_key=True)


def _uses_reader(rules: Mapping[str, object]) -> bool:
    return RouletteRules.model_validate(rules).source is not NumberSource.KEYPAD


def _every_wager() -> tuple[Wager, ...]:
    """The wagers of all layouts."""
    return tuple({wager.area: wager for wheel in WheelType for wager in wagers(wheel)}.values())


def _returns(payouts: Payouts, rules: Mapping[str, object]) -> list[WagerReturn]:
    own = RouletteRules.model_validate(rules)
    offered = [five_adjacent_return(own.type, payouts)] if own.five_adjacent else []
    return [*returns(own.type, payouts), *offered]


GAME = Game(
    name="roulette",
    title="Roulette",
    chapter="617a",
    wagers=_every_wager(),
    layout=lambda rules: wagers(_type(rules)),
    pockets=lambda rules: WHEEL_ORDER[_type(rules)],
    drawing=lambda rules: drawing(_type(rules)),
    panel=lambda rules: panel(_type(rules)),
    controls=frozenset({"no-more-bets", "done", "clear", "enter", "no-spin", "correct", *DIGITS}),
    switches=frozenset({"floor-key"}),
    machine=_machine,
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
    rules_between_rounds=frozenset({"reader_s", "five_adjacent"}),
    demands=_demands,
    listed=listed,
    result_states=RESULT_STATES,
    area_name=area_name,
)
