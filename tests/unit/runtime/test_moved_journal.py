"""A journal whose file is deleted, exchanged or linked while the table plays: it closes, and no entry is lost."""

import logging
import os
import shutil
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest
from running_session import Runs

from controller.events.event import TableStarted
from controller.journal.chain import Entry
from controller.journal.errors import JournalError, JournalInUseError, JournalMovedError
from controller.journal.head_anchor import anchor_file
from controller.journal.journal import Journal
from controller.journal.record import of_entry
from controller.runtime import journal_watch
from hal.wall_time import SetBy


def delete(file: Path) -> None:
    file.unlink()


def delete_all(file: Path) -> None:
    """The insider knows what lies beside a journal."""
    for one in file.parent.iterdir():
        one.unlink()


def delete_log(file: Path) -> None:
    Path(f"{file}-wal").unlink()


def delete_lock(file: Path) -> None:
    """A second table could then be started on the same record."""
    Path(f"{file}.lock").unlink()


def rename(file: Path) -> None:
    file.rename(file.with_name("away.journal"))


def exchange(file: Path) -> None:
    """An older copy is put in its place."""
    shutil.copy(file, file.with_name("older.journal"))
    file.with_name("older.journal").replace(file)


def roll_back(file: Path) -> None:
    """The record as it was one entry ago, anchor and all."""
    older = file.with_name("older.journal")
    with closing(Journal(file, read_only=True)) as journal, closing(Journal(older)) as shorter:
        shorter.take_over(list(journal.entries())[:-1])
    anchor_file(older).replace(anchor_file(file))
    older.replace(file)
    Path(f"{file}-wal").unlink()


def exchange_log(file: Path) -> None:
    shutil.copy(f"{file}-wal", file.with_name("older-wal"))
    file.with_name("older-wal").replace(f"{file}-wal")


def link_elsewhere(file: Path) -> None:
    file.rename(file.with_name("away.journal"))
    shutil.copy(file.with_name("away.journal"), file.with_name("other.journal"))
    file.symlink_to("other.journal")


def second_name(file: Path) -> None:
    os.link(file, file.with_name("second.journal"))


def folder_away(file: Path) -> None:
    file.parent.rename(file.parent.with_name("away"))
    file.parent.mkdir()


def pipe(file: Path) -> None:
    file.unlink()
    os.mkfifo(file)


ATTACKS = [
    delete,
    delete_all,
    delete_log,
    delete_lock,
    rename,
    exchange,
    roll_back,
    exchange_log,
    link_elsewhere,
    second_name,
    folder_away,
    pipe,
]


@pytest.fixture
def file(tmp_path: Path) -> Path:
    (tmp_path / "card").mkdir()
    return tmp_path / "card" / "table.journal"


@pytest.fixture
def runs(file: Path, caplog: pytest.LogCaptureFixture) -> Iterator[Callable[[], Runs]]:
    made: list[Runs] = []

    def make() -> Runs:
        caplog.clear()
        made.append(Runs(file, lambda: caplog.text, "sic-bo", SetBy.NETWORK))
        return made[-1]

    caplog.set_level(logging.INFO)
    yield make
    for one in made:
        if not one.task.done():
            one.end()
        one.close()


def entries(file: Path) -> list[Entry]:
    with closing(Journal(file, read_only=True)) as journal:
        assert journal.verify().problem == ""
        return list(journal.entries())


def played(runs: Callable[[], Runs], file: Path) -> tuple[Runs, list[Entry]]:
    """A table at work, and what it has on record."""
    table = runs()
    table.logs("table sic-bo is ready")
    table.press("floor-key")
    table.logs("[floor-menu]")
    return table, entries(file)


NOTICED_LATER = [delete_log, delete_lock, exchange_log]
"""The database is there: these are noticed before the next round, or by the watch."""


@pytest.mark.parametrize("attack", [attack for attack in ATTACKS if attack not in NOTICED_LATER])
def test_the_table_closes_and_all_of_the_record_is_kept(
    attack: Callable[[Path], None], runs: Callable[[], Runs], file: Path
) -> None:
    table, before = played(runs, file)
    attack(file)
    table.press("clear")
    table.logs("the table is closed: the journal is damaged")
    assert "[closed]" not in table._log().split("the table halts")[1], "nothing is decided that nobody finds later"
    (rescued,) = file.parent.glob("table.rescued-*.journal")
    assert entries(rescued) == before
    assert f"all its {len(before)} entries" in table._log()


@pytest.mark.parametrize("attack", ATTACKS)
def test_no_round_opens_on_it(attack: Callable[[Path], None], file: Path) -> None:
    with closing(Journal(file)) as journal:
        journal.append(0, 0, 0, "table-started", "{}", "{}")
        attack(file)
        with pytest.raises(JournalMovedError):
            journal.append(1, 0, 0, "press", "{}", "{}")


@pytest.mark.parametrize("attack", ATTACKS)
def test_the_floorperson_begins_a_new_record_that_names_what_was_saved(
    attack: Callable[[Path], None], runs: Callable[[], Runs], file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(journal_watch, "LOOKS_NS", 1_000_000)
    table, before = played(runs, file)
    attack(file)
    table.logs("the table is closed: the journal is damaged")
    file.with_name("second.journal").unlink(missing_ok=True)
    table.press("floor-key")
    table.logs("press clear to begin a new journal")
    table.press("clear")
    table.until(lambda: table._log().count("is ready") == 2)
    start = of_entry(entries(file)[0]).event
    assert isinstance(start, TableStarted)
    (rescued,) = file.parent.glob("table.rescued-*.journal")
    assert rescued.name in start.replaces
    assert before[-1].hash in start.replaces


@pytest.mark.parametrize("attack", [delete, delete_all, roll_back, folder_away])
def test_a_restart_before_the_decision_does_not_begin_a_new_record(
    attack: Callable[[Path], None], runs: Callable[[], Runs], file: Path
) -> None:
    table, before = played(runs, file)
    attack(file)
    table.press("clear")
    table.logs("the table is closed: the journal is damaged")
    table.end()
    again = runs()
    again.logs("the table is closed: the journal is damaged")
    assert f"{before[-1].seq}" in again._log()


def test_a_symbolic_link_does_not_open_a_record_twice(file: Path) -> None:
    other = file.with_name("other.journal")
    with closing(Journal(file)):
        other.symlink_to(file)
        with pytest.raises(JournalInUseError):
            Journal(other)


def test_a_second_name_is_refused_at_the_start(file: Path) -> None:
    Journal(file).close()
    second_name(file)
    with pytest.raises(JournalError, match="second name on the disk: remove it"):
        Journal(file)


@pytest.mark.parametrize("kind", ["folder", "pipe", "device"])
def test_what_is_no_file_is_refused_at_once(kind: str, file: Path) -> None:
    if kind == "pipe":
        os.mkfifo(file)
    path = {"folder": file.parent, "pipe": file, "device": Path("/dev/null")}[kind]
    for read_only in (False, True):
        with pytest.raises(JournalError, match=f"for this is a {kind}: name a file"):
            Journal(path, read_only)
