"""Tables that are killed: ``python -m campaigns.kill_campaign --kills N --seed S``.

Tables of all games play on simulated hardware, with faults now and then, with their journals in files, and are
killed (SIGKILL) at random moments: while they start, while they recover from the kill before, within an append,
between two appends. Each table reports through a pipe what it has recorded and what its lamps show, as it happens
(:mod:`campaigns.reporting_table`). Then, from a copy of what the kill left behind, a table is started again, and

- every entry whose append had returned is there, with the same hash, and the journal verifies,
- the table is in the state of a machine that handled every event on record and was never interrupted,
- every decision on record is that machine's,
- no lamp had shown anything before its record.

The next run of the same journal starts on what was left itself. A kill takes the process only: what it has
written stays in the kernel's cache, synced or not. A journal that is not synced is found by
:mod:`campaigns.crash_campaign`, never here; so the files lie in memory unless ``--folder`` says otherwise.

The seed draws the moments; where in its work a table is hit then depends on the machine, so no run is like another.
"""

import random
import shutil
import sys
import time
from argparse import ArgumentParser, Namespace
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from tempfile import TemporaryDirectory

from campaigns.killed_process import moment, run_until_killed
from campaigns.losses import Losses, add_arguments
from campaigns.recorded import MIRROR
from campaigns.recovered import Examined, examine
from campaigns.reporting_table import Reports
from campaigns.uninterrupted import Uninterrupted

from controller.bench.rig import NS_PER_S
from controller.bench.simulate import spread
from controller.commands.progress import shown_progress
from controller.configuration.shipped import load_table, table_path
from controller.journal.chain import Entry
from controller.journal.record import of_entry
from controller.machine.registry import game_names

GAMES = tuple(game_names())
KILLS_PER_JOURNAL = 20
"""Kills of one journal."""
OUTAGE_NS = 5 * NS_PER_S
"""How long a table was dead."""


@dataclass(frozen=True, slots=True)
class Batch:
    """The kills of one journal."""

    game: str
    seed: int
    kills: int
    folder: Path | None
    mirror: bool = False


@dataclass(slots=True)
class Tally(Losses):
    """What was counted. Tallies of parts add up to that of the whole."""

    kills: int = 0
    entries: int = 0
    """Entries whose append had returned."""
    pictures: int = 0
    """How often the lamps were changed."""
    states: Counter[tuple[str, str]] = field(default_factory=Counter)
    """Kills by game and by the state on record in which they fell."""
    starting: int = 0
    """Kills before the table's first entry of that run."""
    appending: int = 0
    """Kills within an append."""

    def add(self, other: "Tally") -> None:
        """Take in another tally."""
        for name in ("kills", "entries", "pictures", "starting", "appending"):
            setattr(self, name, getattr(self, name) + getattr(other, name))
        self.states.update(other.states)
        self.add_losses(other)


# -- many runs of one journal ----------------------------------------------------------------------------------


class Case:
    """One journal, and the tables that are killed on it."""

    def __init__(self, batch: Batch, folder: Path) -> None:
        self.batch = batch
        self.tally = Tally()
        self._config = load_table(table_path(batch.game)).config
        self._rng = random.Random(batch.seed)
        self._file = folder / "runs" / "table.journal"
        self._copy = folder / "copy" / "table.journal"
        self._mirror = self._file.with_name(MIRROR) if batch.mirror else None
        self._on_both = Uninterrupted(self._config)
        """Has handled the entries that each medium must have."""
        self._owed_by_each: dict[int, str] = {}
        for file in (self._file, self._copy):
            file.parent.mkdir()
        self._machine = Uninterrupted(self._config)
        self._owed: dict[int, str] = {}
        """Hashes of all entries on record, by sequence number."""
        self._now_ns = 0

    def play(self) -> Tally:
        """Run and kill a table as often as the batch says."""
        for run in range(self.batch.kills):
            seed = self._rng.getrandbits(32)
            when = moment(self._rng)
            reports, problem = run_until_killed(self._config, self._file, seed, self._now_ns, when, self._mirror)
            where = f"{self.batch.game}, seed {self.batch.seed}, run {run + 1}"
            if problem:
                self.tally.broken.append(f"{where}: {problem}")
            self._copy_remains()
            mirror = self._copy.with_name(MIRROR) if self._mirror is not None else None
            owed = {**self._owed, **reports.entries}
            found = examine(self._config, self._copy, self._machine, owed, mirror)
            self._note(found, where)
            if mirror is not None:
                self._examine_each(reports, found.entries, where)
            self._count(reports, found.entries, where)
        return self.tally

    def _examine_each(self, reports: Reports, entries: Sequence[Entry], where: str) -> None:
        """Start a table on each medium alone; an entry that was under way may have reached only one of them."""
        last = max(reports.entries, default=0)
        if last:
            self._owed_by_each = {entry.seq: entry.hash for entry in entries[:last]}
            self._on_both.apply(entries[self._on_both.applied : last])
        for alone in (self._copy, self._copy.with_name(MIRROR)):
            self._copy_remains()
            found = examine(self._config, alone, self._on_both, {**self._owed_by_each, **reports.entries})
            self._note(found, f"{where}, {alone.name} alone")

    def _copy_remains(self) -> None:
        """Copy what the kill left."""
        shutil.rmtree(self._copy.parent)
        shutil.copytree(self._file.parent, self._copy.parent)

    def _note(self, found: Examined, where: str) -> None:
        """What is wrong with the table that was started."""
        self.tally.missing += [f"{where}: entry {seq}" for seq in found.missing]
        if found.wrong:
            self.tally.wrong.append(f"{where}: {found.wrong}")
        if found.broken:
            self.tally.broken.append(f"{where}: {found.broken}")

    def _count(self, reports: Reports, entries: Sequence[Entry], where: str) -> None:
        """Count what was reported, and where the kill fell."""
        tally = self.tally
        tally.kills += 1
        tally.entries += len(reports.entries)
        tally.pictures += len(reports.pictures)
        tally.starting += not reports.entries
        tally.appending += reports.appending
        tally.states[self.batch.game, of_entry(entries[-1]).state if entries else "new"] += 1
        self._machine.apply(entries[self._machine.applied :])
        # A loss is reported once.
        self._owed = {entry.seq: entry.hash for entry in entries}
        self._now_ns = (entries[-1].at_ns if entries else 0) + OUTAGE_NS
        early = (self._machine.early(picture) for picture in reports.pictures)
        tally.early += [f"{where}: {words}" for words in early if words]


