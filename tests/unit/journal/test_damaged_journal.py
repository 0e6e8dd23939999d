"""A journal that was tampered with, cut short or damaged: never silently accepted, quarantined, and replaced."""

import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from on_record import recovered
from tampering import change

from config.schema import TableConfig
from controller import errors as exits
from controller.bench.rig import Rig
from controller.commands.cli import main
from controller.events.table_words import TABLE_WORDS
from controller.events.words import say
from controller.journal.chain import GENESIS, Entry, verify
from controller.journal.errors import JournalDamagedError
from controller.journal.head_anchor import AnchoredHead, HeadAnchor, anchor_file, anchored_head, head_in, keep_head
from controller.journal.journal import Journal
from controller.journal.journal_file import PAGE
from controller.journal.quarantine import examine, mark_recorded, quarantine, replaced_journal

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


Files = dict[str, bytes]


@pytest.fixture(scope="module")
def killed(shipped: Callable[[str], TableConfig], tmp_path_factory: pytest.TempPathFactory) -> Files:
    """The files of a table that was killed while its first result was lit: all entries are in SQLite's log."""
    file = tmp_path_factory.mktemp("killed") / "table.journal"
    table = Rig(shipped("dreamcatcher"), file)
    table.turn(1.2)
    table.press("no-more-bets")
    table.spin(3.3, stop_on="10")
    assert table.lit() == {"10"}
    files = {name: Path(f"{file}{name}").read_bytes() for name in ("", "-wal", ".head")}
    table.table.stop()
    table.journal.close()
    return files


def laid_out(files: Files, folder: Path) -> Path:
    """A folder with these files and no others."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    for name, data in files.items():
        (folder / f"table.journal{name}").write_bytes(data)
    return folder / "table.journal"


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
    with closing(Journal(played, read_only=True)) as journal:
        assert journal.verify().problem == ""
    message = f"entries {known.seq - 2} to {known.seq} are missing at its end"
    assert message in examine(played).problem
    with pytest.raises(JournalDamagedError, match=message):
        start(played, shipped)


_FRAME = 24 + PAGE
_LOG_HEADER = 32


@settings(max_examples=5, deadline=None)
@given(at=st.integers(0, _FRAME - 1), bit=st.integers(0, 7))
def test_one_flipped_bit_in_any_frame_of_the_log_is_never_silently_accepted(
    killed: Files, tmp_path_factory: pytest.TempPathFactory, at: int, bit: int
) -> None:
    """SQLite drops the frame and all after it: the table does not ask again for what it has already lit."""
    head, log = head_in(killed[".head"]), killed["-wal"]
    assert head is not None
    folder = tmp_path_factory.getbasetemp() / "flipped"
    with closing(Journal(laid_out(killed, folder))) as whole:
        assert (len(whole), whole.head) == head
    frames = range(_LOG_HEADER, len(log), _FRAME)
    assert len(frames) > 2 * head.seq
    for place in (at % _LOG_HEADER, *(frame + at for frame in frames)):
        flipped = bytearray(log)
        flipped[place] ^= 1 << bit
        file = laid_out({**killed, "-wal": bytes(flipped)}, folder)
        with pytest.raises(JournalDamagedError, match=rf"entr.* {head.seq} .*missing at its end"):
            Journal(file)
        assert f"{head.seq} " in examine(file).problem


def test_a_lost_result_is_reported_and_named_by_the_next_journal(
    killed: Files, tmp_path: Path, shipped: Callable[[str], TableConfig], capsys: pytest.CaptureFixture[str]
) -> None:
    flipped = bytearray(killed["-wal"])
    flipped[-1] ^= 1
    head = head_in(killed[".head"])
    assert head is not None
    file = laid_out({**killed, "-wal": bytes(flipped)}, tmp_path / "lost")
    with pytest.raises(
        JournalDamagedError, match=f"entry {head.seq} is missing at its end; .* settle the round by hand"
    ):
        start(file, shipped)
    for command in (["verify"], ["show", "--last", "1"], ["export"]):
        assert main(["journal", *command, str(file)]) == exits.FAILED
        assert f"entry {head.seq} is missing at its end" in capsys.readouterr().err
    quarantine(file, "it ends before its head", NOON_NS)
    (replaced,) = replaced_journal(file)
    assert (replaced.parameters["anchored"], replaced.parameters["anchored_hash"]) == (head.seq, head.hash)


def test_a_journal_that_is_longer_than_its_head_is_whole(
    tmp_path: Path, shipped: Callable[[str], TableConfig], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The power is cut between the commit and the head of every entry."""
    file, cuts = tmp_path / "table.journal", tmp_path / "cuts"
    note = HeadAnchor.note

    def cut(anchor: HeadAnchor, seq: int, digest: str) -> None:
        if anchored_head(file) != AnchoredHead(seq, digest):
            shutil.copytree(file.parent, cuts / str(seq), ignore=lambda *_: {"cuts", "table.journal-shm"})
        note(anchor, seq, digest)

    monkeypatch.setattr(HeadAnchor, "note", cut)
    table = Rig(shipped("sic-bo"), file)
    table.press("floor-key", "2", "floor-key", "1")
    table.table.stop()
    table.journal.close()
    monkeypatch.undo()
    places = sorted(cuts.iterdir(), key=lambda place: int(place.name))
    assert [place.name for place in places] == [str(seq) for seq in range(last(file) + 1)]
    for place in places:
        with closing(Journal(place / file.name)) as journal:
            assert len(journal) == int(place.name)
            assert journal.verify().problem == ""


