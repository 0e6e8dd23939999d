"""The GPIO chip of a sensor head goes away: no result is made of a wheel that is no longer observed."""

from collections.abc import Callable
from pathlib import Path

import pytest

from config.schema import TableConfig
from controller.bench.rig import NS_PER_S, Rig

GONE = "the simulated GPIO chip is gone; plug it in"
Opened = Callable[..., Rig]


@pytest.mark.parametrize("tenth", range(0, 40, 3))
def test_a_spin_whose_head_goes_away_has_no_result(opened: Opened, tenth: int) -> None:
    """Even while the wheel creeps over its last peg, when a stop would be accepted as a result."""
    table = opened("dreamcatcher")
    table.press("no-more-bets")
    table.spin(3.3, stop_on="40", rest=False)
    table.clock.advance_to(table.world.wheel.at_rest_ns - tenth * NS_PER_S // 10)
    table.world.sensors.lose()
    assert table.table.halted == GONE
    assert table.last("void").reason == "controller-failed"
    table.rest()
    table.wait(10)
    assert not any(effect.kind == "result" for record in table.records() for effect in record.effects)
    assert table.lit() == set()


def test_the_table_goes_on_after_a_restart(opened: Opened, tmp_path: Path) -> None:
    """The round is kept: the spin was void, the floorperson opens the lock, and the wheel is found anew."""
    table = opened("dreamcatcher", tmp_path / "journal")
    table.press("no-more-bets")
    table.spin(3.3, stop_on="40", rest=False)
    table.wait(5)
    table.world.sensors.lose()
    table.rest()
    table.power_cut()
    assert GONE in table.waiting_for
    table.floor()
    table.turn(2.3)
    if table.state.value == "confirming":
        table.floor()
    assert table.state.value == "respin"
    table.spin(3.3, stop_on="40")
    assert table.lit() == {"40"}


def test_a_roulette_table_halts_too(shipped: Callable[[str], TableConfig]) -> None:
    table = Rig(shipped("roulette"))
    table.world.sensors.lose()
    assert table.table.halted == GONE
