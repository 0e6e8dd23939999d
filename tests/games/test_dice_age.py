"""Age of dice (§ 539.2(b)): a warning at 23 hours, no round after 24, with power or without, for each shaker."""

from collections.abc import Callable

import pytest
from dice_inspection import inspect_dice, open_automated
from retirement import reach_age

from config.schema import TableConfig
from controller.bench.rig import Rig
from controller.events.effect import Alert
from controller.events.event import ClockChecked, PowerRestored, Press, TableStarted
from controller.statechart.registry import find_game

HOUR_S = 3600
WARNING = "changed soon"


def alerts(table: Rig) -> list[str]:
    return [effect.text for record in table.records() for effect in record.effects if effect.kind == "alert"]


def roll(table: Rig, dice: str) -> None:
    table.press("no-more-bets", *dice, "enter")


def settle(table: Rig) -> None:
    table.press("done", "done", "clear")


@pytest.mark.clause("539.2(b)")
def test_dice_are_retired_after_24_hours(sic_bo: Rig) -> None:
    """A warning at 23 hours, no new round after 24 until new dice are recorded."""
    table = sic_bo
    table.wait(22.9 * HOUR_S)
    with pytest.raises(LookupError):
        table.last("alert")
    table.wait(0.2 * HOUR_S)
    assert "changed soon" in table.last("alert").text
    roll(table, "346")
    table.wait(1 * HOUR_S)
    assert table.state.value == "result"
    assert "the dice have reached their age (§ 539.2(b))" in table.last("alert").text
    with pytest.raises(LookupError):
        table.last("wagers-returned")
    settle(table)
    assert table.state.value == "dice-due"
    table.press("no-more-bets")
    assert table.state.value == "dice-due"
    table.press("floor-key", "2")
    assert table.state.value == "bets-open"


@pytest.mark.parametrize("game", ["sic_bo", "football", "war"])
def test_the_age_limits_are_hours_to_the_second(request: pytest.FixtureRequest, game: str) -> None:
    """§ 539.2(b), § 577.4(d), § 651a.3(d): neither a second early, nor one late."""
    table = request.getfixturevalue(game)
    table.power_cut()  # From now on by wall time.
    age_s = (table.clock.utc_ns() - table.machine.data.fitted_utc_ns) / 1e9
    table.wait(23 * HOUR_S - age_s - 1)
    assert not any(WARNING in alert for alert in alerts(table))
    table.wait(2)
    assert any(WARNING in alert for alert in alerts(table))
    table.wait(HOUR_S - 2)
    assert table.state.value == "bets-open"
    table.wait(2)
    assert table.last("wagers-returned").reason.endswith("-retired")


@pytest.mark.clause("539.2(b)")
def test_dice_whose_age_nobody_has_recorded_open_no_round(shipped: Callable[[str], TableConfig]) -> None:
    table = Rig(shipped("sic-bo"))
    inspect_dice(table)
    assert table.state.value == "dice-due"
    table.press("floor-key", "2")
    assert table.state.value == "bets-open"


@pytest.mark.clause("539.2(b)")
def test_dice_age_while_the_power_is_off(sic_bo: Rig) -> None:
    table = sic_bo
    table.power_cut(seconds=25 * HOUR_S)
    table.wait(1)
    assert table.state.value == "dice-due"
    assert table.last("wagers-returned").reason == "dice-retired"


@pytest.mark.clause("539.2(b)")
@pytest.mark.parametrize("leaves", ["clear", "power cut"])
def test_dice_that_are_retired_while_the_menu_is_open_open_no_round(sic_bo: Rig, leaves: str) -> None:
    table = sic_bo
    reach_age(table, leaves)
    assert table.state.value == "dice-due"
    assert table.last("wagers-returned").reason == "dice-retired"


@pytest.mark.clause("539.2(b)")
def test_a_clock_that_was_set_back_retires_the_dice(shipped: Callable[[str], TableConfig]) -> None:
    """Their age is no longer known."""
    machine = find_game("sic-bo").machine(shipped("sic-bo"))
    machine.handle(TableStarted(0, 10**18, "", ""))
    for control in ("floor-key", "2"):
        machine.handle(Press(0, control, 10**18))
    decision = machine.handle(PowerRestored(0, 10**18 - 1, "", ""))
    assert machine.data.retired
    assert any("clock" in effect.text for effect in decision.effects if isinstance(effect, Alert))


@pytest.mark.clause("539.2(b)")
@pytest.mark.parametrize(("hours", "warned"), [(22.5, False), (23.5, True)])
def test_a_warning_whose_time_passed_without_power_is_given(sic_bo: Rig, hours: float, warned: bool) -> None:
    sic_bo.wait(22 * HOUR_S)
    sic_bo.power_cut(seconds=(hours - 22) * HOUR_S)
    sic_bo.wait(1)
    assert any(WARNING in alert for alert in alerts(sic_bo)) is warned
    sic_bo.wait(1 * HOUR_S)
    assert any(WARNING in alert for alert in alerts(sic_bo))


