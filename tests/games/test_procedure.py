"""The procedure of a round: a key that is pressed again, losers before winners, the call, voids in a row."""

from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from dice_inspection import inspect_dice
from effects import alerts, effects, notes, returned, voids
from open_tables import Shipped, opened
from screen_table import screens_of
from steps import act

from controller.bench.rig import Rig
from controller.bench.scenario import ScenarioRig
from controller.events.effect import Alert, Refused
from controller.floor.derive import Reader
from controller.journal.summaries import round_summaries
from controller.runtime.table import Table
from hal.wall_time import SetBy

WHEELS = ("dreamcatcher", "big_six")
ROLLED = "no-more-bets 2 2 5 enter"
_DEALT = "no-more-bets 1 enter king 4 enter done done"


@pytest.mark.parametrize(
    ("game", "steps"),
    [
        *(
            ("sic_bo", f"{ROLLED} {then} clear")
            for then in ("done done no-roll", "done no-roll", "done done correct")
        ),
        ("dreamcatcher", "no-more-bets spin 40 done done floor-key clear"),
        *(("war", f"{_DEALT} {then}") for then in ("correct clear", "floor-key clear", "clear no-more-bets")),
        ("war", "no-more-bets 1 2 enter king 4 9 no-more-bets enter"),
    ],
)
def test_a_key_that_is_pressed_twice_counts_once(request: pytest.FixtureRequest, game: str, steps: str) -> None:
    """The first press takes a choice back, or answers; the second one comes from a hand that saw no answer."""
    table: Rig = request.getfixturevalue(game)
    act(table, steps)
    before = table.state, table.lit(), table.machine.round
    key = steps.split()[-1]
    table.press(key)
    assert (table.state, table.lit(), table.machine.round) == before
    assert table.last("refused").why == "pressed-twice"
    table.wait(1)
    table.press(key)
    assert (table.state, table.machine.round) != before[::2]


@pytest.mark.parametrize(("pause_s", "state"), [(0.08, "losers-collected"), (0.2, "winners-paid")])
def test_done_that_bounces_counts_once(sic_bo: Rig, pause_s: float, state: str) -> None:
    """No hand collects the losers and pays the winners within a tenth of a second."""
    table = sic_bo
    act(table, ROLLED)
    table.world.press("done")
    table.wait(pause_s)
    table.world.press("done")
    assert table.state.value == state


def test_a_second_press_is_on_record_and_decided_alike_after_a_power_cut(sic_bo: Rig) -> None:
    table = sic_bo
    act(table, f"{ROLLED} done done no-roll clear clear")
    presses = [record.event for record in table.records() if record.event.kind == "press"]
    assert [press.again for press in presses[-2:]] == [False, True]
    assert any(isinstance(effect, Refused) for effect in table.records()[-1].effects)
    lit = table.lit()
    table.power_cut()
    assert table.state.value == "winners-paid"
    assert table.lit() == lit
    assert not any(isinstance(effect, Alert) for effect in table.records()[-1].effects)


# -- the procedure of a round --------------------------------------------------------------------------------------


@pytest.mark.clause("539.5(e)", "539.5(f)", "619a.2(e)", "689a.2(e)")
@pytest.mark.parametrize(
    ("game", "steps"),
    [("sic_bo", "no-more-bets 3 4 6 enter"), *((game, "no-more-bets spin 20") for game in WHEELS)],
)
def test_losers_are_collected_then_winners_paid_and_only_then_the_round_ends(
    request: pytest.FixtureRequest, game: str, steps: str
) -> None:
    """One after the other, and the lamps are lit until both are done; the dealer's line says which."""
    table: Rig = request.getfixturevalue(game)
    act(table, steps)
    lit, number = table.lit(), table.machine.round
    for state, words in (("result", "Collect all losing wagers."), ("losers-collected", "Pay all winning wagers.")):
        # With the losers collected, clear also means that the winners of Sic Bo are paid.
        table.press("no-more-bets", *["clear"] * (state == "result" or game in WHEELS))
        assert (table.state.value, table.lit()) == (state, lit)
        assert table.waiting_for.startswith(words)
        table.press("done")
    table.press("no-more-bets", "done")
    assert (table.state.value, table.lit()) == ("winners-paid", lit)
    table.press("clear")
    assert (table.state.value, table.lit(), table.machine.round) == ("bets-open", set(), number + 1)


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


# -- corrections ---------------------------------------------------------------------------------------------------


