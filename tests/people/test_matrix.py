"""Whatever people press in whatever state of every game: an exit, the truth, and nothing that nobody gave."""

import pytest
from people.explored import Exploration
from people.games import GAMES
from people.rules import report

from controller.configuration.shipped import load_table, table_path

MOST = pytest.mark.parametrize("most", [100, pytest.param(10_000, marks=pytest.mark.campaign)])
"""Places of each table, the nearest; the campaign explores all there are."""


@MOST
@pytest.mark.parametrize("game", GAMES)
def test_the_places_of_each_table_keep_every_rule(game: str, most: int) -> None:
    for table in GAMES[game](load_table(table_path(game)).config):
        found = Exploration(table, most)
        assert report(found) == "", table.name
        assert found.whole or most == 100
