"""The table's socket: it serves every record, and no client slows the table down."""

import asyncio
import json
from collections.abc import AsyncIterator, Callable, Coroutine, Mapping
from contextlib import asynccontextmanager, closing, suppress
from pathlib import Path
from typing import Any

import pytest
from golden.journals import entries_of, journal_file

from controller import errors as exits
from controller.commands.cli import main
from controller.floor.source import SocketRecords
from controller.journal.chain import Entry
from controller.journal.errors import JournalDamagedError
from controller.journal.journal import Journal
from controller.journal.set_aside import quarantine
from controller.runtime import socket
from controller.runtime.socket import MOST_CLIENTS, Follower, TableSocket, place_of
from controller.runtime.table_client import UnreachableError

OLD, NEW = list(entries_of("sic-bo")), list(entries_of("dreamcatcher"))


@asynccontextmanager
async def serving(file: Path, journal: Journal | None) -> AsyncIterator[TableSocket]:
    made = TableSocket(place_of("", file), file)
    await made.open()
    made.serve(journal)
    try:
        yield made
    finally:
        made.close()


def test_every_record_is_served_the_damaged_one_as_far_as_it_can_be_read(tmp_path: Path) -> None:
    file = journal_file("sic-bo", tmp_path / "table.journal")
    content = bytearray(file.read_bytes())
    place = len(content) * 3 // 4
    content[place : place + 4096] = b"\x55" * 4096
    file.write_bytes(content)
    quarantine(file, "damaged", 0)
    (tmp_path / "table.damaged-19700101T000001Z.journal").write_bytes(b"no journal")
    journal = Journal(journal_file("dreamcatcher", file))

    async def read() -> None:
        source = SocketRecords(place_of("", file))
        async with serving(file, journal) as served:
            assert await source.records() == [OLD[0].hash, NEW[0].hash]
            assert await source.head() == (NEW[0].hash, len(NEW))
            assert await source.entries(NEW[0].hash, 0, 10**9) == NEW[:200]
            assert await source.entries(NEW[0].hash, len(NEW), 5) == []
            old: list[Entry] = []

            async def rest() -> None:
                while some := await source.entries(OLD[0].hash, len(old), 200):
                    old.extend(some)

            with pytest.raises(JournalDamagedError, match="this record is damaged: "):
                await rest()
            assert 100 < len(old) < len(OLD)
            assert old == OLD[: len(old)], "none of what was overwritten and is still a row"
            with pytest.raises(UnreachableError, match="no such record"):
                await source.entries("0" * 64, 0, 1)
            served.serve(None)
            assert await source.head() is None
            with pytest.raises(UnreachableError):
                await source.entries(NEW[0].hash, 0, 1)
        with pytest.raises(UnreachableError, match="the table does not run"):
            await source.head()

    asyncio.run(read())
    journal.close()


def test_commands_read_the_record_of_a_running_table_from_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = journal_file("dreamcatcher", tmp_path / "table.journal")
    journal = Journal(file)

    async def read() -> list[int]:
        async with serving(file, journal):
            commands = ["journal", "verify", str(file)], ["journal", "export", str(file)]
            return [await asyncio.to_thread(main, words) for words in commands]

    assert asyncio.run(read()) == [exits.OK, exits.OK]
    said = capsys.readouterr().out
    assert f"{len(NEW)} entries verified; head {NEW[-1].hash}" in said
    assert [json.loads(line)["hash"] for line in said.splitlines()[1:]] == [entry.hash for entry in NEW]
    with closing(Journal(journal_file("sic-bo", tmp_path / "other.journal"))) as other:

        async def mistaken() -> int:
            async with serving(file, other):
                return await asyncio.to_thread(main, ["journal", "verify", str(file)])

        assert asyncio.run(mistaken()) == exits.FAILED
    assert "has this journal open; stop it first" in capsys.readouterr().err
    journal.close()


Client = Callable[[asyncio.StreamReader, asyncio.StreamWriter], Coroutine[Any, Any, None]]