@pytest.mark.clause("539.4(c)", "617a.5(c)", "651a.9(d)", "651a.9(h)")
@pytest.mark.parametrize("settled", [0, 1, 2])
@pytest.mark.parametrize(
    ("game", "wrong", "correct", "right", "labels", "settlement"),
    [
        (
            *("sic_bo", "no-more-bets 3 4 6", "correct", "3 4 5", ("3-4-6", "3-4-5")),
            ("", "losers-collected", "winners-paid"),
        ),
        (
            *("football", "no-more-bets 6 6 1", "correct", "3 4 2", ("6-6 red 1, gain", "3-4 red 2, gain")),
            ("", *["settled-single-plays"] * 2),
        ),
        (
            *("war", "no-more-bets 1 enter king 9", "correct 3", "king ace"),
            ("king-9, original deal", "king-ace, original deal"),
            ("", "losers-collected", "wagers-settled"),
        ),
        (
            *("keypad", "ball 1 8", "correct", "1 7", ("18, red", "17, black")),
            ("", "losers-collected", "winners-paid"),
        ),
    ],
)
def test_a_correction_needs_the_key_until_the_round_is_cleared(
    request: pytest.FixtureRequest,
    game: str,
    wrong: str,
    correct: str,
    right: str,
    labels: tuple[str, str],
    settlement: tuple[str, ...],
    settled: int,
) -> None:
    """Both results stay on record, and how far the first was settled; the screens show the second alone."""
    table: Rig = request.getfixturevalue(game)
    screens, indicators = screens_of(table), {*table.game.indicators}
    act(table, f"{wrong} enter {'done ' * min(settled, len({*settlement}) - 1)}")
    state, lit = table.state, table.lit()
    act(table, f"{correct} enter clear")
    assert (table.state, table.lit()) == (state, lit), "not by the dealer"
    table.wait(1)
    act(table, f"{correct} floor-key")
    assert (table.lit() - indicators, table.last("alert").text) == (set(), "done-correct")
    withdrawn = table.last("result-withdrawn")
    assert (withdrawn.label, withdrawn.settled) == (labels[0], settlement[settled])
    act(table, "no-roll clear" if "no-roll" in table.game.controls else "")
    assert voids(table) == [], "nor is it the dealer's void now"
    act(table, f"{right} enter")
    assert tuple(result.label for result in effects(table, "result")) == labels
    assert table.lit() - indicators not in (lit - indicators, set())
    assert len(screens.checked_board()["history"]) == 1
    screens.same_as_recalled()
    while table.state.value != "bets-open":
        table.press("done", "clear")
        table.wait(1)
    table.press("correct")
    assert effects(table, "result-withdrawn") == [withdrawn]


@pytest.mark.parametrize(
    ("game", "steps", "note"),
    [
        ("sic_bo", "no-more-bets 1 2 3 enter correct floor-key 1 2 3 enter", "corrected"),
        ("football", "no-more-bets 6 6 1 enter correct floor-key 6 6 1 enter", "football-corrected"),
        ("keypad", "ball 1 7 enter correct floor-key 1 7 enter", "number-corrected"),
    ],
)
def test_what_was_right_is_not_said_to_be_corrected(
    request: pytest.FixtureRequest, game: str, steps: str, note: str
) -> None:
    """Finding 17: the record does not say that 17 was corrected to 17."""
    table: Rig = request.getfixturevalue(game)
    act(table, steps.partition(" correct")[0])
    lit = table.lit()
    act(table, f"correct{steps.partition(' correct')[2]}")
    assert (table.lit(), note in notes(table)) == (lit, False)


_DEAL = "no-more-bets 1 enter 9 8 enter"


@pytest.mark.clause("617a.6(a)", "617a.6(b)", "617a.6(c)", "617a.6(d)", "619a.2(c)", "689a.2(c)")
@pytest.mark.parametrize(
    ("game", "steps", "void"),
    [
        *(
            (game, f"no-more-bets spin 20 {done}", "void wheel-hindered")
            for game in WHEELS
            for done in ("", "done")
        ),
        *(("keypad", f"ball 1 7 enter {done}", "void ball-left-wheel") for done in ("", "done", "done done")),
        *(("sic_bo", f"no-more-bets 1 2 3 enter {done}", "void not-tossed") for done in ("", "done", "done done")),
        *(("war", f"{_DEAL} {done}", "void") for done in ("", "done", "done done")),
        *(("war", _DEAL, act) for act in ("reshuffle", "close")),
        *(("war", f"no-more-bets 1 enter 9 9 enter done done {then}", "void") for then in ("", "war king")),
    ],
)
def test_a_round_that_is_void_is_no_result_anywhere(
    request: pytest.FixtureRequest, game: str, steps: str, void: str
) -> None:
    """Not on the board, in a list or count, or in the summary of the round, here and on the floor."""
    table: Rig = request.getfixturevalue(game)
    screens, number = screens_of(table), table.machine.round
    act(table, f"{steps} floor {void}")
    if "end-round" in {offer.act for offer in table.machine.offers()}:
        table.floor("end-round")
    board = screens.checked_board()
    assert (board["result"], board["wins"], board["lit"], board["history"], board["spins"]) == ("", [], [], [], 0)
    assert not any(line["count"] for line in board["counts"])
    screens.same_as_recalled()
    line = next(one for one in round_summaries(table.journal, None, "all")["rounds"] if one["round"] == number)
    assert (line["outcome"], line["label"], line["wins"]) == ("void", "", [])
    reader = Reader("t-1", 1)
    for entry in table.journal.entries():
        reader.take(entry)
    rounds = (one for one in reader.found().rounds if one["number"] == number)
    found = [(one["results"], one["corrections"], one["voids"]) for one in rounds]
    assert found == [([], 0, voids(table))] * (table.machine.round > number), "once the next one is open"


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
    act(table, steps)
    before, lit = table.state, table.lit()
    table.power_cut(31 * 60)
    assert (table.state.value == "locked") is asks
    if asks:
        assert table.machine.causes[0].code == "long-pause"
        table.floor("unlock")
        assert (table.state, table.lit()) == (before, lit)


