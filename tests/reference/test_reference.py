"""Recorded rounds and spins are decided as on record."""

from collections.abc import Callable
from functools import cache
from types import ModuleType
from typing import Any

import pytest

from reference import play_rounds, play_tracking

PARTS = 8
"""One of them is played in every run of the tests."""
LOAD: Callable[[ModuleType], list[Any]] = cache(lambda half: half.load())


@pytest.mark.parametrize("half", [play_rounds, play_tracking])
@pytest.mark.parametrize("part", [0, *(pytest.param(one, marks=pytest.mark.campaign) for one in range(1, PARTS))])
def test_recorded_cases_are_decided_as_on_record(half: ModuleType, part: int) -> None:
    assert [one for case in LOAD(half)[part::PARTS] for one in half.differences(case)] == []