async def _too_long(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    writer.write(b"x" * 100_000)
    assert await reader.read() == b""


async def _nonsense(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    for line in (b"{", b"[]", b"{}", b'{"entries": 3}', b'{"entries": {"record": 1}}', b"[" * 3000, b"\xff",
                 b'{"watch": ["views"]}', b'{"limits": {}}', b'{"showing": 1}', b'{"head": false}',
                 b'{"records": true, "head": true}',
                 b'{"entries": {"record": "", "after": -1, "limit": 1}}'):  # fmt: skip
        writer.write(line + b"\n")
        assert "error" in json.loads(await reader.readline()), line


async def _asks_and_does_not_read(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    ask = json.dumps({"entries": {"record": NEW[0].hash, "after": 0, "limit": 200}}).encode() + b"\n"
    reader._transport.pause_reading()  # type: ignore[attr-defined]
    with suppress(OSError):
        while True:
            writer.write(ask)
            await writer.drain()


@pytest.mark.parametrize("client", [_too_long, _nonsense, _asks_and_does_not_read])
def test_no_client_slows_the_table_down(client: Client, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(socket, "_PATIENCE_S", 0.1)
    file = journal_file("dreamcatcher", tmp_path / "table.journal")
    journal = Journal(file)

    async def play() -> None:
        async with serving(file, journal):
            reader, writer = await asyncio.open_unix_connection(place_of("", file))
            await client(reader, writer)
            source = SocketRecords(place_of("", file))
            assert len(await source.records()) == 1, "others are served"
            source.close()
            writer.transport.abort()

    asyncio.run(play())
    journal.close()


class _Views:
    """The views of a table, which the test changes."""

    def __init__(self) -> None:
        self.views: dict[str, dict[str, object]] = {"board": {"n": 0}, "dealer": {"next": ""}}
        self.followers: list[Follower] = []

    def follow(self, follower: Follower) -> None:
        self.followers.append(follower)
        follower.take(self.views)

    def leave(self, follower: Follower) -> None:
        self.followers.remove(follower)

    def limits(self, request: Mapping[str, object]) -> dict[str, object]:
        if "set" not in request:
            raise ValueError("send set")
        return {"asks": "turn the key"}

    def show(self, number: int, size: int = 0) -> None:
        self.views = self.views | {"board": {"n": number, "padding": "x" * size}}
        for follower in self.followers:
            follower.take(self.views)


def test_a_watcher_of_views_gets_what_changed_and_one_that_is_behind_the_newest(tmp_path: Path) -> None:
    views, file = _Views(), tmp_path / "table.journal"

    async def watch() -> None:
        made = TableSocket(place_of("", file), file, views)
        await made.open()
        reader, writer = await asyncio.open_unix_connection(place_of("", file), limit=2**20)

        async def said(request: bytes = b"") -> dict[str, Any]:
            writer.write(request)
            line: dict[str, Any] = json.loads(await reader.readline())
            return line

        assert await said(b'{"watch":["views"]}\n') == {"view": views.views}
        assert await said() == {"watch": ["views"]}
        views.show(1)
        assert await said() == {"view": {"board": {"n": 1, "padding": ""}}}
        views.followers[0].turn({"angle": 0.5})
        assert await said() == {"turn": {"angle": 0.5}}
        assert await said(b'{"showing":3}\n') == {"showing": 3}
        assert views.followers[0].showing == 3
        assert "error" in await said(b'{"showing":-1}\n')
        assert "error" in await said(b'{"watch":["views"]}\n')
        assert await said(b'{"limits":{"set":{}}}\n') == {"limits": {"asks": "turn the key"}}
        assert await said(b'{"limits":{}}\n') == {"error": "send set"}
        for number in range(2, 200):  # It does not read: what waits for it is bounded.
            views.show(number, 10_000)
        numbers = []
        while not numbers or numbers[-1] < 199:
            numbers.append((await said())["view"]["board"]["n"])
            views.show(199, 10_000)
        assert len(numbers) < 60, "not each of them"
        others = [await asyncio.open_unix_connection(place_of("", file)) for _ in range(socket.MOST_VIEWERS)]
        for _, other in others:
            other.write(b'{"watch":["views"]}\n')
        answers = [json.loads(await one.readline()) for one, _ in others]
        assert ["error" in answer for answer in answers] == [False] * (socket.MOST_VIEWERS - 1) + [True]
        for one in (writer, *(other for _, other in others)):
            one.transport.abort()
        while views.followers:
            await asyncio.sleep(0)
        made.close()

    asyncio.run(asyncio.wait_for(watch(), 180))


def test_there_are_few_clients_and_a_place_that_cannot_be_used_stops_no_table(tmp_path: Path) -> None:
    file = journal_file("dreamcatcher", tmp_path / "table.journal")
    journal = Journal(file)

    async def crowd() -> None:
        async with serving(file, journal):
            many = [await asyncio.open_unix_connection(place_of("", file)) for _ in range(MOST_CLIENTS + 1)]
            reader, _ = many[-1]
            with suppress(ConnectionResetError):
                assert await reader.read() == b""
            for _, writer in many:
                writer.transport.abort()
            assert (place_of("", file).stat().st_mode & 0o777) == 0o660
        nowhere = TableSocket(tmp_path / "no" / "folder.sock", file)
        await nowhere.open()
        nowhere.close()

    asyncio.run(crowd())
    journal.close()
    assert place_of("/run/table-controller:/x", file) == socket.SERVICE
