"""Who changes the limits, when a change at once is possible, and which amounts are valid."""

from collections.abc import Callable

import pytest
from campaigns.fault_cases import CellDealer
from limits_table import announce, change, limits, next_round, recorded_kinds, with_limits
from screen_table import SLICE_NS, arrive

from config.schema import TableConfig
from controller.access.authentication import Authentication
from controller.bench.oracle import Oracle
from controller.bench.rig import Rig
from controller.bench.ways import way
from controller.configuration.shipped import find_table
from controller.events.effect import RoundOpened
from controller.events.event import (
    BallThrown,
    Direction,
    Event,
    LimitsAnnounced,
    PowerRestored,
    Press,
    ShakerCycled,
    WheelThrown,
)
from controller.journal.record import Record, RecordedDecision
from controller.limits.amounts import amounts_of, money, spoken
from controller.limits.proposed import PATIENCE_S, ProposalOutcome
from controller.limits.round_progress import OPEN, RoundProgress
from controller.limits.table_state import Amounts
from controller.statechart.registry import find_game, game_names

Shipped = Callable[[str], TableConfig]
OLD, NEW = ("5", "500", ""), ("10", "1000", "")


# -- no round in progress ------------------------------------------------------------------------------------------


STATES = [
    (game, state.value)
    for game in sorted(game_names())
    for state in find_game(game).machine(find_table(game).config).states
]


@pytest.mark.clause("521.8(c)(1)")
@pytest.mark.parametrize(("game", "state"), STATES)
def test_limits_change_at_once_only_while_wagers_are_open_and_nothing_has_happened(
    shipped: Shipped, game: str, state: str
) -> None:
    """In each state at the moment of entering it; a table only passes through some."""
    rigs: list[Rig] = []
    refused: list[str] = []

    def note_state(recorded: RecordedDecision) -> None:
        if rigs and recorded.record.state == state != OPEN:
            with pytest.raises(ValueError, match="a round is being played, or the table is not open") as refusal:
                rigs[-1].table.sign.propose(change(nobody_plays=True))
            refused.append(str(refusal.value))

    leads, oracle = way(game, state), Oracle()
    rig = Rig(
        with_limits(shipped(game)), options={"seed": leads.seed}, slice_ns=SLICE_NS, listeners=(oracle, note_state)
    )
    rigs.append(rig)
    dealer = CellDealer(rig, oracle, leads)
    for _ in range(leads.acts):
        if refused or rig.state.value == state:
            break
        dealer.act()
    if state != OPEN:
        if not refused:  # The table was in this state when it started.
            with pytest.raises(ValueError, match="a round is being played"):
                rig.table.sign.propose(change(nobody_plays=True))
        assert limits(rig) == OLD
        return
    assert announce(rig, change(nobody_plays=True)).outcome is ProposalOutcome.CONFIRMED
    assert limits(rig) == NEW
    assert recorded_kinds(rig) == ["limits-in-effect", "limits-announced", "limits-in-effect"]


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
    table.press("done", "floor-key")
    assert proposed.outcome is ProposalOutcome.REFUSED, "somebody was at the keys"
    assert limits(table) == OLD
    table.power_cut()
    table.turn(1.2)
    with pytest.raises(ValueError, match="leave the table alone"):
        table.table.sign.propose(nobody)
    table.wait(60)
    table.table.sign.propose(nobody)
    table.press("floor-key")
    assert limits(table) == NEW


def test_a_menu_that_was_opened_and_left_begins_no_round(sic_bo: Rig) -> None:
    """Its state comes and goes, and the table is idle as before."""
    table = sic_bo
    assert table.table.round_progress.idle
    table.press("floor-key")
    assert not table.table.round_progress.idle
    table.press("clear")
    assert table.state.value == OPEN
    assert table.table.round_progress.idle


def test_a_round_that_begins_before_the_key_is_turned_forbids_it(table: Rig) -> None:
    table.wait(60)
    proposed = table.table.sign.propose(change(nobody_plays=True))
    table.press("no-more-bets", "floor-key")
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


def test_between_the_throws_of_a_football_game_a_round_is_being_played(shipped: Shipped) -> None:
    rig = arrive(with_limits(shipped("three-dice-football")), OPEN).rig
    assert rig is not None
    assert rig.table.round_progress.idle
    rig.press("no-more-bets", *"123", "enter")
    while rig.state.value != OPEN:
        rig.press("done", "clear")
    assert rig.machine.data.drive is not None
    assert not rig.table.round_progress.idle


# -- who -----------------------------------------------------------------------------------------------------------


class Knows:
    """One floorperson."""

    def knows(self, number: str) -> bool:
        return number == "4711"

    def verify(self, number: str, pin: str) -> bool:
        return (number, pin) == ("4711", "830261")


IDENTIFIES = ("floor-key", *"4711", "enter", *"830261", "enter")


@pytest.fixture
def guarded(shipped: Shipped) -> Rig:
    """Sic Bo, whose floorperson identifies."""
    return Rig(with_limits(shipped("sic-bo")), authority=lambda: Authentication(Knows()))


def test_the_floorperson_who_announced_is_recorded(guarded: Rig) -> None:
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
    assert recorded_kinds(guarded) == ["limits-in-effect"]


def test_a_key_that_was_turned_for_something_else_confirms_nothing(guarded: Rig) -> None:
    guarded.press(*IDENTIFIES[:4])
    with pytest.raises(ValueError, match="identifying for something else"):
        guarded.table.sign.propose(change())
    guarded.press(*IDENTIFIES[4:])
    assert guarded.state.value == "floor-menu"
    assert recorded_kinds(guarded) == ["limits-in-effect"]


def test_a_key_turned_in_time_allows_a_later_pin(guarded: Rig) -> None:
    proposed = guarded.table.sign.propose(change())
    guarded.wait(PATIENCE_S - 3)
    guarded.press(*IDENTIFIES[:7])
    guarded.wait(20)
    guarded.press(*IDENTIFIES[7:])
    assert proposed.outcome is ProposalOutcome.CONFIRMED
    assert guarded.state.value == "closed"


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
