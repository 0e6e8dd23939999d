"""The machine of a game's rounds, on plain ``transitions``. It knows nothing of faults, prompts and menus.

Its rows say in which states, on which event, what happens, and which state follows. An action is computed *before*
the state changes: if it raises, state and data are unchanged. An event without a row in the present state changes
nothing.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from enum import Enum
from itertools import product
from typing import Any, ClassVar, Generic, NamedTuple, TypeVar

from pydantic import TypeAdapter
from transitions import EventData, Machine

from controller.events.effect import Alert, Effect, Lock
from controller.events.event import Act, Event, Press, trigger
from controller.events.words import NOTHING, Text
from controller.machine.offers import Device, Equipment, FaultPolicy, Offer
from controller.machine.snapshots import read_back

S = TypeVar("S", bound=Enum)
D = TypeVar("D")


class Step(NamedTuple, Generic[D]):
    """What an action computes: the round's new data, and the effects in the order in which they are performed."""

    data: D
    effects: tuple[Effect, ...] = ()


Action = Callable[[D, Any], Step[D]]
"""A pure function, called before the state changes. If it raises, state and data stay as they are.

The row's event decides the type of the second argument.
"""
Guard = Callable[[D, Any], bool]
DIGITS = tuple("0123456789")
FACES = tuple("123456")


# -- events ----------------------------------------------------------------------------------------------------


def presses(controls: Iterable[str]) -> tuple[str, ...]:
    """The events of several controls."""
    return tuple(f"press {control}" for control in controls)


def key_of(event: Event) -> str:
    """The control of a press, the argument of an act; empty for any other event."""
    return event.control if isinstance(event, Press) else event.argument if isinstance(event, Act) else ""


def by(event: Event) -> str:
    """The number of the person who acts; empty if nobody identified, and for an event that is no act."""
    return event.by if isinstance(event, Act) else ""


# -- conditions ------------------------------------------------------------------------------------------------


def where(test: Callable[[Any], object]) -> Guard[Any]:
    """A condition on the data alone."""
    return lambda data, event: bool(test(data))


def both(*conditions: Guard[D]) -> Guard[D]:
    """All of these conditions hold."""
    return lambda data, event: all(condition(data, event) for condition in conditions)


def unless(condition: Guard[D]) -> Guard[D]:
    return lambda data, event: not condition(data, event)


def always(data: object, event: Event) -> bool:
    return True


def once(data: object, event: Event) -> bool:
    """No second press of the same control by a hand that saw no answer to the first."""
    return not (isinstance(event, Press) and event.again)


# -- actions ---------------------------------------------------------------------------------------------------


def sets(*effects: Effect, **changes: Any) -> Action[Any]:
    """Change these fields of the data, and emit these effects."""
    return lambda data, event: Step(replace(data, **changes) if changes else data, effects)


_STAYS = sets()


def then(*actions: Action[D]) -> Action[D]:
    """Several actions in order, with the effects of all."""

    def call(data: D, event: Event) -> Step[D]:
        effects: tuple[Effect, ...] = ()
        for action in actions:
            data, further = action(data, event)
            effects += further
        return Step(data, effects)

    return call


def locks(cause: str, **found: str | int) -> tuple[Effect, ...]:
    """The table locks, and the floor is told."""
    return (Alert(cause, parameters=found), Lock(cause, found))


# -- rows and their machine ------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Row(Generic[S, D]):
    """One row. The first row of a state and event whose condition holds is taken."""

    source: S | tuple[S, ...]
    on: str | tuple[str, ...]
    """The events (:func:`controller.events.event.trigger`): ``press done``, ``act void``, ``wheel-rested``, …"""
    to: S | None = None
    """The next state; None to stay."""
    action: Action[D] = _STAYS
    when: Guard[D] = always
    why: str = ""
    """The condition in words, for the diagram."""

    @property
    def sources(self) -> tuple[S, ...]:
        return self.source if isinstance(self.source, tuple) else (self.source,)

    @property
    def events(self) -> tuple[str, ...]:
        return (self.on,) if isinstance(self.on, str) else self.on


@dataclass(frozen=True, slots=True)
class RoundSnapshot:
    """A round, in a checkpoint."""

    state: str
    data: dict[str, Any]


