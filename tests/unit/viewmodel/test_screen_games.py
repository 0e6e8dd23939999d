"""What the screens show of each game without a wheel, and the description of a table."""

from collections.abc import Callable

from campaigns.fault_matrix import configuration
from screen_table import Screens, arrive, screens_of

from config.schema import TableConfig
from controller.bench.rig import Rig

# -- dice ----------------------------------------------------------------------------------------------------------


def faces(screens: Screens) -> list[int]:
    return list(screens.dealer()["keyed"]["dice"])


def test_dice_are_shown_as_keyed_and_as_winning(sic_bo: Rig) -> None:
    screens = screens_of(sic_bo)
    sic_bo.press("no-more-bets")
    assert screens.checked_board()["headline"] == "NO MORE BETS — DICE ARE SHAKEN"
    sic_bo.press("3", "4")
    assert screens.dealer()["entry"] == "3-4-_"
    assert faces(screens) == [3, 4, 0]
    assert screens.checked_board()["figure"] == {"dice": [], "total": None}
    sic_bo.press("6", "enter")
    board = screens.checked_board()
    assert faces(screens) == [3, 4, 6]
    assert (board["headline"], board["result"]) == ("3-4-6 TOTAL 13", "3-4-6")
    assert board["figure"] == {"dice": [3, 4, 6], "total": 13}
    assert {"label": "13", "count": 1, "since": 0} in board["counts"]
    assert {win["label"] for win in board["wins"]} >= {"total 13", "big", "two dice 3-4", "one of a kind 6"}
    sic_bo.press("done", "done", "clear")
    assert faces(screens) == [0, 0, 0], "the next round"


def test_a_corrected_result_takes_the_place_of_the_wrong_one(sic_bo: Rig) -> None:
    screens = screens_of(sic_bo)
    sic_bo.press("no-more-bets", "3", "4", "6", "enter", "correct")
    assert screens.checked_board()["result"] == "3-4-6", "it is shown until the floorperson allows the correction"
    sic_bo.press("clear")
    assert screens.checked_board()["result"] == "3-4-6", "given up"
    sic_bo.press("correct", "floor-key")
    board = screens.checked_board()
    assert (board["headline"], board["result"], board["history"]) == ("RESULT IS CORRECTED", "", [])
    assert board["spins"] == 0
    sic_bo.press("3", "3", "6", "enter")
    board = screens.checked_board()
    assert (board["result"], [line["label"] for line in board["history"]]) == ("3-3-6", ["3-3-6"])
    assert [line for line in board["counts"] if line["count"]] == [{"label": "12", "count": 1, "since": 0}]
    screens.same_as_recalled()


# -- roulette, football, war ---------------------------------------------------------------------------------------


def test_a_roulette_number_with_its_colour() -> None:
    screens = arrive(configuration("roulette"), "result")
    board = screens.checked_board()
    number, colour = board["result"].split()
    assert board["headline"] == f"{number} {colour}".upper()
    turn_ms = board["figure"].pop("rotor_turn_ms")  # It turns on.
    assert 1000 < turn_ms < 20_000
    assert board["figure"] == {"pocket": number, "colour": colour, "ball": "left", "direction": ""}
    assert board["history"][0] == {"round": board["round"], "label": number, "colour": colour}
    assert board["lit"][0] == f"straight-{number}"
    keyed = {"number": number, "colour": colour, "entered": True}
    shown = screens.dealer()["keyed"]
    assert (shown["words"], shown["number"]) == (f"{number} {colour}", keyed)


def _football(shipped: Callable[[str], TableConfig]) -> Rig:
    rig = Rig(shipped("three-dice-football"))
    rig.floor("open")
    return rig


