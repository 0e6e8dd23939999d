"""Matrix keypads on the pins of rows and columns.

One row at a time is pulled low, the others float on their pull-ups; a key that is down pulls its column low. No
diodes are needed: two keys at once are always distinguished. Three pressed keys on three corners of a rectangle
also connect row and column of the fourth, so that the four cannot be distinguished. Such keys are in doubt, and are
not guessed.
"""

from collections import Counter
from collections.abc import Callable, Sequence, Set
from functools import partial
from typing import NamedTuple

from hal.errors import HalError
from hal.events import FaultEvent, KeyEvent
from hal.gpiozero import KeysSettings
from hal.gpiozero.contacts import Health
from hal.gpiozero.pins import NS_PER_MS, Pins
from hal.interfaces import Clock, Timer


class Crossing(NamedTuple):
    """The place of a key, from 0."""

    row: int
    column: int


class MatrixChange(NamedTuple):
    """A key that went down or came up."""

    key: Crossing
    down: bool
    at_ns: int
    """The end of the first scan that showed it."""


def in_doubt(low: Set[Crossing]) -> set[Crossing]:
    """The keys that lie, with two others that read low, on three corners of a rectangle, or with three on four.

    Three corners alone are a scan during which a key moved: the fourth row had been read, or was still to be.
    """
    in_row = Counter(key.row for key in low)
    in_column = Counter(key.column for key in low)
    bends = [key for key in low if in_row[key.row] > 1 and in_column[key.column] > 1]
    rows, columns = {key.row for key in bends}, {key.column for key in bends}
    return {key for key in low if key.row in rows or key.column in columns}


class Matrix:
    """Determines which keys are down from the scans. Uses no pins and no clock.

    Args:
        scans: a key counts once it reads alike in so many scans in a row.
        low: the keys that read low before the first scan. They are no presses.
    """

    def __init__(self, scans: int, low: Set[Crossing] = frozenset()) -> None:
        self._scans = scans
        self.down = set(low - in_doubt(low))
        """The keys that count as down."""
        self._since: dict[Crossing, list[int]] = {}
        """The ends of the scans in a row in which a key did not read as it counts."""

    def scan(self, low: Set[Crossing], at_ns: int) -> list[MatrixChange]:
        """Take a scan: the keys that read low, and when it ended. Returns what changed by it, releases first."""
        sure = low - in_doubt(low)
        # A key in doubt that counts as down stays so; one that reads high is up, whatever the others do.
        differs = (sure - self.down) | (self.down - low)
        self._since = {key: [*self._since.get(key, ()), at_ns] for key in differs}
        settled = [key for key, stamps in self._since.items() if len(stamps) >= self._scans]
        changes = sorted(MatrixChange(key, key not in self.down, self._since.pop(key)[0]) for key in settled)
        self.down ^= set(settled)
        return sorted(changes, key=lambda change: change.down)


class MatrixKeypad:
    """A keypad that is scanned by timers of the event loop. A row is never driven high: two keys of a column would
    short two rows.

    A timer reads the row that the last one pulled low, and pulls the next: meanwhile the lines settle, and the loop
    is free. A key that is pressed while the loop is held up counts from when it is seen.

    Args:
        rows: pins, top to bottom.
        columns: pins, left to right.
        keys: the control on each key, row by row.
    """

    def __init__(
        self,
        rows: Sequence[int],
        columns: Sequence[int],
        keys: Sequence[Sequence[str]],
        settings: KeysSettings,
        clock: Clock,
    ) -> None:
        self._keys, self._clock, self._scans = keys, clock, settings.debounce_scans
        self._step_ns = settings.scan_ms * NS_PER_MS // len(rows)
        self._low: set[Crossing] = set()
        self._pulled: int | None = None
        """The row that is low, or None between scans and after an error."""
        self._timer: Timer | None = None
        self._deliver: Callable[[KeyEvent | FaultEvent], None] | None = None
        self._pins = Pins("keypad", settings)
        take = partial(self._pins.input, closes_low=True)
        self._rows = [take(f"row {number}", pin) for number, pin in enumerate(rows, 1)]
        self._columns = [take(f"column {number}", pin) for number, pin in enumerate(columns, 1)]

    def start(self, deliver: Callable[[KeyEvent | FaultEvent], None]) -> None:
        while not self._read_and_pull():
            pass
        self._matrix = Matrix(self._scans, self._scanned())
        self._health = Health(deliver, self._clock)
        self._deliver = deliver
        self._wait()
        for row, column in sorted(self._matrix.down):
            deliver(KeyEvent(self._keys[row][column], True, self._clock.now_ns(), held=True))

    def close(self) -> None:
        self._deliver = None
        if self._timer is not None:
            self._timer.cancel()
        self._pins.close()

    def _wait(self) -> None:
        self._timer = self._clock.call_at(self._clock.now_ns() + self._step_ns, self._step)

    def _step(self) -> None:
        self._wait()
        try:
            whole = self._read_and_pull()
        except HalError as error:
            self._pulled = None
            self._health.report(str(error))
            return
        if whole:
            self._health.report("")
            for (row, column), down, at_ns in self._matrix.scan(self._scanned(), self._clock.now_ns()):
                if self._deliver is not None:  # The callback may close the device.
                    self._deliver(KeyEvent(self._keys[row][column], down, at_ns))

    def _read_and_pull(self) -> bool:
        """Read the row that is low and pull the next. True if that was the last row of a scan."""
        if self._pulled is None:
            self._begin()
            return False
        row, number = self._rows[self._pulled], self._pulled
        self._low |= {Crossing(number, at) for at, column in enumerate(self._columns) if column.read()}
        row.let_go()
        self._pulled = (number + 1) % len(self._rows)
        self._rows[self._pulled].drive(True)
        return self._pulled == 0

    def _begin(self) -> None:
        """Begin a scan anew: after an error, no one knows which rows are low."""
        self._low.clear()
        for row in self._rows:
            row.let_go()
        self._rows[0].drive(True)
        self._pulled = 0

    def _scanned(self) -> set[Crossing]:
        low, self._low = self._low, set()
        return low
