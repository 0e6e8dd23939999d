"""What a bench adds to the documents of its table's pages.

Typed dictionaries are JSON already, so nothing is converted when a picture is made.
"""

from typing import TypedDict


class InjectableFault(TypedDict):
    """A fault that a bench can inject."""

    fault: str
    label: str
    targets: list[str]
    """The lines, lamps or keys to choose one from; empty if there is nothing to choose."""
    amount: float


class TrueClapper(TypedDict):
    """What the leather of the simulated clapper does."""

    peg: int | None
    """The peg that bends it, counted from 1, as the sections; None while it hangs free."""
    direction: int
    """In which that peg came: 1 counterclockwise, -1 clockwise, 0 for none."""
    bent: bool
    """The contact is open."""
    words: str
    """Why the wheel rests where it does, or how it turns."""


class TrueWheel(TypedDict):
    """The simulated position of the clapper."""

    angle: float
    """Turns along the rim, 0 to 1."""
    on_peg: bool
    clapper: TrueClapper


class WheelBuild(TypedDict):
    """How the simulated wheel is built: what a drawing to scale needs. Degrees are of the wheel."""

    radius_mm: float
    """From the axle to the pegs."""
    peg_mm: float
    leather_mm: float
    pegs_deg: list[float]
    """How far each peg is from its even place, bent ones too; positive is clockwise along the rim."""
    bent: list[int]
    """The numbers of the pegs that are bent, from 1."""
    missing: list[int]
    set_deg: float
    """How far to one side the leather hangs, against the rim's direction."""
    half_deg: float
    """From the middle of a peg to the middle of the leather when they touch."""
    strikes_deg: float
    releases_deg: float
    """Bends at which the contact opens, and closes again."""
    slips_deg: list[float]
    """Bends at which the leather slips off: of a wheel that turns counterclockwise, and clockwise."""
    options: dict[str, float]
    """What of it can be changed, as in the options of a simulated wheel."""
    work: str
    """What the technician does at the wheel now; empty for nothing."""
    done: float
    """The part of that work which is done."""


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


class LineSignal(TypedDict):
    """A line of a sensor head over some columns."""

    line: str
    edges: int
    """Rising and falling ones."""
    rises: int
    """Of a clapper its strikes, bounces of the contact included; of a ball's beam its passes."""
    runs: str
    """The columns from the first to the last: a letter and how many alike, which is left out for one: ``l120bh35``.
    ``l`` low, ``h`` high, ``b`` both as the line changes within it, ``x`` not known."""


class Signals(TypedDict):
    """The lines of a sensor head over the last seconds. While they stand it stays as it is."""

    end_s: float
    """When the last column ends, in seconds since the bench was started."""
    column_ms: float
    columns: int
    lines: list[LineSignal]


class KeyHint(TypedDict):
    """A key of the bench."""

    key: str
    shift: bool
    """The capital letter does the reverse."""
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


class GuideLine(TypedDict):
    """What a newcomer does next, and why."""

    words: str
    control: str
    """The control that is pressed; empty for none."""
    key: str
    """The bench's key that is pressed; empty for none."""


class Bench(TypedDict):
    """The simulated hardware, as the bench page shows it."""

    powered: bool
    seconds: float
    notice: str
    faults: list[str]
    burning: list[str]
    true: TrueWheel | None
    wheel: WheelBuild | None
    rotor: TrueRotor | None
    lines: list[LineLevel]
    signals: Signals | None
    """None for a table without a sensor head."""
    hints: list[KeyHint]
    guide: GuideLine | None
    """None where the game's guide has nothing to say."""
    inspection: bool
    """The table waits for an inspection, which the act ``inspect`` does."""
    menu: OpenMenu | None
    log: list[LogRow]
    entries: list[EntryLine]
