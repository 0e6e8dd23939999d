"""A round takes as few presses as it did."""

import pytest
from people.presses import ROUNDS


@pytest.mark.parametrize("name", ROUNDS)
def test_a_round_takes_no_more_presses(name: str) -> None:
    measure, most = ROUNDS[name]
    assert measure() <= most
