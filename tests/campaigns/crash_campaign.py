"""Power cuts at every write: ``python -m campaigns.crash_campaign --entries N --seed S``.

A table of each game plays some rounds on simulated hardware in several runs, every other one ended by a kill. The
system calls of its process are recorded with strace (:mod:`campaigns.writes`): creations, writes, truncations and
syncs of the journal's files, and among them the table's own reports of what it has recorded and lit. Between any
two syncs the power is then cut in every way that a disk allows (:mod:`campaigns.disk`): after each write, within
it at each sector, and at random with some of the unsynced writes, in any order. On each outcome a table is
started, and

- every entry whose append had returned by then is there, with the same hash, and the journal verifies,
- the table is in the state of a machine that handled every event on record and was never interrupted,
- no lamp had shown anything before its record, and before the head anchor named that on the disk.

All crashes of an interval between two syncs are compared with what was acknowledged until its end, which is the
most that any of them must keep. One more table plays until SQLite copies its write-ahead log into the journal by
itself; of it, that time alone is tried.

strace sees the calls of the very library and the very journal that a table runs on. A VFS of ``apsw`` would record
another build of SQLite, through an imitation of the journal's connection.
"""

import random
import sys
import time
from argparse import ArgumentParser, Namespace
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from tempfile import TemporaryDirectory

from campaigns.disk import Files, crashes
from campaigns.losses import Losses, add_arguments
from campaigns.recorded import JOURNAL, MIRROR, Interval, Recording, around_checkpoint, intervals, record_table
from campaigns.recovered import examine
from campaigns.reporting_table import Picture, Reports
from campaigns.uninterrupted import Uninterrupted
from campaigns.writes import RecordingError

from controller.bench.simulate import spread
from controller.commands.progress import shown_progress
from controller.configuration.shipped import load_table, table_path
from controller.journal.head_anchor import anchor_file, head_in
from controller.machine.registry import game_names

GAMES = tuple(game_names())
RUNS = 4
"""Of each table."""
SAMPLES = 8
"""Random crashes of each interval."""
LONG_GAME, LONG_ENTRIES = "sic-bo", 900
"""A table that plays until SQLite checkpoints by itself: after 1000 pages of the write-ahead log."""
SHARES = 4
"""Each recording is tried in so many parts, which may be done at the same time."""


@dataclass(frozen=True, slots=True)
class Part:
    """A share of a recording's intervals.

    Attributes:
        number: from 0; it has every interval whose number leaves this rest.
        folder: where the crashed files are laid out.
    """

    recording: Recording
    number: int
    folder: Path | None


@dataclass(slots=True)
class Tally(Losses):
    """What was counted. Tallies of parts add up to that of the whole."""

    crashes: Counter[str] = field(default_factory=Counter)
    """By game."""
    intervals: int = 0
    """Between two syncs."""
    writes: int = 0
    """Changes in them."""

    def add(self, other: "Tally") -> None:
        """Take in another tally."""
        self.crashes.update(other.crashes)
        self.intervals += other.intervals
        self.writes += other.writes
        self.add_losses(other)


# -- crashes ---------------------------------------------------------------------------------------------------


class Case:
    """A part of a recording."""

    def __init__(self, part: Part, folder: Path) -> None:
        self.part = part
        self.tally = Tally()
        self._folder = folder
        self._config = load_table(table_path(part.recording.game)).config
        self._machine = Uninterrupted(self._config)

    def play(self) -> Tally:
        """Cut the power in every interval of this part."""
        recording = self.part.recording
        for interval in intervals(recording):
            mine = interval.number % SHARES == self.part.number
            if mine and len(interval.reports.entries) in recording.entries:
                self._cut(interval)
        return self.tally

    def _cut(self, interval: Interval) -> None:
        tally, recording, pending = self.tally, self.part.recording, interval.disk.pending
        tally.intervals += 1
        tally.writes += len(pending)
        where = f"{recording.game}, seed {recording.seed}, interval {interval.number}"
        rng = random.Random(f"{recording.seed} {interval.number}")
        for number, kept in enumerate(crashes(pending, rng, SAMPLES)):
            tally.crashes[recording.game] += 1
            self._try(interval.disk.after(kept), interval.reports, f"{where}, crash {number}")
        early = (
            self._machine.early(picture) or self._unanchored(picture, interval) for picture in interval.pictures
        )
        tally.early += [f"{where}: {words}" for words in early if words]

    def _unanchored(self, picture: Picture, interval: Interval) -> str:
        """Whether a picture was shown before each head anchor on the disk named its entry."""
        synced = interval.disk.after([])
        for name in (JOURNAL, MIRROR) if self.part.recording.mirror else (JOURNAL,):
            head = head_in(synced.get(anchor_file(Path(name)).name, b""))
            if head is None or head.seq < picture.after:
                return (
                    f"the lamps showed {sorted(picture.areas)} before {name} had entry {picture.after} as its head"
                )
        return ""

    def _try(self, files: Files, reports: Reports, where: str) -> None:
        """Start a table on what a crash left; of two journals, on both and on each alone."""
        if not self.part.recording.mirror:
            self._examine(files, reports, where, JOURNAL)
            return
        for alone in (JOURNAL, MIRROR):
            mine = {name: data for name, data in files.items() if name.startswith(alone)}
            self._examine(mine, reports, f"{where}, {alone} alone", alone)
        self._examine(files, reports, where, JOURNAL, MIRROR)

    def _examine(self, files: Files, reports: Reports, where: str, name: str, mirror: str = "") -> None:
        for old in self._folder.iterdir():
            old.unlink()
        for file, data in files.items():
            (self._folder / file).write_bytes(data)
        second = self._folder / mirror if mirror else None
        found = examine(self._config, self._folder / name, self._machine, reports.entries, second)
        self.tally.missing += [f"{where}: entry {seq}" for seq in found.missing]
        if found.wrong:
            self.tally.wrong.append(f"{where}: {found.wrong}")
        if found.broken:
            self.tally.broken.append(f"{where}: {found.broken}")
        if not found.missing:  # What was acknowledged stays; the machine need not handle it again.
            self._machine.apply(found.entries[self._machine.applied : len(reports.entries)])


