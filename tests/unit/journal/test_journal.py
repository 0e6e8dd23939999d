"""The record: durable before anything is seen, append-only, and chained so that a change shows."""

import os
import sqlite3
import zlib
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest
from project import ROOT
from tampering import change

from config.schema import TableConfig
from controller.bench.rig import Rig
from controller.journal.audit import EVERY_NS, SLICE_ENTRIES, Audit
from controller.journal.errors import JournalError, JournalUnwritableError
from controller.journal.head_anchor import AnchoredHead, anchored_head
from controller.journal.journal import Journal
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


def test_nothing_is_lit_without_its_entry(dreamcatcher: Rig, monkeypatch: pytest.MonkeyPatch) -> None:
    table = dreamcatcher
    table.press("no-more-bets")

    def full(*_: object) -> None:
        raise JournalError("the journal cannot be written: disk full")

    monkeypatch.setattr(table.journal, "append", full)
    table.spin(stop_on="10")
    assert table.lit() == set()
    assert "disk full" in table.table.halted


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
        table.press("enter")
    assert table.lit() == set()
    assert "its head anchor: Input/output error" in table.table.halted
    assert isinstance(table.table.recorder.journal_error, JournalUnwritableError)
    table.power_cut()
    assert "big" in table.lit()


def test_entries_can_be_neither_changed_nor_deleted(opened: Callable[..., Rig], tmp_path: Path) -> None:
    file = tmp_path / "table.journal"
    table = opened("dreamcatcher", file)
    play_a_round(table)
    table.journal.close()
    with closing(sqlite3.connect(file)) as db:
        for statement in ("UPDATE entries SET round = 9", "DELETE FROM entries"):
            with pytest.raises(sqlite3.IntegrityError, match="append-only"):
                db.execute(statement)


FORGERIES = {
    "another body": "UPDATE entries SET body = replace(body, '10 to 1', '20 to 1') WHERE body LIKE '%10 to 1%'",
    "another time": "UPDATE entries SET utc = '2030-01-01T00:00:00.000Z' WHERE seq = 9",
    "another round": "UPDATE entries SET round = 7 WHERE seq = 9",
    "another checkpoint": "UPDATE entries SET checkpoint = '{}' WHERE seq = 1",
    "another hash": "UPDATE entries SET hash = upper(hash) WHERE seq = 9",
    "a missing entry": "DELETE FROM entries WHERE seq = 9",
}


@pytest.mark.parametrize("forgery", FORGERIES)
def test_a_forgery_is_found_at_the_first_entry_whose_hash_differs(
    opened: Callable[..., Rig], tmp_path: Path, forgery: str
) -> None:
    file = tmp_path / "table.journal"
    table = opened("dreamcatcher", file)
    play_a_round(table)
    assert table.journal.verify().problem == ""
    assert table.journal.verify().entries == len(table.journal)
    table.journal.close()
    with closing(sqlite3.connect(file)) as db, db:
        db.executescript("DROP TRIGGER no_update; DROP TRIGGER no_delete;")
        db.execute(FORGERIES[forgery])
        (changed,) = db.execute("SELECT coalesce(min(seq), 9) FROM entries WHERE body LIKE '%20 to 1%'").fetchone()
    first = {"another body": changed, "another checkpoint": 1}.get(forgery, 9)
    with closing(Journal(file, read_only=True)) as journal:
        verdict = journal.verify()
    assert f"entry {first}" in verdict.problem
    assert verdict.entries == first - 1


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


def test_a_journal_of_another_game_is_refused(
    opened: Callable[..., Rig], shipped: Callable[[str], TableConfig], tmp_path: Path
) -> None:
    file = tmp_path / "table.journal"
    table = opened("dreamcatcher", file)
    table.journal.close()
    with pytest.raises(JournalError, match="of the game 'dreamcatcher', not of 'sic-bo'"):
        Rig(shipped("sic-bo"), file)


def test_another_program_verifies_a_journal_as_it_is_documented(
    opened: Callable[..., Rig], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The program of docs/journal.md, and the head as that describes it."""
    table = opened("dreamcatcher", tmp_path / "copy.journal")
    play_a_round(table)
    table.table.stop()
    table.journal.close()
    text = (ROOT / "docs/journal.md").read_text(encoding="utf-8")
    program = text.partition("```python\n")[2].partition("```")[0]
    monkeypatch.chdir(tmp_path)
    exec(program, {})
    seq, digest = anchored_head(tmp_path / "copy.journal") or (0, "")
    assert capsys.readouterr().out == f"{seq} entries, head {digest}\n"
    slots = [(tmp_path / "copy.journal.head").read_bytes()[at:][:87] for at in (0, 4096)]
    heads = {slot[:77]: slot[78:86] for slot in slots}
    assert heads[f"{seq:012d} {digest}".encode()] == b"%08x" % zlib.crc32(f"{seq:012d} {digest}".encode())
