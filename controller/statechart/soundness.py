"""Refuses transitions that do not make a sound machine, before a game is played with them."""

from enum import Enum
from functools import cache
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from controller.statechart.machine import Transition

S = TypeVar("S", bound=Enum)


class MachineDefinitionError(Exception):
    """A game's transitions do not make a sound machine. Raised at construction, so a test of the game finds it."""


@cache
def trigger_name(on: str) -> str:
    """A trigger's name: ``transitions`` makes an attribute of it, so it may not collide with the model's own."""
    return "on_" + on.replace(" ", "_").replace("-", "_")


def check_transitions(transitions: "tuple[Transition[S, Any], ...]", initial: S) -> None:
    """Refuse transitions that must be mistakes.

    Raises:
        MachineDefinitionError: an unknown target, a state that cannot be reached or left, a transition that can
            never be taken, a guard or action that cannot be called, or names that collide.
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
        if names.setdefault(trigger_name(transition.on), transition.on) != transition.on:
            raise MachineDefinitionError(
                f"'{transition.on}' and '{names[trigger_name(transition.on)]}' are the same trigger"
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


def _reachable(transitions: "tuple[Transition[S, Any], ...]", initial: S) -> set[S]:
    reached, frontier = {initial}, [initial]
    while frontier:
        state = frontier.pop()
        for transition in transitions:
            if transition.source is state and transition.to is not None and transition.to not in reached:
                reached.add(transition.to)
                frontier.append(transition.to)
    return reached
