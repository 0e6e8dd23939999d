"""The record's file: durable before anything is seen, append-only, and chained so that a change shows.

Other processes neither delay nor stop the table. A journal that was tampered with, cut short or damaged is never
silently accepted: it is quarantined, and replaced.
"""

import os
import re
import shutil
import sqlite3
import subprocess
import sys
import zlib
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from itertools import pairwise
from pathlib import Path

import pytest
from on_record import recovered
from project import ROOT
from tampering import chained, change, write_journal

from config.schema import TableConfig
from controller import errors as exits
from controller.bench.rig import HaltedTableError, Rig
from controller.commands.cli import main
from controller.events.event import Press
from controller.events.record import Record
from controller.events.table_words import TABLE_WORDS
from controller.events.words import say
from controller.journal import journal_file as database
from controller.journal.audit import EVERY_NS, SLICE_ENTRIES, Audit
from controller.journal.chain import Entry
from controller.journal.errors import JournalDamagedError, JournalError, JournalInUseError, JournalUnwritableError
from controller.journal.head_anchor import AnchoredHead, HeadAnchor, anchor_file, anchored_head, head_in
from controller.journal.journal import Journal
from controller.journal.journal_file import PAGE
from controller.journal.reading import copy_of
from controller.journal.record import to_json
from controller.journal.set_aside import REPLACED, examine, mark_recorded, noted, quarantine, rescue
from hal.mock.clock import VirtualClock


def play_a_round(table: Rig) -> None:
    table.press("no-more-bets")
    table.spin(stop_on="10")
    table.press("done", "done", "clear")


