"""Any sequence of events: no false lamp, no result from a void spin, no lost multiplier, always an exit."""

import random
from collections.abc import Callable, Sequence
from math import prod

import pytest
from any_game import back_to_open
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from config.schema import TableConfig
from controller.bench.dealer import Dealer
from controller.bench.oracle import Oracle
from controller.bench.rig import Rig
from controller.events.effect import Bonus, Void
from controller.events.event import Act, Direction
from controller.events.record import Record
from controller.games.dreamcatcher.game import MULTIPLIERS


def acted(table: Rig, kind: object, rest: Sequence[object]) -> bool:
    """Do an action that every table has; returns False for any other kind."""
    if kind == "press":
        table.press(str(rest[0]))
    elif kind == "wait":
        table.wait(float(rest[0]))  # type: ignore[arg-type]
    elif kind == "fault":
        table.world.fault(*rest[0])  # type: ignore[misc]
    elif kind == "repair":
        table.world.repair()
    elif kind == "power":
        table.power_cut()
    else:
        return False
    return True


def assert_playable(dealer: Dealer, oracle: Oracle) -> None:
    """See that the dealer can play two more rounds."""
    rounds = oracle.tally.rounds
    dealer.play(2)
    assert oracle.tally.rounds == rounds + 2


CONTROLS = ("no-more-bets", "done", "clear", "floor-key", "floor-key", "1", "2", "enter")
LINES = ("encoder_a", "encoder_b", "index", "clapper")
FAULTS = st.one_of(
    st.tuples(st.sampled_from(["stuck-high", "stuck-low", "open"]), st.sampled_from(LINES), st.just(0.0)),
    st.tuples(st.just("noise"), st.sampled_from(LINES), st.floats(1, 300)),
    st.tuples(st.sampled_from(["lost-edges", "slip"]), st.just(""), st.floats(0.0005, 1)),
    st.tuples(st.just("overflow"), st.just(""), st.integers(1, 3000).map(float)),
    st.tuples(
        st.sampled_from(["swapped", "missing-index", "dead-clapper", "unplugged"]), st.just(""), st.just(0.0)
    ),
    st.tuples(st.sampled_from(["dead-lamp", "burning-lamp"]), st.sampled_from(["1", "10", "40"]), st.just(0.0)),
    st.tuples(st.just("stuck-key"), st.sampled_from(CONTROLS[:3]), st.just(0.0)),
)
DIRECTIONS = st.sampled_from(Direction)
ACTIONS = st.one_of(
    st.tuples(st.just("press"), st.sampled_from(CONTROLS)),
    st.tuples(st.just("spin"), st.floats(0.3, 5), DIRECTIONS, st.booleans()),
    st.tuples(st.just("stop_on"), st.integers(0, 53), DIRECTIONS),
    st.tuples(st.just("stop_on"), st.sampled_from([0, 27]), DIRECTIONS),
    st.tuples(st.just("between"), st.integers(0, 53), DIRECTIONS),
    st.tuples(st.just("turn"), st.floats(-2.5, 2.5), st.booleans()),
    st.tuples(st.just("wait"), st.floats(0.01, 20)),
    st.tuples(st.just("fault"), FAULTS),
    st.tuples(st.just("repair")),
    st.tuples(st.just("power")),
    st.tuples(st.just("on")),
)


def act(dealer: Dealer, action: tuple[object, ...]) -> None:
    table, (kind, *rest) = dealer.rig, action
    if kind == "spin":
        table.spin(float(rest[0]), rest[1], rest=bool(rest[2]))  # type: ignore[arg-type]
    elif kind == "stop_on":
        table.spin(3.1, rest[1], stop_on=int(rest[0]))  # type: ignore[arg-type, call-overload]
    elif kind == "between":
        table.spin(3.1, rest[1], stop_between=int(rest[0]))  # type: ignore[arg-type, call-overload]
    elif kind == "turn":
        table.turn(float(rest[0]) or 0.1, rest=bool(rest[1]))  # type: ignore[arg-type]
    elif kind == "roll":
        table.press("no-more-bets", *(["shaker-done"] if table.machine.data.automated else []))
        table.press(*str(rest[0]), "enter")
    elif not acted(table, kind, rest):
        go_on(dealer)


def go_on(dealer: Dealer) -> None:
    """The next step of dealer and floorperson, who unlocks a table though nothing was repaired."""
    table = dealer.rig
    if table.state.value == "locked" and not table.table.desk.is_open:
        table.floor()
    else:
        dealer.act()


