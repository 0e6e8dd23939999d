"""A machine of whatever game, as those know it who run, record, replay or show one: without its states and data."""

from collections.abc import Mapping, Sequence
from enum import Enum
from typing import Protocol

from controller.events.event import Event
from controller.statechart.machine import Decision


class AnyTransition(Protocol):
    """One row of a machine (:class:`controller.statechart.machine.Transition`), to look at."""

    @property
    def source(self) -> Enum: ...

    @property
    def on(self) -> str: ...

    @property
    def to(self) -> Enum | None: ...

    @property
    def why(self) -> str: ...


class AnyMachine(Protocol):
    """What every :class:`controller.statechart.machine.GameMachine` is."""

    @property
    def transitions(self) -> Sequence[AnyTransition]: ...

    @property
    def initial(self) -> Enum: ...

    @property
    def states(self) -> Sequence[Enum]: ...

    @property
    def state(self) -> Enum: ...

    @property
    def data(self) -> object:
        """The round's data; whoever looks into it asks first of which game it is."""

    @property
    def round(self) -> int: ...

    lit: tuple[str, ...]
    """The areas that the last Light effect asked for."""

    def waiting_for(self) -> str: ...

    def handle(self, event: Event) -> Decision: ...

    def controls(self) -> frozenset[str]: ...

    def snapshot(self) -> dict[str, object]: ...

    def restore(self, snapshot: Mapping[str, object]) -> None: ...