class RoundMachine(ABC, Generic[S, D]):
    """A game's rounds. Subclasses give the rows, the first state and data, and what they tell the table layer."""

    closed: ClassVar[frozenset[str]] = frozenset({"closed"})
    """The states in which the table is not open: no wager lies."""
    idle: ClassVar[frozenset[str]] = frozenset({"closed", "bets-open"})
    """The states in which no round is under way; see :meth:`under_way`."""
    opens_itself: ClassVar[bool] = False
    """It opens at its first start, without the floorperson."""
    opens_with_new: ClassVar[bool] = False
    """Opening the table records new equipment (§ 577.4(d))."""
    inspecting: ClassVar[frozenset[str]] = frozenset()
    """The states in which people try the sensors: what a tracker has learned of its lines, it learns anew."""

    state: S
    trigger: Callable[[str, Event], bool]
    """These two are the library's."""

    def __init__(self, rows: Iterable[Row[S, D]], initial: S, data: D, adapter: TypeAdapter[D]) -> None:
        self.rows = tuple(rows)
        self.initial, self.data = initial, data
        self._first, self._adapter, self._step = data, adapter, Step(data)
        self._rows: dict[tuple[S, str], list[Row[S, D]]] = {}
        for row in self.rows:
            for place in product(row.sources, row.events):
                self._rows.setdefault(place, []).append(row)
        self.states: tuple[S, ...] = tuple(dict.fromkeys(source for source, _ in self._rows))
        self._machine = Machine(
            model=self,
            states=list(dict.fromkeys((*self.states, *(row.to for row in self.rows if row.to is not None)))),
            initial=initial,
            transitions=[self._transition(row, on) for row in self.rows for on in row.events],
            auto_transitions=False,
            send_event=True,
        )

    def _transition(self, row: Row[S, D], on: str) -> dict[str, object]:
        def before(found: EventData) -> None:
            self._step = row.action(self.data, *found.args)

        return {
            "trigger": on,
            "source": list(row.sources),
            "dest": row.to,  # None: the library changes no state.
            "conditions": None if row.when is always else lambda found: row.when(self.data, *found.args),
            "before": before,
        }

    # -- what the table layer asks ---------------------------------------------------------------------------

    @abstractmethod
    def instruction(self) -> Text:
        """What the dealer does next."""

    def offers(self) -> Iterable[Offer]:
        """What people may do now besides the dealer's keys, in the order of the menu."""
        return ()

    @property
    def equipment(self) -> tuple[Equipment, ...]:
        """All dice or cards with a limited age, in use or set aside."""
        return ()

    @property
    def in_use(self) -> tuple[Equipment, ...]:
        """Those that new wagers are accepted on."""
        return self.equipment

    @abstractmethod
    def on_fault(self, device: Device, state: S) -> FaultPolicy:
        """What a fault of a device does in a state."""

    def wagers_open(self) -> bool:
        """Wagers may be placed now, and equipment that has reached its age must not be used for them."""
        return bool(self.state.value == "bets-open")

    def under_way(self) -> bool:
        """A round is in progress: wagers are closed and not settled yet."""
        return self.state.value not in self.idle

    def refused_because(self, press: Press) -> Text:
        """Why a press is refused, if not because the table waits for something else."""
        return NOTHING

    def declined(self, act: Act) -> Text:
        """Why an act that was offered is refused: for whom it is not."""
        return Text("not-offered")

    # -- running -------------------------------------------------------------------------------------------

    @property
    def round(self) -> int:
        """The number of the present round."""
        number: int = getattr(self.data, "round", 0)
        return number

    def handle(self, event: Event, on: str = "") -> Step[D] | None:
        """Let the first row of this state and event whose condition holds decide; None if there is none.

        Args:
            on: the event's name, if not its own.

        Raises:
            Exception: whatever a condition or an action raises; state and data are then unchanged.
        """
        name = on or trigger(event)
        if (self.state, name) not in self._rows or not self.trigger(name, event):
            return None
        self.data = self._step.data
        return self._step

    def would_take(self, event: Event) -> Row[S, D] | None:
        """The row that would decide on an event now."""
        rows = self._rows.get((self.state, trigger(event)), ())
        return next((row for row in rows if row.when(self.data, event)), None)

    def controls(self) -> frozenset[str]:
        """Every control with a row."""
        return frozenset(on.removeprefix("press ") for _, on in self._rows if on.startswith("press "))

    # -- snapshots -----------------------------------------------------------------------------------------

    def place(self, state: S, data: D) -> None:
        """Set state and data."""
        self.data = data
        self._machine.set_state(state)

    def start_over(self, number: int) -> None:
        """The initial state and data, with the number of a round."""
        first: Any = self._first
        self.place(self.initial, replace(first, round=number))

    def snapshot(self) -> RoundSnapshot:
        return RoundSnapshot(self.state.value, self._adapter.dump_python(self.data, mode="json"))

    def restore(self, snapshot: RoundSnapshot) -> None:
        """Restore the state and data of a snapshot. If it is refused, the machine is unchanged.

        Raises:
            ValueError: a field is missing, unknown or of another type; the message names it.
        """
        by_value = {state.value: state for state in type(self.initial)}
        if snapshot.state not in by_value:
            raise ValueError(f"round.state: the game has no state '{snapshot.state}'")
        data = read_back(self._adapter, snapshot.data, "round.data")
        self.place(by_value[snapshot.state], data)
