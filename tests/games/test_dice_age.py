"""Age of dice and cards (§§ 539.2(b), 577.4(d), 651a.3(d)): a warning at 23 hours, no wagers after 24."""

import random

import pytest
from any_game import back_to_open, shipped_table
from dice_inspection import inspect_dice, open_automated
from effects import effects, returned
from open_tables import Shipped
from screen_table import screens_of
from steps import act

from controller.bench.oracle import Oracle
from controller.bench.rig import Rig
from controller.configuration.machines import table_machine
from controller.events.effect import Alert
from controller.events.event import ClockChecked, PowerRestored
from controller.events.words import NOTHING, Text
from controller.machine.registry import find_game, game_names

H = 3_600_000_000_000
HOUR_S = 3600
AGED = [name for name in game_names() if getattr(find_game(name).machine(shipped_table(name)), "equipment", ())]


def alerts(table: Rig, code: str) -> list[Alert]:
    return [alert for alert in effects(table, "alert") if alert.text == code]


def fitted_ns(table: Rig, name: str = "") -> int:
    stamps: dict[str, int] = table.machine.table.fitted_utc_ns
    return stamps[name] if name else max(stamps.values())


@pytest.fixture(params=AGED)
def aged(request: pytest.FixtureRequest) -> Rig:
    """A table of each game with dice or cards, open for wagers."""
    table = Rig(shipped_table(request.param))
    back_to_open(table, Oracle(), random.Random(1))
    return table


@pytest.mark.clause("539.2(b)", "577.4(d)", "651a.3(d)")
def test_the_age_limits_are_hours_to_the_second(aged: Rig) -> None:
    """Neither a second early, nor one late; with wagers open, they go back."""
    aged.power_cut()  # From now on by wall time.
    age_s = (aged.clock.utc_ns() - fitted_ns(aged)) / 1e9
    aged.wait(23 * HOUR_S - age_s - 1)
    assert not alerts(aged, "age-near")
    aged.wait(2)
    assert alerts(aged, "age-near")
    aged.wait(HOUR_S - 2)
    assert aged.state.value == "bets-open"
    aged.wait(2)
    assert (aged.state.value, len(alerts(aged, "age-reached"))) == ("equipment-due", 1)
    assert returned(aged)[-1].endswith("-retired")
    aged.press("no-more-bets")
    assert aged.state.value == "equipment-due"


@pytest.mark.clause("539.2(b)", "577.4(d)", "651a.3(d)")
@pytest.mark.parametrize(("hours", "state"), [(22.5, "bets-open"), (23.5, "bets-open"), (25, "equipment-due")])
def test_they_age_while_the_power_is_off(aged: Rig, hours: float, state: str) -> None:
    aged.wait(22 * HOUR_S)
    aged.power_cut(seconds=(hours - 22) * HOUR_S)
    aged.wait(1)
    assert aged.state.value == state
    assert bool(alerts(aged, "age-near")) is (hours == 23.5)


@pytest.mark.clause("539.2(b)", "577.4(d)", "651a.3(d)")
@pytest.mark.parametrize(
    ("game", "before", "after", "then"),
    [
        ("sic_bo", "no-more-bets", "3 4 6 enter done done clear", "bets-open"),
        ("war", "no-more-bets 1 enter", "9 8 enter done done clear", "shuffle"),
        (
            "football",
            "no-more-bets 1 2 5 enter done clear",
            "no-more-bets 1 1 6 enter done done done clear enter",
            "dice-offered",
        ),
    ],
)
def test_a_round_whose_wagers_were_closed_is_finished_and_no_other_one_opens(
    request: pytest.FixtureRequest, game: str, before: str, after: str, then: str
) -> None:
    table: Rig = request.getfixturevalue(game)
    act(table, before)
    table.wait(24.1 * HOUR_S)
    act(table, after)
    assert (table.state.value, returned(table)) == ("equipment-due", [])
    table.press("no-more-bets", "enter")
    if game == "war":
        table.floor("reshuffle")
        table.press("enter")
    assert table.state.value == "equipment-due"
    table.floor()
    assert table.state.value == then
    table.press("enter")
    assert table.state.value == "bets-open"


