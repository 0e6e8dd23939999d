"""The board and the dealer's screen: what players and dealer see in every state of every game, and only what is on
record."""

import json
from collections.abc import Callable
from typing import Any

import pytest
from screen_table import arrive, screens_of, trouble

from benchmarks.fault_matrix import GAMES, configuration, states
from benchmarks.fault_ways import ABSENT
from config.schema import TableConfig
from controller.bench.rig import Rig
from controller.events.effect import Void
from controller.games.clapper_wheel.rules import REASONS
from controller.journal.errors import JournalError
from controller.odds.wagers import to_one
from controller.statechart.registry import find_game
from controller.viewmodel import presenter as picture
from controller.viewmodel.history import TableHistory
from controller.viewmodel.registry import screen_of
from controller.viewmodel.screen import GameScreen

PLACES = [(game, state) for game in GAMES for state in states(game)]


# -- every state -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("game", "state"), PLACES)
def test_every_state_has_a_picture_that_says_only_what_is_on_record(game: str, state: str) -> None:
    screens = arrive(configuration(game), state)
    assert screens.rig is not None
    screens.rig.table.stop()


@pytest.mark.parametrize("game", GAMES)
def test_players_are_told_of_every_state_in_words_of_its_own(game: str) -> None:
    machine = find_game(game).machine(configuration(game))
    says = screen_of(game).says
    assert says is not None
    assert set(says) - {state for name, state in ABSENT if name == game} == {s.value for s in machine.states}


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("seed", [1, 2])
def test_the_screens_of_a_new_process_show_what_the_old_ones_did(game: str, seed: int) -> None:
    screens = trouble(configuration(game), seed, acts=150)
    assert screens.rig is not None
    assert {"power-restored"} <= {record.event.kind for record in screens.rig.records()}
    assert screens.board()["history"]
    screens.rig.table.stop()


# -- a wheel -----------------------------------------------------------------------------------------------------


def test_a_round_on_the_wheel_as_players_see_it(dreamcatcher: Rig) -> None:
    table, screens = dreamcatcher, screens_of(dreamcatcher)
    seen: list[tuple[str, str, str]] = []
    screens.looks.append(lambda board: seen.append((board["headline"], board["tone"], board["result"])))
    screens.look()
    table.press("no-more-bets")
    table.spin(stop_on="40")
    table.press("done", "done", "clear")
    assert list(dict.fromkeys(seen)) == [
        ("PLACE YOUR WAGERS", "open", ""),
        ("NO MORE BETS", "closed", ""),
        ("WHEEL IS TURNING", "moving", ""),
        ("40", "result", "40"),
    ]
    board = screens.look()
    assert (board["headline"], board["result"], board["wins"]) == ("PLACE YOUR WAGERS", "", [])
    assert board["history"] == [{"round": 1, "label": "40", "colour": ""}]
    assert board["counts"][-1] == {"label": "40", "count": 1}
    assert board["spins"] == 1


def test_the_result_stands_with_what_it_pays_until_the_round_is_cleared(dreamcatcher: Rig) -> None:
    screens = screens_of(dreamcatcher)
    dreamcatcher.press("no-more-bets")
    dreamcatcher.spin(stop_on="2x")
    assert screens.look()["headline"] == "2× BONUS SPIN"
    dreamcatcher.spin(stop_on="7x")
    board = screens.look()
    assert (board["headline"], board["tone"], board["multiplier"]) == ("14× BONUS SPIN", "bonus", 14)
    dreamcatcher.spin(stop_on="5")
    for control in ("done", "done", "clear"):
        board = screens.look()
        assert (board["result"], board["lit"]) == ("5", ["5"])
        assert board["wins"] == [{"area": "5", "label": "5", "pays": "70 to 1"}]
        dreamcatcher.press(control)
    assert (screens.look()["result"], screens.look()["multiplier"]) == ("", 1)


@pytest.mark.parametrize(
    ("spin", "reason"),
    [
        ({"revolutions": 1.5, "stop_on": "10"}, "fewer-than-three-revolutions"),
        ({"stop_between": ("2", "7x")}, "between-sections"),
    ],
)
def test_a_void_spin_says_why_and_is_no_result(dreamcatcher: Rig, spin: dict[str, Any], reason: str) -> None:
    screens = screens_of(dreamcatcher)
    dreamcatcher.press("no-more-bets")
    dreamcatcher.spin(**spin)
    assert dreamcatcher.last("void").reason == reason
    board = screens.look()
    assert (board["headline"], board["tone"]) == ("NO SPIN — WHEEL WILL BE SPUN AGAIN", "void")
    assert REASONS[reason] in board["detail"]
    assert (board["history"], board["spins"], board["result"]) == ([], 0, "")


