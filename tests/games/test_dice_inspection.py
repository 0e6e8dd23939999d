"""The opening inspection of a table with keyed-in dice (§ 539.5(a)): who, what is tried, and what had failed."""

from collections.abc import Callable, Iterator

import pytest
from dice_inspection import ROLLS, automated, inspect_dice

from config.schema import TableConfig
from controller.access.authentication import Authentication
from controller.access.credentials import Credentials, Person, Role, Secret
from controller.bench.rig import Rig
from controller.games.dice.demo import watch_lamps
from controller.games.dice.inspection import EACH_NS
from controller.statechart.registry import find_game

Shipped = Callable[[str], TableConfig]
EACH_S = EACH_NS / 1e9
NUMBER, OTHER, PIN = "4711", "4712", "830261"


@pytest.fixture
def closed(shipped: Shipped) -> Rig:
    """A closed Sic Bo table with new dice."""
    table = Rig(shipped("sic-bo"))
    table.press("floor-key", "2")
    return table


@pytest.fixture
def guarded(shipped: Shipped) -> Iterator[Rig]:
    """The same, where the floorperson's key asks for a credential each time."""
    person = Person(role=Role.FLOORPERSON, pin=Secret.of(PIN))
    known = Credentials({NUMBER: person, OTHER: person})
    table = Rig(shipped("sic-bo"), authority=lambda: Authentication(known, session_ns=0))
    table.wait(1)
    yield table
    table.table.stop()


def key_of(table: Rig, number: str) -> None:
    table.press("floor-key", *number, "enter", *PIN, "enter")


def notes(table: Rig) -> list[str]:
    return [effect.text for record in table.records() for effect in record.effects if effect.kind == "note"]


def values(table: Rig, *rolls: str) -> None:
    table.press("floor-key", "1")
    for roll in rolls:
        table.press(*roll, "enter", "floor-key")


@pytest.mark.clause("539.5(a)", "539.5(a)(1)")
def test_the_table_does_not_open_without_the_inspection(closed: Rig) -> None:
    """§ 539.5(a)(1): three values, each confirmed by the floorperson."""
    closed.press("no-more-bets")
    assert closed.state.value == "closed"
    closed.press("floor-key", "1", "enter")
    for done, roll in enumerate(ROLLS):
        assert f"value {done + 1} of 3" in closed.waiting_for
        closed.press(*roll, "enter")
        assert closed.lit()
        closed.press("floor-key")
    watch_lamps(closed)
    assert closed.lit() == set()
    closed.press("floor-key")
    assert closed.state.value == "bets-open"


@pytest.mark.clause("539.5(a)")
def test_an_inspection_that_was_given_up_shortens_no_other(closed: Rig) -> None:
    values(closed, *ROLLS[:2])
    closed.press("clear")
    assert closed.state.value == "closed"
    closed.press("floor-key", "1")
    assert "value 1 of 3" in closed.waiting_for


@pytest.mark.clause("539.5(a)(1)")
def test_every_lamp_burns_alone_before_the_table_opens(closed: Rig) -> None:
    values(closed, *ROLLS)
    for area in find_game("sic-bo").areas:
        assert closed.lit() == {area}
        closed.press("floor-key")
        assert closed.state.value == "inspection-lamps", "it cannot be confirmed before its end"
        closed.wait(EACH_S - 0.3)
    assert closed.lit() == set()
    closed.press("enter")
    assert closed.lit() == {find_game("sic-bo").areas[0]}, "once more"


@pytest.mark.clause("539.5(a)(1)")
def test_a_lamp_that_no_value_lights_and_that_is_dead_keeps_the_table_closed(sic_bo: Rig) -> None:
    """Dice that never light it do not open the table."""
    table = sic_bo
    table.world.fault("dead-lamp", "total-12")
    table.press("no-more-bets", "4", "4", "4", "enter", "floor-key")
    assert table.state.value == "closed"
    values(table, "123", "123", "123")
    table.wait(60)
    assert table.state.value == "closed"
    assert "total 12" in table.waiting_for


