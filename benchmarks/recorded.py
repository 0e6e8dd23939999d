"""A recorded table: every call of its processes that changed the journal's files, and what it told among them."""

import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks.disk import Disk
from benchmarks.reporting_table import Heard, Picture
from benchmarks.writes import RecordingError, calls, record

JOURNAL = "table.journal"
TOLD = f"{JOURNAL}.told"
PASSING = frozenset({f"{JOURNAL}-shm", f"{JOURNAL}.lock", TOLD})
"""Files that are of no use after a crash, or none of the journal's."""
AROUND = 5
"""So many entries before and after a checkpoint are tried."""
PLAYER = (sys.executable, "-m", "benchmarks.reporting_table")


@dataclass(frozen=True, slots=True)
class Recording:
    """What a table's process asked of the kernel.

    Attributes:
        entries: how many entries the journal may have for a crash to be tried.
    """

    game: str
    seed: int
    place: Path
    entries: range

    @property
    def folder(self) -> Path:
        """Where the journal lay."""
        return self.place / "table"

    @property
    def log(self) -> Path:
        return self.place / "calls"


def record_table(
    game: str, seed: int, lives: Sequence[int], place: Path, player: Sequence[str] = PLAYER
) -> Recording:
    """Let a table play.

    Args:
        lives: entries of each.
        place: a folder for the journal and the calls.
        player: the command that plays; it takes the arguments of :mod:`benchmarks.reporting_table`.

    Raises:
        RecordingError: strace is not installed or may not trace, or the table failed.
    """
    made = Recording(game, seed, place, range(sys.maxsize))
    made.folder.mkdir(parents=True)
    words = [game, str(made.folder / JOURNAL), "--seed", str(seed), "--lives", *map(str, lives)]
    record([*player, *words], made.log)
    return made


def around_checkpoint(recording: Recording) -> range:
    """The entries around the first time that SQLite copied the log into the journal with a table at play."""
    heard, seen = Heard(), 0
    for call in calls(recording.log, recording.folder):
        if call.file == TOLD and call.name == "write":
            _hear(heard, call.data)
        seen = len(heard.entries)
        if call.file == JOURNAL and call.name == "write" and seen > 1:
            return range(seen - AROUND, seen + AROUND)
    raise RecordingError(f"{seen} entries were not enough for a checkpoint")


def _hear(heard: Heard, data: bytes) -> None:
    for message in data.decode().splitlines():
        heard.hear(message)


@dataclass(frozen=True, slots=True)
class Interval:
    """From one sync to just before the next.

    Attributes:
        heard: all that was told until its end.
        pictures: those that were told in it.
    """

    number: int
    disk: Disk
    heard: Heard
    pictures: Sequence[Picture]


def intervals(recording: Recording) -> Iterator[Interval]:
    """Every interval in which something was written or told; each is to be used before the next is asked for."""
    disk, heard, number, shown, entries = Disk(), Heard(), 0, 0, 0
    for call in calls(recording.log, recording.folder):
        if call.file == TOLD and call.name == "write":
            _hear(heard, call.data)
        if call.file in PASSING:
            continue
        if call.name == "sync" and (disk.pending or entries != len(heard.entries)):
            yield Interval(number, disk, heard, heard.pictures[shown:])
            number, shown, entries = number + 1, len(heard.pictures), len(heard.entries)
        disk.take(call)
    yield Interval(number, disk, heard, heard.pictures[shown:])
