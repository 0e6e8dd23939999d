"""Durable commits, against bare SQLite: ``python -m benchmarks.journal [FOLDER]``.

A commit of ours is an entry: hash chain, triggers, index of checkpoints, head anchor. A bare one inserts a row of
the same size into a plain table, and overwrites and syncs a block of a second file. All files lie in the same
folder, the databases in WAL mode with ``synchronous=FULL``. Blocks of commits take turns within one run, because
the speed of a disk changes from second to second. To make each flush 10 ms slower, run it under
``strace -f --quiet=all -e trace=fsync,fdatasync -e inject=fsync,fdatasync:delay_exit=10ms -o /dev/null``.
"""

import os
import sqlite3
import sys
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

from benchmarks.report import Measured, main, rate
from controller.events.event import Direction, WheelRested
from controller.events.record import Record
from controller.journal.chain import ChainVerdict, Entry
from controller.journal.journal import Journal
from controller.journal.record import to_json

BLOCKS = 40
COMMITS = 100
TARGET = 0.9
_BARE = """
CREATE TABLE entries (
    seq INTEGER PRIMARY KEY,
    round INTEGER,
    at_ns INTEGER,
    utc TEXT,
    kind TEXT,
    body TEXT,
    checkpoint TEXT,
    hash TEXT
)
"""


def body() -> str:
    """What an entry of a spin says."""
    rested = WheelRested(1_234_567_890, Direction.CLOCKWISE, 6480, 1440, located=True, section=31)
    return to_json(Record(rested, "accepted", "result", ()))


def measure(folder: Path | None = None) -> list[Measured]:
    """Blocks of commits by turns; the ratio of the medians."""
    with TemporaryDirectory(dir=folder) as place:
        journal, bare = Journal(Path(place) / "table.journal"), _bare(Path(place) / "bare.db")
        headless = Journal(Path(place) / "headless.journal")
        headless._note_head = lambda: None  # type: ignore[method-assign]
        beside = os.open(Path(place) / "bare.head", os.O_WRONLY | os.O_CREAT)
        text, kept = body(), Entry(1, 1, 1, "2026-01-01T00:00:00.000Z", "wheel-rested", "", None, "0" * 64)

        def insert(i: int) -> None:
            row = (i + 1, i, i, kept.utc, kept.kind, text, None, kept.hash)
            bare.execute("INSERT INTO entries VALUES (?, ?, ?, ?, ?, ?, ?, ?)", row)
            os.pwrite(beside, kept.hash.encode(), 0)
            os.fdatasync(beside)

        def append(i: int) -> None:
            journal.append(i, i, i, kept.kind, text, None)

        def append_alone(i: int) -> None:
            headless.append(i, i, i, kept.kind, text, None)

        theirs, ours, alone = _by_turns(insert, append, append_alone)
        verdict = journal.verify()
        journal.close()
        headless.close()
        bare.close()
        os.close(beside)
    return _lines(median(theirs), median(ours), median(alone), verdict)


def _lines(theirs: float, ours: float, alone: float, verdict: ChainVerdict) -> list[Measured]:
    ratio = ours / theirs
    return [
        Measured("bare SQLite, WAL, synchronous=FULL, and a synced block", rate(theirs), "1"),
        Measured(
            "journal, hash chain and head included",
            rate(ours),
            f"{ratio:.2f}",
            f"at least {TARGET}",
            ratio >= TARGET,
        ),
        Measured("journal without its head", rate(alone), f"{alone / theirs:.2f}"),
        Measured("entries that verify", str(verdict.entries), target="all", passed=not verdict.problem),
    ]


def _by_turns(*commits: Callable[[int], None]) -> list[list[float]]:
    """Commits a second of each, block by block."""
    rates: list[list[float]] = [[] for _ in commits]
    for block in range(BLOCKS):
        for number, commit in enumerate(commits):
            start = time.perf_counter()
            for i in range(block * COMMITS, (block + 1) * COMMITS):
                commit(i)
            rates[number].append(COMMITS / (time.perf_counter() - start))
    return rates


def _bare(file: Path) -> sqlite3.Connection:
    db = sqlite3.connect(file, isolation_level=None)
    db.execute("PRAGMA journal_mode=WAL")
    db.execute("PRAGMA synchronous=FULL")
    db.execute(_BARE)
    return db


if __name__ == "__main__":
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else None
    sys.exit(main(lambda: measure(folder)))
