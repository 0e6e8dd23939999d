"""The floorperson's menu of a roulette table: opening inspection, and the log of adjustments (§ 617a.2)."""

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
from controller.games.shared.closing import closes, fault, on_faults, wagers_back_from
from controller.games.shared.entry import number_keys
from controller.games.shared.floor import KEY, leaves, opens_menu
from controller.games.shared.table_data import remember, returns_to
from controller.statechart.guards import Action, dark, keep, then
from controller.statechart.machine import Step, Transition, on_event

FLOOR = (S.MENU, *LOGGING, S.INSPECTOR, S.INSPECTING)
"""The floorperson is at the keypad, and no round is played."""
_Transition = Transition[RouletteState, RouletteData]
_Action = Action[RouletteData]
_Step = Step[RouletteData]
_AGAIN = "try again, or refuse with clear"


class RouletteInspection:
    """The transitions of menu, log and inspection.

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
        yield from self._menu()
        yield from self._log()
        yield from self._inspection()
        faulty: _Action = fault("mend it, then inspect anew", "table closed: ")
        closing = then(wagers_back_from(S.BETS_OPEN, "table-closed"), dark, faulty, _left)
        yield from on_faults(FLOOR, S.CLOSED, closing)
        yield _Transition(S.MENU, "power-restored", S.CLOSED, keep, returns_to(S.CLOSED), "from closed")
        yield _Transition(S.MENU, "power-restored", S.BETS_OPEN, keep)
        for state in LOGGING:
            yield _Transition(state, "power-restored", S.CLOSED, _dropped("the power went: nothing was logged"))
        for state in (S.INSPECTOR, S.INSPECTING):
            yield _Transition(state, "power-restored", S.CLOSED, _dropped("the power went: inspect anew"))

    # -- the menu --------------------------------------------------------------------------------------------

    def _menu(self) -> Iterator[_Transition]:
        for state in (S.CLOSED, S.BETS_OPEN):
            yield from opens_menu(S.MENU, [state])
            yield from leaves(S.MENU, "press clear", [state])
        closed = returns_to(S.CLOSED)
        yield _Transition(S.MENU, "press 1", S.INSPECTOR, _begin, closed, "from closed")
        yield _Transition(S.MENU, "press 2", S.WORK, _closed("wheel is being adjusted"))
        yield _Transition(S.MENU, "press 5", S.CLOSED, _closed("closed by the floorperson"))

    # -- adjustments and replacements (b) to (e) --------------------------------------------------------------

    def _log(self) -> Iterator[_Transition]:
        for key, work in WORKS.items():
            yield _Transition(S.WORK, f"press {key}", S.PART, _works(work))
        for key, part in PARTS.items():
            yield _Transition(S.PART, f"press {key}", S.WORKER, _of(part))
        yield from _numbers(S.WORKER, S.WITNESS, _worker)
        yield from _numbers(S.WITNESS, S.SIGNING, keep)
        yield _Transition(S.SIGNING, KEY, S.CLOSED, self._sign)
        for state in (S.WORK, S.PART, S.SIGNING):
            yield _Transition(state, "press clear", S.CLOSED, _dropped("nothing was logged"))

    def _sign(self, data: RouletteData, event: Event) -> _Step:
        """The entry is signed; the table opens only after an inspection (§ 617a.2(c), (d))."""
        assert isinstance(event, Press)
        logged = InspectionLogged(event.utc_ns, self._table, (data.work,), False, data.worker, data.number)
        pending = (*data.pending, data.work)
        cause = f"{data.work}: inspect before play"
        return Step(replace(data, pending=pending, cause=cause, work="", worker="", number=""), (logged,))

    # -- the inspection (a) ----------------------------------------------------------------------------------

    def _inspection(self) -> Iterator[_Transition]:
        yield from _numbers(S.INSPECTOR, S.INSPECTING, keep)
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
        """The step of the trial spin needs a valid trial spin first."""
        return data.step != TRIAL_STEP or bool(data.trial)

    def _is_last(self, data: RouletteData, event: Event) -> bool:
        return data.step + 1 == len(self._steps) and self._may_confirm(data, event)

    def _confirmed(self, data: RouletteData, event: Event) -> _Step:
        note = Note(f"inspection, confirmed by {data.number}: {self._steps[data.step]}")
        return Step(replace(data, step=data.step + 1), (note,))

    def _passed(self, data: RouletteData, event: Event) -> _Step:
        assert isinstance(event, Press)
        step = self._confirmed(data, event)
        logged = InspectionLogged(event.utc_ns, self._table, data.pending, True, data.number)
        opened = replace(step.data, pending=(), cause="", back=S.CLOSED)
        return opens(opened, event, (*step.effects, logged))

    def _refused(self, data: RouletteData, event: Event) -> _Step:
        cause = f"inspection not passed: {self._steps[data.step]}"
        return Step(replace(data, cause=cause, number=""), (Alert(cause, "mend it, then inspect anew"),))


def _seen(left: BallLeftTrack) -> str:
    """What the sensors saw of a trial spin. Crossed wires turn a direction around: only people see that."""
    ways = f"the wheel {left.rotor.value}, " if left.rotor is not None else ""
    ways += f"the ball {left.direction.value}, " if left.direction is not None else ""
    return f"{ways}{left.revolutions} revolutions"


def _numbers(state: RouletteState, to: RouletteState, action: _Action) -> Iterator[_Transition]:
    """Transitions that take a credential number."""
    yield from number_keys(state, to, action, S.CLOSED, _dropped("given up"))


def _begin(data: RouletteData, event: Event) -> _Step:
    return dark(replace(data, number="", step=0, trial=""), event)


def _works(work: str) -> _Action:
    return lambda data, event: Step(replace(data, work=work))


def _of(part: str) -> _Action:
    return lambda data, event: Step(replace(data, work=f"{data.work} of {part}", number=""))


def _worker(data: RouletteData, event: Event) -> _Step:
    return Step(replace(data, worker=data.number, number=""))


def _closed(cause: str) -> _Action:
    return then(closes(cause, S.BETS_OPEN), remember(S.CLOSED))


def _dropped(words: str) -> _Action:
    """An entry or an inspection is cancelled."""
    return lambda data, event: Step(replace(data, number="", work="", worker=""), (Light(()), Note(words)))


def _left(data: RouletteData, event: Event) -> _Step:
    """The floorperson leaves the keypad."""
    return Step(replace(data, number="", back=S.CLOSED))