def test_players_are_not_told_of_sensors(dreamcatcher: Rig) -> None:
    screens = screens_of(dreamcatcher)
    dreamcatcher.press("no-more-bets")
    dreamcatcher.world.fault("dead-clapper", "", 0)
    dreamcatcher.spin()
    assert isinstance(dreamcatcher.last("void"), Void)
    board, dealer = screens.look(), screens.dealer()
    assert (board["headline"], board["detail"]) == ("ONE MOMENT PLEASE", "the floorperson has been called")
    assert "clapper" in dealer["alerts"][0]["text"]
    assert {"device": "clapper", "state": "silent"}.items() <= dealer["health"][4].items()
    dreamcatcher.world.mend()
    dreamcatcher.press("floor-key")
    dreamcatcher.turn(2.2)
    dreamcatcher.press("floor-key")
    board = screens.look()
    assert (board["state"], board["tone"]) == ("respin", "void")
    assert not any(word in board["detail"] for word in ("sensor", "clapper", "encoder"))
    assert all(line["state"] == "ok" for line in screens.dealer()["health"])


def test_the_wheel_is_drawn_where_it_stands(dreamcatcher: Rig) -> None:
    screens = screens_of(dreamcatcher)
    for section in range(0, 54, 5):
        dreamcatcher.press("no-more-bets")
        dreamcatcher.spin(stop_on=section)
        turn = screens.look()["turn"]
        assert int(turn["angle"] * 54) == section
        assert turn["moving"] is False
        assert picture.turn(dreamcatcher.table) is None
        dreamcatcher.press("done", "done", "clear")


def test_a_turning_wheel_is_followed(shipped: Callable[[str], TableConfig]) -> None:
    rig = Rig(shipped("dreamcatcher"), slice_ns=20_000_000)
    screens = screens_of(rig)
    assert screens.look()["turn"] is None  # Nobody knows yet where it stands.
    rig.turn(1.2)
    rig.press("no-more-bets")
    rig.spin(4.2, rest=False)
    seen = []
    while rig.state.value in ("no-more-bets", "spinning"):
        rig.wait(0.05)
        if (turn := picture.turn(rig.table)) is not None:
            seen.append(turn)
            assert screens.board()["turn"] == {"angle": turn["angle"], "moving": True}
    assert [turn["made"] for turn in seen] == sorted(turn["made"] for turn in seen)  # type: ignore[type-var]
    assert {turn["made"] for turn in seen} == {0, 1, 2, 3, 4}
    assert len({turn["angle"] for turn in seen}) > 50
    assert all(0 <= turn["angle"] < 1 and turn["of"] == 3 for turn in seen)  # type: ignore[operator]


def test_symbols_stand_for_their_areas(shipped: Callable[[str], TableConfig]) -> None:
    config = shipped("big-six")
    layout = config.layout.model_copy(update={"symbols": {"joker": "Jester"}})
    rig = Rig(config.model_copy(update={"layout": layout}))
    screens = screens_of(rig)
    rig.turn(1.2)
    rig.press("no-more-bets")
    rig.spin(stop_on="joker")
    board = screens.look()
    assert (board["headline"], board["result"], board["wins"][0]["label"]) == ("JESTER", "Jester", "Jester")
    assert {"label": "Jester", "count": 1} in board["counts"]
    described = picture.describe(rig.config, rig.table)
    assert described["wheel"][0] == {"name": "joker", "label": "Jester", "colour": 5}  # type: ignore[index]


# -- what cannot be recorded is not shown ------------------------------------------------------------------------


def test_a_result_that_cannot_be_recorded_is_on_no_screen(
    dreamcatcher: Rig, monkeypatch: pytest.MonkeyPatch
) -> None:
    screens = screens_of(dreamcatcher)
    dreamcatcher.press("no-more-bets")

    def full(*_: object) -> None:
        raise JournalError("the journal cannot be written: disk full")

    monkeypatch.setattr(dreamcatcher.journal, "append", full)
    dreamcatcher.spin(stop_on="10")
    board, dealer = screens.look(), screens.dealer()
    assert (board["result"], board["lit"], board["wins"], board["history"]) == ("", [], [], [])
    assert (board["headline"], board["tone"]) == ("TABLE IS CLOSED", "alarm")
    assert "disk full" in dealer["alerts"][0]["text"]


