"""Two media fail in every way at every point, and the table starts on any combination of them: nothing forks.

A table's run opens the journal on the media that are there, appends some entries and ends. In it, a medium may
fail before or after an entry has reached it, and the process may be killed between any two steps. All runs are
tried one after another. What was acknowledged must be in every record that opens without a person's word.
"""

import os
import shutil
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import product
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from campaigns.losses import MEMORY

from controller.journal import medium, opening
from controller.journal.chain import Entry
from controller.journal.errors import JournalError, JournalUnwritableError
from controller.journal.journal import Journal
from controller.journal.opening import open_mirrored
from controller.journal.pair_mark import is_marked, mark

APPENDS = 2
HERE, GONE, BLANK = "here", "gone", "blank"
OK, BEFORE, AFTER = "ok", "before", "after"
NAMES = ("journal", "mirror")


class Killed(BaseException):
    """The process ends here."""


@dataclass
class Faults:
    """What happens in one run: at which append, to which medium."""

    gone: frozenset[str] = frozenset()
    read_only: frozenset[str] = frozenset()
    """Media that can be opened, but neither marked nor filled."""
    at: int = 0
    modes: tuple[str, str] = (OK, OK)
    kill_at: int = -1
    """The number of the step before which the process is killed; each write of a medium is two steps."""
    steps: int = 0
    failed: set[str] = field(default_factory=set)
    first: int = 0

    def step(self) -> None:
        if self.steps == self.kill_at:
            raise Killed
        self.steps += 1


FAULTS = Faults()


class FailingJournal(Journal):
    """A journal on a medium that fails as it is commanded."""

    def __init__(self, file: Path, read_only: bool = False) -> None:
        self.medium = file.parent.name
        if self.medium in FAULTS.gone:
            raise JournalUnwritableError(f"{file}: it is gone")
        super().__init__(file, read_only)

    def store(self, entry: Entry) -> None:
        assert self.medium not in FAULTS.failed, "a medium that failed is written again"
        FAULTS.step()
        due = entry.seq - FAULTS.first == FAULTS.at + 1
        mode = FAULTS.modes[NAMES.index(self.medium)] if due else OK
        if mode != BEFORE:
            super().store(entry)
        FAULTS.step()
        if mode != OK:
            FAULTS.failed.add(self.medium)
            raise JournalUnwritableError("the medium failed")

    def take_over(self, entries: Sequence[Entry]) -> None:
        FAULTS.step()
        if self.medium in FAULTS.read_only:
            raise JournalUnwritableError("the medium is read-only")
        super().take_over(entries)
        FAULTS.step()


def failing_mark(journal: Path, other: Path) -> None:
    """A mark on a medium that may be read-only; the process may be killed before and after."""
    FAULTS.step()
    if journal.parent.name in FAULTS.read_only and not is_marked(journal):
        raise OSError("the medium is read-only")
    mark(journal, other)
    FAULTS.step()


@dataclass(frozen=True)
class Place:
    """What lies on both media after some runs."""

    folder: Path
    acknowledged: tuple[str, ...] = ()
    """Hashes of the entries whose append had returned."""

    def files(self) -> tuple[Path, Path]:
        return self.folder / NAMES[0] / "table", self.folder / NAMES[1] / "table"

    def key(self) -> tuple[object, ...]:
        return (*(_seen(file) for file in self.files()), self.acknowledged)


def _seen(file: Path) -> tuple[str, bool]:
    head = ""
    with suppress(JournalError):
        journal = Journal(file, read_only=True)
        head = journal.head if len(journal) else ""
        journal.close()
    return head, is_marked(file)


@dataclass(frozen=True)
class Run:
    """What is there at the start, and what happens then."""

    there: tuple[str, str] = (HERE, HERE)
    at: int = 0
    modes: tuple[str, str] = (OK, OK)
    kill_at: int = -1
    read_only: str = ""


