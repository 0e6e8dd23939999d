"""Every state of a game's machine that people and devices lead to, breadth first over its own transitions.

From each: every press of every control, every timer, every failure of a device, and what the game's ``people.py``
says may happen there. The rules that hold everywhere are in :mod:`campaigns.people_rules`.
"""

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, fields
from enum import Enum
from heapq import heappop, heappush
from typing import Any

from controller.bench.people import (
    ANOTHER,
    FLOORPERSON,
    KEY,
    PERSONS,
    UTC_NS,
    People,
    Setup,
    pressed,
    transitions_on,
)
from controller.events.effect import Effect
from controller.events.event import (
    Event,
    Health,
    KeyStuck,
    MachineFailed,
    PanelFault,
    PowerRestored,
    SensorHealth,
    TableStarted,
    TamperOpened,
    TimerElapsed,
    trigger,
)
from controller.games.shared.table_data import Attended
from controller.statechart.machine import Outcome
from controller.statechart.menu import MenuEntry

Node = tuple[Enum, Any]
PRESS = "press "
TIMER = "timer "
BY_ANOTHER = " by another"
"""Ends the name of a turn of the key by another person than the one whom the table remembers."""


@dataclass(frozen=True, slots=True)
class Edge:
    """What a machine answers to an event in a place.

    Attributes:
        on: the event by its name; a press is ``press done``.
        kind: its name in the machine's transitions.
        outcome: whether it took it.
        to: the place after it.
        effects: of the decision.
    """

    on: str
    kind: str
    outcome: Outcome
    to: Node
    effects: tuple[Effect, ...]

    @property
    def control(self) -> str:
        """The control of a press; empty for any other event."""
        return self.on.removeprefix(PRESS).removesuffix(BY_ANOTHER) if self.on.startswith(PRESS) else ""

    @property
    def by(self) -> str:
        """Who turned the floorperson's key; empty if nobody did."""
        if self.control != KEY:
            return ""
        return ANOTHER if self.on.endswith(BY_ANOTHER) else FLOORPERSON

    def has(self, kind: Any) -> bool:
        """Whether any effect is of a kind, or of one of several."""
        return any(isinstance(effect, kind) for effect in self.effects)


@dataclass(frozen=True)
class Finding:
    """A place where a rule does not hold.

    Attributes:
        rule: its name.
        where: the state, and the control or text that it is about.
        detail: what is wrong.
        node: the place.
    """

    rule: str
    where: str
    detail: str
    node: Node


