"""The evidence against a wheel: exactly a bet that is fair on a fair wheel, and one that finds an unfair one."""

import math
import random
from collections.abc import Callable, Iterator, Sequence
from itertools import product

import pytest

from controller.fairness.evidence import DIRECTIONS, Evidence

CW, CCW, UNKNOWN = DIRECTIONS
Spins = Sequence[tuple[int, str]]
Policy = Callable[[Sequence[int]], str]
POLICIES: dict[str, Policy] = {
    "clockwise": lambda past: CW,
    "in turn": lambda past: (CW, CCW)[len(past) % 2],
    "sometimes not known": lambda past: DIRECTIONS[len(past) % 3],
    "the dealer answers the last stop": lambda past: CW if past and past[-1] == 0 else CCW,
    "the dealer repeats what was lucky": lambda past: CCW if past.count(1) > past.count(0) else CW,
}


def played(sections: int, spins: Spins) -> Evidence:
    evidence = Evidence(sections)
    evidence.add(spins)
    return evidence


def value(sections: int, spins: Spins) -> float:
    return 10 ** played(sections, spins).log10


def directed(stops: Sequence[int], policy: Policy) -> list[tuple[int, str]]:
    return [(stop, policy(stops[:at])) for at, stop in enumerate(stops)]


# -- what the alternatives are, written down once more -------------------------------------------------------------


def tables(sections: int) -> Iterator[tuple[float, list[float]]]:
    """Every shape's weight and factors, as docs/floor.md says them."""
    favoured = (1.02, 1.03, 1.05, 1.07, 1.1, 1.15, 1.25, 1.5, 2.0, 4.0)
    families: list[list[list[float]]] = [[], [], []]
    for place in range(sections):
        for width in (1, 2, 3, 5, 8, 13):
            for factor in (*favoured, *((0.95, 0.9, 0.8, 0.5) if width == 1 else ())):
                if (width > 1 and width > sections / 2) or width * factor >= sections:
                    continue
                inside = {(place + step) % sections for step in range(width)}
                rest = (sections - width * factor) / (sections - width)
                families[width > 1].append([factor if at in inside else rest for at in range(sections)])
        for size in (0.01, 0.02, 0.04, 0.08, 0.16, 0.32):
            angles = [2 * math.pi * (at - place) / sections for at in range(sections)]
            families[2].append([1 + size * math.cos(angle) for angle in angles])
    families = [family for family in families if family]
    for family in families:
        yield from ((1 / len(families) / len(family), factors) for factors in family)


def by_hand(sections: int, spins: Spins) -> float:
    """The e-value, stake by stake and spin by spin."""
    total = 0.0
    for weight, factors in tables(sections):
        for share, heard in ((0.5, set(DIRECTIONS)), (0.25, {CW}), (0.25, {CCW})):
            total += share * weight * math.prod(factors[at] for at, direction in spins if direction in heard)
    return total


@pytest.mark.parametrize("sections", [2, 3, 4, 7, 16, 37, 54])
def test_the_evidence_is_what_a_count_stake_by_stake_comes_to(sections: int) -> None:
    rng = random.Random(sections)
    for spins in (0, 1, 2, 30):
        sequence = [(rng.randrange(sections), rng.choice(DIRECTIONS)) for _ in range(spins)]
        assert value(sections, sequence) == pytest.approx(by_hand(sections, sequence), rel=1e-11)


# -- the promise, by every sequence of stops -----------------------------------------------------------------------


@pytest.mark.parametrize("policy", POLICIES)
@pytest.mark.parametrize(("sections", "spins"), [(2, 6), (3, 5), (4, 4)])
def test_on_a_fair_wheel_the_e_value_is_1_on_average_at_every_time(sections: int, spins: int, policy: str) -> None:
    for horizon in range(spins + 1):
        courses = product(range(sections), repeat=horizon)
        values = [value(sections, directed(stops, POLICIES[policy])) for stops in courses]
        assert math.fsum(values) / len(values) == pytest.approx(1, abs=1e-12)


# -- counts --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("sections", [2, 37, 54])
@pytest.mark.parametrize("favoured", [0, 0.2])
def test_many_spins_at_once_are_looked_at_after_each_and_counts_are_enough(sections: int, favoured: float) -> None:
    chance = random.Random(sections)
    together, alone = Evidence(sections), Evidence(sections)
    for count in (1, 64, 199):
        spins = [
            (0 if chance.random() < favoured else chance.randrange(sections), chance.choice(DIRECTIONS))
            for _ in range(count)
        ]
        looked = []
        for spin in spins:
            alone.add([spin])
            looked.append(alone.log10)
        assert together.add(spins) == pytest.approx(max(looked), rel=1e-11, abs=1e-11)
        assert together.counts == alone.counts
    assert Evidence(sections, alone.counts).log10 == together.log10
    assert Evidence(sections).log10 == pytest.approx(0, abs=1e-12)
    assert Evidence(sections).add([]) == -math.inf