class Unset(ScenarioRig):
    """Nobody has set the clock of its computer."""

    def _start(self) -> Table:
        self.world.computer.set_by = SetBy.NOBODY
        return super()._start()


def test_where_no_clock_shows_for_how_long_the_floorperson_decides(shipped: Shipped, tmp_path: Path) -> None:
    """If the computer stayed on, its own time shows it. With the power, that begins anew."""
    config, file = shipped("sic-bo"), tmp_path / "table.journal"
    kept: dict[str, Any] = {"seed": 1, "people": {}, "out": StringIO()}
    table = opened(config, file, Unset, **kept)
    act(table, "no-more-bets 3")
    before = table.state
    table.power_cut(5)
    assert table.state is before
    table.power_cut(3 * 3600)
    assert [cause.code for cause in table.machine.causes] == ["long-pause"]
    table.floor("unlock")
    table.close()
    table = Unset(config, file, **kept)
    assert [cause.code for cause in table.machine.causes] == ["pause-unknown"]
    table.floor("unlock")
    assert table.state is before
    table.close()


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
        *(
            ("football", f"{first}no-more-bets dead trips-td 6 6 6 enter done done done clear done", "clear")
            for first in ("", "no-more-bets 1 1 2 enter ")
        ),
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
    assert voids(table) == returned(table) == []
    table.world.repair()
    table.floor()
    assert table.state.value in ("bets-open", "shuffle", "dice-offered")


@pytest.mark.clause("617a.6(a)", "617a.6(b)", "617a.6(c)", "617a.6(d)", "619a.2(c)", "689a.2(c)")
@pytest.mark.parametrize(
    ("game", "steps"),
    [
        *((game, f"no-more-bets thrown panel {void}") for game in WHEELS for void in ("rest", "floor void")),
        *(("keypad", f"throw {call} panel no-spin 1") for call in ("", "no-more-bets")),
        ("keypad", "ball 1 7 enter panel floor void ball-left-wheel"),
    ],
)
def test_a_void_locks_a_table_whose_panel_failed_meanwhile(
    request: pytest.FixtureRequest, game: str, steps: str
) -> None:
    """Its lamps could not show the result of the next spin."""
    table: Rig = request.getfixturevalue(game)
    act(table, steps)
    if game in WHEELS:
        table.rest()
    assert len(voids(table)) == 1
    assert (table.state.value, [cause.code for cause in table.machine.causes]) == ("locked", ["lamps-dark"])
    table.floor()
    assert table.state.value == "respin"


@pytest.mark.parametrize(
    ("game", "steps", "goes_back"),
    [
        *(("sic_bo", "", ["table-closed"]), ("dreamcatcher", "", ["table-closed"])),
        *(("sic_bo", "no-more-bets 3 4 6 enter", None), ("dreamcatcher", "no-more-bets spin 10", None)),
        *(
            ("sic_bo", "no-more-bets 3 4 6 enter done done", []),
            ("dreamcatcher", "no-more-bets spin 10 done done", []),
        ),
        *(("football", "", ["table-closed"]), ("football", "no-more-bets 1 2 6 enter done done done", [])),
        *(("keypad", "throw", None), ("keypad", "ball", None), ("keypad", "ball 1 7 enter", None)),
    ],
)
def test_the_table_closes_and_returns_wagers_but_not_over_a_result(
    request: pytest.FixtureRequest, game: str, steps: str, goes_back: list[str] | None
) -> None:
    table: Rig = request.getfixturevalue(game)
    act(table, steps)
    if goes_back is None:
        with pytest.raises(LookupError):
            table.floor("close")
        return
    table.floor("close")
    assert returned(table) == goes_back
    table.power_cut()
    assert (table.state.value, table.lit()) == ("closed", set())
