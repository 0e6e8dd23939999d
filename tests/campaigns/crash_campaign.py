"""Power cuts at every write: ``python -m campaigns.crash_campaign --entries N --seed S``.

A table of each game plays some rounds in several runs, every other one ended by a kill. The system calls of its
process are recorded (:mod:`campaigns.traced_disk`), among them the table's own reports of what it has recorded and
lit. Between any two syncs the power is then cut in every way that a disk allows: after each write, within it at
each sector, and at random with some of the unsynced writes, in any order. On each outcome a table is started, and

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
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from campaigns import running
from campaigns.interrupted import Losses, Picture, Reports, Uninterrupted
from campaigns.kill_campaign import GAMES, JOURNAL, MIRROR
from campaigns.traced_disk import Disk, RecordingError, calls, crashes, record

from controller.configuration.shipped import load_table, table_path
from controller.journal.head_anchor import anchor_file, head_in

RUNS = 4
"""Of each table."""
SAMPLES = 8
"""Random crashes of each interval."""
LONG_GAME, LONG_ENTRIES, AROUND = "sic-bo", 900, 5
"""A table that plays until SQLite checkpoints by itself, after 1000 pages of the write-ahead log; and how many
entries before and after it are tried."""
PLAYER = (sys.executable, "-m", "campaigns.interrupted")


@dataclass
class Tally(Losses):
    """What was counted: crashes by game, intervals between two syncs, and changes in them."""

    crashes: Counter[str] = field(default_factory=Counter)
    intervals: int = 0
    writes: int = 0


class Recording(NamedTuple):
    """The system calls of a table's processes; a crash is tried while its journal has so many entries."""

    game: str
    seed: int
    place: Path
    mirror: bool
    entries: range = range(sys.maxsize)


class Interval(NamedTuple):
    """From one sync to just before the next: all reports until its end, and the pictures of its own."""

    number: int
    disk: Disk
    reports: Reports
    pictures: Sequence[Picture]


def record_table(game: str, seed: int, runs: Sequence[int], place: Path, mirror: bool = False) -> Recording:
    """Let a table play runs of so many entries.

    Args:
        place: a new folder for the journal and the calls.
        mirror: with a second journal, beside the first.

    Raises:
        RecordingError: strace is not installed or may not trace, or the table failed.
    """
    folder = place / "table"
    folder.mkdir(parents=True)
    words = [game, str(folder / JOURNAL), "--seed", str(seed), "--runs", *map(str, runs)]
    words += ["--mirror", str(folder / MIRROR)] if mirror else []
    record([*PLAYER, *words], place / "calls")
    return Recording(game, seed, place, mirror)


def around_checkpoint(recording: Recording) -> Recording:
    """The entries around the first time that SQLite copied the log into the journal with a table at play."""
    reports = Reports()
    for call in calls(recording.place / "calls", recording.place / "table"):
        if call.file == f"{JOURNAL}.reports":
            reports.take(call.data)
        if call.file == JOURNAL and call.name == "write" and (seen := reports.last) > 1:
            return recording._replace(entries=range(seen - AROUND, seen + AROUND))
    raise RecordingError(f"{reports.last} entries were not enough for a checkpoint")


def intervals(place: Path) -> Iterator[Interval]:
    """Every interval in which something was written or reported; use each before the next is made."""
    disk, reports, number, shown, entries = Disk(), Reports(), 0, 0, 0
    for call in calls(place / "calls", place / "table"):
        if call.file == f"{JOURNAL}.reports":
            reports.take(call.data)
            continue
        if call.name == "sync" and (disk.pending or entries != len(reports.entries)):
            yield Interval(number, disk, reports, reports.pictures[shown:])
            number, shown, entries = number + 1, len(reports.pictures), len(reports.entries)
        disk.take(call)
    yield Interval(number, disk, reports, reports.pictures[shown:])