@dataclass
class Exploration:
    """The places of one table.

    Attributes:
        places: each with the edges that leave it, in the order in which they were found.
        parents: the place before each, and the event that led from there; None at the beginning.
    """

    people: People
    setup: Setup
    places: dict[Node, tuple[Edge, ...]] = field(default_factory=dict)
    parents: dict[Node, tuple[Node, str] | None] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._beyond: dict[Node, tuple[Edge, ...]] = {}
        self._plain: dict[Node, Node] = {}
        machine = self.setup.machine
        self._always: tuple[tuple[str, Event], ...] = (
            *((PRESS + control, pressed(control)) for control in sorted(machine.controls())),
            *((on, TimerElapsed(0, on.removeprefix(TIMER))) for on in transitions_on(machine, TIMER)),
            *_FAILURES,
        )

    # -- one place -------------------------------------------------------------------------------------------

    def first(self) -> Node:
        """Where the exploration begins."""
        machine = self.setup.machine
        if self.setup.first is not None:
            state, data = self.setup.first
            return state, self.setup.plain(state.value, data)
        machine.handle(TableStarted(0, UTC_NS, "", ""))
        return self._here()

    def take(self, node: Node, on: str, event: Event) -> Edge:
        """What the machine makes of an event in a place."""
        machine = self.setup.machine
        machine.place(*node)
        decision = machine.handle(event)
        return Edge(on, trigger(event), decision.outcome, self._here(), decision.effects)

    def _here(self) -> Node:
        machine = self.setup.machine
        as_is = machine.state, machine.data
        if as_is not in self._plain:  # Most events change nothing, and plain data are made field by field.
            self._plain[as_is] = machine.state, self.setup.plain(machine.state.value, machine.data)
        return self._plain[as_is]

    def press(self, node: Node, control: str) -> Edge:
        """What the machine makes of a press in a place."""
        return self.take(node, PRESS + control, pressed(control))

    def prompt(self, node: Node) -> str:
        """What the table waits for in a place."""
        self.setup.machine.place(*node)
        return self.setup.machine.waiting_for()

    def menu(self, node: Node) -> tuple[MenuEntry, ...]:
        """What can be chosen in a place."""
        self.setup.machine.place(*node)
        return self.setup.machine.menu()

    def _edges(self, node: Node) -> Iterator[Edge]:
        for on, event in (*self._always, *self.setup.happenings(node[0].value, node[1])):
            yield self.take(node, on, event)
        if KEY in self.setup.machine.controls() and persons(node[1]):
            yield self.take(node, f"{PRESS}{KEY}{BY_ANOTHER}", pressed(KEY, ANOTHER))

    # -- all places ------------------------------------------------------------------------------------------

    def explore(self, most: int) -> "Exploration":
        """Explore the nearest places, at most so many; a failure, or play after a menu, is farther."""
        first = self.first()
        self.parents[first] = None
        frontier: list[tuple[int, int, Node]] = [(0, 0, first)]
        while frontier and len(self.places) < most:
            far, _, node = heappop(frontier)
            self.places[node] = edges = tuple(self._edges(node))
            for edge in edges:
                if edge.outcome is Outcome.ACCEPTED and edge.to not in self.parents and not _repeats(edge):
                    self.parents[edge.to] = (node, edge.on)
                    farther = far + (FAR if edge.on in _RARE or _has_left(edge) else 1)
                    heappush(frontier, (farther, len(self.parents), edge.to))
        return self

    @property
    def whole(self) -> bool:
        """Nothing was left out."""
        return len(self.places) == len(self.parents)

    def way(self, node: Node) -> tuple[str, ...]:
        """What leads to a place."""
        steps: list[str] = []
        before = self.parents.get(node)
        while before is not None:
            steps.append(before[1])
            before = self.parents[before[0]]
        return tuple(reversed(steps))

    def after(self, node: Node, presses: tuple[str, ...]) -> tuple[Any, tuple[Effect, ...]]:
        """The data after some presses in a row, as they are, and the effects of them all."""
        machine = self.setup.machine
        machine.place(*node)
        effects = [effect for control in presses for effect in machine.handle(pressed(control)).effects]
        return machine.data, tuple(effects)

    def explore_beyond(
        self,
        starts: Iterable[Node],
        presses: int,
        may: Callable[[Edge], bool],
        ends: Callable[[Node], bool],
    ) -> None:
        """Follow the edges that may be taken from some places to those that end, also where it was not explored.

        For so many presses, and a few times as many places as were explored; what is found counts for distances
        only.
        """
        frontier = deque((node, 0) for node in starts)
        seen = {node for node, _ in frontier}
        while frontier and len(self._beyond) < BEYOND * len(self.places):
            node, far = frontier.popleft()
            if ends(node):
                continue
            if node not in self.places and node not in self._beyond:
                self._beyond[node] = tuple(self._edges(node))
            for edge in self.places.get(node) or self._beyond[node]:
                now = far + bool(edge.control)
                if edge.outcome is Outcome.ACCEPTED and now <= presses and edge.to not in seen and may(edge):
                    seen.add(edge.to)
                    (frontier.append if edge.control else frontier.appendleft)((edge.to, now))

    def distances(self, ends: Callable[[Node], bool], may: Callable[[Edge], bool]) -> dict[Node, int]:
        """How many presses lead from each place to one that ends, by edges that may be taken.

        What is no press counts for nothing.
        """
        before: dict[Node, list[tuple[Node, int]]] = {}
        reached = set(self.parents)
        for node, edges in (*self.places.items(), *self._beyond.items()):
            for edge in edges:
                if edge.outcome is Outcome.ACCEPTED and edge.to != node and may(edge):
                    reached.add(edge.to)
                    before.setdefault(edge.to, []).append((node, int(bool(edge.control))))
        away = {node: 0 for node in reached if ends(node)}
        frontier = deque(away)
        while frontier:
            node = frontier.popleft()
            for one, press in before.get(node, ()):
                if away[node] + press < away.get(one, FARTHEST):
                    away[one] = away[node] + press
                    (frontier.append if press else frontier.appendleft)(one)
        return away


_FAILURES: tuple[tuple[str, Event], ...] = (
    ("panel fails", PanelFault(0, ("a lamp",), ())),
    ("key sticks", KeyStuck(0, "2")),
    ("keypad gone", SensorHealth(0, "keypad", Health.GONE, "its cable is unplugged")),
    ("cabinet opened", TamperOpened(0, UTC_NS, "cabinet", True)),
    ("controller fails", MachineFailed(0, "an error")),
    ("power cut", PowerRestored(0, UTC_NS, "", "")),
)
_RARE = frozenset(name for name, _ in _FAILURES)
FARTHEST = 10**6
BEYOND = 4
"""Times as many places as were explored may be looked at to find an exit."""
FAR = 4
"""Presses that what is seldom counts for where not all places can be explored."""


def _repeats(edge: Edge) -> bool:
    """Whether what follows is that of the first person, with the other's name."""
    return edge.by == ANOTHER and ANOTHER in persons(edge.to[1])


def _has_left(edge: Edge) -> bool:
    """Whether a menu was left and its opener is still remembered: play is then as it was without the menu."""
    return isinstance(edge.to[1], Attended) and bool(edge.to[1].by) and edge.control == "clear"


def persons(data: Any) -> frozenset[str]:
    """Who turned the floorperson's key and is remembered in a table's data."""
    values = (getattr(data, one.name) for one in fields(data))
    texts = {text for value in values for text in (value if isinstance(value, tuple) else (value,))}
    return frozenset(one for one in PERSONS if any(isinstance(text, str) and one in text for text in texts))


def explore(people: People, setup: Setup, most: int) -> Exploration:
    """Explore a table."""
    return Exploration(people, setup).explore(most)
