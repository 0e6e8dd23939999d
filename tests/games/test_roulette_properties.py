"""Any sequence of presses, throws and sensor events at roulette: no false spin or lamp, always an exit."""

import random
from collections.abc import Callable

import pytest
from any_sequence import acted, assert_playable
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from roulette_table import with_rules
from sentences import without_sentence

from config.schema import TableConfig
from controller.bench.dealer import Dealer
from controller.bench.oracle import Oracle
from controller.bench.rig import Rig
from controller.bench.simulate import deviations, simulate
from controller.events.event import BallLeftTrack, Direction
from controller.games.roulette.layout import COLOURS, WheelType
from controller.journal.record import RecordedDecision
from controller.machine.registry import find_game
from hal.mock.ball import BallTruth

Shipped = Callable[[str], TableConfig]
KEYS = sorted(find_game("roulette").controls | {"floor-key"})
LINES = ("encoder_a", "encoder_b", "index", "ball_1", "ball_2")
POCKETS = ("0", "00", "1", "17", "36")
FAULTS = st.one_of(
    st.tuples(st.sampled_from(["stuck-high", "stuck-low", "open"]), st.sampled_from(LINES), st.just(0.0)),
    st.tuples(st.just("noise"), st.sampled_from(LINES), st.floats(1, 300)),
    st.tuples(st.just("lost-edges"), st.just(""), st.floats(0.0005, 1)),
    st.tuples(st.just("overflow"), st.just(""), st.integers(1, 3000).map(float)),
    st.tuples(st.sampled_from(["missing-index", "unplugged"]), st.just(""), st.just(0.0)),
    st.tuples(st.sampled_from(["reader-silent", "reader-garbled"]), st.just(""), st.just(0.0)),
    st.tuples(st.just("reader-astray"), st.just(""), st.integers(1, 30).map(float)),
    st.tuples(
        st.sampled_from(["dead-lamp", "burning-lamp"]), st.sampled_from(["red", "straight-17"]), st.just(0.0)
    ),
    st.tuples(st.just("stuck-key"), st.sampled_from(["1", "enter", "no-more-bets"]), st.just(0.0)),
)
ACTIONS = st.one_of(
    st.tuples(st.just("press"), st.sampled_from(KEYS)),
    st.tuples(st.just("press"), st.sampled_from(["no-more-bets", "enter", "done", "clear", "1", "0"])),
    st.tuples(st.just("rotor"), st.sampled_from([0.0, 0.35, 0.5]), st.sampled_from(list(Direction))),
    st.tuples(st.just("ball"), st.floats(0.5, 12), st.sampled_from(["", *POCKETS]), st.booleans(), st.booleans()),
    st.tuples(st.just("out"), st.floats(0.5, 10)),
    st.tuples(st.just("take")),
    st.tuples(st.just("wait"), st.floats(0.05, 40)),
    st.tuples(st.just("fault"), FAULTS),
    st.tuples(st.just("repair")),
    st.tuples(st.just("power")),
    *[st.tuples(st.just("on"))] * 4,
)


class Truth:
    """Compares each spin that the table accepts with the ball's true run.

    Attributes:
        taken: the ball that a hand took out of the wheel to throw one anew: it may have been the spin.
    """

    def __init__(self) -> None:
        self.rig: Rig | None = None
        self.taken: BallTruth | None = None

    def __call__(self, recorded: RecordedDecision) -> None:
        record = recorded.record
        if not isinstance(record.event, BallLeftTrack) or record.outcome != "accepted" or self.rig is None:
            return
        if any(effect.kind == "void" for effect in record.effects) or record.state == "inspecting":
            return
        ball = self.rig.world.rotor.ball
        assert ball is not None
        if ball.revolutions < 4 and self.taken is not None:
            ball = self.taken
        self.taken = None
        assert ball.revolutions >= 4, "a spin of fewer than four revolutions"
        assert ball.against, "a spin with the rotor"