@pytest.mark.parametrize("before", [b"", f"{7:012d} {'7' * 64}\n".encode()])
def test_whatever_is_left_of_a_write_of_the_head_it_or_the_one_before_it_is_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, before: bytes
) -> None:
    """Of the write's bytes only the first ones have reached the disk, or only the last ones."""
    file = tmp_path / "table.journal"
    anchor_file(file).write_bytes(before)
    contents = [before]
    monkeypatch.setattr("os.fdatasync", lambda _: contents.append(anchor_file(file).read_bytes()))
    anchor = HeadAnchor(file, 8, "8" * 64)
    for seq in range(9, 12):
        anchor.note(seq, f"{seq:064x}")
    anchor.close()
    for old, new in pairwise(contents):
        either, old = {head_in(old), head_in(new)}, old.ljust(len(new), b"\0")
        changed = [place for place in range(len(new)) if old[place] != new[place]]
        for place in range(changed[0], changed[-1] + 2):
            assert head_in(new[:place] + old[place:]) in either
            assert head_in(old[:place] + new[place:]) in either
    assert head_in(contents[-1]) == AnchoredHead(11, f"{11:064x}")


def test_heads_are_written_into_two_blocks_in_turns_and_take_no_more_room(tmp_path: Path) -> None:
    """A block that is lost has only one of them; and a file that grows can fail on a full disk."""
    file = tmp_path / "table.journal"
    blocks = []
    with closing(HeadAnchor(file, 0, GENESIS)) as anchor:
        contents = [anchor_file(file).read_bytes()]
        for seq in range(1, 5):
            anchor.note(seq, GENESIS)
            contents.append(anchor_file(file).read_bytes())
    for old, new in pairwise(contents):
        assert len(new) == len(old)
        blocks.append({place // 4096 for place in range(len(new)) if old[place] != new[place]})
    assert blocks in ([{0}, {1}] * 2, [{1}, {0}] * 2)


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
    with pytest.raises(JournalDamagedError, match="is not the one that was saved"):
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


def test_a_damaged_head_anchor_is_ignored_and_verify_says_so(
    played: Path, shipped: Callable[[str], TableConfig], capsys: pytest.CaptureFixture[str]
) -> None:
    for content in (b"", b"x" * 78, b"000000000001"):
        anchor_file(played).write_bytes(content)
        assert anchored_head(played) is None
        assert main(["journal", "verify", str(played)]) == exits.OK
        assert "it has no head anchor" in capsys.readouterr().out
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
    (replaced,) = replaced_journal(played)
    words = say(TABLE_WORDS, replaced)
    assert words.startswith(f"{quarantined.name}: 4 entries that fit, head {found.head}; entry 5 (round 9, ")
    assert f"it once held entry {anchored_head(quarantined).seq}" in words  # type: ignore[union-attr]
    start(played, shipped)
    mark_recorded(played)
    assert replaced_journal(played) == ()


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
            found = recovered(shipped("dreamcatcher"), journal).replayed
    except JournalDamagedError:
        return
    assert found == -1, "an empty journal"
    assert replaced_journal(played)


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


def test_verify_says_that_the_record_was_forged_whole(played: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """All hashes fit, and the anchor names another entry."""
    keep_head(played, 3, "0" * 64)
    assert main(["journal", "verify", str(played), "--json"]) == exits.FAILED
    assert "entry 3 is not the one that was saved" in capsys.readouterr().out
