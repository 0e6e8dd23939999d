"""Sic Bo as dealer, floorperson and players see it (ch. 539), and what every roll lights and pays."""

from fractions import Fraction
from itertools import product

import pytest
from dice_inspection import ROLLS, automated, inspect_dice, open_automated, open_dice, values
from effects import alerts, effects, returned
from limits_table import confirm, restart
from open_tables import Shipped
from sic_bo_regulation import LEAST_ODDS, ONE_OF_A_KIND, lit_by_hand, paid_by_hand
from staff import FLOOR, MAINTENANCE, identify, staff

from config.schema import LayoutSection, TableConfig
from controller.bench.rig import Rig
from controller.games.dice.bench import watch_lamps
from controller.games.dice.inspection import EACH_NS
from controller.machine.registry import find_game
from controller.viewmodel.description import describe

TABLE = "sic_bo"
HOUR_S = 3600


@pytest.fixture
def shaker(shipped: Shipped) -> Rig:
    """A table with an automated shaker, open for wagers."""
    return open_automated(shipped)


@pytest.fixture(params=["manual", "automated"])
def either(request: pytest.FixtureRequest, sic_bo: Rig, shipped: Shipped) -> Rig:
    """A table with either shaker, with a toss after no more bets."""
    table = sic_bo if request.param == "manual" else open_automated(shipped)
    table.press("no-more-bets", *(("shaker-done",) if request.param == "automated" else ()))
    return table


def roll(table: Rig, dice: str) -> None:
    table.press("no-more-bets", *dice, "enter")


def settle(table: Rig) -> None:
    table.press("done", "done", "clear")


def stick(table: Rig, key: str = "9") -> None:
    table.world.fault("stuck-key", key)
    table.wait(11)


def reasons(table: Rig) -> dict[str, str]:
    """The voids of this state, each with why it is not possible."""
    return {one.argument: one.unavailable.code for one in table.machine.offers() if one.act == "void"}


@pytest.mark.clause("539.1(b)", "539.2(a)")
def test_entry_clear_and_refusals(table: Rig) -> None:
    table.press("no-more-bets", "3")
    beeps = table.world.sounder.beeps
    table.press("7", "0", "9")
    assert (table.world.sounder.beeps, table.machine.data.entry) == (beeps + 3, (3,))
    table.press("enter", "4", "enter")
    assert (table.state.value, table.last("refused").control) == ("entry", "enter")
    table.press("6", "2")
    assert (table.machine.data.entry, table.last("refused").control) == ((3, 4, 6), "2")
    assert table.machine.instruction().parameters["entry"] == "3-4-6"
    table.press("clear")
    assert table.machine.data.entry == ()
    table.press("1", "1", "5", "enter")
    assert table.lit() == lit_by_hand(1, 1, 5)


# -- voids ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("settled", ["", "losers-collected", "winners-paid"])
def test_a_void_records_what_had_been_lit_and_paid(table: Rig, settled: str) -> None:
    roll(table, "123")
    table.press(*("done",) * ["", "losers-collected", "winners-paid"].index(settled))
    table.floor("void", "not-tossed")
    void = table.last("void")
    assert (void.reason, void.parameters["dice"], void.parameters["settled"]) == ("not-tossed", "1-2-3", settled)
    assert set(str(void.parameters["lit"]).split(",")) == lit_by_hand(1, 2, 3)
    assert (table.last("alert").text, table.lit()) == ("done-void", set())


@pytest.mark.clause("539.7(c)")
def test_what_a_sensor_contradicts_is_refused_whoever_gives_it(shaker: Rig) -> None:
    """A shaker that signalled its cycle has not failed, and dice that it has not tossed are not uneven."""
    table = shaker
    table.press("no-more-bets", "no-roll")
    assert (table.state.value, table.last("refused").why) == ("shaking", "no-toss-seen")
    assert {reason for reason, why in reasons(table).items() if why} == {"dice-not-flat", "second-toss"}
    for keys in ("shaker-done", "6 6 6", "enter", "done", "done"):
        table.press(*keys.split())
        assert reasons(table) == {
            "dice-not-flat": "",
            "shaker-failed": "toss-seen",
            "not-tossed": "toss-seen",
            "second-toss": "no-second-toss",
            "die-lost": "",
        }
        with pytest.raises(LookupError):
            table.floor("void", "shaker-failed")
        table.press("clear")
        table.wait(1)
        if not table.lit():
            assert table.state.value == "entry"
            table.press("clear")