def test_dice_that_cannot_be_recorded_are_on_no_screen(sic_bo: Rig, monkeypatch: pytest.MonkeyPatch) -> None:
    screens = screens_of(sic_bo)
    sic_bo.press("no-more-bets", "3", "4", "6")

    def full(*_: object) -> None:
        raise JournalError("the journal cannot be written: disk full")

    monkeypatch.setattr(sic_bo.journal, "append", full)
    sic_bo.press("enter")
    board = screens.look()
    assert (board["result"], board["lit"], board["figure"]) == ("", [], {"dice": [], "total": None})
    assert screens.dealer()["entry"] == ""


def test_cards_that_cannot_be_recorded_are_on_no_screen(
    shipped: Callable[[str], TableConfig], monkeypatch: pytest.MonkeyPatch
) -> None:
    rig = Rig(shipped("casino-war"))
    screens = screens_of(rig)
    rig.press("floor-key", "1", "enter", "no-more-bets", "1", "enter", "king")
    assert screens.look()["figure"]["positions"][0]["card"] == "K"

    def full(*_: object) -> None:
        raise JournalError("the journal cannot be written: disk full")

    monkeypatch.setattr(rig.journal, "append", full)
    rig.press("5")
    assert screens.look()["figure"] == {"positions": [], "dealer": "", "dealer_war": "", "deck": None}


# -- dice --------------------------------------------------------------------------------------------------------


def test_dice_as_they_are_keyed_and_as_they_win(sic_bo: Rig) -> None:
    screens = screens_of(sic_bo)
    sic_bo.press("no-more-bets")
    assert screens.look()["headline"] == "NO MORE BETS — DICE ARE SHAKEN"
    sic_bo.press("3", "4")
    assert screens.dealer()["entry"] == "3-4-_"
    assert screens.look()["figure"] == {"dice": [], "total": None}
    sic_bo.press("6", "enter")
    board = screens.look()
    assert (board["headline"], board["result"]) == ("3-4-6 TOTAL 13", "3-4-6")
    assert board["figure"] == {"dice": [3, 4, 6], "total": 13}
    assert {"label": "13", "count": 1} in board["counts"]
    assert {win["label"] for win in board["wins"]} >= {"total 13", "big", "two dice 3-4", "one of a kind 6"}


def test_a_corrected_result_takes_the_place_of_the_wrong_one(sic_bo: Rig) -> None:
    screens = screens_of(sic_bo)
    sic_bo.press("no-more-bets", "3", "4", "6", "enter", "correct")
    assert screens.look()["result"] == "3-4-6", "it stands until the floorperson allows the correction"
    sic_bo.press("clear")
    assert screens.look()["result"] == "3-4-6", "given up"
    sic_bo.press("correct", "floor-key")
    board = screens.look()
    assert (board["headline"], board["result"], board["history"]) == ("RESULT IS CORRECTED", "", [])
    assert board["spins"] == 0
    sic_bo.press("3", "3", "6", "enter")
    board = screens.look()
    assert (board["result"], [line["label"] for line in board["history"]]) == ("3-3-6", ["3-3-6"])
    assert [line for line in board["counts"] if line["count"]] == [{"label": "12", "count": 1}]
    screens.same_as_recalled()


def test_the_age_of_the_dice(sic_bo: Rig) -> None:
    screens = screens_of(sic_bo)
    assert screens.dealer()["ages"][0]["warn"] is False
    sic_bo.wait(21 * 3600 + 40 * 60)
    assert screens.dealer()["ages"] == [{"what": "dice", "age": "21 h 40 min", "left": "2 h 19 min", "warn": False}]
    sic_bo.wait(2 * 3600)
    assert screens.dealer()["ages"][0]["warn"] is True
    sic_bo.wait(3600)
    assert (screens.dealer()["ages"][0]["left"], screens.look()["detail"]) == ("0 min", "the dice are changed")


# -- roulette, football, war -------------------------------------------------------------------------------------


def test_a_roulette_number_with_its_colour() -> None:
    screens = arrive(configuration("roulette"), "result")
    board = screens.look()
    number, colour = board["result"].split()
    assert board["headline"] == f"{number} {colour}".upper()
    assert board["figure"] == {"pocket": number, "colour": colour, "ball": "left", "direction": ""}
    assert board["history"][0] == {"round": board["round"], "label": number, "colour": colour}
    assert board["lit"][0] == f"straight-{number}"


