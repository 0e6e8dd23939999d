"""A sample of what hostile clients cost a table: the dealer's screen gets all, and nothing stays."""

import pytest

from benchmarks.hostile_clients import WAYS
from benchmarks.table_hostile import measure


@pytest.mark.campaign
@pytest.mark.parametrize("way", WAYS)
def test_the_dealers_screen_gets_everything_and_nothing_stays_open(way: str) -> None:
    lines = measure(1.0, [way])
    assert [line.what for line in lines if line.passed is False] == []
    assert sum(line.passed is True for line in lines) == 4
