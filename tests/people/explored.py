"""Explores the machine of a table, breadth first: every press, act, report, timer, fault and power cut there is.

States in which people see the same and may do the same are one place. A place keeps the state that was reached
first, so each is real.
"""

from collections import deque
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import product
from typing import Any, NamedTuple

from config.schema import TableConfig
from controller.events.effect import Bonus, Effect, Result, RoundOpened, withdraws
from controller.events.event import (
    Act,
    CabinetHealth,
    Event,
    Health,
    KeyStuck,
    MachineFailed,
    PanelFault,
    PowerRestored,
    Press,
    TableStarted,
    TimerElapsed,
    trigger,
)
from controller.events.record import Outcome
from controller.events.words import text
from controller.machine.offers import Device, Offer
from controller.table.ages import fresh
from controller.table.data import TableData
from controller.table.machine import TableMachine
from controller.table.prompts import menu_of

UTC_NS = 10**18
FLOOR, ANOTHER = "4711", "4712"
"""Credentials of the floorperson who acts, and of another one, who acts too where the first is remembered."""
_S = 1_000_000_000
_EVERYWHERE: Mapping[str, Event] = {
    "panel fails": PanelFault(0, ("a lamp",), ()),
    "key sticks": KeyStuck(0, "2"),
    "controller fails": MachineFailed(0, "error"),
    "door opened": CabinetHealth(0, "door contact", Health.OPEN, text("opened-now", contact="door"), True),
    "door closed": CabinetHealth(0, "door contact", Health.OK, text("contact-closed", contact="door")),
    "power back after 5 s": PowerRestored(0, UTC_NS, "", "", pause_ns=5 * _S),
    "power back after 40 min": PowerRestored(0, UTC_NS, "", "", pause_ns=2400 * _S),
}


@dataclass(frozen=True)
class Table:
    """One table of a game, and what the exploration cannot know of its game.

    Attributes:
        reports: what sensors, shakers and readers may report in a state, by name.
        start: events that bring the new table to where the exploration begins.
        first: changes the round's data there.
        skip: keys for which another one stands.
        keyed: the kinds of what people have keyed in the round and may have to correct.
        contradicted: reasons for a void that a sensor contradicts.
        hands: names of reports that people can cause on their way out.
        exits: states from which a round is opened by the game's procedure.
        new_wagers: whether wagers for a new round may be placed, unless the table layer forbids it.
    """

    name: str
    machine: TableMachine
    reports: Mapping[str, Event] = field(default_factory=dict)
    start: tuple[Event, ...] = ()
    first: Callable[[Any], Any] = lambda data: data
    skip: frozenset[str] = frozenset()
    keyed: Callable[[str, Any], Iterable[str]] = lambda state, data: ()
    contradicted: Callable[[str, Any], Iterable[str]] = lambda state, data: ()
    hands: frozenset[str] = frozenset()
    exits: frozenset[str] = frozenset()
    new_wagers: Callable[[str, Any], bool] = lambda state, data: state == "bets-open"


Tables = Callable[[TableConfig], Iterable[Table]]


class Node(NamedTuple):
    """A state of a table.

    Attributes:
        result: Result or Bonus: it is on record, and neither taken back nor cleared.
        keyed: what people have keyed.
    """

    table: TableData
    lit: tuple[str, ...]
    state: Any
    data: Any
    result: type[Effect] | None
    keyed: frozenset[str] = frozenset()


class Edge(NamedTuple):
    """What happens in a place."""

    name: str
    event: Event
    outcome: Outcome
    effects: tuple[Effect, ...]
    to: Hashable
    presses: int
    """Of the floorperson, without number and PIN; 0 for what nobody presses."""

    @property
    def refused(self) -> bool:
        return self.outcome is Outcome.REFUSED

    @property
    def by_dealer(self) -> bool:
        return isinstance(self.event, Press) or (isinstance(self.event, Act) and not self.event.floor)

    @property
    def by_floor(self) -> bool:
        return isinstance(self.event, Act) and self.event.floor

    def has(self, *kinds: type[Effect]) -> bool:
        return any(isinstance(one, kinds) for one in self.effects)


