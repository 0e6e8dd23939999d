"""The state machine of every game, built on ``transitions`` with its unsafe defaults turned off.

A game is a list of transitions: source state, event, guard, action, target state. An action is a pure function of
the round's data and the event, computed *before* the state changes; if it raises, state and data are unchanged. An
event without a transition in the present state changes nothing; a press is refused, any other event is noted.
"""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping
from dataclasses import replace
from enum import Enum
from functools import partial
from typing import Any, Generic, TypeVar

from pydantic import TypeAdapter
from transitions import State

from controller.events.effect import Effect, Light, Refused, RoundOpened
from controller.events.event import Event, Press, RulesChanged, RulesInEffect, TableStarted, trigger
from controller.statechart import rules_changed as changed
from controller.statechart.device_text import device_notice
from controller.statechart.direct import DirectMachine
from controller.statechart.locking import is_shut, locked_by_after, shut_words, still_locking, turns_key
from controller.statechart.menu import NOT_NOW, MenuEntry
from controller.statechart.second_press import TWICE, decides
from controller.statechart.snapshots import read_back, snapshot_head
from controller.statechart.soundness import check_transitions, trigger_name
from controller.statechart.transition import PRESS as PRESS
from controller.statechart.transition import Decision as Decision
from controller.statechart.transition import Outcome as Outcome
from controller.statechart.transition import Step as Step
from controller.statechart.transition import Transition as Transition
from controller.statechart.transition import on_event as on_event

S = TypeVar("S", bound=Enum)
D = TypeVar("D")


