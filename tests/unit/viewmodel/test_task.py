"""One thing to do in front of everything else that a machine says."""

from controller.viewmodel.task import task_of


def test_the_act_stands_first_and_what_else_may_be_done_under_it() -> None:
    task = task_of("1-_-_: press enter, or clear to key it again; no roll voids it", "1-_-_")
    assert task == {"act": "press enter", "more": ["or clear to key it again", "no roll voids it"]}
    task = task_of("the table is closed: the floorperson's key opens the menu", "")
    assert (task["act"], task["more"]) == ("the floorperson's key opens the menu", ["the table is closed"])


def test_what_is_keyed_is_not_said_again() -> None:
    words = "deal and key the card of position 3; 1: king, 3: _, dealer: _; clear, if wagers lie elsewhere"
    task = task_of(words, "1: king, 3: _, dealer: _")
    assert (task["act"], task["more"]) == (
        "deal and key the card of position 3",
        ["clear, if wagers lie elsewhere"],
    )


def test_the_list_of_what_is_paid_has_the_wagers_and_the_act_has_not() -> None:
    words = (
        "pay position 1's initial wager 1 to 1, position 3's tie wager 10 to 1, collect all cards, then press clear"
    )
    assert task_of(words, "")["act"] == "pay the listed wagers, collect all cards, then press clear"


def test_a_long_act_is_cut_where_its_next_part_begins() -> None:
    words = "shuffle, offer the cut to the player farthest to your right first, put them into the shoe, burn one"
    task = task_of(words, "")
    assert task["act"] == "shuffle, offer the cut to the player farthest to your right first"
    assert task["more"] == ["put them into the shoe", "burn one"]
