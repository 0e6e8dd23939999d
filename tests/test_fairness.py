"""The evidence against a wheel: exact on small wheels, equal to a brute force, right about unfair wheels."""

import itertools
import math
import random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchmarks.fairness import BIASES, EXACT, SECTIONS, Fair, Unfair, critical, detection, false_alarms
from controller.fairness.chi_square import chi_square, upper_tail
from controller.fairness.evidence import DIRECTIONS, Evidence
from controller.fairness.mixtures import SCOPES, Scope, mixture

Spins = list[tuple[int, str]]
SIZES = (2, 3, 4, 37, 38, 54)


def brute_force(sections: int, spins: Spins) -> float:
    """The e-value by its definition: every alternative's factors multiplied spin by spin."""
    of = mixture(sections)
    total = 0.0
    for row, scope in enumerate(SCOPES):
        for column, shape in enumerate(of.shapes):
            stake = math.exp(of.log_weights[row, column])
            factors = shape.factors(sections)
            for position, direction in spins:
                if scope is Scope.ANY or scope.value == direction:
                    stake *= factors[position]
            total += stake
    return total


def e_value(sections: int, spins: Spins) -> float:
    evidence = Evidence(sections)
    for position, direction in spins:
        evidence.add(position, direction)
    return 10**evidence.log10


@pytest.mark.parametrize("sections", SIZES)
def test_every_alternative_is_a_distribution_and_the_stakes_begin_with_one(sections: int) -> None:
    of = mixture(sections)
    factors = np.exp(of.log_factors)
    assert factors.sum(axis=0) == pytest.approx(np.full(len(of.shapes), sections))
    assert (factors > 0).all()
    assert np.exp(of.log_weights).sum() == pytest.approx(1)
    assert Evidence(sections).log10 == pytest.approx(0)


@pytest.mark.parametrize(("sections", "spins"), [(2, 8), (3, 5), (4, 4)])
@pytest.mark.parametrize("directions", list(itertools.product(DIRECTIONS, repeat=2)), ids=str)
def test_on_a_fair_wheel_the_e_value_is_one_on_average_however_long_and_whichever_way_it_is_turned(
    sections: int, spins: int, directions: tuple[str, ...]
) -> None:
    ways = list(itertools.islice(itertools.cycle(directions), spins))
    for horizon in range(1, spins + 1):
        values = [
            e_value(sections, list(zip(stops, ways, strict=False)))
            for stops in itertools.product(range(sections), repeat=horizon)
        ]
        assert math.fsum(values) / len(values) == pytest.approx(1, abs=1e-12)


def test_a_dealer_who_turns_the_wheel_as_the_past_suggests_changes_nothing() -> None:
    """The direction may depend on where the wheel stopped before."""

    def chosen(stops: tuple[int, ...]) -> Spins:
        spins: Spins = []
        for stop in stops:
            seen = sum(position == 0 for position, _ in spins)
            spins.append((stop, DIRECTIONS[(seen + len(spins)) % 3]))
        return spins

    values = [e_value(3, chosen(stops)) for stops in itertools.product(range(3), repeat=6)]
    assert math.fsum(values) / len(values) == pytest.approx(1, abs=1e-12)


@pytest.mark.parametrize("bar", [1.2, 1.5, 2.0, 4.0])
def test_who_stops_at_the_best_moment_is_wrong_no_more_often_than_promised(bar: float) -> None:
    """Ville's inequality, by every outcome of ten spins of a wheel of two sections."""
    reached = 0
    for stops in itertools.product(range(2), repeat=10):
        evidence = Evidence(2)
        for stop in stops:
            evidence.add(stop, "clockwise")
            if 10**evidence.log10 >= bar:
                reached += 1
                break
    assert reached / 2**10 <= 1 / bar
    if bar < 2:
        assert reached  # The bar is one that can be reached.


spun = st.sampled_from(SIZES).flatmap(
    lambda sections: st.tuples(
        st.just(sections),
        st.lists(st.tuples(st.integers(0, sections - 1), st.sampled_from(DIRECTIONS)), max_size=30),
    )
)


@settings(deadline=None, max_examples=60)
@given(spun)
def test_the_evidence_is_what_its_definition_says_in_any_order_and_after_a_restart(spun: tuple[int, Spins]) -> None:
    sections, spins = spun
    value = e_value(sections, spins)
    assert value == pytest.approx(brute_force(sections, spins), rel=1e-9)
    shuffled = random.Random(1).sample(spins, len(spins))
    assert e_value(sections, shuffled) == pytest.approx(value, rel=1e-9)
    before = Evidence(sections)
    for position, direction in spins:
        before.add(position, direction)
    again = Evidence(sections, before.counts)
    assert (again.log10, again.spins, again.counts) == (before.log10, len(spins), before.counts)


def test_wrong_spins_and_counts_are_refused_and_change_nothing() -> None:
    evidence = Evidence(54)
    for position, direction in ((54, "clockwise"), (-1, ""), (3, "upwards")):
        with pytest.raises(ValueError, match=r"section|direction"):
            evidence.add(position, direction)
    assert (evidence.spins, evidence.log10) == (0, pytest.approx(0))
    for counts in ({"clockwise": [1] * 53}, {"": [-1] * 54}, {"up": [0] * 54}):
        with pytest.raises(ValueError, match=r"counts|direction"):
            Evidence(54, counts)
    for sections in (1, 101):
        with pytest.raises(ValueError, match="2 to 100"):
            Evidence(sections)


