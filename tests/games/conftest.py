"""Tables of each game that are open for wagers."""

from collections.abc import Callable

import open_tables
import pytest
import roulette_table

from config.schema import TableConfig
from controller.bench.rig import Rig

Shipped = Callable[[str], TableConfig]


@pytest.fixture
def table(request: pytest.FixtureRequest) -> Rig:
    """The table that a module plays at, open for wagers."""
    found: Rig = request.getfixturevalue(request.module.TABLE)
    return found


@pytest.fixture
def war(shipped: Shipped) -> Rig:
    """A Casino War table with a new shoe."""
    return open_tables.opened(shipped("casino-war"))


@pytest.fixture
def football(shipped: Shipped) -> Rig:
    """A Three Dice Football table at which position 1 has taken the dice."""
    return open_tables.opened(shipped("three-dice-football"))


@pytest.fixture
def both(shipped: Shipped) -> Rig:
    """A double zero table whose reader and keypad must agree."""
    return roulette_table.opened(shipped("roulette"))


@pytest.fixture
def keypad(shipped: Shipped) -> Rig:
    """A double zero table without a reader."""
    return roulette_table.opened(roulette_table.with_rules(shipped("roulette"), result="keypad"))
