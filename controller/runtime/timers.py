"""The timers that a machine starts by its effects."""

from collections.abc import Callable
from functools import partial

from hal.interfaces import Clock, Timer


class MachineTimers:
    """Timers by name. Times are monotonic nanoseconds.

    Args:
        before: called when a timer is due: what the sensors saw until now comes first, and may cancel it.
        elapsed: told the name of a timer that is due.
    """

    def __init__(self, clock: Clock, before: Callable[[], None], elapsed: Callable[[str], None]) -> None:
        self._clock = clock
        self._before = before
        self._elapsed = elapsed
        self._running: dict[str, Timer] = {}

    def start(self, name: str, due_ns: int) -> None:
        """Start a timer; one that runs is moved."""
        self.cancel(name)
        self._running[name] = self._clock.call_at(due_ns, partial(self._due, name))

    def cancel(self, name: str) -> None:
        """Forget a timer; one that does not run is no error."""
        timer = self._running.pop(name, None)
        if timer is not None:
            timer.cancel()

    def close(self) -> None:
        """Forget all of them."""
        for timer in self._running.values():
            timer.cancel()
        self._running.clear()

    def _due(self, name: str) -> None:
        self._before()
        if self._running.pop(name, None) is not None:
            self._elapsed(name)
