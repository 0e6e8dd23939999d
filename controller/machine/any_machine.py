"""A machine of any game, for code that runs, records, replays or shows it without knowing its states and data."""

from collections.abc import Mapping, Sequence
from enum import Enum
from typing import Protocol

from controller.events.event import Event
from controller.machine.decision import Decision
from controller.machine.offers import Offer


class AnyTransition(Protocol):
    """One transition of a machine, to read."""

    @property
    def source(self) -> Enum: ...

    @property
    def on(self) -> str: ...

    @property
    def to(self) -> Enum | None: ...

    @property
    def why(self) -> str: ...


class AnyMachine(Protocol):
    """The interface of :class:`controller.table.machine.TableMachine`."""

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
        """The round's data; check its type before use."""

    @property
    def round(self) -> int: ...

    inspecting: frozenset[str]
    """The states in which people try the sensors after work on them."""

    @property
    def held(self) -> bool:
        """A result of another version is on record: play waits until the floorperson has settled it."""

    locked_by: tuple[str, ...]
    """What keeps the lock shut: contacts that are open, by name, and the supply voltage."""

    lit: tuple[str, ...]
    """The areas that the last Light effect asked for."""

    def offers(self) -> tuple[Offer, ...]: ...

    def calls(self, control: str) -> tuple[Offer, ...]: ...

    def waiting_for(self) -> str: ...

    def would_take(self, control: str) -> bool: ...

    def handle(self, event: Event) -> Decision: ...

    def controls(self) -> frozenset[str]: ...

    def snapshot(self) -> dict[str, object]: ...

    def restore(self, snapshot: Mapping[str, object]) -> None: ...
