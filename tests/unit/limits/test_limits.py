"""The limits sign at the table: nothing without the key, nothing before its time, everything on record."""

import re
from collections.abc import Callable
from contextlib import suppress

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from limits_table import (
    KINDS,
    MIN_S,
    WITHDRAWAL,
    announce,
    change,
    limits,
    new,
    on_sign,
    restart,
    set_clock,
    told,
    with_limits,
)
from screen_table import SLICE_NS, arrive, screens_of

from benchmarks.fault_cases import CellDealer
from benchmarks.fault_ways import way
from config.schema import TableConfig
from controller.access.authentication import Authentication
from controller.bench.oracle import Oracle
from controller.bench.rig import Rig
from controller.configuration.shipped import find_table
from controller.events.effect import RoundOpened
from controller.events.event import (
    BallThrown,
    DealerLoggedOn,
    Direction,
    Event,
    LimitsAnnounced,
    LimitsInEffect,
    LimitsWithdrawn,
    PowerRestored,
    Press,
    ShakerCycled,
    WheelThrown,
)
from controller.events.record import Record
from controller.journal.errors import JournalDamagedError
from controller.journal.journal import Journal
from controller.journal.record import RecordedDecision
from controller.journal.recovery import recover_table_state
from controller.journal.replay.replay import replay
from controller.limits.amounts import NOTICE_NS, Proposal, amounts_of, money, spoken, time_of_day
from controller.limits.round_progress import OPEN, RoundProgress
from controller.limits.sign import PATIENCE_S, ProposalOutcome
from controller.limits.table_state import Amounts
from controller.statechart.registry import find_game, game_names

Shipped = Callable[[str], TableConfig]
OLD, NEW = ("5", "500", ""), ("10", "1000", "")


@pytest.fixture
def table(shipped: Shipped) -> Rig:
    """Dreamcatcher with limits, open for wagers."""
    return new(with_limits(shipped("dreamcatcher")))


# -- the file's and the record's -----------------------------------------------------------------------------------


def test_the_files_limits_count_at_the_first_start_and_are_on_record(table: Rig) -> None:
    assert limits(table) == OLD
    assert told(table) == ["limits-in-effect"]
    table.power_cut()
    assert told(table) == ["limits-in-effect"], "once"


def test_limits_that_the_file_gets_later_count_from_the_next_start(shipped: Shipped) -> None:
    rig = new(shipped("dreamcatcher"))
    assert limits(rig) is None
    restart(rig, with_limits(shipped("dreamcatcher"), payout=25_000))
    assert limits(rig) == ("5", "500", "25000")


def test_the_record_counts_and_not_the_file_and_a_difference_is_told(
    table: Rig, shipped: Shipped, caplog: pytest.LogCaptureFixture
) -> None:
    assert table.table.sign.file_differs == ""
    restart(table, with_limits(shipped("dreamcatcher"), minimum=15))
    assert limits(table) == OLD
    words = table.table.sign.file_differs
    assert "in effect: $5 to $500; the table's file says $15 to $500" in words
    assert "table-controller limits" in words
    assert words in caplog.text
    restart(table, shipped("dreamcatcher"))
    assert limits(table) == OLD, "a file that says nothing takes nothing back"
    assert table.table.sign.file_differs == ""


def test_the_same_amount_written_otherwise_is_no_difference(shipped: Shipped) -> None:
    config = shipped("dreamcatcher")
    rig = new(with_limits(config, minimum="2.50"))
    restart(rig, with_limits(config, minimum="2.5"))
    assert rig.table.sign.file_differs == ""


def test_a_checkpoint_of_an_older_version_is_read_and_the_file_counts(table: Rig, shipped: Shipped) -> None:
    old = Journal(None)
    for entry in table.journal.entries():
        if not entry.kind.startswith("limits"):
            kept = entry.checkpoint and entry.checkpoint.replace(_table_state(entry.checkpoint), "")
            old.append(entry.round, entry.at_ns, 0, entry.kind, entry.body, kept)
    table.journal = old
    table.power_cut()
    assert limits(table) == OLD


