"""The board and the dealer's screen: what players and dealer see of a round, and only what is on record."""

from typing import Any

import pytest
from campaigns.fault_matrix import configuration
from screen_table import arrive, screens_of

from controller.bench.rig import Rig
from controller.events.effect import Void
from controller.journal.errors import JournalError
from controller.viewmodel import presenter as picture

# -- a wheel -------------------------------------------------------------------------------------------------------


def test_a_round_on_the_wheel_as_players_see_it(dreamcatcher: Rig) -> None:
    table, screens = dreamcatcher, screens_of(dreamcatcher)
    seen: list[tuple[str, str, str]] = []
    screens.checks.append(lambda board: seen.append((board["headline"], board["tone"], board["result"])))
    screens.checked_board()
    table.press("no-more-bets")
    table.spin(stop_on="40")
    table.press("done", "done", "clear")
    assert list(dict.fromkeys(seen)) == [
        ("PLACE YOUR WAGERS", "open", ""),
        ("NO MORE BETS", "closed", ""),
        ("WHEEL IS TURNING", "moving", ""),
        ("40", "result", "40"),
    ]
    board = screens.checked_board()
    assert (board["headline"], board["result"], board["wins"]) == ("PLACE YOUR WAGERS", "", [])
    assert board["history"] == [{"round": 1, "label": "40", "colour": ""}]
    assert board["counts"][-1] == {"label": "40", "count": 1, "since": 0}
    assert board["spins"] == 1


def test_the_result_is_shown_with_its_payout_until_the_round_is_cleared(dreamcatcher: Rig) -> None:
    screens = screens_of(dreamcatcher)
    dreamcatcher.press("no-more-bets")
    dreamcatcher.spin(stop_on="2x")
    assert screens.checked_board()["headline"] == "2× BONUS SPIN"
    dreamcatcher.spin(stop_on="7x")
    board = screens.checked_board()
    assert (board["headline"], board["tone"], board["multiplier"]) == ("14× BONUS SPIN", "bonus", 14)
    dreamcatcher.spin(stop_on="5")
    for control in ("done", "done", "clear"):
        board = screens.checked_board()
        assert (board["result"], board["lit"]) == ("5", ["5"])
        assert [(win["label"], win["pays"]) for win in board["wins"]] == [("5", "70 to 1")]
        assert bool(screens.dealer()["paid"]) == (control != "clear")
        dreamcatcher.press(control)
    assert (screens.checked_board()["result"], screens.checked_board()["multiplier"]) == ("", 1)


@pytest.mark.parametrize(
    ("spin", "reason", "words"),
    [
        (
            {"revolutions": 1.5, "stop_on": "10"},
            "fewer-than-three-revolutions",
            "fewer than three full revolutions",
        ),
        ({"stop_between": ("2", "7x")}, "between-sections", "between two sections"),
    ],
)
def test_a_void_spin_says_why_and_is_no_result(
    dreamcatcher: Rig, spin: dict[str, Any], reason: str, words: str
) -> None:
    screens = screens_of(dreamcatcher)
    dreamcatcher.press("no-more-bets")
    dreamcatcher.spin(**spin)
    assert dreamcatcher.last("void").reason == reason
    board = screens.checked_board()
    assert (board["headline"], board["tone"]) == ("NO SPIN — WHEEL WILL BE SPUN AGAIN", "void")
    assert words in board["detail"]
    assert (board["history"], board["spins"], board["result"]) == ([], 0, "")


def test_the_board_does_not_mention_sensors(dreamcatcher: Rig) -> None:
    screens = screens_of(dreamcatcher)
    dreamcatcher.press("no-more-bets")
    dreamcatcher.world.fault("dead-clapper", "", 0)
    dreamcatcher.spin()
    assert isinstance(dreamcatcher.last("void"), Void)
    board, dealer = screens.checked_board(), screens.dealer()
    assert (board["headline"], board["detail"]) == ("ONE MOMENT PLEASE", "the floorperson has been called")
    assert "clapper" in dealer["alerts"][0]["text"]
    assert {"device": "clapper", "state": "silent"}.items() <= dealer["health"][4].items()
    dreamcatcher.world.repair()
    dreamcatcher.floor()
    dreamcatcher.turn(2.2)
    dreamcatcher.floor()
    board = screens.checked_board()
    assert (board["state"], board["tone"]) == ("respin", "void")
    assert not any(word in board["detail"] for word in ("sensor", "clapper", "encoder"))
    assert all(line["state"] == "ok" for line in screens.dealer()["health"])


def test_the_wheel_is_drawn_at_its_position(dreamcatcher: Rig) -> None:
    screens = screens_of(dreamcatcher)
    for section in range(0, 54, 5):
        dreamcatcher.press("no-more-bets")
        dreamcatcher.spin(stop_on=section)
        turn = screens.checked_board()["turn"]
        assert int(turn["angle"] * 54) == section
        assert turn["moving"] is False
        assert picture.turn(dreamcatcher.table, screens.watch) is None
        dreamcatcher.press("done", "done", "clear")


# -- what cannot be recorded is not shown --------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("game", "before", "last"),
    [
        ("dreamcatcher", ("no-more-bets",), ()),
        ("sic-bo", ("no-more-bets", "3", "4", "6"), ("enter",)),
        ("casino-war", ("no-more-bets", "1", "enter", "king"), ("5",)),
    ],
)
def test_what_cannot_be_recorded_is_on_no_screen(
    game: str, before: tuple[str, ...], last: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    screens = arrive(configuration(game), "bets-open", stop=True)
    rig = screens.rig
    assert rig is not None
    rig.press(*before)

    def full(*_: object) -> None:
        raise JournalError("the journal cannot be written: disk full")

    monkeypatch.setattr(rig.journal, "append", full)
    rig.press(*last)
    if not last:
        rig.spin(stop_on="10")
    board, dealer = screens.checked_board(), screens.dealer()
    assert (board["result"], board["lit"], board["wins"], board["history"]) == ("", [], [], [])
    assert (board["headline"], board["tone"], board["figure"]) == ("TABLE IS CLOSED", "alarm", {})
    assert (dealer["entry"], dealer["keyed"], dealer["prompt"]) == ("", None, "")
    assert "disk full" in dealer["alerts"][0]["text"]
