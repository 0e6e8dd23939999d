"""The ratio that benchmarks.signing reports: of blocks side by side, whatever else the machine does."""

import random

from benchmarks.signing import Pair, interval


def pairs(cost: float, count: int = 40) -> list[Pair]:
    """Blocks on a machine that is up to five times slower from one pair to the next."""
    chance = random.Random(3)
    found = []
    for _ in range(count):
        slow = chance.uniform(1, 5)
        blocks = [[chance.uniform(0.9, 1.1) * slow for _ in range(100)] for _ in range(2)]
        found.append(Pair(blocks[0], [took * cost for took in blocks[1]]))
    return found


def test_a_machine_that_slows_down_between_pairs_shows_no_cost() -> None:
    least, most = interval([pair.ratio(99) for pair in pairs(1.0)])
    assert 0.98 < least <= 1.0 <= most < 1.02


def test_a_cost_of_a_tenth_shows() -> None:
    least, most = interval([pair.ratio(99) for pair in pairs(1.1)])
    assert 1.05 < least < 1.1 < most < 1.15
