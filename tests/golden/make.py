"""Plays the rounds of a release's golden journals and writes them: ``python -m tests.golden.make 0.1.0 FOLDER``.

It is run once for a release, with the release's own code. What it wrote then is kept and is the truth; later code
must read it as the release did (``test_golden_journals.py``). Seeded, on simulated hardware and virtual time.
"""

import gzip
import json
import re
import sqlite3
import sys
from argparse import ArgumentParser
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory

from controller.bench.oracle import Oracle
from controller.configuration.shipped import load_table
from controller.journal.head_anchor import anchor_file
from controller.journal.replay.trace import trace_file
from tests.golden.people import GoldenDealer, GoldenRig
from tests.golden.reading import EXPECTED, JOURNAL, TABLE, TRACE, WITNESS, read
from tests.golden.rounds import GAMES
from tests.golden.tables import table_text

_RELEASE = re.compile(r"[0-9]+\.[0-9]+\.[0-9]+[a-z0-9.]*")


def main(words: Sequence[str] | None = None) -> int:
    parser = ArgumentParser(prog="python -m tests.golden.make", description=__doc__)
    parser.add_argument("release", metavar="RELEASE", help="the release that writes, for example 0.1.0")
    parser.add_argument("folder", metavar="FOLDER", type=Path, help="where FOLDER/RELEASE/GAME/… is written")
    parser.add_argument("--game", choices=sorted(GAMES), action="append", help="only this one; default all")
    parser.add_argument("--overwrite", action="store_true", help="replace what is there")
    arguments = parser.parse_args(words)
    if not _RELEASE.fullmatch(arguments.release):
        parser.error(f"'{arguments.release}' is no release; write it as 0.1.0")
    missed = 0
    for game in arguments.game or sorted(GAMES):
        place = arguments.folder / arguments.release / game
        if place.exists() and not arguments.overwrite:
            print(f"golden.make: {place} is there: golden files are kept; or add --overwrite", file=sys.stderr)
            return 2
        try:
            missed += _make(game, place)
        except (OSError, ValueError) as error:
            print(f"golden.make: {game}: {error}", file=sys.stderr)
            return 1
    return 1 if missed else 0


def _make(game: str, place: Path) -> int:
    """Write the files of a game; returns the part of the plan that could not be carried out."""
    place.mkdir(parents=True, exist_ok=True)
    (place / TABLE).write_text(table_text(game), encoding="utf-8")
    with TemporaryDirectory() as folder:
        journal = Path(folder) / "table.journal"
        missed = _play(game, place / TABLE, journal)
        for kept, file in ((JOURNAL, journal), (TRACE, trace_file(journal)), (WITNESS, anchor_file(journal))):
            if file.exists():
                _whole(file)
                _write(place / kept, file.read_bytes())
    # Line by line: what changes from one release to the next can be looked at with diff.
    expected = json.dumps(read(place), ensure_ascii=False, indent=0, sort_keys=True)
    _write(place / EXPECTED, expected.encode())
    size = sum(file.stat().st_size for file in place.iterdir())
    print(f"{place}: {size // 1000} kB")
    for state in missed:
        print(f"golden.make: {game} did not come into the state {state}", file=sys.stderr)
    return len(missed)


def _play(game: str, table: Path, journal: Path) -> list[str]:
    """Play; returns the states of the plan that were not reached."""
    planned, oracle = GAMES[game], Oracle()
    rig = GoldenRig(load_table(table), journal, planned.seed, planned.traced, oracle)
    people = GoldenDealer(rig, planned.seed, oracle, planned.plan)
    try:
        people.carry_out(planned.rounds)
    finally:
        rig.finish()
    return people.missed


def _whole(file: Path) -> None:
    """One file holds everything: the log of writes is copied into it. The head anchor is no database."""
    if not file.read_bytes().startswith(b"SQLite format 3\0"):
        return
    with closing(sqlite3.connect(file, isolation_level=None)) as db:
        db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        db.execute("PRAGMA journal_mode=DELETE")


def _write(file: Path, data: bytes) -> None:
    file.write_bytes(gzip.compress(data, 9, mtime=0))


if __name__ == "__main__":
    sys.exit(main())
