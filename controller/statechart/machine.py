"""What all games share: a state machine on ``transitions`` with its unsafe defaults closed.

A game is a table of rows. A row says: in this state, on this event, if this holds, do this and go there. What it
does is a pure function of the round's data and the event, computed *before* the state changes; if it raises, state
and data stay as they were. An event that a state does not list changes nothing and is answered.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from enum import Enum
from functools import cache, partial
from typing import Generic, TypeVar

from pydantic import TypeAdapter
from transitions import Machine, State

from controller.events.effect import Effect, Light, Refused
from controller.events.event import Event, Press, trigger
from controller.statechart.device_text import device_notice
from controller.statechart.snapshots import check_keys, read_back

S = TypeVar("S", bound=Enum)
D = TypeVar("D")
F = TypeVar("F")
R = TypeVar("R")
_SNAPSHOT = ("state", "data", "lit")


class MachineDefinitionError(Exception):
    """A game's rows do not make a sound machine. Raised at construction, so a test of the game finds it."""


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
                _name(transition.on),
                transition.source,
                transition.to,
                conditions=partial(self._holds, transition) if transition.guard else None,
                before=partial(self._compute, transition),
            )

    # -- what a game says of itself ------------------------------------------------------------------------

    @abstractmethod
    def waiting_for(self) -> str:
        """What the table waits for, in words for the dealer."""

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
        triggered = self._machine.events.get(_name(trigger(event)))
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
        return {"state": self.state.value, "data": data, "lit": list(self.lit)}

    def restore(self, snapshot: Mapping[str, object]) -> None:
        """Stand where a snapshot was taken. If it is refused, the machine stays as it is.

        Raises:
            ValueError: the snapshot is not of this game, or a field is missing, unknown or of another type; the
                message names the field.
        """
        check_keys(snapshot, _SNAPSHOT)
        by_value = {state.value: state for state in self.states}
        name, lit = snapshot["state"], snapshot["lit"]
        if not isinstance(name, str):
            raise ValueError("state: of another type: it is a text")
        if name not in by_value:
            raise ValueError(f"the journal is at state '{name}', which this game does not have")
        if not isinstance(lit, list) or not all(isinstance(area, str) for area in lit):
            raise ValueError("lit: of another type: it is a list of texts")
        self.data = read_back(self._adapter, snapshot["data"], "data")
        self._machine.set_state(by_value[name], self._model)
        self.lit = tuple(lit)


class _Model(Generic[S]):
    """Holds the state, and the triggers that transitions adds by name."""

    state: S


@cache
def _name(on: str) -> str:
    """A trigger's name: ``transitions`` makes an attribute of it, so it may not collide with the model's own."""
    return "on_" + on.replace(" ", "_").replace("-", "_")


def check_transitions(transitions: tuple[Transition[S, D], ...], initial: S) -> None:
    """Refuse rows that cannot be meant.

    Raises:
        MachineDefinitionError: an unknown target, a state that cannot be reached or not be left, a row that can
            never be taken, a function that is none, or names that collide.
    """
    sources = {transition.source for transition in transitions}
    names: dict[str, str] = {}
    closed: set[tuple[S, str]] = set()
    for transition in transitions:
        if transition.to is not None and transition.to not in sources:
            raise MachineDefinitionError(
                f"{transition.source}: '{transition.on}' leads to {transition.to}, which has no rows"
            )
        if not callable(transition.action) or not (transition.guard is None or callable(transition.guard)):
            raise MachineDefinitionError(f"{transition.source}: '{transition.on}' has no function to call")
        if names.setdefault(_name(transition.on), transition.on) != transition.on:
            raise MachineDefinitionError(
                f"'{transition.on}' and '{names[_name(transition.on)]}' are the same trigger"
            )
        if (transition.source, transition.on) in closed:
            raise MachineDefinitionError(f"{transition.source}: a row for '{transition.on}' can never be taken")
        if transition.guard is None:
            closed.add((transition.source, transition.on))
    left = {transition.source for transition in transitions if transition.to not in (None, transition.source)}
    if left != sources:
        raise MachineDefinitionError(f"no way leads out of {_list(sources - left)}")
    unreachable = sources - _reachable(transitions, initial)
    if unreachable:
        raise MachineDefinitionError(f"no way leads to {_list(unreachable)}")


def _list(states: set[S]) -> str:
    return ", ".join(sorted(str(state) for state in states))


def _reachable(transitions: tuple[Transition[S, D], ...], initial: S) -> set[S]:
    reached, frontier = {initial}, [initial]
    while frontier:
        state = frontier.pop()
        for transition in transitions:
            if transition.source is state and transition.to is not None and transition.to not in reached:
                reached.add(transition.to)
                frontier.append(transition.to)
    return reached
