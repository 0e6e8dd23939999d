"""What hostile clients cost a table: ``python -m benchmarks.table_hostile [--seconds N] [--way WAY]``.

A whole Sic Bo table on serial lines (see :mod:`benchmarks.latency`) plays round after round while another process
abuses its servers in one way after the other (:mod:`benchmarks.hostile_clients`), and in turn while nobody does.
The pages are served twice, over HTTP and over TLS; the socket of the table's own computer comes with them.
Meanwhile the dealer's screen, at the table's own address, follows its stream and asks for its page.
"""

import argparse
import asyncio
import ctypes
import gc
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks.hostile_clients import WAYS
from benchmarks.latency import MODULE, PATIENT_MS, Stopwatch, WiredTable, percentile, timed_round
from benchmarks.report import Measured, main
from config.door import TlsSection
from config.schema import ScreensSection
from controller.configuration.shipped import LoadedTable, find_table
from controller.screens.rounds import Rounds
from controller.screens.server import ScreenServer
from controller.web import peers
from hal.clock import LoopClock

sys.path.insert(0, str(Path(__file__).parent.parent / "tests" / "support"))
from servers import Certificates

SECONDS, BLOCKS = 5.0, 2
"""Of each way, in so many stretches with one without between them."""
OWN = "127.0.0.1"
"""The table's own address; others of loopback stand for other computers."""
PAGE_S = 2.0
"""After so long the dealer's screen counts a page as missing."""
MOST_GROWTH_MB, MOST_FILES = 32.0, 8
"""What may be left after all of it, beyond what there was before."""
_SETTLES_S = 3.0
_GET = b"GET %s HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"


@dataclass
class Seen:
    """What was measured under one way.

    Attributes:
        took_ms: key to lamps.
        attacks: how often the clients came.
        pages: asked for by the dealer's screen.
        came: how many of them came whole, and in time.
        documents: what its stream brought.
        lost_streams: how often its stream ended.
        files: open at most.
    """

    took_ms: list[float] = field(default_factory=list)
    attacks: int = 0
    pages: int = 0
    came: int = 0
    documents: int = 0
    lost_streams: int = 0
    files: int = 0


class DealersScreen:
    """The dealer's screen as it sees itself: one stream, and its page again and again."""

    def __init__(self, port: int, seen: Seen) -> None:
        self._port, self._seen = port, seen

    async def run(self) -> None:
        """Until cancelled."""
        async with asyncio.TaskGroup() as tasks:
            tasks.create_task(self._follow())
            tasks.create_task(self._ask())

    async def _follow(self) -> None:
        while True:
            with suppress(OSError):
                reader, writer = await asyncio.open_connection(OWN, self._port)
                try:
                    writer.write(_GET % b"/dealer.events")
                    while line := await reader.readline():
                        self._seen.documents += line.startswith(b"data:")
                finally:
                    writer.transport.abort()
            self._seen.lost_streams += 1
            await asyncio.sleep(0.1)

    async def _ask(self) -> None:
        while True:
            came = await self._page()
            self._seen.pages += 1
            self._seen.came += came
            self._seen.files = max(self._seen.files, open_files())
            await asyncio.sleep(0.1)

    async def _page(self) -> bool:
        """Whether the page comes whole, in time."""
        try:
            async with asyncio.timeout(PAGE_S):
                reader, writer = await asyncio.open_connection(OWN, self._port)
                try:
                    writer.write(_GET % b"/dealer")
                    answer = await reader.read()
                finally:
                    writer.transport.abort()
        except (OSError, TimeoutError):
            return False
        return answer.startswith(b"HTTP/1.1 200") and b"</html>" in answer


class AttackedTable:
    """The table, its pages over HTTP and over TLS, and what was seen of it so far."""

    def __init__(self, table: WiredTable, folder: Path) -> None:
        self.table = table
        self.watch = Stopwatch(table)
        self._rounds: list[Rounds] = []
        made, loaded = Certificates(folder), find_table("sic-bo")
        certificate, key = made.server()
        tls = TlsSection(certificate=str(certificate), key=str(key))
        with_touch = ScreensSection(touch=True)
        self.screens = [self._screens(loaded, folder, one) for one in (with_touch, ScreensSection(tls=tls))]
        self.ports = [table.loop.run_until_complete(one.open(OWN, 0)) for one in self.screens]

    def _screens(self, loaded: LoadedTable, folder: Path, section: ScreensSection) -> ScreenServer:
        made: list[ScreenServer] = []
        config = loaded.config.model_copy(update={"screens": section})
        own, rounds = LoadedTable(loaded.path, config, loaded.digest), Rounds(loaded.path, folder / "table.journal")
        self._rounds.append(rounds)
        self.table.run(lambda: made.append(ScreenServer(own, LoopClock(), rounds)))
        made[0].watch(self.table.table)
        return made[0]

    def play(self, seconds: float, seen: Seen) -> None:
        """Play round after round, with the dealer's screen beside it."""
        loop = self.table.loop
        following = loop.create_task(DealersScreen(self.ports[0], seen).run())
        ends_s = time.monotonic() + seconds
        try:
            while time.monotonic() < ends_s:
                seen.took_ms.append(timed_round(self.table, self.watch).key_to_lamps)
        except AssertionError as error:
            raise AssertionError(
                "\n".join([f"{self.table.state}: {error}", *self.table.log_lines[-12:]])
            ) from error
        finally:
            following.cancel()
            loop.run_until_complete(asyncio.wait([following]))

    def under(self, way: str, seconds: float, seen: Seen) -> None:
        """Play while clients attack."""
        with _clients(way, self.ports, seconds) as process:
            self.play(seconds, seen)
        seen.attacks += int(process.communicate()[0])

    def settle(self) -> None:
        """Play on without clients, until what they asked for is answered."""
        self.play(_SETTLES_S, Seen())
        self.table.until(lambda: not any(one._waiting for one in self._rounds))

    def close(self) -> None:
        for one in self.screens:
            one.close()