def _table_state(checkpoint: str) -> str:
    start = checkpoint.index('"standing":')
    return checkpoint[start : checkpoint.index('"state":')]


# -- announced -----------------------------------------------------------------------------------------------------


def test_limits_are_announced_by_the_key_and_take_effect_after_half_an_hour(table: Rig) -> None:
    proposed = table.table.sign.propose(change())
    assert table.table.sign.prompt().startswith("floorperson: turn the key to announce $10 to $1,000 from ")
    assert (proposed.outcome, table.table.table_state.pending) == (ProposalOutcome.WAITING, None)
    table.press("floor-key")
    assert proposed.outcome is ProposalOutcome.CONFIRMED
    pending = table.table.table_state.pending
    assert pending is not None
    assert pending.amounts == Amounts("10", "1000")
    assert pending.from_utc_ns % (MIN_S * 10**9) == 0, "a time that a sign can state"
    table.wait(29 * MIN_S)
    assert limits(table) == OLD
    table.wait(2 * MIN_S)
    assert limits(table) == NEW
    assert told(table) == ["limits-in-effect", "limits-announced", "limits-in-effect"]
    assert table.table.table_state.pending is None


def test_the_key_that_confirms_does_not_reach_the_game(table: Rig) -> None:
    table.press("no-more-bets")
    table.world.fault("dead-clapper", "", 0)
    table.spin()
    assert table.state.value == "locked"
    announce(table)
    assert table.state.value == "locked"
    table.press("floor-key")
    assert table.state.value != "locked", "the next turn of the key is the game's again"


def test_nothing_changes_without_the_key(table: Rig) -> None:
    proposed = table.table.sign.propose(change())
    table.press("no-more-bets", "done", "no-spin")
    table.wait(PATIENCE_S + 2)
    assert proposed.outcome is ProposalOutcome.EXPIRED
    assert "nobody turned the key" in table.table.sign.prompt()
    table.press("floor-key")
    assert told(table) == ["limits-in-effect"]
    assert table.last("press").control == "floor-key", "the key is the game's again"


def test_clear_drops_a_proposal_and_does_not_reach_the_game(table: Rig) -> None:
    table.press("no-more-bets")
    table.spin(stop_on="10")
    table.press("done", "done")
    proposed = table.table.sign.propose(change())
    table.press("clear")
    assert (proposed.outcome, table.state.value) == (ProposalOutcome.DROPPED, "winners-paid")
    table.press("clear")
    assert table.state.value == "bets-open"
    assert told(table) == ["limits-in-effect"]


def test_the_buzzer_attends_to_a_proposal(table: Rig) -> None:
    before = table.world.sounder.beeps
    table.table.sign.propose(change())
    assert table.world.sounder.beeps == before + 1


def test_one_proposal_at_a_time(table: Rig) -> None:
    table.table.sign.propose(change())
    with pytest.raises(ValueError, match="another proposal waits at the table: turn the key"):
        table.table.sign.propose(WITHDRAWAL)
    table.press("floor-key")
    assert table.table.table_state.pending is not None


def test_a_second_announcement_takes_the_place_of_the_first_with_half_an_hour_of_its_own(table: Rig) -> None:
    announce(table)
    table.wait(20 * MIN_S)
    announce(table, change("20", "2000"))
    table.wait(15 * MIN_S)
    assert limits(table) == OLD
    table.wait(16 * MIN_S)
    assert limits(table) == ("20", "2000", "")
    assert told(table).count("limits-in-effect") == 2


def test_an_announcement_is_withdrawn(table: Rig) -> None:
    with pytest.raises(ValueError, match="nothing to withdraw"):
        table.table.sign.propose(WITHDRAWAL)
    announce(table)
    assert announce(table, WITHDRAWAL).outcome is ProposalOutcome.CONFIRMED
    table.wait(60 * MIN_S)
    assert limits(table) == OLD
    assert told(table)[1:] == ["limits-announced", "limits-withdrawn"]


def test_limits_that_are_in_effect_are_not_announced_again(table: Rig) -> None:
    with pytest.raises(ValueError, match="in effect already"):
        table.table.sign.propose(change(*OLD))


