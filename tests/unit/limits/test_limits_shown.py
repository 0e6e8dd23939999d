"""What people see of the limits; and that in any sequence none take effect before their time."""

import itertools
import re
from collections.abc import Callable, Sequence
from contextlib import suppress

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from limits_table import (
    MIN_S,
    announce,
    change,
    confirm,
    new,
    next_round,
    on_sign,
    set_clock,
    with_limits,
)
from on_record import recovered
from screen_table import screens_of

from config.schema import TableConfig
from controller.bench.rig import Rig
from controller.events.event import (
    TermsConfirmed,
    TermsInEffect,
)
from controller.events.record import Record
from controller.limits.proposals import Proposal
from controller.limits.round_progress import OPEN
from controller.limits.terms import NOTICE_NS, time_of_day

Shipped = Callable[[str], TableConfig]


# -- what is seen --------------------------------------------------------------------------------------------------


@pytest.mark.clause("689a.1(g)(4)", "521.7(a)", "521.7(b)", "521.8(a)", "521.8(c)(2)(ii)")
def test_the_board_shows_what_counts_and_what_is_announced(shipped: Shipped) -> None:
    table = new(with_limits(shipped("dreamcatcher"), payout=25_000))
    screens = screens_of(table)
    shown = {"minimum": "5", "maximum": "500", "payout": "25000", "currency": "$", "pending": None, "steps": ""}
    assert screens.checked_board()["limits"] == shown
    announce(table, change("10", "1000", "50000"))
    sign = screens.checked_board()["limits"]
    stated = table.table.table_state.pending
    assert stated is not None
    assert {**sign, "pending": None} == shown, "what counts until then stays on it"
    assert sign["pending"] == {
        "minimum": "10",
        "maximum": "1000",
        "payout": "50000",
        "currency": "$",
        "at": time_of_day(stated.from_utc_ns),
        "effective_ms": stated.from_utc_ns // 1_000_000,
    }
    table.wait(33 * MIN_S)
    next_round(table)
    assert screens.checked_board()["limits"] == {**shown, "minimum": "10", "maximum": "1000", "payout": "50000"}
    screens.same_as_recalled()