@pytest.fixture
def synced(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[AnchoredHead | None]:
    """What the head anchor of the table's journal named each time when it was synced."""
    heads: list[AnchoredHead | None] = []
    fdatasync = os.fdatasync

    def syncs(descriptor: int) -> None:
        fdatasync(descriptor)
        heads.append(anchored_head(tmp_path / "table.journal"))

    monkeypatch.setattr("os.fdatasync", syncs)
    return heads


def test_a_lamp_is_lit_only_after_its_entry_and_its_head_are_on_disk(
    opened: Callable[..., Rig], tmp_path: Path, synced: list[AnchoredHead | None]
) -> None:
    """The file is read at the very moment when the lamps are switched."""
    file = tmp_path / "table.journal"
    table = opened("dreamcatcher", file)
    seen: list[tuple[frozenset[str], str]] = []
    reader = table.journal._db
    show = table.world.panel.show

    def watched(areas: frozenset[str]) -> None:
        row = reader.execute("SELECT seq, hash, body FROM entries ORDER BY seq DESC LIMIT 1").fetchone()
        assert not reader.in_transaction
        assert reader.execute("PRAGMA synchronous").fetchone() == (2,), "SQLite syncs each commit from FULL on"
        assert synced[-1] == AnchoredHead(*row[:2])
        seen.append((areas, row[2]))
        show(areas)

    table.world.panel.show = watched  # type: ignore[method-assign]
    play_a_round(table)
    assert [areas for areas, _ in seen] == [frozenset({"10"}), frozenset()]
    assert '"kind":"result"' in seen[0][1]
    assert '"kind":"round-opened"' in seen[1][1]


def test_nothing_is_lit_if_the_head_cannot_be_synced(
    opened: Callable[..., Rig], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The entry itself is on record, so the round goes on from it once the disk is repaired."""
    table = opened("sic-bo", tmp_path / "table.journal")
    table.press("no-more-bets", *"255")

    def fails(_: int) -> None:
        raise OSError(5, "Input/output error")

    with monkeypatch.context() as broken:
        broken.setattr("os.fdatasync", fails)
        with pytest.raises(HaltedTableError):
            table.press("enter")
    assert table.lit() == set()
    assert "its head anchor: Input/output error" in table.table.halted
    assert isinstance(table.table.recorder.journal_error, JournalUnwritableError)
    table.power_cut()
    assert "big" in table.lit()


@pytest.mark.parametrize("seq", [None, 1, SLICE_ENTRIES, SLICE_ENTRIES + 1, 2 * SLICE_ENTRIES + 50])
def test_an_audit_during_play_finds_a_changed_entry_wherever_it_is(tmp_path: Path, seq: int | None) -> None:
    file, clock, found = tmp_path / "table.journal", VirtualClock(), list[str]()
    with closing(Journal(file)) as journal:
        for at_ns in range(2 * SLICE_ENTRIES + 100):
            journal.append(1, at_ns, 0, "press", "{}", "{}" if at_ns == 0 else None)
    if seq is not None:
        change(file, f"UPDATE entries SET at_ns = at_ns + 1 WHERE seq = {seq}")
    with closing(Journal(file)) as journal:
        audit = Audit(journal, clock, found.append)
        clock.advance_to(10 * EVERY_NS)
        audit.close()
    assert found == ([f"entry {seq} (round 1, press) does not fit"] if seq is not None else [])
    assert audit.done == (seq is None)


def test_an_audit_that_the_disk_cannot_answer_names_that(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    clock, found = VirtualClock(), list[str]()

    def fails(*_: object) -> Iterator[Entry]:
        raise JournalUnwritableError("disk I/O error")
        yield

    with closing(Journal(tmp_path / "table.journal")) as journal:
        journal.append(1, 0, 0, "press", "{}", None)
        Audit(journal, clock, found.append)
        monkeypatch.setattr(Journal, "_read", fails)
        clock.advance_to(10 * EVERY_NS)
    assert found == ["disk I/O error"]


@pytest.mark.parametrize(
    ("content", "words"),
    [(b"table: x\n" * 200, "cannot be opened"), (b"", "not a journal"), (None, "no journal here")],
)
def test_a_file_that_is_no_journal_is_refused_and_not_changed(
    tmp_path: Path, content: bytes | None, words: str
) -> None:
    file = tmp_path / "thing"
    if content is not None:
        file.write_bytes(content)
    with pytest.raises(JournalError, match=words):
        Journal(file, read_only=True)
    assert content is None or file.read_bytes() == content


def test_another_programs_database_is_refused_and_not_changed(file: Path) -> None:
    with closing(sqlite3.connect(file)) as db:
        db.execute("CREATE TABLE notes (text)")
    content = file.read_bytes()
    with pytest.raises(JournalError, match="not a journal"):
        Journal(file)
    assert (file.read_bytes(), list(file.parent.iterdir())) == (content, [file])


def test_another_program_verifies_a_journal_as_it_is_documented(
    opened: Callable[..., Rig], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The program of docs/journal.md, and the head as that describes it."""
    table = opened("dreamcatcher", tmp_path / "copy.journal")
    play_a_round(table)
    table.close()
    text = (ROOT / "docs/journal.md").read_text(encoding="utf-8")
    program = text.partition("```python\n")[2].partition("```")[0]
    monkeypatch.chdir(tmp_path)
    exec(program, {})
    seq, digest = anchored_head(tmp_path / "copy.journal") or (0, "")
    assert capsys.readouterr().out == f"{seq} entries, head {digest}\n"
    slots = [(tmp_path / "copy.journal.head").read_bytes()[at:][:87] for at in (0, 4096)]
    heads = {slot[:77]: slot[78:86] for slot in slots}
    assert heads[f"{seq:012d} {digest}".encode()] == b"%08x" % zlib.crc32(f"{seq:012d} {digest}".encode())


# -- other processes ----------------------------------------------------------------------------------------------

OTHER = """
import fcntl, os, sqlite3, sys
file, what = sys.argv[1:]
if what == "reads":
    db = sqlite3.connect(file, timeout=0.1)
    try:
        db.execute("BEGIN")
        print(db.execute("SELECT count(*) FROM entries").fetchone(), flush=True)
    except sqlite3.Error as error:
        print(error, flush=True)
elif what == "locks":  # As of finding: a shared lock on every byte that SQLite uses, of every file.
    kept = []
    for name in sorted(os.listdir(os.path.dirname(file))):
        kept.append(os.open(os.path.join(os.path.dirname(file), name), os.O_RDONLY))
        for start, length in ((120, 9), (1 << 30, 600)):
            try:
                fcntl.lockf(kept[-1], fcntl.LOCK_SH | fcntl.LOCK_NB, length, start)
            except OSError:
                pass
    print("locked", flush=True)
elif what == "copies":
    with open(file, "rb") as stream:
        print(len(stream.read()), flush=True)
sys.stdin.read()
"""


@contextmanager
def other(file: Path, what: str) -> Iterator[str]:
    """Another process at work, and what it says."""
    command = [sys.executable, "-c", OTHER, str(file), what]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        try:
            yield process.stdout.readline().strip()
        finally:
            process.kill()


def write(journal: Journal, count: int) -> None:
    body = to_json(Record(Press(0, "done"), "accepted", "closed", ()))
    for _ in range(count):
        journal.append(1, 0, 0, "press", body, None)


@pytest.mark.parametrize("what", ["reads", "locks", "copies"])
def test_whatever_another_process_does_with_the_files_the_table_plays_on(file: Path, what: str) -> None:
    with closing(Journal(file)) as journal:
        write(journal, 10)
        for name in ("", "-wal", ".head"):  # As of a backup with cp -al.
            os.link(f"{file}{name}", f"{file.parent}.backup{name}")
        with other(file, what) as said:
            assert what != "reads" or said == "database is locked"
            write(journal, 1500)  # SQLite moves pages from the log into the file meanwhile.
            assert journal.answers()
            assert not Path(f"{file}-shm").exists()
    with closing(Journal(file)) as journal:
        assert (len(journal), journal.verify().problem) == (1510, "")


def test_a_start_names_the_process_that_has_it_open(
    file: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    with closing(Journal(file)) as journal:
        write(journal, 10)
    monkeypatch.setattr(database, "_PATIENCE_S", 0.1)
    with other(file, "reads") as said:
        assert said == "(10,)"
        with pytest.raises(JournalInUseError, match="has this journal open; stop it first") as raised:
            Journal(file)
        assert "process" in str(raised.value)
        assert "python" in str(raised.value)
        monkeypatch.setattr(database, "LOCKS", tmp_path / "none")
        with pytest.raises(JournalInUseError, match="another process has this journal open"):
            Journal(file)


def cut(file: Path, folder: Path) -> Path:
    """What a power cut leaves of a journal of ten entries."""
    folder.mkdir()
    with closing(Journal(file)) as journal:
        write(journal, 10)
        for name in ("", "-wal", ".head"):
            shutil.copy(f"{file}{name}", folder / f"{file.name}{name}")
    return folder / file.name


@pytest.mark.parametrize("command", ["show", "export"])
def test_tools_read_a_folder_that_cannot_be_written_and_change_nothing(
    file: Path, tmp_path: Path, command: str, capsys: pytest.CaptureFixture[str]
) -> None:
    left = cut(file, tmp_path / "left")
    before = {path.name: path.read_bytes() for path in left.parent.iterdir()}
    left.parent.chmod(0o555)
    try:
        main(["journal", command, str(left)])
        assert {path.name: path.read_bytes() for path in left.parent.iterdir()} == before
    finally:
        left.parent.chmod(0o755)
    assert "unable to open" not in capsys.readouterr().err
    with copy_of(left) as copy:
        assert (len(copy), copy.missing_at_end()) == (10, "")


def test_a_journal_is_read_with_its_log_also_where_its_path_is_a_link(file: Path, tmp_path: Path) -> None:
    left, link = cut(file, tmp_path / "left"), tmp_path / "link.journal"
    link.symlink_to(left)
    shutil.copy(anchor_file(left), anchor_file(link))
    with copy_of(link) as copy:
        assert (len(copy), copy.verify().problem) == (10, "")


def test_a_copy_without_its_log_is_named(file: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    left = cut(file, tmp_path / "left")
    Path(f"{left}-wal").unlink()
    assert main(["journal", "verify", str(left)]) == exits.FAILED
    assert "-wal" in capsys.readouterr().err
    with closing(Journal(file)) as journal:
        write(journal, 1)
        shutil.copy(file, left)
        shutil.copy(anchor_file(file), anchor_file(left))
    assert main(["journal", "verify", str(left)]) == exits.FAILED
    said = capsys.readouterr().err
    assert "entry 11 is missing at its end" in said
    assert "no -wal lies beside it, which may have them" in said


# -- damage -------------------------------------------------------------------------------------------------------

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
    table.close()
    return file


def start(file: Path, shipped: Callable[[str], TableConfig]) -> None:
    """Start a table on the journal."""
    Rig(shipped("dreamcatcher"), file).close()


def last(file: Path) -> int:
    with closing(Journal(file, read_only=True)) as journal:
        return len(journal)


def by(statement: str) -> Callable[[Path, int], None]:
    """With a database tool, at the last entry; the triggers are in its way."""

    def changes(file: Path, seq: int) -> None:
        with closing(sqlite3.connect(file)) as db, pytest.raises(sqlite3.IntegrityError, match="append-only"):
            db.execute(statement.format(seq=seq))
        change(file, statement.format(seq=seq))

    return changes


def exchanged(file: Path, seq: int) -> None:
    """The chain of the other journal fits."""
    with closing(Journal(file, read_only=True)) as journal:
        entries = [entry._replace(utc="2026-01-01T12:00:00.000Z") for entry in journal.entries()]
    shutil.copy(write_journal(file.with_name("other.journal"), chained(entries)), file)


def cut_short(file: Path, seq: int) -> None:
    with file.open("r+b") as stream:
        stream.truncate(file.stat().st_size // 2)


def no_text(file: Path, seq: int) -> None:
    """SQLite quotes the schema in its message, which then cannot be decoded (found by fuzzing)."""
    data = file.read_bytes()
    assert b"CREATE TABLE entries" in data
    file.write_bytes(data.replace(b"CREATE TABLE entries", b"\xff" * 20))


DOES_NOT_FIT = "entry {seq} (round 3, press) does not fit"
DAMAGE = {
    "body": (by("UPDATE entries SET body = '{{}}' WHERE seq = {seq}"), DOES_NOT_FIT),
    "time": (by("UPDATE entries SET utc = '2030-01-01T00:00:00.000Z' WHERE seq = {seq}"), DOES_NOT_FIT),
    "round": (by("UPDATE entries SET round = 7 WHERE seq = {seq}"), "entry {seq} (round 7, press) does not fit"),
    "checkpoint": (by("UPDATE entries SET checkpoint = '{{}}' WHERE seq = {seq}"), DOES_NOT_FIT),
    "hash": (by("UPDATE entries SET hash = upper(hash) WHERE seq = {seq}"), "entry {seq} "),
    "an entry": (by("DELETE FROM entries WHERE seq = {seq} - 1"), "entry {before} is missing: entry {seq} follows"),
    "the end": (
        by("DELETE FROM entries WHERE seq > {seq} - 3"),
        "entries {cut} to {seq} are missing at its end; their outcome may",
    ),
    "exchanged": (exchanged, "entry {seq} is not the one that was saved"),
    "cut short": (cut_short, "cannot be "),
    "no text": (no_text, "cannot be "),
}
"""What is changed, and what verify and a start say."""


@pytest.mark.parametrize(("damage", "words"), DAMAGE.values(), ids=DAMAGE)
def test_damage_closes_the_table_and_is_named(
    played: Path, shipped: Callable[[str], TableConfig], damage: Callable[[Path, int], None], words: str
) -> None:
    seq = last(played)
    damage(played, seq)
    named = words.format(seq=seq, before=seq - 1, cut=seq - 2)
    assert named in examine(played).problem
    with pytest.raises(JournalDamagedError, match=re.escape(named)):
        start(played, shipped)


def test_verify_shows_no_damaged_bytes_and_no_copy(played: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """SQLite quotes the text that it cannot decode, and the command reads a copy."""
    data = played.read_bytes()
    played.write_bytes(data.replace(b'"utc_ns"', b'"utc\xff\x1b["'))
    assert main(["journal", "verify", str(played)]) == exits.FAILED
    output = capsys.readouterr()
    shown = output.out + output.err
    assert "the file cannot be read: Could not decode to UTF-8 column 'body'; it is damaged or cut short" in shown
    assert "the 0 entries before" in shown
    assert "copy.journal" not in shown


FIELDS = {
    "no number": "round = NULL",
    "no time": "utc = NULL",
    "bytes": "utc = x'00'",
    "no body": "body = NULL",
    "no object": "body = '[]'",
    "no JSON": "body = '{'",
    "no checkpoint": "checkpoint = '{'",
    "a fraction": "at_ns = 1.5",
}


@pytest.mark.parametrize("field", FIELDS.values(), ids=FIELDS)
def test_a_field_of_no_sense_is_named_by_each_command_and_at_a_start(
    played: Path, shipped: Callable[[str], TableConfig], field: str
) -> None:
    """As a flipped bit in the head of a row leaves it: the types of a table count only where one writes."""
    columns = "round, at_ns, utc, kind, body, checkpoint, hash"
    with closing(sqlite3.connect(played)) as db:
        (seq,) = db.execute("SELECT max(seq) FROM entries WHERE checkpoint IS NOT NULL").fetchone()
        db.executescript(
            f"CREATE TABLE untyped (seq INTEGER PRIMARY KEY, {columns});"
            "INSERT INTO untyped SELECT * FROM entries; DROP TABLE entries; ALTER TABLE untyped RENAME TO entries;"
            f"UPDATE entries SET {field} WHERE seq = {seq}"
        )
    with pytest.raises(JournalDamagedError, match=f"entry {seq}|after entry {seq - 1}"):
        start(played, shipped)
    assert main(["journal", "verify", str(played)]) == exits.FAILED
    for command in (
        *(["show"], ["show", "--json"], ["show", "--last", "1"], ["show", "--round", "2"], ["export"]),
        ["inspections"],
    ):
        assert main(["journal", *command, str(played)]) in (exits.OK, exits.FAILED), "and no traceback"
    assert main(["replay", "2", "dreamcatcher", "--journal", str(played)]) == exits.FAILED


def test_a_page_that_can_be_read_and_not_written_is_damage(
    file: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The head of a page: where it is free. Nothing that is read depends on it."""
    found = 0
    with closing(Journal(file)) as journal:
        write(journal, 60)
    for page in range(1, file.stat().st_size // PAGE):
        other = tmp_path / f"{page}.journal"
        data = bytearray(file.read_bytes())
        data[page * PAGE + 1] ^= 1
        other.write_bytes(data)
        with suppress(JournalDamagedError), closing(Journal(other)) as journal:
            if not journal.verify().problem:
                assert main(["journal", "verify", str(file)]) == exits.OK
                with pytest.raises(JournalDamagedError, match=r"cannot be written: .* damaged"):
                    write(journal, 1)
                found += 1
        if found:
            assert main(["journal", "verify", str(other)]) == exits.FAILED
            command = f"journal recover {other} --from {other}"
            assert command in capsys.readouterr().err
            assert main(command.split()) == exits.OK
            assert main(["journal", "verify", str(other)]) == exits.OK
            break
    assert found


def test_a_lost_result_is_reported_and_named_by_the_next_journal(
    shipped: Callable[[str], TableConfig], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The table was killed while its result was lit, and a bit flips in the last frame of SQLite's log."""
    file, table = tmp_path / "lost" / "table.journal", Rig(shipped("sic-bo"), tmp_path / "table.journal")
    file.parent.mkdir()
    table.press("floor-key", "2", "floor-key", "1")
    for name in ("", "-wal", ".head"):
        shutil.copy(f"{table.journal.file}{name}", f"{file}{name}")
    log = Path(f"{file}-wal")
    unread = log.read_bytes()[:-1] + bytes([log.read_bytes()[-1] ^ 1])
    log.write_bytes(unread)
    named = f"entry {len(table.journal)} is missing at its end"
    head = anchored_head(file)
    with pytest.raises(JournalDamagedError, match=f"{named}; its outcome may .* settle the round by hand"):
        Rig(shipped("sic-bo"), file)
    for command in (["verify"], ["show", "--last", "1"], ["export"]):
        assert main(["journal", *command, str(file)]) == exits.FAILED
        assert named in capsys.readouterr().err
    kept_as = quarantine(file, "it ends before its head", NOON_NS)
    assert examine(kept_as).problem
    assert Path(f"{kept_as}-wal").read_bytes() == unread, "an expert may read what SQLite does not"
    replaced = noted(file, REPLACED)
    assert (replaced.parameters["anchored"], replaced.parameters["anchored_hash"]) == head
    table.close()


def test_whatever_is_left_of_a_write_of_the_head_it_or_the_one_before_it_is_read(tmp_path: Path) -> None:
    """Only the first bytes of the write have reached the disk, or only the last ones, or none of its block."""
    file, contents = tmp_path / "table.journal", list[bytes]()
    anchor_file(file).write_bytes(b"whatever was there")
    with closing(HeadAnchor(file, 8, "8" * 64)) as anchor:
        for seq in range(9, 14):
            contents.append(anchor_file(file).read_bytes())
            anchor.note(seq, f"{seq:064x}")
    for number, (old, new) in enumerate(pairwise(contents)):
        either = {head_in(old), head_in(new)}
        differing = [place for place in range(len(new)) if old[place] != new[place]]
        assert {place // 4096 for place in differing} == {number % 2}, "a block that is lost has only one of them"
        assert len(new) == len(old), "a file that grows can fail on a full disk"
        for place in range(differing[0], differing[-1] + 2):
            assert head_in(new[:place] + old[place:]) in either
            assert head_in(old[:place] + new[place:]) in either
    assert head_in(contents[-1]) == AnchoredHead(12, f"{12:064x}")


def test_a_damaged_head_anchor_is_ignored_and_verify_says_so(
    played: Path, shipped: Callable[[str], TableConfig], capsys: pytest.CaptureFixture[str]
) -> None:
    for content in (b"", b"x" * 78, b"000000000001"):
        anchor_file(played).write_bytes(content)
        assert anchored_head(played) is None
        assert main(["journal", "verify", str(played)]) == exits.OK
        assert "it has no head anchor" in capsys.readouterr().out
        start(played, shipped)


def test_a_rescued_journal_keeps_the_entries_after_a_damaged_one(tmp_path: Path) -> None:
    file = tmp_path / "table.journal"
    with closing(Journal(file)) as journal:
        for number in range(5):
            journal.append(0, number, 0, "press", "{}", None)
    change(file, "UPDATE entries SET body = '[]' WHERE seq = 2")
    with closing(Journal(file)) as journal:
        file.unlink()
        assert rescue(journal, file, 0).startswith("all its 5 entries, head ")
    (rescued,) = tmp_path.glob("table.rescued-*.journal")
    assert "entry 2 " in examine(rescued).problem
    with closing(Journal(rescued, read_only=True)) as journal:
        assert [entry.seq for entry in journal.entries()] == [1, 2, 3, 4, 5]
    with pytest.raises(JournalDamagedError, match="entries 1 to 5 are missing"):
        Journal(file)


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
    replaced = noted(played, REPLACED)
    words = say(TABLE_WORDS, replaced)
    assert words.startswith(f"{quarantined.name}: 4 entries that fit, head {found.head}; entry 5 (round 9, ")
    assert f"it once held entry {anchored_head(quarantined).seq}" in words  # type: ignore[union-attr]
    start(played, shipped)
    mark_recorded(played)
    assert not noted(played, REPLACED)
    assert quarantine(played, "x", NOON_NS) != quarantined, "nothing is overwritten"
    assert quarantined.read_bytes() == before


@pytest.mark.parametrize("steps", range(9))
def test_a_power_cut_during_quarantine(
    played: Path, shipped: Callable[[str], TableConfig], monkeypatch: pytest.MonkeyPatch, steps: int
) -> None:
    """At any step: the next start refuses what is there, or records what it replaces."""
    change(played, f"UPDATE entries SET round = 9 WHERE seq = {last(played)}")
    done = 0

    def cutting(step: Callable[..., None]) -> Callable[..., None]:
        def cut(*what: object) -> None:
            nonlocal done
            if done == steps:
                raise KeyboardInterrupt
            done += 1
            step(*what)

        return cut

    for name in ("rename", "fsync"):
        monkeypatch.setattr(os, name, cutting(getattr(os, name)))
    with suppress(KeyboardInterrupt):
        quarantine(played, "entry does not fit", NOON_NS)
    monkeypatch.undo()
    try:
        with closing(Journal(played)) as journal:
            found = recovered(shipped("dreamcatcher"), journal).replayed
    except JournalDamagedError:
        return
    assert found == -1, "an empty journal"
    assert noted(played, REPLACED)