@pytest.mark.parametrize("by", ["no-roll", "floorperson"])
def test_a_void_by_mistake_is_taken_back_until_wagers_are_closed(either: Rig, by: str) -> None:
    table = either
    if by == "no-roll":
        table.press("no-roll")
    else:
        table.press(*"346", "enter")
        table.floor("void", "die-lost")
    table.floor("reverse")
    assert (table.state.value, table.last("alert").text) == ("entry", "done-reverse")
    table.press("correct", *"346", "enter")
    assert table.lit() == lit_by_hand(3, 4, 6), "wagers stay closed"
    settle(table)
    with pytest.raises(LookupError):
        table.floor("reverse")
    table.press("clear", "no-more-bets")
    table.floor("void", "die-lost")
    table.press("no-more-bets", "correct")
    with pytest.raises(LookupError):
        table.floor("reverse")


def test_a_void_is_final_once_the_shaker_has_tossed_again(shaker: Rig) -> None:
    """The dice of the void round cannot be seen any more."""
    shaker.press("no-more-bets", "shaker-done")
    shaker.floor("void", "die-lost")
    shaker.press("shaker-done")
    with pytest.raises(LookupError):
        shaker.floor("reverse")


@pytest.mark.clause("539.6(b)")
def test_a_void_is_final_once_other_odds_count(table: Rig) -> None:
    """No wager is settled by odds that were not shown when it was placed."""
    odds = table.config.layout.model_copy(update={"odds": {"small": Fraction(2)}})
    restart(table, table.config.model_copy(update={"layout": odds}))
    confirm(table)
    table.press("no-more-bets")
    table.floor("void", "die-lost")
    assert "small" in table.last("terms-in-effect").terms.house.odds
    with pytest.raises(LookupError):
        table.floor("reverse")


# -- no more bets -----------------------------------------------------------------------------------------------


@pytest.mark.clause("539.5(b)")
def test_no_more_bets_is_taken_back_with_an_alert_while_nobody_can_have_seen_the_dice(table: Rig) -> None:
    """§ 539.5(b): an entry that was wiped does not unsee them, and a power cut may have been long enough."""
    table.press("no-more-bets", "correct")
    assert (table.state.value, table.last("alert").text) == ("bets-open", "wagers-reopened")
    table.press("no-more-bets", "3", "clear", "correct")
    assert (table.state.value, table.last("refused").why) == ("entry", "dice-may-be-seen")
    table.floor("void", "dice-not-flat")
    table.press("no-more-bets")
    table.power_cut()
    assert table.machine.instruction().code == "dice-shaking-resumed"
    table.press("correct")
    assert (table.state.value, table.last("refused").why) == ("shaking", "dice-may-be-seen")


# -- malfunctions -----------------------------------------------------------------------------------------------


@pytest.mark.clause("539.7(b)")
def test_a_malfunction_after_the_roll_is_settled_and_closes_the_table(table: Rig) -> None:
    table.world.fault("dead-lamp", "big")
    roll(table, "466")
    found = table.machine.instruction()
    assert (table.state.value, found.code) == ("malfunction", "dice-malfunction-lit")
    assert "big 1 to 1" in str(found.parameters["wins"]).split(",")
    table.press("done", "clear", "enter", "5")
    assert (table.state.value, table.machine.data.entry) == ("malfunction", (4, 6, 6))
    table.floor()
    assert (table.state.value, table.lit(), table.last("note").text) == ("closed", set(), "settled")
    table.press("no-more-bets")
    assert [cause.code for cause in table.machine.causes] == ["lamps-dark"]
    table.floor()
    table.press(*"566", "enter")
    assert table.state.value == "closed", "the lamp is still dead"
    table.world.repair()
    inspect_dice(table)
    assert (table.state.value, table.machine.causes) == ("bets-open", ())