# -- the campaign ----------------------------------------------------------------------------------------------


def campaign(
    kills: int,
    seed: int,
    workers: int = 1,
    games: tuple[str, ...] = GAMES,
    folder: Path | None = None,
    progress: Callable[[int], None] = lambda kills: None,
    mirror: bool = False,
) -> Tally:
    """Kill tables of all games, one journal after the other.

    Args:
        folder: where the journals lie; None for the system's folder for temporary files.
        progress: called with how many tables were killed since the last call.
        mirror: each table has a second journal, and each of the two is tried alone, too.
    """
    batches = [replace(batch, mirror=mirror) for batch in _batches(kills, seed, games, folder)]
    total = Tally()
    for _, tally in spread(play_batch, batches, workers):
        total.add(tally)
        progress(tally.kills)
    return total


def play_batch(batch: Batch) -> Tally:
    """All kills of a batch."""
    with TemporaryDirectory(dir=batch.folder) as folder:
        try:
            return Case(batch, Path(folder)).play()
        except Exception as error:
            error.add_note(f"in the case with seed {batch.seed} of {batch.game}")
            raise


def _batches(kills: int, seed: int, games: tuple[str, ...], folder: Path | None) -> Iterator[Batch]:
    for number, done in enumerate(range(0, kills, KILLS_PER_JOURNAL)):
        game = games[number % len(games)]
        yield Batch(game, seed * 1_000_000 + number, min(KILLS_PER_JOURNAL, kills - done), folder)


def _arguments(words: Sequence[str] | None) -> Namespace:
    parser = ArgumentParser(prog="python -m campaigns.kill_campaign", description=__doc__)
    parser.add_argument("--kills", type=int, default=1000, metavar="N", help="how many kills (default 1000)")
    add_arguments(parser, GAMES, "where the journals lie")
    return parser.parse_args(words)


def main(words: Sequence[str] | None = None) -> int:
    """Run the campaign; 1 if anything was lost."""
    arguments = _arguments(words)
    games = tuple(game for game in GAMES if game in arguments.games)
    start = time.perf_counter()
    with shown_progress("kills", arguments.kills) as progress:
        where = arguments.folder
        tally = campaign(
            arguments.kills, arguments.seed, arguments.workers, games, where, progress, arguments.mirror
        )
    seconds = time.perf_counter() - start
    _print(tally, seconds)
    return 0 if tally.passed else 1


def _by_game(tally: Tally) -> dict[str, dict[str, int]]:
    """Kills by state, the most frequent first, of each game."""
    return {
        game: {state: count for (of, state), count in tally.states.most_common() if of == game}
        for game in sorted({game for game, _ in tally.states})
    }


def _print(tally: Tally, seconds: float) -> None:
    print(f"{tally.kills} kills in {seconds:.1f} s; {tally.entries} entries and {tally.pictures} lamp changes")
    print(f"  before the first entry of a run: {tally.starting}; within an append: {tally.appending}")
    for game, states in _by_game(tally).items():
        print(f"  {game}: {sum(states.values())} kills in {len(states)} states")
        print(f"    {', '.join(f'{state} {count}' for state, count in states.items())}")
    tally.print_losses()


if __name__ == "__main__":
    sys.exit(main())
