"""Watches a running table's wall time: what changes is on record, and on the dealer's screen."""

from collections.abc import Callable, Iterable
from datetime import datetime

from controller.events.event import ClockChecked, Event
from controller.journal.journal import Journal
from controller.runtime.table_clock import NS_PER_S, TableClock
from hal.interfaces import Timer

LOOKS_S = 5
"""How often it is looked at."""


def newest_on_record(journal: Journal) -> int:
    """The wall time of the last entry, in nanoseconds; 0 if there is none, or none that can be read."""
    last = journal.entry(len(journal))
    try:
        return int(datetime.fromisoformat(last.utc).timestamp() * 1000) * 1_000_000 if last is not None else 0
    except ValueError:  # A damaged entry: recovery says so.
        return 0


class ClockWatch:
    """Looks at a table's clock.

    Args:
        take: takes the events.
    """

    def __init__(self, clock: TableClock, take: Callable[[Iterable[Event]], None]) -> None:
        self._clock = clock
        self._take = take
        self._timer: Timer | None = None

    def start(self) -> None:
        """The table has started: a doubt is on record from the beginning."""
        if self._clock.doubt:
            self._record(0)
        self._wait()

    def close(self) -> None:
        """Stop looking."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _wait(self) -> None:
        self._timer = self._clock.call_at(self._clock.now_ns() + LOOKS_S * NS_PER_S, self._look)

    def _look(self) -> None:
        change = self._clock.look()
        if change is not None:
            self._record(change.moved_ns)
        self._wait()

    def _record(self, moved_ns: int) -> None:
        clock = self._clock
        event = ClockChecked(clock.now_ns(), clock.utc_ns(), moved_ns, clock.started_ns, clock.doubt)
        self._take([event])