@pytest.mark.parametrize(
    ("ahead_min", "said"), [(29.9, "less than 30 minutes ahead"), (25 * 60, "more than a day")]
)
def test_a_time_that_is_too_near_or_too_far_is_refused(table: Rig, ahead_min: float, said: str) -> None:
    at = table.clock.utc_ns() + round(ahead_min * MIN_S * 10**9)
    with pytest.raises(ValueError, match=said):
        table.table.sign.propose(change(from_utc_ns=at))


def test_a_time_that_is_too_near_once_the_key_is_turned_is_refused(table: Rig) -> None:
    at = table.clock.utc_ns() + NOTICE_NS + 10 * 10**9
    proposed = table.table.sign.propose(change(from_utc_ns=at))
    table.wait(20)
    table.press("floor-key")
    assert proposed.outcome is ProposalOutcome.REFUSED
    assert told(table) == ["limits-in-effect"]
    assert "less than 30 minutes ahead" in table.table.sign.prompt()


# -- clocks and power ----------------------------------------------------------------------------------------------


def test_a_clock_that_is_set_forward_does_not_shorten_the_notice(table: Rig) -> None:
    announce(table)
    stated = table.table.table_state.pending
    assert stated is not None
    assert table.table.sign.effective_utc_ns() == stated.from_utc_ns
    set_clock(table, 2 * 3600)
    table.wait(29 * MIN_S)
    assert limits(table) == OLD
    assert table.table.sign.effective_utc_ns() > table.clock.utc_ns()
    table.wait(2 * MIN_S)
    assert limits(table) == NEW


def test_a_clock_that_is_set_back_makes_the_table_wait_for_the_time_on_the_sign(table: Rig) -> None:
    announce(table)
    set_clock(table, -3600)
    table.wait(80 * MIN_S)
    assert limits(table) == OLD
    table.wait(12 * MIN_S)
    assert limits(table) == NEW


def test_a_time_that_passed_while_the_power_was_off_counts_at_the_start(table: Rig) -> None:
    announce(table)
    table.power_cut(seconds=31 * MIN_S)
    assert limits(table) == NEW
    kinds = [record.event.kind for record in table.records()]
    assert kinds[kinds.index("power-restored") :][:2] == ["power-restored", "limits-in-effect"]


def test_after_a_restart_the_announced_time_still_counts(table: Rig) -> None:
    announce(table)
    table.power_cut(seconds=10 * MIN_S)
    table.wait(19 * MIN_S)
    assert limits(table) == OLD
    table.wait(2 * MIN_S)
    assert limits(table) == NEW


def test_a_proposal_does_not_outlive_a_power_cut(table: Rig) -> None:
    table.table.sign.propose(change())
    table.power_cut()
    table.press("floor-key")
    assert told(table) == ["limits-in-effect"]


# -- nobody plays --------------------------------------------------------------------------------------------------

STATES = [
    (game, state.value)
    for game in sorted(game_names())
    for state in find_game(game).machine(find_table(game).config).states
]


@pytest.mark.parametrize(("game", "state"), STATES)
def test_limits_change_at_once_only_while_wagers_are_open_and_nothing_has_happened(
    shipped: Shipped, game: str, state: str
) -> None:
    """In each state at the moment of coming into it; on some ways a table only passes through."""
    rigs: list[Rig] = []
    refused: list[str] = []

    def look(recorded: RecordedDecision) -> None:
        if rigs and recorded.record.state == state != OPEN:
            with pytest.raises(ValueError, match="a round is being played, or the table is not open") as told_why:
                rigs[-1].table.sign.propose(change(nobody_plays=True))
            refused.append(str(told_why.value))

    leads, witness = way(game, state), Oracle()
    rig = Rig(
        with_limits(shipped(game)), options={"seed": leads.seed}, slice_ns=SLICE_NS, listeners=(witness, look)
    )
    rigs.append(rig)
    dealer = CellDealer(rig, witness, leads)
    for _ in range(leads.acts):
        if refused or rig.state.value == state:
            break
        dealer.act()
    if state != OPEN:
        if not refused:  # The table stood there when it started.
            with pytest.raises(ValueError, match="a round is being played"):
                rig.table.sign.propose(change(nobody_plays=True))
        assert limits(rig) == OLD
        return
    assert announce(rig, change(nobody_plays=True)).outcome is ProposalOutcome.CONFIRMED
    assert limits(rig) == NEW
    assert told(rig) == ["limits-in-effect", "limits-announced", "limits-in-effect"]


