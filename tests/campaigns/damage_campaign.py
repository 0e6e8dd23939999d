"""Damage to a killed table's files: ``python -m campaigns.damage_campaign --count N --seed S``.

A table is killed while a result is lit. Then one thing is done to its files: a bit is flipped (most often in the
last frames of SQLite's log), a file is cut, overwritten or taken away, a row is changed. On what is left, `verify`
and a start must name the damage, or have every entry. Anything else is a silent loss.
"""

import random
import sqlite3
import sys
from argparse import ArgumentParser
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory

from campaigns.losses import MEMORY

from controller.bench.rig import Rig
from controller.configuration.shipped import load_table, table_path
from controller.journal.errors import JournalError
from controller.journal.head_anchor import AnchoredHead, head_in
from controller.journal.journal import Journal
from controller.journal.quarantine import examine

Files = dict[str, bytearray]
"""Content by the end of the name."""
FRAME = 24 + 1024
EACH = 40
"""Kinds of damage to one killed table."""


@dataclass
class Tally:
    """How often each kind of damage was named or harmless, and what was lost silently."""

    counted: Counter[tuple[str, str]] = field(default_factory=Counter)
    silent: list[str] = field(default_factory=list)


def killed(folder: Path, rounds: int) -> Files:
    """What is left of a table that was killed while its last result was lit."""
    rig = Rig(load_table(table_path("dreamcatcher")).config, folder / "killed.journal")
    rig.turn(1.2)
    for number in range(rounds):
        if number:
            rig.press("done", "done", "clear")
        rig.press("no-more-bets")
        rig.spin(3.3, stop_on="10")
    left = {end: bytearray((folder / f"killed.journal{end}").read_bytes()) for end in ("", "-wal", ".head")}
    rig.table.stop()
    rig.journal.close()
    for file in folder.glob("killed.journal*"):
        file.unlink()
    return left


# -- damage ----------------------------------------------------------------------------------------------------


def _flip(end: str, frames: int = 0) -> Callable[[Files, random.Random], None]:
    """A bit is flipped, in the last so many frames or anywhere."""

    def flips(files: Files, rng: random.Random) -> None:
        data = files[end]
        first = max(0, len(data) - frames * FRAME) if frames else 0
        if data:
            data[rng.randrange(first, len(data))] ^= 1 << rng.randrange(8)

    return flips


def _cut(end: str) -> Callable[[Files, random.Random], None]:
    def cuts(files: Files, rng: random.Random) -> None:
        del files[end][rng.randrange(len(files[end]) + 1) :]

    return cuts


def _zeros(end: str) -> Callable[[Files, random.Random], None]:
    def overwrites(files: Files, rng: random.Random) -> None:
        place = rng.randrange(len(files[end]) + 1)
        files[end][place : place + 512] = bytes(len(files[end][place : place + 512]))

    return overwrites


def _take(end: str) -> Callable[[Files, random.Random], None]:
    def takes(files: Files, rng: random.Random) -> None:
        del files[end]

    return takes


DAMAGE: dict[str, Callable[[Files, random.Random], None]] = {
    "bit in the last frames": _flip("-wal", 6),
    "bit in the last frame": _flip("-wal", 1),
    "bit in the log": _flip("-wal"),
    "bit in the file": _flip(""),
    "bit in the head": _flip(".head"),
    "log cut": _cut("-wal"),
    "file cut": _cut(""),
    "sector of the log": _zeros("-wal"),
    "sector of the file": _zeros(""),
    "no log": _take("-wal"),
    "no head": _take(".head"),
}
ROWS = (
    "DELETE FROM entries WHERE seq = (SELECT max(seq) FROM entries)",
    "DELETE FROM entries WHERE seq = 2",
    "UPDATE entries SET seq = -seq WHERE seq = 1",
    "UPDATE entries SET seq = 0 WHERE seq = 1",
    "UPDATE entries SET seq = seq + 1000000 WHERE seq = (SELECT max(seq) FROM entries)",
    "UPDATE entries SET round = -1 WHERE seq = 3",
    "UPDATE entries SET body = replace(body, '10', '20') WHERE kind = 'wheel-rested'",
    "UPDATE entries SET checkpoint = '' WHERE checkpoint IS NULL",
)
"""With a database tool, after which the log is in the file."""


def _change(file: Path, statement: str) -> None:
    with closing(sqlite3.connect(file, isolation_level=None)) as db:
        db.executescript(f"DROP TRIGGER no_update; DROP TRIGGER no_delete; {statement}")


# -- the campaign ----------------------------------------------------------------------------------------------


def campaign(count: int, seed: int, folder: Path) -> Tally:
    """Damage killed tables so often."""
    tally, rng = Tally(), random.Random(seed)
    for number in range(count):
        if number % EACH == 0:
            left = killed(folder, rng.choice((1, 2, 5, 60)))
            head = head_in(bytes(left[".head"]))
            assert head is not None
        statement = rng.choice(ROWS) if rng.random() < 0.1 else ""
        kind = statement or rng.choice(list(DAMAGE))
        files = {end: bytearray(data) for end, data in left.items()}
        if not statement:
            DAMAGE[kind](files, rng)
        found = _found(files, statement, folder, head)
        tally.counted["row changed" if statement else kind, found] += 1
        if found not in ("named", "harmless"):
            tally.silent.append(f"seed {seed}, case {number}, {kind}: {found}")
    return tally


def _found(files: Files, statement: str, folder: Path, head: AnchoredHead) -> str:
    """``named``, ``harmless``, or what is wrong."""
    verified = examine(_laid_out(files, statement, folder))
    named, kept = "", None
    try:
        with closing(Journal(_laid_out(files, statement, folder))) as journal:
            named, kept = journal.end_problem(), (len(journal), journal.head)
    except JournalError as error:
        named = str(error)
    if not named and kept != head:
        return f"a table starts with {kept} in the place of {head}"
    if not verified.problem and (verified.entries, verified.head) != head:
        return f"verify finds {verified.entries} entries and no problem"
    return "named" if named or verified.problem else "harmless"


def _laid_out(files: Files, statement: str, folder: Path) -> Path:
    file = folder / "table.journal"
    for old in folder.glob("table.journal*"):
        old.unlink()
    for end, data in files.items():
        Path(f"{file}{end}").write_bytes(data)
    if statement:
        _change(file, statement)
    return file


def main(words: Sequence[str] | None = None) -> int:
    """Run the campaign; 1 if anything was lost silently."""
    parser = ArgumentParser(prog="python -m campaigns.damage_campaign", description=__doc__)
    parser.add_argument("--count", type=int, default=700, metavar="N", help="kinds of damage (default 700)")
    parser.add_argument("--seed", type=int, default=1, metavar="S", help="seed of everything random (default 1)")
    arguments = parser.parse_args(words)
    with TemporaryDirectory(dir=MEMORY if MEMORY.is_dir() else None) as folder:
        tally = campaign(arguments.count, arguments.seed, Path(folder))
    for (kind, found), count in sorted(tally.counted.items()):
        print(f"  {kind}: {found if found in ('named', 'harmless') else 'SILENT'} {count}")
    print(f"{arguments.count} kinds of damage, silent losses: {len(tally.silent)}")
    for line in tally.silent:
        print(f"  {line}")
    return 1 if tally.silent else 0


if __name__ == "__main__":
    sys.exit(main())
