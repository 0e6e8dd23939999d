"""A matrix keypad on the pins of rows and columns, part of backend ``gpiozero`` of the kind ``keys``.

.. code-block:: yaml

    keypad:
      backend: gpiozero
      options:
        scan_ms: 10
        debounce_scans: 2
      rows: [5, 6]
      columns: [16, 20]
      keys:
        - [1, 2]
        - [clear, enter]

One row at a time is pulled low, the others float on their pull-ups; a key that is down pulls its column low. No
diodes are needed: two keys at once are always distinguished, and of more, those that are unambiguous
(:mod:`hal.gpiozero.matrix`).
"""

from collections.abc import Callable, Sequence

from hal.errors import HalError
from hal.events import FaultEvent, KeyEvent
from hal.gpiozero.contacts import ContactHealth
from hal.gpiozero.matrix import Crossing, Matrix
from hal.gpiozero.pins import NS_PER_MS, Pins
from hal.gpiozero.settings import PinSettings
from hal.interfaces import Clock, Timer


class MatrixKeypad:
    """A keypad that is scanned by timers of the event loop.

    A timer reads the row that the last one pulled low, and pulls the next: meanwhile the lines settle, and the loop
    is free. A key that is pressed while the loop is held up counts from when it is seen.

    Args:
        rows: pins, top to bottom.
        columns: pins, left to right.
        keys: the control on each key, row by row.
        scan_ms: how long a scan of all rows takes.
        debounce_scans: a key counts once it reads alike in so many scans in a row.
    """

    def __init__(
        self,
        rows: Sequence[int],
        columns: Sequence[int],
        keys: Sequence[Sequence[str]],
        settings: PinSettings,
        scan_ms: int,
        debounce_scans: int,
        clock: Clock,
    ) -> None:
        self._keys = keys
        self._clock = clock
        self._step_ns = scan_ms * NS_PER_MS // len(rows)
        self._scans = debounce_scans
        self._low: set[Crossing] = set()
        self._pulled: int | None = None
        """The row that is low, or None between scans and after an error."""
        self._timer: Timer | None = None
        self._deliver: Callable[[KeyEvent | FaultEvent], None] | None = None
        self._pins = Pins("keypad", settings)
        self._rows = [self._pins.row(f"row {number}", pin) for number, pin in enumerate(rows, 1)]
        self._columns = [
            self._pins.level(f"column {number}", pin, active_low=True) for number, pin in enumerate(columns, 1)
        ]

    def start(self, deliver: Callable[[KeyEvent | FaultEvent], None]) -> None:
        """Deliver every press and release from now on, and which keys are held down. Call it in the event loop.

        Raises:
            HalError: a pin cannot be read.
        """
        while not self._read_and_pull():
            pass
        self._matrix = Matrix(self._scans, self._scanned())
        self._health = ContactHealth(deliver, self._clock)
        self._deliver = deliver
        self._wait()
        for row, column in self._matrix.down:
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
            self._deliver_changes(self._scanned())

    def _read_and_pull(self) -> bool:
        """Read the row that is low and pull the next. True if that was the last row of a scan."""
        if self._pulled is None:
            self._begin()
            return False
        row, number = self._rows[self._pulled], self._pulled
        self._low |= {Crossing(number, at) for at, column in enumerate(self._columns) if column.read()}
        row.let_go()
        self._pulled = (number + 1) % len(self._rows)
        self._rows[self._pulled].pull_low()
        return self._pulled == 0

    def _begin(self) -> None:
        """Begin a scan anew: after an error, no one knows which rows are low."""
        self._low.clear()
        for row in self._rows:
            row.let_go()
        self._rows[0].pull_low()
        self._pulled = 0

    def _scanned(self) -> set[Crossing]:
        low, self._low = self._low, set()
        return low

    def _deliver_changes(self, low: set[Crossing]) -> None:
        for (row, column), down, at_ns in self._matrix.scan(low, self._clock.now_ns()):
            if self._deliver is not None:  # The callback may close the device.
                self._deliver(KeyEvent(self._keys[row][column], down, at_ns))
