"""Recorded rounds and spins are decided as on record."""

from functools import cache

import pytest

from reference.compare import HALVES, differences, file_of
from reference.data import load

PARTS = 8
"""One of them is played in every run of the tests."""
RECORDED = cache(lambda half: load(file_of(half)))


@pytest.mark.parametrize("half", HALVES)
@pytest.mark.parametrize("part", [0, *(pytest.param(one, marks=pytest.mark.campaign) for one in range(1, PARTS))])
def test_recorded_cases_are_decided_as_on_record(half: str, part: int) -> None:
    recorded = RECORDED(half)
    assert [one for case in recorded.cases[part::PARTS] for one in differences(recorded, case)] == []
