"""The table's Unix socket, by which other processes of this computer reach it.

JSON lines; each request gets a line in answer, or ``{"error": "..."}``.

- ``{"records": true}``: the table's records, by the hash of their first entry. The last one is the journal in use,
  before it those that were set aside as damaged.
- ``{"entries": {"record": R, "after": N, "limit": M}}``: entries, up to the first one that is damaged. Where
  nothing sound follows, the answer is ``{"damaged": "..."}``.
- ``{"head": true}``: where the record in use ends.
- ``{"watch": ["views"]}``: ``{"view": {...}}`` with every document of the screens, then with those that changed,
  and ``{"turn": {...}}`` while the wheel turns. ``{"showing": N}``: how many boards this watcher has on display.
- ``{"limits": {...}}``: proposes limits, which the floorperson's key confirms (``table-controller limits``).

A client never slows the table down. There are few of them, one is read for at a time, and one that does not read
what it asked for is dropped. A watcher that is behind skips to the newest views.
"""

import asyncio
import errno
import json
import logging
import os
import re
import socket
from collections.abc import Mapping
from contextlib import closing, suppress
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from controller.journal.chain import GENESIS, Entry, verify
from controller.journal.errors import JournalDamagedError, JournalError
from controller.journal.journal import LAST, Journal

if TYPE_CHECKING:  # Clients import this module, too.
    from controller.runtime.table import Table

log = logging.getLogger("table")

SERVICE = Path("/run/table-controller/table.sock")
"""Of the table that runs as a service (systemd/table-controller.service)."""
MOST_CLIENTS = 16
MOST_ENTRIES = 200
"""In one answer."""
_MOST_BYTES = 256 * 1024
"""Of the entries in one answer, unless one alone is longer."""
_REQUEST_BYTES = 4096
_MOST_UNREAD = 64 * 1024
"""Bytes that a watcher of views may leave unread and still gets more."""
_PATIENCE_S = 10.0
"""How long a client may take to read an answer."""
_PAUSE_S = 0.005
"""Before each read of the record, so that no number of clients takes more than a part of the table's time."""
MOST_VIEWERS = 4
"""Watchers of views: the screens' process, and some that are being replaced."""
_MOST_SHOWING = 1000
Documents = Mapping[str, Mapping[str, object]]
_SET_ASIDE = re.compile(r"-(\d{8}T\d{6}Z)(?:-(\d+))?$")


def place_of(folder: str, journal: Path) -> Path:
    """Where the socket of a table is.

    Args:
        folder: ``RUNTIME_DIRECTORY``, which systemd sets; empty for a table that it did not start.
    """
    return Path(folder.partition(":")[0]) / SERVICE.name if folder else Path(f"{journal}.sock")


def reached_at(journal: Path, trial: bool = False) -> Path:
    """Where other processes reach the table of a journal: beside it, or at the service's place.

    Args:
        trial: the journal was named instead of the configured one. No service writes it.
    """
    beside = place_of("", journal)
    # A service's folder is its table's alone. Elsewhere the table may start later than who asks it.
    ours = os.access(journal.parent, os.X_OK) and not os.path.exists(SERVICE)
    return beside if trial or ours or os.path.exists(beside) else SERVICE


class Follower(Protocol):
    """Somebody who follows the views of a table."""

    @property
    def showing(self) -> int:
        """How many boards it has on display, and the limits sign with each."""

    def take(self, views: Documents) -> None:
        """All documents as they are now; one that has not changed is the same object. Never waits."""

    def turn(self, position: Mapping[str, object]) -> None:
        """The position of a wheel that turns."""


class Views(Protocol):
    """The views of a table, as its session and its socket use them."""

    def watch(self, table: "Table") -> None:
        """Show a table that is about to start. A failure here does not stop the table."""

    def closed(self, why: str, prompt: str = "") -> None:
        """Show that no table is running, why, and what the floorperson is asked for."""

    def follow(self, follower: Follower) -> None:
        """Hand over the present documents, and each change from now on."""

    def leave(self, follower: Follower) -> None:
        """No longer; nothing happens if it does not follow."""

    def limits(self, request: Mapping[str, object]) -> dict[str, object]:
        """Answer a request of ``table-controller limits``; raises ValueError if that is not possible."""


