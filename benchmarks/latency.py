"""From a dealer's key to the lamps that it lights, through real drivers: ``python -m benchmarks.latency``.

A whole Sic Bo table: the key's line arrives at a serial port, the roll is decided, recorded and synced, and the
frame that switches the Modbus module's coils has left. Both ports are pseudo-terminals, so the time that the bytes
take on a real line is not in the figures; it is printed beside them. The module is pymodbus's own server, in a
thread.
"""

import asyncio
import sys
import time
from pathlib import Path
from statistics import quantiles
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

from benchmarks.report import Measured, main
from benchmarks.wired_table import WiredTable
from controller.table import keys

ROUNDS = 500
MODULE = {1: 50}
BAUD_RATE, BITS = 19_200, 11
TARGET_MS = 2.0
"""At the 99th percentile, on top of the durable commit."""


class Took(NamedTuple):
    """One key, in milliseconds."""

    key_to_lamps: float
    commit: float


class Stopwatch:
    """Takes the times at which the record was begun and durable, and at which the module's coils were set.

    Its table plays faster than hands do: no keypad is taken for a noisy one.
    """

    def __init__(self, table: WiredTable) -> None:
        keys.MOST = ROUNDS * 1_000_000
        self._loop = table.loop
        self._coils_set = asyncio.Event()
        self._lamps_ns = self._commit_ns = self._began_ns = 0
        self._append = table.journal.append
        table.journal.append = self._appends  # type: ignore[method-assign, assignment]
        table.lamps.on_bytes = self._written

    def start(self) -> None:
        self._coils_set.clear()
        self._commit_ns = self._lamps_ns = 0
        self._began_ns = time.monotonic_ns()

    async def stopped(self) -> Took:
        """Wait until the lamps were set."""
        await self._coils_set.wait()
        return Took((self._lamps_ns - self._began_ns) / 1e6, self._commit_ns / 1e6)

    def _appends(self, *entry: Any) -> Any:
        begun_ns = time.monotonic_ns()
        appended = self._append(*entry)
        if not self._lamps_ns:  # What is recorded later is no part of it.
            self._commit_ns += time.monotonic_ns() - begun_ns
        return appended

    def _written(self) -> None:
        if not self._lamps_ns:
            self._lamps_ns = time.monotonic_ns()
            self._loop.call_soon_threadsafe(self._coils_set.set)


def times(rounds: int, mirrored: bool = False) -> list[Took]:
    """Of so many rounds, the key that ends the entry.

    Args:
        mirrored: the table has a second journal, here on the same disk.
    """
    with TemporaryDirectory() as folder:
        table = WiredTable(Path(folder), MODULE, mirror=Path(folder) / "mirror.journal" if mirrored else None)
        try:
            table.open()
            watch = Stopwatch(table)
            return [timed_round(table, watch) for _ in range(rounds)]
        finally:
            table.close()


def timed_round(table: WiredTable, watch: Stopwatch) -> Took:
    """Play a round, and time the key that ends the entry."""
    table.press("no-more-bets", *"255")
    watch.start()
    table.send("enter")
    took = table.loop.run_until_complete(watch.stopped())
    table.until(lambda: table.state == "result")
    table.press("done", "done", "clear")
    return took


def percentile(found: list[float], percent: int) -> float:
    return quantiles(found, n=100, method="inclusive")[percent - 1]


def _with_mirror(one: list[float], both: list[float], percent: int) -> Measured:
    before, after = percentile(one, percent), percentile(both, percent)
    return Measured(f"with a mirror on the same disk, p{percent}", f"{after:.2f} ms", f"{after / before:.2f}")


def measure() -> list[Measured]:
    """The distribution over the rounds."""
    found, mirrored = times(ROUNDS), times(ROUNDS, mirrored=True)
    whole = [took.key_to_lamps for took in found]
    beyond = [took.key_to_lamps - took.commit for took in found]
    p99 = percentile(beyond, 99)
    on_the_line = (9 + -(-MODULE[1] // 8)) * BITS / BAUD_RATE * 1000
    what = "key to lamps over a pty"
    return [
        Measured(f"{what}, p50 of {ROUNDS}", f"{percentile(whole, 50):.2f} ms"),
        Measured(f"{what}, p99", f"{percentile(whole, 99):.2f} ms"),
        _with_mirror(whole, [took.key_to_lamps for took in mirrored], 50),
        _with_mirror(whole, [took.key_to_lamps for took in mirrored], 99),
        Measured(f"{what}, without the commit, p50", f"{percentile(beyond, 50):.2f} ms"),
        Measured(
            f"{what}, without the commit, p99", f"{p99:.2f} ms", "", f"under {TARGET_MS:.0f} ms", p99 < TARGET_MS
        ),
        Measured(f"the frame's bytes at {BAUD_RATE} baud, besides", f"{on_the_line:.1f} ms"),
    ]


if __name__ == "__main__":
    sys.exit(main(measure))
