"""A table plays on while its screens, its keypad and its files are abused: no entry is lost, no result is wrong.

Sizes are bounded, so that the whole takes a minute. What single readers make of any bytes stands in the fuzz
targets (``tests/campaigns/fuzz``), what single servers do with slow clients in ``tests/unit/screens/test_http.py``.
"""

import asyncio
import random
import string
from collections.abc import Awaitable, Callable, Iterator
from contextlib import suppress
from pathlib import Path

import pytest
from contracts.loop import PATIENCE_S
from wired_table import END, WiredTable

from controller.bench.dealer import Dealer
from controller.bench.oracle import Oracle
from controller.bench.rig import Rig
from controller.commands.cli import main
from controller.configuration.shipped import load_table, shipped_tables, table_path
from controller.events.effect import Result, RoundOpened
from controller.journal.journal import Journal
from controller.journal.record import RecordedDecision
from controller.screens.rounds import Rounds
from controller.screens.server import ScreenServer
from hal.clock import LoopClock

GAME = "casino-war"
ELSEWHERE = "127.0.0.2"
"""The address that hostile clients have; the dealer's screen has another."""
MUTATED = 800
ROUNDS = 20
GET = b"GET /dealer HTTP/1.1\r\nHost: localhost\r\n\r\n"
_HOST = b"Host: localhost\r\n"
_ACT = b'{"act": "withdraw"}'
_POST = b"POST /limits HTTP/1.1\r\n" + _HOST + b"Content-Type: application/json\r\nContent-Length: %d\r\n"

REFUSED: dict[str, bytes] = {
    **{
        f"traversal {path}": b"GET " + path.encode() + b" HTTP/1.1\r\n" + _HOST + b"\r\n"
        for path in (
            *("/../../../../etc/passwd", "//etc/passwd", "/assets/../server.py", "/assets/..%2f..%2fserver.py"),
            *("/assets/%2e%2e/%2e%2e/setup.py", "/game/../game.py", "/assets/board.js%00.py", "/assets/\\..\\x.py"),
        )
    },
    "rebinding": b"GET /dealer HTTP/1.1\r\nHost: table.attacker.example\r\n\r\n",
    "no host": b"GET /dealer HTTP/1.1\r\n\r\n",
    "two hosts": b"GET /dealer HTTP/1.1\r\n" + _HOST + b"Host: attacker.example\r\n\r\n",
    "another site's action": _POST % len(_ACT) + b"Origin: http://attacker.example\r\n\r\n" + _ACT,
    "a form": b"POST /limits HTTP/1.1\r\n" + _HOST + b"Content-Type: application/x-www-form-urlencoded\r\n"
    b"Origin: http://localhost\r\nContent-Length: 11\r\n\r\npress=enter",
    "two lengths": _POST % 5 + b"Content-Length: 6\r\n\r\n123456",
    "length and chunks": _POST % 5 + b"Transfer-Encoding: chunked\r\n\r\n0\r\n\r\nGET /dealer HTTP/1.1\r\n\r\n",
    "a length with a sign": b"POST /limits HTTP/1.1\r\n" + _HOST + b"Content-Length: +5\r\n\r\n12345",
    "a folded header": b"GET /dealer HTTP/1.1\r\nHost: attacker.example\r\n : localhost\r\n\r\n",
    "many headers": b"GET /dealer HTTP/1.1\r\n" + _HOST + b"X: 1\r\n" * 20_000 + b"\r\n",
    "a long header": b"GET /dealer HTTP/1.1\r\n" + _HOST + b"X: " + b"a" * 1_000_000 + b"\r\n\r\n",
    "a long address": b"GET /" + b"a" * 1_000_000 + b" HTTP/1.1\r\n" + _HOST + b"\r\n",
    "a long body": _POST % 1_000_000_000 + b"\r\n" + b"x" * 1_000_000,
}
"""Requests that nobody who means well sends; none may be answered as a good one."""