def act(table: Rig, truth: Truth, dealer: Dealer, action: tuple[object, ...]) -> None:
    kind, *rest = action
    if kind in ("ball", "out"):
        rotor = table.world.rotor
        runs = rotor.ball is not None and table.clock.now_ns() < rotor.ball.leaves_ns
        rotor.take_ball()
        truth.taken = rotor.ball if runs else None
    if kind == "rotor":
        table.turn_rotor(float(rest[0]), rest[1])  # type: ignore[arg-type]
    elif kind == "ball":
        turns, into, with_rotor, rests = rest
        table.throw_ball(float(turns), str(into), bool(with_rotor), rest=bool(rests))  # type: ignore[arg-type]
    elif kind == "out":
        table.throw_ball(10, leaves_after=float(rest[0]))  # type: ignore[arg-type]
    elif kind == "take":
        table.world.rotor.take_ball()
    elif not acted(table, kind, rest):
        dealer.act()


def check(table: Rig) -> None:
    """The lit areas are what the pocket on record wins, by arithmetic; except a lamp that is always lit."""
    assert table.waiting_for
    pocket, state = table.machine.data.pocket, table.state.value
    lit = table.lit() - table.world.panel._burning
    if not pocket:
        assert lit == set(), "a false light"
        return
    assert state in ("result", "losers-collected", "winners-paid", "locked")
    expected = {f"straight-{pocket}"}
    if pocket not in ("0", "00"):
        number = int(pocket)
        expected |= {f"column-{(number - 1) % 3 + 1}", f"dozen-{(number - 1) // 12 + 1}", COLOURS[pocket]}
        expected |= {"odd" if number % 2 else "even", "1-18" if number <= 18 else "19-36"}
    assert lit <= expected, "a false light"
    assert expected - lit <= table.world.panel._dead | table.world.panel._burning


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    actions=st.lists(ACTIONS, min_size=3, max_size=30),
    wheel=st.sampled_from(["single-zero", "double-zero", "double-zero-as-single"]),
    source=st.sampled_from(["keypad", "reader", "both"]),
    seed=st.integers(0, 10**6),
)
@example(
    actions=[
        ("press", "0"),
        ("press", "0"),
        ("on",),
        ("press", "8"),
        ("on",),
        ("press", "correct"),
        ("out", 1.0),
    ],
    wheel="single-zero",
    source="keypad",
    seed=0,
)
@example(
    actions=[
        ("rotor", 0.0, Direction.CLOCKWISE),
        ("ball", 5.0, "", False, False),
        ("rotor", 0.35, Direction.CLOCKWISE),
    ],
    wheel="single-zero",
    source="keypad",
    seed=0,
)
@example(
    actions=[
        ("ball", 10.0, "", False, False),
        ("press", "0"),
        ("rotor", 0.35, Direction.CLOCKWISE),
        ("out", 0.5),
    ],
    wheel="single-zero",
    source="keypad",
    seed=250,
)
def test_no_sequence_of_events_makes_a_false_spin_a_false_lamp_or_a_dead_end(
    shipped: Shipped, actions: list[tuple[object, ...]], wheel: str, source: str, seed: int
) -> None:
    config = shipped("roulette")
    if source == "keypad":
        config = config.model_copy(update={"devices": config.devices.model_copy(update={"reader": None})})
    config = config.model_copy(update={"rules": {**config.rules, "wheel": wheel, "result": source}})
    oracle, truth = Oracle(), Truth()
    table = Rig(config, options={"seed": seed}, listeners=(oracle, truth))
    truth.rig = table
    dealer = Dealer(table, random.Random(seed), oracle)
    while table.state.value != "bets-open":
        dealer.act()
    for action in actions:
        if action[0] == "ball" and action[2] == "00" and wheel == "single-zero":
            continue
        act(table, truth, dealer, action)
        check(table)
    assert without_sentence(table) == set()
    table.world.repair()
    table.wait(15)
    assert_playable(dealer, oracle)


@pytest.mark.campaign
@pytest.mark.parametrize("wheel", WheelType)
@pytest.mark.parametrize("source", ["keypad", "reader", "both"])
def test_rounds_end_with_true_results_at_the_expected_frequency(
    shipped: Shipped, wheel: WheelType, source: str
) -> None:
    config = with_rules(shipped("roulette"), wheel=wheel.value, result=source)
    outcome = simulate(config, 120, seed=3)
    assert outcome.passed
    assert outcome.tally.rounds == outcome.tally.results == 120
    assert max(abs(found.standard_errors) for found in deviations(config, outcome.tally)) < 5
