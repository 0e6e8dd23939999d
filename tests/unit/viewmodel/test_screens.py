"""The board and the dealer's screen: what players and dealer see of a round, and only what is on record."""

import re
from collections.abc import Callable
from typing import Any

import pytest
from any_game import shipped_table
from campaigns.fault_matrix import configuration
from screen_table import arrive, screens_of
from steps import act

from config.schema import GuideSection
from controller.bench.rig import HaltedTableError, Rig
from controller.journal.errors import JournalError
from controller.machine.registry import find_game, game_names
from controller.odds.wagers import to_one
from controller.viewmodel import presenter
from controller.viewmodel.description import LONGEST, ROWS, slides_of

Steps = list[tuple[str, dict[str, Any]]]
FEW, BETWEEN = "The wheel made fewer than three full revolutions.", "The clapper is between two sections."
THROWN = ["6-5 red 1 touchdown", "6-5 red 1 gain"]
TWO = [f"two dice {two}" for two in ("3-4", "3-6", "4-6")]
ROUNDS: dict[str, Steps] = {
    "dreamcatcher": [
        ("", {"headline": "PLACE YOUR WAGERS", "tone": "open", "result": ""}),
        ("no-more-bets", {"headline": "NO MORE BETS", "tone": "closed"}),
        ("done", {"refused": "done was refused"}),
        ("spin 2x", {"headline": "2× BONUS SPIN", "tone": "bonus", "multiplier": 2, "refused": ""}),
        ("spin 7x", {"headline": "14× BONUS SPIN", "multiplier": 14, "history": []}),
        ("spin 5", {"headline": "5", "tone": "result", "wins.pays": ["70 to 1"], "paid.pays": ["70 to 1"]}),
        ("done", {"detail": "winning wagers are paid", "result": "5", "lit": ["5"], "paid.label": ["5"]}),
        ("done", {"result": "5", "paid": []}),
        ("clear", {"result": "", "wins": [], "multiplier": 1, "history.label": ["5"], "history.round": [1]}),
        ("no-more-bets short 10", {"headline": "NO SPIN — WHEEL WILL BE SPUN AGAIN", "tone": "void", "spins": 1}),
        ("", {"detail": f"{FEW}; wagers stay", "result": ""}),
        ("between 2 7x", {"detail": f"{BETWEEN}; wagers stay"}),
        ("spin 40", {"history.label": ["40", "5"], "counts.since": [None, None, 1, None, None, 0]}),
        ("done done clear done", {"refused": "done was refused", "counts.count": [0, 0, 1, 0, 0, 1]}),
        ("no-more-bets", {"refused": ""}),
        ("done", {"refused": "done was refused"}),
        ("floor end-round", {"refused": ""}),
    ],
    "sic-bo": [
        ("no-more-bets", {"headline": "NO MORE BETS — DICE ARE SHAKEN"}),
        ("3 4", {"entry": "3-4-_", "keyed.dice": [3, 4, 0], "figure": {"dice": [], "total": None}}),
        ("6 enter", {"headline": "3-4-6 TOTAL 13", "keyed.dice": [3, 4, 6], "figure.total": 13}),
        ("", {"wins.label": ["total 13", *TWO, "big", *(f"one of a kind {one}" for one in (3, 4, 6))]}),
        ("correct", {"result": "3-4-6"}),  # It is shown until the floorperson allows the correction.
        ("clear", {"result": "3-4-6"}),
        ("correct floor-key", {"headline": "RESULT IS CORRECTED", "result": "", "history": [], "spins": 0}),
        ("3 3 6 enter", {"result": "3-3-6", "history.label": ["3-3-6"], "spins": 1}),
        ("done done clear", {"keyed.dice": [0, 0, 0]}),
    ],
    "three-dice-football": [
        ("done", {"headline": "PLACE YOUR WAGERS", "keyed.positions": 16, "keyed.holds": 1}),
        ("correct 1 2", {"keyed.holds": 1, "keyed.position": "12"}),
        ("enter", {"keyed.holds": 12, "keyed.position": ""}),
        ("no-more-bets 6", {"keyed.dice": [6, 0, 0], "keyed.colours": ["green", "green", "red"]}),
        ("5 1 enter", {"headline": "6-5 RED 1 GAIN", "figure": {"to_goal": 10, "dice": [6, 5, 1]}}),
        ("done clear no-more-bets 6 5 1 enter", {"result": "6-5 red 1 touchdown", "figure.to_goal": 0, "paid": []}),
        ("done", {"paid.area": ["big-play", "over-four-yards"]}),  # Each step lists only what it pays.
        ("done", {"paid.area": ["quick-strike-td", "game-length-2"]}),
        ("done", {"headline": "TOUCHDOWN — EXTRA POINT?", "paid": []}),
        ("clear", {"wins.area": ["touchdown"], "history.label": THROWN}),
        ("floor correct extra-point-answer", {"headline": "TOUCHDOWN — EXTRA POINT?", "history.label": THROWN}),
        ("correct floor-key", {"history.label": THROWN[1:], "result": "", "figure.to_goal": 10}),
    ],
    "casino-war": [
        (
            "no-more-bets 1 3 enter king 5",
            {"entry": "1: king, 3: 5, dealer: _", "figure.seats.wagers": [[], [], []]},
        ),
        ("5 enter", {"headline": "DEALER HAS 5", "wins.label": ["initial 1", "tie 3"], "counts.count": [1, 0, 1]}),
        (
            "",
            {"figure.seats.cards": [["5"], ["K"], ["5"]], "paid.label": ["position 1: initial", "position 3: tie"]},
        ),
        ("", {"keyed.seats.wagers.pays": [[], ["1 to 1", ""], [], ["", "10 to 1"], [], [], [], []]}),
        ("done done", {"headline": "TIE — WAR OR SURRENDER?", "detail": "position 3 chooses", "paid": []}),
        ("", {"keyed.seats.due": [False, False, False, True, False, False, False, False]}),
        ("war", {"keyed.seats.due": [False] * 8}),  # Wagers are placed and cards burned first.
        ("9 ace", {"result": "", "figure.seats.cards": [["5", "A"], ["K"], ["5", "9"]]}),
        (
            "enter",
            {"headline": "WAR: DEALER HAS A", "wins": [], "history.label": ["war: 9 against A", "K 5 against 5"]},
        ),
        ("done", {"figure.seats.wagers.outcome": [[], ["won", "lost"], ["war", "lost", "lost"]]}),
        ("correct 1 floor-key", {"headline": "RESULT IS CORRECTED", "history.label": ["K 5 against 5"]}),
    ],
}


