"""The limits at the table: nothing without the key, nothing before its time or inside a round, all on record."""

import itertools
import re
from collections.abc import Callable
from contextlib import suppress

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from limits_table import (
    MIN_S,
    announce,
    change,
    confirm,
    drop,
    limits,
    new,
    next_round,
    on_sign,
    recorded_kinds,
    set_clock,
    with_limits,
)
from on_record import recovered
from screen_table import screens_of
from staff import FLOOR, identify, staff

from config.schema import TableConfig
from controller.bench.rig import Rig
from controller.events.event import Limits, TermsConfirmed, TermsInEffect
from controller.events.record import Record
from controller.limits.proposals import PATIENCE_S, Proposal, ProposalOutcome
from controller.limits.table_state import OPEN
from controller.limits.terms import NOTICE_NS, limits_from, limits_text, money, time_of_day

Shipped = Callable[[str], TableConfig]
OLD, NEW = ("5", "500", ""), ("10", "1000", "")


@pytest.mark.clause("521.7(a)", "521.7(b)", "521.8(a)", "521.8(c)(2)(i)", "521.8(c)(2)(iii)", "689a.1(g)(4)")
def test_limits_are_announced_by_the_key_and_take_effect_after_half_an_hour(shipped: Shipped) -> None:
    """The board shows what counts, and what is announced; the dealer's screen says the words for the patrons."""
    table = new(with_limits(shipped("dreamcatcher"), payout=25_000))
    table.power_cut()
    table.turn(1.2)
    assert recorded_kinds(table) == ["terms-in-effect"], "those of the file count from the first start, once"
    screens = screens_of(table)
    shown = {"minimum": "5", "maximum": "500", "payout": "25000", "currency": "$", "steps": "", "pending": None}
    assert screens.checked_board()["limits"] == shown
    proposed = table.table.sign.propose(change("10", "1000", "50000"))
    words = "wagers are $10 to $1,000, at most $50,000 paid out in a round"
    asks = screens.dealer()["limits"]["asks"]  # type: ignore[index]
    assert asks.startswith("FLOORPERSON: announce to the patrons: from ")
    assert f" on {words}. Then turn the key and confirm" in asks
    assert (proposed.outcome, table.table.table_state.pending) == (ProposalOutcome.WAITING, None)
    confirm(table)
    assert proposed.outcome is ProposalOutcome.CONFIRMED
    stated = table.table.table_state.pending
    assert stated is not None
    assert stated.from_utc_ns % (MIN_S * 10**9) == 0, "a time that a sign can state"
    assert proposed.words.endswith(f"announced, in effect from {time_of_day(stated.from_utc_ns)}")
    sign = screens.checked_board()["limits"]
    assert {**sign, "pending": None} == shown, "what counts until then stays on it"
    at = {"at": time_of_day(stated.from_utc_ns), "effective_ms": stated.from_utc_ns // 1_000_000}
    new_limits = {"minimum": "10", "maximum": "1000", "payout": "50000"}
    assert sign["pending"] == {**new_limits, "currency": "$", **at}

    def announced() -> str:
        return str(screens.dealer()["limits"]["announce"])  # type: ignore[index]

    assert re.fullmatch(r"from \d\d:\d\d on " + re.escape(words), announced())
    table.wait(29 * MIN_S)
    next_round(table)
    table.wait(3 * MIN_S)
    assert limits(table) == ("5", "500", "25000"), "not before the next round"
    assert announced() == f"from the next round on {words}"
    next_round(table)
    assert screens.checked_board()["limits"] == {**shown, **new_limits}
    assert announced() == ""
    assert recorded_kinds(table) == ["terms-in-effect", "terms-confirmed", "terms-in-effect"]


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
    assert proposed.outcome is ProposalOutcome.REFUSED
    assert recorded_kinds(table) == ["terms-in-effect"]
    announce(table)
    assert table.last("terms-confirmed").by == FLOOR


def test_a_proposal_neither_comes_nor_goes_while_the_floorperson_chooses(table: Rig) -> None:
    """The floorperson confirms what the menu showed. Else it expires."""
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
    other = table.table.sign.propose(change("20"))
    table.wait(PATIENCE_S)
    assert other.outcome is ProposalOutcome.REFUSED
    assert "nobody turned the key" in table.table.sign.prompt()
    table.wait(20)
    assert table.table.sign.prompt() == ""


def test_an_announcement_is_withdrawn_and_a_time_that_is_too_near_by_now_refused(table: Rig) -> None:
    with pytest.raises(ValueError, match="nothing to withdraw"):
        table.table.sign.propose(Proposal(None))
    announce(table)
    table.table.sign.propose(Proposal(None))
    assert "to withdraw the announced limits of $10 to $1,000, turn the key" in table.table.sign.prompt()
    confirm(table)
    proposed = table.table.sign.propose(change(from_utc_ns=table.clock.utc_ns() + NOTICE_NS + 10 * 10**9))
    table.wait(20)
    confirm(table)
    assert proposed.outcome is ProposalOutcome.REFUSED
    assert "less than 30 minutes ahead" in table.table.sign.prompt()
    table.wait(60 * MIN_S)
    next_round(table)
    assert (limits(table), recorded_kinds(table)[1:]) == (OLD, ["terms-confirmed", "limits-withdrawn"])


# -- clocks and power ----------------------------------------------------------------------------------------------


def clock_set(seconds: float, restarts: bool = False) -> Callable[[Rig], None]:
    def happens(table: Rig) -> None:
        table.wait(MIN_S)
        set_clock(table, seconds)
        if restarts:
            table.power_cut()

    return happens


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


@pytest.mark.clause("521.8(c)(2)(i)", "521.8(c)(2)(ii)")
@pytest.mark.parametrize(
    ("happens", "minutes", "left_min"),
    [
        (clock_set(7200, restarts=True), 30, 29),
        (clock_set(7200), 45, 44),
        (clock_set(-600), 30, 39),
        (without_power, 30, 29),
        (dark, 30, 30),
        (restarts, 30, 3),
    ],
)
def test_a_notice_is_half_an_hour_for_which_the_sign_is_lit(
    table: Rig, happens: Callable[[Rig], None], minutes: int, left_min: int
) -> None:
    """§ 521.8(c)(2)(i): whatever clocks, power and screens do. The sign states the true time."""
    announce(table, change(minutes=minutes))
    happens(table)
    screens = screens_of(table)
    next_round(table)
    stated_ms = screens.checked_board()["limits"]["pending"]["effective_ms"]
    table.wait((left_min - 2) * MIN_S)
    next_round(table)
    assert limits(table) == OLD
    while not table.table.sign.due:
        table.wait(0.5)
    assert abs(stated_ms - table.clock.utc_ns() // 1_000_000) <= MIN_S * 1000
    table.wait(MIN_S)
    next_round(table)
    assert limits(table) == NEW


# -- rounds --------------------------------------------------------------------------------------------------------


@pytest.mark.clause("521.8(c)", "689a.1(g)(4)")
def test_a_bonus_is_paid_under_the_limits_of_its_round(shipped: Shipped) -> None:
    """§ 521.8: a cap of $1,000 at a 7x stays through the bonus, until the multiplier is paid.

    § 689a.1(g)(4): what is to be paid names the cap where it may be reached.
    """
    table = new(with_limits(shipped("dreamcatcher"), payout=1000))
    announce(table, change("5", "500", "25000"))
    table.wait(30 * MIN_S)
    table.press("no-more-bets")
    table.spin(stop_on="7x")
    table.wait(20 * MIN_S)
    table.power_cut()
    table.turn(1.2)
    table.spin(stop_on="40")
    screens = screens_of(table)
    assert table.last("result").wins[0].pays == "280 to 1"
    assert screens.board()["detail"] == "40 pays 280 to 1; at most $1,000 is paid out in a round"
    assert [(win["label"], win["most"]) for win in screens.dealer()["paid"]] == [("40", "$1,000")]
    table.press("done", "done")
    assert limits(table) == ("5", "500", "1000")
    table.press("clear")
    assert limits(table) == ("5", "500", "25000")
    kinds = [record.event.kind for record in table.records()]
    assert kinds[-2:] == ["press", "terms-in-effect"], "with the round that clear opened"
    table.press("no-more-bets")
    table.spin(stop_on="40")
    assert not screens.board()["cap"], "$500 at 40 to 1 do not exceed it"


@pytest.mark.clause("521.8(c)(1)")
def test_limits_change_at_once_only_while_wagers_are_open_and_nothing_has_happened(table: Rig) -> None:
    """Nobody can be known not to play, however long nothing happens."""
    nobody = change(nobody_plays=True)
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
            table.table.sign.propose(nobody)
    table.press("clear")
    for wait_s, left_s in ((0, 60), (59, 1)):
        table.wait(wait_s)
        with pytest.raises(ValueError, match=f"leave the table alone for {left_s} s more"):
            table.table.sign.propose(nobody)
    table.wait(1)
    proposed = table.table.sign.propose(nobody)
    table.press("done")
    confirm(table)
    assert proposed.outcome is ProposalOutcome.REFUSED, "somebody was at the keys"
    assert announce(table, change(nobody_plays=True)).words == "$10 to $1,000, in effect now"
    assert limits(table) == NEW
    table.spin(stop_on="10")
    table.power_cut()
    table.turn(1.2)
    with pytest.raises(ValueError, match="a round is being played"):
        table.table.sign.propose(change("20", nobody_plays=True))


def test_amounts_are_stored_without_trailing_zeros_and_read_as_money() -> None:
    assert limits_from("05", "500.00", "25000.50", "$") == Limits("5", "500", "25000.5", "$")
    words = "€2.50 to €500, at most €25,000 paid out in a round"
    assert limits_text(Limits("2.5", "500", "25000", "€")) == words
    assert (money("$", "1000000.05"), money("$", "0.1234")) == ("$1,000,000.05", "$0.1234")


# -- any sequence --------------------------------------------------------------------------------------------------

AMOUNTS = st.sampled_from([("10", "1000"), ("20", "2000"), ("20", "2000", "50000")])
WHEN = st.one_of(
    st.sampled_from([30, 31, 45]).map(lambda minutes: {"minutes": minutes}),
    st.just({"nobody_plays": True}),
    st.integers(20, 60).map(lambda minutes: {"in": minutes}),
)
ACTIONS = st.one_of(
    st.tuples(st.just("propose"), AMOUNTS, WHEN),
    st.just(("withdraw",)),
    st.tuples(st.just("press"), st.sampled_from(["floor-key", "floor-key", "clear", "no-more-bets", "done"])),
    st.tuples(st.just("spin")),
    st.just(("round",)),
    st.tuples(st.just("wait"), st.sampled_from([1.0, 20.0, 61.0, 600.0, 1790.0, 1800.0, 3600.0])),
    st.tuples(st.just("set"), st.sampled_from([-4000.0, -600.0, 600.0, 1800.0, 90_000.0])),
    st.tuples(st.just("power"), st.sampled_from([5.0, 900.0, 4000.0])),
)


def act(rig: Rig, kind: str, *what: object) -> None:
    if kind in ("propose", "withdraw"):
        proposal = Proposal(None)
        if what:
            amounts, when = what
            if "in" in when:  # type: ignore[operator]
                when = {"from_utc_ns": rig.clock.utc_ns() + when["in"] * MIN_S * 10**9}  # type: ignore[index]
            proposal = change(*amounts, **when)  # type: ignore[misc]
        with suppress(ValueError):
            rig.table.sign.propose(proposal)
    elif kind == "press":
        rig.press(str(what[0]))
    elif kind in ("spin", "round"):
        if kind == "round":
            if rig.state.value == "locating":
                rig.turn(1.2)
            rig.press("no-more-bets")
        rig.spin(3.4)
        rig.press(*(("done", "done", "clear") if kind == "round" else ()))
    else:
        {"wait": rig.wait, "set": lambda s: set_clock(rig, s), "power": rig.power_cut}[kind](what[0])  # type: ignore[index, operator]


@pytest.mark.clause("521.8(c)(2)(i)")
@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(actions=st.lists(ACTIONS, min_size=4, max_size=25))
def test_no_limits_take_effect_before_their_time_or_without_the_key(
    shipped: Shipped, actions: list[tuple[str, object]]
) -> None:
    rig = new(with_limits(shipped("dreamcatcher")))
    proposals = 0
    for action in actions:
        beeps = rig.world.sounder.beeps
        act(rig, *action)
        proposals += action[0] == "propose" and rig.world.sounder.beeps > beeps
        found, recorder = recovered(rig.config, rig.journal), rig.table.recorder
        assert (found.table_state, found.round_progress) == (recorder.table_state, recorder.round_progress)
    assert sum(isinstance(event, TermsConfirmed) for event in on_sign(rig)) <= proposals
    check_order(rig.records())


def check_order(records: list[Record]) -> None:
    """Every limits in effect were announced last before them, half an hour ago unless nobody played."""
    pending: tuple[int, TermsConfirmed] | None = None
    for at, record in enumerate(records):
        event = record.event
        if isinstance(event, TermsConfirmed):
            assert not event.to_patrons or event.from_utc_ns - event.utc_ns >= NOTICE_NS
            assert event.to_patrons or record.state == OPEN
            pending = (at, event)
        elif event.kind == "limits-withdrawn":
            assert pending is not None
            pending = None
        elif isinstance(event, TermsInEffect) and at > 1:
            assert pending is not None
            place, before = pending
            assert event.terms.limits == before.terms.limits
            assert event.utc_ns >= before.from_utc_ns
            if before.to_patrons:
                opened = [effect.kind for effect in records[at - 1].effects]
                assert "round-opened" in opened, "limits changed inside a round"
                ran = itertools.pairwise(one.event for one in records[place : at + 1])
                lit_ns = sum(two.at_ns - one.at_ns for one, two in ran if two.kind != "power-restored")
                assert lit_ns >= NOTICE_NS, "a clock or an outage shortened the notice"
            pending = None