def test_ten_million_spins_are_no_trouble() -> None:
    fair = Evidence(54, {"clockwise": [100_000] * 54, "counterclockwise": [85_185] * 54})
    assert -300 < fair.log10 < 0
    unfair = Evidence(54, {"clockwise": [300_000] + [183_000] * 53, "counterclockwise": [185_000] * 54})
    assert 1000 < unfair.log10 < math.inf
    assert unfair.suspicion().startswith("section 1 when the wheel turns clockwise, favoured by about ")


# -- unfair wheels -------------------------------------------------------------------------------------------------


def counted(chances: dict[str, list[float]], spins: int, seed: int) -> dict[str, list[int]]:
    rng = np.random.default_rng(seed)
    return {way: [int(n) for n in rng.multinomial(spins, part)] for way, part in chances.items()}


def favouring(factors: dict[int, float], sections: int = 54) -> list[float]:
    raised = [factors.get(section, 1.0) for section in range(sections)]
    return [factor / sum(raised) for factor in raised]


@pytest.mark.parametrize(
    ("favoured", "way", "words"),
    [
        ({11: 1.5}, "both", "section 12"),
        ({11: 1.5}, "clockwise", "section 12 when the wheel turns clockwise"),
        ({11: 1.5}, "counterclockwise", "section 12 when the wheel turns counterclockwise"),
        ({53: 1.3, 0: 1.3, 1: 1.3}, "both", "sections 54 to 2"),
        ({20: 0.4}, "both", "section 21"),
        ({n: 1 + 0.2 * math.cos(2 * math.pi * n / 54) for n in range(54)}, "both", "the side around section 1"),
    ],
)
def test_an_unfair_wheel_is_found_and_what_is_wrong_with_it_named(
    favoured: dict[int, float], way: str, words: str
) -> None:
    fair, unfair = favouring({}), favouring(favoured)
    chances = {name: unfair if way in (name, "both") else fair for name in ("clockwise", "counterclockwise")}
    evidence = Evidence(54, counted(chances, 30_000, seed=3))
    assert evidence.log10 >= 4
    told = evidence.suspicion()
    assert told.startswith(words)
    assert ("disfavoured" in told) == (favoured == {20: 0.4})
    if way == "both":
        assert "turns" not in told


def test_a_fair_wheel_is_not_suspected_and_labels_are_named() -> None:
    fair = favouring({})
    assert Evidence(54, counted({"clockwise": fair, "counterclockwise": fair}, 50_000, seed=5)).suspicion() == ""
    labels = [str(n) for n in range(54)]
    unfair = Evidence(54, counted({"clockwise": favouring({4: 2.0})}, 10_000, seed=1))
    assert "section 5 (4)" in unfair.suspicion(labels)


# -- chi-square ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("degrees", "p", "statistic"),
    [
        (1, 0.05, 3.841),
        (2, 0.05, 5.991),
        (10, 0.01, 23.209),
        (36, 0.05, 50.998),
        (37, 0.05, 52.192),
        (53, 0.05, 70.993),
    ],
)
def test_chi_square_is_that_of_the_tables(degrees: int, p: float, statistic: float) -> None:
    assert upper_tail(statistic, degrees) == pytest.approx(p, rel=1e-3)
    assert critical(p, degrees) == pytest.approx(statistic, abs=2e-3)


def test_chi_square_of_counts() -> None:
    found = chi_square([10, 20, 30])
    assert (found.statistic, found.degrees) == (pytest.approx(10.0), 2)
    assert found.p == pytest.approx(math.exp(-5.0))
    assert chi_square([0, 0]).p == 1
    for wrong in ([], [1], [1, -1]):
        with pytest.raises(ValueError, match="counts"):
            chi_square(wrong)


def test_chi_squares_p_is_uniform_on_fair_wheels() -> None:
    rng = np.random.default_rng(8)
    ps = sorted(chi_square([int(n) for n in rng.multinomial(5400, [1 / 54] * 54)]).p for _ in range(2000))
    worst = max(abs(p - (number + 0.5) / 2000) for number, p in enumerate(ps))
    assert worst < 1.95 / math.sqrt(2000)  # Kolmogorov's bound at one in a thousand.


# -- the benchmark -------------------------------------------------------------------------------------------------


def test_the_benchmarks_blocks_miss_no_moment(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its highest e-values against looking after every spin, with a threshold that is reached."""
    from benchmarks import fairness

    monkeypatch.setattr(fairness, "EXACT", 2)
    monkeypatch.setattr(fairness, "ODDS", (2, 3, 5))
    share = Fair(seed=12, wheels=40, spins=400)
    rng = np.random.default_rng(share.seed)
    wheels = [Evidence(SECTIONS) for _ in range(share.wheels)]
    highest = [0.0] * share.wheels
    for length in fairness.blocks(share.spins):
        stops = rng.integers(0, SECTIONS, (share.wheels, length))
        turns = rng.integers(0, 2, (share.wheels, length))
        for number, evidence in enumerate(wheels):
            for stop, turn in zip(stops[number], turns[number], strict=True):
                evidence.add(int(stop), DIRECTIONS[turn])
                highest[number] = max(highest[number], evidence.log10)
    expected = {odds: sum(10**value >= odds for value in highest) for odds in (2, 3, 5)}
    assert false_alarms(share).by_odds == expected
    assert expected[2]


def test_fair_wheels_raise_no_alarm_and_unfair_ones_do() -> None:
    alarms = false_alarms(Fair(seed=1, wheels=50, spins=3000))
    assert alarms.by_odds[EXACT] == 0
    found = detection(Unfair(BIASES[2], seed=2, wheels=5))
    assert max(found.evidence) < 40_000