@pytest.mark.parametrize("game", sorted(game_names()))
def test_every_game_has_the_state_in_which_wagers_are_open(shipped: Shipped, game: str) -> None:
    assert OPEN in {state.value for state in find_game(game).machine(shipped(game)).states}


@pytest.mark.parametrize(
    ("event", "outcome", "idle"),
    [
        (Press(1, "1"), "accepted", False),
        (Press(1, "1"), "refused", True),
        (Press(1, "floor-key"), "accepted", True),
        (WheelThrown(1, Direction.CLOCKWISE), "accepted", False),
        (WheelThrown(1, Direction.CLOCKWISE), "noted", True),
        (BallThrown(1, None), "accepted", False),
        (ShakerCycled(1), "accepted", False),
        (PowerRestored(1, 1, "1", "c"), "accepted", True),
    ],
)
def test_a_round_is_underway_once_something_is_keyed_or_thrown(event: Event, outcome: str, idle: bool) -> None:
    opened = RoundProgress().take(Record(Press(1, "clear"), "accepted", OPEN, (RoundOpened(2),)))
    assert opened.idle
    after = opened.take(Record(event, outcome, OPEN, ()))
    assert after.idle == idle
    elsewhere = after.take(Record(PowerRestored(2, 2, "1", "c"), "accepted", "locating", ()))
    assert not elsewhere.idle
    assert elsewhere.take(Record(WheelThrown(3, Direction.CLOCKWISE), "noted", OPEN, ())).idle == idle
    assert after.take(Record(Press(4, "clear"), "accepted", OPEN, (RoundOpened(3),))).idle


def test_a_round_that_begins_before_the_key_is_turned_forbids_it(table: Rig) -> None:
    proposed = table.table.sign.propose(change(nobody_plays=True))
    table.press("no-more-bets", "floor-key")
    assert proposed.outcome is ProposalOutcome.REFUSED
    assert "not possible any more: a round is being played" in table.table.sign.prompt()
    assert limits(table) == OLD


def test_a_wheel_that_was_looked_for_after_the_power_came_back_has_no_round_underway(table: Rig) -> None:
    table.power_cut()
    assert table.state.value == "locating"
    with pytest.raises(ValueError, match="a round is being played"):
        table.table.sign.propose(change(nobody_plays=True))
    table.turn(1.2)
    assert table.state.value == OPEN
    announce(table, change(nobody_plays=True))
    assert limits(table) == NEW


def test_a_wheel_thrown_early_leaves_wagers_on_the_layout(table: Rig) -> None:
    table.spin(stop_on="10")
    assert table.state.value == OPEN
    for _ in range(2):
        with pytest.raises(ValueError, match="a round is being played"):
            table.table.sign.propose(change(nobody_plays=True))
        table.power_cut()
        table.turn(1.2)


def test_between_the_throws_of_a_football_game_a_round_is_being_played(shipped: Shipped) -> None:
    rig = arrive(with_limits(shipped("three-dice-football")), OPEN).rig
    assert rig is not None
    assert rig.table.round_progress.idle
    rig.press("no-more-bets", *"123", "enter")
    while rig.state.value != OPEN:
        rig.press("done", "clear")
    assert rig.machine.data.drive is not None
    assert not rig.table.round_progress.idle


# -- who --------------------------------------------------------------------------------------------------------


class Knows:
    """One floorperson."""

    def knows(self, number: str) -> bool:
        return number == "4711"

    def fit(self, number: str, pin: str) -> bool:
        return (number, pin) == ("4711", "830261")


IDENTIFIES = ("floor-key", *"4711", "enter", *"830261", "enter")


@pytest.fixture
def guarded(shipped: Shipped) -> Rig:
    """Sic Bo, whose floorperson identifies."""
    return Rig(with_limits(shipped("sic-bo")), authority=lambda: Authentication(Knows()))


