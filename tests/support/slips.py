"""One slip in a typical round: the cheapest way on to the round's end, with the same results."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import product
from typing import Any

from controller.bench.rig import Rig
from controller.events.effect import Result, Void, WagersReturned
from controller.events.event import Event, Press
from controller.statechart.machine import Outcome

LONGEST = 2
"""So many presses are tried to set a slip right, before those of the round are keyed that remain."""
_DECIDES = (Result, Void, WagersReturned)
Node = tuple[Any, Any, tuple[str, ...]]


@dataclass
class Round:
    """A typical round as it was played, and its machine.

    Attributes:
        events: presses and what sensors reported, from where wagers are open.
        nodes: state, data and lamps before each event, and after the last one.
    """

    machine: Any
    events: list[Event]
    nodes: list[Node] = field(default_factory=list)

    @property
    def presses(self) -> int:
        return _count(self.events)

    def slips(self) -> Iterator[tuple[int, str]]:
        """Each press, and each key that may be pressed by mistake before it; or the press itself, twice."""
        keys = sorted(self.machine.controls() - {"floor-key"})
        for at, event in enumerate(self.events):
            if isinstance(event, Press):
                yield from ((at, key) for key in keys if key != event.control)
                yield at + 1, event.control

    def cost(self, at: int, slip: str) -> int | None:
        """How many presses more a round takes with a key pressed by mistake; None if there is no such way."""
        after, decided = self._pressed(self.nodes[at], (slip,))
        if decided:
            return None
        if after == self.nodes[at]:
            return 1
        found = [cost for cost in self._ways(at, after) if cost is not None]
        return min(found, default=None)

    def _ways(self, at: int, after: Node) -> Iterator[int | None]:
        seen: list[Node] = []
        keys = sorted(self.machine.controls())
        for length in range(LONGEST + 1):
            hit = False
            for presses in product(keys, repeat=length):
                node, decided = self._pressed(after, presses)
                if node in seen or decided:
                    continue
                seen.append(node)
                for back in self._resumed_from(at):
                    if self._ends_right(node, back):
                        hit = True
                        yield 1 + length + _count(self.events[back:]) - _count(self.events[at:])
            if hit:
                return

    def _resumed_from(self, at: int) -> Iterator[int]:
        """From which events on the round may be keyed: presses can be repeated, what happened cannot."""
        after = (at + 1, at + 2)
        yield from (one for one in after if one <= len(self.events) and _all_presses(self.events[at:one]))
        place = at
        yield place
        while place and isinstance(self.events[place - 1], Press):
            place -= 1
            yield place

    def _pressed(self, node: Node, presses: Sequence[str]) -> tuple[Node, list[object]]:
        self._place(node)
        decided: list[object] = []
        for key in presses:
            decision = self.machine.handle(Press(0, key, 10**18, by="4711" if key == "floor-key" else ""))
            decided += [effect for effect in decision.effects if isinstance(effect, _DECIDES)]
        return self._node(), decided

    def _ends_right(self, node: Node, back: int) -> bool:
        self._place(node)
        results = []
        for event in self.events[back:]:
            decision = self.machine.handle(event)
            if isinstance(event, Press) and decision.outcome is not Outcome.ACCEPTED:
                return False
            results += [effect for effect in decision.effects if isinstance(effect, _DECIDES)]
        state, data, lit = self._node()
        last = self.nodes[-1]
        same_round = getattr(data, "round", 0) == getattr(last[1], "round", 0)
        return (state, lit) == (last[0], last[2]) and same_round and results == self._results(back)

    def _results(self, back: int) -> list[object]:
        self._place(self.nodes[back])
        effects = [effect for event in self.events[back:] for effect in self.machine.handle(event).effects]
        return [effect for effect in effects if isinstance(effect, _DECIDES)]

    def _node(self) -> Node:
        return self.machine.state, self.machine.data, self.machine.lit

    def _place(self, node: Node) -> None:
        self.machine.place(node[0], node[1])
        self.machine.lit = node[2]


def _count(events: Sequence[Event]) -> int:
    return sum(isinstance(event, Press) for event in events)


def _all_presses(events: Sequence[Event]) -> bool:
    return all(isinstance(event, Press) for event in events)


def round_since(rig: Rig, entries: int, node: Node) -> Round:
    """The round that was played since so many records, from this node on."""
    round_ = Round(rig.game.machine(rig.config), [record.event for record in rig.records()[entries:]])
    round_._place(node)
    round_.nodes.append(node)
    for event in round_.events:
        round_.machine.handle(event)
        round_.nodes.append(round_._node())
    return round_