class TableSocket:
    """The socket, for as long as the table's process runs.

    Args:
        journal: the file of the table's journal, beside which others were set aside.
        views: of the table.
    """

    def __init__(self, place: Path, journal: Path, views: Views | None = None) -> None:
        self._place, self._file, self._views = place, journal, views
        self._journal: Journal | None = None
        self._server: asyncio.Server | None = None
        self._clients: set[asyncio.StreamWriter] = set()
        self._viewers: dict[asyncio.StreamWriter, _Viewer] = {}
        self._turn = asyncio.Lock()
        self._old: dict[Path, tuple[str, int]] = {}
        """Journals that were set aside: record and length; an empty name for one that cannot be read at all."""

    async def open(self) -> None:
        """Listen; a failure is logged, and the table plays without."""
        try:
            self._place.parent.mkdir(mode=0o700, parents=True, exist_ok=True)  # The journal's, at its first start.
            if _is_served(self._place):  # Its file would be replaced.
                raise FileExistsError(errno.EEXIST, "another process serves it")
            self._server = await asyncio.start_unix_server(self._serve, self._place, limit=_REQUEST_BYTES)
            self._place.chmod(0o660)
        except OSError as error:
            log.warning("%s: no other process reaches the table's record: %s", self._place, error.strerror or error)

    def close(self) -> None:
        if self._server is not None:
            self._server.close()
            self._server = None
            self._place.unlink(missing_ok=True)
        for client in list(self._clients):
            client.transport.abort()

    def serve(self, journal: Journal | None) -> None:
        """The journal in use; None while no table runs."""
        self._journal = journal

    def _head(self) -> dict[str, object] | None:
        """Where the record in use ends; None while no table runs."""
        journal = self._journal
        if journal is None or not len(journal):
            return None
        return {"record": _name_of(journal), "seq": len(journal), "hash": journal.head}

    # -- a client ------------------------------------------------------------------------------------------

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if len(self._clients) >= MOST_CLIENTS:
            writer.transport.abort()
            return
        self._clients.add(writer)
        try:
            while line := await reader.readline():
                writer.write(_line(await self._answer(line, writer)))
                async with asyncio.timeout(_PATIENCE_S):
                    await writer.drain()
        except (OSError, ValueError, TimeoutError, asyncio.CancelledError):
            pass  # It is gone, its request is too long, it does not read; or the table's process ends.
        finally:
            self._clients.discard(writer)
            if self._views is not None and writer in self._viewers:
                self._views.leave(self._viewers.pop(writer))
            writer.transport.abort()

    async def _answer(self, line: bytes, writer: asyncio.StreamWriter) -> dict[str, object]:
        try:
            request, answer = json.loads(line), None
            if isinstance(request, dict) and len(request) == 1:
                answer = self._at_once(request, writer) or await self._read(request)
            if answer is None:
                words = "this request is not possible; send one of head, records, entries, watch, showing, limits"
                raise ValueError(words)
            return answer
        except JournalDamagedError as error:
            return {"damaged": str(error)[:300]}
        except (JournalError, RecursionError, ValueError) as error:
            return {"error": str(error)[:300]}

    def _at_once(self, request: dict[str, object], writer: asyncio.StreamWriter) -> dict[str, object] | None:
        """The answer to what needs no read of a journal; None for another request."""
        views, viewer = self._views, self._viewers.get(writer)
        match request:
            case {"head": True}:
                return {"head": self._head()}
            case {"watch": ["views"]} if views is not None and not viewer and len(self._viewers) < MOST_VIEWERS:
                self._viewers[writer] = viewer = _Viewer(writer)
                views.follow(viewer)
                return request
            case {"showing": int(boards)} if viewer is not None and 0 <= boards <= _MOST_SHOWING:
                viewer.showing = boards
                return request
            case {"limits": dict(asked)} if views is not None:
                return {"limits": views.limits(asked)}
        return None

    async def _read(self, request: dict[str, object]) -> dict[str, object] | None:
        async with self._turn:
            await asyncio.sleep(_PAUSE_S)
            match request:
                case {"records": True}:
                    present = self._present()
                    return {"records": [*(name for name in self._set_aside() if name not in present), *present]}
                case {"entries": {"record": str(record), "after": int(after), "limit": int(limit)}}:
                    if 0 <= after <= LAST:
                        return {"entries": self._entries(record, after, limit)}
        return None

    def _entries(self, record: str, after: int, limit: int) -> list[Entry]:
        if self._journal is not None and record in self._present():
            return _some(self._journal, after, limit)
        file = self._set_aside().get(record)
        if file is None:
            raise ValueError("there is no such record at this table")
        with closing(Journal(file, read_only=True)) as journal:
            return _some(journal, after, limit)

    def _present(self) -> list[str]:
        return [_name_of(self._journal)] if self._journal is not None and len(self._journal) else []

    def _set_aside(self) -> dict[str, Path]:
        """Records that were set aside and can be read, the oldest first: of one in several files, the longest."""
        found: list[tuple[str, int, Path]] = []
        with suppress(OSError):
            for file in self._file.parent.glob(f"{self._file.stem}.*{self._file.suffix}"):
                named = _SET_ASIDE.search(file.stem)
                if named is not None and file.is_file():
                    found.append((named[1], int(named[2] or 1), file))
        longest: dict[str, tuple[int, Path]] = {}
        for *_, file in sorted(found):
            if file not in self._old:
                self._old[file] = _record_in(file)
            name, length = self._old[file]
            if name and length >= longest.get(name, (0, file))[0]:
                longest[name] = (length, file)
        return {name: file for name, (_, file) in longest.items()}


