"""What publishing costs a table, whatever the broker does: ``python -m benchmarks.publishing``.

A whole Sic Bo table on serial lines (see :mod:`benchmarks.latency`) plays round after round, its journal on the
disk, and ``publish`` publishes it, all on this computer: to a Mosquitto that answers, to one that hangs, to a port
without a broker, to a broker that refuses the certificate; and in turn there is no publisher. It plays ten rounds a
second, hundreds of times as many as people do: that often publisher and table use the disk at the same time.
"""

import argparse
import asyncio
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory

import yaml

from benchmarks.latency import MODULE, Stopwatch, Took, WiredTable, on_disk, percentile, timed_round
from benchmarks.report import Measured, main
from config.schema import BrokerSection
from controller.configuration.shipped import table_path
from controller.publishing.cursor import Cursor, CursorError, Published

# The broker is that of the tests.
sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))
sys.path.insert(0, str(Path(__file__).parent.parent / "tests" / "support"))
from servers import Certificates, Mosquitto

MINUTE_S, BLOCKS = 60.0, 6
"""How long with each of the brokers, and how long without a publisher, in so many stretches that take turns."""
SETTLES_S = 3.0
"""A publisher's start, which is not measured."""
CATCHES_UP_S = 60.0
"""By then it has published what was played without it."""
PAUSE_S = 0.1
"""Between two rounds."""
MOST = 1.1
"""Of the latency without a publisher."""
TABLE = "sic-bo"
NONE, UP, HANGING, CLOSED, REFUSING = (
    "no publisher",
    "broker up",
    "broker hanging",
    "no broker at the port",
    "certificate refused",
)
WAYS = (NONE, UP, HANGING, CLOSED, REFUSING)


@dataclass
class Bench:
    """The table, the broker, and what was measured so far.

    Attributes:
        published: how many entries more the broker had taken after the stretches in which it was up.
    """

    table: WiredTable
    broker: Mosquitto
    files: dict[str, Path]
    journal: Path
    took: dict[str, list[Took]] = field(default_factory=lambda: {way: [] for way in WAYS})
    published: int = 0


def measure(seconds: float = MINUTE_S, folder: Path | None = None) -> list[Measured]:
    """Key to lamps, with a publisher and without, in one run.

    Args:
        seconds: of each.
        folder: where the journal is written, on a disk; the checkout's by default.
    """
    with TemporaryDirectory(dir=folder or on_disk()) as place:
        table = WiredTable(Path(place), MODULE)
        certificates = Certificates(Path(place) / "c")
        broker = Mosquitto(Path(place) / "mosquitto", certificates, debug=False)
        broker.start()
        try:
            files = _files(Path(place), broker, certificates)
            bench = Bench(table, broker, files, Path(place) / "table.journal")
            table.open()
            _alternate(bench, seconds / BLOCKS)
            return _published(bench)
        finally:
            broker.stop()
            table.close()


def _files(folder: Path, broker: Mosquitto, certificates: Certificates) -> dict[str, Path]:
    """The table's file for a publisher that the broker knows, and for one that it does not."""
    certificate, key = certificates.foreign(TABLE)
    known = broker.broker(TABLE)
    foreign = known.model_copy(update={"certificate": str(certificate), "key": str(key)})
    files = dict.fromkeys(WAYS, folder / "known.yaml") | {REFUSING: folder / "foreign.yaml"}
    for way, section in ((UP, known), (REFUSING, foreign)):
        files[way].write_text(_with_broker(section))
    return files


def _with_broker(broker: BrokerSection) -> str:
    text = table_path(TABLE).read_text(encoding="utf-8")
    return f"{text}\n{yaml.safe_dump({'broker': broker.model_dump(mode='json')})}"


def _alternate(bench: Bench, seconds: float) -> None:
    """So many stretches of every way; which one begins changes, for a journal grows and a machine warms up."""
    watch = Stopwatch(bench.table)
    for block in range(BLOCKS):
        first = block % len(WAYS)
        for way in (*WAYS[first:], *WAYS[:first]):
            with _beside(bench, way):
                end_s = time.monotonic() + seconds
                while time.monotonic() < end_s:
                    bench.took[way].append(timed_round(bench.table, watch))
                    _wait(bench, PAUSE_S)


@contextmanager
def _beside(bench: Bench, way: str) -> Iterator[None]:
    """A publisher whose broker behaves in a way; at the end the broker is as it was."""
    if way == NONE:
        yield
        return
    if way == CLOSED:
        bench.broker.kill()
    before = _cursor(bench.journal)
    command = [
        sys.executable,
        "-m",
        "controller",
        "publish",
        str(bench.files[way]),
        "--journal",
        str(bench.journal),
    ]
    with (bench.journal.parent / "publisher.log").open("ab") as log:
        process = subprocess.Popen(command, stdout=log, stderr=log)
    try:
        _settle(bench, way)
        if way == HANGING:
            bench.broker.hang()
        yield
        assert process.poll() is None, (bench.journal.parent / "publisher.log").read_text(errors="replace")
    finally:
        if way == HANGING:
            bench.broker.go_on()
        process.terminate()
        process.wait()
        if way == CLOSED:
            bench.broker.start()
    if way == UP:
        bench.published += _cursor(bench.journal) - before


def _settle(bench: Bench, way: str) -> None:
    """Wait until a publisher has started, and has published what was waiting if it can."""
    _wait(bench, SETTLES_S)
    opened = bench.table.journal.last_checkpoint()
    until_s = time.monotonic() + CATCHES_UP_S
    while way in (UP, HANGING) and opened is not None and _cursor(bench.journal) < opened.seq:
        assert time.monotonic() < until_s, f"the publisher reached only entry {_cursor(bench.journal)}"
        _wait(bench, PAUSE_S)


def _wait(bench: Bench, seconds: float) -> None:
    """Let the table wait as it does when nobody presses a key."""
    bench.table.loop.run_until_complete(asyncio.sleep(seconds))


def _cursor(journal: Path) -> int:
    """The last entry that a round's message covers which the broker has taken."""
    published: Published | None = None
    with suppress(CursorError):
        cursor = Cursor(Path(f"{journal}.published"), read_only=True)
        published = cursor.published()
        cursor.close()
    return published.closed if published is not None else 0


def _published(bench: Bench) -> list[Measured]:
    lines = []
    for percent in (50, 99):
        without = percentile([took.key_to_lamps for took in bench.took[NONE]], percent)
        what = f"key to lamps, p{percent}"
        lines.append(Measured(f"{what}: {NONE}", f"{without:.2f} ms", "1"))
        for way in WAYS[1:]:
            found = percentile([took.key_to_lamps for took in bench.took[way]], percent)
            ratio = found / without
            target = f"at most {MOST}"
            lines.append(Measured(f"{what}: {way}", f"{found:.2f} ms", f"{ratio:.2f}", target, ratio <= MOST))
    lines.append(Measured("rounds of each", ", ".join(str(len(bench.took[way])) for way in WAYS)))
    lines.append(
        Measured("entries published while the broker was up", str(bench.published), "", "some", bench.published > 0)
    )
    return lines


if __name__ == "__main__":
    parser = argparse.ArgumentParser(prog="python -m benchmarks.publishing", description=__doc__)
    parser.add_argument("--seconds", type=float, default=MINUTE_S, help=f"of each (default {MINUTE_S:.0f})")
    parser.add_argument(
        "--folder", type=Path, help="where the journal is written, on a disk; default: the checkout's"
    )
    given = parser.parse_args()
    sys.exit(main(lambda: measure(given.seconds, given.folder)))
