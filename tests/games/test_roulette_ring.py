"""The wheel on the players' board: how fast it turns, and where the ball runs; never a number early."""

from typing import Any

from screen_table import Screens, screens_of

from controller.bench.rig import Rig

_TURN_S = 20.0
"""No dealer lets a rotor become so slow."""


def figure(screens: Screens) -> dict[str, Any]:
    found: dict[str, Any] = screens.checked_board()["figure"]
    return found


def test_the_wheel_turns_as_its_index_says_and_the_ball_runs_the_other_way(keypad: Rig) -> None:
    screens = screens_of(keypad)
    shown = figure(screens)
    assert 0 < abs(shown["rotor_turn_ms"]) < _TURN_S * 1000
    assert "ball_turn_ms" not in shown
    keypad.throw_ball(8.0, rest=False)
    keypad.wait(2.0)
    shown = figure(screens)
    assert shown["ball"] == "running"
    assert shown["ball_turn_ms"] * shown["rotor_turn_ms"] < 0


def test_nothing_on_the_board_names_a_pocket_before_the_result_is_on_record(keypad: Rig) -> None:
    screens = screens_of(keypad)
    seen: list[dict[str, Any]] = []
    screens.checks.append(lambda board: seen.append(board))
    keypad.throw_ball(8.0, rest=False)
    keypad.press("no-more-bets")
    keypad.wait(60.0)
    assert {board["figure"]["pocket"] for board in seen} == {""}
    assert not any(board["result"] for board in seen)


def test_a_rotor_that_stands_is_not_shown_turning(keypad: Rig) -> None:
    screens = screens_of(keypad)
    assert "rotor_turn_ms" in figure(screens)
    keypad.wait(3600.0)
    assert "rotor_turn_ms" not in figure(screens)
