"""The opening inspection of a roulette table, and the log of adjustments and replacements (§ 617a.2).

Whoever the log names is the person who identified with the key then: who made the work, the security member who was
present, who inspects. Worker and witness are two persons.
"""

from collections.abc import Iterator
from dataclasses import replace

from controller.events.effect import Alert, InspectionLogged, Light, Note
from controller.events.event import BallLeftTrack, Event, Press
from controller.games.roulette.play import (
    LOGGING,
    PARTS,
    REASONS,
    TRIAL_STEP,
    WORKS,
    RouletteData,
    RouletteState,
    S,
    void_reason,
)
from controller.games.roulette.steps import opens
from controller.games.shared.floor import KEY, identified
from controller.statechart.guards import Action
from controller.statechart.machine import Step, Transition, on_event

_Transition = Transition[RouletteState, RouletteData]
_Action = Action[RouletteData]
_Step = Step[RouletteData]
_AGAIN = "try again, or refuse with clear"
_NOBODY = "the floorperson"
"""Who did it, at a table that asks nobody who he is."""


class RouletteInspection:
    """The transitions of log and inspection.

    Args:
        table: the table's number, for the log.
        steps: what is confirmed before the table opens.
        checks_direction: the sensors measure the direction of the ball.
    """

    def __init__(self, table: str, steps: tuple[str, ...], checks_direction: bool) -> None:
        self._table = table
        self._steps = steps
        self._checks_direction = checks_direction

    def transitions(self) -> Iterator[_Transition]:
        yield from self._log()
        yield from self._inspection()
        for state in LOGGING:
            yield _Transition(state, "power-restored", S.CLOSED, _dropped("the power went: nothing was logged"))
        for state in (S.INSPECTOR, S.INSPECTING):
            yield _Transition(state, "power-restored", S.CLOSED, _dropped("the power went: inspect anew"))

    # -- adjustments and replacements (b) to (e) --------------------------------------------------------------

    def _log(self) -> Iterator[_Transition]:
        for key, work in WORKS.items():
            yield _Transition(S.WORK, f"press {key}", S.PART, _works(work))
        for key, part in PARTS.items():
            yield _Transition(S.PART, f"press {key}", S.WORKER, _of(part))
        yield _Transition(S.WORKER, KEY, S.WITNESS, _worker)
        yield _Transition(S.WITNESS, KEY, S.CLOSED, self._logged, _is_another, "another person")
        for state in LOGGING:
            yield _Transition(state, "press clear", S.CLOSED, _dropped("nothing was logged"))

    def _logged(self, data: RouletteData, event: Event) -> _Step:
        """The entry is complete; the table opens only after an inspection (§ 617a.2(c), (d))."""
        assert isinstance(event, Press)
        witness = identified(event) or _NOBODY
        logged = InspectionLogged(event.utc_ns, self._table, (data.work,), False, data.worker or _NOBODY, witness)
        pending = (*data.pending, data.work)
        cause = f"{data.work}: inspect before play"
        return Step(replace(data, pending=pending, cause=cause, work="", worker=""), (logged,))

    # -- the inspection (a) ----------------------------------------------------------------------------------

    def _inspection(self) -> Iterator[_Transition]:
        yield _Transition(S.INSPECTOR, KEY, S.INSPECTING, _inspector)
        yield _Transition(S.INSPECTOR, "press clear", S.CLOSED, _dropped("given up"))
        step = S.INSPECTING
        yield _Transition(step, "ball-left-track", None, on_event(BallLeftTrack, self._tried))
        yield _Transition(step, KEY, S.BETS_OPEN, self._passed, self._is_last, "last step")
        yield _Transition(step, KEY, None, self._confirmed, self._may_confirm, "seen, if it is the trial spin")
        yield _Transition(step, "press clear", S.CLOSED, self._refused)

    def _tried(self, data: RouletteData, left: BallLeftTrack) -> _Step:
        """The ball of the trial spin has left the track."""
        reason = void_reason(left, self._checks_direction)
        if reason:
            words, remedy = str(left.fault) if left.fault is not None else REASONS[reason], _AGAIN
            if reason == "same-direction":
                words += f" (seen: {_seen(left)})"
                remedy = f"if that is not so, wires are crossed, or rotor.reversed is wrong; {_AGAIN}"
            return Step(replace(data, trial=""), (Alert(f"trial spin: {words}", remedy),))
        seen = _seen(left)
        return Step(replace(data, trial=seen), (Note(f"trial spin: {seen}"),))

    def _may_confirm(self, data: RouletteData, event: Event) -> bool:
        """The same person goes on; the step of the trial spin needs a valid trial spin first."""
        return identified(event) == data.number and (data.step != TRIAL_STEP or bool(data.trial))

    def _is_last(self, data: RouletteData, event: Event) -> bool:
        return data.step + 1 == len(self._steps) and self._may_confirm(data, event)

    def _confirmed(self, data: RouletteData, event: Event) -> _Step:
        note = Note(f"inspection, confirmed by {data.number or _NOBODY}: {self._steps[data.step]}")
        return Step(replace(data, step=data.step + 1), (note,))

    def _passed(self, data: RouletteData, event: Event) -> _Step:
        assert isinstance(event, Press)
        step = self._confirmed(data, event)
        logged = InspectionLogged(event.utc_ns, self._table, (), True, data.number or _NOBODY)
        opened = replace(step.data, pending=(), cause="", back=S.CLOSED, untimely="")
        return opens(opened, event, (*step.effects, logged))

    def _refused(self, data: RouletteData, event: Event) -> _Step:
        """The inspection is not passed: that is in the log, too."""
        assert isinstance(event, Press)
        at, who = self._steps[data.step], data.number or _NOBODY
        cause = f"inspection not passed: {at}"
        logged = InspectionLogged(event.utc_ns, self._table, (), False, who, refused=at)
        return Step(replace(data, cause=cause, number=""), (logged, Alert(cause, "mend it, then inspect anew")))

    def refused_because(self, data: RouletteData) -> str:
        """Why the key does not confirm the present step; empty if it would."""
        if data.step == TRIAL_STEP and not data.trial:
            return "no valid trial spin was seen"
        return f"the inspection is that of {data.number}, who refuses it or goes on" if data.number else ""


def _seen(left: BallLeftTrack) -> str:
    """What the sensors saw of a trial spin. Crossed wires turn a direction around: only people see that."""
    ways = f"the wheel {left.rotor.value}, " if left.rotor is not None else ""
    ways += f"the ball {left.direction.value}, " if left.direction is not None else ""
    return f"{ways}{left.revolutions} revolutions"


def _works(work: str) -> _Action:
    return lambda data, event: Step(replace(data, work=work))


def _of(part: str) -> _Action:
    return lambda data, event: Step(replace(data, work=f"{data.work} of {part}"))


def _worker(data: RouletteData, event: Event) -> _Step:
    return Step(replace(data, worker=identified(event)))


def _is_another(data: RouletteData, event: Event) -> bool:
    """The witness is not the worker; a table that asks nobody cannot tell."""
    return not identified(event) or identified(event) != data.worker


def _inspector(data: RouletteData, event: Event) -> _Step:
    return Step(replace(data, number=identified(event)))


def _dropped(words: str) -> _Action:
    """An entry or an inspection is cancelled."""
    return lambda data, event: Step(replace(data, number="", work="", worker=""), (Light(()), Note(words)))
