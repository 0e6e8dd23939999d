"""A journal and its mirror: whatever fails, and wherever a run is cut, nothing forks and nothing is lost."""

import os
import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing, suppress
from itertools import product
from pathlib import Path

import pytest
from replay_table import settle
from screen_table import Screens
from tampering import change

from config.schema import TableConfig
from controller import errors as exits
from controller.bench.rig import HaltedTableError, Rig
from controller.commands.cli import main
from controller.journal.chain import Entry
from controller.journal.errors import (
    JournalDamagedError,
    JournalError,
    JournalInUseError,
    JournalMirrorError,
    JournalUnwritableError,
)
from controller.journal.head_anchor import HeadAnchor
from controller.journal.journal import Journal
from controller.journal.journal_file import PAGE
from controller.journal.mirror import MirroredJournal, open_mirrored
from controller.journal.reading import copy_of
from controller.journal.set_aside import RECOVERED, REPLACED, noted, quarantine


class Pair:
    """The files on two media."""

    def __init__(self, folder: Path) -> None:
        self.journal, self.mirror = folder / "card" / "table.journal", folder / "stick" / "table.journal"

    def open(self) -> MirroredJournal:
        return open_mirrored(self.journal, self.mirror, distinct=False)

    def recover(self, journal: bool = True) -> int:
        made, source = (self.journal, self.mirror) if journal else (self.mirror, self.journal)
        return main(["journal", "recover", str(made), "--from", str(source)])

    def entries(self, file: Path) -> list[str]:
        with closing(Journal(file)) as journal:
            assert journal.verify().problem == ""
            return [entry.hash for entry in journal.entries()]


@pytest.fixture
def pair(tmp_path: Path) -> Pair:
    return Pair(tmp_path)


def write(journal: Journal, count: int) -> None:
    for number in range(count):
        journal.append(1, number, 0, "press", "{}", "{}" if number % 3 == 0 else None)


# -- every cut, every failure ----------------------------------------------------------------------------------


class Cut(BaseException):
    """The power goes."""