@pytest.mark.clause("539.2(b)", "539.7(d)")
def test_each_shaker_has_its_own_dice(shipped: Callable[[str], TableConfig]) -> None:
    """The manual shaker's dice are not those of the automated one, and these keep their age."""
    table = open_automated(shipped)
    table.wait(20 * HOUR_S)
    table.press("floor-key", "3")
    assert table.state.value == "dice-due", "nobody has recorded what is in the manual shaker"
    assert table.last("wagers-returned").reason == "dice-retired"
    table.press("floor-key", "2")
    assert table.state.value == "bets-open"
    table.wait(3.5 * HOUR_S)
    assert not alerts(table), "they are 3.5 hours old"
    table.press("floor-key", "4")
    inspect_dice(table)
    assert table.state.value == "bets-open"
    assert any(WARNING in alert for alert in alerts(table)), "those of the automated shaker are 23.5 hours old"
    table.wait(0.6 * HOUR_S)
    assert table.state.value == "dice-due"
    table.press("floor-key", "3")
    assert table.state.value == "bets-open", "those of the manual shaker are fresh"
    table.wait(19 * HOUR_S)
    assert table.state.value == "bets-open"
    table.wait(1 * HOUR_S)
    assert table.state.value == "dice-due"


@pytest.mark.clause("539.2(b)", "539.7(d)")
def test_dice_that_were_retired_are_due_when_their_shaker_comes_back(shipped: Callable[[str], TableConfig]) -> None:
    table = open_automated(shipped)
    table.wait(25 * HOUR_S)
    table.press("floor-key", "3", "floor-key", "2", "floor-key", "4")
    inspect_dice(table)
    assert table.state.value == "dice-due"


# -- a wall time that was not certain ------------------------------------------------------------------------------

GAMES = pytest.mark.parametrize("game", ["sic_bo", "football", "war"])
H = 3_600_000_000_000


def clock(table: Rig, moved_h: float = 0, started_ns: int | None = None, doubt: str = "") -> None:
    """The table learns of its wall time."""
    started = table.clock.utc_ns() if started_ns is None else started_ns
    moved_ns = round(moved_h * H)
    table.clock._utc_ns += moved_ns
    event = ClockChecked(table.clock.now_ns(), table.clock.utc_ns(), moved_ns, started, doubt)
    table.table.take([event])


@pytest.mark.clause("539.2(b)")
@GAMES
def test_the_age_in_doubt_is_said_and_play_goes_on(request: pytest.FixtureRequest, game: str) -> None:
    table = request.getfixturevalue(game)
    table.wait(5.5 * HOUR_S)
    clock(table, doubt="nobody has set it")
    said = alerts(table)
    assert any("clock may be wrong: nobody has set it" in alert for alert in said)
    assert any("not certain: at least 5 h" in alert for alert in said)
    assert table.state.value == "bets-open"


@pytest.mark.clause("539.2(b)")
@GAMES
def test_a_clock_that_is_set_ages_what_is_older_than_the_start(request: pytest.FixtureRequest, game: str) -> None:
    """They were in the table while its clock stood still."""
    table = request.getfixturevalue(game)
    table.wait(HOUR_S)
    clock(table, moved_h=22.9)
    table.wait(1)
    assert any(WARNING in alert for alert in alerts(table))
    assert table.state.value == "bets-open"
    table.wait(0.2 * HOUR_S)
    assert table.last("wagers-returned").reason.endswith("-retired")


@pytest.mark.clause("539.2(b)")
@GAMES
def test_it_does_not_age_what_was_put_to_use_since_the_start(request: pytest.FixtureRequest, game: str) -> None:
    table = request.getfixturevalue(game)
    started_ns = table.machine.data.fitted_utc_ns
    table.wait(HOUR_S)
    clock(table, moved_h=500, started_ns=started_ns)
    assert not any(WARNING in alert for alert in alerts(table))
    assert table.state.value == "bets-open"
    table.wait(21.9 * HOUR_S)
    assert not any(WARNING in alert for alert in alerts(table))
    table.wait(0.2 * HOUR_S)
    assert any(WARNING in alert for alert in alerts(table))


def test_a_clock_that_is_set_while_dice_are_shaken_ends_no_round(sic_bo: Rig) -> None:
    table = sic_bo
    table.press("no-more-bets")
    clock(table, moved_h=30)
    table.wait(1)
    assert any("have reached their age" in alert for alert in alerts(table))
    table.press("3", "4", "6", "enter")
    assert table.state.value == "result"
    settle(table)
    assert table.state.value == "dice-due"


def test_the_dice_of_the_shaker_that_is_not_in_use_age_with_the_clock(
    shipped: Callable[[str], TableConfig],
) -> None:
    table = open_automated(shipped)
    table.press("floor-key", "3", "floor-key", "2")
    before = table.machine.data
    clock(table, moved_h=30, started_ns=before.fitted_utc_ns)
    after = table.machine.data
    assert after.fitted_utc_ns == before.fitted_utc_ns + 30 * H, "put to use since the start"
    assert after.spare_utc_ns == before.spare_utc_ns, "these are 30 hours older"
    table.press("floor-key", "4")
    inspect_dice(table)
    assert table.state.value == "dice-due"