class GameMachine(ABC, Generic[S, D]):
    """A game at a table. Subclasses give the transitions, the first state and data, and the texts."""

    inspecting: frozenset[str] = frozenset()
    """The states in which people try the sensors after work on them: what a tracker has learned of its lines
    before, it learns anew."""
    identifying: frozenset[str] = frozenset()
    """The states in which the key asks who turns it each time, whoever identified a moment ago."""

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
        """A result of another version is on record: play waits until the floorperson has settled it."""
        self.locked_by: tuple[str, ...] = ()
        """What keeps the lock shut (:mod:`controller.statechart.locking`)."""
        self._first = data
        self._adapter = adapter
        self._presses: dict[tuple[S, str], list[Transition[S, D]]] = {}
        for transition in self.transitions:
            if transition.on.startswith(PRESS):
                place = transition.source, transition.on.removeprefix(PRESS)
                self._presses.setdefault(place, []).append(transition)
        self._digit_states = {source for source, control in self._presses if control.isdecimal()}
        self._step: Step[D] | None = None
        self._model: _Model[S] = _Model()
        self._machine = DirectMachine(
            model=None,  # It would be given methods for each state and event, and none of them is called.
            states=[State(state) for state in self.states],
            initial=initial,
            auto_transitions=False,
        )
        self._machine.set_state(initial, self._model)
        for transition in self.transitions:
            takes = partial(self._takes, transition)
            self._machine.add_row(trigger_name(transition.on), transition.source, transition.to, takes)

    # -- state and text ------------------------------------------------------------------------------------

    @abstractmethod
    def _waits_for(self) -> str:
        """What the game waits for, as text for the dealer."""

    def waiting_for(self) -> str:
        """What the table waits for, as text for the dealer."""
        if self._is_shut():
            return shut_words(self.locked_by)
        return changed.HELD if self.held else self._waits_for()

    def _menu_entries(self) -> tuple[MenuEntry, ...]:
        """What a person may choose in this state, in the order in which it is shown; empty if it is no menu."""
        return ()

    def menu(self) -> tuple[MenuEntry, ...]:
        """The menu of this state; empty if it has none."""
        return () if self.held else self._menu_entries()

    def _is_shut(self) -> bool:
        return is_shut(self.locked_by, self.state._value_, self.held)

    def _offered(self, entries: Iterable[MenuEntry]) -> tuple[MenuEntry, ...]:
        """Entries of a menu as the transitions have them: one whose press would be taken now is available.

        Args:
            entries: each with the reason for which it may be unavailable.
        """
        return tuple(
            entry._replace(unavailable="" if self.would_take(entry.control) else entry.unavailable or NOT_NOW)
            for entry in entries
        )

    def would_take(self, control: str) -> bool:
        """Whether a press of this control would be accepted now. No menu's guard asks who presses, or when."""
        event = Press(0, control)
        if self.held or (turns_key(event) and self._is_shut()):
            return False
        return any(
            transition.guard is None or transition.guard(self.data, event)
            for transition in self._presses.get((self.state, control), ())
        )

    def _refused_because(self, control: str) -> str:
        """Why a press is refused, if not because the table waits for something else; empty otherwise."""
        return ""

    @property
    def state(self) -> S:
        return self._model.state

    @property
    def round(self) -> int:
        """The number of the present round."""
        number: int = getattr(self.data, "round", 0)
        return number

    def takes_digits(self) -> bool:
        """Whether digits mean anything in this state."""
        return not self.held and self.state in self._digit_states

    def means_nothing(self, control: str) -> bool:
        """Whether a press is refused only because the table waits for something else."""
        if self.held or self.would_take(control):
            return self.held
        return not (self._unavailable(control) or self._refused_because(control))

    # -- running -------------------------------------------------------------------------------------------

    def handle(self, event: Event) -> Decision:
        """Decide on an event.

        Raises:
            Exception: whatever a guard or an action raises; state and data are then unchanged.
        """
        before, self.locked_by = self.locked_by, locked_by_after(self.locked_by, event)
        try:
            if self.locked_by and turns_key(event) and self._is_shut():
                return self._answer(event)
            return self._decide(event)
        except BaseException:
            self.locked_by = before
            raise

    def _decide(self, event: Event) -> Decision:
        if isinstance(event, RulesChanged):
            return self._rules_changed(event)
        if isinstance(event, RulesInEffect) and event.anew:
            self.held = False
            effects = (*self._start_over(event.round, event.at_ns), changed.anew(event))
            return Decision(Outcome.ACCEPTED, self.state.value, effects)
        if self.held:
            return self._while_held(event)
        if isinstance(event, Press) and event.again and self._would_decide(event):
            return self._answer(event)
        triggered = self._machine.events.get(trigger_name(trigger(event)))
        self._step = None
        if triggered is None or not triggered.trigger(self._model, event) or self._step is None:
            return self._answer(event)
        step: Step[D] = self._step
        self.data = step.data
        for effect in step.effects:
            if isinstance(effect, Light):
                self.lit = effect.areas
        return Decision(Outcome.ACCEPTED, self._model.state._value_, step.effects)

    def _would_decide(self, event: Press) -> bool:
        """Whether a press would open, end or decide a round or an inspection."""
        for transition in self._presses.get((self.state, event.control), ()):
            if transition.guard is None or transition.guard(self.data, event):
                return decides(transition.action(self.data, event).effects)
        return False

    def controls(self) -> frozenset[str]:
        """Every control with a transition."""
        return frozenset(control for _, control in self._presses)

    def _rules_changed(self, event: RulesChanged) -> Decision:
        """Return to the initial state and data, from any state."""
        self.held = changed.is_held(event)
        if self.held:
            self._reset(event.round)
            self.lit, effects = event.lit, changed.result_kept(event)
        else:
            effects = (*changed.ended(event), *self._start_over(event.round, event.at_ns), changed.alert(event))
        return Decision(Outcome.ACCEPTED, self.state.value, effects)

    def _while_held(self, event: Event) -> Decision:
        if changed.releases(event):
            self.held = False
            effects = (changed.settled(event), *self._start_over(self.round, event.at_ns))
            return Decision(Outcome.ACCEPTED, self.state.value, effects)
        if isinstance(event, Press):
            return self._answer(event)
        return Decision(Outcome.NOTED, self.state.value, changed.while_held(event))

    def _start_over(self, last: int, at_ns: int) -> tuple[Effect, ...]:
        """Start after a round. A game that the floorperson has to open counts its next round when it is opened."""
        self._reset(last + 1)
        effects = self.handle(TableStarted(at_ns, 0, "", "")).effects
        if RoundOpened not in map(type, effects):
            self._reset(last)
        locks = (self.handle(still_locking(name, at_ns)).effects for name in self.locked_by)
        return (*effects, *(effect for one in locks for effect in one))

    def _reset(self, number: int) -> None:
        """The initial state and data, with the number of a round."""
        first: Any = self._first
        self.data = replace(first, round=number)
        self._machine.set_state(self.initial, self._model)

    def _answer(self, event: Event) -> Decision:
        if isinstance(event, Press):
            why = "" if self.held else self._why_not(event)
            effects = (Refused(event.control, f"{why}; {self.waiting_for()}" if why else self.waiting_for()),)
            return Decision(Outcome.REFUSED, self.state.value, effects)
        return Decision(Outcome.NOTED, self.state.value, device_notice(event))

    def _why_not(self, event: Press) -> str:
        if event.again and self.would_take(event.control):
            return TWICE
        return self._unavailable(event.control) or self._refused_because(event.control)

    def _unavailable(self, control: str) -> str:
        """Why an entry of the menu cannot be chosen now; empty if it can, or there is none."""
        return next((entry.unavailable for entry in self._menu_entries() if entry.control == control), "")

    def _takes(self, transition: Transition[S, D], event: Event) -> bool:
        """Compute a row's step, if its condition holds."""
        if transition.guard is not None and not transition.guard(self.data, event):
            return False
        self._step = transition.action(self.data, event)
        return True

    # -- checkpoints ---------------------------------------------------------------------------------------

    def place(self, state: S, data: D) -> None:
        """Set state and data, for those who explore a machine; nothing is lit or held."""
        self.data, self.lit, self.held, self.locked_by = data, (), False, ()
        self._machine.set_state(state, self._model)

    def snapshot(self) -> dict[str, object]:
        """State and data, for the journal."""
        data = self._adapter.dump_python(self.data, mode="json")
        held = {"held": True} if self.held else {}
        locked_by = {"locked_by": list(self.locked_by)} if self.locked_by else {}
        return {"state": self.state.value, "data": data, "lit": list(self.lit), **held, **locked_by}

    def restore(self, snapshot: Mapping[str, object]) -> None:
        """Restore the state and data of a snapshot. If it is refused, the machine is unchanged.

        Raises:
            ValueError: the snapshot is not of this game, or a field is missing, unknown or of another type; the
                message names the field.
        """
        by_value = {state.value: state for state in self.states}
        head = snapshot_head(snapshot, by_value)
        self.data = read_back(self._adapter, snapshot["data"], "data")
        self._machine.set_state(by_value[head.state], self._model)
        self.lit, self.held, self.locked_by = head.lit, head.held, head.locked_by


class _Model(Generic[S]):
    """Holds the state."""

    state: S