@pytest.mark.clause("539.5(a)(1)")
def test_the_inspection_names_the_lamps_that_had_failed(sic_bo: Rig) -> None:
    table = sic_bo
    table.world.fault("dead-lamp", "total-12")
    table.press("no-more-bets", "4", "4", "4", "enter", "floor-key")
    table.world.repair()
    values(table, *ROLLS)
    assert "total 12 had failed" in table.waiting_for
    watch_lamps(table)
    table.press("floor-key")
    assert table.state.value == "bets-open"
    assert any("every area burns alone; total-12 had failed" in note for note in notes(table))
    table.press("floor-key", "1")
    values(table, *ROLLS)
    assert "had failed" not in table.waiting_for


@pytest.mark.clause("539.5(a)(1)")
def test_a_key_that_had_failed_is_tried(sic_bo: Rig) -> None:
    table = sic_bo
    table.press("no-more-bets", "3")
    table.world.fault("stuck-key", "6")
    table.wait(11)
    table.press("4", "5", "enter", "floor-key")
    table.world.repair()
    table.wait(1)
    table.press("floor-key", "1", "1")
    assert "press 6, which had failed" in table.waiting_for
    table.press("6")
    assert table.state.value == "inspection-entry"
    assert "the key 6, which had failed, works" in notes(table)[-1]


@pytest.mark.clause("539.5(a)")
def test_the_record_names_the_persons_whom_their_credentials_identified(guarded: Rig) -> None:
    """Nobody can key another number."""
    table = guarded
    key_of(table, NUMBER)
    table.press("enter", "2")
    key_of(table, NUMBER)
    table.press("enter", "1")
    for roll in ROLLS:
        if table.table.router.digits_closed:
            table.press("enter")
        table.press(*roll, "enter")
        key_of(table, NUMBER)
    watch_lamps(table)
    key_of(table, OTHER)
    assert table.state.value == "bets-open"
    assert f"floorperson {NUMBER} confirmed the panel for 4-4-4" in notes(table)
    assert f"the opening inspection was passed before floorperson {OTHER}" in notes(table)


@pytest.mark.clause("539.5(a)")
def test_a_table_without_credentials_names_nobody(closed: Rig) -> None:
    inspect_dice(closed)
    assert "the opening inspection was passed before the floorperson" in notes(closed)


@pytest.mark.clause("539.1(d)(2)", "539.5(a)(2)")
def test_an_automated_shaker_is_inspected_too(shipped: Shipped) -> None:
    """§ 539.5(a)(2): three cycles."""
    table = automated(shipped)
    table.press("floor-key", "2")
    values(table, *ROLLS)
    watch_lamps(table)
    table.press("floor-key")
    for _ in range(3):
        table.press("floor-key")
        assert table.state.value == "inspection-shaker"
        table.press("shaker-done", "floor-key")
    assert table.state.value == "bets-open"


@pytest.mark.clause("539.5(a)(1)")
def test_a_dead_lamp_fails_the_inspection(closed: Rig) -> None:
    closed.world.fault("dead-lamp", "total-9")
    closed.press("floor-key", "1", "2", "2", "5", "enter")
    assert closed.state.value == "closed"
    assert "total 9" in closed.waiting_for
    assert closed.lit() == set()


@pytest.mark.clause("539.5(a)")
@pytest.mark.parametrize("at", ["value", "lamps"])
def test_after_a_power_cut_the_inspection_starts_again(closed: Rig, at: str) -> None:
    closed.press("floor-key", "1", "2", "2", "5", "enter")
    if at == "lamps":
        closed.press("floor-key", *"111", "enter", "floor-key", *"666", "enter", "floor-key")
        assert closed.lit()
    closed.power_cut()
    assert closed.state.value == "closed"
    assert closed.lit() == set()


@pytest.mark.parametrize("leaves", [("clear",), ("5",), ("1", "clear")], ids=" ".join)
def test_why_the_table_is_closed_stays_on_the_screen(sic_bo: Rig, leaves: tuple[str, ...]) -> None:
    """Until an inspection is passed, whatever the floorperson begins meanwhile."""
    table = sic_bo
    table.world.fault("dead-lamp", "total-12")
    table.press("no-more-bets", "4", "4", "4", "enter", "floor-key")
    table.world.repair()
    table.press("floor-key")
    assert "no light at total 12" in table.waiting_for
    table.press(*leaves)
    assert table.state.value == "closed"
    assert "no light at total 12" in table.waiting_for