@pytest.mark.clause("521.8(c)(2)(ii)")
def test_the_board_counts_down_to_the_time_at_which_they_take_effect_though_the_clock_was_set(table: Rig) -> None:
    screens = screens_of(table)
    announce(table)
    set_clock(table, 3600)
    seen = screens.checked_board()["limits"]["pending"]["effective_ms"]
    table.wait(30 * MIN_S)
    while not table.table.sign.due:
        table.wait(0.5)
    assert abs(seen - table.clock.utc_ns() // 1_000_000) < 1000
    assert screens.checked_board()["limits"]["minimum"] == "5", "not before the next round"
    next_round(table)
    assert screens.checked_board()["limits"]["minimum"] == "10"


@pytest.mark.clause("689a.1(g)(4)")
def test_what_is_to_be_paid_names_the_cap_where_it_may_be_reached(shipped: Shipped) -> None:
    """§ 689a.1(g)(4): 1,960 to 1 on $500, with at most $1,000 paid out in a round."""
    table = new(with_limits(shipped("dreamcatcher"), payout=1000))
    screens = screens_of(table)
    table.press("no-more-bets")
    for section in ("7x", "7x", "40"):
        table.spin(stop_on=section)
    assert screens.board()["wins"][0]["pays"] == "1960 to 1"
    assert screens.board()["cap"] == "at most $1,000 is paid out in a round"
    assert screens.board()["detail"] == "40 pays 1960 to 1; at most $1,000 is paid out in a round"
    assert [(win["label"], win["most"]) for win in screens.dealer()["paid"]] == [("40", "$1,000")]
    table.press("done", "done", "clear")
    assert not screens.board()["cap"]
    table.press("no-more-bets")
    table.spin(stop_on="2")
    assert not screens.board()["cap"], "$500 at 2 to 1 do not exceed it"
    assert [(win["label"], win["most"]) for win in screens.dealer()["paid"]] == [("2", "")]
    table.press("done", "done", "clear", "no-more-bets")
    table.spin(stop_on="5")
    assert screens.board()["cap"] == "at most $1,000 is paid out in a round", "$500 do, though $5 do not"


@pytest.mark.clause("521.8(c)(2)(iii)")
def test_the_dealers_screen_says_what_to_announce(table: Rig) -> None:
    """§ 521.8(c)(2)(iii): the words for the patrons name everything that changes, before the key and after."""
    screens = screens_of(table)

    def said(what: str) -> str:
        return str(screens.dealer()["limits"][what])  # type: ignore[index]

    assert screens.dealer()["limits"] == {"asks": "", "announce": "", "file": ""}
    words = "wagers are $10 to $1,000, at most $50,000 paid out in a round"
    table.table.sign.propose(change("10", "1000", "50000"))
    assert "announce to the patrons: from " in said("asks")
    assert words in said("asks")
    confirm(table)
    assert re.fullmatch(r"from \d\d:\d\d on " + re.escape(words), said("announce"))
    table.wait(33 * MIN_S)
    assert said("announce") == f"from the next round on {words}"
    next_round(table)
    assert said("announce") == ""
    announce(table, change("10", "1000"))
    assert "paid out" not in said("announce")


# -- any sequence --------------------------------------------------------------------------------------------------


AMOUNTS = st.sampled_from([("10", "1000"), ("20", "2000"), ("20", "2000", "50000")])
ACTIONS = st.one_of(
    st.tuples(st.just("propose"), AMOUNTS, st.sampled_from([30, 31, 45]).map(lambda minutes: {"minutes": minutes})),
    st.tuples(st.just("propose"), AMOUNTS, st.just({"nobody_plays": True})),
    st.tuples(st.just("propose"), AMOUNTS, st.integers(20, 60).map(lambda minutes: {"in": minutes})),
    st.just(("withdraw",)),
    st.tuples(st.just("press"), st.sampled_from(["floor-key", "floor-key", "clear", "no-more-bets", "done"])),
    st.just(("spin",)),
    st.just(("round",)),
    st.just(("round",)),
    st.tuples(st.just("wait"), st.sampled_from([1.0, 20.0, 61.0, 600.0, 1790.0, 1800.0, 3600.0])),
    st.tuples(st.just("set"), st.sampled_from([-4000.0, -600.0, 600.0, 1800.0, 90_000.0])),
    st.tuples(st.just("power"), st.sampled_from([5.0, 900.0, 4000.0])),
)


def act(rig: Rig, action: tuple[object, ...]) -> None:
    kind, *rest = action
    if kind in ("propose", "withdraw"):
        propose(rig, action)
    elif kind == "press":
        rig.press(str(rest[0]))
    elif kind == "spin":
        rig.spin(3.4)
    elif kind == "round":
        if rig.state.value == "locating":
            rig.turn(1.2)
        rig.press("no-more-bets")
        rig.spin(3.4)
        rig.press("done", "done", "clear")
    elif kind == "wait":
        rig.wait(float(rest[0]))  # type: ignore[arg-type]
    elif kind == "set":
        set_clock(rig, float(rest[0]))  # type: ignore[arg-type]
    else:
        rig.power_cut(float(rest[0]))  # type: ignore[arg-type]


def propose(rig: Rig, action: tuple[object, ...]) -> None:
    proposal: Proposal = Proposal(None)
    if action[0] == "propose":
        when = dict(action[2])  # type: ignore[call-overload]
        if "in" in when:
            when = {"from_utc_ns": rig.clock.utc_ns() + when["in"] * MIN_S * 10**9}
        proposal = change(*action[1], **when)  # type: ignore[misc]
    with suppress(ValueError):
        rig.table.sign.propose(proposal)


@pytest.mark.clause("521.8(c)(2)(i)")
@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(actions=st.lists(ACTIONS, min_size=4, max_size=25))
def test_no_limits_take_effect_before_their_time_or_without_the_key(
    shipped: Shipped, actions: list[tuple[object, ...]]
) -> None:
    rig = new(with_limits(shipped("dreamcatcher")))
    proposals = 0
    for action in actions:
        keys = rig.world.sounder.beeps
        act(rig, action)
        proposals += action[0] == "propose" and rig.world.sounder.beeps > keys
        found = recovered(rig.config, rig.journal)
        assert (found.table_state, found.round_progress) == (
            rig.table.table_state,
            rig.table.recorder.round_progress,
        )
    recorded_so_far = on_sign(rig)
    announced = [event for event in recorded_so_far if isinstance(event, TermsConfirmed)]
    assert len(announced) <= proposals
    check_order(rig)


def check_order(rig: Rig) -> None:
    """Every limits in effect were announced last before them, half an hour ago unless nobody played."""
    records = rig.records()
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
                assert lit_ns(records[place : at + 1]) >= NOTICE_NS, "a clock or an outage shortened the notice"
            pending = None


def lit_ns(records: Sequence[Record]) -> int:
    """For how long a table ran at least, from the first to the last of these records."""
    total = 0
    for one, other in itertools.pairwise(records):
        if other.event.kind != "power-restored":
            total += other.event.at_ns - one.event.at_ns
    return total
