"""Where the publisher gets a table's entries: the table's Unix socket (:mod:`controller.runtime.socket`)."""

import asyncio
from pathlib import Path
from threading import Lock
from typing import Any, NamedTuple

from controller.journal.chain import Entry
from controller.runtime.table_client import TableClient, UnreachableError


class Head(NamedTuple):
    """Where the table's present record ends."""

    record: str
    seq: int


class SocketRecords:
    """The records of the table at a Unix socket, each by the hash of its first entry.

    It is connected when it is asked, and again after an error. All methods raise UnreachableError if the table does
    not run, or does not answer.
    """

    def __init__(self, place: Path) -> None:
        self._place = place
        self._table: TableClient | None = None
        self._one = Lock()
        """A thread goes on that nobody waits for any more."""

    async def head(self) -> Head | None:
        """Where the record in use ends; None if there is none."""
        head = await self._ask(head=True)
        return Head(str(head["record"]), int(head["seq"])) if head else None

    async def records(self) -> list[str]:
        """The oldest first; the last one is in use."""
        return [str(name) for name in await self._ask(records=True)]

    async def entries(self, record: str, after: int, limit: int) -> list[Entry]:
        """Some entries of a record after one of them; empty at its end.

        Raises:
            JournalDamagedError: the next one is damaged.
        """
        asked = {"record": record, "after": after, "limit": limit}
        return [Entry(*row) for row in await self._ask(entries=asked)]

    def close(self) -> None:
        if self._table is not None:
            self._table.close()
            self._table = None

    async def _ask(self, **request: object) -> Any:
        return await asyncio.to_thread(self._answer, request)

    def _answer(self, request: dict[str, object]) -> Any:
        with self._one:
            try:
                self._table = self._table or TableClient(self._place)
                return self._table.ask(**request)
            except UnreachableError:
                self.close()
                raise