def test_a_drive_over_the_field(shipped: Callable[[str], TableConfig]) -> None:
    rig = _football(shipped)
    screens = screens_of(rig)
    rig.press("1", "2")
    keyed = screens.dealer()["keyed"]
    assert (keyed["positions"], keyed["holds"], keyed["position"]) == (16, 1, "12")
    rig.press("clear", "enter", "no-more-bets", "6")
    keyed = screens.dealer()["keyed"]
    assert (keyed["dice"], keyed["colours"]) == ([6, 0, 0], ["green", "green", "red"])
    rig.press("5", "1", "enter")
    board = screens.checked_board()
    assert (board["headline"], board["result"]) == ("6-5 RED 1 GAIN", "6-5 red 1 gain")
    assert board["figure"] == {"to_goal": 10, "dice": [6, 5, 1]}
    rig.press("done", "clear", "no-more-bets", "6", "5", "1", "enter")
    board = screens.checked_board()
    assert board["figure"]["to_goal"] == 0
    rig.press(*("done",) * 3)
    assert screens.checked_board()["headline"] == "TOUCHDOWN — EXTRA POINT?"
    rig.press("clear")
    board = screens.checked_board()
    assert [win["area"] for win in board["wins"]] == ["touchdown"]
    assert [line["label"] for line in board["history"]] == ["6-5 red 1 touchdown", "6-5 red 1 gain"]
    rig.floor("correct", "extra-point-answer")
    board = screens.checked_board()
    assert board["headline"] == "TOUCHDOWN — EXTRA POINT?"
    assert [line["label"] for line in board["history"]] == ["6-5 red 1 touchdown", "6-5 red 1 gain"]
    rig.press("correct", "floor-key")
    board = screens.checked_board()
    assert ([line["label"] for line in board["history"]], board["result"]) == (["6-5 red 1 gain"], "")
    assert board["figure"]["to_goal"] == 10
    screens.same_as_recalled()


def test_cards_are_shown_against_the_dealers(shipped: Callable[[str], TableConfig]) -> None:
    rig = Rig(shipped("casino-war"))
    screens = screens_of(rig)
    rig.floor("open")
    rig.press("enter", "no-more-bets", "1", "3", "enter")
    rig.press("king", "5")
    board = screens.checked_board()
    assert [place["card"] for place in board["figure"]["positions"]] == ["K", "5"]
    assert (board["figure"]["dealer"], {place["outcome"] for place in board["figure"]["positions"]}) == ("", {""})
    assert screens.dealer()["entry"] == "1: king, 3: 5, dealer: _"
    rig.press("5", "enter")
    board = screens.checked_board()
    assert board["headline"] == "DEALER HAS 5"
    assert [place["outcome"] for place in board["figure"]["positions"]] == ["won", "tied"]
    assert [win["label"] for win in board["wins"]] == ["initial 1", "tie 3"]
    assert {line["label"]: line["count"] for line in board["counts"]} == {
        "player won": 1,
        "dealer won": 0,
        "tie": 1,
    }
    rig.press("done", "done")
    assert (screens.checked_board()["headline"], screens.checked_board()["detail"]) == (
        "TIE — WAR OR SURRENDER?",
        "position 3 chooses",
    )
    rig.press("war", "9", "ace")
    assert (screens.checked_board()["result"], screens.checked_board()["figure"]["dealer_war"]) == ("", "A")
    rig.press("enter")
    board = screens.checked_board()
    assert (board["headline"], board["wins"]) == ("WAR: DEALER HAS A", [])
    assert board["figure"]["positions"][1] == {"position": 3, "card": "5", "war_card": "9", "outcome": "lost"}
    assert [line["label"] for line in board["history"]] == ["war: 9 against A", "K 5 against 5"]
    rig.press("done")
    assert screens.checked_board()["figure"]["positions"][1]["outcome"] == "lost"
    rig.press("correct", "1", "floor-key")
    assert screens.checked_board()["headline"] == "RESULT IS CORRECTED"
    assert [line["label"] for line in screens.checked_board()["history"]] == ["K 5 against 5"]
    screens.same_as_recalled()
