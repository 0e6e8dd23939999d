"""The present code decides recorded rounds as on record (:mod:`reference.rounds_data`)."""

import pytest

from reference.play_rounds import DATA, differences, load

SAMPLE = 4
"""One case of so many is played in every run of the tests."""


def _played(part: slice) -> list[str]:
    return [one for case in load(DATA)[part] for one in differences(case)]


def test_a_sample_of_recorded_rounds_is_decided_as_on_record() -> None:
    assert not _played(slice(None, None, SAMPLE))


@pytest.mark.campaign
@pytest.mark.parametrize("part", range(1, SAMPLE))
def test_all_recorded_rounds_are_decided_as_on_record(part: int) -> None:
    assert not _played(slice(part, None, SAMPLE))
