"""The evidence against a wheel: exactly a bet that is fair on a fair wheel, and one that finds an unfair one."""

import math
import random
from collections.abc import Iterator, Sequence

import numpy as np
import pytest

from controller.fairness.evidence import DIRECTIONS, Evidence
from controller.games.dreamcatcher.game import ORDER

CW, CCW, UNKNOWN = DIRECTIONS

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


def by_hand(sections: int, spins: Sequence[tuple[int, str]]) -> float:
    """The e-value, stake by stake and spin by spin."""
    total = 0.0
    for weight, factors in tables(sections):
        for share, heard in ((0.5, set(DIRECTIONS)), (0.25, {CW}), (0.25, {CCW})):
            total += share * weight * math.prod(factors[at] for at, direction in spins if direction in heard)
    return total


@pytest.mark.parametrize("sections", [2, 3, 4, 7, 16, 37, 54])
def test_the_evidence_is_what_a_count_stake_by_stake_comes_to(sections: int) -> None:
    """Each stake is a bet that is fair on a fair wheel in any direction, so their sum is one, too."""
    weights, factors = zip(*tables(sections), strict=True)
    assert math.fsum(weights) == pytest.approx(1)
    assert all(math.fsum(one) == pytest.approx(sections) and min(one) >= 0 for one in factors)
    rng = random.Random(sections)
    for spins in (0, 1, 2, 30):
        sequence = [(rng.randrange(sections), rng.choice(DIRECTIONS)) for _ in range(spins)]
        evidence = Evidence(sections)
        evidence.add(sequence)
        assert 10**evidence.log10 == pytest.approx(by_hand(sections, sequence), rel=1e-11)


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


# -- unfair wheels -------------------------------------------------------------------------------------------------


def raised(first: int, width: int, factor: float, sections: int = 54) -> np.ndarray:
    """Probabilities of the sections: so many from the first on come so many times as often as on a fair wheel."""
    chances = np.full(sections, (sections - width * factor) / (sections - width) / sections)
    chances[(first + np.arange(width)) % sections] = factor / sections
    return chances


def drawn(seed: int, spins: int, chances: Sequence[float], fair_ccw: bool = False) -> Evidence:
    """A wheel that was spun so often each way."""
    rng = np.random.default_rng(seed)
    other = [1 / len(chances)] * len(chances) if fair_ccw else chances
    counts = {CW: rng.multinomial(spins, chances).tolist(), CCW: rng.multinomial(spins, other).tolist()}
    return Evidence(len(chances), counts)


@pytest.mark.parametrize(
    ("first", "width", "factor", "sections", "labels"),
    [
        (12, 1, 1.3, "section 13", f" ({ORDER[12]})"),
        (53, 1, 0.7, "section 54", f" ({ORDER[53]})"),
        (52, 3, 1.25, "sections 53 to 1", f" ({ORDER[52]}, {ORDER[53]}, {ORDER[0]})"),
    ],
)
def test_what_comes_too_often_or_too_rarely_is_named(
    first: int, width: int, factor: float, sections: str, labels: str
) -> None:
    evidence = drawn(first, 40_000, raised(first, width, factor))
    way = "favoured" if factor > 1 else "disfavoured"
    assert evidence.log10 > 4
    assert evidence.suspicion().startswith(f"{sections}, {way} by about ")
    assert evidence.suspicion(ORDER).startswith(f"{sections}{labels}, {way} by about ")
    assert 20 <= _percent(evidence.suspicion()) <= 35


@pytest.mark.parametrize("sections", [37, 38, 54])
def test_what_happens_in_one_direction_alone_is_found_and_named(sections: int) -> None:
    evidence = drawn(6, 40_000, raised(11, 3, 1.3, sections), fair_ccw=True)
    assert evidence.log10 > 4
    assert evidence.suspicion().startswith("sections 12 to 14 when the wheel turns clockwise, favoured by about ")


def test_opposite_faults_of_the_two_directions_do_not_hide_each_other() -> None:
    """Together the counts are even: a test of the sum sees nothing."""
    up, down = (np.full(54, 1 / 54) for _ in range(2))
    up[[5, 30]] *= (1.4, 0.6)
    down[[5, 30]] *= (0.6, 1.4)
    rng = np.random.default_rng(7)
    counts = {CW: rng.multinomial(40_000, up).tolist(), CCW: rng.multinomial(40_000, down).tolist()}
    assert Evidence(54, counts).log10 > 4


def test_a_tilted_wheel_is_named_as_one() -> None:
    tilt = (1 + 0.06 * np.cos(2 * np.pi * (np.arange(54) - 20) / 54)) / 54
    words = drawn(8, 20_000, tilt.tolist()).suspicion(ORDER)
    assert words.startswith("the side around section ")
    assert words.endswith("the side opposite as much too rare")
    assert abs(int(words.split("section ")[1].split()[0]) - 21) <= 3
    assert 4 <= _percent(words) <= 8


def test_doubt_is_stated() -> None:
    """Two sections alike: the evidence points to neither of them alone."""
    counts = [1000] * 54
    counts[3] = counts[40] = 1170
    evidence = Evidence(54, {UNKNOWN: counts})
    assert evidence.log10 > 1
    assert evidence.suspicion().startswith("not clear yet; foremost section ")


def test_nothing_is_reported_of_a_wheel_within_chance() -> None:
    fair = [drawn(seed, 20_000, [1 / 54] * 54) for seed in range(20)]
    assert not any(evidence.suspicion(ORDER) for evidence in fair if evidence.log10 < 1)
    assert sum(evidence.log10 < 1 for evidence in fair) >= 18


def _percent(words: str) -> float:
    return float(words.split("by about ")[1].split("%")[0])
