"""Verifies the whole chain of a journal while the table plays, some hundred entries a second.

At its start a table verifies the present round only, so that a long journal does not delay it. The audit covers the
entries before; it takes a few thousandths of a processor.
"""

from collections.abc import Callable
from itertools import islice

from controller.journal.chain import GENESIS, ChainVerdict, verify
from controller.journal.errors import JournalError
from controller.journal.journal import Journal
from hal.interfaces import Clock, Timer

SLICE_ENTRIES, EVERY_NS = 400, 1_000_000_000


class Audit:
    """One verification of a journal, from its first entry to the one that is last when the audit begins.

    Args:
        journal: the table's own, which is open; every slice is read at once.
        found: called once, with the problem of the first bad entry.
    """

    def __init__(self, journal: Journal, clock: Clock, found: Callable[[str], None]) -> None:
        self._journal = journal
        self._clock = clock
        self._found = found
        self._seq, self._head, self._end = 0, GENESIS, len(journal)
        self._timer: Timer | None = None
        self._wait()

    @property
    def done(self) -> bool:
        """Whether all entries have been read."""
        return self._seq >= self._end

    def close(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _wait(self) -> None:
        self._timer = self._clock.call_at(self._clock.now_ns() + EVERY_NS, self._step)

    def _step(self) -> None:
        self._timer = None
        some = islice(self._journal.entries(after=self._seq), SLICE_ENTRIES)
        try:
            verdict = verify(some, self._seq, self._head)
        except JournalError as error:  # The disk cannot read it.
            verdict = ChainVerdict(self._seq, self._head, str(error))
        stuck = verdict.entries == self._seq
        self._seq, self._head = verdict.entries, verdict.head
        if verdict.problem or (stuck and not self.done):
            self._found(verdict.problem or f"entry {self._seq + 1} is missing")
        elif not self.done:
            self._wait()
