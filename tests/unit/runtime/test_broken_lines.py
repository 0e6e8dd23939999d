"""A line that breaks in the last moments of a spin, every tenth of a second: void, lock or the truth."""

from collections.abc import Callable

import pytest

from config.schema import TableConfig
from controller.bench.oracle import Oracle
from controller.bench.rig import NS_PER_S, Rig


@pytest.mark.parametrize("line", ["encoder_a", "encoder_b", "clapper", "index"])
@pytest.mark.parametrize("fault", ["stuck-low", "stuck-high"])
@pytest.mark.parametrize("counts", [720, 1000, 1440])
@pytest.mark.campaign
def test_a_line_that_breaks_late_in_a_spin_never_makes_a_wrong_result(
    shipped: Callable[[str], TableConfig], line: str, fault: str, counts: int
) -> None:
    config = shipped("big-six")
    assert config.wheel is not None
    update = {"counts_per_turn": counts, "index_offset_counts": round(counts / 216)}
    config = config.model_copy(update={"wheel": config.wheel.model_copy(update=update)})
    for tenth in range(14, 36):
        oracle = Oracle()
        table = Rig(config, options={"seed": tenth}, listeners=(oracle,))
        table.turn(1.2)
        table.press("no-more-bets")
        table.spin(3.3, stop_on=tenth, rest=False)
        table.clock.advance_to(table.world.wheel.at_rest_ns + 3 * NS_PER_S // 2 - tenth * NS_PER_S // 10)
        table.world.fault(fault, line)
        table.rest()
        oracle.compare(table)
        assert not oracle.tally.wrong, (tenth, oracle.tally.wrong)
