"""What all games share: a state machine on ``transitions`` with its unsafe defaults closed.

A game is a table of rows. A row says: in this state, on this event, if this holds, do this and go there. What it
does is a pure function of the round's data and the event, computed *before* the state changes; if it raises, state
and data stay as they were. An event that a state does not list changes nothing and is answered.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from enum import Enum
from functools import partial
from typing import Any, Generic, TypeVar

from pydantic import TypeAdapter
from transitions import Machine, State

from controller.events.effect import Effect, Light, Refused, RoundOpened
from controller.events.event import Event, Press, RulesChanged, TableStarted, trigger
from controller.statechart import rules_changed as changed
from controller.statechart.device_text import device_notice
from controller.statechart.snapshots import check_keys, read_back
from controller.statechart.soundness import check_transitions, trigger_name

S = TypeVar("S", bound=Enum)
D = TypeVar("D")
F = TypeVar("F")
R = TypeVar("R")
_SNAPSHOT = ("state", "data", "lit")


class Outcome(Enum):
    """What became of an event."""

    ACCEPTED = "accepted"
    REFUSED = "refused"
    """A press that is not possible now."""
    NOTED = "noted"
    """Of no consequence in this state."""
    FAILED = "failed"
    """The controller's own code raised; nothing changed."""


@dataclass(frozen=True, slots=True)
class Step(Generic[D]):
    """What a row does: the round's new data, and the effects in the order in which they are performed."""

    data: D
    effects: tuple[Effect, ...] = ()


@dataclass(frozen=True)
class Transition(Generic[S, D]):
    """One row of a machine."""

    source: S
    on: str
    """The event by its name (:func:`controller.events.event.trigger`): ``press done``, ``wheel-rested``."""
    to: S | None
    """The next state; None stays."""
    action: Callable[[D, Event], Step[D]]
    guard: Callable[[D, Event], bool] | None = None
    why: str = field(default="", compare=False)
    """The condition in words, for the diagram."""


def on_event(kind: type[F], function: Callable[[D, F], R]) -> Callable[[D, Event], R]:
    """A row's function that takes one kind of event."""

    def call(data: D, event: Event) -> R:
        if not isinstance(event, kind):
            raise TypeError(f"{function.__name__} takes {kind.__name__}, not {type(event).__name__}")
        return function(data, event)

    return call


@dataclass(frozen=True, slots=True)
class Decision:
    """How a machine answered an event."""

    outcome: Outcome
    state: str
    """The state after the event."""
    effects: tuple[Effect, ...]


