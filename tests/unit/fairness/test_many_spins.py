"""Many spins of one message are counted as if each came by itself, for a fraction of the cost."""

import random
from math import inf

import pytest

from controller.fairness.evidence import ANCHORED_SPINS, DIRECTIONS, Evidence


@pytest.mark.parametrize("sections", [2, 37, 54])
@pytest.mark.parametrize("favoured", [0, 0.2])
def test_the_highest_evidence_after_any_of_many_spins_is_that_of_looking_after_each(
    sections: int, favoured: float
) -> None:
    chance = random.Random(sections)
    together, alone = Evidence(sections), Evidence(sections)
    for count in (1, 2, ANCHORED_SPINS, 3 * ANCHORED_SPINS + 7):
        spins = [
            (0 if chance.random() < favoured else chance.randrange(sections), chance.choice(DIRECTIONS))
            for _ in range(count)
        ]
        looked = []
        for spin in spins:
            alone.add(*spin)
            looked.append(alone.log10)
        assert together.add_all(spins) == pytest.approx(max(looked), rel=1e-11, abs=1e-11)
        assert (together.counts, together.spins) == (alone.counts, alone.spins)
        assert together.log10 == pytest.approx(alone.log10, rel=1e-12)


def test_evidence_that_rises_and_falls_within_one_message_is_not_missed() -> None:
    spins = [(3, "clockwise")] * 40 + [(position % 54, "clockwise") for position in range(4000)]
    evidence, alone = Evidence(54), Evidence(54)
    for spin in spins[:40]:
        alone.add(*spin)
    assert evidence.add_all(spins) >= alone.log10 - 1e-9 > evidence.log10


def test_a_spin_that_no_wheel_has_is_refused_where_it_stands() -> None:
    evidence = Evidence(37)
    with pytest.raises(ValueError, match="no section 37"):
        evidence.add_all([(1, ""), (37, ""), (2, "")])
    assert evidence.spins == 1
    assert evidence.add_all([]) == -inf
