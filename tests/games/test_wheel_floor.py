"""What only the floorperson can do at a wheel with a clapper, and what happens when something fails."""

import math
from collections.abc import Callable

import pytest
from effects import notes, voids
from open_tables import Shipped
from screen_table import screens_of

from controller.bench.rig import Rig
from controller.events.event import Health, PanelFault, SensorHealth

TABLE = "dreamcatcher"
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
def test_the_floorperson_can_end_the_round_in_every_state(table: Rig, state: str) -> None:
    """A multiplier does not last until the next morning. A result that is lit is made void first."""
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


@pytest.mark.clause("689a.2(a)", "689a.3(b)")
@pytest.mark.parametrize("before", ["no-more-bets", "bonus"])
def test_a_spin_whose_round_was_ended_decides_no_other_round(table: Rig, before: str) -> None:
    """Its wagers went back, its multiplier with them, and wagers on the next round are open."""
    until(table, before)
    table.spin(4.4, stop_on="10", rest=False)
    table.wait(2)
    table.floor("end-round")
    with pytest.raises(LookupError):
        table.floor("reverse")
    table.rest()
    assert (table.state.value, table.machine.round, table.lit()) == ("bets-open", 2, set())


@pytest.mark.parametrize("locked", [False, True])
def test_a_spin_before_the_round_is_cleared_is_void(table: Rig, locked: bool) -> None:
    """Also at a table that is locked."""
    until(table, "result")
    lit = table.lit()
    if locked:
        table.power_cut(seconds=3600)
    assert (table.state.value == "locked") is locked
    table.spin(4, stop_on="10")
    assert (voids(table), table.last("alert").text) == (["thrown-before-clear"], "thrown-before-clear")
    assert table.lit() == lit


@pytest.mark.clause("689a.2(c)", "619a.2(c)")
@pytest.mark.parametrize("game", ["dreamcatcher", "big-six"])
@pytest.mark.parametrize("settled", [0, 1])
def test_a_result_is_made_void_with_a_reason_and_an_alert_until_wagers_are_settled(
    opened: Callable[..., Rig], game: str, settled: int
) -> None:
    table = opened(game)
    until(table, "result")
    table.press(*("done",) * settled)
    table.floor("void", "wheel-hindered")
    assert (table.state.value, table.lit(), voids(table)) == ("respin", set(), ["wheel-hindered"])
    assert table.last("alert").text == "done-void"
    table.spin(4, stop_on="10")
    assert table.lit() == {"10"}
    table.press("done", "done")
    with pytest.raises(LookupError):
        table.floor("void")


@pytest.mark.parametrize("state", [*STATES, "losers-collected"])
def test_only_the_call_of_no_more_bets_is_taken_back_by_clear(table: Rig, state: str) -> None:
    """In a respin or a bonus the wheel was thrown already."""
    until(table, state.replace("losers-collected", "result"))
    table.press(*["done"] * (state == "losers-collected"), "clear")
    assert table.state.value == ("bets-open" if state == "no-more-bets" else state)
    assert ("wagers-reopened" in notes(table)) is (state == "no-more-bets")


@pytest.mark.parametrize("section", ["40", "7x"])
def test_a_wheel_that_was_moved_by_hand_gives_the_section_of_its_spin_back(table: Rig, section: str) -> None:
    table.press("no-more-bets")
    table.spin(4, stop_on=section)
    state, multiplier = table.state.value, table.machine.data.multiplier
    lit = table.lit()
    table.turn(0.5)
    assert (table.state.value, table.lit()) == (state, lit)
    assert (notes(table) == ["moved-after-result"]) is (section == "40")
    table.floor("void", "late-wagers")
    assert table.last("void").parameters["result"] == section
    table.floor("reverse")
    assert (table.state.value, table.machine.data.multiplier) == (state, multiplier)
    assert table.lit() == lit == ({"40"} if section == "40" else set())
    table.floor("void", "late-wagers")
    table.spin(4, stop_on="10")
    with pytest.raises(LookupError):
        table.floor("reverse")


