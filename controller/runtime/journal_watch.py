"""Looks, also while nobody plays, whether the journal's files are still where they were opened."""

from collections.abc import Callable

from controller.journal.errors import JournalMovedError
from controller.journal.journal import Journal
from hal.interfaces import Clock, Timer

LOOKS_NS = 5_000_000_000
"""How often. Each entry looks, too, before it is written."""


class JournalWatch:
    """The files of one table's journal.

    Args:
        moved: called once, if they are not there any more.
    """

    def __init__(self, journal: Journal, clock: Clock, moved: Callable[[JournalMovedError], None]) -> None:
        self._journal = journal
        self._clock = clock
        self._moved = moved
        self._timer: Timer | None = None

    def start(self) -> None:
        """Look from now on."""
        self._timer = self._clock.call_at(self._clock.now_ns() + LOOKS_NS, self._look)

    def close(self) -> None:
        """Stop looking."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _look(self) -> None:
        self._timer = None
        try:
            self._journal.check_file()
        except JournalMovedError as error:
            self._moved(error)
        else:
            self.start()
