"""Power cuts at every write: ``python -m campaigns.crash_campaign --entries N --seed S``.

A table of each game plays some rounds on simulated hardware in several runs, every other one ended by a kill. The
system calls of its process are recorded with strace (:mod:`campaigns.traced_disk`): creations, writes, truncations
and syncs of the journal's files, and among them the table's own reports of what it has recorded and lit. Between
any two syncs the power is then cut in every way that a disk allows: after each write, within it at each sector,
and at random with some of the unsynced writes, in any order. On each outcome a table is started, and

- every entry whose append had returned by then is there, with the same hash, and the journal verifies,
- the table is in the state of a machine that handled every event on record and was never interrupted,
- no lamp had shown anything before its record, and before the head anchor named that on the disk.

All crashes of an interval between two syncs are compared with what was acknowledged until its end, which is the
most that any of them must keep. One more table plays until SQLite copies its write-ahead log into the journal by
itself; of it, that time alone is tried.
"""

import random
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from tempfile import TemporaryDirectory

from campaigns import running
from campaigns.recovery import Losses, Uninterrupted
from campaigns.reporting_table import Picture, Reports
from campaigns.traced_disk import Disk, RecordingError, calls, crashes, record

from controller.configuration.shipped import load_table, table_path
from controller.journal.head_anchor import anchor_file, head_in
from controller.machine.registry import game_names

GAMES = tuple(game_names())
JOURNAL, MIRROR = "table.journal", "mirror.journal"
REPORTS = f"{JOURNAL}.reports"
RUNS = 4
"""Of each table."""
SAMPLES = 8
"""Random crashes of each interval."""
LONG_GAME, LONG_ENTRIES, AROUND = "sic-bo", 900, 5
"""A table that plays until SQLite checkpoints by itself, after 1000 pages of the write-ahead log; and how many
entries before and after it are tried."""
SHARES = 4
"""Each recording is tried in so many parts, which may be done at the same time."""
PLAYER = (sys.executable, "-m", "campaigns.reporting_table")


@dataclass
class Tally(Losses):
    """What was counted: crashes by game, intervals between two syncs, and changes in them."""

    crashes: Counter[str] = field(default_factory=Counter)
    intervals: int = 0
    writes: int = 0


# -- recordings --------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Recording:
    """The system calls of a table's processes.

    Attributes:
        entries: how many entries the journal may have for a crash to be tried.
    """

    game: str
    seed: int
    place: Path
    mirror: bool
    entries: range = range(sys.maxsize)

    def intervals(self) -> Iterator["Interval"]:
        """Every interval in which something was written or reported; use each before the next is made."""
        disk, reports, number, shown, entries = Disk(), Reports(), 0, 0, 0
        for call in calls(self.place / "calls", self.place / "table"):
            if call.file == REPORTS:
                reports.take(call.data)
                continue
            if call.name == "sync" and (disk.pending or entries != len(reports.entries)):
                yield Interval(number, disk, reports, reports.pictures[shown:])
                number, shown, entries = number + 1, len(reports.pictures), len(reports.entries)
            disk.take(call)
        yield Interval(number, disk, reports, reports.pictures[shown:])

    def around_checkpoint(self) -> range:
        """The entries around the first time that SQLite copied the log into the journal with a table at play."""
        reports = Reports()
        for call in calls(self.place / "calls", self.place / "table"):
            if call.file == REPORTS:
                reports.take(call.data)
            seen = len(reports.entries)
            if call.file == JOURNAL and call.name == "write" and seen > 1:
                return range(seen - AROUND, seen + AROUND)
        raise RecordingError(f"{len(reports.entries)} entries were not enough for a checkpoint")


@dataclass(frozen=True)
class Interval:
    """From one sync to just before the next: all reports until its end, and the pictures of its own."""

    number: int
    disk: Disk
    reports: Reports
    pictures: Sequence[Picture]


def record_table(
    game: str,
    seed: int,
    entries_by_run: Sequence[int],
    place: Path,
    mirror: bool = False,
    player: Sequence[str] = PLAYER,
) -> Recording:
    """Let a table play.

    Args:
        place: a folder for the journal and the calls.
        mirror: with a second journal, beside the first.
        player: the command that plays; it takes the arguments of :mod:`campaigns.reporting_table`.

    Raises:
        RecordingError: strace is not installed or may not trace, or the table failed.
    """
    folder = place / "table"
    folder.mkdir(parents=True)
    words = [game, str(folder / JOURNAL), "--seed", str(seed), "--runs", *map(str, entries_by_run)]
    second = ["--mirror", str(folder / MIRROR)] if mirror else []
    record([*player, *words, *second], place / "calls")
    return Recording(game, seed, place, mirror)