def part(document: Any, path: list[str]) -> Any:
    """A part of a document; of a list, that of each one."""
    if not path:
        return document
    if isinstance(document, list):
        return [part(one, path) for one in document]
    return part(document[path[0]], path[1:])


@pytest.mark.parametrize("game", ROUNDS)
def test_a_round_as_players_and_dealer_see_it(game: str, opened: Callable[..., Rig]) -> None:
    screens = screens_of(opened(game))
    for step, expected in ROUNDS[game]:
        act(screens.rig, step)
        board = screens.checked_board()
        shown = {**screens.dealer(), **board}
        assert {path: part(shown, path.split(".")) for path in expected} == expected, step
        screens.same_as_recalled()


def test_a_roulette_number_its_colour_and_the_shares_of_the_day() -> None:
    screens = arrive(configuration("roulette"), "result")
    board = screens.checked_board()
    number, colour = board["result"].split()
    assert board["headline"] == f"{number} {colour}".upper()
    assert 1000 < board["figure"].pop("rotor_turn_ms") < 20_000
    assert board["figure"] == {"pocket": number, "colour": colour, "ball": "left", "direction": ""}
    assert board["history"][0] == {"round": board["round"], "label": number, "colour": colour}
    assert board["lit"][0] == f"straight-{number}"
    keyed = screens.dealer()["keyed"]
    assert keyed["number"] == {"number": number, "colour": colour, "entered": True}
    zeros = part(board["shares"], ["label"])
    assert zeros == [["red", "zero", "black"], ["odd", "zero", "even"]]
    assert [sum(group) for group in part(board["shares"], ["count"])] == [board["spins"]] * 2


