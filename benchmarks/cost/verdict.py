"""What the machine of ``make cost`` printed, against the committed figures. Pure: it reads and prints nothing."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from benchmarks.report import Measured

LOOP = "loop"
"""Nanoseconds of processor time for a thousand instructions."""
LOOP_PERMILLE = 1000
LOOP_WITHIN = 10
"""The kernel's timer takes some part of it, too."""
WORSE = 1.05
"""More than so many times the committed figure is a regression."""
SHOWN_BETTER = 0.95
_LINE = re.compile(r"cost ([a-z0-9-]+) ([0-9]+)")
_ENDED = re.compile(r"cost ended ([a-z]+) (-?[0-9]+)")


@dataclass(slots=True)
class Console:
    """What was printed.

    Attributes:
        figures: instructions by name.
        broken: programs that failed.
        ended: programs that ended, in order.
    """

    figures: dict[str, int] = field(default_factory=dict)
    broken: list[str] = field(default_factory=list)
    ended: list[str] = field(default_factory=list)


def read(lines: Iterable[str]) -> Console:
    """The figures among the lines of a console."""
    console = Console()
    for line in map(str.strip, lines):
        if ended := _ENDED.fullmatch(line):
            console.ended.append(ended[1])
            if ended[2] != "0":
                console.broken.append(ended[1])
        elif found := _LINE.fullmatch(line):
            console.figures[found[1]] = int(found[2])
    return console


def problems(console: Console, expected: Mapping[str, int]) -> list[str]:
    """Why nothing can be said, a sentence each; empty if the figures can be compared."""
    found = [f"the program {name} failed; its output is above" for name in console.broken]
    loop = console.figures.get(LOOP)
    if loop is None:
        found.append("the loop of a known length was not measured")
    elif abs(loop - LOOP_PERMILLE) > LOOP_WITHIN:
        found.append(
            f"a thousand instructions took {loop} ns of processor time: this clock does not count instructions"
        )
    found += [f"{name} was not measured" for name in expected if name not in (LOOP, *console.figures)]
    return found


def compare(figures: Mapping[str, int], expected: Mapping[str, int]) -> list[Measured]:
    """A line for each figure; those without a committed one are only shown."""
    lines = []
    for name, instructions in figures.items():
        if name == LOOP:
            continue
        before = expected.get(name)
        if before is None:
            lines.append(Measured(name, shown(instructions), "", "not committed", None))
            continue
        ratio = instructions / before
        better = ", better: commit it" if ratio < SHOWN_BETTER else ""
        target = f"at most {shown(before)} + 5%{better}"
        lines.append(Measured(name, shown(instructions), f"{ratio:.3f}", target, ratio <= WORSE))
    return lines


def shown(instructions: int) -> str:
    """``1.23 G``, ``4.56 M``, ``7.8 k`` or ``910``."""
    for unit, size, digits in (("G", 10**9, 3), ("M", 10**6, 2), ("k", 10**3, 1)):
        if instructions >= size:
            return f"{instructions / size:.{digits}f} {unit}"
    return str(instructions)
