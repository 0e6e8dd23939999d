"""Who changes the limits, when a change at once is possible, and which amounts are valid."""

from collections.abc import Callable

import pytest
from limits_table import announce, change, confirm, limits, next_round, recorded_kinds, with_limits
from staff import FLOOR, identify, staff

from config.schema import TableConfig
from controller.bench.rig import Rig
from controller.limits.proposals import ProposalOutcome
from controller.limits.round_progress import OPEN
from controller.limits.table_state import Amounts
from controller.limits.terms import amounts_of, money, spoken

Shipped = Callable[[str], TableConfig]
OLD, NEW = ("5", "500", ""), ("10", "1000", "")


# -- no round in progress ------------------------------------------------------------------------------------------


def at_once_is_refused(table: Rig) -> None:
    """Nobody can be known not to play, however long nothing happens."""
    table.wait(120)
    with pytest.raises(ValueError, match="a round is being played, or the table is not open"):
        table.table.sign.propose(change(nobody_plays=True))
    assert limits(table) == OLD


@pytest.mark.clause("521.8(c)(1)")
def test_limits_change_at_once_only_while_wagers_are_open_and_nothing_has_happened(table: Rig) -> None:
    def spun(stop_on: str) -> None:
        table.spin(stop_on=stop_on)

    for step in (
        lambda: table.press("no-more-bets"),
        lambda: table.spin(1.4),
        lambda: spun("7x"),
        lambda: spun("10"),
        lambda: table.press("done"),
        lambda: table.press("done"),
    ):
        step()
        at_once_is_refused(table)
    table.press("clear")
    assert announce(table, change(nobody_plays=True)).outcome is ProposalOutcome.CONFIRMED
    assert limits(table) == NEW
    assert recorded_kinds(table) == ["limits-in-effect", "limits-announced", "limits-in-effect"]


def test_nor_at_a_table_that_is_closed_or_not_located(table: Rig) -> None:
    table.floor("close")
    at_once_is_refused(table)
    table.power_cut()
    table.floor("open")
    assert table.state.value == "locating"
    at_once_is_refused(table)


@pytest.mark.clause("521.8(c)(1)")
def test_that_nobody_plays_takes_a_quiet_minute_besides_the_key(table: Rig) -> None:
    """§ 521.8(c)(1): not a fraction of a second after three rounds back to back."""
    for _ in range(3):
        next_round(table)
    nobody = change(nobody_plays=True)
    with pytest.raises(ValueError, match="leave the table alone for 60 s more"):
        table.table.sign.propose(nobody)
    table.wait(59)
    with pytest.raises(ValueError, match="leave the table alone for 1 s more"):
        table.table.sign.propose(nobody)
    table.wait(1)
    proposed = table.table.sign.propose(nobody)
    table.press("done")
    confirm(table)
    assert proposed.outcome is ProposalOutcome.REFUSED, "somebody was at the keys"
    assert limits(table) == OLD
    table.power_cut()
    table.turn(1.2)
    with pytest.raises(ValueError, match="leave the table alone"):
        table.table.sign.propose(nobody)
    table.wait(60)
    table.table.sign.propose(nobody)
    confirm(table)
    assert limits(table) == NEW


def test_a_round_that_begins_before_the_key_is_turned_forbids_it(table: Rig) -> None:
    table.wait(60)
    proposed = table.table.sign.propose(change(nobody_plays=True))
    table.press("no-more-bets")
    confirm(table)
    assert proposed.outcome is ProposalOutcome.REFUSED
    assert "not possible any more: a round is being played" in table.table.sign.prompt()
    assert limits(table) == OLD


@pytest.mark.clause("521.8(c)(1)")
def test_a_wheel_thrown_early_leaves_wagers_on_the_layout(table: Rig) -> None:
    table.spin(stop_on="10")
    assert table.state.value == OPEN
    for _ in range(2):
        with pytest.raises(ValueError, match="a round is being played"):
            table.table.sign.propose(change(nobody_plays=True))
        table.power_cut()
        table.turn(1.2)


# -- who -----------------------------------------------------------------------------------------------------------


@pytest.fixture
def guarded(shipped: Shipped) -> Rig:
    """Dreamcatcher, whose floorperson identifies."""
    return Rig(with_limits(shipped("dreamcatcher")), staff=staff())


def test_the_floorperson_who_confirmed_is_recorded(guarded: Rig) -> None:
    proposed = guarded.table.sign.propose(change())
    identify(guarded)
    assert proposed.outcome is ProposalOutcome.WAITING
    confirm(guarded)
    assert proposed.outcome is ProposalOutcome.CONFIRMED
    assert guarded.last("limits-announced").by == FLOOR


# -- amounts -------------------------------------------------------------------------------------------------------


def test_amounts_are_stored_without_trailing_zeros_and_read_as_money() -> None:
    assert amounts_of("05", "500.00", "25000.50") == Amounts("5", "500", "25000.5")
    words = "€2.50 to €500, at most €25,000 paid out in a round"
    assert spoken(Amounts("2.5", "500", "25000"), "€") == words
    assert money("$", "1000000.05") == "$1,000,000.05"
    assert money("$", "0.1234") == "$0.1234"
