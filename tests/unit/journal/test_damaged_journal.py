"""A journal that was tampered with, cut short or damaged: never silently accepted, quarantined, and replaced."""

import re
import shutil
from collections.abc import Callable
from contextlib import closing
from itertools import pairwise
from pathlib import Path

import pytest
from on_record import recovered
from tampering import change

from config.schema import TableConfig
from controller import errors as exits
from controller.bench.rig import Rig
from controller.commands.cli import main
from controller.events.table_words import TABLE_WORDS
from controller.events.words import say
from controller.journal.errors import JournalDamagedError
from controller.journal.head_anchor import AnchoredHead, HeadAnchor, anchor_file, anchored_head, head_in
from controller.journal.journal import Journal
from controller.journal.set_aside import REPLACED, examine, mark_recorded, noted, quarantine

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


def changed(file: Path, seq: int) -> None:
    change(file, f"UPDATE entries SET body = replace(body, 'no-more-bets', 'clear') WHERE seq = {seq}")


def taken(file: Path, seq: int) -> None:
    """The chain of what is left is intact; the head anchor shows that there was more."""
    change(file, f"DELETE FROM entries WHERE seq > {seq - 3}")


def exchanged(file: Path, seq: int) -> None:
    """The chain of the other journal fits."""
    other = file.with_name("other.journal")
    with closing(Journal(file)) as journal, closing(Journal(other)) as forged:
        for entry in journal.entries():
            forged.append(entry.round, entry.at_ns, NOON_NS, entry.kind, entry.body, entry.checkpoint)
    shutil.copy(other, file)


def cut_short(file: Path, seq: int) -> None:
    with file.open("r+b") as stream:
        stream.truncate(file.stat().st_size // 2)


def no_text(file: Path, seq: int) -> None:
    """SQLite quotes the schema in its message, which then cannot be decoded (found by fuzzing)."""
    data = file.read_bytes()
    assert b"CREATE TABLE entries" in data
    file.write_bytes(data.replace(b"CREATE TABLE entries", b"\xff" * 20))


@pytest.mark.parametrize(
    ("damage", "words"),
    [
        (changed, "entry {seq} (round 3, press) does not fit"),
        (taken, "entries {cut} to {seq} are missing at its end"),
        (exchanged, "entry {seq} is not the one that was saved"),
        (cut_short, "cannot be "),
        (no_text, "cannot be "),
    ],
)
def test_damage_closes_the_table_and_is_named(
    played: Path, shipped: Callable[[str], TableConfig], damage: Callable[[Path, int], None], words: str
) -> None:
    seq = last(played)
    damage(played, seq)
    named = words.format(seq=seq, cut=seq - 2)
    assert named in examine(played).problem
    with pytest.raises(JournalDamagedError, match=re.escape(named)):
        start(played, shipped)


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
    replaced = noted(file, REPLACED)
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
    assert noted(played, REPLACED)


@pytest.mark.parametrize(
    ("field", "value"), [("checkpoint", ""), ("checkpoint", 0), ("checkpoint", b""), ("round", "0"), ("seq", "4")]
)
def test_a_value_of_another_type_does_not_fit_though_it_would_hash_alike(
    field: str, value: object, played: Path
) -> None:
    """One flipped bit of the file can make the one of the other."""
    with closing(Journal(played, read_only=True)) as journal:
        entries = list(journal.entries())
    at = next(at for at, entry in enumerate(entries) if at and entry.checkpoint is None)
    other = entries[at]._replace(**{field: value})
    assert other.expected_hash(entries[at - 1].hash) != other.hash


def test_verify_says_that_the_record_was_forged_whole(played: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """All hashes fit, and the anchor names another entry."""
    HeadAnchor(played, 3, "0" * 64).close()
    assert main(["journal", "verify", str(played), "--json"]) == exits.FAILED
    assert "entry 3 is not the one that was saved" in capsys.readouterr().out
