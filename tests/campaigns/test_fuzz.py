"""Everything that reads bytes from outside: any input is read, or refused by a named error.

A target takes bytes and raises only what the caller of the real thing foresees, which is caught here; anything else
is a defect. Each has seeds: valid bytes, of which the test changes, cuts, doubles or inserts a few. It reads noise,
too.
"""

import asyncio
import json
import tempfile
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from on_record import recovered
from project import ROOT
from staff import staff

from config.loader import load_text
from config.problems import ConfigError
from controller.access.credentials import CredentialError, load
from controller.bench.rig import Rig
from controller.bench.scenario import load_scenario
from controller.configuration.machines import machines
from controller.configuration.rules import RULES
from controller.configuration.shipped import load_table, shipped_tables
from controller.events.event import Press
from controller.floor.wire import Batch, Have, Online, WireError, read, write
from controller.journal.chain import GENESIS, Entry
from controller.journal.errors import JournalError
from controller.journal.head_anchor import HeadAnchor, anchor_file, anchored_head
from controller.journal.journal import Journal
from controller.journal.record import of_entry
from controller.journal.set_aside import examine
from controller.limits.table_state import TableState
from controller.machine.offers import KEYS
from controller.runtime.socket import TableSocket
from controller.table.desk import Desk, Staff
from controller.table.machine import TableMachine
from hal.capture import recording
from hal.errors import HalError
from hal.serial.lines import Framing, line_reader

CONTROLS = (*sorted(KEYS), "floor-key", "no-more-bets", "no-roll", "done", "correct")


@dataclass(frozen=True)
class Target:
    """A reader of bytes, and valid bytes for it."""

    read: Callable[[bytes], object]
    seeds: Callable[[], list[bytes]]


@cache
def _folder() -> Path:
    return Path(tempfile.mkdtemp(prefix="table-fuzz-"))


def _file(name: str, data: bytes) -> Path:
    file = _folder() / name
    for part in ("-wal", "-shm", ".head"):
        Path(f"{file}{part}").unlink(missing_ok=True)
    file.write_bytes(data)
    return file


def table_yaml(data: bytes) -> None:
    """A table's file."""
    with suppress(ConfigError):
        load_text(data, "table.yaml", RULES)


def scenario_yaml(data: bytes) -> None:
    """A scenario's file."""
    config = load_table(shipped_tables()["sic-bo"]).config
    with suppress(ConfigError):
        load_scenario(_file("scenario.yaml", data), config)


def serial_lines(data: bytes) -> None:
    """What a reader or a keypad says, in pieces; what is held of it stays small."""
    frames = Framing(b"\x03", "bcc", 20, b"\x02")
    for framing in (Framing(b"\r\n", "xor", 20), Framing(b"\n", "none", 80), Framing(b";", "sum", 5), frames):
        lines = line_reader(framing)
        for start in range(0, len(data), 7):
            lines.feed(data[start : start + 7])
            assert lines.held <= framing.longest + 16
        lines.silence()


def vcd(data: bytes) -> None:
    """A logic analyser's recording."""
    with suppress(HalError):
        recording(str(_file("recording.vcd", data)))


def journal_file(data: bytes) -> None:
    """A journal's file: verified, and a table started on it."""
    assert examine(_file("table.journal", data)) is not None
    with suppress(JournalError):
        journal = Journal(_file("table.journal", data))
        try:
            recovered(load_table(shipped_tables()["sic-bo"]).config, journal)
        finally:
            journal.close()


def journal_entry(data: bytes) -> None:
    """The body and the checkpoint of an entry with a correct hash."""
    text = data.decode("utf-8", "replace")
    body, _, kept = text.partition("\x00")
    with suppress(JournalError):
        of_entry(Entry(1, 1, 0, "", "press", body, None, GENESIS))
    journal = Journal(None)
    with suppress(JournalError):
        journal.append(1, 0, 0, "table-started", body, kept or "{}")
        recovered(load_table(shipped_tables()["sic-bo"]).config, journal)
    journal.close()


def anchor(data: bytes) -> None:
    """The head anchor: the file that says where a journal ended."""
    file = _folder() / "at-its-end.journal"
    anchor_file(file).write_bytes(data)
    anchored_head(file)


def _anchors() -> list[bytes]:
    """An anchor as it is written."""
    file = _folder() / "anchored.journal"
    HeadAnchor(file, 7, "a" * 64).close()
    return [anchor_file(file).read_bytes()]


def credentials(data: bytes) -> None:
    """The file of floorpersons and dealers."""
    with suppress(CredentialError):
        load(_file("credentials.json", data))


def keypad(data: bytes) -> None:
    """Any keys at a table that asks for credentials, and at one that does not."""
    for people in (staff(), None):
        _keyed(people, data[:300])


