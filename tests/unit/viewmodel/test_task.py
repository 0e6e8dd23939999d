"""One thing to do in front of everything else that a machine says."""

import pytest

from controller.events.effect import Refused
from controller.viewmodel.task import task_of


def test_the_act_stands_first_and_what_else_may_be_done_under_it() -> None:
    task = task_of("1-_-_: press enter, or clear to key it again; no roll voids it", "1-_-_", None)
    assert task == {"act": "press enter", "more": ["or clear to key it again", "no roll voids it"], "refused": ""}
    task = task_of("the table is closed: the floorperson's key opens the menu", "", None)
    assert (task["act"], task["more"]) == ("the floorperson's key opens the menu", ["the table is closed"])


def test_what_is_keyed_is_not_said_again() -> None:
    words = "deal and key the card of position 3; 1: king, 3: _, dealer: _; clear, if wagers lie elsewhere"
    task = task_of(words, "1: king, 3: _, dealer: _", None)
    assert (task["act"], task["more"]) == (
        "deal and key the card of position 3",
        ["clear, if wagers lie elsewhere"],
    )


def test_the_list_of_what_is_paid_has_the_wagers_and_the_act_has_not() -> None:
    words = (
        "pay position 1's initial wager 1 to 1, position 3's tie wager 10 to 1, collect all cards, then press clear"
    )
    assert task_of(words, "", None)["act"] == "pay the listed wagers, collect all cards, then press clear"


@pytest.mark.parametrize(
    ("said", "shown"),
    [("spin the wheel", "done was refused"), ("no wagers; spin the wheel", "done was refused: no wagers")],
)
def test_a_refused_key_is_named_with_its_reason_alone(said: str, shown: str) -> None:
    assert task_of("spin the wheel", "", Refused("done", said))["refused"] == shown


def test_a_long_act_is_cut_where_its_next_part_begins() -> None:
    words = "shuffle, offer the cut to the player farthest to your right first, put them into the shoe, burn one"
    task = task_of(words, "", None)
    assert task["act"] == "shuffle, offer the cut to the player farthest to your right first"
    assert task["more"] == ["put them into the shoe", "burn one"]
