"""The inspection log of Roulette at a table that asks who turns the key: nobody in it can be invented."""

from collections.abc import Callable

import pytest
from roulette_table import FLOOR, MAINTENANCE, SECURITY, choose, guarded, identify, inspected, spin

from config.schema import TableConfig
from controller.bench.rig import Rig
from controller.events.effect import InspectionLogged

Shipped = Callable[[str], TableConfig]


@pytest.fixture
def table(shipped: Shipped) -> Rig:
    """Closed; it asks who turns the key."""
    return guarded(shipped("roulette"))


def logged(table: Rig) -> list[InspectionLogged]:
    return [e for record in table.records() for e in record.effects if isinstance(e, InspectionLogged)]


def at_work(table: Rig) -> None:
    """The floorperson begins the entry of a replaced ball."""
    choose(table, FLOOR, "2", "2", "1")
    assert table.state.value == "work-credential"


@pytest.mark.clause("617a.2(b)", "617a.2(e)")
def test_who_made_it_and_who_was_present_are_who_identified(table: Rig) -> None:
    at_work(table)
    identify(table, MAINTENANCE)
    assert f"replacement of the ball, by {MAINTENANCE}" in table.waiting_for
    identify(table, SECURITY)
    (entry,) = logged(table)
    assert (entry.work, entry.credential, entry.witness) == (("replacement of the ball",), MAINTENANCE, SECURITY)
    assert table.state.value == "closed"


@pytest.mark.clause("617a.2(b)")
@pytest.mark.parametrize("number", ["9999", FLOOR, ""])
def test_no_number_is_keyed_freely(table: Rig, number: str) -> None:
    at_work(table)
    table.press(*number, "enter")
    assert table.state.value == "work-credential"
    kept_from_the_game = "enter" if not number else "digit"  # With digits before it, enter begins a PIN.
    assert table.last("refused").control == kept_from_the_game
    assert logged(table) == []


def test_a_person_who_does_not_exist_is_nobody(table: Rig) -> None:
    at_work(table)
    identify(table, "9999")
    assert table.state.value == "work-credential"
    assert logged(table) == []


@pytest.mark.clause("617a.2(b)")
def test_the_witness_is_not_the_worker(table: Rig) -> None:
    at_work(table)
    identify(table, MAINTENANCE)
    identify(table, MAINTENANCE)
    assert "another person" in table.last("refused").waiting_for
    assert logged(table) == []
    identify(table, SECURITY)
    assert len(logged(table)) == 1


@pytest.mark.clause("617a.2(b)")
def test_each_person_identifies_though_another_identified_a_moment_ago(table: Rig) -> None:
    """The key alone is enough for the same floorperson for two minutes: not where the person matters."""
    at_work(table)
    table.press("floor-key")
    assert table.table.router.identifies()
    table.press("clear", "clear")
    assert table.state.value == "closed"
    assert logged(table) == []
    table.press("floor-key")
    assert table.table.router.identifies(), "nor does the last of them open the menu for the next one"


@pytest.mark.clause("617a.2(e)")
def test_the_inspection_is_a_row_of_its_own_with_who_inspected(table: Rig) -> None:
    at_work(table)
    identify(table, MAINTENANCE)
    identify(table, SECURITY)
    inspected(table, SECURITY)
    made, passed = logged(table)
    assert (made.inspected, made.credential) == (False, MAINTENANCE)
    assert (passed.inspected, passed.work, passed.credential, passed.witness) == (True, (), SECURITY, "")


@pytest.mark.clause("617a.2(a)")
def test_another_person_does_not_go_on_with_an_inspection(table: Rig) -> None:
    choose(table, FLOOR, "1")
    identify(table, SECURITY)
    table.press("floor-key")
    assert "step 2" in table.waiting_for
    table.wait(200)
    identify(table, FLOOR)
    assert f"the inspection is that of {SECURITY}" in table.last("refused").waiting_for
    assert "step 2" in table.waiting_for
    table.wait(200)
    identify(table, SECURITY)
    assert "step 3" in table.waiting_for
    spin(table)
    table.press("floor-key")
    assert "step 4" in table.waiting_for


@pytest.mark.clause("617a.2(e)")
@pytest.mark.parametrize("confirmed", [0, 1, 2])
def test_a_refused_inspection_is_in_the_log_with_its_step(table: Rig, confirmed: int) -> None:
    choose(table, FLOOR, "1")
    identify(table, SECURITY)
    table.press(*["floor-key"] * confirmed)
    step = table.waiting_for.partition(": ")[2].partition(". The floorperson")[0]
    table.press("clear")
    (entry,) = logged(table)
    assert (entry.inspected, entry.credential, entry.work) == (False, SECURITY, ())
    assert entry.refused == step
    assert table.state.value == "closed"


@pytest.mark.clause("617a.6(b)", "617a.6(c)")
def test_who_gave_a_new_ball_is_who_turned_the_key(table: Rig) -> None:
    inspected(table, FLOOR)
    spin(table, turns=3.2)
    table.wait(200)
    choose(table, SECURITY, "3")
    assert table.last("note").text == f"floorperson {SECURITY} gave a new ball (§ 617a.6)"


def test_who_called_a_no_spin_is_who_turned_the_key(table: Rig) -> None:
    table.world.fault("reader-silent")
    inspected(table, FLOOR)
    spin(table)
    table.wait(200)
    table.press("no-more-bets", "no-spin", "7")
    identify(table, SECURITY)
    called = f"the floorperson calls the spin off; called by floorperson {SECURITY}"
    assert table.last("void").detail.startswith(called)
