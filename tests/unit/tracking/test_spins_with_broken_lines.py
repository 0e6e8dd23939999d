"""Spins whose lines break in the last second, once taken for results: found by campaigns, made again here."""

import math
import random
from collections.abc import Sequence
from functools import partial

import pytest
from campaigns.fleet_wheel import FleetWheel, Spin
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


LINES = ("encoder_a", "encoder_b", "index", "clapper")


def drawn(rng: random.Random) -> tuple[str, str, float]:
    line = rng.choice(LINES)
    return rng.choice(
        (
            ("stuck-high", line, 0.0),
            ("stuck-low", line, 0.0),
            ("unplugged", "", 0.0),
            ("lost-edges", "", math.exp(rng.uniform(math.log(0.001), 0.0))),
            ("overflow", "", float(rng.randint(1, 2000))),
            ("swapped", "", 0.0),
            ("slip", "", rng.choice((1.0, rng.uniform(0.001, 1.0)))),
            ("noise", line, rng.uniform(5, 1000)),
        )
    )


@pytest.mark.parametrize(
    ("seed", "spins"),
    [
        pytest.param(60016, 11, id="the shaft comes loose between a strike and the slip"),
        pytest.param(61055, 15, id="the encoder slips"),
        pytest.param(61006, 25, id="A and B are crossed while a peg bends the leather", marks=pytest.mark.campaign),
    ],
)
def test_a_fault_within_the_bend_of_the_leather_makes_no_result(seed: int, spins: int) -> None:
    """One wheel, on which one or two faults strike in each spin; the last spin was once a wrong result."""
    wheel = FleetWheel(seed)
    rng = wheel.rng
    wheel.throw()
    wheel.end()
    for number in range(spins):
        faults = [drawn(rng) for _ in range(rng.choice((1, 1, 2)))]
        crossed = [fault for fault in faults if fault[0] == "swapped"]  # Only while the wheel is at rest.
        for fault in crossed:
            wheel.world.fault(*fault)
        wheel.throw()
        wheel.advance(1.2)
        late, left_s = rng.random() < 0.5, wheel.left_s
        wheel.advance(max(0.0, left_s - rng.uniform(0, 1.5)) if late else rng.uniform(0, left_s))
        for fault in faults:
            if fault not in crossed:
                wheel.world.fault(*fault)
        spin = wheel.end()
        shorted = spin.bent and any(fault[:2] == ("stuck-low", "clapper") for fault in faults)
        assert spin.said != "result" or spin.right or shorted, (number, faults)
        wheel.world.repair()
        wheel.turn(2.3)
        while wheel.tracker.position is None:  # No table opens before.
            wheel.turn(-2.3)