def test_the_ball_is_counted_while_it_runs() -> None:
    made: list[tuple[Any, str]] = []
    screens = arrive(configuration("roulette"), "bets-open")
    screens.looks.append(lambda board: made.append((board["revolutions"], board["figure"]["ball"])))
    assert screens.rig is not None
    screens.rig.turn_rotor()
    screens.rig.throw_ball()
    running = [revolutions["made"] for revolutions, ball in made if revolutions]
    assert running == sorted(running)
    assert running[-1] >= 4
    assert all(revolutions["of"] == 4 for revolutions, _ in made if revolutions)
    assert made[-1] == (None, "left")


def _football(shipped: Callable[[str], TableConfig]) -> Rig:
    rig = Rig(shipped("three-dice-football"))
    rig.press("floor-key", "1", "enter")
    assert rig.state.value == "bets-open", rig.waiting_for
    return rig


def test_a_drive_over_the_field(shipped: Callable[[str], TableConfig]) -> None:
    rig = _football(shipped)
    screens = screens_of(rig)
    rig.press("no-more-bets", "6", "5", "1", "enter")
    board = screens.look()
    assert (board["headline"], board["result"]) == ("6-5 RED 1 GAIN", "6-5 red 1 gain")
    assert board["figure"] | {"phase": ""} == {
        "yard": 50,
        "to_goal": 10,
        "down": 1,
        "goal": True,
        "play": 2,
        "quarterback": 1,
        "dice": [6, 5, 1],
        "downs": [{"label": "6-5 red 1 gain", "yards": 10}],
        "phase": "",
    }
    rig.press("done", "clear", "no-more-bets", "6", "5", "1", "enter")
    board = screens.look()
    assert (board["figure"]["yard"], board["figure"]["to_goal"]) == (100, 0)
    assert [down["yards"] for down in board["figure"]["downs"]] == [10, 10]
    rig.press(*("done",) * 3)
    assert screens.look()["headline"] == "TOUCHDOWN — EXTRA POINT?"
    rig.press("clear")
    board = screens.look()
    assert [win["area"] for win in board["wins"]] == ["touchdown"]
    assert [line["label"] for line in board["history"]] == ["6-5 red 1 touchdown", "6-5 red 1 gain"]
    rig.press("correct", "floor-key")
    board = screens.look()
    assert ([line["label"] for line in board["history"]], board["result"]) == (["6-5 red 1 gain"], "")
    assert board["figure"]["to_goal"] == 10
    screens.same_as_recalled()


def test_football_wagers_are_paid_in_the_order_of_the_law(shipped: Callable[[str], TableConfig]) -> None:
    rig = _football(shipped)
    screens = screens_of(rig)
    rig.press("no-more-bets", "1", "1", "6", "enter")
    paid = [win["area"] for win in screens.look()["wins"]]
    assert paid[0] == "defense"
    assert paid.index("turnover") < paid.index("game-length-1")
    steps = rig.machine.data.steps
    assert [words.split(" ")[0] for words in steps] == ["collect", "of", "of"]
    assert sorted(paid) == sorted(win.area for win in rig.last("result").wins)


def test_cards_against_the_dealers(shipped: Callable[[str], TableConfig]) -> None:
    rig = Rig(shipped("casino-war"))
    screens = screens_of(rig)
    rig.press("floor-key", "1", "enter", "no-more-bets", "1", "3", "enter")
    rig.press("king", "5")
    board = screens.look()
    assert [place["card"] for place in board["figure"]["positions"]] == ["K", "5"]
    assert (board["figure"]["dealer"], {place["outcome"] for place in board["figure"]["positions"]}) == ("", {""})
    assert screens.dealer()["entry"] == "1: king, 3: 5, dealer: _"
    rig.press("5", "enter")
    board = screens.look()
    assert board["headline"] == "DEALER HAS 5"
    assert [place["outcome"] for place in board["figure"]["positions"]] == ["won", "tied"]
    assert [win["label"] for win in board["wins"]] == ["initial 1", "tie 3"]
    assert {line["label"]: line["count"] for line in board["counts"]} == {
        "player won": 1,
        "dealer won": 0,
        "tie": 1,
    }
    rig.press("done", "done")
    assert (screens.look()["headline"], screens.look()["detail"]) == (
        "TIE — WAR OR SURRENDER?",
        "position 3 chooses",
    )
    rig.press("war", "9", "ace")
    assert (screens.look()["result"], screens.look()["figure"]["dealer_war"]) == ("", "A")
    rig.press("enter")
    board = screens.look()
    assert (board["headline"], board["wins"]) == ("WAR: DEALER HAS A", [])
    assert board["figure"]["positions"][1] == {"position": 3, "card": "5", "war_card": "9", "outcome": "lost"}
    assert [line["label"] for line in board["history"]] == ["war: 9 against A", "K 5 against 5"]
    rig.press("done")
    assert screens.look()["figure"]["positions"][1]["outcome"] == "lost"
    rig.press("correct", "floor-key")
    assert [line["label"] for line in screens.look()["history"]] == ["K 5 against 5"]
    screens.same_as_recalled()