class PlayingWar:
    """A table of Casino War whose people play while somebody abuses its screens."""

    def __init__(self, file: Path) -> None:
        loaded = load_table(table_path(GAME))
        self.heard: list[RecordedDecision] = []
        self.oracle = Oracle()
        self.rig = Rig(loaded.config, file, listeners=(self.oracle, self.heard.append))
        self.dealer = Dealer(self.rig, random.Random(1), self.oracle)
        self.screens = ScreenServer(loaded, LoopClock(), Rounds(file, loaded.config.journal))  # type: ignore[arg-type]
        self.screens.watch(self.rig.table)
        self.port = 0

    async def under(self, attack: Callable[["PlayingWar"], Awaitable[None]]) -> None:
        """Play until the attack is over, and at least so many rounds."""
        self.port = await self.screens.open("127.0.0.1", 0)
        attacking = asyncio.ensure_future(attack(self))
        try:
            async with asyncio.timeout(PATIENCE_S):
                while not attacking.done() or self.count(RoundOpened) < ROUNDS:
                    self.dealer.act()
                    await asyncio.sleep(0)
                await attacking
                assert (await self.exchange(GET, "127.0.0.1")).startswith(b"HTTP/1.1 200")
        finally:
            attacking.cancel()
            self.screens.close()

    async def exchange(self, request: bytes, address: str = ELSEWHERE) -> bytes:
        """Send a request, and read all that comes; the connection may be cut at any place."""
        reader, writer = await asyncio.open_connection("127.0.0.1", self.port, local_addr=(address, 0))
        answer = b""
        try:
            with suppress(ConnectionError):
                writer.write(request)
                writer.write_eof()
                while part := await reader.read(65_536):
                    answer += part
        finally:
            writer.close()
        return answer

    def count(self, kind: type) -> int:
        return sum(isinstance(effect, kind) for one in self.heard for effect in one.record.effects)

    def check(self, file: Path) -> None:
        """Nothing is lost or wrong: the record on disk is what the table decided, and the results are true."""
        self.rig.table.stop()
        self.rig.journal.close()
        journal = Journal(file, read_only=True)
        try:
            assert journal.verify().problem == ""
            kept = [(entry.seq, entry.hash) for entry in journal.entries()]
        finally:
            journal.close()
        assert kept == [(one.entry.seq, one.entry.hash) for one in self.heard]
        assert self.oracle.tally.wrong == []
        assert self.count(Result) >= ROUNDS / 2


def abused(tmp_path: Path, attack: Callable[[PlayingWar], Awaitable[None]]) -> PlayingWar:
    file = tmp_path / "war.journal"

    async def run() -> PlayingWar:
        table = PlayingWar(file)
        await table.under(attack)
        return table

    table = asyncio.run(run())
    table.check(file)
    return table


def mutants(seed: int) -> Iterator[bytes]:
    """Good and bad requests, each changed at random."""
    chance = random.Random(seed)
    seeds = [GET, *(request[:5000] for request in REFUSED.values())]
    while True:
        request = bytearray(chance.choice(seeds))
        for _ in range(chance.randint(1, 6)):
            at = chance.randrange(len(request) + 1)
            to = min(len(request), at + chance.randint(0, 20))
            request[at:to] = chance.choice(
                (b"", chance.randbytes(3), bytes(request[at:to]) * 3, b"\r\n", b"\0", b"%2e%2e/", b"\xff\xfe")
            )
        yield bytes(request)


@pytest.mark.campaign
def test_no_hostile_request_is_answered_as_a_good_one(tmp_path: Path) -> None:
    wrong: dict[str, bytes] = {}

    async def attack(table: PlayingWar) -> None:
        for name, request in REFUSED.items():
            answer = await table.exchange(request)
            if answer and not answer.startswith(b"HTTP/1.1 4"):
                wrong[name] = answer[:80]

    abused(tmp_path, attack)
    assert wrong == {}