# -- the campaign ----------------------------------------------------------------------------------------------


def campaign(
    recordings: Sequence[Recording],
    workers: int = 1,
    folder: Path | None = None,
    progress: Callable[[int], None] = lambda parts: None,
) -> Tally:
    """Crash every recorded table; the same for the same recordings, however many workers there are.

    Args:
        folder: where crashed files are laid out; None for the system's folder for temporary files.
        progress: called with how many parts were done since the last call.
    """
    parts = [Part(recording, number, folder) for recording in recordings for number in range(SHARES)]
    tallies: dict[int, Tally] = {}
    for number, tally in spread(play_part, parts, workers):
        tallies[number] = tally
        progress(1)
    total = Tally()
    for number in range(len(parts)):
        total.add(tallies[number])
    return total


def play_part(part: Part) -> Tally:
    """All crashes of a part."""
    with TemporaryDirectory(dir=part.folder) as folder:
        try:
            return Case(part, Path(folder)).play()
        except Exception as error:
            error.add_note(f"in a recording of {part.recording.game}, part {part.number}")
            raise


def record_all(games: Sequence[str], entries: int, seed: int, place: Path, mirror: bool = False) -> list[Recording]:
    """A table of each game, and one for the checkpoint.

    Raises:
        RecordingError: strace is not installed or may not trace, or a table failed.
    """
    entries_by_run = [-(-entries // RUNS)] * RUNS
    made = [record_table(game, seed, entries_by_run, place / game, mirror=mirror) for game in games]
    if LONG_GAME in games:
        long = record_table(LONG_GAME, seed + RUNS, [LONG_ENTRIES], place / "long", mirror=mirror)
        made.append(replace(long, entries=around_checkpoint(long)))
    return made


def _arguments(words: Sequence[str] | None) -> Namespace:
    parser = ArgumentParser(prog="python -m campaigns.crash_campaign", description=__doc__)
    parser.add_argument("--entries", type=int, default=120, metavar="N", help="of each table (default 120)")
    add_arguments(parser, GAMES, "where crashed files are laid out")
    return parser.parse_args(words)


def main(words: Sequence[str] | None = None) -> int:
    """Run the campaign; 1 if anything was lost."""
    arguments = _arguments(words)
    games = [game for game in GAMES if game in arguments.games]
    start = time.perf_counter()
    with TemporaryDirectory() as place:
        try:
            recordings = record_all(games, arguments.entries, arguments.seed, Path(place), arguments.mirror)
        except RecordingError as error:
            print(error, file=sys.stderr)
            return 1
        with shown_progress("parts", len(recordings) * SHARES) as progress:
            tally = campaign(recordings, arguments.workers, arguments.folder, progress)
    seconds = time.perf_counter() - start
    _print(tally, seconds)
    return 0 if tally.passed else 1


def _print(tally: Tally, seconds: float) -> None:
    made = f"{tally.intervals} intervals with {tally.writes} writes"
    print(f"{tally.crashes.total()} crashes in {seconds:.1f} s, in {made}")
    print(f"  {', '.join(f'{game} {count}' for game, count in tally.crashes.items())}")
    tally.print_losses()


if __name__ == "__main__":
    sys.exit(main())
