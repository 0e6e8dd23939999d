"""The procedure of a round: a key that is pressed again, losers before winners, the call, voids in a row."""

import pytest
import roulette_table
from dice_inspection import inspect_dice
from steps import act

from controller.bench.rig import Rig
from controller.events.effect import Alert, Refused, RoundOpened

KEYED = {
    "sic-bo": ("no-more-bets", "2", "2", "5", "enter"),
    "dreamcatcher": (),
    "casino-war": ("no-more-bets", "1", "enter", "king", "4", "enter"),
}
"""What gives a result at a table that is open."""


def with_result(table: Rig, game: str) -> Rig:
    table.press(*KEYED[game])
    if game == "dreamcatcher":
        table.press("no-more-bets")
        table.spin(3.4, stop_on="40")
    assert table.lit()
    return table


def opened_rounds(table: Rig) -> int:
    return sum(isinstance(effect, RoundOpened) for record in table.records() for effect in record.effects)


@pytest.mark.parametrize(
    ("game", "before", "back"),
    [
        ("sic-bo", ("done", "done"), ("no-roll", "clear")),
        ("sic-bo", ("done",), ("no-roll", "clear")),
        ("sic-bo", ("done", "done"), ("correct", "clear")),
        ("dreamcatcher", ("done", "done"), ("floor-key", "clear")),
        ("casino-war", ("done", "done"), ("correct", "clear")),
        ("casino-war", ("done", "done"), ("floor-key", "clear")),
    ],
)
def test_clear_that_takes_a_choice_back_does_not_clear_the_round_as_well(
    request: pytest.FixtureRequest, game: str, before: tuple[str, ...], back: tuple[str, ...]
) -> None:
    table = with_result(request.getfixturevalue({"casino-war": "war", "sic-bo": "sic_bo"}.get(game, game)), game)
    table.press(*before)
    state, lit, rounds = table.state, table.lit(), opened_rounds(table)
    table.press(*back)
    assert table.state is state
    table.press("clear")
    assert table.state is state
    assert table.lit() == lit
    assert opened_rounds(table) == rounds
    assert table.last("refused").why == "pressed-twice"
    table.wait(1)
    table.press("clear")
    assert opened_rounds(table) == rounds + 1


def test_no_more_bets_pressed_twice_does_not_ask_for_the_positions_that_stay(war: Rig) -> None:
    table = war
    table.press(*KEYED["casino-war"])
    while table.state.value == "settling":
        table.press("done")
    table.press("clear", "no-more-bets", "no-more-bets")
    assert table.state.value == "deal"
    assert table.last("refused").why == "pressed-twice"
    table.wait(1)
    table.press("no-more-bets")
    assert table.state.value == "positions"


def test_enter_pressed_twice_after_the_positions_does_not_enter_the_cards_as_well(war: Rig) -> None:
    table = war
    table.press("no-more-bets", "1", "2", "enter", "king", "4", "9", "no-more-bets")
    assert table.state.value == "positions"
    table.press("enter", "enter")
    assert table.state.value == "deal"
    assert not table.lit()
    table.wait(1)
    table.press("enter")
    assert table.state.value == "settling"


@pytest.mark.parametrize(("pause_s", "state"), [(0.08, "losers-collected"), (0.2, "winners-paid")])
def test_done_that_bounces_counts_once(sic_bo: Rig, pause_s: float, state: str) -> None:
    """No hand collects the losers and pays the winners within a tenth of a second."""
    table = with_result(sic_bo, "sic-bo")
    table.world.press("done")
    table.wait(pause_s)
    table.world.press("done")
    assert table.state.value == state


def test_a_second_press_is_on_record_and_decided_alike_after_a_power_cut(sic_bo: Rig) -> None:
    table = with_result(sic_bo, "sic-bo")
    table.press("done", "done", "no-roll", "clear", "clear")
    presses = [record.event for record in table.records() if record.event.kind == "press"]
    assert [press.again for press in presses[-2:]] == [False, True]
    assert any(isinstance(effect, Refused) for effect in table.records()[-1].effects)
    lit = table.lit()
    table.power_cut()
    assert table.state.value == "winners-paid"
    assert table.lit() == lit
    assert not any(isinstance(effect, Alert) for effect in table.records()[-1].effects)


