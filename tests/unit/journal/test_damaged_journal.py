"""A journal that was tampered with, cut short or damaged: never silently accepted, quarantined, and replaced."""

import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest
from tampering import change

from config.schema import TableConfig
from controller.bench.rig import Rig
from controller.commands.cli import main
from controller.journal.chain import GENESIS, Entry, verify
from controller.journal.database import PAGE
from controller.journal.errors import JournalDamagedError
from controller.journal.head_anchor import anchor_file, anchored_head
from controller.journal.journal import Journal
from controller.journal.quarantine import examine, mark_recorded, quarantine, replaced_journal
from controller.journal.recovery import recover
from controller.runtime import exit_codes as exits

NOON_NS = 1_767_268_800_000_000_000


@pytest.fixture
def played(shipped: Callable[[str], TableConfig], tmp_path: Path) -> Path:
    """The journal of two rounds of Dreamcatcher and of the beginning of a third."""
    file = tmp_path / "table.journal"
    table = Rig(shipped("dreamcatcher"), file)
    table.turn(1.2)
    for section in (20, 30):
        table.press("no-more-bets")
        table.spin(3.3, stop_on=section)
        table.press("done", "done", "clear")
    table.press("no-more-bets")
    table.table.stop()
    table.journal.close()
    return file


def start(file: Path, shipped: Callable[[str], TableConfig]) -> None:
    """Start a table on the journal."""
    table = Rig(shipped("dreamcatcher"), file)
    table.table.stop()
    table.journal.close()


def last(file: Path) -> int:
    journal = Journal(file, read_only=True)
    count = len(journal)
    journal.close()
    return count


def test_an_entry_of_the_present_round_that_was_changed(
    played: Path, shipped: Callable[[str], TableConfig]
) -> None:
    seq = last(played)
    change(played, f"UPDATE entries SET body = replace(body, 'no-more-bets', 'clear') WHERE seq = {seq}")
    with pytest.raises(JournalDamagedError, match=f"entry {seq} .round 3, press. does not fit"):
        start(played, shipped)


def test_entries_that_were_taken_from_the_end(played: Path, shipped: Callable[[str], TableConfig]) -> None:
    """The chain of what is left is intact; the head anchor shows that there was more."""
    known = anchored_head(played)
    assert known is not None
    change(played, f"DELETE FROM entries WHERE seq > {known.seq - 3}")
    assert examine(played).problem == ""
    message = f"the entries {known.seq - 2} to {known.seq} are missing at its end"
    with pytest.raises(JournalDamagedError, match=message):
        start(played, shipped)


def test_a_journal_that_was_exchanged_for_another_one(
    played: Path, tmp_path: Path, shipped: Callable[[str], TableConfig]
) -> None:
    other = tmp_path / "other.journal"
    shutil.copy(played, other)
    change(other, "UPDATE entries SET utc = '2026-01-02T00:00:00.000Z' WHERE seq = 1")
    with closing(sqlite3.connect(other)) as db:
        rows = db.execute("SELECT * FROM entries ORDER BY seq").fetchall()
    other.unlink()
    forged = Journal(other)
    for seq, round_, at_ns, _utc, kind, body, kept, _hash in rows:
        forged.append(round_, at_ns, NOON_NS + seq, kind, body, kept)
    forged.close()
    assert examine(other).problem == "", "its own chain fits"
    shutil.copy(other, played)
    with pytest.raises(JournalDamagedError, match="is another than it once was"):
        start(played, shipped)


@pytest.mark.parametrize("part", [0.0, 0.1, 0.5, 0.9])
def test_a_file_that_was_cut_short_or_overwritten(
    played: Path, shipped: Callable[[str], TableConfig], part: float
) -> None:
    size = played.stat().st_size
    with played.open("r+b") as file:
        file.truncate(int(size * part))
    with pytest.raises(JournalDamagedError):
        start(played, shipped)


@pytest.mark.parametrize("page", range(1, 12))
def test_a_page_of_noise_is_never_silently_accepted(
    played: Path, shipped: Callable[[str], TableConfig], page: int
) -> None:
    """A bad page that the table needs is found at its start, and any other by `journal verify`."""
    assert page * PAGE < played.stat().st_size
    with played.open("r+b") as file:
        file.seek(page * PAGE)
        file.write(bytes((7 * page + i) % 251 for i in range(PAGE)))
    found = examine(played).problem
    try:
        start(played, shipped)
    except JournalDamagedError:
        found = "at the start"
    assert found


def test_a_schema_that_is_not_text_is_damage_too(played: Path, shipped: Callable[[str], TableConfig]) -> None:
    """SQLite quotes it in its message, which then cannot be decoded (found by fuzzing)."""
    data = played.read_bytes()
    for name in (b"CREATE TABLE entries", b"tableentriesentries"):
        assert name in data
        played.write_bytes(data.replace(name, b"\xff" * len(name)))
        assert examine(played).problem
        with pytest.raises(JournalDamagedError):
            start(played, shipped)