@contextmanager
def _by_address() -> Iterator[None]:
    """Only the table's own address is this computer's; each other address of loopback is a peer."""
    group_of = peers.group_of
    peers.group_of = lambda address: peers._OWN_GROUP if address == OWN else address
    try:
        yield
    finally:
        peers.group_of = group_of


@contextmanager
def _clients(way: str, ports: list[int], seconds: float) -> "Iterator[subprocess.Popen[str]]":
    command = [sys.executable, "-m", "benchmarks.hostile_clients", way, *map(str, ports), str(seconds)]
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert process.stdin is not None
    assert process.stdout is not None
    assert process.stdout.readline() == "ready\n"
    process.stdin.write("go\n")
    process.stdin.flush()
    try:
        yield process
    except BaseException:
        process.kill()
        raise


def open_files() -> int:
    """How many descriptors this process has open."""
    return len(os.listdir("/proc/self/fd"))


def memory_mb(what: str = "VmRSS") -> float:
    """The memory that this process holds, or (``VmHWM``) has held at most: proc(5)."""
    lines = Path("/proc/self/status").read_text(encoding="ascii").splitlines()
    return next(int(line.split()[1]) / 1024 for line in lines if line.startswith(f"{what}:"))


def needed_mb() -> float:
    """The memory that this process needs, without what the C library keeps of what was freed: malloc_trim(3)."""
    gc.collect()
    ctypes.CDLL(None).malloc_trim(0)
    return memory_mb()


def measure(seconds: float, ways: list[str], place: Path | None = None) -> list[Measured]:
    """All ways, each between stretches without clients.

    Args:
        seconds: of each way, and as long without any.
        place: where the journal is written; in memory (``/dev/shm``) another's use of the disk is not measured.
    """
    quiet, seen = Seen(), {way: Seen() for way in ways}
    with TemporaryDirectory(dir=place) as folder, _by_address():
        table = WiredTable(Path(folder), MODULE, timeout_ms=PATIENT_MS)
        try:
            table.open()
            attacked = AttackedTable(table, Path(folder))
            attacked.play(seconds / BLOCKS, Seen())  # Everything is loaded, and the buffers are made.
            memory, files = needed_mb(), open_files()
            for _ in range(BLOCKS):
                for way in ways:
                    attacked.play(seconds / BLOCKS, quiet)
                    attacked.under(way, seconds / BLOCKS, seen[way])
            attacked.settle()
            peak_mb, kept_mb = memory_mb("VmHWM") - memory, memory_mb() - memory
            grown_mb, left = needed_mb() - memory, open_files() - files
            problem = table.journal.verify().problem
            attacked.close()
        finally:
            table.close()
    held = Measured("memory, grown at most, and held in the end", f"{peak_mb:.0f}, {kept_mb:.0f} MB")
    return [
        *_without(quiet),
        *(line for way in ways for line in _under(way, seen[way], quiet)),
        held,
        *_left(grown_mb, left, problem),
    ]


def _without(quiet: Seen) -> list[Measured]:
    p50, p99 = (percentile(quiet.took_ms, percent) for percent in (50, 99))
    return [
        Measured(
            f"key to lamps without clients, p50, p99 of {len(quiet.took_ms)}", f"{p50:.2f}, {p99:.2f} ms", "1"
        ),
        Measured("the dealer's pages without clients", f"{quiet.came} of {quiet.pages}"),
    ]


def _under(way: str, seen: Seen, quiet: Seen) -> list[Measured]:
    p50, p99 = (percentile(seen.took_ms, percent) for percent in (50, 99))
    ratios = [found / percentile(quiet.took_ms, percent) for found, percent in ((p50, 50), (p99, 99))]
    got_all = seen.came == seen.pages and not seen.lost_streams
    pages = f"{seen.came} of {seen.pages}, {seen.documents} documents"
    return [
        Measured(
            f"{way}: key to lamps, p50, p99 of {len(seen.took_ms)}",
            f"{p50:.2f}, {p99:.2f} ms",
            ", ".join(f"{ratio:.2f}" for ratio in ratios),
        ),
        Measured(f"{way}: {seen.attacks:,} times; the dealer's pages that came", pages, "", "all", got_all),
        Measured(f"{way}: open files, at most", str(seen.files)),
    ]


def _left(grown_mb: float, left: int, problem: str) -> list[Measured]:
    few, little = f"at most {MOST_FILES}", f"at most {MOST_GROWTH_MB:.0f} MB"
    return [
        Measured("of it needed in the end", f"{grown_mb:.1f} MB", "", little, grown_mb <= MOST_GROWTH_MB),
        Measured("open files, more in the end", str(left), "", few, left <= MOST_FILES),
        Measured("the record, verified", problem or "fits", "", "fits", not problem),
    ]


if __name__ == "__main__":
    parser = argparse.ArgumentParser(prog="python -m benchmarks.table_hostile", description=__doc__)
    parser.add_argument("--seconds", type=float, default=SECONDS, help=f"of each way (default {SECONDS:.0f})")
    parser.add_argument("--way", choices=sorted(WAYS), action="append", help="only this one; may be repeated")
    parser.add_argument("--folder", type=Path, help="where the journal is written; /dev/shm leaves the disk out")
    given = parser.parse_args()
    sys.exit(main(partial(measure, given.seconds, given.way or list(WAYS), given.folder)))