class Exploration:
    """The places of one table that were found, with what happens in each.

    Args:
        most: places to explore; the nearest first.
    """

    def __init__(self, table: Table, most: int) -> None:
        self.table, self.machine = table, table.machine
        self.nodes: dict[Hashable, Node] = {}
        self.edges: dict[Hashable, tuple[Edge, ...]] = {}
        self._from: dict[Hashable, tuple[Hashable, str] | None] = {}
        rounds = self.machine.rounds
        self._controls = rounds.controls()
        timers = {on for row in rounds.rows for on in row.events if on.startswith("timer ")}
        timers |= {f"timer {kind}-{one.name}" for kind, one in product(("warn", "retire"), rounds.equipment)}
        elapsed = {name: TimerElapsed(0, name.removeprefix("timer ")) for name in sorted(timers)}
        self._reports = {**elapsed, **_EVERYWHERE, **table.reports}
        for event in (TableStarted(0, UTC_NS, "", ""), *table.start):
            self.machine.handle(event)
        rounds.data = table.first(self.machine.data)
        found = deque([self._note(None)])
        self._from[found[0]] = None
        while found and len(self.edges) < most:
            here = found.popleft()
            self.edges[here] = tuple(self._leaving(self.nodes[here]))
            for edge in self.edges[here]:
                if edge.to not in self._from:
                    self._from[edge.to] = (here, edge.name)
                    found.append(edge.to)
        self.whole = not found

    def way(self, place: Hashable) -> str:
        """What leads there from the beginning."""
        before = self._from[place]
        return f"{self.way(before[0])}, {before[1]}" if before is not None else "start"

    def at(self, place: Hashable) -> Node:
        """Bring the machine to a place."""
        node = self.nodes[place]
        self._put(node)
        return node

    def state(self, place: Hashable) -> str:
        """Bring the machine to a place; its state there."""
        self.at(place)
        return str(self.machine.state.value)

    def _put(self, node: Node) -> None:
        self.machine.table, self.machine.lit = node.table, node.lit
        self.machine.rounds.place(node.state, node.data)

    def take(self, node: Node, event: Event, name: str = "", presses: int = 0) -> Edge:
        """What an event does in a place."""
        self._put(node)
        decision = self.machine.handle(event)
        to = self._note(_on_record(node.result, decision.effects))
        return Edge(name or trigger(event), event, decision.outcome, decision.effects, to, presses)

    def _note(self, result: type[Effect] | None) -> Hashable:
        """The place where the machine is now."""
        machine, rounds = self.machine, self.machine.rounds
        table, state = machine.table, rounds.state
        keyed = frozenset(self.table.keyed(state.value, machine.data))
        waiting = table.waiting and rounds.on_fault(Device(table.waiting[0].device), state)
        usable = frozenset(one.name for one in rounds.equipment if fresh(table, (one,)))
        around = (table.locked, waiting, table.shut, table.due, usable)
        controls = frozenset(one for one in self._controls if machine.would_take(one))
        offers = tuple((one.act, one.argument, one.authority, bool(one.unavailable)) for one in machine.offers())
        asked = machine.instruction()
        said = asked.code, frozenset(name for name, found in asked.parameters.items() if found)
        place = (state.value, said, controls, offers, keyed, result, bool(machine.lit), around)
        self.nodes.setdefault(place, Node(table, machine.lit, state, machine.data, result, keyed))
        return place

    def _leaving(self, node: Node) -> Iterator[Edge]:
        """All that can happen."""
        self._put(node)
        offers = self.machine.offers()
        controls = self.machine.rounds.controls() | {offer.control for offer in offers if offer.control}
        for control in sorted(controls - self.table.skip):
            yield self.take(node, Press(0, control, UTC_NS), presses=1)
        persons = (FLOOR, ANOTHER) if FLOOR in repr(node.data) else (FLOOR,)
        for (offer, presses), by in product(costs(offers), persons):
            event = Act(0, offer.act, offer.argument, UTC_NS, by)
            yield self.take(node, event, f"floor {offer.act} {offer.argument}".rstrip(), presses)
        for offer in offers:
            event = Act(0, offer.act, offer.argument, UTC_NS, floor=False)
            yield self.take(node, event, f"dealer {offer.act} {offer.argument}".rstrip(), 2)
        for name, event in self._reports.items():
            yield self.take(node, event, name)


def costs(offers: tuple[Offer, ...]) -> Iterator[tuple[Offer, int]]:
    """Each act of the floor menu that can be chosen, with its presses: the key, digits, and the key again."""
    for entry in menu_of(offers):
        listed = len(entry.offers) > 1
        for offer in entry.offers:
            if not offer.unavailable:
                yield offer, 2 + (entry.key != "floor-key") + listed


def _on_record(before: type[Effect] | None, effects: tuple[Effect, ...]) -> type[Effect] | None:
    """What is on record after these effects."""
    if withdraws(effects) or any(isinstance(one, RoundOpened) for one in effects):
        before = None
    return next((type(one) for one in effects if isinstance(one, Result | Bonus)), before)
