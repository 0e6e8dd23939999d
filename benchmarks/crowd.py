"""From a key to the lamps while a crowd is at the pages of the table: ``python -m benchmarks.crowd``.

The table is that of :mod:`benchmarks.latency`. Its screens are a process of their own with a nice value of 10, as
in service. Another process opens 400 streams and 300 requests that never end, again and again.
"""

import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks.latency import MODULE, Stopwatch, Took, percentile, timed_round
from benchmarks.report import Measured, main
from benchmarks.wired_table import WiredTable
from controller.runtime.socket import TableSocket, place_of
from controller.viewmodel.views import TableViews
from hal.clock import LoopClock

sys.path.append(str(Path(__file__).resolve().parents[1] / "tests" / "support"))

from servers import free_port

ROUNDS = 200
STREAMS, SLOW = 400, 300
TARGET = 2.0
"""Of the time without a crowd, at the median: two processors serve the table, the screens and the crowd."""


def crowd(port: int) -> None:
    """Open streams and slow requests until killed."""
    asks = (b"GET /dealer.events HTTP/1.1\r\nHost: localhost\r\n\r\n", b"GET / HTTP/1.1\r\nHost: lo")
    while True:
        kept = []
        for number in range(STREAMS + SLOW):
            with suppress(OSError):
                kept.append(socket.create_connection(("127.0.0.1", port), 5))
                kept[-1].sendall(asks[number >= STREAMS])
        time.sleep(2)
        for one in kept:
            one.close()


@contextmanager
def process(*words: str) -> Iterator[None]:
    """A Python process, for as long as it is needed."""
    running = subprocess.Popen(["nice", "-n", "10", sys.executable, *words], stderr=subprocess.DEVNULL)
    try:
        yield
    finally:
        running.kill()
        running.wait()


def timed(table: WiredTable, watch: Stopwatch) -> list[float]:
    """Of so many rounds, the key that ends the entry."""
    found: list[Took] = [timed_round(table, watch) for _ in range(ROUNDS)]
    return [took.key_to_lamps for took in found]


def measure() -> list[Measured]:
    """The same keys without screens, with a display alone, and with a crowd."""
    with TemporaryDirectory() as folder:
        table = WiredTable(Path(folder), MODULE)
        file, port = Path(folder) / "table.journal", free_port()
        views: TableViews = table.run(lambda: TableViews(table.table.setup.config, LoopClock()))  # type: ignore[assignment]
        at_socket = TableSocket(place_of("", file), file, views)
        try:
            table.open()
            watch = Stopwatch(table)
            table.run(lambda: views.watch(table.table))
            table.loop.run_until_complete(at_socket.open())
            at_socket.serve(table.journal)
            alone = timed(table, watch)
            with process("-m", "controller", "screens", "sic-bo", "--journal", str(file), "--port", str(port)):
                table.until(lambda: bool(at_socket._viewers))
                shown = timed(table, watch)
                with process("-c", f"from benchmarks.crowd import crowd; crowd({port})"):
                    table.until(_after(5.0))
                    crowded = timed(table, watch)
        finally:
            table.run(at_socket.close)
            table.close()
    lines = []
    for what, found in (("no screens", alone), ("screens", shown), ("screens with a crowd", crowded)):
        for percent in (50, 99):
            ratio = percentile(found, percent) / percentile(alone, percent)
            target, passed = (f"under {TARGET:.0f} times", ratio < TARGET) if percent == 50 else ("", None)
            label = f"key to lamps, {what}, p{percent}"
            lines.append(Measured(label, f"{percentile(found, percent):.2f} ms", f"{ratio:.2f}", target, passed))
    return lines


def _after(seconds: float) -> Callable[[], bool]:
    until = time.monotonic() + seconds
    return lambda: time.monotonic() > until


if __name__ == "__main__":
    sys.exit(main(measure))
