"""Recorded buttons and switches: a signal of a control's name (``no_more_bets``) is high while it is pressed."""

from collections.abc import Callable, Iterable

from hal.capture.recording import LevelChange, Recording, plain
from hal.interfaces import Clock


class Pulses:
    """Tells each change of the signals of some controls when its time has come.

    Args:
        names: of the controls. Those without a signal are never pressed.
    """

    def __init__(self, recorded: Recording, names: Iterable[str], clock: Clock) -> None:
        self._names = {plain(name): name for name in names}
        self._changes = recorded.of(self._names)
        self._clock = clock
        self._start_ns = clock.now_ns()
        self._told = 0
        self._tell: Callable[[str, bool, int], None] | None = None

    def start(self, tell: Callable[[str, bool, int], None]) -> None:
        """Tell of every change from now on: the control, whether it is pressed, and when."""
        self._tell = tell
        self._schedule()

    def close(self) -> None:
        self._tell = None

    def _schedule(self) -> None:
        if self._told < len(self._changes) and self._tell is not None:
            change = self._changes[self._told]
            self._clock.call_at(self._start_ns + change.at_ns, lambda: self._on_time(change))

    def _on_time(self, change: LevelChange) -> None:
        self._told += 1
        if self._tell is not None:
            self._tell(self._names[change.signal], change.level, self._start_ns + change.at_ns)
        self._schedule()
