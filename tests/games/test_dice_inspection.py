"""The opening inspection of a table with keyed-in dice (§ 539.5(a)): who, what is tried, and what had failed."""

from collections.abc import Callable

import pytest
from dice_inspection import ROLLS, automated, inspect_dice, values
from staff import FLOOR, MAINTENANCE, identify, staff

from config.schema import TableConfig
from controller.bench.rig import Rig
from controller.events.effect import Alert, Note
from controller.games.dice.bench import watch_lamps
from controller.games.dice.inspection import EACH_NS
from controller.machine.registry import find_game

Shipped = Callable[[str], TableConfig]
AREAS = find_game("sic-bo").areas


@pytest.fixture
def closed(shipped: Shipped) -> Rig:
    """A closed Sic Bo table with new dice."""
    table = Rig(shipped("sic-bo"))
    table.floor("renew")
    return table


def said(table: Rig, code: str) -> list[dict[str, str | int]]:
    effects = (effect for record in table.records() for effect in record.effects)
    return [one.parameters for one in effects if isinstance(one, Note | Alert) and one.text == code]


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
    for roll in ROLLS:
        assert table.state.value == "inspection-entry"
        table.press(*roll, "no-more-bets", "enter")
        assert table.lit()
        table.floor()
    table.press("floor-key", "floor-key", "clear")
    assert table.state.value == "inspection-lamps", "it cannot be confirmed before its end"
    watch_lamps(table)
    assert table.lit() == set()
    table.press("enter")
    assert table.lit() == {AREAS[0]}, "once more"
    watch_lamps(table)
    table.floor()
    assert table.state.value == "bets-open"


@pytest.mark.clause("539.5(a)(1)")
def test_every_lamp_is_lit_alone_in_order(closed: Rig) -> None:
    closed.floor()
    values(closed, *ROLLS)
    seen = []
    while closed.machine.data.inspection.trying:
        (lit,) = closed.lit()
        seen.append(lit)
        closed.wait(EACH_NS / 1e9)
    assert tuple(seen) == AREAS


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
def test_a_dead_lamp_keeps_the_table_closed_whether_a_value_lights_it_or_not(sic_bo: Rig) -> None:
    table = with_dead_lamp(sic_bo)
    for rolls in (("444",), ("123", "123", "123")):
        table.floor()
        values(table, *rolls[:-1])
        table.press(*rolls[-1], "enter")
        if table.state.value != "closed":
            table.floor()
            table.wait(60)
        assert (table.state.value, table.lit()) == ("closed", set())
    assert [cause.code for cause in table.machine.causes] == ["lamps-dark"]


@pytest.mark.clause("539.5(a)(1)")
@pytest.mark.parametrize("leaves", ["clear", "close"])
def test_what_had_failed_is_named_and_the_cause_stays_until_it_was_tried(sic_bo: Rig, leaves: str) -> None:
    table = with_dead_lamp(sic_bo)
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
def test_keys_that_had_failed_are_tried(sic_bo: Rig) -> None:
    table = sic_bo
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
    table.press(table._entry("renew", "").key, "floor-key")
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
