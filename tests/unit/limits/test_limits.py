"""The limits at the table: nothing without the key, nothing before its time or inside a round, all on record."""

from collections.abc import Callable

import pytest
from limits_table import (
    MIN_S,
    announce,
    change,
    confirm,
    drop,
    limits,
    new,
    next_round,
    recorded_kinds,
    set_clock,
    with_limits,
)
from staff import FLOOR, identify, staff

from config.schema import TableConfig
from controller.bench.rig import Rig
from controller.events.event import Limits
from controller.limits.proposals import PATIENCE_S, Proposal, ProposalOutcome
from controller.limits.terms import NOTICE_NS, limits_from, limits_text, money

Shipped = Callable[[str], TableConfig]
OLD, NEW = ("5", "500", ""), ("10", "1000", "")


@pytest.mark.clause("521.7(a)", "521.7(b)")
def test_the_files_limits_count_at_the_first_start_and_are_on_record(table: Rig) -> None:
    assert limits(table) == OLD
    table.power_cut()
    assert recorded_kinds(table) == ["terms-in-effect"], "once"


# -- announced -----------------------------------------------------------------------------------------------------


@pytest.mark.clause("521.8(c)(2)(i)", "521.8(c)(2)(iii)")
def test_limits_are_announced_by_the_key_and_take_effect_after_half_an_hour(table: Rig) -> None:
    proposed = table.table.sign.propose(change())
    assert table.table.sign.prompt().startswith("FLOORPERSON: announce to the patrons: from ")
    assert " on wagers are $10 to $1,000. Then turn the key and confirm" in table.table.sign.prompt()
    assert (proposed.outcome, table.table.table_state.pending) == (ProposalOutcome.WAITING, None)
    confirm(table)
    assert proposed.outcome is ProposalOutcome.CONFIRMED
    pending = table.table.table_state.pending
    assert pending is not None
    assert pending.limits == Limits("10", "1000", "", "$")
    assert pending.from_utc_ns % (MIN_S * 10**9) == 0, "a time that a sign can state"
    assert table.last("terms-confirmed").to_patrons
    table.wait(29 * MIN_S)
    next_round(table)
    assert limits(table) == OLD
    table.wait(3 * MIN_S)
    assert limits(table) == OLD, "not before the next round"
    next_round(table)
    assert limits(table) == NEW
    assert recorded_kinds(table) == ["terms-in-effect", "terms-confirmed", "terms-in-effect"]
    assert table.table.table_state.pending is None


def test_one_proposal_at_a_time_waits_for_the_floorperson_whose_number_is_on_record(file: TableConfig) -> None:
    table = Rig(file, staff=staff())
    proposed = table.table.sign.propose(change())
    table.press("clear")
    assert proposed.outcome is ProposalOutcome.WAITING, "no key of the dealer's drops it"
    with pytest.raises(ValueError, match="another proposal waits at the table: turn the key"):
        table.table.sign.propose(Proposal(None))
    identify(table)
    table.press("clear")
    drop(table)
    assert proposed.outcome is ProposalOutcome.DROPPED
    assert recorded_kinds(table) == ["terms-in-effect"]
    announce(table)
    assert table.last("terms-confirmed").by == FLOOR


def test_a_proposal_neither_comes_nor_goes_while_the_floorperson_chooses(table: Rig) -> None:
    """The floorperson confirms what the menu showed."""
    table.press("floor-key")
    with pytest.raises(ValueError, match="uses the key for something else"):
        table.table.sign.propose(change())
    table.press("clear")
    proposed = table.table.sign.propose(change())
    table.wait(PATIENCE_S - 5)
    table.press("floor-key")
    table.wait(20)
    assert proposed.outcome is ProposalOutcome.WAITING
    table.press("floor-key")
    assert proposed.outcome is ProposalOutcome.CONFIRMED


def test_an_announcement_is_withdrawn(table: Rig) -> None:
    with pytest.raises(ValueError, match="nothing to withdraw"):
        table.table.sign.propose(Proposal(None))
    announce(table)
    table.table.sign.propose(Proposal(None))
    assert "to withdraw the announced limits of $10 to $1,000, turn the key" in table.table.sign.prompt()
    confirm(table)
    table.wait(60 * MIN_S)
    next_round(table)
    assert limits(table) == OLD
    assert recorded_kinds(table)[1:] == ["terms-confirmed", "limits-withdrawn"]


def test_a_time_that_is_too_near_once_the_key_is_turned_is_refused(table: Rig) -> None:
    at = table.clock.utc_ns() + NOTICE_NS + 10 * 10**9
    proposed = table.table.sign.propose(change(from_utc_ns=at))
    table.wait(20)
    confirm(table)
    assert proposed.outcome is ProposalOutcome.REFUSED
    assert recorded_kinds(table) == ["terms-in-effect"]
    assert "less than 30 minutes ahead" in table.table.sign.prompt()