class Case:
    """A recording whose power is cut."""

    def __init__(self, recording: Recording, folder: Path) -> None:
        self._recording, self._folder, self.tally = recording, folder, Tally()
        self._config = load_table(table_path(recording.game)).config
        self._machine = Uninterrupted(self._config)

    def cut(self, interval: Interval) -> None:
        """Cut the power in every way."""
        tally, recording, pending = self.tally, self._recording, interval.disk.pending
        tally.intervals += 1
        tally.writes += len(pending)
        where = f"{recording.game}, seed {recording.seed}, interval {interval.number}"
        rng = random.Random(f"{recording.seed} {interval.number}")
        media = [(JOURNAL,), (MIRROR,), (JOURNAL, MIRROR)] if recording.mirror else [(JOURNAL,)]
        for number, kept in enumerate(crashes(pending, rng, SAMPLES)):
            tally.crashes[recording.game] += 1
            files = interval.disk.after(kept)
            for names in media:
                mine = {name: data for name, data in files.items() if name.startswith(names)}
                self._examine(mine, interval.reports, f"{where}, crash {number}, {' and '.join(names)}", *names)
        for picture in interval.pictures:
            if words := self._machine.early(picture) or self._unanchored(picture, interval):
                tally.early.append(f"{where}: {words}")

    def _unanchored(self, picture: Picture, interval: Interval) -> str:
        """Whether a picture was shown before each head anchor on the disk named its entry."""
        synced = interval.disk.after([])
        for name in (JOURNAL, MIRROR) if self._recording.mirror else (JOURNAL,):
            head = head_in(synced.get(anchor_file(Path(name)).name, b""))
            if head is None or head.seq < picture.after:
                shown = sorted(picture.areas)
                return f"the lamps showed {shown} before {name} had entry {picture.after} as its head"
        return ""

    def _examine(self, files: dict[str, bytes], reports: Reports, where: str, *names: str) -> None:
        """Start a table on what a crash left of these journals."""
        for old in self._folder.iterdir():
            old.unlink()
        for file, data in files.items():
            (self._folder / file).write_bytes(data)
        journals = [self._folder / name for name in names]
        missing = len(self.tally.missing)
        entries = self.tally.examine(where, self._machine, reports.entries, self._config, *journals)
        if len(self.tally.missing) == missing:  # What was acknowledged stays; the machine need not handle it again.
            self._machine.apply(entries[self._machine.applied : reports.last])


def cut_everywhere(recording: Recording) -> Tally:
    """All crashes of a recording."""
    with running.in_memory() as folder:
        case = Case(recording, Path(folder))
        for interval in intervals(recording.place):
            if interval.reports.last in recording.entries:
                case.cut(interval)
        return case.tally


def main() -> int:
    """Run the campaign; 1 if anything was lost."""
    parser = running.command_line("crash_campaign", __doc__, GAMES)
    parser.add_argument("--entries", type=int, default=120, metavar="N", help="of each table (default 120)")
    parser.add_argument("--mirror", action="store_true", help="journals on two media; each alone is tried, too")
    chosen = parser.parse_args()
    with TemporaryDirectory() as folder:
        place, runs = Path(folder), [-(-chosen.entries // RUNS)] * RUNS
        try:
            recorded = [record_table(game, chosen.seed, runs, place / game, chosen.mirror) for game in chosen.games]
            if LONG_GAME in chosen.games:
                long = record_table(LONG_GAME, chosen.seed + RUNS, [LONG_ENTRIES], place / "long", chosen.mirror)
                recorded.append(around_checkpoint(long))
        except RecordingError as error:
            print(error, file=sys.stderr)
            return 1
        tally = running.run(cut_everywhere, recorded, Tally(), chosen)
    print(f"{tally.crashes.total()} crashes, in {tally.intervals} intervals with {tally.writes} writes")
    print(f"  {', '.join(f'{game} {count}' for game, count in tally.crashes.items())}")
    tally.print_losses()
    return 0 if tally.passed else 1


if __name__ == "__main__":
    sys.exit(main())
