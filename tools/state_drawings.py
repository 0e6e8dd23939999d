"""Draws each game's state machine from its transitions: ``docs/machines.md``, and ``states.js`` of the bench.

``states.js`` has the ways that simulated rounds took, laid out by Graphviz (``sudo apt install graphviz``), and the
states that no round came to below them. Run by ``make docs``.
"""

import json
import random
import shlex
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

from controller.bench.dealer import Dealer
from controller.bench.oracle import Oracle
from controller.bench.rig import Rig
from controller.configuration.shipped import load_table, shipped_tables
from controller.journal.record import RecordedDecision
from controller.statechart.any_machine import AnyMachine
from controller.statechart.registry import find_game, folder_of, game_names
from controller.viewmodel.screen import spoken

FILE = Path(__file__).parents[1] / "docs" / "machines.md"
_HEAD = """# State machines

Drawn from the machines themselves by `make docs`. An arrow's label is the fact that takes it, with its condition in
brackets. Left out of the drawings is what changes nothing but the record (sensor health, notes), and what every
state answers to a failure of the controller's own code: it locks or closes the table. A press that a state does not
list is refused with what the table is waiting for.
"""
_EVERYWHERE = ("machine-failed",)
ROUNDS = 150
SEED = 1
WIDTH = 430
"""Pixels at least."""
_LETTER, _PADDING, _HEIGHT, _GAP = 6.6, 14, 24, 12
_PER_INCH = 72
Way = tuple[str, str]


def page() -> str:
    """The whole page."""
    return _HEAD + "".join(f"\n## {find_game(name).title}\n\n{diagram(_machine(name))}" for name in game_names())


def diagram(machine: AnyMachine) -> str:
    """A machine as a mermaid state diagram."""
    arrows: dict[tuple[str, str], list[str]] = {}
    for row in machine.transitions:
        if row.to is not None and row.to is not row.source and row.on not in _EVERYWHERE:
            label = row.on.removeprefix("press ") + (f" [{row.why}]" if row.why else "")
            labels = arrows.setdefault((row.source.value, row.to.value), [])
            if label not in labels:
                labels.append(label)
    lines = ["```mermaid", "stateDiagram-v2", f"    [*] --> {_id(machine.initial.value)}"]
    lines += [f"    {_id(state.value)}: {state.value}" for state in machine.states]
    for (source, to), labels in arrows.items():
        lines.append(f"    {_id(source)} --> {_id(to)}: {'<br/>'.join(labels)}")
    return "\n".join([*lines, "```", ""])


def _id(state: str) -> str:
    return state.replace("-", "_")


def _machine(name: str) -> AnyMachine:
    return find_game(name).machine(load_table(shipped_tables()[name]).config)


@dataclass(frozen=True, slots=True)
class Drawing:
    """Where states and ways are, in pixels from the upper left corner.

    Attributes:
        states: the middle of each.
        ways: those that rounds take, each as an SVG path from border to border.
    """

    width: int
    height: int
    states: Mapping[str, tuple[int, int]]
    ways: Mapping[Way, str]


def ways_taken(name: str) -> list[Way]:
    """From which state to which the rounds of a shipped table went, in the order in which they first did."""
    went: list[str] = []

    def hear(recorded: RecordedDecision) -> None:
        went.append(recorded.record.state)

    oracle = Oracle()
    rig = Rig(load_table(shipped_tables()[name]).config, options={"seed": SEED}, listeners=(oracle, hear))
    Dealer(rig, random.Random(SEED), oracle).play(ROUNDS)
    rig.table.stop()
    rig.journal.close()
    return list(dict.fromkeys((one, other) for one, other in pairwise(went) if one != other))


def width_of(state: str) -> float:
    """Pixels of a state's box."""
    return max(30.0, len(spoken(state)) * _LETTER + _PADDING)