def test_who_announced_is_on_record(guarded: Rig) -> None:
    proposed = guarded.table.sign.propose(change())
    guarded.press(*IDENTIFIES)
    assert proposed.outcome is ProposalOutcome.CONFIRMED
    event = guarded.last("limits-announced")
    assert isinstance(event, LimitsAnnounced)
    assert event.by == "4711"
    assert guarded.state.value == "closed", "the key did not open the menu"


def test_a_wrong_pin_confirms_nothing(guarded: Rig) -> None:
    proposed = guarded.table.sign.propose(change())
    guarded.press("floor-key", *"4711", "enter", *"830262", "enter")
    assert proposed.outcome is ProposalOutcome.WAITING
    guarded.wait(PATIENCE_S)
    assert told(guarded) == ["limits-in-effect"]


def test_a_key_that_was_turned_for_something_else_confirms_nothing(guarded: Rig) -> None:
    guarded.press(*IDENTIFIES[:4])
    with pytest.raises(ValueError, match="identifying for something else"):
        guarded.table.sign.propose(change())
    guarded.press(*IDENTIFIES[4:])
    assert guarded.state.value == "floor-menu"
    assert told(guarded) == ["limits-in-effect"]


def test_who_turned_the_key_in_time_may_take_longer_for_the_pin(guarded: Rig) -> None:
    proposed = guarded.table.sign.propose(change())
    guarded.wait(PATIENCE_S - 3)
    guarded.press(*IDENTIFIES[:7])
    guarded.wait(20)
    guarded.press(*IDENTIFIES[7:])
    assert proposed.outcome is ProposalOutcome.CONFIRMED
    assert guarded.state.value == "closed"


def test_clear_while_identifying_wipes_a_digit_and_drops_nothing(guarded: Rig) -> None:
    proposed = guarded.table.sign.propose(change())
    guarded.press("floor-key", "9", "clear")
    assert proposed.outcome is ProposalOutcome.WAITING
    guarded.press(*IDENTIFIES[1:])
    assert proposed.outcome is ProposalOutcome.CONFIRMED


# -- amounts ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (("10", "5"), "the maximum 5 is below the minimum 10"),
        (("10", "500", "499"), "the payout limit 499 is below the maximum 500"),
        (("0", "500"), "the minimum '0' is no amount"),
        (("-5", "500"), "is no amount"),
        (("1e3", "500"), "is no amount"),
        (("٣", "500"), "is no amount"),
        (("", "500"), "the minimum '' is no amount"),
        (("5", "0.00001"), "the maximum '0.00001' is no amount"),
        (("5", "1234567890123"), "at most 12 digits"),
        (("5", "500", "x" * 1000), "the payout limit 'xxx"),
    ],
)
def test_what_cannot_be_limits_is_refused(given: tuple[str, ...], said: str) -> None:
    with pytest.raises(ValueError, match=said) as refused:
        amounts_of(*given)
    assert len(str(refused.value)) < 200


@pytest.mark.parametrize(
    ("amount", "shown"),
    [("5", "$5"), ("25000", "$25,000"), ("2.5", "$2.50"), ("0.1234", "$0.1234"), ("1000000.05", "$1,000,000.05")],
)
def test_amounts_are_read_as_money(amount: str, shown: str) -> None:
    assert money("$", amount) == shown


def test_amounts_are_kept_without_needless_zeros() -> None:
    assert amounts_of("05", "500.00", "25000.50") == Amounts("5", "500", "25000.5")
    words = "€2.50 to €500, at most €25,000 paid out in a round"
    assert spoken(Amounts("2.5", "500", "25000"), "€") == words


# -- what is seen --------------------------------------------------------------------------------------------------


def test_the_board_shows_what_counts_and_what_is_announced(shipped: Shipped) -> None:
    table = new(with_limits(shipped("dreamcatcher"), payout=25_000))
    screens = screens_of(table)
    shown = {"minimum": "5", "maximum": "500", "payout": "25000", "currency": "$", "pending": None}
    assert screens.look()["limits"] == shown
    announce(table, change("10", "1000", "50000"))
    pending = screens.look()["limits"]["pending"]
    stated = table.table.table_state.pending
    assert stated is not None
    assert pending == {
        "minimum": "10",
        "maximum": "1000",
        "payout": "50000",
        "at": time_of_day(stated.from_utc_ns),
        "effective_ms": stated.from_utc_ns // 1_000_000,
    }
    table.wait(32 * MIN_S)
    assert screens.look()["limits"] == {**shown, "minimum": "10", "maximum": "1000", "payout": "50000"}
    screens.same_as_recalled()