@pytest.mark.parametrize("runs", [True, False])
def test_a_running_spin_is_called_void_and_given_back(table: Rig, runs: bool) -> None:
    """While it runs, or once it has come to rest on a section."""
    table.press("no-more-bets")
    table.spin(4.4, stop_on="40", rest=False)
    table.wait(2)
    table.floor("void", "spin-called-off")
    assert table.state.value == "void-spin"
    if not runs:
        table.rest()
        assert table.state.value == "respin"
    table.floor("reverse")
    assert not runs or table.last("note").text == "void-reversed"
    table.rest()
    assert (table.state.value, table.lit()) == ("result", {"40"})


@pytest.mark.clause("689a.2(f)")
def test_a_multiplier_of_a_spin_that_was_none_is_taken_back(table: Rig) -> None:
    table.press("no-more-bets")
    table.spin(4, stop_on="2x")
    table.spin(4, stop_on="7x")
    table.floor("void", "wheel-hindered")
    assert table.machine.data.multiplier == 2
    table.floor("reverse")
    assert (table.state.value, table.machine.data.multiplier) == ("bonus", 14)
    table.floor("void", "wheel-hindered")
    for section in ("40", "10"):
        table.spin(4, stop_on=section)
        assert table.last("result").wins[0].pays == f"{2 * int(section)} to 1"
        if section == "40":
            table.floor("void", "wheel-hindered")


def test_a_wheel_that_never_rests_locks_the_table(table: Rig) -> None:
    table.press("no-more-bets")
    for _ in range(40):
        table.spin(revolutions=4, rest=False)
        table.wait(4)
        if table.state.value == "locked":
            break
    assert table.state.value == "locked"
    assert table.last("void").reason == "not-at-rest"


@pytest.mark.clause("689a.1(e)")
@pytest.mark.parametrize(
    ("fault", "target", "amount", "sensor"),
    [
        ("dead-clapper", "", 0, "clapper"),
        ("missing-index", "", 0, "index"),
        ("stuck-high", "encoder_a", 0, "encoder_a"),
        ("stuck-low", "encoder_b", 0, "encoder_b"),
        ("stuck-high", "clapper", 0, "off-peg"),
        ("slip", "", 0.05, "encoder"),
        ("swapped", "", 0, "encoder"),
        ("lost-edges", "", 0.05, "encoder"),
        ("unplugged", "", 0, "encoder"),
    ],
)
def test_a_sensor_fault_voids_the_spin_locks_and_is_named(
    table: Rig, fault: str, target: str, amount: float, sensor: str
) -> None:
    table.press("no-more-bets")
    table.spin(revolutions=4.5, rest=False)
    table.wait(2)
    table.world.fault(fault, target, amount)
    table.rest()
    assert table.state.value == "locked"
    assert table.last("void").reason == "sensor-fault"
    assert sensor in str(table.last("lock").parameters) + str(table.last("sensor-health"))
    assert table.lit() == set()
    table.world.repair()
    table.floor()
    assert table.state.value == "locating"
    x = table.world.wheel.x
    table.turn((math.floor(x) + 130.7 - x) / 54, seconds=8)  # Twice around, and clear of the pegs.
    assert table.state.value == "confirming"
    section, _ = table.world.wheel.true_position()
    assert table.machine.data.section == section
    assert table.machine.instruction().parameters["number"] == section + 1
    table.floor()
    assert table.state.value == "respin"
    table.spin(stop_on="10")
    assert table.lit() == {"10"}


@pytest.mark.parametrize("missed_s", [1.0, 2.5])
def test_an_index_pulse_that_is_missed_in_the_spin_is_settled_by_later_ones(table: Rig, missed_s: float) -> None:
    """A valid spin is not void because one pulse was not seen."""
    table.press("no-more-bets")
    table.spin(stop_on="10", revolutions=6.5, rest=False)
    table.wait(1)
    table.world.fault("missing-index")
    table.wait(missed_s)
    table.world.repair()
    table.rest()
    seen = [
        (event.sensor, event.health.value)
        for event in (record.event for record in table.records())
        if event.kind == "sensor-health"
    ]
    assert (table.state.value, table.lit()) == ("result", {"10"}), seen
    assert ("index", "silent") in seen or missed_s < 2