def drawing(machine: AnyMachine, ways: Sequence[Way]) -> Drawing:
    """Lay out a machine.

    Raises:
        FileNotFoundError: Graphviz is not installed.
    """
    states = [state.value for state in machine.states]
    on_ways = [state for state in states if any(state in way for way in ways)]
    lines = _laid_out(graph(on_ways, ways))
    width, height = (float(word) * _PER_INCH for word in next(lines)[2:4])
    places: dict[str, tuple[int, int]] = {}
    paths: dict[Way, str] = {}
    left = max(0.0, (WIDTH - width) / 2)
    for kind, *words in lines:
        if kind == "node":
            (place,) = _points(words[1:3], left, height)
            places[words[0]] = place
        elif kind == "edge":
            count = int(words[2])
            paths[words[0], words[1]] = _path(_points(words[3 : 3 + 2 * count], left, height))
    whole = max(WIDTH, round(width))
    bottom = _put_below([state for state in states if state not in places], places, whole, height)
    return Drawing(whole, round(bottom), places, {way: paths[way] for way in ways})


def graph(states: Sequence[str], ways: Sequence[Way]) -> str:
    """What Graphviz is given."""
    boxes = [f'"{one}" [width={width_of(one) / _PER_INCH:.3f} height={_HEIGHT / _PER_INCH:.3f}]' for one in states]
    arrows = [f'"{one}" -> "{other}"' for one, other in ways]
    head = "digraph { graph [nodesep=0.15 ranksep=0.32] node [shape=box fixedsize=true] edge [arrowhead=none]"
    return "\n".join([head, *boxes, *arrows, "}"])


def _laid_out(source: str) -> Iterator[list[str]]:
    """The words of each line of Graphviz's plain format."""
    done = subprocess.run(["dot", "-Tplain"], input=source, text=True, capture_output=True, check=True)
    return iter([shlex.split(line) for line in done.stdout.splitlines()])


def _points(words: Sequence[str], left: float, height: float) -> list[tuple[int, int]]:
    """Inches from below as pixels from above."""
    values = [float(word) * _PER_INCH for word in words]
    return [(round(x + left), round(height - y)) for x, y in zip(values[::2], values[1::2], strict=True)]


def _path(points: Sequence[tuple[int, int]]) -> str:
    first, *rest = (f"{x} {y}" for x, y in points)
    return f"M{first} C{' '.join(rest)}"


def _put_below(states: Sequence[str], places: dict[str, tuple[int, int]], width: int, height: float) -> float:
    """States that no round came to, in rows; returns where they end."""
    x, y = 0.0, height + _GAP + _HEIGHT
    for state in states:
        wide = width_of(state)
        if x + wide > width:
            x, y = 0.0, y + _HEIGHT + _GAP
        places[state] = (round(x + wide / 2), round(y))
        x += wide + _GAP
    return y + _HEIGHT if states else height


def script(found: Drawing) -> str:
    """The file of a game."""
    about = f"/** The states, laid out by `make docs`: the ways that {ROUNDS} simulated rounds took. */"
    states = [f"    {json.dumps(state)}: [{x}, {y}],\n" for state, (x, y) in found.states.items()]
    ways = [f"    {json.dumps([one, other, path])},\n" for (one, other), path in found.ways.items()]
    return (
        f"{about}\n\nexport const drawing = {{\n"
        f"  width: {found.width},\n  height: {found.height},\n"
        f"  states: {{\n{''.join(states)}  }},\n  ways: [\n{''.join(ways)}  ],\n}};\n"
    )


def file_of(name: str) -> Path:
    """Where a game's drawing is."""
    return folder_of(name) / "states.js"


def main() -> None:
    FILE.write_text(page(), encoding="utf-8")
    for name in game_names():
        try:
            found = drawing(_machine(name), ways_taken(name))
        except FileNotFoundError:
            raise SystemExit("the state diagrams need Graphviz: sudo apt install graphviz") from None
        file_of(name).write_text(script(found), encoding="utf-8")
    print(f"{FILE.name}, states.js: {len(game_names())} machines")


if __name__ == "__main__":
    main()