def record_all(games: Sequence[str], entries: int, seed: int, place: Path, mirror: bool) -> list[Recording]:
    """A table of each game, and one for the checkpoint.

    Raises:
        RecordingError: strace is not installed or may not trace, or a table failed.
    """
    entries_by_run = [-(-entries // RUNS)] * RUNS
    made = [record_table(game, seed, entries_by_run, place / game, mirror) for game in games]
    if LONG_GAME in games:
        long = record_table(LONG_GAME, seed + RUNS, [LONG_ENTRIES], place / "long", mirror)
        made.append(replace(long, entries=long.around_checkpoint()))
    return made


# -- crashes -----------------------------------------------------------------------------------------------------


class Case:
    """A share of a recording's intervals.

    Args:
        number: from 0; it has every interval whose number leaves this rest.
        folder: where the crashed files are laid out.
    """

    def __init__(self, recording: Recording, number: int, folder: Path) -> None:
        self._recording, self._number, self._folder = recording, number, folder
        self._tally = Tally()
        self._config = load_table(table_path(recording.game)).config
        self._machine = Uninterrupted(self._config)

    def play(self) -> Tally:
        """Cut the power in every interval of this share."""
        for interval in self._recording.intervals():
            mine = interval.number % SHARES == self._number
            if mine and len(interval.reports.entries) in self._recording.entries:
                self._cut(interval)
        return self._tally

    def _cut(self, interval: Interval) -> None:
        tally, recording, pending = self._tally, self._recording, interval.disk.pending
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
        for name in (JOURNAL, MIRROR) if self._recording.mirror else (JOURNAL,):
            head = head_in(synced.get(anchor_file(Path(name)).name, b""))
            if head is None or head.seq < picture.after:
                shown = sorted(picture.areas)
                return f"the lamps showed {shown} before {name} had entry {picture.after} as its head"
        return ""

    def _try(self, files: dict[str, bytes], reports: Reports, where: str) -> None:
        """Start a table on what a crash left; of two journals, on both and on each alone."""
        if not self._recording.mirror:
            self._examine(files, reports, where, JOURNAL)
            return
        for alone in (JOURNAL, MIRROR):
            mine = {name: data for name, data in files.items() if name.startswith(alone)}
            self._examine(mine, reports, f"{where}, {alone} alone", alone)
        self._examine(files, reports, where, JOURNAL, MIRROR)

    def _examine(self, files: dict[str, bytes], reports: Reports, where: str, *names: str) -> None:
        for old in self._folder.iterdir():
            old.unlink()
        for file, data in files.items():
            (self._folder / file).write_bytes(data)
        journals = [self._folder / name for name in names]
        found = self._tally.examine(where, self._machine, reports.entries, self._config, *journals)
        if not found.missing:  # What was acknowledged stays; the machine need not handle it again.
            self._machine.apply(found.entries[self._machine.applied : len(reports.entries)])


# -- the campaign ------------------------------------------------------------------------------------------------


def shares(recordings: Sequence[Recording]) -> list[tuple[Recording, int]]:
    """The parts of these recordings."""
    return [(recording, number) for recording in recordings for number in range(SHARES)]


def play_share(part: tuple[Recording, int]) -> Tally:
    """All crashes of a part."""
    recording, number = part
    with running.in_memory() as folder:
        try:
            return Case(recording, number, Path(folder)).play()
        except Exception as error:
            error.add_note(f"in a recording of {recording.game}, part {number}")
            raise


def main(words: Sequence[str] | None = None) -> int:
    """Run the campaign; 1 if anything was lost."""
    parser = running.command_line("crash_campaign", __doc__, GAMES)
    parser.add_argument("--entries", type=int, default=120, metavar="N", help="of each table (default 120)")
    parser.add_argument("--mirror", action="store_true", help="journals on two media; each alone is tried, too")
    chosen = parser.parse_args(words)
    games = [game for game in GAMES if game in chosen.games]
    with TemporaryDirectory() as place:
        try:
            recordings = record_all(games, chosen.entries, chosen.seed, Path(place), chosen.mirror)
        except RecordingError as error:
            print(error, file=sys.stderr)
            return 1
        tally = running.run(play_share, shares(recordings), Tally(), chosen)
    print(f"{tally.crashes.total()} crashes, in {tally.intervals} intervals with {tally.writes} writes")
    print(f"  {', '.join(f'{game} {count}' for game, count in tally.crashes.items())}")
    tally.print_losses()
    return 0 if tally.passed else 1


if __name__ == "__main__":
    sys.exit(main())
