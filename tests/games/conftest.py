"""Tables of each game that are open for wagers."""

import pytest
from open_tables import Shipped, with_rules
from open_tables import opened as open_table

from controller.bench.rig import Rig


@pytest.fixture
def table(request: pytest.FixtureRequest) -> Rig:
    """The table that a module plays at, open for wagers."""
    found: Rig = request.getfixturevalue(request.module.TABLE)
    return found


@pytest.fixture
def war(shipped: Shipped) -> Rig:
    """A Casino War table with a new shoe."""
    return open_table(shipped("casino-war"))


@pytest.fixture
def football(shipped: Shipped) -> Rig:
    """A Three Dice Football table at which position 1 has taken the dice."""
    return open_table(shipped("three-dice-football"))


@pytest.fixture
def both(shipped: Shipped) -> Rig:
    """A double zero table whose reader and keypad must agree."""
    return open_table(shipped("roulette"))


@pytest.fixture
def keypad(shipped: Shipped) -> Rig:
    """A double zero table without a reader."""
    return open_table(with_rules(shipped("roulette"), result="keypad"))