class Steps:
    """Cuts the power before a step: each write of a journal, a head or a part of a copy is two."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.left = 0
        self.failing = ""
        """The folder of the medium whose writes fail."""
        for owner, name in ((Journal, "store"), (HeadAnchor, "note")):
            monkeypatch.setattr(owner, name, self._cutting(getattr(owner, name)))

    def _cutting(self, method: Callable[..., None]) -> Callable[..., None]:
        def cuts(of: object, *what: object) -> None:
            if isinstance(of, Journal) and self.failing and f"/{self.failing}/" in str(of.file):
                raise JournalUnwritableError("the medium failed")
            self.step()
            method(of, *what)
            self.step()

        return cuts

    def step(self) -> None:
        self.left -= 1
        if self.left == 0:
            raise Cut


@pytest.fixture
def steps(monkeypatch: pytest.MonkeyPatch) -> Steps:
    return Steps(monkeypatch)


def play(pair: Pair, steps: Steps, after: int, cut: int) -> list[str]:
    """A run of a table that is cut after so many steps; returns the hashes of what was acknowledged in it.

    Args:
        after: how many entries are acknowledged before.
    """
    acknowledged: list[str] = []
    steps.left = cut
    with suppress(Cut), closing(pair.open()) as journal:
        acknowledged = [entry.hash for entry in journal.entries()]
        assert len(acknowledged) >= after
        for number in range(2):
            acknowledged.append(journal.append(1, number, 0, "press", "{}", None).hash)
    steps.left = 0
    return acknowledged


def test_wherever_two_runs_are_cut_the_third_opens_on_all_that_was_acknowledged(
    steps: Steps, tmp_path: Path
) -> None:
    tried = 0
    for first, second, gone in product(range(1, 14), range(1, 14, 2), ("", "stick")):
        pair = Pair(tmp_path / str(tried))
        known = play(pair, steps, 0, first)
        steps.failing = gone
        with suppress(JournalMirrorError):  # Nothing is on record, and the mirror cannot be filled: nobody plays.
            known = play(pair, steps, len(known), second) or known
        steps.failing = ""
        with closing(pair.open()) as journal:
            hashes = [entry.hash for entry in journal.entries()]
            assert hashes[: len(known)] == known, (first, second, gone)
        assert pair.entries(pair.journal) == pair.entries(pair.mirror) == hashes
        tried += 1
    assert tried > 100


def longer(pair: Pair) -> None:
    with closing(Journal(pair.mirror)) as mirror:
        write(mirror, 1)


def different(pair: Pair) -> None:
    for file in (pair.journal, pair.mirror):
        with closing(Journal(file)) as alone:
            alone.append(1, len(file.parts[-2]), 0, "press", "{}", None)


def cut_short(pair: Pair) -> None:
    """The journal as it was, with its head anchor."""
    for name in ("", ".head"):
        shutil.copy(f"{pair.journal}.older{name}", f"{pair.journal}{name}")


@pytest.mark.parametrize("cause", [longer, different, cut_short])
@pytest.mark.parametrize("journal_counts", [True, False])
def test_a_mirror_that_is_not_the_journals_beginning_closes_the_table_until_one_is_chosen(
    cause: Callable[[Pair], None], journal_counts: bool, pair: Pair
) -> None:
    with closing(pair.open()) as journal:
        write(journal, 3)
    for name in ("", ".head"):
        shutil.copy(f"{pair.journal}{name}", f"{pair.journal}.older{name}")
    with closing(pair.open()) as journal:
        write(journal, 3)
    cause(pair)
    files = pair.journal.read_bytes(), pair.mirror.read_bytes()
    with pytest.raises(JournalMirrorError, match="a technician decides which one counts"):
        pair.open()
    assert (pair.journal.read_bytes(), pair.mirror.read_bytes()) == files
    chosen = pair.entries(pair.journal if journal_counts else pair.mirror)
    assert pair.recover(journal=not journal_counts) == exits.OK
    with closing(pair.open()):
        pass
    assert pair.entries(pair.journal) == pair.entries(pair.mirror) == chosen
    (kept,) = (pair.mirror if journal_counts else pair.journal).parent.glob("table.replaced-*.journal")
    assert kept.read_bytes() == files[1 if journal_counts else 0]
    assert noted(pair.mirror if journal_counts else pair.journal, RECOVERED).parameters["kept"] == kept.name


def last_changed(file: Path) -> None:
    change(file, "UPDATE entries SET body = '[]' WHERE seq = (SELECT max(seq) FROM entries)")


def page_lost(file: Path) -> None:
    with closing(sqlite3.connect(file)) as db:
        (page,) = db.execute("SELECT rootpage FROM sqlite_master WHERE name = 'entries'").fetchone()
    with file.open("r+b") as stream:
        stream.seek((page - 1) * PAGE)
        stream.write(b"\x55" * PAGE)


@pytest.mark.parametrize(("damage", "words"), [(last_changed, "does not fit"), (page_lost, "cannot be read")])
def test_a_damaged_mirror_is_left_out_and_a_damaged_journal_names_what_its_mirror_has(
    pair: Pair, damage: Callable[[Path], None], words: str
) -> None:
    with closing(pair.open()) as journal:
        write(journal, 7)
    damage(pair.mirror)
    with closing(pair.open()) as journal:
        assert words in journal.problem
        write(journal, 2)
    assert pair.recover(journal=False) == exits.OK
    damage(pair.journal)
    command = f"journal recover {pair.journal} --from {pair.mirror}"
    with pytest.raises(JournalDamagedError, match=f"{words}.*; its mirror has 9 entries: .*{command}"):
        pair.open()
    assert pair.recover() == exits.OK
    assert len(pair.entries(pair.journal)) == 9


def test_beside_a_damaged_journal_no_mirror_is_made(pair: Pair) -> None:
    with closing(pair.open()) as journal:
        write(journal, 7)
    change(pair.journal, "UPDATE entries SET body = '[]' WHERE seq = 7")
    kept_as = quarantine(pair.mirror, "damaged", 0)
    for _ in "12":
        with pytest.raises(JournalDamagedError, match="there is no journal here"):
            pair.open()
    assert noted(pair.mirror, REPLACED).parameters["file"] == kept_as.name
    assert not pair.mirror.exists()


def test_no_journal_is_made_of_what_is_not_whole_or_in_use(pair: Pair, capsys: pytest.CaptureFixture[str]) -> None:
    with closing(pair.open()) as journal:
        write(journal, 7)
        assert pair.recover() == exits.FAILED
        assert "has this journal open" in capsys.readouterr().err
        with pytest.raises(JournalInUseError), copy_of(pair.mirror):
            pass
    change(pair.mirror, "DELETE FROM entries WHERE seq = 7")
    before = pair.journal.read_bytes()
    assert pair.recover() == exits.FAILED
    assert "entry 7 is missing at its end" in capsys.readouterr().err
    assert pair.journal.read_bytes() == before
    folder = pair.journal.parent
    for place, said in (
        (folder, "is a folder"),
        (folder / "none" / "table.journal", "in a folder that is not there"),
    ):
        assert main(["journal", "recover", str(place), "--from", str(pair.mirror)]) == exits.FAILED
        assert said in capsys.readouterr().err
    assert len(list(folder.iterdir())) == 2


def test_no_journal_takes_the_place_of_another_tables(
    pair: Pair, shipped: Callable[[str], TableConfig], capsys: pytest.CaptureFixture[str]
) -> None:
    """Of the same game, too. A table would refuse it at its next start."""
    sic_bo = shipped("sic-bo")
    for name, file in (("sic-bo", pair.journal), ("sic-bo-2", pair.mirror)):
        Rig(sic_bo.model_copy(update={"table": name}), file).close()
    other = pair.journal.with_name("other.journal")
    Rig(shipped("roulette"), other).close()
    before = {one: one.read_bytes() for one in pair.journal.parent.iterdir()}
    for source, name in ((pair.mirror, "sic-bo-2"), (other, "roulette")):
        assert main(["journal", "recover", str(pair.journal), "--from", str(source)]) == exits.FAILED
        said = capsys.readouterr().err
        assert f"{pair.journal} is a journal of 'sic-bo', and {source} of '{name}'; name the journal of" in said
        assert {one: one.read_bytes() for one in pair.journal.parent.iterdir()} == before


def test_an_empty_journal_and_a_mirror_that_cannot_be_used_keep_the_table_closed(pair: Pair) -> None:
    """As where a new card is in, and the stick is not mounted: nobody begins a second record."""
    with pytest.raises(JournalMirrorError, match="its mirror may have the record"):
        MirroredJournal(pair.journal, pair.mirror)  # Both lie on one medium.


# -- at a table ------------------------------------------------------------------------------------------------


@pytest.fixture
def failing(monkeypatch: pytest.MonkeyPatch) -> list[Path]:
    """Journals whose files are named here cannot store an entry."""
    files: list[Path] = []
    store = Journal.store

    def fails(journal: Journal, *entries: Entry) -> None:
        if journal.file in files:
            raise JournalUnwritableError("the journal cannot be written: disk I/O error")
        store(journal, *entries)

    monkeypatch.setattr(Journal, "store", fails)
    return files


@pytest.fixture
def table(pair: Pair, shipped: Callable[[str], TableConfig]) -> Rig:
    """A wheel's table on two media."""
    rig = Rig(shipped("dreamcatcher"), pair.journal, mirror=pair.mirror)
    rig.turn(1.2)
    return rig


