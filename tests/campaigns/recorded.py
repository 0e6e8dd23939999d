"""A recorded table: every call of its processes that changed the journal's files, and its reports among them."""

import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from campaigns.disk import Disk
from campaigns.reporting_table import Picture, Reports
from campaigns.writes import RecordingError, calls, record

JOURNAL = "table.journal"
MIRROR = "mirror.journal"
REPORTS = f"{JOURNAL}.reports"
PASSING = frozenset({REPORTS})
"""None of the journal's files."""
AROUND = 5
"""So many entries before and after a checkpoint are tried."""
PLAYER = (sys.executable, "-m", "campaigns.reporting_table")


@dataclass(frozen=True, slots=True)
class Recording:
    """The system calls of a table's process.

    Attributes:
        entries: how many entries the journal may have for a crash to be tried.
    """

    game: str
    seed: int
    place: Path
    entries: range
    mirror: bool = False

    @property
    def folder(self) -> Path:
        """Where the journal lay."""
        return self.place / "table"

    @property
    def log(self) -> Path:
        return self.place / "calls"


def record_table(
    game: str,
    seed: int,
    entries_by_run: Sequence[int],
    place: Path,
    player: Sequence[str] = PLAYER,
    mirror: bool = False,
) -> Recording:
    """Let a table play.

    Args:
        entries_by_run: entries of each.
        place: a folder for the journal and the calls.
        player: the command that plays; it takes the arguments of :mod:`campaigns.reporting_table`.
        mirror: with a second journal, beside the first.

    Raises:
        RecordingError: strace is not installed or may not trace, or the table failed.
    """
    made = Recording(game, seed, place, range(sys.maxsize), mirror)
    made.folder.mkdir(parents=True)
    words = [game, str(made.folder / JOURNAL), "--seed", str(seed), "--runs", *map(str, entries_by_run)]
    second = ["--mirror", str(made.folder / MIRROR)] if mirror else []
    record([*player, *words, *second], made.log)
    return made


def around_checkpoint(recording: Recording) -> range:
    """The entries around the first time that SQLite copied the log into the journal with a table at play."""
    reports, seen = Reports(), 0
    for call in calls(recording.log, recording.folder):
        if call.file == REPORTS and call.name == "write":
            _add(reports, call.data)
        seen = len(reports.entries)
        if call.file == JOURNAL and call.name == "write" and seen > 1:
            return range(seen - AROUND, seen + AROUND)
    raise RecordingError(f"{seen} entries were not enough for a checkpoint")


def _add(reports: Reports, data: bytes) -> None:
    for message in data.decode().splitlines():
        reports.add(message)


@dataclass(frozen=True, slots=True)
class Interval:
    """From one sync to just before the next.

    Attributes:
        reports: all messages until its end.
        pictures: those that were reported in it.
    """

    number: int
    disk: Disk
    reports: Reports
    pictures: Sequence[Picture]


def intervals(recording: Recording) -> Iterator[Interval]:
    """Every interval in which something was written or reported; each is to be used before the next is made."""
    disk, reports, number, shown, entries = Disk(), Reports(), 0, 0, 0
    for call in calls(recording.log, recording.folder):
        if call.file == REPORTS and call.name == "write":
            _add(reports, call.data)
        if call.file in PASSING:
            continue
        if call.name == "sync" and (disk.pending or entries != len(reports.entries)):
            yield Interval(number, disk, reports, reports.pictures[shown:])
            number, shown, entries = number + 1, len(reports.pictures), len(reports.entries)
        disk.take(call)
    yield Interval(number, disk, reports, reports.pictures[shown:])
