"""A journal whose file is deleted, exchanged or linked while the table plays: it closes, and no entry is lost."""

import logging
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest
from running_session import Runs

from controller.events.event import TableStarted
from controller.journal.chain import Entry
from controller.journal.errors import JournalInUseError
from controller.journal.head_anchor import anchor_file
from controller.journal.journal import Journal
from controller.journal.record import of_entry
from controller.runtime import watches
from hal.wall_time import SetBy


def delete(file: Path) -> None:
    file.unlink()


def delete_log(file: Path) -> None:
    Path(f"{file}-wal").unlink()


def roll_back(file: Path) -> None:
    """Another record, anchor and all."""
    older = file.with_name("older.journal")
    with closing(Journal(older)) as shorter:
        shorter.append(0, 0, 0, "press", "{}", None)
    anchor_file(older).replace(anchor_file(file))
    older.replace(file)
    Path(f"{file}-wal").unlink()


@pytest.fixture
def file(tmp_path: Path) -> Path:
    (tmp_path / "card").mkdir()
    return tmp_path / "card" / "table.journal"


@pytest.fixture
def runs(file: Path, caplog: pytest.LogCaptureFixture) -> Iterator[Callable[[], Runs]]:
    made: list[Runs] = []

    def make() -> Runs:
        caplog.clear()
        made.append(Runs(file, lambda: caplog.text, "dreamcatcher", SetBy.NETWORK))
        return made[-1]

    caplog.set_level(logging.INFO)
    yield make
    for one in made:
        if not one.task.done():
            one.end()
        one.close()


def played(runs: Callable[[], Runs]) -> tuple[Runs, list[Entry]]:
    """A table at work, and what it has on record."""
    table = runs()
    table.logs("table dreamcatcher is ready")
    table.press("floor-key")
    table.logs("the floorperson's key turned")
    return table, table.entries()


@pytest.mark.parametrize("attack", [delete, delete_log, roll_back])
def test_the_floorperson_begins_a_new_record_that_names_what_was_saved(
    attack: Callable[[Path], None], runs: Callable[[], Runs], file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(watches, "LOOKS_NS", 1_000_000)
    table, before = played(runs)
    attack(file)
    table.logs("the table is closed: the journal is damaged")
    table.decide("Begin a new journal, and keep the old one")
    table.until(lambda: table._log().count("is ready") == 2)
    start = of_entry(table.entries()[0]).event
    assert isinstance(start, TableStarted)
    (rescued,) = file.parent.glob("table.rescued-*.journal")
    assert rescued.name in str(start.replaces)
    assert before[-1].hash in str(start.replaces)


def test_a_symbolic_link_does_not_open_a_record_twice(file: Path) -> None:
    other = file.with_name("other.journal")
    with closing(Journal(file)):
        other.symlink_to(file)
        with pytest.raises(JournalInUseError):
            Journal(other)
