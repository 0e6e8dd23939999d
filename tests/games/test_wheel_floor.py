"""What the floorperson can do at a wheel with a clapper, and the dealer cannot: void, take back, end, close."""

from collections.abc import Callable

import pytest
from screen_table import screens_of

from config.schema import TableConfig
from controller.bench.rig import Rig
from controller.journal.summaries import round_summaries

Shipped = Callable[[str], TableConfig]
STATES = ("no-more-bets", "spinning", "respin", "bonus", "locating", "result")


def until(table: Rig, state: str) -> None:
    """From open wagers to a state of the round."""
    table.press("no-more-bets")
    match state:
        case "spinning":
            table.spin(4.4, rest=False)
            table.wait(2)
        case "respin":
            table.spin(1.4)
        case "bonus":
            table.spin(4, stop_on="7x")
        case "locating":
            table.power_cut()
        case "result":
            table.spin(4, stop_on="40" if "40" in table.order else "20")
    assert table.state.value == state


@pytest.fixture
def lit(dreamcatcher: Rig) -> Rig:
    """40 is lit."""
    until(dreamcatcher, "result")
    return dreamcatcher


def voids(table: Rig) -> list[str]:
    return [one.reason for record in table.records() for one in record.effects if one.kind == "void"]


@pytest.mark.clause("689a.2(c)", "619a.2(c)")
@pytest.mark.parametrize("game", ["dreamcatcher", "big-six"])
def test_no_key_of_the_dealers_voids_a_spin(shipped: Shipped, game: str) -> None:
    """Not while the wheel runs, not in the moment in which it comes to rest, not after it."""
    table = Rig(shipped(game))
    table.turn(1.2)
    table.press("no-more-bets")
    table.spin(4.4, stop_on="10", rest=False)
    while not table.lit():
        table.press(*sorted(table.game.controls))
    table.press("clear", "enter", "no-more-bets")
    assert table.lit() == {"10"}
    assert voids(table) == []


@pytest.mark.parametrize("state", STATES)
def test_the_floorperson_can_end_the_round_in_every_state(dreamcatcher: Rig, state: str) -> None:
    """A multiplier does not last until the next morning. A result that is lit is made void first."""
    table = dreamcatcher
    until(table, state)
    if state == "result":
        with pytest.raises(LookupError):
            table.floor("end-round")
        table.floor("void", "late-wagers")
    table.floor("end-round")
    assert table.last("wagers-returned").reason == "round-ended"
    table.rest()
    if table.state.value == "locating":
        table.turn(1.2)
    assert (table.state.value, table.machine.round, table.lit()) == ("bets-open", 2, set())
    table.press("no-more-bets")
    table.spin(4, stop_on="10")
    assert table.last("result").wins[0].pays == "10 to 1"


@pytest.mark.parametrize("game", ["dreamcatcher", "big-six"])
@pytest.mark.parametrize("settled", [0, 1])
def test_a_round_whose_wagers_all_went_back_has_no_result_on_record(
    shipped: Shipped, game: str, settled: int
) -> None:
    table = Rig(shipped(game))
    screens = screens_of(table)
    table.turn(1.2)
    until(table, "result")
    table.press(*("done",) * settled)
    offer = next(one for one in table.machine.offers() if one.act == "end-round")
    assert offer.unavailable.code == "settle-first"
    table.floor("void", "late-wagers")
    table.floor("end-round")
    assert screens.board()["history"] == []
    screens.same_as_recalled()
    line = next(one for one in round_summaries(table.journal, None, 2, "all")["rounds"] if one["round"] == 1)
    assert (line["outcome"], line["label"], line["wins"]) == ("void", "", [])


@pytest.mark.clause("689a.2(c)", "619a.2(c)")
@pytest.mark.parametrize("settled", [0, 1])
def test_a_result_is_made_void_with_a_reason_and_an_alert_until_wagers_are_settled(lit: Rig, settled: int) -> None:
    table, screens = lit, screens_of(lit)
    table.press(*("done",) * settled)
    table.floor("void", "wheel-hindered")
    assert (table.state.value, table.lit(), voids(table)) == ("respin", set(), ["wheel-hindered"])
    assert table.last("alert").text == "done-void"
    assert screens.board()["history"] == []
    screens.same_as_recalled()
    line = round_summaries(table.journal, None, 1, "all")["rounds"][0]
    assert (line["outcome"], line["label"], line["wins"]) == ("void", "", [])
    table.spin(4, stop_on="10")
    assert table.lit() == {"10"}


def test_once_winners_are_paid_there_is_no_void(lit: Rig) -> None:
    lit.press("done", "done")
    with pytest.raises(LookupError):
        lit.floor("void")


