"""What people can do at a table with keyed-in dice, for the exploration of its machine."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from typing import Any

from config.schema import TableConfig
from controller.bench.people import FLOORPERSON, UTC_NS, People, Setup, Truth, as_explorable, folded
from controller.events.effect import Effect, Result, Void
from controller.events.event import Event, ShakerCycled, ShakerFailed
from controller.games.dice.rules import DiceData, S, dice_words
from controller.statechart.registry import find_game

TRUE = ("2", "3", "5", "enter")
"""Dice that an exploration keys nowhere else."""
LEADS = ("clear", "correct", "floor-key", "enter")
"""Keys that may come before an entry."""
KEYED = ((1, 1, 2),)
"""The dice that stand for all others."""
_BETWEEN = frozenset(state.value for state in (S.CLOSED, S.DICE_DUE, S.BETS_OPEN))
_TOSSED = (*(S.SHAKING, S.ENTRY, S.DOUBT, S.NO_ROLL, S.VOIDING, S.RESULT, S.CORRECTING), S.LOSERS_COLLECTED)
_THROWN = frozenset(state.value for state in (*_TOSSED, S.WINNERS_PAID, S.MALFUNCTION))
"""The states in which dice lie there, or may."""


_RETURNING = frozenset(state.value for state in (S.MENU, S.NO_ROLL, S.VOIDING, S.CORRECTING))
"""The states that lead back to the one from which they were reached."""


def entries() -> tuple[tuple[str, ...], ...]:
    """The ways to key the true dice, with at most two keys before them."""
    pairs = ((one, other) for one in LEADS for other in LEADS)
    return tuple((*lead, *TRUE) for lead in ((), *((one,) for one in LEADS), *pairs))


def keyed(data: Any, effects: tuple[Effect, ...]) -> bool:
    """The true dice are on record."""
    return any(isinstance(one, Result) and one.label.replace(" red ", "-").startswith("2-3-5") for one in effects)


def voided(reason: str) -> Any:
    """The round is void on record, for this reason."""
    return lambda data, effects: any(isinstance(one, Void) and one.reason == reason for one in effects)


def setups(config: TableConfig) -> Iterator[Setup]:
    """Tables with either kind of shaker."""
    assert config.dice is not None
    game = find_game(config.game)
    for shaker in ("manual", "automated"):
        dice = config.dice.model_copy(update={"shaker": shaker})
        machine = as_explorable(game.machine(config.model_copy(update={"dice": dice})))
        opened = replace(machine.data, fitted_utc_ns=UTC_NS, number=FLOORPERSON, round=1)
        yield Setup(f"{shaker} shaker", machine, (S.BETS_OPEN, opened), happenings, plain(game.areas))
    # By presses alone the inspection of a shaker is far away.
    shaken = (S.INSPECTION_SHAKER, replace(opened, inspected=3, round=0))
    yield Setup("automated shaker, inspected", machine, shaken, happenings, plain(game.areas))


def plain(areas: tuple[str, ...]) -> Callable[[str, DiceData], DiceData]:
    """Equal dice, one round, one fault and one lamp of the inspection stand for all."""

    def alike(state: str, data: DiceData) -> DiceData:
        if not state.startswith("inspect"):
            data = replace(data, inspected=0, cycles=0, cycled=False)
        if state not in _RETURNING:
            data = replace(data, back=S.CLOSED)
        trying = data.trying if data.trying in ("", areas[0]) else areas[-1]
        entry, corrects = folded(data.entry, KEYED), folded(data.corrects, KEYED)
        cause = data.cause and "a fault"
        return replace(data, round=1, cause=cause, entry=entry, corrects=corrects, trying=trying)

    return alike


def happenings(state: str, data: DiceData) -> Iterable[tuple[str, Event]]:
    """What an automated shaker reports."""
    return (("the shaker tosses", ShakerCycled(0)), ("the shaker fails", ShakerFailed(0))) if data.automated else ()


def given(state: str, data: DiceData) -> str:
    """The dice on record, or the toss that is in doubt."""
    return dice_words(data.corrects or data.entry) if data.wins or data.corrects else data.doubt


def truths(state: str, data: DiceData) -> Iterator[Truth]:
    """Once dice lie there, what they show; and that they do not lie flat, or were not tossed."""
    thrown = not data.automated or bool(data.tossed or data.entry or data.corrects)
    if state not in _THROWN or not thrown:
        return
    yield Truth("the dice show 2-3-5", entries(), keyed)
    void = [(*lead, "no-roll", "1") for lead in ((), ("clear",), ("clear", "clear"))]
    keys = tuple(way for one in void for way in (one, (*one, "floor-key")))
    yield Truth(
        "the dice do not all lie flat", (*keys, ("1",), ("1", "floor-key"), ("floor-key",)), voided("no-roll")
    )


PEOPLE = People(
    setups=setups,
    between=lambda state, data: state in _BETWEEN,
    given=given,
    over=lambda state, data: state in (S.LOSERS_COLLECTED.value, S.WINNERS_PAID.value),
    corrects=lambda data: dice_words(data.corrects),
    by_hand=frozenset({"the shaker tosses"}),
    truths=truths,
    voids={"shaker-failed": frozenset({"shaker-failed"})},
    acts={"start the shaker": "shaker-cycled", "every area burns alone": "timer inspection-lamp"},
)
