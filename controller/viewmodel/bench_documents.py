"""What a bench adds to the documents of its table's pages.

Typed dictionaries are JSON already, so nothing is converted when a picture is made. ``python -m tools.typescript``
generates their TypeScript types for the scripts of the pages.
"""

from typing import TypedDict


class InjectableFault(TypedDict):
    """A fault that a bench can inject."""

    fault: str
    label: str
    targets: list[str]
    """The lines, lamps or keys to choose one from; empty if there is nothing to choose."""
    amount: float


class TrueWheel(TypedDict):
    """The simulated position of the clapper."""

    angle: float
    """Turns along the rim, 0 to 1."""
    on_peg: bool


class TrueRotor(TypedDict):
    """The simulated positions of a rotor and its ball, in turns counterclockwise of the first ball beam, 0 to 1."""

    angle: float
    ball: float | None
    """None while no ball is in the track."""
    pocket: str
    """The pocket that holds the ball; empty for none."""


class LineLevel(TypedDict):
    """A line of a sensor head."""

    line: str
    level: bool
    rate: int
    """Edges a second."""


class KeyHint(TypedDict):
    """A key of the bench."""

    key: str
    shift: bool
    """The capital letter does the reverse."""
    short: str
    long: str
    control: str
    """The control that it presses; empty for none."""


class MenuChoice(TypedDict):
    """A key of an open menu."""

    key: str
    short: str


class OpenMenu(TypedDict):
    """An open menu."""

    title: str
    choices: list[MenuChoice]
    more: bool


class LogRow(TypedDict):
    """A line of the bench's log."""

    s: float
    """Seconds since the bench was started."""
    text: str
    tone: str


class EntryLine(TypedDict):
    """An entry of the journal."""

    seq: int
    round: int
    kind: str
    words: str


class Bench(TypedDict):
    """The simulated hardware, as the bench page shows it."""

    powered: bool
    seconds: float
    notice: str
    faults: list[str]
    burning: list[str]
    true: TrueWheel | None
    rotor: TrueRotor | None
    lines: list[LineLevel]
    hints: list[KeyHint]
    menu: OpenMenu | None
    log: list[LogRow]
    entries: list[EntryLine]
