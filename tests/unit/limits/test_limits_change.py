"""Who changes the limits, when a change at once is possible, and which amounts are valid."""

from collections.abc import Callable

import pytest
from limits_table import announce, change, confirm, limits, next_round, recorded_kinds, with_limits
from staff import FLOOR, SECURITY, identify, staff

from config.schema import TableConfig
from controller.bench.rig import Rig
from controller.events.effect import RoundOpened
from controller.events.event import (
    BallThrown,
    Direction,
    Event,
    FloorKeyTurned,
    PowerRestored,
    Press,
    ShakerCycled,
    WheelThrown,
)
from controller.journal.record import Record
from controller.limits.proposals import PATIENCE_S, ProposalOutcome
from controller.limits.round_progress import OPEN, RoundProgress
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


@pytest.mark.parametrize(
    ("event", "outcome", "idle"),
    [
        (Press(1, "1"), "accepted", False),
        (Press(1, "1"), "refused", True),
        (FloorKeyTurned(1), "noted", True),
        (WheelThrown(1, Direction.CLOCKWISE), "accepted", False),
        (WheelThrown(1, Direction.CLOCKWISE), "noted", True),
        (BallThrown(1, None), "accepted", False),
        (ShakerCycled(1), "accepted", False),
        (PowerRestored(1, 1, "1", "c"), "accepted", True),
    ],
)
def test_a_round_is_in_progress_once_something_is_keyed_or_thrown(event: Event, outcome: str, idle: bool) -> None:
    opened = RoundProgress().take(Record(Press(1, "clear"), "accepted", OPEN, (RoundOpened(2),)))
    assert opened.idle
    after = opened.take(Record(event, outcome, OPEN, ()))
    assert after.idle == idle
    elsewhere = after.take(Record(PowerRestored(2, 2, "1", "c"), "accepted", "locating", ()))
    assert not elsewhere.idle
    assert elsewhere.take(Record(WheelThrown(3, Direction.CLOCKWISE), "noted", OPEN, ())).idle == idle
    assert after.take(Record(Press(4, "clear"), "accepted", OPEN, (RoundOpened(3),))).idle


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


def test_a_menu_that_was_opened_and_left_begins_no_round(table: Rig) -> None:
    table.wait(60)
    table.press("floor-key", "clear")
    assert table.table.recorder.round_progress.idle
    assert not table.table.recorder.round_progress.quiet_in_ns(table.clock.now_ns())


def test_a_round_that_begins_before_the_key_is_turned_forbids_it(table: Rig) -> None:
    table.wait(60)
    proposed = table.table.sign.propose(change(nobody_plays=True))
    table.press("no-more-bets")
    confirm(table)
    assert proposed.outcome is ProposalOutcome.REFUSED
    assert "not possible any more: a round is being played" in table.table.sign.prompt()
    assert limits(table) == OLD


def test_relocating_the_wheel_after_a_power_cut_starts_no_round(table: Rig) -> None:
    table.power_cut()
    assert table.state.value == "locating"
    with pytest.raises(ValueError, match="a round is being played"):
        table.table.sign.propose(change(nobody_plays=True))
    table.turn(1.2)
    assert table.state.value == OPEN
    announce(table, change(nobody_plays=True))
    assert limits(table) == NEW


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


def test_a_wrong_pin_confirms_nothing(guarded: Rig) -> None:
    proposed = guarded.table.sign.propose(change())
    guarded.press("floor-key", *FLOOR, "enter", *SECURITY, "enter", "floor-key")
    assert proposed.outcome is ProposalOutcome.WAITING
    guarded.wait(PATIENCE_S + 31)
    assert proposed.outcome is ProposalOutcome.EXPIRED
    assert recorded_kinds(guarded) == ["limits-in-effect"]


def test_a_key_turned_in_time_allows_a_later_pin(guarded: Rig) -> None:
    proposed = guarded.table.sign.propose(change())
    guarded.wait(PATIENCE_S - 3)
    guarded.press("floor-key", *FLOOR, "enter")
    guarded.wait(20)
    guarded.press(*2 * FLOOR, "enter", "floor-key")
    assert proposed.outcome is ProposalOutcome.CONFIRMED


# -- amounts -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (("10", "5"), "the maximum 5 is below the minimum 10"),
        (("10", "500", "499"), "the payout limit 499 is below the maximum 500"),
        (("0", "500"), "the minimum '0' is no amount"),
        (("٣", "500"), "is no amount"),
        (("5", "1234567890123"), "at most 12 digits"),
    ],
)
def test_invalid_limits_are_refused(given: tuple[str, ...], message: str) -> None:
    with pytest.raises(ValueError, match=message) as refused:
        amounts_of(*given)
    assert len(str(refused.value)) < 200


@pytest.mark.parametrize(
    ("amount", "shown"),
    [("5", "$5"), ("25000", "$25,000"), ("2.5", "$2.50"), ("0.1234", "$0.1234"), ("1000000.05", "$1,000,000.05")],
)
def test_amounts_are_read_as_money(amount: str, shown: str) -> None:
    assert money("$", amount) == shown


def test_amounts_are_stored_without_trailing_zeros() -> None:
    assert amounts_of("05", "500.00", "25000.50") == Amounts("5", "500", "25000.5")
    words = "€2.50 to €500, at most €25,000 paid out in a round"
    assert spoken(Amounts("2.5", "500", "25000"), "€") == words
