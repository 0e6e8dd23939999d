"""The wheel on the players' board: never a number early."""

from typing import Any

from screen_table import Screens, screens_of

from controller.bench.rig import Rig


def figure(screens: Screens) -> dict[str, Any]:
    found: dict[str, Any] = screens.checked_board()["figure"]
    return found


def test_nothing_on_the_board_names_a_pocket_before_the_result_is_on_record(keypad: Rig) -> None:
    screens = screens_of(keypad)
    seen: list[dict[str, Any]] = []
    screens.checks.append(lambda board: seen.append(board))
    keypad.throw_ball(8.0, rest=False)
    keypad.press("no-more-bets")
    keypad.wait(60.0)
    assert {board["figure"]["pocket"] for board in seen} == {""}
    assert not any(board["result"] for board in seen)
