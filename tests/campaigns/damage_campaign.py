"""Damage to a killed table's files: ``python -m campaigns.damage_campaign --count N --seed S``.

A table is killed while a result is lit. Then one thing is done to its files: a bit is flipped (most often in the
last frames of SQLite's log), a file is cut, overwritten or taken away, a row is changed. On what is left, `verify`
and a start must name the damage, or have every entry. Anything else is a silent loss.
"""

import random
import sqlite3
import sys
from collections import Counter
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

from campaigns import running

from controller.bench.rig import Rig
from controller.configuration.shipped import load_table, table_path
from controller.journal.errors import JournalError
from controller.journal.head_anchor import AnchoredHead, head_in
from controller.journal.journal import Journal
from controller.journal.set_aside import examine

FRAME = 24 + 1024
EACH = 40
"""Kinds of damage to one killed table."""


@dataclass
class Tally(running.Tally):
    """How often each kind of damage was named or harmless, and what was lost silently."""

    counted: Counter[tuple[str, str]] = field(default_factory=Counter)
    silent: list[str] = field(default_factory=list)


def killed(folder: Path, rounds: int) -> dict[str, bytes]:
    """What is left of a table that was killed while its last result was lit, by the end of the file's name."""
    with closing(Rig(load_table(table_path("dreamcatcher")).config, folder / "killed.journal")) as rig:
        rig.turn(1.2)
        for number in range(rounds):
            if number:
                rig.press("done", "done", "clear")
            rig.press("no-more-bets")
            rig.spin(3.3, stop_on="10")
        left = {end: (folder / f"killed.journal{end}").read_bytes() for end in ("", "-wal", ".head")}
    for file in folder.glob("killed.journal*"):
        file.unlink()
    return left


def _flip(data: bytearray, rng: random.Random, frames: int = 0) -> None:
    """A bit is flipped, in the last so many frames or anywhere."""
    first = max(0, len(data) - frames * FRAME) if frames else 0
    if data:
        data[rng.randrange(first, len(data))] ^= 1 << rng.randrange(8)


def _cut(data: bytearray, rng: random.Random) -> None:
    del data[rng.randrange(len(data) + 1) :]


def _overwrite(data: bytearray, rng: random.Random) -> None:
    place = rng.randrange(len(data) + 1)
    data[place : place + 512] = bytes(len(data[place : place + 512]))


DAMAGE: dict[str, tuple[str, Callable[[bytearray, random.Random], None] | None]] = {
    "bit in the last frames": ("-wal", partial(_flip, frames=6)),
    "bit in the last frame": ("-wal", partial(_flip, frames=1)),
    "bit in the log": ("-wal", _flip),
    "bit in the file": ("", _flip),
    "bit in the head": (".head", _flip),
    "log cut": ("-wal", _cut),
    "file cut": ("", _cut),
    "sector of the log": ("-wal", _overwrite),
    "sector of the file": ("", _overwrite),
    "no log": ("-wal", None),
    "no head": (".head", None),
}
"""The file, and what is done to it; None if it is taken away."""
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


def damaged(part: tuple[int, int]) -> Tally:
    """Damage killed tables so often, with chance from a seed."""
    (count, seed), tally = part, Tally()
    rng = random.Random(seed)
    with running.in_memory() as folder:
        for number in range(count):
            if number % EACH == 0:
                left = killed(Path(folder), rng.choice((1, 2, 5, 60)))
                head = head_in(left[".head"])
            files, statement = {end: bytearray(data) for end, data in left.items()}, ""
            if rng.random() < 0.1:
                kind, statement = "row changed", rng.choice(ROWS)
            else:
                kind = rng.choice(list(DAMAGE))
                end, change = DAMAGE[kind]
                if change is None:
                    del files[end]
                else:
                    change(files[end], rng)
            found = _found(partial(_laid_out, Path(folder) / "table.journal", files, statement), head)
            tally.counted[kind, found] += 1
            if found not in ("named", "harmless"):
                tally.silent.append(f"seed {seed}, case {number}, {kind} {statement}: {found}")
    return tally


def _found(lay_out: Callable[[], Path], head: AnchoredHead | None) -> str:
    """``named``, ``harmless``, or what is wrong."""
    verified = examine(lay_out())
    named, kept = "", None
    try:
        with closing(Journal(lay_out())) as journal:
            named, kept = journal.end_problem(), (len(journal), journal.head)
    except JournalError as error:
        named = str(error)
    if not named and kept != head:
        return f"a table starts with {kept} in the place of {head}"
    if not verified.problem and (verified.entries, verified.head) != head:
        return f"verify finds {verified.entries} entries and no problem"
    return "named" if named or verified.problem else "harmless"


def _laid_out(file: Path, files: dict[str, bytearray], statement: str) -> Path:
    for old in file.parent.glob(f"{file.name}*"):
        old.unlink()
    for end, data in files.items():
        Path(f"{file}{end}").write_bytes(data)
    if statement:
        with closing(sqlite3.connect(file, isolation_level=None)) as db:
            db.executescript(f"DROP TRIGGER no_update; DROP TRIGGER no_delete; {statement}")
    return file


def main() -> int:
    """Run the campaign; 1 if anything was lost silently."""
    parser = running.command_line("damage_campaign", __doc__)
    parser.add_argument("--count", type=int, default=700, metavar="N", help="kinds of damage (default 700)")
    chosen = parser.parse_args()
    tally = running.run(damaged, [(chosen.count, chosen.seed)], Tally(), chosen)
    for (kind, found), count in sorted(tally.counted.items()):
        print(f"  {kind}: {found if found in ('named', 'harmless') else 'SILENT'} {count}")
    print(f"{chosen.count} kinds of damage, silent losses: {len(tally.silent)}", *tally.silent, sep="\n  ")
    return 1 if tally.silent else 0


if __name__ == "__main__":
    sys.exit(main())
