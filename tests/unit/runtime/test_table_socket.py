"""The table's socket: it serves every record, and no client slows the table down."""

import asyncio
import json
import socket as system_socket
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator, Mapping
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
from controller.runtime.socket import MOST_CLIENTS, MOST_VIEWERS, Follower, TableSocket, place_of, reached_at
from controller.runtime.table_client import UnreachableError

OLD, NEW = list(entries_of("sic-bo")), list(entries_of("dreamcatcher"))
Reader, Writer = asyncio.StreamReader, asyncio.StreamWriter


class Views:
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


@asynccontextmanager
async def serving(file: Path, journal: Journal | None, views: Views | None = None) -> AsyncIterator[TableSocket]:
    made = TableSocket(place_of("", file), file, views)
    await made.open()
    made.serve(journal)
    try:
        yield made
    finally:
        made.close()


def connect(file: Path) -> Coroutine[Any, Any, tuple[Reader, Writer]]:
    return asyncio.open_unix_connection(place_of("", file), limit=2**20)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "table.journal"


def test_a_table_of_this_user_is_reached_beside_its_journal_even_before_it_starts(file: Path) -> None:
    assert reached_at(file) == place_of("", file)
    assert reached_at(file.with_name("another's") / file.name) == socket.SERVICE


@pytest.fixture
def journal(file: Path) -> Iterator[Journal]:
    with closing(Journal(journal_file("dreamcatcher", file))) as journal:
        yield journal


def test_a_second_process_takes_nobody_elses_socket(file: Path, journal: Journal) -> None:
    """The table stays reachable after the other one has ended. A socket that nobody serves is replaced."""
    place = place_of("", file)

    async def is_served() -> None:
        with closing(SocketRecords(place)) as source:
            assert await source.head() == (NEW[0].hash, len(NEW))

    async def twice() -> None:
        with closing(system_socket.socket(system_socket.AF_UNIX)) as left_over:
            left_over.bind(str(place))
        async with serving(file, journal):
            async with serving(file, None):
                await is_served()
            await is_served()

    asyncio.run(twice())


def test_every_record_is_served_the_damaged_one_as_far_as_it_can_be_read(file: Path) -> None:
    journal_file("sic-bo", file)
    content = bytearray(file.read_bytes())
    place = len(content) * 3 // 4
    content[place : place + 4096] = b"\x55" * 4096
    file.write_bytes(content)
    quarantine(file, "damaged", 0)
    file.with_name("table.damaged-19700101T000001Z.journal").write_bytes(b"no journal")
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
            with pytest.raises(UnreachableError, match="this request is not possible"):
                await source.entries(NEW[0].hash, 1 << 63, 1)
            served.serve(None)
            assert await source.head() is None
            with pytest.raises(UnreachableError):
                await source.entries(NEW[0].hash, 0, 1)
        with pytest.raises(UnreachableError, match="the table does not run"):
            await source.head()

    asyncio.run(read())
    journal.close()


def test_commands_read_the_record_of_a_running_table_from_it(
    file: Path, journal: Journal, capsys: pytest.CaptureFixture[str]
) -> None:
    async def run(served: Journal, *words: str) -> int:
        async with serving(file, served):
            return await asyncio.to_thread(main, [*words, str(file)])

    assert asyncio.run(run(journal, "journal", "verify")) == exits.OK
    assert f"{len(NEW)} entries verified; head {NEW[-1].hash}" in capsys.readouterr().out
    assert asyncio.run(run(journal, "journal", "export")) == exits.OK
    lines = capsys.readouterr().out.splitlines()
    assert [json.loads(line)["hash"] for line in lines] == [entry.hash for entry in NEW]
    with closing(Journal(journal_file("sic-bo", file.with_name("other.journal")))) as other:
        assert asyncio.run(run(other, "journal", "verify")) == exits.FAILED
    assert "has this journal open; stop it first" in capsys.readouterr().err


async def _too_long(reader: Reader, writer: Writer) -> None:
    writer.write(b"x" * 100_000)
    assert await reader.read() == b""


async def _nonsense(reader: Reader, writer: Writer) -> None:
    for line in (b"{", b"[]", b"{}", b'{"entries": 3}', b'{"entries": {"record": 1}}', b"[" * 3000, b"\xff",
                 b'{"watch": ["views"]}', b'{"limits": {}}', b'{"showing": 1}', b'{"head": false}',
                 b'{"records": true, "head": true}',
                 b'{"entries": {"record": "", "after": -1, "limit": 1}}'):  # fmt: skip
        writer.write(line + b"\n")
        assert "error" in json.loads(await reader.readline()), line


async def _asks_and_does_not_read(reader: Reader, writer: Writer) -> None:
    ask = json.dumps({"entries": {"record": NEW[0].hash, "after": 0, "limit": 200}}).encode() + b"\n"
    reader._transport.pause_reading()  # type: ignore[attr-defined]
    with suppress(OSError):
        while True:
            writer.write(ask)
            await writer.drain()


@pytest.mark.parametrize("client", [_too_long, _nonsense, _asks_and_does_not_read])
def test_no_client_slows_the_table_down(
    client: Callable[[Reader, Writer], Coroutine[Any, Any, None]],
    file: Path,
    journal: Journal,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(socket, "_PATIENCE_S", 0.1)

    async def play() -> None:
        async with serving(file, journal):
            reader, writer = await connect(file)
            await client(reader, writer)
            source = SocketRecords(place_of("", file))
            assert len(await source.records()) == 1, "others are served"
            source.close()
            writer.transport.abort()

    asyncio.run(play())


def test_a_watcher_of_views_gets_what_changed_and_one_that_is_behind_the_newest(file: Path) -> None:
    views = Views()

    async def watch() -> None:
        async with serving(file, None, views):
            reader, writer = await connect(file)

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
            for refused in (b'{"showing":-1}\n', b'{"watch":["views"]}\n'):
                assert "error" in await said(refused)
            assert await said(b'{"limits":{"set":{}}}\n') == {"limits": {"asks": "turn the key"}}
            assert await said(b'{"limits":{}}\n') == {"error": "send set"}
            for number in range(2, 200):  # It does not read: what waits for it is bounded.
                views.show(number, 10_000)
            numbers = []
            while not numbers or numbers[-1] < 199:
                numbers.append((await said())["view"]["board"]["n"])
                views.show(199, 10_000)
            assert len(numbers) < 60, "not each of them"
            others = [await connect(file) for _ in range(MOST_VIEWERS)]
            for _, other in others:
                other.write(b'{"watch":["views"]}\n')
            answers = [json.loads(await one.readline()) for one, _ in others]
            assert ["error" in answer for answer in answers] == [False] * (MOST_VIEWERS - 1) + [True]
            for one in (writer, *(other for _, other in others)):
                one.transport.abort()
            while views.followers:
                await asyncio.sleep(0)

    asyncio.run(asyncio.wait_for(watch(), 180))


def test_there_are_few_clients_and_a_place_that_cannot_be_used_stops_no_table(file: Path) -> None:
    async def crowd() -> None:
        async with serving(file, None):
            many = [await connect(file) for _ in range(MOST_CLIENTS + 1)]
            with suppress(ConnectionResetError):
                assert await many[-1][0].read() == b""
            for _, writer in many:
                writer.transport.abort()
            assert (place_of("", file).stat().st_mode & 0o777) == 0o660
        nowhere = TableSocket(file.parent / "no" / "folder.sock", file)
        await nowhere.open()
        nowhere.close()

    asyncio.run(crowd())
    assert place_of("/run/table-controller:/x", file) == socket.SERVICE
