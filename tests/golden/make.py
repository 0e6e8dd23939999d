"""Plays the rounds of a release's golden journals and writes them: ``python -m tests.golden.make FOLDER``.

Run it once for a release, with the release's own code. What it wrote then is kept and is the truth; later code must
read it as the release did (``test_golden_journals.py``). Seeded, on simulated hardware and virtual time. Before a
game's files are written, its journal is read back: it must verify, recover wherever it is cut, and be decided as on
record.

Exit codes: 0; 1 if a game could not be made: nothing of it is written; 2 if its files are there, or for usage.
"""

import gzip
import json
import logging
import sqlite3
import sys
import time
from argparse import ArgumentParser, RawDescriptionHelpFormatter
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from shutil import copytree, rmtree
from tempfile import TemporaryDirectory
from typing import Any

from config.problems import ConfigError
from controller import __version__
from controller.bench.dealer import StuckTableError
from controller.bench.oracle import Oracle
from controller.configuration.shipped import load_table
from controller.journal.errors import JournalError
from controller.journal.head_anchor import anchor_file
from controller.journal.replay.trace import trace_file
from hal.errors import HalError
from tests.golden.people import GoldenDealer, GoldenRig
from tests.golden.reading import EXPECTED, JOURNAL, TABLE, TRACE, WITNESS, read
from tests.golden.tables import GAMES, table_text

HERE = Path(__file__).resolve().parent
SEED, ROUNDS = 11, 30
TRACED = 100
"""Of how many rounds the edges are kept: of all. What the tracker learned before the first of them is not known."""


class NotMadeError(Exception):
    """A game's files cannot be made."""


def main(words: Sequence[str] | None = None) -> int:
    parser = ArgumentParser(
        prog="python -m tests.golden.make", description=__doc__, formatter_class=RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", metavar="FOLDER", type=Path, help=f"FOLDER/{__version__}/GAME/ is written")
    parser.add_argument("--game", choices=GAMES, action="append", help="only this one; default all")
    parser.add_argument("--overwrite", action="store_true", help=f"replace what is there, but not in {HERE.name}/")
    arguments = parser.parse_args(words)
    places = {game: arguments.folder / __version__ / game for game in arguments.game or GAMES}
    for place in places.values():
        if place.exists() and (not arguments.overwrite or HERE in place.resolve().parents):
            print(f"golden.make: {place} is there, and golden files are kept; name another folder", file=sys.stderr)
            return 2
    return max([_made(game, place) for game, place in places.items()])


def _made(game: str, place: Path) -> int:
    began = time.monotonic()
    try:
        with TemporaryDirectory() as folder, _without_log():
            _make(game, Path(folder))
            rmtree(place, ignore_errors=True)
            copytree(folder, place)
    except (NotMadeError, StuckTableError, ConfigError, JournalError, HalError, OSError, ValueError) as error:
        print(f"golden.make: {game}: {error}", file=sys.stderr)
        return 1
    size = sum(file.stat().st_size for file in place.iterdir())
    _say(f"{place}: {size // 1000} kB, {time.monotonic() - began:.0f} s")
    return 0


def _say(text: str) -> None:
    print(text, flush=True)


@contextmanager
def _without_log() -> Iterator[None]:
    """Faults on purpose are logged, and would be taken for others."""
    nowhere = logging.NullHandler()
    logging.getLogger().addHandler(nowhere)
    try:
        yield
    finally:
        logging.getLogger().removeHandler(nowhere)


def _make(game: str, place: Path) -> None:
    """Write the files of a game.

    Raises:
        NotMadeError: the journal is not read as it must be.
    """
    (place / TABLE).write_text(table_text(game), encoding="utf-8")
    with TemporaryDirectory() as folder:
        journal = Path(folder) / "table.journal"
        _say(f"{game}: {ROUNDS} rounds are played")
        _play(game, place / TABLE, journal)
        for kept, file in ((JOURNAL, journal), (TRACE, trace_file(journal)), (WITNESS, anchor_file(journal))):
            if file.exists():
                _write(place / kept, _whole(file))
    _say(f"{game}: what was recorded is read, whole and wherever it is cut")
    expected = read(place)
    if wrong := list(misread(expected)):
        raise NotMadeError("; ".join(wrong))
    # Line by line: what changes from one release to the next can be looked at with diff.
    _write(place / EXPECTED, json.dumps(expected, ensure_ascii=False, indent=0, sort_keys=True).encode())
    _say(f"{game}: {len(expected['entries'])} entries, {len(expected['replayed'])} rounds")


def misread(expected: dict[str, Any]) -> Iterator[str]:
    """What must not be read of a journal that this code wrote."""
    yield from (problem for problem in (expected["verify"]["problem"], expected["verify"]["witness"]) if problem)
    for place, found in expected["recovered"].items():
        if "error" in found:
            yield f"recovered, {place}: {found['error']}"
    for round_, again in expected["replayed"].items():
        if other := sorted({one["seq"] for one in again["differences"]}):
            yield f"{round_}: decided otherwise at {', '.join(map(str, other))}"


def _play(game: str, table: Path, journal: Path) -> None:
    oracle, seed = Oracle(), SEED + GAMES.index(game)
    rig = GoldenRig(load_table(table), journal, seed, TRACED, oracle)
    try:
        GoldenDealer(rig, seed, oracle).play(ROUNDS)
    finally:
        rig.finish()


def _whole(file: Path) -> bytes:
    """A file with everything in it, its log of writes as well. The head anchor is no database."""
    if not file.read_bytes().startswith(b"SQLite format 3\0"):
        return file.read_bytes()
    whole = file.with_suffix(".whole")
    with closing(sqlite3.connect(file)) as db, closing(sqlite3.connect(whole)) as copy:
        db.backup(copy)
        copy.execute("PRAGMA journal_mode=DELETE")
    return whole.read_bytes()


def _write(file: Path, data: bytes) -> None:
    file.write_bytes(gzip.compress(data, 9, mtime=0))


if __name__ == "__main__":
    sys.exit(main())