# -- the dice of Sic Bo --------------------------------------------------------------------------------------------


@pytest.mark.clause("539.2(b)")
def test_dice_whose_age_nobody_has_recorded_take_no_wager(shipped: Shipped) -> None:
    table = Rig(shipped("sic-bo"))
    inspect_dice(table)
    assert (table.state.value, returned(table)) == ("equipment-due", [])
    table.floor()
    assert table.state.value == "bets-open"


@pytest.mark.clause("539.2(b)", "539.7(d)")
def test_each_shaker_has_its_own_dice(shipped: Shipped) -> None:
    """The manual shaker's dice are not those of the automated one, and these keep their age."""
    table = open_automated(shipped)
    table.wait(20 * HOUR_S)
    table.floor("shaker-removed")
    assert table.state.value == "equipment-due", "nobody has recorded what is in the manual shaker"
    assert returned(table) == ["dice-retired"]
    table.floor()
    table.wait(3.5 * HOUR_S)
    assert [alert.parameters["equipment"] for alert in alerts(table, "age-near")] == ["shaker-dice"]
    table.floor("shaker-installed")
    inspect_dice(table)
    assert table.state.value == "bets-open"
    table.wait(0.6 * HOUR_S)
    assert table.state.value == "equipment-due", "those of the automated shaker are 24 hours old"
    number = table.machine.round
    table.floor("shaker-removed")
    assert table.state.value == "bets-open", "those of the manual shaker are fresh"
    assert table.machine.round == number + 1
    table.wait(20 * HOUR_S)
    assert table.state.value == "equipment-due"


# -- a wall time that was not certain ------------------------------------------------------------------------------


def clock(table: Rig, moved_h: float = 0, started_ns: int | None = None, doubt: Text = NOTHING) -> None:
    """The table learns of its wall time."""
    started = table.clock.utc_ns() if started_ns is None else started_ns
    moved_ns = round(moved_h * H)
    table.clock._utc_ns += moved_ns
    event = ClockChecked(table.clock.now_ns(), table.clock.utc_ns(), moved_ns, started, doubt)
    table.table.take([event])


@pytest.mark.clause("539.2(b)")
def test_a_clock_that_was_set_back_retires_them(aged: Rig) -> None:
    """Their age is no longer known."""
    machine = table_machine(aged.game, aged.config)
    machine.restore(aged.machine.snapshot())
    decision = machine.handle(PowerRestored(0, fitted_ns(aged) - 1, "", ""))
    assert any(isinstance(effect, Alert) and effect.text == "age-unknown" for effect in decision.effects)
    assert decision.state == "equipment-due"


@pytest.mark.clause("539.2(b)")
def test_the_age_in_doubt_is_said_and_play_goes_on(aged: Rig) -> None:
    screens = screens_of(aged)
    aged.wait(5.5 * HOUR_S)
    clock(aged, doubt=Text("clock-unset"))
    (shown,) = screens.dealer()["ages"]
    assert (shown["age"][:12], shown["warn"]) == ("at least 5 h", True)
    assert [alert.parameters["hours"] for alert in alerts(aged, "age-uncertain")] == [5]
    assert aged.state.value == "bets-open"


@pytest.mark.clause("539.2(b)")
def test_a_clock_that_is_set_ages_what_is_older_than_the_start(aged: Rig) -> None:
    """They were in the table while its clock stood still."""
    aged.wait(HOUR_S)
    clock(aged, moved_h=22.9)
    aged.wait(1)
    assert (aged.state.value, len(alerts(aged, "age-near"))) == ("bets-open", 1)
    aged.wait(0.2 * HOUR_S)
    assert aged.state.value == "equipment-due"


@pytest.mark.clause("539.2(b)")
def test_it_does_not_age_what_was_put_to_use_since_the_start(aged: Rig) -> None:
    started_ns = fitted_ns(aged)
    aged.wait(HOUR_S)
    clock(aged, moved_h=500, started_ns=started_ns)
    aged.wait(21.9 * HOUR_S)
    assert not alerts(aged, "age-near")
    aged.wait(0.2 * HOUR_S)
    assert alerts(aged, "age-near")