def check(table: Rig) -> None:
    records = table.records()
    since = max(i for i, record in enumerate(records) if any(e.kind == "round-opened" for e in record.effects))
    effects = [effect for record in records[since:] for effect in record.effects]
    late = "thrown-before-clear"  # A throw that is void itself, and leaves the result.
    voids = [number for number, one in enumerate(effects) if isinstance(one, Void) and one.reason != late]
    since_void = effects[voids[-1] :] if voids else effects  # The floorperson makes a result void.
    results = [effect for effect in since_void if effect.kind == "result"]
    product = prod(multipliers(records[since:]))
    assert table.machine.data.multiplier == product, "a multiplier was lost"
    assert len(results) <= 1
    won = {win.area for result in results for win in result.wins}
    burning = table.world.panel.broken.keys()
    assert table.lit() - burning <= won, "a false light"
    for result in results:
        assert [win.pays for win in result.wins] == [f"{int(result.label) * product} to 1"]
    for record in records[since:]:
        kinds = {effect.kind for effect in record.effects}
        assert not {"void", "result"} <= kinds, "a result from a void spin"


def multipliers(records: list[Record]) -> list[int]:
    """Those of a round: a section that the floorperson made void multiplies nothing."""
    found: list[int] = []
    state = ""
    for record in records:
        if isinstance(record.event, Act) and record.event.act == "void" and state == "bonus":
            found.pop()
        found += [MULTIPLIERS[effect.label] for effect in record.effects if isinstance(effect, Bonus)]
        state = record.state
    return found


@pytest.mark.clause("689a.2(c)", "689a.3(b)")
@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(actions=st.lists(ACTIONS, min_size=3, max_size=25))
def test_no_sequence_of_events_shows_a_false_result(
    shipped: Callable[[str], TableConfig], actions: list[tuple[object, ...]]
) -> None:
    oracle = Oracle()
    table = Rig(shipped("dreamcatcher"), listeners=(oracle,))
    dealer = Dealer(table, random.Random(1), oracle)
    table.turn(1.2)
    for action in actions:
        results = _results(table)
        act(dealer, action)
        check(table)
        if _results(table) > results and action[0] in ("stop_on", "spin", "between", "on"):
            section, bent = table.world.wheel.true_position()
            assert (table.order[section], bent) == (table.last("result").label, False), "a wrong result"
    table.world.repair()
    table.wait(15)
    assert_playable(dealer, oracle)


def _results(table: Rig) -> int:
    return sum(effect.kind == "result" for record in table.records() for effect in record.effects)


DICE_CONTROLS = (*"0123456789", "enter", "clear", "no-more-bets", "done", "no-roll", "correct", "floor-key")
DICE_ACTIONS = st.one_of(
    st.tuples(st.just("press"), st.sampled_from(DICE_CONTROLS)),
    st.tuples(
        st.just("press"), st.sampled_from(("enter", "done", "no-more-bets", "floor-key", "shaker-done", "1"))
    ),
    st.tuples(st.just("roll"), st.text("123456", min_size=3, max_size=3)),
    st.tuples(st.just("wait"), st.sampled_from([1.0, 12.0, 3600.0, 40000.0])),
    st.tuples(st.just("fault"), st.tuples(st.just("dead-lamp"), st.sampled_from(["big", "small"]), st.just(0.0))),
    st.tuples(st.just("fault"), st.tuples(st.just("stuck-key"), st.sampled_from(["6", "enter"]), st.just(0.0))),
    st.tuples(st.just("repair")),
    st.tuples(st.just("power")),
    st.tuples(st.just("press"), st.just("shaker-fault")),
)


@pytest.mark.clause("539.4(c)")
@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(actions=st.lists(DICE_ACTIONS, min_size=3, max_size=40), automated=st.booleans())
def test_no_sequence_of_keys_lights_what_was_not_entered(
    shipped: Callable[[str], TableConfig], actions: list[tuple[object, ...]], automated: bool
) -> None:
    config, oracle = shipped("sic-bo"), Oracle()
    assert config.dice is not None
    dice = config.dice.model_copy(update={"shaker": "automated" if automated else "manual"})
    table = Rig(config.model_copy(update={"dice": dice}), listeners=(oracle,))
    dealer = Dealer(table, random.Random(1), oracle)
    back_to_open(table, oracle, random.Random(1))
    for action in actions:
        act(dealer, action)
        check_dice(table)
    table.world.repair()
    table.wait(15)
    assert_playable(dealer, oracle)


def check_dice(table: Rig) -> None:
    data, state = table.machine.data, table.state.value
    lit = table.lit()
    if state == "inspection-lamps":
        assert lit - table.world.panel.broken.keys() <= {data.inspection.trying}
    elif lit:
        assert state in ("result", "losers-collected", "winners-paid", "malfunction", "locked", "inspection-lit")
        assert len(data.entry) == 3
        assert all(area.startswith(("total-", "big", "small")) or _shown(area, data.entry) for area in lit)
        assert f"total-{sum(data.entry)}" in lit | {"total-3", "total-18"}


def _shown(area: str, dice: tuple[int, ...]) -> bool:
    return area == "any-three-of-a-kind" or all(int(part) in dice for part in area.split("-") if part.isdigit())