def test_a_damaged_head_anchor_is_ignored(played: Path, shipped: Callable[[str], TableConfig]) -> None:
    for content in (b"", b"x" * 78, b"000000000001"):
        anchor_file(played).write_bytes(content)
        assert anchored_head(played) is None
        start(played, shipped)


def test_a_damaged_journal_is_kept_and_the_next_one_says_what_it_replaces(
    played: Path, shipped: Callable[[str], TableConfig]
) -> None:
    change(played, "UPDATE entries SET round = 9 WHERE seq = 5")
    before = played.read_bytes()
    quarantined = quarantine(played, "entry 5 does not fit", NOON_NS)
    assert quarantined.name == "table.damaged-20260101T120000Z.journal"
    assert quarantined.read_bytes() == before
    found = examine(quarantined)
    assert found.entries == 4
    assert anchored_head(played) is None
    words = replaced_journal(played)
    assert words.startswith(f"{quarantined.name}: 4 entries that fit, head {found.head}; entry 5 (round 9, ")
    assert f"it once held entry {anchored_head(quarantined).seq}" in words  # type: ignore[union-attr]
    start(played, shipped)
    mark_recorded(played)
    assert replaced_journal(played) == ""


def test_nothing_is_overwritten_when_two_journals_are_quarantined_in_one_second(played: Path) -> None:
    shutil.copy(played, played.with_name("copy"))
    first = quarantine(played, "x", NOON_NS)
    shutil.copy(played.with_name("copy"), played)
    second = quarantine(played, "x", NOON_NS)
    assert first != second
    assert first.read_bytes() == second.read_bytes()


@pytest.mark.parametrize("steps", range(5))
def test_a_power_cut_during_quarantine(
    played: Path, shipped: Callable[[str], TableConfig], monkeypatch: pytest.MonkeyPatch, steps: int
) -> None:
    """At any step: the next start refuses what is there, or records what it replaces."""
    change(played, f"UPDATE entries SET round = 9 WHERE seq = {last(played)}")
    done = 0
    rename = __import__("os").rename

    def cut(*names: object) -> None:
        nonlocal done
        if done == steps:
            raise KeyboardInterrupt
        done += 1
        rename(*names)

    monkeypatch.setattr("os.rename", cut)
    try:
        quarantine(played, "entry does not fit", NOON_NS)
    except KeyboardInterrupt:
        assert done == steps
    monkeypatch.undo()
    try:
        with closing(Journal(played)) as journal:
            machine = Rig(shipped("dreamcatcher")).machine
            found = recover("dreamcatcher", machine, journal).replayed
    except JournalDamagedError:
        return
    assert found == -1, "an empty journal"
    assert "entries that fit, head" in replaced_journal(played)


def test_a_journal_that_is_no_database_has_no_head(tmp_path: Path) -> None:
    file = tmp_path / "table.journal"
    file.write_text("this is not what it should be\n" * 100)
    with pytest.raises(JournalDamagedError, match="file is not a database"):
        Journal(file)
    assert (examine(file).entries, examine(file).head) == (0, GENESIS)


@pytest.mark.parametrize("written", ["''", "0", "CAST('' AS BLOB)"])
def test_no_checkpoint_is_not_the_same_as_an_empty_one(written: str, played: Path) -> None:
    """One flipped bit of the file can make the one of the other."""
    with closing(sqlite3.connect(played)) as db:
        rows = [list(row) for row in db.execute("SELECT * FROM entries ORDER BY seq")]
        at = next(at for at, row in enumerate(rows) if row[6] is None)
        (value,) = db.execute(f"SELECT {written}").fetchone()
    rows[at][6] = value
    found = verify(Entry(*row) for row in rows)
    assert (found.entries, found.problem.startswith(f"entry {at + 1} ")) == (at, True)


def test_a_number_that_became_text_does_not_fit(played: Path) -> None:
    with closing(Journal(played, read_only=True)) as journal:
        entries = list(journal.entries())
    for field in ("seq", "round", "at_ns"):
        changed = entries[3]._replace(**{field: str(getattr(entries[3], field))})
        assert changed.expected_hash(entries[2].hash) != changed.hash


def test_verify_says_what_is_missing_at_the_end(played: Path, capsys: pytest.CaptureFixture[str]) -> None:
    known = anchored_head(played)
    assert known is not None
    change(played, f"DELETE FROM entries WHERE seq >= {known.seq}")
    assert main(["journal", "verify", str(played)]) == exits.FAILED
    assert f"the entries {known.seq} to {known.seq} are missing at its end" in capsys.readouterr().err


def test_verify_says_that_the_record_was_forged_whole(played: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """All hashes fit, and the anchor names another entry."""
    anchor_file(played).write_text(f"{3:012d} {'0' * 64}\n")
    assert main(["journal", "verify", str(played), "--json"]) == exits.FAILED
    assert "entry 3 is another than it once was" in capsys.readouterr().out
