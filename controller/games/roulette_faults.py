"""What roulette's rows do when a device or the controller itself fails: pure functions of the data and a fact."""

from collections.abc import Callable
from dataclasses import replace

from controller.effects import Alert, Effect, Light, Note
from controller.facts import Fact
from controller.games.machine import Step
from controller.games.roulette_play import RUNNING, RouletteData, RouletteState, S
from controller.games.roulette_steps import voided
from controller.games.rows import Do
from controller.games.words import fault_words

_Step = Step[RouletteData]
_Do = Do[RouletteData]


def lock(state: RouletteState) -> _Do:
    """A device fails while no ball runs and no wager is settled."""

    def do(data: RouletteData, fact: Fact) -> _Step:
        cause = fault_words(fact)
        return Step(
            replace(data, cause=cause, resume=state),
            (Alert(f"table locked: {cause}", "mend it, then turn the key"),),
        )

    return do


def lock_later(data: RouletteData, fact: Fact) -> _Step:
    cause = fault_words(fact)
    return Step(
        replace(data, cause=cause), (Alert(cause, "settle by the screen; the table locks after this round"),)
    )


def failed(state: RouletteState) -> _Do:
    """The controller's own code failed in this state."""

    def do(data: RouletteData, fact: Fact) -> _Step:
        effects: tuple[Effect, ...] = ()
        resume = state
        if state in RUNNING:
            step = voided("controller-failed")(data, None)
            data, effects, resume = step.data, step.effects, S.RESPIN
        cause = fault_words(fact)
        alert = Alert(f"table locked: {cause}", "call the technician")
        return Step(replace(data, cause=cause, resume=resume), (*effects, alert))

    return do


def fault_noted(data: RouletteData, fact: Fact) -> _Step:
    """The table stands still already."""
    cause = fault_words(fact)
    return Step(replace(data, cause=cause), (Alert(cause, "mend it"),))


def unlocked(lit: Callable[[], tuple[str, ...]], timers: Callable[[], tuple[Effect, ...]]) -> _Do:
    """The lock was opened. ``lit`` tells what is to burn: lighting it tries whether the panel was mended."""

    def do(data: RouletteData, fact: Fact) -> _Step:
        waits = timers() if data.resume in (S.LATE_CALL, S.ENTRY) else ()
        note = Note("the floorperson opened the lock")
        return Step(replace(data, cause=""), (note, Light(lit()), *waits))

    return do