@pytest.mark.clause("539.7(b)")
@pytest.mark.parametrize("keys", ["", "4", "4 6 6 enter", "4 6 6 enter done", "4 6 6 enter done done"])
@pytest.mark.parametrize("fault", ["stuck", "unplugged", "panel", "controller"])
def test_with_the_dice_uncovered_a_fault_is_a_malfunction_at_once(
    either: Rig, keys: str, fault: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = either
    table.press(*keys.split())
    if fault == "stuck":
        stick(table)
    elif fault == "unplugged":
        table.world.fault("keys-unplugged")
    elif fault == "panel":
        table.world.fault("burning-lamp", "total-4")
        table.wait(2)
    else:
        with monkeypatch.context() as patch:
            patch.setattr(table.machine.rounds, "refused_because", lambda press: 1 / 0)
            table.press("7")
    assert table.state.value == "malfunction"
    table.world.repair()
    assert table.state.value == "malfunction", "repaired, it does not play on without a floorperson"
    if not table.machine.data.result:
        table.press("clear", *"466", "enter")
    assert table.last("result").label == "4-6-6"
    table.floor()
    assert (table.state.value, table.lit()) == ("closed", set())
    assert returned(table) == []


@pytest.mark.clause("539.7(a)", "539.7(c)")
@pytest.mark.parametrize("reason", ["not-tossed", "dice-not-flat", "die-lost"])
def test_a_malfunction_of_dice_that_do_not_count_returns_the_wagers(table: Rig, reason: str) -> None:
    table.press("no-more-bets")
    stick(table, "5")
    table.press("no-roll", "clear")
    assert table.state.value == "malfunction"
    table.floor("void", reason)
    assert (table.state.value, table.last("wagers-returned").reason) == ("closed", reason)


# -- the automated shaker ---------------------------------------------------------------------------------------


@pytest.mark.clause("539.1(d)(2)", "539.5(c)(2)", "539.7(c)", "539.7(d)")
def test_a_failed_shaker_voids_the_round_and_a_manual_one_waits_for_its_removal(shaker: Rig) -> None:
    """§ 539.7(c), (d)."""
    table = shaker
    table.press("no-more-bets", "shaker-fault")
    assert (table.state.value, table.last("wagers-returned").reason) == ("bets-open", "shaker-failed")
    with pytest.raises(LookupError):
        table.floor("reverse")
    table.press("clear", "no-more-bets", "3")
    assert table.state.value == "shaking"
    table.press("shaker-done", "3", "4", "6", "enter")
    assert table.lit() == lit_by_hand(3, 4, 6)
    settle(table)
    table.floor("shaker-removed")
    assert (table.last("alert").text, table.state.value) == ("done-shaker-removed", "equipment-due")
    table.floor()
    roll(table, "111")
    assert table.lit() == lit_by_hand(1, 1, 1)
    settle(table)
    table.floor("shaker-installed")
    assert table.state.value == "closed"


@pytest.mark.clause("539.5(c)")
def test_dice_that_are_shaken_by_hand_are_no_matter_of_another_shaker(table: Rig) -> None:
    """§ 539.5(c)(1): its contacts count for nothing while it is not on the table."""
    table.press("shaker-done", "no-more-bets", "shaker-done", "shaker-fault")
    assert (table.state.value, table.machine.instruction().code) == ("shaking", "dice-shaking")
    table.press("3", "shaker-done", "4", "6", "enter", "shaker-done", "shaker-fault")
    assert (table.state.value, effects(table, "alert")[1:]) == ("result", [])


@pytest.mark.clause("539.5(e)", "539.7(c)")
@pytest.mark.parametrize(("again", "code"), [("shaker-done", "toss-again"), ("shaker-fault", "shaker-failed-late")])
def test_there_is_one_toss_a_round(shaker: Rig, again: str, code: str) -> None:
    """§§ 539.5(e), 539.7(c): whoever tosses again could choose. The dice on record count."""
    table = shaker
    table.press("no-more-bets", "shaker-done", "3", again)
    assert (table.state.value, table.last("alert").text) == ("toss-in-doubt", code)
    table.press("4", "enter", "no-roll", "1", "clear")
    assert table.state.value == "toss-in-doubt"
    table.floor()
    table.press("3", "4", "5", "enter")
    assert table.last("result").label == "3-4-5"
    for keys in ((), ("done",), ("done",)):
        table.press(*keys, again)
        assert table.last("alert").parameters == {"counts": "first-toss-counts"}
        assert table.lit() == lit_by_hand(3, 4, 5)


@pytest.mark.clause("539.5(e)", "539.7(c)")
@pytest.mark.parametrize("reason", ["second-toss", "shaker-failed"])
def test_a_shaker_that_tosses_twice_or_never_makes_the_round_void_by_the_key(shaker: Rig, reason: str) -> None:
    """A second toss hides the first; one that does not come is reported."""
    table = shaker
    table.press("no-more-bets")
    if reason == "second-toss":
        table.press("shaker-done", "shaker-done", "no-roll", "clear")
        assert table.state.value == "toss-in-doubt", "not by the dealer"
    else:
        table.wait(61)
        assert table.last("alert").text == "toss-late"
    assert reasons(table)[reason] == ""
    table.floor("void", reason)
    assert (table.state.value, table.last("void").reason) == ("bets-open", reason)


@pytest.mark.clause("539.5(e)", "539.7(c)")
@pytest.mark.parametrize(
    ("signal", "state"), [("", "entry"), ("shaker-done", "entry"), ("shaker-fault", "bets-open")]
)
@pytest.mark.parametrize("off_s", [5, HOUR_S])
def test_a_power_cut_during_the_toss_orders_no_other_one(shaker: Rig, signal: str, state: str, off_s: int) -> None:
    """Nor does a signal that comes while the table is locked get lost."""
    table = shaker
    table.press("no-more-bets")
    table.power_cut(seconds=off_s)
    assert table.state.value == ("toss-in-doubt" if off_s == 5 else "locked")
    table.press(*filter(None, [signal]))
    assert ("toss-seen-late" in alerts(table)) is (signal == "shaker-done")
    if off_s != 5:
        table.floor("unlock")
    if state == "entry":
        table.press("3")
        table.floor()
        table.press("3", "4", "5", "enter")
        assert table.last("result").label == "3-4-5"
    else:
        assert (table.state.value, table.last("void").reason) == (state, "shaker-failed")


@pytest.mark.clause("539.7(b)")
def test_a_key_that_fails_while_the_table_is_locked_is_a_malfunction_all_the_same(table: Rig) -> None:
    table.press("no-more-bets", "3")
    table.power_cut(seconds=HOUR_S)
    stick(table, "5")
    assert table.state.value == "locked"
    table.world.repair()
    table.floor("unlock")
    assert (table.state.value, table.machine.data.failed_keys) == ("malfunction", ("5",))


@pytest.mark.clause("539.7(a)", "539.7(c)")
@pytest.mark.parametrize(("signal", "state"), [("shaker-fault", "closed"), ("shaker-done", "malfunction")])
def test_a_shaker_finishes_in_a_malfunction(shaker: Rig, signal: str, state: str) -> None:
    table = shaker
    table.press("no-more-bets")
    stick(table, "5")
    table.press(signal)
    assert table.state.value == state
    if state == "closed":
        assert table.last("wagers-returned").reason == "shaker-failed"
    else:
        assert reasons(table)["shaker-failed"] == "toss-seen"


def test_dice_keyed_in_a_malfunction_count_though_no_sensor_saw_the_toss(shaker: Rig) -> None:
    """A key sticks before the toss, and the shaker's contact is dead: a later signal is of another toss."""
    table = shaker
    table.press("no-more-bets")
    stick(table, "5")
    assert reasons(table)["dice-not-flat"] == "no-toss-seen"
    table.press(*"24")
    assert reasons(table)["dice-not-flat"] == ""
    table.press("shaker-fault")
    assert (table.state.value, table.last("alert").text) == ("malfunction", "shaker-failed-late")
    table.press("6", "enter", "shaker-done")
    assert (table.last("result").label, table.last("alert").text) == ("2-4-6", "toss-again")


# -- rolls and odds ------------------------------------------------------------------------------------------------


def with_odds(config: TableConfig, **odds: int) -> TableConfig:
    own = {area.replace("_", "-"): Fraction(pays) for area, pays in odds.items()}
    return config.model_copy(update={"layout": LayoutSection(odds=own)})


@pytest.mark.clause("539.1(c)(2)", "539.3")
def test_the_areas_are_the_wagers_of_the_regulation_and_no_others() -> None:
    assert len(LEAST_ODDS) + len(ONE_OF_A_KIND) == 50
    assert sorted(find_game("sic-bo").areas) == sorted([*LEAST_ODDS, *ONE_OF_A_KIND])


@pytest.mark.clause("539.1(b)", "539.3(1)", "539.3(2)", "539.3(3)", "539.3(4)", "539.3(5)", "539.3(6)")
@pytest.mark.clause("539.3(7)", "539.3(8)", "539.4(c)", "539.5(d)", "539.5(e)", "539.5(f)")
@pytest.mark.clause("539.6(a)", "539.6(b)", "539.6(c)")
def test_all_216_rolls_light_and_pay_what_the_regulation_says(table: Rig) -> None:
    for dice in product("123456", repeat=3):
        table.press("no-more-bets", *dice, "enter")
        paid = paid_by_hand(*map(int, dice))
        assert table.lit() == paid.keys(), dice
        assert {win.area: win.pays for win in table.last("result").wins} == paid, dice
        table.press("done", "done", "clear")
        assert table.lit() == set()
    assert table.journal.verify().problem == ""


@pytest.mark.clause("539.1(c)(3)", "539.5(e)", "539.6(b)")
def test_a_table_pays_the_odds_of_its_own_layout_and_shows_them(shipped: Shipped) -> None:
    """§§ 539.1(c)(3), 539.5(e): the odds on offer, where they are better than the least ones."""
    table = open_dice(Rig(with_odds(shipped("sic-bo"), total_4=60, two_of_a_kind_1=10)))
    shown = {area["area"]: area["pays"] for area in describe(table.config)["areas"]}
    assert shown["total-4"] == "60 to 1"
    assert shown["two-of-a-kind-1"] == "10 to 1"
    assert shown["total-5"] == "18 to 1"
    assert shown["one-of-a-kind-1"] == "1 to 1, 2 to 1 or 3 to 1"
    table.press("no-more-bets", "1", "2", "1", "enter")
    paid = {win.area: win.pays for win in table.last("result").wins}
    assert paid == paid_by_hand(1, 2, 1) | {"total-4": "60 to 1", "two-of-a-kind-1": "10 to 1"}


AREAS = find_game("sic-bo").areas


def said(table: Rig, code: str) -> list[dict[str, str | int]]:
    """The parameters of the notes and alerts with a code."""
    return [one.parameters for kind in ("note", "alert") for one in effects(table, kind) if one.text == code]


@pytest.fixture
def closed(shipped: Shipped) -> Rig:
    """A closed Sic Bo table with new dice."""
    table = Rig(shipped("sic-bo"))
    table.floor("renew")
    return table


def with_dead_lamp(table: Rig) -> Rig:
    """4-4-4 does not light total 12: the round is settled in the presence of the floorperson."""
    table.world.fault("dead-lamp", "total-12")
    table.press("no-more-bets", "4", "4", "4", "enter")
    assert table.state.value == "malfunction"
    table.floor()
    assert table.state.value == "closed"
    return table


@pytest.mark.clause("539.5(a)", "539.5(a)(1)")
def test_the_table_opens_only_after_three_values_and_every_lamp(closed: Rig) -> None:
    table = closed
    table.press("no-more-bets", "enter", "clear")
    assert table.state.value == "closed"
    table.floor()
    for value in ROLLS:
        assert table.state.value == "inspection-entry"
        table.press(*value, "no-more-bets", "enter")
        assert table.lit()
        table.floor()
    table.press("floor-key", "floor-key", "clear")
    assert table.state.value == "inspection-lamps", "it cannot be confirmed before its end"
    watch_lamps(table)
    assert table.lit() == set()
    table.press("enter")
    seen = []
    while table.machine.data.inspection.trying:
        seen += table.lit()
        table.wait(EACH_NS / 1e9)
    assert tuple(seen) == AREAS, "each alone, once more"
    table.floor()
    assert table.state.value == "bets-open"


@pytest.mark.clause("539.5(a)")
@pytest.mark.parametrize("state", ["entry", "lit", "lamps"])
@pytest.mark.parametrize("left", ["clear", "close", "power", "fault"])
def test_an_inspection_that_was_left_shortens_no_other(closed: Rig, state: str, left: str) -> None:
    table = closed
    table.floor()
    values(table, *ROLLS[: 3 if state == "lamps" else 2])
    if state == "lit":
        table.press("4", "4", "4", "enter")
    assert table.state.value == f"inspection-{state}"
    if left == "power":
        table.power_cut()
    elif left == "fault":
        table.world.fault("burning-lamp", "big")
        table.wait(2)
        table.world.repair()
    elif left == "close":
        table.floor("close")
    else:
        table.press("clear")
    assert (table.state.value, table.lit()) == ("closed", set())
    table.wait(60)
    assert table.state.value == "closed"
    table.floor()
    values(table, *ROLLS[:2])
    assert table.state.value == "inspection-entry", "it begins anew"


@pytest.mark.clause("539.5(a)(1)")
@pytest.mark.parametrize("leaves", ["clear", "close"])
def test_what_had_failed_is_named_and_the_cause_stays_until_it_was_tried(table: Rig, leaves: str) -> None:
    table = with_dead_lamp(table)
    table.world.repair()
    table.floor()
    table.press("clear") if leaves == "clear" else table.floor("close")
    assert [cause.code for cause in table.machine.causes] == ["lamps-dark"]
    inspect_dice(table)
    assert said(table, "inspected-lamps.confirmed")[-1]["failed"] == "total-12"
    assert (table.state.value, table.machine.causes) == ("bets-open", ())
    table.floor("close")
    inspect_dice(table)
    assert said(table, "inspected-lamps.confirmed")[-1]["failed"] == ""


@pytest.mark.clause("539.5(a)(1)")
def test_keys_that_had_failed_are_tried(table: Rig) -> None:
    table.press("no-more-bets", "3")
    for key in ("6", "done"):
        table.world.fault("stuck-key", key)
        table.wait(11)
        table.world.repair()
        table.wait(1)
    table.press("4", "5", "enter")
    table.floor()
    table.floor()
    table.press("1", "enter", "6")
    assert table.state.value == "inspection-key"
    table.press("done")
    assert table.state.value == "inspection-entry"
    assert [found["key"] for found in said(table, "key-tried")] == ["6", "done"]


@pytest.mark.clause("539.5(a)")
def test_the_record_has_the_persons_whom_their_credentials_identified(shipped: Shipped) -> None:
    """Nobody can key another number, and none is kept from an earlier act."""
    table = Rig(shipped("sic-bo"), staff=staff(session_s=0))
    identify(table)
    renew = next(entry.key for entry in table.table.desk.entries if entry.offers[0].act == "renew")
    table.press(renew, "floor-key")
    identify(table)
    table.press("floor-key")
    for number, roll in zip((FLOOR, MAINTENANCE, FLOOR), ROLLS, strict=True):
        table.press(*roll, "enter")
        identify(table, number)
        table.press("floor-key")
    watch_lamps(table)
    identify(table, MAINTENANCE)
    table.press("floor-key")
    assert table.state.value == "bets-open", table.waiting_for
    assert [found["by"] for found in said(table, "inspected-value.confirmed")] == [FLOOR, MAINTENANCE, FLOOR]
    assert said(table, "inspection-passed") == [{"by": MAINTENANCE}]
    assert said(table, "inspection-begins") == [{"by": FLOOR}]


@pytest.mark.clause("539.1(d)(2)", "539.5(a)(2)")
def test_an_automated_shaker_is_inspected_too(shipped: Shipped) -> None:
    """§ 539.5(a)(2): three cycles, each seen by the sensor and confirmed by the floorperson; a failure ends it."""
    table = automated(shipped)
    table.floor("renew")
    table.floor()
    values(table, *ROLLS)
    watch_lamps(table)
    table.floor()
    table.press("shaker-done", "shaker-fault")
    assert table.state.value == "closed"
    assert said(table, "inspection-not-passed") == [{"why": "shaker-failed"}]
    table.floor()
    values(table, *ROLLS)
    watch_lamps(table)
    table.floor()
    for _ in range(3):
        table.press("floor-key", "floor-key", "clear")
        assert table.state.value == "inspection-shaker", "no cycle was seen"
        table.press("shaker-done")
        table.floor()
    assert table.state.value == "bets-open"
