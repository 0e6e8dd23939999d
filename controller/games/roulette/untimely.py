"""A ball that runs when no spin is due: told to the floor at once, and never a result of its own.

Wagers of a round are placed once the last one is cleared. A ball that is thrown before is no spin of either round
(§ 617a.5(a), (e)); one that is thrown while a number is due takes nobody's number away: the floorperson decides.
"""

from collections.abc import Iterator
from dataclasses import replace

from controller.events.effect import Alert, CancelTimer, Void
from controller.events.event import Event
from controller.games.roulette.play import (
    DOWN,
    IDLE,
    READER_LIMIT,
    REASONS,
    SETTLING,
    RouletteData,
    RouletteState,
    S,
    correcting,
    in_words,
    resumes,
)
from controller.games.shared.table_data import returns_to
from controller.statechart.guards import Action, Guard, both, then, unless
from controller.statechart.machine import Step, Transition

_Transition = Transition[RouletteState, RouletteData]
_Action = Action[RouletteData]
_RUNS_ON = {
    "ball-left-wheel": "the ball left the wheel",
    "ball-not-seen": "the table did not see it run",
}
"""What the record says of a ball that was called void, and the sensors deny if it then comes round once more."""


def untimely() -> Iterator[_Transition]:
    """Transitions for a ball that is thrown before a spin is due."""
    first: Guard[RouletteData] = unless(_reported)
    for state in (*SETTLING, S.CORRECTING):
        yield _Transition(state, "ball-thrown", None, _void("thrown-before-clear"), first, "the first")
    again = both(first, correcting)
    yield _Transition(S.DECIDING, "ball-thrown", None, _void("thrown-before-clear"), again, "the first, correction")
    for state in IDLE:
        at_menu = both(first, returns_to(state))
        yield _Transition(
            S.MENU, "ball-thrown", None, _void("thrown-at-menu"), at_menu, f"the first, from {state.value}"
        )
    for state in (*IDLE, *SETTLING, S.CORRECTING):
        locked = both(first, resumes(state))
        yield _Transition(S.LOCKED, "ball-thrown", None, _void("thrown-while-locked"), locked, f"{state.value} due")
    for state in DOWN:
        due = both(unless(_again), unless(correcting), resumes(state))
        waits = then(thrown_again, _resumes_dispute)
        yield _Transition(S.LOCKED, "ball-thrown", None, waits, due, f"{state.value} due")


def again() -> Iterator[_Transition]:
    """Transitions for a ball that is thrown while a number is due."""
    for state in DOWN:
        no_correction = unless(correcting) if state is S.DECIDING else None
        words = "no correction" if state is S.DECIDING else ""
        yield _Transition(state, "ball-thrown", S.DISPUTE, thrown_again, no_correction, words)


def denied() -> _Transition:
    """After a spin was called void by key, its ball comes round, though by the record it cannot."""
    return _Transition(S.RESPIN, "ball-revolution", None, _deny, _is_denied, "the record says otherwise")


def thrown_again(data: RouletteData, event: Event) -> Step[RouletteData]:
    """The ball was thrown while its number was due: nothing is void by that alone."""
    known = [f"the reader had named {in_words(data.reading)}"] if data.reading else []
    known += [f"the dealer had entered {in_words(data.keyed)}"] if data.keyed else []
    called = [] if data.called else ["no more bets was not called"]
    doubt = "; ".join(["the ball was thrown again before its number was known", *known, *called])
    alert = Alert(doubt, "the floorperson decides: the number, or no spin")
    return Step(replace(data, doubt=doubt, entry="", again=True), (CancelTimer(READER_LIMIT), alert))


def _void(reason: str) -> _Action:
    words = REASONS[reason]

    def action(data: RouletteData, event: Event) -> Step[RouletteData]:
        alert = Alert(f"no spin: {words}", "take the ball out; throw it again once the wagers are placed")
        return Step(replace(data, untimely=reason), (Void(reason, words), alert))

    return action


def _reported(data: RouletteData, event: Event) -> bool:
    return bool(data.untimely)


def _again(data: RouletteData, event: Event) -> bool:
    return data.again


def _resumes_dispute(data: RouletteData, event: Event) -> Step[RouletteData]:
    return Step(replace(data, resume=S.DISPUTE))


def _is_denied(data: RouletteData, event: Event) -> bool:
    return data.void in _RUNS_ON and not data.contradicted and not data.untimely


def _deny(data: RouletteData, event: Event) -> Step[RouletteData]:
    alert = Alert(f"the record says: {_RUNS_ON[data.void]}; but it runs on in the track", "the floorperson looks")
    return Step(replace(data, contradicted=True), (alert,))
