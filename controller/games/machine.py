"""What all games share: a state machine on ``transitions`` with its unsafe defaults closed.

A game is a table of rows. A row says: in this state, on this fact, if this holds, do this and go there. What it
does is a pure function of the round's data and the fact, computed *before* the state changes; if it raises, state
and data stay as they were. A fact that a state does not list changes nothing and is answered.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from enum import Enum
from functools import cache, partial
from typing import Generic, TypeVar

from pydantic import TypeAdapter
from transitions import Machine, State

from controller.effects import Effect, Light, Refused
from controller.facts import Fact, Press, trigger
from controller.games.words import device_told

S = TypeVar("S", bound=Enum)
D = TypeVar("D")
F = TypeVar("F")
R = TypeVar("R")


class MachineDefinitionError(Exception):
    """A game's rows do not make a sound machine. Raised at construction, so a test of the game finds it."""


class Outcome(Enum):
    """What became of a fact."""

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
class Row(Generic[S, D]):
    """One row of a machine."""

    source: S
    on: str
    """The fact: ``press done``, ``timer spin-limit``, ``wheel-rested`` (see :func:`controller.facts.trigger`)."""
    to: S | None
    """The next state; None stays."""
    do: Callable[[D, Fact], Step[D]]
    when: Callable[[D, Fact], bool] | None = None
    why: str = field(default="", compare=False)
    """The condition in words, for the diagram."""


def on_fact(kind: type[F], function: Callable[[D, F], R]) -> Callable[[D, Fact], R]:
    """A row's function that takes one kind of fact."""

    def call(data: D, fact: Fact) -> R:
        if not isinstance(fact, kind):
            raise TypeError(f"{function.__name__} takes {kind.__name__}, not {type(fact).__name__}")
        return function(data, fact)

    return call


@dataclass(frozen=True, slots=True)
class Decision:
    """How a machine answered a fact."""

    outcome: Outcome
    state: str
    """The state after the fact."""
    effects: tuple[Effect, ...]


class GameMachine(ABC, Generic[S, D]):
    """A game at a table. Subclasses give the rows, the first state and data, and the words."""

    def __init__(self, rows: Iterable[Row[S, D]], initial: S, data: D, adapter: TypeAdapter[D]) -> None:
        self.rows = tuple(rows)
        self.initial = initial
        self.states: tuple[S, ...] = tuple(dict.fromkeys(row.source for row in self.rows))
        check_rows(self.rows, initial)
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
        for row in self.rows:
            self._machine.add_transition(
                _name(row.on),
                row.source,
                row.to,
                conditions=partial(self._holds, row) if row.when else None,
                before=partial(self._compute, row),
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

    def handle(self, fact: Fact) -> Decision:
        """Take a fact and decide.

        Raises:
            Exception: whatever a row's function raises; state and data are then unchanged.
        """
        event = self._machine.events.get(_name(trigger(fact)))
        self._step = None
        listed = event is not None and self.state.name in event.transitions
        if event is None or not listed or not event.trigger(self._model, fact) or self._step is None:
            return self._answer(fact)
        step: Step[D] = self._step
        self.data = step.data
        for effect in step.effects:
            if isinstance(effect, Light):
                self.lit = effect.areas
        return Decision(Outcome.ACCEPTED, self.state.value, step.effects)

    def controls(self) -> frozenset[str]:
        """Every control that the game listens to."""
        return frozenset(row.on.removeprefix("press ") for row in self.rows if row.on.startswith("press "))

    def _answer(self, fact: Fact) -> Decision:
        if isinstance(fact, Press):
            effects = (Refused(fact.control, self.waiting_for()),)
            return Decision(Outcome.REFUSED, self.state.value, effects)
        return Decision(Outcome.NOTED, self.state.value, device_told(fact))

    def _holds(self, row: Row[S, D], fact: Fact) -> bool:
        return row.when is None or row.when(self.data, fact)

    def _compute(self, row: Row[S, D], fact: Fact) -> None:
        self._step = row.do(self.data, fact)

    # -- keeping -------------------------------------------------------------------------------------------

    def snapshot(self) -> dict[str, object]:
        """State and data, for the journal."""
        data = self._adapter.dump_python(self.data, mode="json")
        return {"state": self.state.value, "data": data, "lit": list(self.lit)}

    def restore(self, snapshot: dict[str, object]) -> None:
        """Stand where a snapshot was taken.

        Raises:
            ValueError: the snapshot is not of this game.
        """
        by_value = {state.value: state for state in self.states}
        name = str(snapshot.get("state"))
        if name not in by_value:
            raise ValueError(f"the journal is at state '{name}', which this game does not have")
        self.data = self._adapter.validate_python(snapshot.get("data"))
        self._machine.set_state(by_value[name], self._model)
        lit = snapshot.get("lit")
        self.lit = tuple(str(area) for area in lit) if isinstance(lit, list) else ()


class _Model(Generic[S]):
    """Holds the state, and the triggers that transitions adds by name."""

    state: S


@cache
def _name(on: str) -> str:
    """A trigger's name: ``transitions`` makes an attribute of it, so it may not collide with the model's own."""
    return "on_" + on.replace(" ", "_").replace("-", "_")


def check_rows(rows: tuple[Row[S, D], ...], initial: S) -> None:
    """Refuse rows that cannot be meant.

    Raises:
        MachineDefinitionError: an unknown target, a state that cannot be reached or not be left, a row that can
            never be taken, a function that is none, or names that collide.
    """
    sources = {row.source for row in rows}
    names: dict[str, str] = {}
    closed: set[tuple[S, str]] = set()
    for row in rows:
        if row.to is not None and row.to not in sources:
            raise MachineDefinitionError(f"{row.source}: '{row.on}' leads to {row.to}, which has no rows")
        if not callable(row.do) or not (row.when is None or callable(row.when)):
            raise MachineDefinitionError(f"{row.source}: '{row.on}' has no function to call")
        if names.setdefault(_name(row.on), row.on) != row.on:
            raise MachineDefinitionError(f"'{row.on}' and '{names[_name(row.on)]}' are the same trigger")
        if (row.source, row.on) in closed:
            raise MachineDefinitionError(f"{row.source}: a row for '{row.on}' can never be taken")
        if row.when is None:
            closed.add((row.source, row.on))
    left = {row.source for row in rows if row.to not in (None, row.source)}
    if left != sources:
        raise MachineDefinitionError(f"no way leads out of {_list(sources - left)}")
    unreachable = sources - _reachable(rows, initial)
    if unreachable:
        raise MachineDefinitionError(f"no way leads to {_list(unreachable)}")


def _list(states: set[S]) -> str:
    return ", ".join(sorted(str(state) for state in states))


def _reachable(rows: tuple[Row[S, D], ...], initial: S) -> set[S]:
    reached, frontier = {initial}, [initial]
    while frontier:
        state = frontier.pop()
        for row in rows:
            if row.source is state and row.to is not None and row.to not in reached:
                reached.add(row.to)
                frontier.append(row.to)
    return reached
