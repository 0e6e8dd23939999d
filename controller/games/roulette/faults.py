"""Roulette's actions when a device or the controller fails: pure functions of the data and an event."""

from collections.abc import Callable
from dataclasses import replace

from controller.events.effect import Effect
from controller.events.event import Event
from controller.games.roulette.play import RUNNING, RouletteData, RouletteState, S
from controller.games.roulette.steps import voided
from controller.games.shared.closing import locks, unlocked
from controller.statechart.guards import Action, then
from controller.statechart.machine import Step

_Action = Action[RouletteData]


def lock(state: RouletteState, remedy: str = "mend it, then turn the key") -> _Action:
    """A fault locks the table; this state is resumed afterwards."""
    return then(resumed_in(state), locks(remedy))


def failed(state: RouletteState) -> _Action:
    """The controller's own code failed in this state."""
    locked = lock(S.RESPIN if state in RUNNING else state, "call the technician")
    return then(voided("controller-failed"), locked) if state in RUNNING else locked


def unlock(lit: Callable[[], tuple[str, ...]], timers: Callable[[], tuple[Effect, ...]]) -> _Action:
    """The lock was opened; the time limit for the reader starts again."""

    def waits(data: RouletteData, event: Event) -> Step[RouletteData]:
        return Step(data, timers() if data.resume in (S.LATE_CALL, S.ENTRY) else ())

    return then(unlocked(lit), waits)


def resumed_in(state: RouletteState) -> _Action:
    """Once the lock is opened, the table goes on in this state."""
    return lambda data, event: Step(replace(data, resume=state))
