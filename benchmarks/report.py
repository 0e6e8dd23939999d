"""What a benchmark measured, and how it is printed."""

import os
import platform
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from controller.commands.output import columns


@dataclass(frozen=True, slots=True)
class Measured:
    """One thing that was measured.

    Attributes:
        figure: with its unit.
        target: what it must be, as text; empty if it is only reported.
        passed: whether it is; None if there is no target.
    """

    what: str
    figure: str
    ratio: str = ""
    target: str = ""
    passed: bool | None = None


def machine() -> str:
    """On what it was measured."""
    return f"Python {platform.python_version()}, {os.cpu_count()} processors, {platform.machine()}, {sys.platform}"


def rate(per_second: float) -> str:
    """Events a second: ``9.7 M/s``, ``4490/s``."""
    return f"{per_second / 1e6:.2f} M/s" if per_second >= 1e5 else f"{per_second:.0f}/s"


def table(lines: Sequence[Measured]) -> str:
    """All of it, in columns."""
    verdicts = {True: "passed", False: "FAILED", None: ""}
    rows = [(line.what, line.figure, line.ratio, line.target, verdicts[line.passed]) for line in lines]
    return columns(("measured", "figure", "ratio", "target", ""), rows, frozenset({1, 2}))


def main(measure: Callable[[], list[Measured]]) -> int:
    """Measure, print, and return 1 if a target was missed."""
    print(machine())
    lines = measure()
    print(table(lines))
    return 1 if any(line.passed is False for line in lines) else 0
