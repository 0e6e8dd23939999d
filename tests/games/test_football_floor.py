"""What the floorperson does at Three Dice Football: closing, calling a game off; and who that was."""

from collections.abc import Callable

import pytest
from football_table import effects, play, settle, steps, touchdown

from config.schema import TableConfig
from controller.bench.rig import Rig

Shipped = Callable[[str], TableConfig]


def offer(table: Rig, act: str) -> str:
    """Why an act is not possible now; empty if it is."""
    return str(next(one for one in table.machine.offers() if one.act == act).unavailable.code)


def returned(table: Rig) -> list[tuple[str, tuple[str, ...]]]:
    return [(one.reason, one.areas) for one in effects(table, "wagers-returned")]


@pytest.mark.clause("577.4(d)")
def test_the_table_is_closed_until_the_floorperson_opens_it_with_new_dice(shipped: Shipped) -> None:
    table = Rig(shipped("three-dice-football"))
    table.press("no-more-bets", "enter", "1")
    assert (table.state.value, table.lit()) == ("closed", set())
    with pytest.raises(LookupError):
        table.floor("close")
    table.press("floor-key")
    assert (table.state.value, table.last("note").text) == ("dice-offered", "renewed")
    table.press("enter")
    table.floor("close")
    assert (table.state.value, returned(table)) == ("closed", [("table-closed", ())])


# -- what is decided is paid before anything goes back -------------------------------------------------------------


UNPAID = {
    "game changer lit": ("no-more-bets", *"126", "enter"),
    "touchdown lit": ("no-more-bets", *"444", "enter"),
    "single plays lit": ("no-more-bets", *"342", "enter"),
    "dice of a throw seen": ("no-more-bets", "3", "clear"),
    "dice corrected": ("no-more-bets", *"342", "enter", "correct", "floor-key"),
}


@pytest.mark.parametrize("keys", UNPAID.values(), ids=[*UNPAID])
def test_the_table_does_not_close_over_wagers_that_are_decided(football: Rig, keys: tuple[str, ...]) -> None:
    table = football
    table.press(*keys)
    lit = table.lit()
    assert offer(table, "close") in ("football-settle-first", "football-dice-first")
    with pytest.raises(LookupError):
        table.floor("close")
    assert (table.lit(), returned(table)) == (lit, [])


@pytest.mark.parametrize("keys", [(), ("enter",)], ids=["question", "extra point roll due"])
def test_a_touchdown_is_paid_before_the_table_closes(football: Rig, keys: tuple[str, ...]) -> None:
    """Case 13: the touchdown wagers have won, those on the extra point go back, with the reason."""
    table = football
    touchdown(table)
    table.press(*keys)
    table.floor("close")
    assert table.last("result").wins[0].area == "touchdown"
    assert table.lit() == {"touchdown", "end-zone", "play-1"}
    assert returned(table) == []
    assert [step for step, _ in steps(settle(table))] == ["touchdown-paid", "extra-point-returned"]
    assert (table.state.value, returned(table)) == ("closed", [("table-closed", ("extra-point",))])


@pytest.mark.parametrize("answer", ["clear", "enter"])
def test_a_close_that_was_a_mistake_is_taken_back_while_touchdowns_are_paid(football: Rig, answer: str) -> None:
    table = football
    touchdown(table)
    table.floor("close")
    table.floor("correct", "extra-point-answer")
    assert table.state.value == "extra-point-offered"
    table.press(answer)
    assert table.state.value == ("settling" if answer == "clear" else "extra-point-throw")
    assert not table.machine.data.closing


def test_a_settled_game_closes_without_returning_anything(football: Rig) -> None:
    table = football
    play(table, "126")
    table.floor("close")
    assert (table.state.value, returned(table)) == ("closed", [])


@pytest.mark.parametrize(
    ("throws", "lost"),
    [
        (("145", "145"), "game-length-1,game-length-2"),
        (("145", "145", "662", "145"), "quick-strike-td,game-length-1,game-length-2,game-length-3,game-length-4"),
    ],
    ids=["third play", "fifth play"],
)
@pytest.mark.parametrize("then", ["", "clear", "clear no-more-bets", "clear no-more-bets no-roll 8"])
def test_in_mid_game_only_undecided_wagers_go_back(
    football: Rig, throws: tuple[str, ...], lost: str, then: str
) -> None:
    """Those that have lost meanwhile are collected, and named."""
    table = football
    play(table, *throws)
    table.press(*then.split())
    table.floor("close")
    ((reason, areas),) = returned(table)
    assert reason == "table-closed"
    assert {*table.areas} - {*areas} == {*lost.split(",")}
    alert = next(one for one in effects(table, "alert") if one.text == "football-collect-lost")
    assert alert.parameters == {"lost": lost}
    assert (table.state.value, table.lit()) == ("closed", set())


@pytest.mark.parametrize("then", [("clear",), ("clear", "no-more-bets")])
def test_the_floorperson_calls_a_game_off(football: Rig, then: tuple[str, ...]) -> None:
    """As after a long time without power: the same position is offered the dice again."""
    table = football
    play(table, "145")
    table.press(*then)
    table.power_cut(seconds=3600)
    table.floor("void", "game-called-off")
    assert table.last("void").reason == "game-called-off"
    assert [reason for reason, _ in returned(table)] == ["game-called-off"]
    table.floor("unlock")
    assert (table.state.value, table.machine.data.quarterback) == ("dice-offered", 1)


def test_a_game_that_was_called_off_by_mistake_goes_on(football: Rig) -> None:
    """Until the next one begins, whoever is offered the dice meanwhile."""
    table = football
    play(table, "145")
    table.press("clear")
    lit, data = table.lit(), table.machine.data
    table.floor("void", "game-called-off")
    assert table.lit() == set()
    table.press("clear", "1")
    table.floor("reverse")
    assert (table.state.value, table.lit(), table.machine.data) == ("bets-open", lit, data)
    assert table.last("alert").text == "done-reverse"
    table.floor("void", "game-called-off")
    table.press("enter")
    with pytest.raises(LookupError):
        table.floor("reverse")
