"""Where the publisher gets a table's entries: the table's Unix socket (:mod:`controller.runtime.socket`)."""

import asyncio
import json
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

from controller.journal.chain import Entry

_PATIENCE_S = 20.0
"""A table that has not answered within this time is not running."""
_MOST_BYTES = 8 * 1024 * 1024
"""Of an answer."""


class SourceError(Exception):
    """The table cannot be asked; the message says why."""


class Head(NamedTuple):
    """Where the table's present record ends."""

    record: str
    seq: int


class SocketRecords:
    """The records of the table at a Unix socket, each by the hash of its first entry.

    It is connected when it is asked, and again when it is lost.

    Attributes:
        head: as far as it is known; None while the table does not run.
    """

    def __init__(self, place: Path) -> None:
        self._place = place
        self._writer: asyncio.StreamWriter | None = None
        self._listener: asyncio.Task[None] | None = None
        self._answers: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
        self._news = asyncio.Event()
        self._one = asyncio.Lock()
        self.head: Head | None = None

    async def records(self) -> list[str]:
        """The oldest first; the last one is in use.

        Raises:
            SourceError: the table does not answer. So does :meth:`entries`.
        """
        return [str(name) for name in (await self._ask({"records": True}))["records"]]

    async def entries(self, record: str, after: int, limit: int) -> list[Entry]:
        """Some entries of a record after one of them; empty at its end, and where it cannot be read further."""
        asked = {"record": record, "after": after, "limit": limit}
        return [Entry(*row) for row in (await self._ask({"entries": asked}))["entries"]]

    async def changed(self, wait_s: float) -> None:
        """Wait until an entry is added or the table starts, for a time at most."""
        with suppress(TimeoutError):
            async with asyncio.timeout(wait_s):
                await self._news.wait()
        self._news.clear()

    async def close(self) -> None:
        if self._listener is not None:
            self._listener.cancel()
            with suppress(asyncio.CancelledError):
                await self._listener
        self._lost()

    async def _ask(self, request: dict[str, object]) -> dict[str, Any]:
        async with self._one:
            try:
                async with asyncio.timeout(_PATIENCE_S):
                    if self._writer is None:
                        await self._connect()
                    answer = await self._exchange(request)
            except (OSError, TimeoutError) as error:
                self._lost()
                why = getattr(error, "strerror", "") or "it does not answer"
                raise SourceError(f"the table does not run ({self._place}: {why})") from error
        if "error" in answer:
            raise SourceError(f"the table's record cannot be read: {answer['error']}")
        return answer

    async def _connect(self) -> None:
        reader, self._writer = await asyncio.open_unix_connection(self._place, limit=_MOST_BYTES)
        self._answers = asyncio.Queue()
        self._listener = asyncio.create_task(self._listen(reader, self._answers))
        self._writer.write(b'{"watch":["entries"]}\n')  # Its answer is a head.

    async def _exchange(self, request: dict[str, object]) -> dict[str, Any]:
        assert self._writer is not None
        self._writer.write(json.dumps(request).encode() + b"\n")
        await self._writer.drain()
        answer = await self._answers.get()
        if not answer:
            raise ConnectionResetError(0, "it closed the connection")
        return answer

    async def _listen(self, reader: asyncio.StreamReader, answers: "asyncio.Queue[dict[str, Any]]") -> None:
        """Take the lines: heads, and answers in the order of the requests."""
        try:
            while line := await reader.readline():
                said = json.loads(line)
                if "head" not in said:
                    answers.put_nowait(said)
                    continue
                head = said["head"]
                self.head = Head(str(head["record"]), int(head["seq"])) if head else None
                self._news.set()
        except (OSError, ValueError, KeyError, TypeError):
            pass
        finally:
            answers.put_nowait({})
            if answers is self._answers:
                self._lost()

    def _lost(self) -> None:
        if self._writer is not None:
            self._writer.transport.abort()
        self._writer = self.head = None
        self._news.set()