# -- clocks and power ----------------------------------------------------------------------------------------------


def set_forward(table: Rig) -> None:
    table.wait(MIN_S)
    set_clock(table, 2 * 3600)
    table.power_cut()


def without_power(table: Rig) -> None:
    table.wait(MIN_S)
    table.power_cut(seconds=31 * MIN_S)


def dark(table: Rig) -> None:
    table.table.sign.boards.append(lambda: False)
    table.wait(45 * MIN_S)
    table.table.sign.boards.append(lambda: True)


def restarts(table: Rig) -> None:
    """Each loses less than the minute that was not on record yet."""
    for _ in range(3):
        table.wait(9.5 * MIN_S)
        table.power_cut(seconds=5 * MIN_S)


@pytest.mark.clause("521.8(c)(2)(i)")
@pytest.mark.parametrize(
    ("happens", "left_min"), [(set_forward, 29), (without_power, 29), (dark, 30), (restarts, 3)]
)
def test_a_notice_is_half_an_hour_for_which_the_sign_is_lit(
    table: Rig, happens: Callable[[Rig], None], left_min: int
) -> None:
    """§ 521.8(c)(2)(i): whatever clocks, power and screens do."""
    announce(table)
    happens(table)
    next_round(table)
    table.wait((left_min - 2) * MIN_S)
    next_round(table)
    assert limits(table) == OLD
    table.wait(3 * MIN_S)
    next_round(table)
    assert limits(table) == NEW


# -- rounds --------------------------------------------------------------------------------------------------------


@pytest.mark.clause("521.8(c)")
def test_a_bonus_is_paid_under_the_limits_of_its_round(shipped: Shipped) -> None:
    """§ 521.8: a cap of $25,000 at a 7x stays through the bonus, until the multiplier is paid."""
    table = new(with_limits(shipped("dreamcatcher"), payout=25_000))
    announce(table, change("5", "500", "1000"))
    table.wait(30 * MIN_S)
    table.press("no-more-bets")
    table.spin(stop_on="7x")
    table.wait(20 * MIN_S)
    table.power_cut()
    table.turn(1.2)
    table.spin(stop_on="40")
    assert table.last("result").wins[0].pays == "280 to 1"
    table.press("done", "done")
    assert limits(table) == ("5", "500", "25000")
    table.press("clear")
    assert limits(table) == ("5", "500", "1000")
    kinds = [record.event.kind for record in table.records()]
    assert kinds[-2:] == ["press", "terms-in-effect"], "with the round that clear opened"


@pytest.mark.clause("521.8(c)(1)")
def test_limits_change_at_once_only_while_wagers_are_open_and_nothing_has_happened(table: Rig) -> None:
    """Nobody can be known not to play, however long nothing happens."""
    for step in (
        lambda: table.press("no-more-bets"),
        lambda: table.spin(1.4),
        lambda: table.spin(stop_on="7x"),
        lambda: table.spin(stop_on="10"),
        lambda: table.press("done"),
        lambda: table.press("done"),
    ):
        step()
        table.wait(120)
        with pytest.raises(ValueError, match="a round is being played, or the table is not open"):
            table.table.sign.propose(change(nobody_plays=True))
    table.press("clear")
    assert announce(table, change(nobody_plays=True)).outcome is ProposalOutcome.CONFIRMED
    assert limits(table) == NEW
    assert recorded_kinds(table) == ["terms-in-effect", "terms-confirmed", "terms-in-effect"]


@pytest.mark.clause("521.8(c)(1)")
def test_that_nobody_plays_takes_a_quiet_minute_besides_the_key(table: Rig) -> None:
    """§ 521.8(c)(1): not a fraction of a second after a round."""
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
    table.power_cut()
    table.turn(1.2)
    with pytest.raises(ValueError, match="leave the table alone"):
        table.table.sign.propose(nobody)
    assert limits(table) == OLD


@pytest.mark.clause("521.8(c)(1)")
def test_a_wheel_thrown_early_leaves_wagers_on_the_layout(table: Rig) -> None:
    table.spin(stop_on="10")
    assert table.state.value == "bets-open"
    for _ in range(2):
        with pytest.raises(ValueError, match="a round is being played"):
            table.table.sign.propose(change(nobody_plays=True))
        table.power_cut()
        table.turn(1.2)


def test_amounts_are_stored_without_trailing_zeros_and_read_as_money() -> None:
    assert limits_from("05", "500.00", "25000.50", "$") == Limits("5", "500", "25000.5", "$")
    words = "€2.50 to €500, at most €25,000 paid out in a round"
    assert limits_text(Limits("2.5", "500", "25000", "€")) == words
    assert money("$", "1000000.05") == "$1,000,000.05"
    assert money("$", "0.1234") == "$0.1234"
