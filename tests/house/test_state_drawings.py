"""The state diagrams of the bench's page are those of today's machines, and of what rounds do at them."""

import json
import re
from itertools import combinations
from typing import Any

import pytest

from controller.configuration.shipped import load_table, shipped_tables
from controller.statechart.registry import find_game, game_names
from tools.state_drawings import file_of, ways_taken, width_of

HEIGHT = 24
_STATE = re.compile(r'^    ("[a-z-]+"): (\[\d+, \d+\]),$', re.MULTILINE)
_WAY = re.compile(r'^    (\[".+"\]),$', re.MULTILINE)


@pytest.fixture(params=game_names())
def name(request: pytest.FixtureRequest) -> str:
    return str(request.param)


def _states(name: str) -> dict[str, tuple[int, int]]:
    found = _STATE.findall(file_of(name).read_text(encoding="utf-8"))
    return {json.loads(state): tuple(json.loads(place)) for state, place in found}


def _ways(name: str) -> list[Any]:
    return [json.loads(way) for way in _WAY.findall(file_of(name).read_text(encoding="utf-8"))]


def test_every_state_has_a_place_and_no_other(name: str) -> None:
    machine = find_game(name).machine(load_table(shipped_tables()[name]).config)
    assert set(_states(name)) == {state.value for state in machine.states}


def test_the_ways_are_those_that_rounds_take(name: str) -> None:
    assert [(one, other) for one, other, _ in _ways(name)] == ways_taken(name)


def test_no_state_lies_over_another(name: str) -> None:
    for (one, (x, y)), (other, (u, v)) in combinations(_states(name).items(), 2):
        apart = abs(x - u) - (width_of(one) + width_of(other)) / 2
        assert apart >= 0 or abs(y - v) >= HEIGHT, f"{one} lies over {other}"


def test_each_way_leads_from_the_border_of_its_state_to_that_of_the_other(name: str) -> None:
    places = _states(name)
    for one, other, path in _ways(name):
        numbers = [int(number) for number in re.findall(r"-?\d+", path)]
        for state, (x, y) in ((one, numbers[:2]), (other, numbers[-2:])):
            across, down = abs(x - places[state][0]), abs(y - places[state][1])
            assert across <= width_of(state) / 2 + 2, f"{one} to {other}"
            assert down <= HEIGHT / 2 + 2, f"{one} to {other}"