@pytest.mark.parametrize("settled", ["", "losers-collected"])
def test_a_void_that_was_a_mistake_is_taken_back_until_the_next_throw(lit: Rig, settled: str) -> None:
    """It is on record what it took back; the result is settled from where it was."""
    table = lit
    table.press(*["done"] * bool(settled))
    table.floor("void", "late-wagers")
    found = table.last("void").parameters
    assert (found["result"], found["settled"]) == ("40", settled)
    table.floor("reverse")
    assert (table.state.value, table.lit()) == (settled or "result", {"40"})
    table.floor("void", "late-wagers")
    table.spin(4, stop_on="10")
    with pytest.raises(LookupError):
        table.floor("reverse")


@pytest.mark.parametrize("state", [*STATES, "losers-collected"])
def test_only_the_call_of_no_more_bets_is_taken_back_by_clear(dreamcatcher: Rig, state: str) -> None:
    """In a respin or a bonus the wheel was thrown already."""
    until(dreamcatcher, state.replace("losers-collected", "result"))
    dreamcatcher.press(*["done"] * (state == "losers-collected"), "clear")
    assert dreamcatcher.state.value == ("bets-open" if state == "no-more-bets" else state)


@pytest.mark.parametrize("section", ["40", "7x"])
def test_a_wheel_that_was_moved_by_hand_gives_the_section_of_its_spin_back(dreamcatcher: Rig, section: str) -> None:
    table = dreamcatcher
    table.press("no-more-bets")
    table.spin(4, stop_on=section)
    state, multiplier = table.state.value, table.machine.data.multiplier
    table.turn(0.5)
    table.floor("void", "late-wagers")
    assert table.last("void").parameters["result"] == section
    table.floor("reverse")
    assert (table.state.value, table.machine.data.multiplier) == (state, multiplier)
    assert table.lit() == ({"40"} if section == "40" else set())


@pytest.mark.parametrize("runs", [True, False])
def test_a_running_spin_is_called_void_and_given_back(dreamcatcher: Rig, runs: bool) -> None:
    """While it runs, or once it has come to rest on a section."""
    table = dreamcatcher
    table.press("no-more-bets")
    table.spin(4.4, stop_on="40", rest=False)
    table.wait(2)
    table.floor("void", "spin-called-off")
    assert table.state.value == "void-spin"
    if not runs:
        table.rest()
        assert table.state.value == "respin"
    table.floor("reverse")
    table.rest()
    assert (table.state.value, table.lit()) == ("result", {"40"})


@pytest.mark.clause("689a.2(f)")
def test_a_multiplier_of_a_spin_that_was_none_is_taken_back(dreamcatcher: Rig) -> None:
    table = dreamcatcher
    table.press("no-more-bets")
    table.spin(4, stop_on="2x")
    table.spin(4, stop_on="7x")
    table.floor("void", "wheel-hindered")
    assert table.machine.data.multiplier == 2
    table.floor("reverse")
    assert (table.state.value, table.machine.data.multiplier) == ("bonus", 14)
    table.floor("void", "wheel-hindered")
    table.spin(4, stop_on="10")
    assert table.last("result").wins[0].pays == "20 to 1"


@pytest.mark.clause("689a.2(f)")
def test_a_void_after_the_bonus_spin_keeps_the_multiplier(dreamcatcher: Rig) -> None:
    table = dreamcatcher
    table.press("no-more-bets")
    table.spin(4, stop_on="7x")
    table.spin(4, stop_on="40")
    table.floor("void", "wheel-hindered")
    table.spin(4, stop_on="10")
    assert table.last("result").wins[0].pays == "70 to 1"


def test_a_settled_round_is_closed_without_returning_wagers(lit: Rig) -> None:
    with pytest.raises(LookupError):
        lit.floor("close")
    lit.press("clear", "done", "done")
    lit.floor("close")
    assert lit.state.value == "closed"
    assert "wagers-returned" not in {one.kind for record in lit.records() for one in record.effects}


def test_the_table_is_closed_and_opened(dreamcatcher: Rig) -> None:
    table = dreamcatcher
    table.floor("close")
    assert (table.state.value, table.last("wagers-returned").reason) == ("closed", "table-closed")
    table.power_cut()
    table.floor("open")
    assert (table.state.value, table.machine.round) == ("locating", 2)
    table.turn(1.2)
    assert table.state.value == "bets-open"


def test_half_an_hour_without_power_in_a_round_asks_the_floorperson(dreamcatcher: Rig) -> None:
    table = dreamcatcher
    table.press("no-more-bets")
    table.spin(4, stop_on="7x")
    table.power_cut(36_000)
    assert table.state.value == "locked"
    assert table.machine.causes[0].code == "long-pause"
    table.floor()
    table.turn(1.2)
    assert table.state.value == "bonus"
    table.power_cut(36_000)
    table.floor("end-round")
    table.floor()
    table.turn(1.2)
    assert table.state.value == "bets-open"
