"""The floor's own record: a journal like a table's, for what people do at the floor and what it decides by itself.

Settled forks, deleted rounds: each is on disk before it takes effect, and the hash
of each entry covers the one before. A witness can sign this record as it signs a table's.
"""

import json
import threading
from collections.abc import Mapping
from pathlib import Path

from controller.journal.chain import Entry
from controller.journal.journal import Journal
from hal.interfaces import Clock

FLOOR = ""
"""The person of an entry that nobody made: the floor decided by itself."""
_CHECKPOINT = "{}"
"""Each entry stands by itself, so that a witness may sign up to it."""


class FloorRecord:
    """An open record. Any thread may write it; entries follow one another in the order in which they are written.

    Args:
        file: its path; None for a record in memory, which lasts as long as the object.

    Raises:
        JournalError: it cannot be opened, is damaged, or another process writes it.
    """

    def __init__(self, file: Path | None, clock: Clock) -> None:
        self._journal = Journal(file)
        self._clock = clock
        self._lock = threading.Lock()

    def write(self, kind: str, person: str = FLOOR, what: Mapping[str, object] | None = None) -> Entry:
        """Write an entry. It is durable when this returns.

        Args:
            kind: what happened, such as ``fork-settled``.
            person: who did it; ``FLOOR`` for nobody.
            what: the rest, as JSON holds it.

        Raises:
            JournalError: it cannot be written; what it speaks of must not take effect.
        """
        body = json.dumps({"person": person, **(what or {})}, ensure_ascii=False, sort_keys=True)
        with self._lock:
            return self._journal.append(0, self._clock.now_ns(), self._clock.utc_ns(), kind, body, _CHECKPOINT)

    def latest(self, most: int) -> list[Entry]:
        """The latest entries, the last one first."""
        found: list[Entry] = []
        with self._lock:
            entries = self._journal.backwards()
            for entry in entries:
                found.append(entry)
                if len(found) >= most:
                    break
            entries.close()
        return found

    def close(self) -> None:
        with self._lock:
            self._journal.close()
