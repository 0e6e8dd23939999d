"""What people can do at a wheel with a clapper, and what it can do there, for the exploration of its machine."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

from config.schema import TableConfig
from controller.bench.people import People, Setup, Truth, as_explorable
from controller.events.effect import Effect, Void
from controller.events.event import (
    Direction,
    Event,
    Fault,
    Health,
    Press,
    SensorHealth,
    WheelRested,
    WheelThrown,
)
from controller.games.clapper_wheel.no_spin import CAUSES
from controller.games.clapper_wheel.round import WheelRound
from controller.games.clapper_wheel.rules import DEALER, FAILED, QUESTIONED, RESULT, REVOLUTIONS, S, WheelData
from controller.statechart.game import Game
from controller.statechart.registry import find_game

_TURN = 1000
_FULL = REVOLUTIONS * _TURN
_ENCODER = Fault("encoder", Health.LOSSY, "edges are missing")
_RESULT = frozenset(state.value for state in RESULT)
_REASONS = tuple((reason, "floor-key") for reason in CAUSES)
"""Once the wheel stands: why there is no spin, then the floorperson's key."""
_SPIN = "a spin rests on a section that "
_KINDS = ("pays", "pays nothing", "calls for another spin")
BY_HAND = "the wheel is turned by hand"


def _rested(counts: int, **found: Any) -> WheelRested:
    return WheelRested(0, Direction.CLOCKWISE, counts, _TURN, **{"located": True, **found})


def _sections(game: Game, machine: WheelRound) -> dict[str, int]:
    """A section of each kind, by its place."""
    kinds = {name: "calls for another spin" if name in machine.again else "pays" for name in game.wheel}
    kinds |= {name: "pays nothing" for name in game.wheel if kinds[name] == "pays" and name not in game.areas}
    return {
        kind: game.wheel.index(next(name for name in game.wheel if kinds[name] == kind)) for kind in kinds.values()
    }


def events_of(sections: dict[str, int]) -> tuple[tuple[str, Event], ...]:
    """What the wheel does, and what its sensors may say of it."""
    spins = ((_SPIN + kind, _rested(_FULL, section=place)) for kind, place in sections.items())
    pays = sections["pays"]
    return (
        ("the wheel is thrown", WheelThrown(0, Direction.CLOCKWISE)),
        *spins,
        ("a short spin rests", _rested(_FULL - 1, section=pays)),
        ("a spin rests on a peg", _rested(_FULL, boundary=1)),
        ("a spin was touched", _rested(_FULL, section=pays, touched="pushed")),
        ("a spin stopped abruptly", _rested(_FULL, section=pays, abrupt=True)),
        ("the sensors disagree", _rested(_FULL, fault=_ENCODER)),
        ("a spin rests nowhere", _rested(_FULL, located=False)),
        (BY_HAND, _rested(_TURN, section=pays)),
        ("the wheel is moved a little", _rested(3, located=False)),
        ("the encoder is silent", SensorHealth(0, "encoder", Health.SILENT, "no edges")),
        ("no more bets while it moves", Press(0, "no-more-bets", 1, moving=True)),
    )


def setups(config: TableConfig) -> Iterator[Setup]:
    """One table."""
    game = find_game(config.game)
    machine = game.machine(config)
    assert isinstance(machine, WheelRound)
    events = events_of(_sections(game, machine))
    yield Setup("a table", as_explorable(machine), happenings=lambda state, data: events, plain=plain)


def plain(state: str, data: WheelData) -> WheelData:
    """One round, one fault and one multiplier stand for all; the clapper's place is asked in one state only."""
    if state != S.CONFIRMING.value:
        data = replace(data, section=None)
    data = replace(data, multiplier=min(data.multiplier, 2), before=min(data.before, 1))
    return replace(data, round=1, cause=data.cause and "a fault")


def given(state: str, data: WheelData) -> str:
    """The result on record, or the multiplier that the round has."""
    if state in _RESULT or state == S.LATE.value:  # Void only by the key that turns after the reason.
        return "the section on record"
    return "the multiplier on record" if data.multiplier > 1 else ""


def truths(state: str, data: WheelData) -> Iterator[Truth]:
    """A spin that seemed good was none: an object fell on the wheel, or a hand was in it that no sensor felt."""
    if state == S.SPINNING.value:
        yield Truth("the spin was no spin", (("no-spin",),), _void(""))
    given = (*_RESULT, S.BONUS.value)
    for reason, key in _REASONS if state in given or state == S.LATE.value else ():
        ways = ((reason, key),) if state == S.LATE.value else (("no-spin", reason, key),)
        yield Truth(f"no spin, {CAUSES[reason]}", ways, _void(CAUSES[reason]))


def _void(words: str) -> Callable[[Any, tuple[Effect, ...]], bool]:
    """The spin is void on record, for what these words say."""
    return lambda data, effects: any(isinstance(one, Void) and words in one.detail for one in effects)


_RESTED = {
    "sensor-fault",
    "touched",
    "stopped-abruptly",
    "position-unknown",
    "fewer-than-three-revolutions",
    "between-sections",
    "table-locked",
}
PEOPLE = People(
    setups=setups,
    between=lambda state, data: state == S.BETS_OPEN.value,
    given=given,
    over=lambda state, data: state == S.WINNERS_PAID.value,
    by_hand=frozenset({BY_HAND, "the wheel is thrown", *(_SPIN + kind for kind in _KINDS)}),
    truths=truths,
    voids={
        "wheel-rested": frozenset(_RESTED),
        "wheel-thrown": frozenset({"wagers-open", QUESTIONED}),
        "power-restored": frozenset({"power-cut"}),
        "timer spin-limit": frozenset({"not-at-rest"}),
        "machine-failed": frozenset({FAILED}),
        "press no-spin": frozenset({DEALER}),
        "press floor-key": frozenset({DEALER}),
    },
    acts={
        "spin the wheel": "wheel-thrown",
        "turn the wheel by hand": "wheel-rested",
        "wait until the wheel stands": "wheel-rested",
        "let it rest": "wheel-rested",
    },
)