@pytest.mark.parametrize(
    ("history", "shown"), [("none", (0, 0, 0)), ("results", (1, 0, 0)), ("counts", (1, 2, 38))]
)
def test_the_tables_file_says_what_the_board_shows_of_the_past(history: str, shown: tuple[int, ...]) -> None:
    config = shipped_table("roulette")
    section = config.screens.model_copy(update={"history": history})
    board = arrive(config.model_copy(update={"screens": section}), "result").board()
    assert (min(1, len(board["history"])), len(board["shares"]), len(board["counts"])) == shown


def test_the_board_does_not_mention_sensors(dreamcatcher: Rig) -> None:
    screens = screens_of(dreamcatcher)
    dreamcatcher.press("no-more-bets")
    dreamcatcher.world.fault("dead-clapper", "", 0)
    dreamcatcher.spin()
    board, dealer = screens.checked_board(), screens.dealer()
    assert (board["headline"], board["detail"]) == ("ONE MOMENT PLEASE", "the floorperson has been called")
    assert "clapper" in dealer["alerts"][0]["text"]
    assert {"device": "clapper", "state": "silent"}.items() <= dealer["health"][4].items()
    dreamcatcher.world.repair()
    dreamcatcher.floor()
    dreamcatcher.turn(2.2)
    dreamcatcher.floor()
    board = screens.checked_board()
    assert (board["state"], board["detail"]) == ("respin", "the result could not be determined; wagers stay")


def test_the_wheel_is_drawn_at_its_position(dreamcatcher: Rig) -> None:
    screens = screens_of(dreamcatcher)
    for section in range(0, 54, 9):
        dreamcatcher.press("no-more-bets")
        dreamcatcher.spin(stop_on=section)
        turn = screens.checked_board()["turn"]
        assert (int(turn["angle"] * 54), turn["moving"]) == (section, False)
        assert presenter.turn(dreamcatcher.table, screens.watch) is None
        dreamcatcher.press("done", "done", "clear")


@pytest.mark.parametrize(
    ("game", "before", "last"),
    [
        ("dreamcatcher", "no-more-bets", "spin 10"),
        ("sic-bo", "no-more-bets 3 4 6", "enter"),
        ("casino-war", "no-more-bets 1 enter king", "5"),
    ],
)
def test_what_cannot_be_recorded_is_on_no_screen(
    game: str, before: str, last: str, opened: Callable[..., Rig], monkeypatch: pytest.MonkeyPatch
) -> None:
    rig = opened(game)
    screens = screens_of(rig)
    act(rig, before)

    def full(*_: object) -> None:
        raise JournalError("the journal cannot be written: disk full")

    monkeypatch.setattr(rig.journal, "append", full)
    with pytest.raises(HaltedTableError):
        act(rig, last)
    board, dealer = screens.checked_board(), screens.dealer()
    assert (board["result"], board["lit"], board["wins"], board["history"]) == ("", [], [], [])
    assert (board["headline"], board["tone"], board["figure"]) == ("TABLE IS CLOSED", "alarm", {})
    assert (dealer["entry"], dealer["keyed"], dealer["prompt"]) == ("", None, "")
    assert "disk full" in dealer["alerts"][0]["text"]


# -- words ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", game_names())
def test_between_rounds_an_approved_guide_is_shown_in_parts_with_the_tables_own_odds(name: str) -> None:
    config, game = shipped_table(name), find_game(name)
    assert slides_of(config, game) == []
    guide = GuideSection(approval="Bureau of Gaming Operations, 2026-11-02", sample="1a2b3c")
    own = {"any-three-of-a-kind": 30} if name == "sic-bo" else {}
    layout = config.layout.model_copy(update={"odds": {**config.layout.odds, **own}})
    config = config.model_copy(update={"guide": guide, "layout": layout})
    slides, payouts = slides_of(config, game), game.payouts(config)
    texts, lists = [one.text for one in slides if one.text], [one.pays for one in slides if one.pays]
    assert len(texts) >= 3
    assert not re.search(r"\d to \d", " ".join(texts)), "odds are those of the table"
    assert all(len(text) <= LONGEST for text in texts if ". " in text)
    assert all(sentence.rstrip(".") in " ".join(game.guide) for text in texts for sentence in text.split(". "))
    assert all(len(rows) <= ROWS for rows in lists)
    paid = {", ".join(map(to_one, payouts.all_odds(area))) for area in payouts.areas}
    lines = [line for rows in lists for line in rows]
    assert {line.pays for line in lines} == paid
    assert "30 to 1" in paid or not own
