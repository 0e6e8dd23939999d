"""Whatever people press in whatever state of every game: an exit, the truth, and nothing that nobody gave."""

from collections.abc import Iterator

import pytest
from people.explored import Exploration, Table
from people.games import GAMES
from people.presses import ROUNDS
from people.rules import report

from controller.configuration.shipped import load_table, table_path

SAMPLED, MOST = 150, 10_000
"""Places of each table that are explored in every run, and in the campaign, the nearest; of the wheels all."""
WHOLE = frozenset({"dreamcatcher", "big-six"})


def tables(game: str) -> Iterator[Table]:
    return iter(GAMES[game](load_table(table_path(game)).config))


@pytest.mark.parametrize("game", GAMES)
def test_the_places_of_each_table_keep_every_rule(game: str) -> None:
    for table in tables(game):
        found = Exploration(table, MOST if game in WHOLE else SAMPLED)
        assert report(found) == "", table.name
        assert found.whole or game not in WHOLE


@pytest.mark.campaign
@pytest.mark.parametrize("game", [game for game in GAMES if game not in WHOLE])
def test_ten_thousand_places_of_each_table_keep_every_rule(game: str) -> None:
    """All there are, except with two positions at Casino War."""
    for table in tables(game):
        found = Exploration(table, MOST)
        assert report(found) == "", table.name
        assert found.whole or table.name.startswith("2 positions")


# -- the matrix fails where it must --------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ROUNDS)
def test_a_round_takes_no_more_presses(name: str) -> None:
    measure, most = ROUNDS[name]
    assert measure() <= most
