"""What a bench adds to the documents of its table's pages, as typed dictionaries."""

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


class LineSignal(TypedDict):
    """A line of a sensor head over the last seconds."""

    line: str
    level: bool
    """Now."""
    rate: int
    """Edges a second."""
    runs: str
    """The columns of the window from the first to the last: a letter and how many alike, which is left out for one:
    ``l120bh35``. ``l`` low, ``h`` high, ``b`` both as the line changes within it, ``x`` not known."""


class LogRow(TypedDict):
    """A line of the bench's log."""

    s: float
    """Seconds since the bench was started."""
    text: str
    tone: str


class GuideLine(TypedDict):
    """What a newcomer does next, and why."""

    words: str
    control: str
    """The control that is pressed; empty for none."""
    key: str
    """The key of the page that is pressed; empty for none."""


class Bench(TypedDict):
    """The simulated hardware, as the bench page shows it."""

    powered: bool
    seconds: float
    faults: list[str]
    burning: list[str]
    true: TrueWheel | None
    rotor: TrueRotor | None
    signals: list[LineSignal]
    """Empty for a table without a sensor head."""
    guide: GuideLine | None
    """None where the game's guide has nothing to say."""
    inspection: bool
    """The table waits for an inspection, which the act ``inspect`` does."""
    log: list[LogRow]