class _Viewer:
    """A watcher of views."""

    def __init__(self, writer: asyncio.StreamWriter) -> None:
        self.showing = 0
        self._writer = writer
        self._sent: dict[str, Mapping[str, object]] = {}

    def take(self, views: Documents) -> None:
        """Send what it does not have; one that is behind gets that with a later change."""
        news = {name: document for name, document in views.items() if self._sent.get(name) is not document}
        if self._writer.transport.get_write_buffer_size() <= _MOST_UNREAD:
            self._writer.write(_line({"view": news}))
            self._sent |= news

    def turn(self, position: Mapping[str, object]) -> None:
        """Send it to one that is not behind."""
        if not self._writer.transport.get_write_buffer_size():
            self._writer.write(_line({"turn": position}))


def _is_served(place: Path) -> bool:
    with closing(socket.socket(socket.AF_UNIX)) as probe:
        probe.setblocking(False)
        return probe.connect_ex(str(place)) in (0, errno.EAGAIN)


def _name_of(journal: Journal) -> str:
    first = journal.entry(1)
    return first.hash if first is not None else ""


def _record_in(file: Path) -> tuple[str, int]:
    """The record in a file and its length; an empty name if it has none that can be read."""
    with suppress(JournalError), closing(Journal(file, read_only=True)) as journal:
        return _name_of(journal), len(journal)
    return "", 0


def _some(journal: Journal, after: int, limit: int) -> list[Entry]:
    """Entries after a number, as many as one answer takes, up to one that is damaged.

    Raises:
        JournalDamagedError: that is the first one.
    """
    found: list[Entry] = []
    size, damage = 0, ""
    try:
        for entry in islice(journal.entries(after), max(1, min(limit, MOST_ENTRIES))):
            size += len(entry.body) + len(entry.checkpoint or "")
            if found and size > _MOST_BYTES:
                break
            found.append(entry)
    except JournalError as error:
        damage = str(error)
    before = journal.entry(after)
    verdict = verify(iter(found), *((before.seq, before.hash) if before is not None else (0, GENESIS)))
    sound = [entry for entry in found if entry.seq <= verdict.entries]
    if not sound and (damage or verdict.problem):
        raise JournalDamagedError(f"this record is damaged: {verdict.problem or damage}")
    return sound


def _line(answer: Mapping[str, object]) -> bytes:
    return json.dumps(answer, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"
