"""Sic Bo as the dealer, the floorperson and the players see it (ch. 539), and what every roll lights and pays."""

from collections.abc import Callable
from fractions import Fraction
from itertools import product

import pytest
from dice_inspection import inspect_dice, open_automated, open_dice
from screen_table import screens_of
from sic_bo_regulation import LEAST_ODDS, ONE_OF_A_KIND, lit_by_hand, paid_by_hand

from config.schema import LayoutSection, TableConfig
from controller.bench.rig import Rig
from controller.events.effect import Effect
from controller.machine.registry import find_game
from controller.viewmodel.description import describe

HOUR_S = 3600
Shipped = Callable[[str], TableConfig]


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


def effects(table: Rig, kind: str) -> list[Effect]:
    return [effect for record in table.records() for effect in record.effects if effect.kind == kind]


def codes(table: Rig) -> list[str]:
    """Notes and alerts on record."""
    return [getattr(one, "text") for one in (*effects(table, "note"), *effects(table, "alert"))]  # noqa: B009


def reasons(table: Rig) -> dict[str, str]:
    """The voids of this state, each with why it is not possible."""
    return {one.argument: one.unavailable.code for one in table.machine.offers() if one.act == "void"}


# -- rolls, entry, settlement -----------------------------------------------------------------------------------


@pytest.mark.clause("539.1(b)", "539.2(a)")
def test_entry_clear_and_refusals(sic_bo: Rig) -> None:
    table = sic_bo
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


# -- corrections ------------------------------------------------------------------------------------------------


@pytest.mark.clause("539.4(c)")
@pytest.mark.parametrize("settled", ["", "losers-collected", "winners-paid"])
def test_a_correction_needs_the_key_until_the_round_is_cleared(sic_bo: Rig, settled: str) -> None:
    """Both entries stay on record, and how far the first was settled."""
    table, screens = sic_bo, screens_of(sic_bo)
    roll(table, "346")
    table.press(*("done",) * ["", "losers-collected", "winners-paid"].index(settled))
    state = table.state
    table.press("correct", "3", "enter", "clear")
    assert (table.state, table.lit()) == (state, lit_by_hand(3, 4, 6)), "not by the dealer"
    table.wait(1)
    table.press("correct", "floor-key")
    assert (table.state.value, table.lit()) == ("entry", set())
    assert (table.last("result-withdrawn").label, table.last("result-withdrawn").settled) == ("3-4-6", settled)
    table.press("no-roll", "clear", "3", "4", "5", "enter")
    assert table.lit() == lit_by_hand(3, 4, 5)
    assert [one.label for one in effects(table, "result")] == ["3-4-6", "3-4-5"]  # type: ignore[union-attr]
    assert table.last("note").parameters == {"before": "3-4-6", "after": "3-4-5"}
    assert [line["label"] for line in screens.board()["history"]] == ["3-4-5"]
    screens.same_as_recalled()
    settle(table)
    assert (table.state.value, table.machine.round) == ("bets-open", 2)


def test_the_same_dice_keyed_again_are_no_correction(sic_bo: Rig) -> None:
    """Nothing on record says what did not happen."""
    roll(sic_bo, "123")
    sic_bo.floor("correct")
    sic_bo.press(*"123", "enter")
    assert sic_bo.lit() == lit_by_hand(1, 2, 3)
    assert "corrected" not in codes(sic_bo)


# -- voids ------------------------------------------------------------------------------------------------------


@pytest.mark.clause("539.7(a)")
def test_no_roll_is_the_dealers_in_one_press_until_a_die_is_keyed(either: Rig) -> None:
    """§ 539.7(a): the wagers go back, and a new round opens."""
    table = either
    table.press("no-roll")
    assert (table.last("void").reason, table.last("wagers-returned").reason) == ("dice-not-flat", "dice-not-flat")
    assert (table.state.value, table.machine.round, table.lit()) == ("bets-open", 2, set())


@pytest.mark.parametrize("settled", ["", "losers-collected", "winners-paid"])
def test_a_void_records_what_had_been_lit_and_paid(sic_bo: Rig, settled: str) -> None:
    table, screens = sic_bo, screens_of(sic_bo)
    roll(table, "123")
    table.press(*("done",) * ["", "losers-collected", "winners-paid"].index(settled))
    table.floor("void", "not-tossed")
    void = table.last("void")
    assert (void.reason, void.parameters["dice"], void.parameters["settled"]) == ("not-tossed", "1-2-3", settled)
    assert set(str(void.parameters["lit"]).split(",")) == lit_by_hand(1, 2, 3)
    assert (table.last("alert").text, table.lit()) == ("done-void", set())
    assert screens.board()["history"] == []
    screens.same_as_recalled()


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


# -- no more bets -----------------------------------------------------------------------------------------------


@pytest.mark.clause("539.5(b)")
def test_no_more_bets_is_taken_back_with_an_alert_while_nobody_can_have_seen_the_dice(sic_bo: Rig) -> None:
    """§ 539.5(b): an entry that was wiped does not unsee them, and a power cut may have been long enough."""
    table = sic_bo
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