def _keyed(people: Staff | None, data: bytes) -> None:
    machine = _machine()
    desk = Desk(lambda: machine, lambda: (machine.round, machine.state.value), people)
    for number, byte in enumerate(data):
        for event in desk.press(Press(number * 500_000_000, CONTROLS[byte % len(CONTROLS)])):
            machine.handle(event)


def message(data: bytes) -> None:
    """What a client with a table's or the floor's certificate sends; what is read is written again as the same."""
    for kind in (Batch, Have, Online):
        with suppress(WireError):
            taken = read(kind, data)
            assert read(kind, write(taken)) == taken


@cache
def _loop() -> asyncio.AbstractEventLoop:
    return asyncio.new_event_loop()


def socket_request(data: bytes) -> None:
    """What another process sends to the table's socket. Each line is answered by an object."""
    table = TableSocket(_folder() / "table.sock", _folder() / "table.journal")

    async def exchange() -> None:
        for line in data.split(b"\n"):
            answer = await table._answer(line, None)  # type: ignore[arg-type]
            assert isinstance(answer, dict)

    _loop().run_until_complete(exchange())


def _machine() -> TableMachine:
    config = load_table(shipped_tables()["sic-bo"]).config
    return machines(config)(TableState())


# -- seeds ---------------------------------------------------------------------------------------------------------


def _tables() -> list[bytes]:
    return [path.read_bytes() for path in shipped_tables().values()]


def _scenarios() -> list[bytes]:
    return [path.read_bytes() for path in (ROOT / "tests/unit/bench/scenarios").glob("sic-bo*.yaml")]


@cache
def _journal() -> bytes:
    file = _folder() / "seed.journal"
    file.unlink(missing_ok=True)
    table = Rig(load_table(shipped_tables()["sic-bo"]).config, file)
    table.press("floor-key", "2", "floor-key", "1", "4")
    table.table.stop()
    table.journal.close()
    return file.read_bytes()


def _entries() -> list[bytes]:
    table = Rig(load_table(shipped_tables()["sic-bo"]).config)
    table.press("floor-key", "2")
    return [f"{entry.body}\x00{entry.checkpoint or ''}".encode() for entry in table.journal.entries()]


def _vcd() -> list[bytes]:
    return [
        b"$timescale 1us $end\n$var wire 1 ! encoder_a $end\n$var wire 1 # clapper $end\n$enddefinitions $end\n"
        b"#0\n0!\n1#\n#10\n1!\n#25\n0!\nx#\n"
    ]


def _credentials() -> list[bytes]:
    secret = {"salt": "0" * 32, "hash": "1" * 64, "n": 2**14, "r": 8, "p": 1}
    return [json.dumps({"4711": {"role": "floorperson", "pin": secret}, "12": {"role": "dealer"}}).encode()]


def _messages() -> list[bytes]:
    table = Rig(load_table(shipped_tables()["sic-bo"]).config)
    entries = list(table.journal.entries())
    record, last = entries[0].hash, entries[-1]
    return [
        *map(
            write,
            (Batch.of(record, entries), Have(record=record, seq=last.seq, hash=last.hash), Online(online=True)),
        )
    ]


def _requests() -> list[bytes]:
    return [
        b'{"head": true}',
        b'{"records": true}',
        b'{"entries": {"record": "ab", "after": 3, "limit": 7, "round": 2}}',
        b'{"limits": {"set": {"minimum": "5"}, "minutes": 30}}\n{"showing": 3}',
    ]


TARGETS: Mapping[str, Target] = {
    "table-yaml": Target(table_yaml, _tables),
    "scenario-yaml": Target(scenario_yaml, _scenarios),
    "serial-lines": Target(serial_lines, lambda: [b"17*06\r\n$5*35\r\n", b"K01\nK15\n", b"17;00;"]),
    "vcd": Target(vcd, _vcd),
    "journal-file": Target(journal_file, lambda: [_journal()]),
    "journal-entry": Target(journal_entry, _entries),
    "head-anchor": Target(anchor, _anchors),
    "credentials": Target(credentials, _credentials),
    "socket-request": Target(socket_request, _requests),
    "message": Target(message, _messages),
    "keypad": Target(keypad, lambda: [bytes(range(40))]),
}


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
@pytest.mark.parametrize("name", sorted(TARGETS))
@pytest.mark.campaign
def test_any_input_is_read_or_refused_with_a_named_error(name: str) -> None:
    target = TARGETS[name]
    seeds = target.seeds()
    for seed in seeds:
        target.read(seed)

    @settings(max_examples=300, deadline=None, suppress_health_check=list(HealthCheck))
    @given(st.one_of(st.binary(max_size=300), damaged(seeds), damaged(seeds)))
    def reads(data: bytes) -> None:
        target.read(data)

    reads()