# -- the procedure of a round --------------------------------------------------------------------------------------


@pytest.mark.clause("539.5(e)", "539.5(f)")
def test_losers_are_collected_before_winners_are_paid(sic_bo: Rig) -> None:
    """§ 539.5(e), (f): one after the other, and the lamps are lit until both are done."""
    table = sic_bo
    table.press("no-more-bets", "3", "4", "6", "enter")
    lit = table.lit()
    table.press("clear", "no-more-bets")
    assert table.state.value == "result"
    assert table.waiting_for.startswith("Collect all losing wagers.")
    table.press("done", "no-more-bets")
    assert table.state.value == "losers-collected"
    assert table.waiting_for.startswith("Pay all winning wagers.")
    table.press("done", "no-more-bets", "done")
    assert (table.state.value, table.lit()) == ("winners-paid", lit)
    table.press("clear")
    assert (table.state.value, table.lit()) == ("bets-open", set())


@pytest.mark.clause("539.5(b)", "539.5(c)", "539.5(c)(1)", "539.5(c)(2)")
def test_dice_count_only_after_no_more_bets(sic_bo: Rig) -> None:
    """§ 539.5(b), (c): dice keyed earlier are refused, an earlier toss is none, the prompt says how to shake."""
    table = sic_bo
    table.press("3", "enter")
    assert table.state.value == "bets-open"
    table.press("no-more-bets")
    assert table.machine.instruction().code == "dice-shaking"
    assert "Cover the shaker. Shake it at least three times." in table.waiting_for
    table.press("no-roll")
    table.floor("shaker-installed")
    table.floor("renew")
    inspect_dice(table)
    table.press("shaker-done", "3")
    assert (table.state.value, table.last("alert").text) == ("bets-open", "tossed-early")
    table.press("no-more-bets", "3")
    assert (table.state.value, table.machine.instruction().code) == ("shaking", "dice-shaking-automated")
    table.press("shaker-done", "3")
    assert table.machine.data.entry == (3,)


def alerts(table: Rig) -> list[str]:
    return [one.text for record in table.records() for one in record.effects if one.kind == "alert"]


@pytest.mark.parametrize(("game", "void", "dice"), [("sic_bo", "no-roll", "346"), ("football", "no-roll 1", "661")])
def test_the_dealers_third_void_in_a_row_raises_an_alert(
    request: pytest.FixtureRequest, game: str, void: str, dice: str
) -> None:
    """And each further one, also after a power cut. The floorperson's does not count, a result ends the row."""
    table: Rig = request.getfixturevalue(game)

    def voids(times: int) -> None:
        for _ in range(times):
            table.press("no-more-bets", *void.split())

    voids(2)
    table.press("no-more-bets")
    table.floor(*("void", "die-lost") if game == "sic_bo" else ("no-roll", "cocked"))
    assert "dealers-calls" not in alerts(table)
    table.power_cut()
    voids(2)
    assert alerts(table).count("dealers-calls") == 2
    assert table.last("alert").parameters == {"calls": 4}
    table.press("no-more-bets", *dice, "enter", "done", "done", "clear")
    voids(2)
    assert alerts(table).count("dealers-calls") == 2
    voids(1)
    assert alerts(table).count("dealers-calls") == 3


# -- power, faults and closing, the same at every game -------------------------------------------------------------


