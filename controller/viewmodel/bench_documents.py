"""What a bench adds to the documents of its table's pages.

Typed dictionaries, for they are JSON already: nothing is converted when a picture is made. ``python -m
tools.typescript`` writes them down for the scripts of the pages.
"""

from typing import TypedDict


class Breakage(TypedDict):
    """A fault that a bench offers."""

    fault: str
    label: str
    targets: list[str]
    """The lines, lamps or keys of which one has to be chosen; none if nothing has to."""
    amount: float


class TrueWheel(TypedDict):
    """Where the clapper truly is."""

    angle: float
    """Turns along the rim, 0 to 1."""
    on_peg: bool


class TrueRotor(TypedDict):
    """Where a rotor and its ball truly are, in turns counterclockwise of the first ball beam, 0 to 1."""

    angle: float
    ball: float | None
    """None while none is in the track."""
    pocket: str
    """In which the ball lies; empty for none."""


class Line(TypedDict):
    """A line of a sensor head."""

    line: str
    level: bool
    rate: int
    """Edges a second."""


class Hint(TypedDict):
    """A key of the bench."""

    key: str
    shift: bool
    """Its capital does the same the other way round."""
    short: str
    long: str
    control: str
    """That it presses; empty for none."""


class Choice(TypedDict):
    """A key of an open menu."""

    key: str
    short: str


class Menu(TypedDict):
    """An open menu."""

    title: str
    choices: list[Choice]
    more: bool


class LogLine(TypedDict):
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
    """What whoever stands beside the simulated hardware sees."""

    powered: bool
    seconds: float
    notice: str
    faults: list[str]
    burning: list[str]
    true: TrueWheel | None
    rotor: TrueRotor | None
    lines: list[Line]
    hints: list[Hint]
    menu: Menu | None
    log: list[LogLine]
    entries: list[EntryLine]
