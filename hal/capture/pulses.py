"""Recorded buttons and switches: a signal of a control's name (``no_more_bets``) is high while it is pressed."""

from collections.abc import Callable, Iterable

from hal.capture.recording import LevelChange, Recording, plain
from hal.interfaces import Clock


class Pulses:
    """Delivers each change of the controls' signals at its time.

    Args:
        names: of the controls. Those without a signal are never pressed.
    """

    def __init__(self, recorded: Recording, names: Iterable[str], clock: Clock) -> None:
        self._names = {plain(name): name for name in names}
        self._changes = recorded.of(self._names)
        self._clock = clock
        self._start_ns = clock.now_ns()
        self._next = 0
        self._deliver: Callable[[str, bool, int], None] | None = None

    def start(self, deliver: Callable[[str, bool, int], None]) -> None:
        """Deliver every change from now on: the control, whether it is pressed, and its time in nanoseconds."""
        self._deliver = deliver
        self._schedule()

    def close(self) -> None:
        self._deliver = None

    def _schedule(self) -> None:
        if self._next < len(self._changes) and self._deliver is not None:
            change = self._changes[self._next]
            self._clock.call_at(self._start_ns + change.at_ns, lambda: self._on_time(change))

    def _on_time(self, change: LevelChange) -> None:
        self._next += 1
        if self._deliver is not None:
            self._deliver(self._names[change.signal], change.level, self._start_ns + change.at_ns)
        self._schedule()
