"""One thing to do in front of everything else that a machine says."""

import pytest

from controller.viewmodel.task import LINE, task_of

LISTED = (
    "Pay position 1's initial wager 1 to 1, position 3's tie wager 10 to 1. Collect all cards. Then press CLEAR."
)
LONG = "Shuffle, offer the cut to the player farthest to your right first, put them into the shoe, burn one"


@pytest.mark.parametrize(
    ("words", "entry", "act", "more"),
    [
        ("The wheel is turning. Let it rest.", "", "Let it rest", ["The wheel is turning"]),
        (
            "6-4 red 2: press ENTER. (CLEAR: key the dice again.)",
            "6-4 red 2",
            "press ENTER",
            ["(CLEAR: key the dice again.)"],
        ),
        (
            "Announce the number. Then press ENTER: 1",
            "1_",
            "Announce the number",
            ["Then press ENTER"],
        ),
        (
            "Deal and key the card of position 2 (2: ace, dealer: _). CLEAR takes it back.",
            "2: ace, dealer: _",
            "Deal and key the card of position 2",
            ["CLEAR takes it back"],
        ),
        (
            "The key 0 is stuck. Inspection of 1-2-3: is each area lit? FLOORPERSON: if so, turn the key twice.",
            "1-2-3",
            "Inspection of 1-2-3: is each area lit?",
            ["The key 0 is stuck", "FLOORPERSON: if so, turn the key twice"],
        ),
        (LISTED, "", "Pay the listed wagers", ["Collect all cards", "Then press CLEAR"]),
        (
            LONG,
            "",
            "Shuffle, offer the cut to the player farthest to your right first",
            ["put them into the shoe", "burn one"],
        ),
        ("The ball is running.", "", "The ball is running", []),
    ],
)
def test_the_act_is_in_front_and_what_is_keyed_is_not_repeated(
    words: str, entry: str, act: str, more: list[str]
) -> None:
    task = task_of(words, entry)
    assert (task.act, task.more) == (act, more)
    assert len(act) <= LINE