def test_the_board_counts_down_to_the_time_at_which_they_take_effect_though_the_clock_was_set(table: Rig) -> None:
    screens = screens_of(table)
    announce(table)
    set_clock(table, 3600)
    seen = screens.look()["limits"]["pending"]["effective_ms"]
    table.wait(32 * MIN_S)
    assert abs(seen - table.last("limits-in-effect").utc_ns // 1_000_000) < 1000


def test_a_table_without_limits_shows_none(shipped: Shipped) -> None:
    assert screens_of(new(shipped("dreamcatcher"))).look()["limits"] is None


def test_limits_that_are_announced_where_none_were_stand_on_the_board(shipped: Shipped) -> None:
    table = new(shipped("dreamcatcher"))
    announce(table)
    shown = screens_of(table).look()["limits"]
    assert (shown["minimum"], shown["pending"]["minimum"]) == ("", "10")


def test_the_dealer_is_told_what_to_announce(table: Rig) -> None:
    screens = screens_of(table)
    assert screens.dealer()["limits"] == {"asks": "", "announce": "", "file": ""}
    table.table.sign.propose(change())
    assert "turn the key to announce $10 to $1,000 from" in screens.dealer()["limits"]["asks"]  # type: ignore[attr-defined]
    table.press("floor-key")
    said = screens.dealer()["limits"]["announce"]  # type: ignore[attr-defined]
    assert re.fullmatch(r"from \d\d:\d\d on wagers are \$10 to \$1,000", said)
    table.wait(32 * MIN_S)
    assert screens.dealer()["limits"]["announce"] == ""  # type: ignore[attr-defined]


def test_the_table_sees_no_device_in_trouble_in_any_of_this(table: Rig) -> None:
    announce(table, change(nobody_plays=True))
    for record in table.records():
        if record.event.kind in KINDS:
            assert (record.outcome, record.effects) == ("noted", ())


@pytest.mark.parametrize("game", sorted(game_names()))
def test_no_game_reacts_to_the_sign_or_the_dealer(shipped: Shipped, game: str) -> None:
    machine = find_game(game).machine(with_limits(shipped(game)))
    events = (
        LimitsAnnounced(1, 1, "5", "500", "", 2),
        LimitsWithdrawn(1, 1),
        LimitsInEffect(1, 1, "5", "500", ""),
        DealerLoggedOn(1, 1, "31"),
    )
    for state in machine.states:
        machine.restore({**machine.snapshot(), "state": state.value})
        before = machine.snapshot()
        for event in events:
            decision = machine.handle(event)
            assert (decision.outcome.value, decision.state, decision.effects) == ("noted", state.value, ())
            assert machine.snapshot() == before


# -- whatever happens ---------------------------------------------------------------------------------------------

AMOUNTS = st.sampled_from([("10", "1000"), ("20", "2000"), ("20", "2000", "50000")])
ACTIONS = st.one_of(
    st.tuples(st.just("propose"), AMOUNTS, st.sampled_from([30, 31, 45]).map(lambda minutes: {"minutes": minutes})),
    st.tuples(st.just("propose"), AMOUNTS, st.just({"nobody_plays": True})),
    st.tuples(st.just("propose"), AMOUNTS, st.integers(20, 60).map(lambda minutes: {"in": minutes})),
    st.just(("withdraw",)),
    st.tuples(st.just("press"), st.sampled_from(["floor-key", "floor-key", "clear", "no-more-bets", "done"])),
    st.just(("spin",)),
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
    elif kind == "wait":
        rig.wait(float(rest[0]))  # type: ignore[arg-type]
    elif kind == "set":
        set_clock(rig, float(rest[0]))  # type: ignore[arg-type]
    else:
        rig.power_cut(float(rest[0]))  # type: ignore[arg-type]


def propose(rig: Rig, action: tuple[object, ...]) -> None:
    proposal: Proposal = WITHDRAWAL
    if action[0] == "propose":
        when = dict(action[2])  # type: ignore[call-overload]
        if "in" in when:
            when = {"from_utc_ns": rig.clock.utc_ns() + when["in"] * MIN_S * 10**9}
        proposal = change(*action[1], **when)  # type: ignore[misc]
    with suppress(ValueError):
        rig.table.sign.propose(proposal)


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
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
        assert recover_table_state(rig.journal) == (rig.table.table_state, rig.table.round_progress)
    told_so_far = on_sign(rig)
    announced = [event for event in told_so_far if isinstance(event, LimitsAnnounced)]
    assert len(announced) <= proposals
    check_order(rig)


def check_order(rig: Rig) -> None:
    """Every limits in effect were announced last before them, half an hour ago unless nobody played."""
    records = rig.records()
    starts = [at for at, record in enumerate(records) if record.event.kind in ("table-started", "power-restored")]
    pending: tuple[int, LimitsAnnounced] | None = None
    for at, record in enumerate(records):
        event = record.event
        if isinstance(event, LimitsAnnounced):
            assert event.nobody_plays or event.from_utc_ns - event.utc_ns >= NOTICE_NS
            assert not event.nobody_plays or record.state == OPEN
            pending = (at, event)
        elif event.kind == "limits-withdrawn":
            assert pending is not None
            pending = None
        elif isinstance(event, LimitsInEffect) and at > 1:
            assert pending is not None
            place, before = pending
            assert (event.minimum, event.maximum, event.payout) == (before.minimum, before.maximum, before.payout)
            assert event.utc_ns >= before.from_utc_ns
            lived = not any(place < start < at for start in starts)
            if lived and not before.nobody_plays:
                assert event.at_ns - before.at_ns >= NOTICE_NS, "a clock that was set shortened the notice"
            pending = None


def played(table: Rig) -> Rig:
    """Two rounds, with other limits in each."""
    for amounts in (("10", "1000"), ("20", "2000", "50000")):
        announce(table, change(*amounts))
        table.wait(32 * MIN_S)
        table.press("no-more-bets")
        table.spin(stop_on="10")
        table.press("done", "done", "clear")
    return table


def differences(table: Rig, number: int, journal: Journal) -> list[str]:
    game = find_game("dreamcatcher")
    again = replay(number, game.name, game.machine(table.config), journal)
    return [str(difference) for difference in again.differences]


def rewritten(table: Rig, checkpoint: Callable[[str], str]) -> Journal:
    """The same record with other checkpoints, chained anew."""
    other = Journal(None)
    for entry in table.journal.entries():
        kept = entry.checkpoint and checkpoint(entry.checkpoint)
        other.append(entry.round, entry.at_ns, 0, entry.kind, entry.body, kept)
    return other


def test_the_record_of_the_sign_is_taken_again_without_a_difference(table: Rig) -> None:
    played(table)
    assert [differences(table, number, table.journal) for number in (1, 2)] == [[], []]


def test_another_standing_in_a_checkpoint_is_a_difference(table: Rig) -> None:
    other = rewritten(played(table), lambda kept: kept.replace('"maximum":"2000"', '"maximum":"9000"'))
    assert differences(table, 1, other) == []
    found = differences(table, 2, other)
    assert len(found) == 1
    assert "checkpoint standing limits" in found[0]


def test_checkpoints_of_an_older_version_are_no_difference(table: Rig) -> None:
    other = rewritten(played(table), lambda kept: kept.replace(_table_state(kept), ""))
    assert [differences(table, number, other) for number in (1, 2)] == [[], []]


def test_a_checkpoint_whose_standing_makes_no_sense_is_a_damaged_journal(table: Rig) -> None:
    other = rewritten(played(table), lambda kept: kept.replace(_table_state(kept), '"standing":{"dealer":[]},'))
    with pytest.raises(JournalDamagedError, match="its checkpoint's standing makes no sense"):
        recover_table_state(other)
