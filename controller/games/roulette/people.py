"""What people, ball, rotor and reader can do at a roulette table, for the exploration of its machine."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from config.schema import TableConfig
from controller.bench.people import People, Setup, Truth, as_explorable
from controller.events.effect import Effect, Result, Void
from controller.events.event import (
    BallLeftTrack,
    BallRevolution,
    BallThrown,
    Direction,
    Event,
    Fault,
    Health,
    PocketRead,
    ReaderFault,
)
from controller.games.roulette.play import REASONS, REVOLUTIONS, RouletteData, S, in_words
from controller.statechart.registry import find_game

_ONE_WAY, _OTHER = Direction.CLOCKWISE, Direction.COUNTERCLOCKWISE
_NOISE = Fault("ball", Health.NOISY, "pulses that no ball makes")
READ, OTHER = "17", "1"
"""The pocket that stands for all, and another one."""
_DOWN = frozenset(state.value for state in (S.LATE_CALL, S.ENTRY, S.DISPUTE, S.DECIDING))
_RESULT = frozenset(state.value for state in (S.RESULT, S.LOSERS_COLLECTED, S.WINNERS_PAID))
_BETWEEN = frozenset(state.value for state in (S.CLOSED, S.BETS_OPEN))
_NO_SPIN_BY: dict[str, tuple[str, ...]] = {
    S.NO_SPIN.value: (),
    S.CORRECTING.value: ("clear", "no-spin"),
}
"""How the question is come to why there is no spin; elsewhere by its key."""
_TAKEN_BACK = (("clear", "no-more-bets", "floor-key"), ("clear", "correct", "floor-key"))
"""No spin is taken back, and the pocket is in dispute, or was settled meanwhile."""


def _left(revolutions: int = REVOLUTIONS, at_ns: int = 2, **found: Any) -> BallLeftTrack:
    return BallLeftTrack(at_ns, 1, revolutions, _ONE_WAY, **{"rotor": _OTHER, **found})


EVENTS: tuple[tuple[str, Event], ...] = (
    ("the ball is thrown", BallThrown(0, _ONE_WAY)),
    ("the ball makes a revolution", BallRevolution(0, 1, _ONE_WAY, True)),
    ("the ball runs with the wheel", BallRevolution(0, 1, _ONE_WAY, False)),
    ("the ball leaves the track", _left()),
    ("the ball leaves the track too soon", _left(REVOLUTIONS - 1)),
    ("the ball leaves the wheel", _left(early=True)),
    ("the ball ran with the wheel", _left(rotor=_ONE_WAY)),
    ("the wheel stood", _left(rotor=None)),
    ("the beams disagree", _left(fault=_NOISE)),
    ("the reader speaks too soon", PocketRead(0, READ)),
    ("the reader names the pocket", PocketRead(2, READ)),
    ("the reader names another pocket", PocketRead(2, OTHER)),
    ("the reader cannot be understood", ReaderFault(0, "noise")),
)


def setups(config: TableConfig) -> Iterator[Setup]:
    """The shipped table; from its opening, by presses alone, the settlement is far away."""
    machine = as_explorable(find_game(config.game).machine(config))
    yield Setup("a table", machine, happenings=lambda state, data: EVENTS, plain=plain)
    opened = S.BETS_OPEN, RouletteData(round=1)
    yield Setup("an open table", machine, opened, happenings=lambda state, data: EVENTS, plain=plain)


def plain(state: str, data: RouletteData) -> RouletteData:
    """A few pockets, one kind of work and one fault stand for all."""
    entry = data.entry if data.entry in ("", "0", "00") else READ[: len(data.entry)]
    if state not in (S.MENU.value, S.NO_SPIN.value, S.CORRECTING.value, S.LOCKED.value):
        data = replace(data, back=S.CLOSED)
    work = data.work and (data.work.partition(" of ")[0] if " of " not in data.work else "replacement of the ball")
    data = replace(data, round=1, entry=entry, work=work, decides="", doubts=())
    return replace(data, pending=data.pending[:1], cause=data.cause and "a fault", doubt=data.doubt and "a doubt")


def given(state: str, data: RouletteData) -> str:
    """The result on record, or the ball that has come down."""
    if data.corrects or data.pocket:
        return "the pocket on record"
    return "the ball that is down" if data.left_ns else ""


def truths(state: str, data: RouletteData) -> Iterator[Truth]:
    """The ball lies in another pocket, or the spin was none."""
    if state in _RESULT:
        other = OTHER if data.pocket != OTHER else READ
        yield Truth("the ball lies in another pocket", (("correct", "floor-key", *other, "enter"),), _pocket(other))
    if state in _DOWN or (state == S.NO_SPIN.value and data.left_ns):
        keys = ("clear", "floor-key", "no-more-bets")
        leads = ((), *((key,) for key in keys), *((key, other) for key in keys for other in keys), *_TAKEN_BACK)
        yield Truth("the pocket is 17", tuple((*lead, *READ, "enter") for lead in leads), _keyed)
    if state in _RESULT or state in _DOWN or state in _NO_SPIN_BY:
        lead = _NO_SPIN_BY.get(state, ("no-spin",))
        yield Truth("the ball left the wheel", ((*lead, "1"), (*lead, "1", "floor-key")), _void)


def _pocket(pocket: str) -> Any:
    label = in_words(pocket).replace(" ", ", ")
    return lambda data, effects: any(isinstance(effect, Result) and effect.label == label for effect in effects)


def _keyed(data: Any, effects: tuple[Effect, ...]) -> bool:
    return READ in (data.keyed, data.pocket)


def _void(data: Any, effects: tuple[Effect, ...]) -> bool:
    return any(isinstance(effect, Void) and effect.reason == "ball-left-wheel" for effect in effects)


_SEEN = frozenset(REASONS)
PEOPLE = People(
    setups=setups,
    between=lambda state, data: state in _BETWEEN,
    given=given,
    over=lambda state, data: state in (S.LOSERS_COLLECTED.value, S.WINNERS_PAID.value),
    corrects=lambda data: in_words(data.corrects) if data.corrects else "",
    by_hand=frozenset({"the ball is thrown", "the ball leaves the track", "the reader names the pocket"}),
    truths=truths,
    voids={
        "ball-revolution": frozenset({"same-direction"}),
        "ball-left-track": _SEEN,
        "ball-thrown": frozenset({"thrown-again", "thrown-at-menu", "thrown-while-locked", "thrown-before-clear"}),
        "power-restored": frozenset({"power-cut"}),
        "timer spin-limit": frozenset({"not-at-rest"}),
        "machine-failed": frozenset({"controller-failed"}),
        **dict.fromkeys(("press enter", "press no-more-bets", "pocket-read"), frozenset({"double-zero"})),
    },
    acts={
        "credential number": "press 1",
        "wait for the wheel reader": "pocket-read",
        "throw the ball": "ball-thrown",
        "the ball runs": "ball-left-track",
    },
)
