"""How many keys a round takes, measured on whole rounds: none of them may take more."""

import random
from collections.abc import Callable, Mapping

import pytest

from controller.bench.dealer import Dealer
from controller.bench.oracle import Oracle
from controller.bench.rig import Rig
from controller.configuration.shipped import load_table, table_path
from controller.events.effect import Refused, Result
from controller.events.event import Press


def _opened(game: str, **rules: object) -> Rig:
    """The shipped table of a game, open for wagers."""
    config = load_table(table_path(game)).config
    witness = Oracle()
    rig = Rig(config.model_copy(update={"rules": {**config.rules, **rules}}), listeners=(witness,))
    dealer = Dealer(rig, random.Random(1), witness)
    while rig.state.value != "bets-open":
        dealer.act()
    return rig


def _presses(rig: Rig, *acts: Callable[[], None]) -> int:
    """The presses of a round; none of them may be refused."""
    before = len(rig.records())
    for act in acts:
        act()
    records = rig.records()[before:]
    effects = [effect for record in records for effect in record.effects]
    assert not any(isinstance(one, Refused) for one in effects)
    assert any(isinstance(one, Result) for one in effects)
    return sum(isinstance(record.event, Press) for record in records)


def _keyed(rig: Rig, *keys: str) -> int:
    return _presses(rig, lambda: rig.press(*keys))


def _wheel(game: str) -> int:
    rig = _opened(game)
    spin, press = rig.spin, rig.press
    return _presses(
        rig, lambda: press("no-more-bets"), lambda: spin(stop_on="10"), lambda: press("done", "done", "clear")
    )


def _roulette(*keys: str, **rules: object) -> int:
    rig = _opened("roulette", **rules)

    def ball() -> None:
        rig.turn_rotor()
        rig.throw_ball(9, "36", rest=False)
        rig.wait(4)
        rig.press("no-more-bets")
        rig.ball_rest()

    def settled() -> None:
        rig.press(*keys)
        rig.wait(10)
        rig.press("done", "clear")

    return _presses(rig, ball, settled)


def _war(positions: int) -> int:
    rig = _opened("casino-war")
    places, lower = "1234567"[:positions], ["2"] * positions
    higher = ["king", *lower[1:]]
    rig.press("no-more-bets", *places, "enter", *higher, "queen", "enter", "done", "clear")
    return _keyed(rig, "no-more-bets", *higher, "queen", "enter", "done", "clear")


ROUNDS: Mapping[str, tuple[Callable[[], int], int]] = {
    "Dreamcatcher": (lambda: _wheel("dreamcatcher"), 4),
    "Big Six": (lambda: _wheel("big-six"), 4),
    "Sic Bo": (lambda: _keyed(_opened("sic-bo"), "no-more-bets", *"123", "enter", "done", "clear"), 7),
    "Three Dice Football, a throw": (
        lambda: _keyed(_opened("three-dice-football"), "no-more-bets", *"342", "enter"),
        5,
    ),
    "Roulette, reader alone": (lambda: _roulette(result="reader"), 3),
    "Roulette, reader and keypad": (lambda: _roulette(*"36"), 5),
    "Casino War, 1 position": (lambda: _war(1), 6),
    "Casino War, 7 positions": (lambda: _war(7), 12),
}
"""How each round is measured, and the most presses that it may take."""


@pytest.mark.parametrize("name", ROUNDS)
def test_a_round_takes_no_more_presses(name: str) -> None:
    measure, most = ROUNDS[name]
    assert measure() <= most
