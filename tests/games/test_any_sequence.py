"""Dreamcatcher after whatever people and faults do in a bonus: no multiplier is lost, and no lamp is false."""

import random
from math import prod

import pytest
from any_game import back_to_open, controls, shipped_table
from faulty_dealer import DealerAmongFaults, FaultSettings
from screen_table import SLICE_NS

from controller.bench.oracle import Oracle
from controller.bench.rig import Rig
from controller.events.effect import Bonus, Result, Void
from controller.events.event import Act
from controller.games.dreamcatcher.game import MULTIPLIERS


def check(table: Rig) -> None:
    """The record of the present round against the machine and the lamps."""
    multipliers, results, state = list[int](), list[Result](), ""
    for record in table.records():
        if isinstance(record.event, Act) and record.event.act == "void" and state == "bonus":
            multipliers.pop()
        for effect in record.effects:
            if effect.kind == "round-opened":
                multipliers, results = [], []
            elif isinstance(effect, Bonus):
                multipliers.append(MULTIPLIERS[effect.label])
            elif isinstance(effect, Result):
                results.append(effect)
            elif isinstance(effect, Void) and effect.reason != "thrown-before-clear":  # It leaves the result.
                results = []
        state = record.state
    product = prod(multipliers)
    assert table.machine.data.multiplier == product, "a multiplier was lost"
    assert len(results) <= 1
    for result in results:
        assert [win.pays for win in result.wins] == [f"{int(result.label) * product} to 1"]
    assert table.lit() <= {win.area for result in results for win in result.wins}, "a false light"


@pytest.mark.clause("689a.2(c)", "689a.3(b)")
@pytest.mark.parametrize("seed", range(2))
def test_no_sequence_of_events_loses_a_multiplier(seed: int) -> None:
    chance, oracle = random.Random(seed), Oracle()
    table = Rig(shipped_table("dreamcatcher"), options={"seed": seed}, slice_ns=SLICE_NS, listeners=(oracle,))
    dealer = DealerAmongFaults(table, chance, oracle, FaultSettings(rate=0.4))
    acts = (
        dealer.act,
        dealer.act,
        table.power_cut,
        lambda: table.spin(3.2, stop_on=chance.choice((0, 27))),  # They multiply.
        lambda: table.press(*chance.choices(controls(table), k=3)),
        lambda: table.turn(chance.uniform(-2.5, 2.5)),
        lambda: table.wait(chance.uniform(0.01, 20)),
    )
    for _ in range(12):
        back_to_open(table, oracle, chance)
        table.press("no-more-bets")
        table.spin(stop_on=27)
        for _ in range(chance.randint(2, 10)):
            chance.choice(acts)()
            check(table)
    assert oracle.tally.bonuses > 6
