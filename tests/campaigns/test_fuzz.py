"""Everything that reads bytes from outside: any input is read, or refused by a named error.

A target takes bytes and raises only what the caller of the real thing foresees, which is caught here; anything else
is a defect. Each has seeds: valid bytes, of which the test changes, cuts, doubles or inserts a few. It reads noise,
too.
"""

import asyncio
import json
import tempfile
from collections.abc import Callable
from contextlib import closing, suppress
from functools import cache
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from on_record import recovered

from controller.access.credentials import CredentialError, load
from controller.bench.rig import Rig
from controller.configuration.shipped import load_table, shipped_tables
from controller.floor.wire import Batch, Have, Online, WireError, read, write
from controller.journal.chain import GENESIS, Entry
from controller.journal.errors import JournalError
from controller.journal.journal import Journal
from controller.journal.record import of_entry
from controller.runtime.socket import TableSocket
from hal.capture import recording
from hal.errors import HalError

CONFIG = load_table(shipped_tables()["sic-bo"]).config
VCD = (
    b"$timescale 1us $end\n$var wire 1 ! encoder_a $end\n$var wire 1 # clapper $end\n$enddefinitions $end\n"
    b"#0\n0!\n1#\n#10\n1!\n#25\n0!\nx#\n"
)
REQUESTS = (
    b'{"head": true}',
    b'{"records": true}',
    b'{"entries": {"record": "ab", "after": 3, "limit": 7}}',
    b'{"limits": {"set": {"minimum": "5"}, "minutes": 30}}\n{"showing": 3}',
)
SECRET = {"salt": "0" * 32, "hash": "1" * 64, "n": 2**14, "r": 8, "p": 1}
PEOPLE = json.dumps({"4711": {"role": "floorperson", "pin": SECRET}, "12": {"role": "dealer"}}).encode()
Seeds = Callable[[], list[bytes]]
TARGETS: dict[str, tuple[Callable[[bytes], object], Seeds]] = {}


def target(seeds: Seeds) -> Callable[[Callable[[bytes], None]], None]:
    def known(read: Callable[[bytes], None]) -> None:
        TARGETS[read.__name__] = read, seeds

    return known


@cache
def _folder() -> Path:
    return Path(tempfile.mkdtemp(prefix="table-fuzz-"))


def _file(name: str, data: bytes) -> Path:
    file = _folder() / name
    file.write_bytes(data)
    return file


def _played() -> list[Entry]:
    """The entries of a table at which some keys were pressed."""
    with closing(Rig(CONFIG)) as table:
        table.press("floor-key", "2", "floor-key", "1", "4")
        return list(table.journal.entries())


@target(lambda: [VCD])
def vcd(data: bytes) -> None:
    with suppress(HalError):
        recording(str(_file("recording.vcd", data)))


@target(lambda: [f"{entry.body}\x00{entry.checkpoint or ''}".encode() for entry in _played()])
def journal_entry(data: bytes) -> None:
    """The body and the checkpoint of an entry with a correct hash."""
    body, _, kept = data.decode("utf-8", "replace").partition("\x00")
    with suppress(JournalError):
        of_entry(Entry(1, 1, 0, "", "press", body, None, GENESIS))
    with suppress(JournalError), closing(Journal(None)) as journal:
        journal.append(1, 0, 0, "table-started", body, kept or "{}")
        recovered(CONFIG, journal)


@target(lambda: [PEOPLE])
def credentials(data: bytes) -> None:
    with suppress(CredentialError):
        load(_file("credentials.json", data))


def _messages() -> list[bytes]:
    entries = _played()
    record, last = entries[0].hash, entries[-1]
    messages = Batch.of(record, entries), Have(record=record, seq=last.seq, hash=last.hash), Online(online=True)
    return [write(one) for one in messages]


@target(_messages)
def message(data: bytes) -> None:
    """What a client with a table's or the floor's certificate sends; what is read is written again as the same."""
    for kind in (Batch, Have, Online):
        with suppress(WireError):
            taken = read(kind, data)
            assert read(kind, write(taken)) == taken


@target(lambda: list(REQUESTS))
def socket_request(data: bytes) -> None:
    """What another process sends to the table's socket. Each line is answered by an object."""
    table = TableSocket(_folder() / "table.sock", _folder() / "table.journal")

    async def exchange() -> None:
        for line in data.split(b"\n"):
            assert isinstance(await table._answer(line, None), dict)

    asyncio.run(exchange())


@st.composite
def damaged(draw: st.DrawFn, seeds: list[bytes]) -> bytes:
    """Valid bytes with some changes."""
    data = bytearray(draw(st.sampled_from(seeds)))
    for _ in range(draw(st.integers(0, 5))):
        at = draw(st.integers(0, len(data)))
        end = min(len(data), at + draw(st.integers(0, 40)))
        data[at:end] = draw(st.one_of(st.binary(max_size=20), st.just(bytes(data[at:end]) * 2)))
    return bytes(data)


@pytest.mark.hypothesis
@pytest.mark.parametrize("name", TARGETS)
@pytest.mark.campaign
def test_any_input_is_read_or_refused_with_a_named_error(name: str) -> None:
    read, seeds = TARGETS[name][0], TARGETS[name][1]()
    for seed in seeds:
        read(seed)

    @settings(max_examples=300, deadline=None, suppress_health_check=list(HealthCheck))
    @given(st.one_of(st.binary(max_size=300), damaged(seeds), damaged(seeds)))
    def reads(data: bytes) -> None:
        read(data)

    reads()