@pytest.mark.parametrize("game", ["dreamcatcher", "big-six"])
def test_after_a_power_cut_a_position_that_was_to_be_confirmed_is_found_anew(shipped: Shipped, game: str) -> None:
    """The wheel may have been turned meanwhile: the key confirms nothing until it was around once more."""
    table = Rig(shipped(game))
    table.world.fault("missing-index")
    table.turn(2.2)
    table.world.repair()
    table.floor()
    table.turn(2.2)
    assert table.state.value == "confirming"
    table.power_cut()
    assert table.state.value == "locating"
    table.turn(2.2)
    assert table.state.value == "confirming"
    table.floor()
    assert table.state.value == "bets-open"


@pytest.mark.parametrize("hertz", [100, 200, 1000])
def test_noise_on_the_clapper_is_called_by_its_name(table: Rig, hertz: float) -> None:
    """Strikes come too fast for the pegs while the encoder counts on: the encoder is not what is broken."""
    table.press("no-more-bets")
    table.spin(3.3, stop_on=20, rest=False)
    table.wait(6)
    table.world.fault("noise", "clapper", hertz)
    table.wait(2)
    found = [event for event in (record.event for record in table.records()) if isinstance(event, SensorHealth)]
    assert (found[-1].sensor, found[-1].health) == ("clapper", Health.NOISY)
    table.world.repair()
    table.rest()
    assert table.last("void").reason == "sensor-fault"
    assert table.state.value == "locked"
    assert table.lit() == set()


# -- a wheel that turns while nobody can take its spin -------------------------------------------------------------


def test_a_wheel_that_races_after_a_power_cut_is_waited_for(table: Rig) -> None:
    """Nobody is asked to turn a wheel that turns, and its spin is void once."""
    table.press("no-more-bets")
    table.spin(revolutions=8, rest=False)
    table.wait(3)
    table.power_cut(seconds=2)
    assert table.state.value == "locating"
    screens = screens_of(table)
    for _ in range(3):
        table.wait(1)
        assert screens.dealer()["task"]["act"] == "let the wheel stand"
    table.rest()
    assert table.state.value == "respin"
    assert voids(table) == ["power-cut"]


def test_a_full_spin_before_the_position_is_known_is_void_and_says_so(table: Rig) -> None:
    table.press("no-more-bets")
    table.spin(stop_on="7x")
    table.power_cut()
    assert table.state.value == "locating"
    table.spin(stop_on="40")
    assert voids(table) == ["position-unknown"]
    assert table.state.value == "respin"
    assert table.machine.instruction().parameters == {"void": "position-unknown", "multiplier": 7}
    table.spin(stop_on="40")
    assert table.last("result").wins[0].pays == "280 to 1"


@pytest.mark.parametrize("ends_unlocked", [False, True])
def test_a_full_spin_while_the_table_is_locked_is_void_and_says_so(table: Rig, ends_unlocked: bool) -> None:
    """Also if it ends after the lock was opened."""
    table.press("no-more-bets")
    table.table.take([PanelFault(table.clock.now_ns(), (), ("1",))])
    assert table.state.value == "locked"
    table.spin(stop_on="40", rest=not ends_unlocked)
    table.wait(2)
    table.floor()
    assert table.state.value == ("no-more-bets" if ends_unlocked else "respin")
    table.rest()
    assert (table.state.value, voids(table)) == ("respin", ["table-locked"])
    table.rest()
    assert (table.state.value, voids(table)) == ("respin", ["table-locked"])


@pytest.mark.clause("689a.2(c)", "619a.2(c)")
@pytest.mark.parametrize("game", ["dreamcatcher", "big-six"])
def test_no_wagers_open_before_the_sensors_have_seen_the_wheels_index(shipped: Shipped, game: str) -> None:
    """Its position after a start is not known, whatever it was before."""
    table = Rig(shipped(game))
    for _ in range(3):
        table.turn(0.05, seconds=2)
    assert (table.state.value, table.last("note").text) == ("locating", "not-located-yet")
    table.turn(1.2)
    assert table.state.value == "bets-open"
