"""Who logged on, was refused, logged off, acted and exported: each on record before it takes effect.

Pages that somebody opened are one entry a person and hour, or the record would be of little else.
"""

import asyncio
import json
import logging
from collections import Counter
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import partial
from typing import Protocol

from controller.journal.errors import JournalError
from controller.web.exchange import Request
from hal.interfaces import Clock

LOGGED_ON, REFUSED_LOG_ON, LOGGED_OFF = "logged-on", "log-on-refused", "logged-off"
SESSION_ENDED, REFUSED, EXPORTED, PAGES_OPENED = "session-ended", "access-refused", "exported", "pages-opened"
_HOUR_NS = 3_600_000_000_000


class NotOnRecordError(Exception):
    """The record cannot be written: what it would speak of must not take effect."""


class PersonalRecord(Protocol):
    """A record of what people do, as :class:`controller.floor.record.floor_record.FloorRecord`."""

    def write(self, kind: str, person: str, what: Mapping[str, object] | None = None) -> object:
        """Write an entry; it is durable when this returns. Raises JournalError."""


class AccessLog:
    """Writes who did what, in a thread of its own: a record waits for a disk.

    Args:
        record: None for a table, whose record is that of its rounds: then only the log has it.
        log: has every entry, too.
    """

    def __init__(self, record: PersonalRecord | None, log: logging.Logger, clock: Clock) -> None:
        self._record, self._log, self._clock = record, log, clock
        self._thread = ThreadPoolExecutor(1, "access-log")
        self._opened: Counter[str] = Counter()
        self._hour = self._present_hour()

    async def write(self, kind: str, person: str, request: Request | None, **what: object) -> None:
        """Write an entry; it is durable when this returns.

        Args:
            person: empty for nobody who is known.
            request: from where it came; None if nobody asked for it.

        Raises:
            NotOnRecordError: it cannot be written.
        """
        said = {**what, "from": request.peer} if request is not None else what
        loop = asyncio.get_running_loop()
        await loop.run_in_executor(self._thread, partial(self._write, kind, person, said))

    def note(self, kind: str, person: str, request: Request | None = None, **what: object) -> None:
        """Write an entry of what has happened in any case; if that fails, the log has it."""
        said = {**what, "from": request.peer} if request is not None else what
        self._thread.submit(self._write_if_possible, kind, person, said)

    def page_opened(self, person: str) -> None:
        """Count a page; the sums are written once an hour, with the first page of the next one, and at the end."""
        if self._hour != self._present_hour():
            self._thread.submit(self._write_sums, self._taken())
        self._opened[person] += 1

    def close(self) -> None:
        """Write what is summed, and end."""
        self._thread.submit(self._write_sums, self._taken())
        self._thread.shutdown(wait=True)

    def _taken(self) -> tuple[str, Counter[str]]:
        """The sums of the hour that they are of; the present one begins anew."""
        sums = (self._hour, self._opened)
        self._hour, self._opened = self._present_hour(), Counter()
        return sums

    def _present_hour(self) -> str:
        return f"{self._clock.utc_ns() // _HOUR_NS * 3600}"

    def _write_sums(self, sums: tuple[str, Counter[str]]) -> None:
        hour, opened = sums
        for person, pages in sorted(opened.items()):
            self._write_if_possible(PAGES_OPENED, person, {"hour_utc_s": int(hour), "pages": pages})

    def _write_if_possible(self, kind: str, person: str, what: Mapping[str, object]) -> None:
        with suppress(NotOnRecordError):  # It is in the log.
            self._write(kind, person, what)

    def _write(self, kind: str, person: str, what: Mapping[str, object]) -> None:
        said = json.dumps(what, ensure_ascii=True, sort_keys=True)
        if self._record is not None:
            try:
                self._record.write(kind, person, what)
            except JournalError as error:
                self._log.error("not on record: %s by '%s' %s: %s", kind, person, said, error)
                raise NotOnRecordError(str(error)) from error
        self._log.info("access: %s by '%s' %s", kind, person, said)