def runs() -> Iterator[Run]:
    """All that may happen to a table from one start to the next."""
    for there in product((HERE, GONE, BLANK), repeat=2):
        if there == (BLANK, BLANK):  # Nobody can know that there ever was a record.
            continue
        for at, modes in product(range(APPENDS), product((OK, BEFORE, AFTER), repeat=2)):
            if at == 0 or modes != (OK, OK):
                yield Run(there, at, modes)
        for name in NAMES:
            yield Run(there, read_only=name)
        for kill_at in range(6 + 4 * APPENDS):
            yield Run(there, kill_at=kill_at)
        for kill_at, modes in product(range(1, 12, 2), ((BEFORE, OK), (AFTER, OK), (OK, BEFORE), (OK, AFTER))):
            yield Run(there, 0, modes, kill_at)


def begin(run: Run, place: Place) -> None:
    FAULTS.gone = frozenset(name for name, state in zip(NAMES, run.there, strict=True) if state == GONE)
    FAULTS.at, FAULTS.modes, FAULTS.kill_at, FAULTS.steps = run.at, run.modes, run.kill_at, 0
    FAULTS.read_only = frozenset((run.read_only,))
    FAULTS.failed.clear()
    for file, state in zip(place.files(), run.there, strict=True):
        if state == BLANK:
            shutil.rmtree(file.parent, ignore_errors=True)


def run_table(run: Run, place: Place, number: int) -> Place | None:
    """One run; None if the table did not open."""
    begin(run, place)
    if place.acknowledged and not any(head or marked for head, marked in map(_seen, place.files())):
        return None  # Whatever knew of a record is gone.
    try:
        journal = open_mirrored(*place.files(), distinct=False)
    except JournalError:
        return None
    except Killed:
        return place
    hashes = tuple(entry.hash for entry in journal.entries())
    assert hashes[: len(place.acknowledged)] == place.acknowledged, f"{run} lost what was acknowledged"
    assert journal.verify().problem == ""
    acknowledged = list(hashes)
    FAULTS.first = len(journal)
    with suppress(Killed, JournalUnwritableError):
        for at in range(APPENDS):
            acknowledged.append(journal.append(0, number * 10 + at, 0, "press", "{}", None).hash)
    journal.close()
    return Place(place.folder, tuple(acknowledged))


@pytest.fixture
def memory() -> Iterator[Path]:
    """A folder in memory: thousands of journals are synced."""
    with TemporaryDirectory(dir=MEMORY if os.access(MEMORY, os.W_OK) else None) as folder:
        yield Path(folder)


@pytest.fixture(autouse=True)
def _failing(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(medium, "Journal", FailingJournal)
    monkeypatch.setattr(opening, "mark", failing_mark)
    yield
    FAULTS.gone = FAULTS.read_only = frozenset()


def explored(folder: Path, depth: int, whole: bool) -> Iterator[tuple[Place, Run]]:
    """Every different place that so many runs lead to, with the last of them.

    Args:
        whole: the first run begins with any media, too, not with both.
    """
    places, seen, count = [Place(folder / "0")], set[object](), 0
    for number in range(depth):
        reached = []
        for place, run in product(places, runs()):
            if not whole and number == 0 and run.there != (HERE, HERE):
                continue
            count += 1
            copy = Place(folder / str(count), place.acknowledged)
            if place.folder.exists():
                shutil.copytree(place.folder, copy.folder)
            left = run_table(run, copy, number)
            if left is None or left.key() in seen:
                shutil.rmtree(copy.folder, ignore_errors=True)
                continue
            seen.add(left.key())
            reached.append(left)
            yield left, run
        places = reached


@pytest.mark.parametrize("whole", [False, pytest.param(True, marks=pytest.mark.campaign)])
@pytest.mark.campaign
def test_failures_and_kills_fork_nothing_and_lose_nothing(memory: Path, whole: bool) -> None:
    """With both media there again, the table opens by itself on all that was ever acknowledged."""
    tried = 0
    for place, run in explored(memory, 2, whole):
        tried += 1
        copy = Place(memory / "both", place.acknowledged)
        shutil.copytree(place.folder, copy.folder)
        if BLANK not in run.there:
            assert run_table(Run(), copy, 9) is not None, f"after {run} the table does not open on both"
            one, other = (Journal(file, read_only=True) for file in copy.files())
            assert one.head == other.head
            one.close()
            other.close()
        shutil.rmtree(copy.folder)
    assert tried > 50