class GameMachine(ABC, Generic[S, D]):
    """A game at a table. Subclasses give the rows, the first state and data, and the words."""

    def __init__(
        self, transitions: Iterable[Transition[S, D]], initial: S, data: D, adapter: TypeAdapter[D]
    ) -> None:
        self.transitions = tuple(transitions)
        self.initial = initial
        self.states: tuple[S, ...] = tuple(dict.fromkeys(transition.source for transition in self.transitions))
        check_transitions(self.transitions, initial)
        self.data = data
        self.lit: tuple[str, ...] = ()
        """The areas that the last Light effect asked for."""
        self.held = False
        """A result stands that another version decided: nothing goes on until the floorperson settled it."""
        self._first = data
        self._adapter = adapter
        self._step: Step[D] | None = None
        self._model: _Model[S] = _Model()
        self._machine = Machine(
            self._model,
            states=[State(state) for state in self.states],
            initial=initial,
            auto_transitions=False,
        )
        for transition in self.transitions:
            self._machine.add_transition(
                trigger_name(transition.on),
                transition.source,
                transition.to,
                conditions=partial(self._holds, transition) if transition.guard else None,
                before=partial(self._compute, transition),
            )

    # -- what a game says of itself ------------------------------------------------------------------------

    @abstractmethod
    def _waits_for(self) -> str:
        """What the game waits for, in words for the dealer."""

    def waiting_for(self) -> str:
        """What the table waits for, in words for the dealer."""
        return changed.HELD if self.held else self._waits_for()

    @property
    def state(self) -> S:
        return self._model.state

    @property
    def round(self) -> int:
        """The number of the present round."""
        number: int = getattr(self.data, "round", 0)
        return number

    # -- running -------------------------------------------------------------------------------------------

    def handle(self, event: Event) -> Decision:
        """Take an event and decide.

        Raises:
            Exception: whatever a row's function raises; state and data are then unchanged.
        """
        if isinstance(event, RulesChanged):
            return self._rules_changed(event)
        if self.held:
            return self._while_held(event)
        triggered = self._machine.events.get(trigger_name(trigger(event)))
        self._step = None
        listed = triggered is not None and self.state.name in triggered.transitions
        if triggered is None or not listed or not triggered.trigger(self._model, event) or self._step is None:
            return self._answer(event)
        step: Step[D] = self._step
        self.data = step.data
        for effect in step.effects:
            if isinstance(effect, Light):
                self.lit = effect.areas
        return Decision(Outcome.ACCEPTED, self.state.value, step.effects)

    def controls(self) -> frozenset[str]:
        """Every control that the game listens to."""
        return frozenset(
            transition.on.removeprefix("press ")
            for transition in self.transitions
            if transition.on.startswith("press ")
        )

    def _rules_changed(self, event: RulesChanged) -> Decision:
        """Stand as before the table was opened for the first time, whatever state this machine came to."""
        self.held = changed.is_held(event)
        if self.held:
            self._stand_at_first(event.round)
            self.lit, effects = event.lit, changed.stands(event)
        else:
            effects = (*changed.ended(event), *self._start_over(event.round, event.at_ns), changed.told(event))
        return Decision(Outcome.ACCEPTED, self.state.value, effects)

    def _while_held(self, event: Event) -> Decision:
        if changed.releases(event):
            self.held = False
            effects = (changed.SETTLED, *self._start_over(self.round, event.at_ns))
            return Decision(Outcome.ACCEPTED, self.state.value, effects)
        if isinstance(event, Press):
            return self._answer(event)
        return Decision(Outcome.NOTED, self.state.value, changed.noticed(event))

    def _start_over(self, last: int, at_ns: int) -> tuple[Effect, ...]:
        """Start after a round. A game that has to be opened by the floorperson counts its next round then."""
        self._stand_at_first(last + 1)
        effects = self.handle(TableStarted(at_ns, 0, "", "")).effects
        if RoundOpened not in map(type, effects):
            self._stand_at_first(last)
        return effects

    def _stand_at_first(self, number: int) -> None:
        """Stand as at first, in a round."""
        first: Any = self._first
        self.data = replace(first, round=number)
        self._machine.set_state(self.initial, self._model)

    def _answer(self, event: Event) -> Decision:
        if isinstance(event, Press):
            effects = (Refused(event.control, self.waiting_for()),)
            return Decision(Outcome.REFUSED, self.state.value, effects)
        return Decision(Outcome.NOTED, self.state.value, device_notice(event))

    def _holds(self, transition: Transition[S, D], event: Event) -> bool:
        return transition.guard is None or transition.guard(self.data, event)

    def _compute(self, transition: Transition[S, D], event: Event) -> None:
        self._step = transition.action(self.data, event)

    # -- keeping -------------------------------------------------------------------------------------------

    def snapshot(self) -> dict[str, object]:
        """State and data, for the journal."""
        data = self._adapter.dump_python(self.data, mode="json")
        held = {"held": True} if self.held else {}
        return {"state": self.state.value, "data": data, "lit": list(self.lit), **held}

    def restore(self, snapshot: Mapping[str, object]) -> None:
        """Stand where a snapshot was taken. If it is refused, the machine stays as it is.

        Raises:
            ValueError: the snapshot is not of this game, or a field is missing, unknown or of another type; the
                message names the field.
        """
        held = snapshot.get("held", False)
        check_keys(snapshot, (*_SNAPSHOT, "held") if "held" in snapshot else _SNAPSHOT)
        by_value = {state.value: state for state in self.states}
        name, lit = snapshot["state"], snapshot["lit"]
        if not isinstance(name, str):
            raise ValueError("state: of another type: it is a text")
        if name not in by_value:
            raise ValueError(f"the journal is at state '{name}', which this game does not have")
        if not isinstance(lit, list) or not all(isinstance(area, str) for area in lit):
            raise ValueError("lit: of another type: it is a list of texts")
        if not isinstance(held, bool):
            raise ValueError("held: of another type: it is true or false")
        self.data = read_back(self._adapter, snapshot["data"], "data")
        self._machine.set_state(by_value[name], self._model)
        self.lit, self.held = tuple(lit), held


class _Model(Generic[S]):
    """Holds the state, and the triggers that transitions adds by name."""

    state: S