@pytest.mark.campaign
def test_mutated_requests_get_an_http_answer_or_nothing(tmp_path: Path) -> None:
    answers: list[bytes] = []

    async def attack(table: PlayingWar) -> None:
        requests = mutants(7)
        for _ in range(MUTATED // 20):
            some = [table.exchange(next(requests)) for _ in range(20)]
            answers.extend(await asyncio.gather(*some))

    abused(tmp_path, attack)
    assert len(answers) == MUTATED
    for answer in filter(None, answers):
        assert answer.startswith(b"HTTP/1.1 ")
        assert b"HTTP/1.1 500" not in answer
        assert b"root:" not in answer
    assert sum(answer.startswith(b"HTTP/1.1 4") for answer in answers) > MUTATED / 2, "most are refused"


@pytest.mark.campaign
def test_streams_that_are_opened_and_dropped_leave_no_viewer(tmp_path: Path) -> None:
    async def attack(table: PlayingWar) -> None:
        for _ in range(60):
            streams = [
                await asyncio.open_connection("127.0.0.1", table.port, local_addr=(ELSEWHERE, 0)) for _ in range(4)
            ]
            for _, writer in streams:
                writer.write(b"GET /board.events HTTP/1.1\r\n" + _HOST + b"\r\n")
            for reader, writer in streams:
                await reader.read(100)
                writer.transport.abort()
        while table.screens.viewers:
            await asyncio.sleep(0)

    abused(tmp_path, attack)


@pytest.mark.campaign
def test_connections_that_send_a_byte_now_and_then_keep_no_dealers_screen_out(tmp_path: Path) -> None:
    seen: list[bytes] = []

    async def attack(table: PlayingWar) -> None:
        slow = [await asyncio.open_connection("127.0.0.1", table.port, local_addr=(ELSEWHERE, 0)) for _ in range(8)]
        for at in range(len(GET) - 4):
            for _, writer in slow:
                with suppress(ConnectionError):
                    writer.write(GET[at : at + 1])
            seen.append(await table.exchange(GET, "127.0.0.1"))
        for _, writer in slow:
            writer.transport.abort()

    abused(tmp_path, attack)
    assert len(seen) > 30
    assert all(answer.startswith(b"HTTP/1.1 200") for answer in seen)


NOISE_BYTES = 262_144


def hears(table: WiredTable, data: bytes) -> None:
    """The keypad sends this, and the table has read it."""
    table.keypad.send(data)
    table.keypad.arrives()
    table.until(lambda: table.keypad.arrived == 0)


@pytest.mark.campaign
def test_noise_from_the_keypad_enters_nothing_and_the_round_goes_on(tmp_path: Path) -> None:
    chance, table = random.Random(3), WiredTable(tmp_path)
    try:
        table.open()
        table.press("no-more-bets", "done", "1")
        entered = table.table.machine.data.entry
        noise = bytes(byte for byte in chance.randbytes(2 * NOISE_BYTES) if byte != ord("K"))[:NOISE_BYTES]
        for start in range(0, len(noise), 1000):
            hears(table, noise[start : start + 1000])
        hears(table, END)
        assert table.table.machine.data.entry == entered == (1,), "what was keyed is as it was"
        assert any("cannot be understood" in line for line in table.log_lines)
        table.press("2", "3", "enter")
        assert any("RESULT 1-2-3" in line for line in table.log_lines)
        assert table.lit() == set(table.table.machine.lit)
        assert table.journal.verify().problem == ""
    finally:
        table.close()


@pytest.mark.campaign
def test_lamp_modules_that_lie_show_no_result_for_long_that_is_not_on_record(tmp_path: Path) -> None:
    """Noise before each answer, and answers that never come: the lamps are right, or that is on record."""
    chance, table = random.Random(5), WiredTable(tmp_path)
    try:
        table.open()
        table.lamps.noise, table.lamps.noisy_answers = chance.randbytes(9), None
        table.press("no-more-bets", "done", "1", "2", "3")
        table.lamps.lost_answers = 3
        table.press("enter")
        assert any("RESULT 1-2-3" in line for line in table.log_lines)
        known = any("panel" in line for line in table.log_lines)
        assert known or table.lit() == set(table.table.machine.lit)
        table.lamps.noise = b""
        table.until(lambda: table.lit() == set(table.table.machine.lit) != set())
        assert table.journal.verify().problem == ""
    finally:
        table.close()


def hostile_files() -> dict[str, bytes]:
    """Files that somebody gives a table in the place of its own."""
    good = shipped_tables()[GAME].read_bytes()
    laughs = "".join(f"{name}: &{name} [{', '.join([f'*{chr(ord(name) - 1)}'] * 9)}]\n" for name in "bcdefghi")
    keys = "".join(
        f"{''.join(pair)}: 1\n" for pair in zip(*[iter(string.ascii_lowercase * 8000)] * 4, strict=False)
    )
    return {
        "nothing": b"",
        "comments": b"# nothing\n" * 1000,
        "aliases of aliases": f"a: &a [x, x, x]\n{laughs}table: *i\n".encode(),
        "an alias of itself": b"table: &a [*a]\n",
        "an unknown alias": b"table: *a\n",
        "deep lists": b"table: " + b"[" * 50_000,
        "deep maps": b"".join(b" " * depth + b"a:\n" for depth in range(2000)),
        "a long text": b"table: " + b"a" * 5_000_000,
        "a long key": b"a" * 1_000_000 + b": 1\n",
        "many keys": keys.encode(),
        "python": b"table: !!python/object/apply:os.system ['true']\n",
        "binary": b"table: !!binary aGk=\n",
        "a set": b"? table\n? game\n",
        "a long number": good.replace(b"  file:", b"  trace_rounds: " + b"9" * 100_000 + b"\n  file:", 1),
        "an exponent": good + b"\ncomputer: {supply: 1e999999999}\n",
        "no number": good + b"\ncomputer: {supply: .nan}\n",
        "a date": b"table: 0002-01-01\n",
        "two documents": good + b"\n---\n" + good,
        "the same key twice": good + b"\ntable: other\n",
        "a merge": b"a: &a {b: 1}\n<<: *a\n" + good,
        "NUL": good[:100] + b"\0" + good[100:],
        "no UTF-8": good[:100] + b"\xff\xfe" + good[100:],
        "UTF-16": b"\xff\xfe" + good.decode().encode("utf-16-le"),
        "controls": good + b"\n\x1b[2J\x07: 1\n",
        "tabs": good + b"\n\tgame: x\n",
    }


@pytest.mark.campaign
@pytest.mark.parametrize("name", hostile_files())
def test_a_hostile_file_is_refused_with_a_sentence(
    name: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "table.yaml"
    file.write_bytes(hostile_files()[name])
    code = main(["check", str(file)])
    said = "".join(capfd.readouterr())
    assert code not in (0, None), said
    assert "Traceback" not in said
    assert "table.yaml" in said
    assert len(said) < 40_000, "nobody reads more"
    assert "\x1b" not in said
