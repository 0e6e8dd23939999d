"""The wheel on the bench's page: what its document says of the leather, hands on it, and the technician's work."""

from collections.abc import Callable

import pytest
from bench_page import Page

MakePage = Callable[[str], Page]


@pytest.fixture
def table(page: MakePage) -> Page:
    """A Dreamcatcher table that knows where its wheel stands; wagers are open."""
    made = page("dreamcatcher")
    made.act(10, key="h")
    assert made.state == "bets-open"
    return made


def clapper(table: Page) -> dict:
    return table.picture["true"]["clapper"]


# -- the technician ------------------------------------------------------------------------------------------------


@pytest.mark.campaign
def test_a_wheel_of_the_fleet_is_calibrated_and_a_round_is_played_on_it(table: Page) -> None:
    table.act(0.3, fit=7)
    seen = [(table.picture["wheel"]["work"], table.picture["wheel"]["done"], table.picture["powered"])]
    while table.picture["wheel"]["work"]:
        table.wait(0.1)
        seen.append((table.picture["wheel"]["work"], table.picture["wheel"]["done"], table.picture["powered"]))
    assert [part for _, part, _ in seen[:-1]] == sorted(part for _, part, _ in seen[:-1])
    assert {words for words, *_ in seen} > {"two slow turns clockwise", "a throw clockwise", "measuring"}
    assert seen[0][2] is False
    assert seen[-1][2] is True
    wheel, head = table.bench.config.wheel, table.bench.world.wheel
    assert wheel is not None
    assert wheel.clapper is not None
    assert wheel.counts_per_turn == head.settings.counts_per_turn == 2048
    assert table.picture["wheel"]["name"] == "wheel 7 of the fleet"
    assert any("wheel 7 of the fleet turns at this table now: pegs of" in line for line in table.log())
    assert table.state == "locating"
    table.act(12, key="h")
    for turns in (4.2, -4.4):
        table.act(press="no-more-bets")
        table.act(40, throw=turns)
        while table.state in ("respin", "bonus"):
            table.act(40, throw=turns)
        assert table.state == "result"
        section = table.bench.world.wheel.true_stand()[0]
        assert table.picture["burning"] == [table.bench.game.wheel[section]]
        for control in ("done", "done", "clear"):
            table.act(press=control)


def test_a_wheel_that_cannot_be_calibrated_is_not_put_up(table: Page) -> None:
    head = table.bench.world.wheel
    table.act(5, fit=1)  # It lacks a peg.
    assert "a peg is missing" in table.log()[-2]
    assert table.log()[-2].endswith("; the plain wheel stays as it was")
    assert table.picture["powered"] is True
    assert table.picture["wheel"]["name"] == "the plain wheel"
    assert table.bench.world.wheel is head


def test_a_wheel_is_changed_between_rounds_only(table: Page) -> None:
    changes = ({"fit": 7}, {"fit": "plain"}, {"calibrate": True}, {"wear": 3}, {"remove": 30}, {"renew": "leather"})
    table.act(press="no-more-bets")
    for body in changes:
        assert "a round is in progress (no-more-bets)" in table.refusal(body)
    table.act(5, throw=4)
    for body in changes:
        assert "the wheel turns" in table.refusal(body)
    table.wait(40)
    while table.state in ("respin", "bonus"):
        table.act(40, throw=4.3)
    assert "a round is in progress (result)" in table.refusal({"fit": 7})
    for control in ("done", "done", "clear"):
        table.act(press=control)
    table.act(0.3, fit=7)
    assert "the technician is at work (two slow turns" in table.refusal({"wear": 3})


def test_pegs_and_leather_of_the_wheel_are_changed(table: Page) -> None:
    before = table.picture["wheel"]
    table.act(bend=20, degrees=1.5)
    table.act(remove=30)
    table.act(wear=8)
    seen = table.picture["wheel"]
    assert (seen["bent"], seen["missing"]) == ([20], [30])
    assert seen["set_deg"] != before["set_deg"]
    table.act(bend=20, degrees=0)
    table.act(bend=30, degrees=0)
    assert (table.picture["wheel"]["bent"], table.picture["wheel"]["missing"]) == ([], [])
    assert not any("not possible" in line for line in table.log())


REFUSALS = [
    ({"fit": -1}, "-1 is no wheel of the fleet; it is a whole number from 0 to 999999"),
    ({"wear": -3}, "-3 is no 'wear'; it is above 0, at most 520 weeks"),
    ({"renew": "wheel"}, "'wheel' cannot be renewed"),
    ({"bend": 99, "degrees": 1}, "99 is no peg of this wheel; it is a whole number from 1 to 54"),
    ({"bend": 3, "degrees": 0.01}, "'degrees' is 0.05 to 3 degrees; negative is counterclockwise"),
    ({"push": 0}, "'push' is 1 to 300 degrees a second; negative is clockwise"),
    ({"brake": 0}, "0 is no 'brake'; it is above 0, at most 50 newton metres"),
    ({"hold": True, "degrees": 2}, "unknown key 'degrees'; with 'hold' go only: hold"),
]


@pytest.mark.parametrize(("body", "words"), REFUSALS, ids=str)
@pytest.mark.campaign
def test_what_makes_no_sense_is_refused_in_words(table: Page, body: dict, words: str) -> None:
    assert words in table.refusal(body)
