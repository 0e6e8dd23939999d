"""The timers that a machine starts by effects."""

from collections.abc import Callable
from functools import partial

from hal.interfaces import Clock, Timer


class MachineTimers:
    """Timers by name. Times are monotonic nanoseconds.

    Args:
        before: called first when a timer is due, to take sensor events up to now, which may cancel it.
        elapsed: called with the name of a timer that is due.
    """

    def __init__(self, clock: Clock, before: Callable[[], None], elapsed: Callable[[str], None]) -> None:
        self._clock = clock
        self._before = before
        self._elapsed = elapsed
        self._running: dict[str, Timer] = {}

    def start(self, name: str, due_ns: int) -> None:
        """Start a timer, or restart a running one."""
        self.cancel(name)
        self._running[name] = self._clock.call_at(due_ns, partial(self._due, name))

    def cancel(self, name: str) -> None:
        """Cancel a timer; does nothing if it is not running."""
        timer = self._running.pop(name, None)
        if timer is not None:
            timer.cancel()

    def close(self) -> None:
        """Cancel all timers."""
        for timer in self._running.values():
            timer.cancel()
        self._running.clear()

    def _due(self, name: str) -> None:
        self._before()
        if self._running.pop(name, None) is not None:
            self._elapsed(name)
