"""What people do to a wheel with a clapper while something else is broken does what its name says."""

import random
from typing import TypeGuard

import pytest
from limits_table import new

from controller.bench.dealer import Dealer
from controller.bench.oracle import Oracle
from controller.bench.slips import slips_of
from controller.configuration.shipped import load_table, table_path
from controller.events.effect import Effect, Result, Void
from controller.statechart.registry import find_game, game_names

WHEELS = [name for name in game_names() if find_game(name).wheel]
SPUN, TURNED, HELD = "the wheel is spun", "the wheel is turned by hand", "the wheel is held"


@pytest.fixture(params=WHEELS)
def dealer(request: pytest.FixtureRequest) -> Dealer:
    """Somebody at a table whose wheel stands, after the call."""
    rig = new(load_table(table_path(request.param)).config)
    rig.press("no-more-bets")
    return Dealer(rig, random.Random(1), Oracle())


def decided(dealer: Dealer, slips: tuple[str, ...]) -> list[str]:
    """What the table decides once the wheel is at rest, after these slips, four seconds apart."""
    before = len(dealer.rig.records())
    for slip in slips:
        slips_of(dealer.rig.game).acts[slip](dealer)
        dealer.rig.wait(4)
    dealer.rig.rest()
    effects = [effect for record in dealer.rig.records()[before:] for effect in record.effects]
    return [effect.kind if isinstance(effect, Result) else effect.reason for effect in effects if decides(effect)]


def decides(effect: Effect) -> TypeGuard[Result | Void]:
    return isinstance(effect, Result | Void)


@pytest.mark.parametrize(
    ("slips", "what"),
    [
        ((SPUN,), ["result"]),
        ((SPUN, SPUN), ["touched"]),
        ((TURNED,), ["fewer-than-three-revolutions"]),
        ((SPUN, TURNED), ["result"]),
        ((SPUN, HELD), ["fewer-than-three-revolutions"]),
        ((HELD,), []),
        ((SPUN, HELD, SPUN), ["fewer-than-three-revolutions", "result"]),
    ],
    ids=lambda one: ", ".join(one) if one and isinstance(one, tuple) else "",
)
def test_a_wheel_that_stands_is_spun_or_turned_and_one_that_turns_is_pushed_or_held(
    dealer: Dealer, slips: tuple[str, ...], what: list[str]
) -> None:
    assert decided(dealer, slips) == what
