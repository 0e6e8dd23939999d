"""The opening inspection of a roulette table, and the log of adjustments and replacements (§ 617a.2).

Each person in the log is the one who identified with the key: who did the work, the security member who was
present, who inspected. The witness is not the worker, and an inspection is one person's.
"""

from collections.abc import Iterator
from dataclasses import replace

from controller.events.effect import Alert, Effect, InspectionLogged, Light, Note, RoundOpened
from controller.events.event import Act, BallLeftTrack, Event
from controller.events.words import NOTHING, Text, text
from controller.games.roulette.rules import (
    PARTS,
    STEPS,
    TRIAL,
    WORKS,
    RouletteData,
    RouletteState,
    S,
    void_reason,
)
from controller.machine.offers import Offer
from controller.machine.round_machine import Action, Row, Step, sets

_Row = Row[RouletteState, RouletteData]
_Step = Step[RouletteData]


class Inspection:
    """The states in which the table is closed.

    Args:
        table: its number, for the log.
        converted: a double zero wheel is used as a single zero wheel.
        checked: the sensors measure the direction of the ball.
    """

    def __init__(self, table: str, converted: bool, checked: bool) -> None:
        self._table, self._checked = table, checked
        self._steps = STEPS if converted else STEPS[:-1]

    def parameters(self, data: RouletteData) -> dict[str, str | int]:
        """Of the instruction."""
        about: dict[str, str | int] = {"work": data.work, "worker": data.worker, **data.trial.parameters}
        return {**about, "step": self._steps[data.step], "number": data.step + 1, "of": len(self._steps)}

    def offers(self, state: RouletteState, data: RouletteData) -> Iterator[Offer]:
        if state is S.CLOSED:
            yield Offer("inspect", expected=True, fresh=True)
            yield from (Offer(f"log-{work}", f"{work}-of-{part}", fresh=True) for work in WORKS for part in PARTS)
        elif state is S.WITNESS:
            yield Offer("witness", data.work, expected=True, fresh=True)
        else:
            step = self._steps[data.step]
            unseen = text("no-trial-spin") if step == TRIAL and not data.trial else NOTHING
            yield Offer("confirm", step, expected=True, unavailable=unseen)
            yield Offer("refuse", step)

    def declined(self, data: RouletteData, act: Act) -> Text:
        if act.act == "witness":
            return text("witness-is-worker", by=data.worker)
        return text("inspection-of-another", by=data.inspector) if act.act == "confirm" else text("not-offered")

    def rows(self) -> Iterator[_Row]:
        yield _Row(S.CLOSED, tuple(f"act log-{work}" for work in WORKS), S.WITNESS, _works)
        yield _Row(S.WITNESS, "act witness", S.CLOSED, self._logged, _is_another, "another person")
        yield _Row(S.WITNESS, ("press clear", "power-restored"), S.CLOSED, _drops(Note("log-dropped")))
        yield _Row(S.CLOSED, "act inspect", S.INSPECTING, _begins)
        step = S.INSPECTING
        yield _Row(step, "ball-left-track", None, self._tried)
        yield _Row(step, "act confirm", S.BETS_OPEN, self._passes, self._is_last, "the same person, last step")
        yield _Row(step, "act confirm", None, self._confirms, _is_inspector, "the same person")
        yield _Row(step, "act refuse", S.CLOSED, self._refuses)
        yield _Row(step, "unlocked", None, sets(trial=NOTHING))
        yield _Row(step, "power-restored", S.CLOSED, _drops(Note("inspection-dropped")))

    def _logged(self, data: RouletteData, act: Act) -> _Step:
        """The entry is complete; the table opens only after an inspection (§ 617a.2(c), (d))."""
        entry = InspectionLogged(act.utc_ns, self._table, (data.work,), False, data.worker, act.by)
        return Step(replace(data, work="", worker=""), (entry,))

    def _tried(self, data: RouletteData, left: BallLeftTrack) -> _Step:
        """The ball of the trial spin has left the track. Crossed wires turn a direction around: people see that."""
        found: dict[str, str | int] = {"revolutions": left.revolutions}
        found |= {"rotor": left.rotor.value} if left.rotor is not None else {}
        found |= {"ball": left.direction.value} if left.direction is not None else {}
        reason = void_reason(left, self._checked)
        if not reason:
            return Step(replace(data, trial=Text("trial-seen", found)), (Note("trial-seen", found),))
        found |= left.fault.parameters if left.fault is not None else {}
        alert = Alert("trial-failed", parameters={**found, "reason": reason})
        return Step(replace(data, trial=NOTHING), (alert,))

    def _is_last(self, data: RouletteData, act: Act) -> bool:
        return data.step + 1 == len(self._steps) and _is_inspector(data, act)

    def _confirms(self, data: RouletteData, act: Act) -> _Step:
        note = Note("step-confirmed", {"step": self._steps[data.step], "by": act.by})
        return Step(replace(data, step=data.step + 1), (note,))

    def _passes(self, data: RouletteData, act: Act) -> _Step:
        step, opened = self._confirms(data, act), opens(data, act)
        logged = InspectionLogged(act.utc_ns, self._table, (), True, act.by)
        return Step(opened.data, (*step.effects, logged, *opened.effects))

    def _refuses(self, data: RouletteData, act: Act) -> _Step:
        """The inspection is not passed: that is in the log, too."""
        refused = self._steps[data.step]
        logged = InspectionLogged(act.utc_ns, self._table, (), False, act.by, refused=refused)
        return _drops(logged)(data, act)


def _works(data: RouletteData, act: Act) -> _Step:
    return Step(replace(data, work=act.argument, worker=act.by))


def _is_another(data: RouletteData, act: Act) -> bool:
    """The witness is not the worker; a table that asks nobody cannot tell."""
    return not act.by or act.by != data.worker


def _begins(data: RouletteData, act: Act) -> _Step:
    return Step(replace(data, inspector=act.by))


def _is_inspector(data: RouletteData, act: Act) -> bool:
    return act.by == data.inspector


def _drops(effect: Effect) -> Action[RouletteData]:
    """A log entry or an inspection is given up."""
    return sets(effect, work="", worker="", inspector="", step=0, trial=NOTHING)


def opens(data: RouletteData, event: Event) -> _Step:
    """The next round. A ball that was thrown too early for it stays so."""
    opened = RouletteData(data.round + 1, untimely=data.untimely)
    return Step(opened, (Light(()), RoundOpened(opened.round)))
