"""Recorded spins are decided as the code of their commit decided them."""

from functools import cache

import pytest

from reference.edges import Case
from reference.play_tracking import differences, load

_PARTS = 8
cases = cache(load)


def _differences(part: int) -> list[str]:
    some: list[Case] = cases()[part::_PARTS]
    return [f"{case.name}: {difference}" for case in some for difference in differences(case)]


def test_sample_of_spins_is_decided_as_recorded() -> None:
    assert _differences(0) == []


@pytest.mark.campaign
@pytest.mark.parametrize("part", range(1, _PARTS))
def test_every_spin_is_decided_as_recorded(part: int) -> None:
    assert _differences(part) == []
