"""Reads the floor's own record for its page: some entries at a time, and whether the chain of all of them verifies.

Each call is bounded, however long the record is. One thread at a time may use it.
"""

from collections.abc import Callable
from dataclasses import dataclass
from itertools import islice

from controller.floor.record.floor_record import FloorRecord
from controller.journal.chain import GENESIS, Entry, verify
from controller.journal.errors import JournalError

MOST_LOOKED_AT = 5_000
"""How many entries one call looks at to find those that are selected."""
SLICE = 10_000
"""How many entries one call verifies."""
AGAIN_MS = 600_000
"""So long after all entries were verified they are verified again, from the first one on."""


@dataclass(frozen=True, slots=True)
class RecordPage:
    """Some entries.

    Attributes:
        entries: the newest first.
        before: further ones are those before this entry; 0 if there are none.
    """

    entries: list[Entry]
    before: int


@dataclass(slots=True)
class ChainState:
    """How far the record is verified.

    Attributes:
        total: how many entries it has.
        verified: up to which one this pass has come.
        whole_ms: when a pass was complete last; None for never.
        problem: what is wrong; empty if nothing is.
    """

    total: int = 0
    verified: int = 0
    whole_ms: int | None = None
    problem: str = ""


class RecordReader:
    """Reads a record that is written meanwhile."""

    def __init__(self, record: FloorRecord) -> None:
        self._record = record
        self._state = ChainState()
        self._head, self._begun_ms = GENESIS, 0

    def page(self, before: int, most: int, selects: Callable[[Entry], bool]) -> RecordPage:
        """The newest entries before one that are selected.

        Args:
            before: 0 for the newest of all.

        Raises:
            JournalError: the record cannot be read.
        """
        found: list[Entry] = []
        last = looked_at = 0
        with self._record.reading() as journal:
            entries = journal.backwards(before)
            for entry in entries:
                last, looked_at = entry.seq, looked_at + 1
                if selects(entry):
                    found.append(entry)
                if len(found) >= most or looked_at >= MOST_LOOKED_AT:
                    break
            entries.close()
        return RecordPage(found, last if last > 1 else 0)

    def verified(self, now_ms: int) -> ChainState:
        """Verify some more of the record, and say how far that has come."""
        state = self._state
        total, head = self._record.end()
        state.total = total
        if state.whole_ms is not None and now_ms - self._begun_ms >= AGAIN_MS and state.verified == total:
            state.verified, self._head, self._begun_ms = 0, GENESIS, now_ms
        if not state.problem:
            state.problem = self._verify(min(total, state.verified + SLICE))
        if not state.problem and state.verified == total:
            # All entries follow one another: the last one must be the one that was written last.
            if self._head != head:
                state.problem = f"entry {total} is not the one that this floor wrote"
            else:
                state.whole_ms = now_ms
        return state

    def _verify(self, until: int) -> str:
        """Verify on up to an entry; returns what is wrong."""
        state = self._state
        try:
            with self._record.reading() as journal:
                some = list(islice(journal.entries(state.verified), until - state.verified))
        except JournalError as error:
            return str(error)
        verdict = verify(iter(some), state.verified, self._head)
        state.verified, self._head = verdict.entries, verdict.head
        if not verdict.problem and verdict.entries < until:
            return f"the entries from {verdict.entries + 1} to {until} are missing"
        return verdict.problem
