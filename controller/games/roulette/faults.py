"""What roulette's rows do when a device or the controller itself fails: pure functions of the data and an event."""

from collections.abc import Callable
from dataclasses import replace

from controller.events.effect import Alert, Effect, Light, Note
from controller.events.event import Event
from controller.games.roulette.play import RUNNING, RouletteData, RouletteState, S
from controller.games.roulette.steps import voided
from controller.statechart.device_text import fault_text
from controller.statechart.guards import Action
from controller.statechart.machine import Step

_Step = Step[RouletteData]
_Action = Action[RouletteData]


def lock(state: RouletteState) -> _Action:
    """A device fails while no ball runs and no wager is settled."""

    def action(data: RouletteData, event: Event) -> _Step:
        cause = fault_text(event)
        return Step(
            replace(data, cause=cause, resume=state),
            (Alert(f"table locked: {cause}", "mend it, then turn the key"),),
        )

    return action


def lock_later(data: RouletteData, event: Event) -> _Step:
    cause = fault_text(event)
    return Step(
        replace(data, cause=cause), (Alert(cause, "settle by the screen; the table locks after this round"),)
    )


def failed(state: RouletteState) -> _Action:
    """The controller's own code failed in this state."""

    def action(data: RouletteData, event: Event) -> _Step:
        effects: tuple[Effect, ...] = ()
        resume = state
        if state in RUNNING:
            step = voided("controller-failed")(data, None)
            data, effects, resume = step.data, step.effects, S.RESPIN
        cause = fault_text(event)
        alert = Alert(f"table locked: {cause}", "call the technician")
        return Step(replace(data, cause=cause, resume=resume), (*effects, alert))

    return action


def fault_noted(data: RouletteData, event: Event) -> _Step:
    """The table stands still already."""
    cause = fault_text(event)
    return Step(replace(data, cause=cause), (Alert(cause, "mend it"),))


def unlocked(lit: Callable[[], tuple[str, ...]], timers: Callable[[], tuple[Effect, ...]]) -> _Action:
    """The lock was opened. ``lit`` tells what is to burn: lighting it tries whether the panel was mended."""

    def action(data: RouletteData, event: Event) -> _Step:
        waits = timers() if data.resume in (S.LATE_CALL, S.ENTRY) else ()
        note = Note("the floorperson opened the lock")
        return Step(replace(data, cause=""), (note, Light(lit()), *waits))

    return action
