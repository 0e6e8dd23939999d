"""What hundreds of viewers cost a table: ``python -m benchmarks.viewers``.

A whole Sic Bo table on serial lines (see :mod:`benchmarks.latency`) plays round after round while 200 viewers
follow its board and its dealer's screen over loopback, and in turn without them, for a minute each. The viewers are
a process of their own that takes everything at once.
"""

import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from selectors import EVENT_READ, DefaultSelector
from tempfile import TemporaryDirectory

from benchmarks.latency import MODULE, Stopwatch, Took, WiredTable, percentile, timed_round
from benchmarks.report import Measured, main
from controller.configuration.shipped import find_table
from controller.screens.rounds import Rounds
from controller.screens.server import ScreenServer
from hal.clock import LoopClock

VIEWERS = 200
MINUTE_S, BLOCKS = 60.0, 6
"""How long with viewers, and how long without, in so many stretches that take turns."""
MOST = 1.2
"""Of the latency without viewers."""


def measure(minute_s: float = MINUTE_S) -> list[Measured]:
    """Key to lamps, with and without viewers, in one run."""
    with TemporaryDirectory() as folder:
        table = WiredTable(Path(folder), MODULE)
        try:
            table.open()
            return _measured(*_alternate(table, Path(folder), minute_s))
        finally:
            table.close()


def _alternate(table: WiredTable, folder: Path, minute_s: float) -> tuple[list[Took], list[Took], int]:
    """The keys without and with viewers, and how much a viewer was sent, in bytes."""
    screens = ScreenServer(find_table("sic-bo"), _clock(table), Rounds(folder, folder))
    screens.watch(table.table)
    port = table.loop.run_until_complete(screens.open("127.0.0.1", 0))
    watch = Stopwatch(table)
    alone: list[Took] = []
    watched: list[Took] = []
    taken = 0
    for _ in range(BLOCKS):
        alone += _play(table, watch, minute_s / BLOCKS)
        with _viewers(table, screens, port) as process:
            watched += _play(table, watch, minute_s / BLOCKS)
        taken += int(process.communicate()[0]) // VIEWERS
    screens.close()
    return alone, watched, taken


def _clock(table: WiredTable) -> LoopClock:
    made: list[LoopClock] = []
    table.run(lambda: made.append(LoopClock()))
    return made[0]


def _play(table: WiredTable, watch: Stopwatch, seconds: float) -> list[Took]:
    end_s = time.monotonic() + seconds
    found = []
    while time.monotonic() < end_s:
        found.append(timed_round(table, watch))
    return found


@contextmanager
def _viewers(table: WiredTable, screens: ScreenServer, port: int) -> Iterator["subprocess.Popen[str]"]:
    command = [sys.executable, "-m", "benchmarks.viewers", "--follow", str(port)]
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    table.until(lambda: screens.viewers == VIEWERS)
    yield process
    assert screens.viewers == VIEWERS, "nobody was dropped"
    assert process.stdin is not None
    process.stdin.close()
    process.stdin = None
    table.until(lambda: screens.viewers == 0)


def follow(port: int) -> int:
    """Follow until stdin closes; print how many bytes came."""
    ready, taken = DefaultSelector(), 0
    ready.register(sys.stdin, EVENT_READ)
    for number in range(VIEWERS):
        viewer = socket.create_connection(("127.0.0.1", port))
        stream = "board" if number % 2 else "dealer"
        viewer.sendall(f"GET /{stream}.events HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())
        ready.register(viewer, EVENT_READ)
    while True:
        for key, _ in ready.select():
            if key.fileobj is sys.stdin:
                print(taken)
                return 0
            assert isinstance(key.fileobj, socket.socket)
            taken += len(key.fileobj.recv(1 << 16))


def _measured(alone: list[Took], watched: list[Took], taken: int) -> list[Measured]:
    lines = []
    for percent in (50, 99):
        before, after = (percentile([took.key_to_lamps for took in found], percent) for found in (alone, watched))
        passed = after / before <= MOST
        what = f"key to lamps, p{percent}: {VIEWERS} viewers beside none"
        figure = f"{after:.2f} beside {before:.2f} ms"
        lines.append(Measured(what, figure, f"{after / before:.2f}", f"at most {MOST}", passed))
    lines.append(Measured("rounds with viewers, and without", f"{len(watched)}, {len(alone)}"))
    lines.append(Measured("sent to each viewer", f"{taken / 1e6:.1f} MB"))
    return lines


if __name__ == "__main__":
    sys.exit(follow(int(sys.argv[2])) if sys.argv[1:2] == ["--follow"] else main(measure))