@pytest.mark.parametrize(
    ("game", "steps", "asks"),
    [
        *(("sic_bo", f"no-more-bets {keys}", True) for keys in ("", "3", "3 4 6 enter", "3 4 6 enter done")),
        *(("football", "", False), ("football", "no-more-bets", True)),
        ("football", "no-more-bets 3 4 2 enter done clear", True),
        *(("war", "no-more-bets 1 enter 9", True), ("war", "no-more-bets 1 enter 9 8 enter done done", False)),
        *(("dreamcatcher", "", False), ("dreamcatcher", "no-more-bets spin 10", True)),
        ("keypad", "ball", True),
    ],
)
def test_after_a_long_cut_in_a_round_the_floorperson_decides(
    request: pytest.FixtureRequest, game: str, steps: str, asks: bool
) -> None:
    table: Rig = request.getfixturevalue(game)
    if steps == "ball":
        roulette_table.down(table)
    else:
        act(table, steps)
    before, lit = table.state, table.lit()
    table.power_cut(31 * 60)
    assert (table.state.value == "locked") is asks
    if asks:
        assert table.machine.causes[0].code == "long-pause"
        table.floor("unlock")
        assert (table.state, table.lit()) == (before, lit)


@pytest.mark.parametrize("game", ["sic_bo", "football", "war"])
def test_a_stuck_key_while_wagers_are_open_closes_the_table(request: pytest.FixtureRequest, game: str) -> None:
    table: Rig = request.getfixturevalue(game)
    table.world.fault("stuck-key", "5")
    table.wait(11)
    assert (table.state.value, [cause.code for cause in table.machine.causes]) == ("closed", ["key-stuck"])
    assert table.last("wagers-returned").reason in ("malfunction", "table-closed")
    table.world.repair()
    if game == "sic_bo":
        assert table.machine.data.failed_keys == ("5",)
        return
    table.floor("open")
    table.press("enter")
    assert (table.state.value, table.machine.causes) == ("bets-open", ())


@pytest.mark.parametrize(
    ("game", "steps", "ends"),
    [
        *(
            ("war", "no-more-bets dead initial-1-won 1 enter king 2 enter done", ends)
            for ends in ("clear", "done clear", "cover-card done clear")
        ),
        ("football", "no-more-bets dead trips-td 6 6 6 enter done done done clear done", "clear"),
        ("dreamcatcher", "no-more-bets dead 10 spin 10 done", "done clear"),
        ("dreamcatcher", "no-more-bets spin 10 burning 40 done", "done clear"),
    ],
)
def test_a_lamp_that_fails_in_a_round_stops_the_table_after_it(
    request: pytest.FixtureRequest, game: str, steps: str, ends: str
) -> None:
    """Whichever key ends the round: it is settled by its result, and no other one opens."""
    table: Rig = request.getfixturevalue(game)
    act(table, steps)
    assert table.state.value not in ("locked", "closed")
    number = table.machine.round
    act(table, ends)
    assert table.state.value == ("locked" if game == "dreamcatcher" else "closed")
    assert [cause.code for cause in table.machine.causes] == ["lamps-lit" if "burning" in steps else "lamps-dark"]
    assert table.machine.round - number == (game == "dreamcatcher")
    kinds = {effect.kind for record in table.records() for effect in record.effects}
    assert not kinds & {"void", "wagers-returned"}
    table.world.repair()
    table.floor()
    assert table.state.value in ("bets-open", "shuffle", "dice-offered")


@pytest.mark.parametrize(
    ("game", "steps", "returned"),
    [
        *(("sic_bo", "", ["table-closed"]), ("dreamcatcher", "", ["table-closed"])),
        *(("sic_bo", "no-more-bets 3 4 6 enter", None), ("dreamcatcher", "no-more-bets spin 10", None)),
        *(
            ("sic_bo", "no-more-bets 3 4 6 enter done done", []),
            ("dreamcatcher", "no-more-bets spin 10 done done", []),
        ),
        *(("football", "", ["table-closed"]), ("football", "no-more-bets 1 2 6 enter done done done", [])),
    ],
)
def test_the_table_closes_and_returns_wagers_but_not_over_a_result(
    request: pytest.FixtureRequest, game: str, steps: str, returned: list[str] | None
) -> None:
    table: Rig = request.getfixturevalue(game)
    act(table, steps)
    if returned is None:
        with pytest.raises(LookupError):
            table.floor("close")
        return
    table.floor("close")
    effects = [effect for record in table.records() for effect in record.effects]
    assert [effect.reason for effect in effects if effect.kind == "wagers-returned"] == returned
    table.power_cut()
    assert (table.state.value, table.lit()) == ("closed", set())