def test_wagers_of_an_automated_shaker_reopen_until_its_toss(shaker: Rig) -> None:
    shaker.press("no-more-bets", "correct")
    assert shaker.state.value == "bets-open"
    shaker.press("no-more-bets", "shaker-done", "correct")
    assert shaker.state.value == "entry"


# -- malfunctions -----------------------------------------------------------------------------------------------


@pytest.mark.clause("539.7(b)")
def test_a_malfunction_after_the_roll_is_settled_and_closes_the_table(sic_bo: Rig) -> None:
    table = sic_bo
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
    assert [one.reason for one in effects(table, "wagers-returned")] == []  # type: ignore[union-attr]


@pytest.mark.clause("539.7(b)")
def test_wrong_dice_are_corrected_in_a_malfunction_too(sic_bo: Rig) -> None:
    table = sic_bo
    table.world.fault("dead-lamp", "big")
    roll(table, "466")
    table.press("correct", "floor-key")
    assert (table.state.value, table.machine.instruction().parameters["corrects"]) == ("malfunction", "4-6-6")
    table.press("4", "6", "5", "enter")
    assert (table.last("result").label, codes(table).count("corrected")) == ("4-6-5", 1)
    table.floor("correct")
    table.floor()
    assert (table.state.value, table.last("note").text) == ("closed", "settled-unkeyed")


@pytest.mark.clause("539.7(a)", "539.7(c)")
@pytest.mark.parametrize("reason", ["not-tossed", "dice-not-flat", "die-lost"])
def test_a_malfunction_of_dice_that_do_not_count_returns_the_wagers(sic_bo: Rig, reason: str) -> None:
    table = sic_bo
    table.press("no-more-bets")
    stick(table, "5")
    table.press("no-roll", "clear")
    assert table.state.value == "malfunction"
    table.floor("void", reason)
    assert (table.state.value, table.last("wagers-returned").reason) == ("closed", reason)


@pytest.mark.parametrize("state", ["closed", "bets-open"])
def test_a_fault_before_the_toss_closes_the_table_and_wagers_go_back(sic_bo: Rig, state: str) -> None:
    table = sic_bo
    if state == "closed":
        table.floor("close")
    stick(table, "5")
    assert (table.state.value, table.machine.data.failed_keys) == ("closed", ("5",))
    assert len(effects(table, "wagers-returned")) == 1


@pytest.mark.parametrize("keys", ["", "3", "3 4 6 enter", "3 4 6 enter done"])
def test_after_a_long_time_without_power_the_floorperson_decides(either: Rig, keys: str) -> None:
    table = either
    table.press(*keys.split())
    table.power_cut(seconds=HOUR_S)
    assert table.state.value == "locked"
    table.floor("void", "die-lost")
    table.floor("unlock")
    assert (table.state.value, table.machine.round) == ("bets-open", 2)


def test_the_floorperson_closes_the_table_between_rounds_only(sic_bo: Rig) -> None:
    table = sic_bo
    roll(table, "346")
    with pytest.raises(LookupError):
        table.floor("close")
    table.press("clear", "done", "done")
    table.floor("close")
    assert (table.state.value, effects(table, "wagers-returned")) == ("closed", [])
    inspect_dice(table)
    table.floor("close")
    assert (table.state.value, table.last("wagers-returned").reason) == ("closed", "table-closed")


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
def test_dice_that_are_shaken_by_hand_are_no_matter_of_another_shaker(sic_bo: Rig) -> None:
    """§ 539.5(c)(1): its contacts count for nothing while it is not on the table."""
    table = sic_bo
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
def test_a_second_toss_that_hides_the_first_makes_the_round_void_by_the_key(shaker: Rig) -> None:
    table = shaker
    table.press("no-more-bets", "shaker-done", "shaker-done", "no-roll", "clear")
    assert table.state.value == "toss-in-doubt", "not by the dealer"
    assert reasons(table)["second-toss"] == ""
    table.floor("void", "second-toss")
    assert (table.state.value, table.last("void").reason) == ("bets-open", "second-toss")


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
    assert ("toss-seen-late" in codes(table)) is (signal == "shaker-done")
    if off_s != 5:
        table.floor("unlock")
    if state == "entry":
        table.press("3")
        table.floor()
        table.press("3", "4", "5", "enter")
        assert table.last("result").label == "3-4-5"
    else:
        assert (table.state.value, table.last("void").reason) == (state, "shaker-failed")


@pytest.mark.clause("539.7(c)")
def test_a_dead_shaker_is_reported_and_voided_by_the_floorperson(shaker: Rig) -> None:
    table = shaker
    table.press("no-more-bets")
    table.wait(61)
    assert table.last("alert").text == "toss-late"
    table.floor("void", "shaker-failed")
    assert (table.state.value, table.last("void").reason) == ("bets-open", "shaker-failed")


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
def test_all_216_rolls_light_and_pay_what_the_regulation_says(sic_bo: Rig) -> None:
    table = sic_bo
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