def alerts(screens: Screens) -> list[str]:
    return [alert["text"] for alert in screens.dealer()["alerts"]]


def test_what_fails_of_the_two_is_named(table: Rig, failing: list[Path], pair: Pair) -> None:
    """A mirror that was deleted is an alert; a journal that cannot be written halts the table."""
    screens = Screens(table)
    pair.mirror.unlink()
    table.wait(6)
    (alert,) = alerts(screens)
    assert "was deleted or renamed" in alert
    failing.append(pair.journal)
    with pytest.raises(HaltedTableError, match="disk I/O error"):
        table.press("no-more-bets")
    table.close()


def test_a_mirror_that_fails_is_an_alert_until_a_start_has_filled_it(
    table: Rig, failing: list[Path], pair: Pair
) -> None:
    screens = Screens(table)
    table.press("no-more-bets")
    failing.append(pair.mirror)
    table.spin(stop_on="10")
    assert table.lit() == {"10"}
    (alert,) = alerts(screens)
    assert alert.startswith(f"The mirror cannot be used: {pair.mirror}: ")
    assert "disk I/O error" in alert
    settle(table)
    failing.clear()
    table.press("no-more-bets")
    assert len(alerts(screens)) == 1, "not in the middle of a run"
    table.power_cut()
    assert alerts(screens) == []
    assert table.last("sensor-health").found.code == "entries-copied"
    table.close()
    assert pair.entries(pair.journal) == pair.entries(pair.mirror)


@pytest.mark.parametrize("cut", range(11))
def test_a_cut_while_a_journal_is_recovered_leaves_one_that_can_be_and_no_place_for_a_new_one(
    cut: int, pair: Pair, monkeypatch: pytest.MonkeyPatch
) -> None:
    with closing(pair.open()) as journal:
        write(journal, 7)
    change(pair.journal, "UPDATE entries SET body = '[]' WHERE seq = 7")
    done = 0

    def renaming(rename: Callable[..., None]) -> Callable[..., None]:
        def renames(*names: object) -> None:
            nonlocal done
            if done == cut:
                raise Cut
            done += 1
            rename(*names)

        return renames

    for name in ("rename", "replace"):
        monkeypatch.setattr(os, name, renaming(getattr(os, name)))
    with suppress(Cut):
        pair.recover()
    monkeypatch.undo()
    with suppress(JournalError), closing(Journal(pair.journal)) as journal:  # At a table without a mirror.
        assert len(journal) == 7
        assert journal.verify().problem or noted(pair.journal, RECOVERED), "its first start records whence it comes"
    with suppress(JournalError):
        pair.open().close()
    assert pair.recover() == exits.OK
    assert len(pair.entries(pair.journal)) == 7


def test_a_recovery_that_fails_leaves_the_folder_as_it_was(pair: Pair, monkeypatch: pytest.MonkeyPatch) -> None:
    with closing(pair.open()) as journal:
        write(journal, 7)
    before = sorted(pair.journal.parent.iterdir())

    def store(journal: Journal, *entries: Entry) -> None:
        raise JournalUnwritableError("the journal cannot be written: database or disk is full")

    monkeypatch.setattr(Journal, "store", store)
    assert pair.recover() == exits.FAILED
    assert sorted(pair.journal.parent.iterdir()) == before
