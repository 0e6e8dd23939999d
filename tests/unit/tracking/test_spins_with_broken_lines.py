"""Spins whose lines break in the last second, once taken for results: found by campaigns, made again here."""

from collections.abc import Sequence
from functools import partial

import pytest
from campaigns.fleet_wheel import FleetWheel, Spin
from campaigns.wheel_campaign import of_wheel
from faulty_dealer import ease

FOUND = {
    (62007, 1): (
        (22_969_828_323, ("swapped", ""), 0),
        (22_916_121_246, ("swapped", ""), 0),
        (22_832_742_805, ("stuck-low", "encoder_b"), 0),
    ),
    (62007, 2): ((14_909_667_767, ("stuck-high", "encoder_a"), 602_279_612),),
    (62018, 1): (
        (22_570_740_239, ("stuck-low", "clapper"), 0),
        (23_063_837_512, ("stuck-low", "clapper"), 1_744_049_188),
    ),
    # A plug that was out while the wheel rocked back, past a peg and back from the next one.
    (5210, 5): ((15_968_043_213, ("unplugged", ""), 951_527_312),),
    # A contact that is shorted before the wheel stands on a peg, beyond the place at which that peg strikes.
    (32, 2): tuple((15_653_119_639 - ms * 1_000_000, ("stuck-low", "clapper"), 0) for ms in (900, 600, 300)),
    (38, 0): tuple((19_469_375_639 - ms * 1_000_000, ("stuck-low", "clapper"), 0) for ms in (900, 600, 300)),
    (44, 0): tuple((15_115_720_917 - ms * 1_000_000, ("stuck-low", "clapper"), 0) for ms in (900, 600, 300)),
}
"""By wheel and throws before: so long after the throw, what breaks, and for how long (0: for good), in ns."""


def broken(seed: int, before: int, at_ns: int, fault: Sequence[str], for_ns: int) -> Spin:
    wheel = FleetWheel(seed)
    for _ in range(before):
        wheel.throw()
        wheel.end()
    now_ns, call_at = wheel.clock.now_ns(), wheel.clock.call_at
    wheel.throw()
    call_at(now_ns + at_ns, partial(wheel.world.fault, *fault))
    if for_ns:
        call_at(now_ns + at_ns + for_ns, partial(ease, wheel.world))
    return wheel.end()


@pytest.mark.parametrize(("wheel", "faults"), FOUND.items())
def test_a_spin_whose_lines_break_at_the_end_is_never_a_wrong_result(
    wheel: tuple[int, int], faults: Sequence[tuple[int, tuple[str, str], int]]
) -> None:
    for fault in faults:
        spin = broken(*wheel, *fault)
        assert spin.said != "result" or spin.right, fault


def test_a_slipping_encoder_makes_no_wrong_result() -> None:
    assert of_wheel(61055, faults=1, moments=3, ways=5).wrong == []