def test_a_shoe_is_counted_and_positions_that_a_table_lacks_are_not_offered(
    shipped: Callable[[str], TableConfig],
) -> None:
    config = shipped("casino-war")
    rig = Rig(config.model_copy(update={"rules": {**config.rules, "positions": "5"}}))
    screens = screens_of(rig)
    rig.press("floor-key", "1", "enter")
    assert screens.look()["figure"]["deck"] == {"used": 1, "of": 312}
    areas = [area["area"] for area in picture.describe(rig.config, rig.table)["areas"]]  # type: ignore[attr-defined]
    assert areas == [f"{kind}-{seat}" for kind in ("initial", "tie", "war") for seat in range(1, 6)]


# -- the description ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", GAMES)
def test_a_table_is_described(name: str) -> None:
    config, game = configuration(name), find_game(name)
    rig = Rig(config)
    described: dict[str, Any] = picture.describe(rig.config, rig.table)
    rig.table.stop()
    assert json.loads(json.dumps(described, allow_nan=False)) == described
    wagers = {wager.area: wager for wager in game.wagers_under(config.rules)}
    assert [area["area"] for area in described["areas"]] == list(wagers)
    assert all(area["label"] for area in described["areas"])
    for area in described["areas"]:
        for odds in game.payouts(config).all_odds(area["area"]):
            assert to_one(odds) in area["pays"]
    assert described["lamps"] == list(game.lamps(config.rules))
    assert {control["control"] for control in described["controls"]} >= game.controls | game.switches
    assert sorted(described["states"]) == sorted(states(name))
    ends = {(move["from"], move["on"], move["to"]) for move in described["moves"]}
    assert len(ends) == len(described["moves"])
    assert {end[0] for end in ends} == {end[2] for end in ends} == set(described["states"])


def test_the_wheels_sections_and_their_colours() -> None:
    wheel: list[dict[str, Any]] = picture.describe(*_table("dreamcatcher"))["wheel"]  # type: ignore[assignment]
    assert [section["name"] for section in wheel[:4]] == ["7x", "2", "1", "5"]
    assert len(wheel) == 54
    assert {(section["name"], section["colour"]) for section in wheel} == {
        *zip(("1", "2", "5", "10", "20", "40"), range(6), strict=True),
        ("2x", -1),
        ("7x", -1),
    }


def test_every_lamp_of_the_roulette_layout_lies_behind_one_box() -> None:
    described: dict[str, Any] = picture.describe(*_table("roulette"))
    assert sorted(box["area"] for box in described["boxes"]) == sorted(described["lamps"])
    assert len(described["rim"]) == 38
    assert next(box for box in described["boxes"] if box["label"] == "17")["colour"] == "black"


def test_every_area_of_the_dice_layout_lies_in_one_row() -> None:
    described: dict[str, Any] = picture.describe(*_table("sic-bo"))
    placed = [area for row in described["rows"] for area in row["areas"]]
    assert sorted(placed) == sorted(area["area"] for area in described["areas"])
    labels = {area["area"]: area["label"] for area in described["areas"]}
    assert [labels[area] for area in ("two-dice-1-4", "total-13", "three-of-a-kind-2")] == ["1-4", "13", "2-2-2"]


def _table(game: str) -> tuple[TableConfig, Any]:
    rig = Rig(configuration(game))
    return rig.config, rig.table


# -- a game without a screen of its own --------------------------------------------------------------------------


def test_a_game_without_a_screen_is_shown_by_its_states(sic_bo: Rig, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("controller.viewmodel.history.screen_of", lambda name: GameScreen())
    watch = TableHistory(sic_bo.config, sic_bo.clock)
    sic_bo.table.listeners.append(watch)

    def board() -> dict[str, Any]:
        now_ns, utc_ns = sic_bo.clock.now_ns(), sic_bo.clock.utc_ns()
        return picture.board(sic_bo.config, sic_bo.table, watch, now_ns, utc_ns)

    assert (board()["headline"], board()["figure"]) == ("BETS OPEN", {})
    sic_bo.press("no-more-bets", "1", "2", "3", "enter")
    assert (board()["headline"], board()["result"], board()["history"][0]["label"]) == ("RESULT", "1-2-3", "1-2-3")
    sic_bo.press("done", "done", "clear")
    assert board()["result"] == ""
