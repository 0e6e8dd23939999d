"""A sample of the crash campaign: wherever the power is cut, nothing is lost; and the defects that it must find."""

import json
import random
import shutil
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
from broken_tables import without_multiplier
from campaigns import crash_campaign
from campaigns.crash_campaign import Tally, campaign, main
from campaigns.disk import Change, Disk, crashes
from campaigns.losses import MEMORY
from campaigns.recorded import around_checkpoint, record_table
from campaigns.writes import Call, RecordingError, calls, record
from hypothesis import given
from hypothesis import strategies as st

from controller.runtime import recorder

long = pytest.mark.campaign
traced = pytest.mark.skipif(shutil.which("strace") is None, reason="strace is not installed")
Crashes = Callable[..., Tally]


@pytest.fixture
def cut(tmp_path: Path) -> Crashes:
    """Records a table, whose software may be changed before, and cuts its power everywhere."""
    memory = MEMORY if MEMORY.exists() else None

    def crash(game: str, runs: Sequence[int], *changes: str, mirror: bool = False) -> Tally:
        lines = [
            "import sys",
            "from campaigns.reporting_table import main",
            "import broken_tables",
        ]
        lines += [f"broken_tables.{change}()" for change in changes]
        player = (sys.executable, "-c", "\n".join([*lines, "sys.exit(main())"]))
        recording = record_table(game, 1, runs, tmp_path / "recorded", player, mirror)
        return campaign([recording], folder=memory or tmp_path)

    return crash


@long
@traced
@pytest.mark.parametrize("game", ["dreamcatcher", "sic-bo"])
def test_no_power_cut_loses_anything(cut: Crashes, game: str) -> None:
    tally = cut(game, [3, 3, 2])
    assert tally.passed, tally
    assert tally.crashes[game] > tally.writes > tally.intervals > 10


@long
@traced
def test_no_power_cut_loses_anything_on_either_of_two_media(cut: Crashes, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(crash_campaign, "SAMPLES", 3)
    tally = cut("sic-bo", [3, 2], mirror=True)
    assert tally.passed, tally
    assert tally.intervals > 20


@long
@traced
def test_a_mirror_that_is_written_after_the_lamps_is_found(cut: Crashes, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(crash_campaign, "SAMPLES", 1)
    tally = cut("sic-bo", [4], "mirrors_after_the_lamps", mirror=True)
    assert tally.missing
    assert all("mirror.journal alone" in line for line in tally.missing)


# -- defects that it must find ---------------------------------------------------------------------------------


@long
@traced
def test_a_journal_that_is_not_synced_loses_what_it_acknowledged(cut: Crashes) -> None:
    tally = cut("sic-bo", [4, 2], "does_not_sync")
    assert tally.missing
    assert not tally.passed


@long
@traced
def test_an_entry_that_was_acknowledged_before_it_was_written_is_missing(cut: Crashes) -> None:
    tally = cut("sic-bo", [4], "commits_late")
    assert tally.missing
    assert not tally.passed


@long
@traced
def test_lamps_lit_before_their_entry_are_found(cut: Crashes, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(crash_campaign, "SAMPLES", 1)
    tally = cut("sic-bo", [18], "lights_first")
    assert "which was not on record" in tally.early[0]
    assert not (tally.missing + tally.wrong + tally.broken)
    assert not tally.passed


@long
@traced
def test_lamps_lit_before_the_head_names_their_entry_are_found(
    cut: Crashes, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(crash_campaign, "SAMPLES", 1)
    tally = cut("sic-bo", [18], "anchors_late")
    assert "as its head" in tally.early[0]
    assert not (tally.missing + tally.wrong + tally.broken)


@long
@traced
@pytest.mark.parametrize("lost", [False, True])
def test_a_bonus_multiplier_that_is_not_restored_is_a_wrong_state(
    cut: Crashes, monkeypatch: pytest.MonkeyPatch, lost: bool
) -> None:
    if lost:
        monkeypatch.setattr(recorder, "recover", without_multiplier(recorder.recover))
    tally = cut("dreamcatcher", [12], "multiplies_always")
    assert bool(tally.wrong) == lost
    assert tally.passed != lost


# -- what a disk may do ----------------------------------------------------------------------------------------

FILES = ("one", "two")
CALLS = st.lists(
    st.one_of(
        st.builds(
            Call,
            name=st.just("write"),
            file=st.sampled_from(FILES),
            offset=st.sampled_from([0, 500, 1024]),
            data=st.integers(1, 255).map(lambda byte: bytes([byte]) * 700),
        ),
        st.builds(Call, name=st.just("truncate"), file=st.sampled_from(FILES), size=st.sampled_from([0, 600])),
        st.builds(Call, name=st.sampled_from(["sync", "unlink", "create"]), file=st.sampled_from(FILES)),
        st.just(Call("sync", "")),
    ),
    max_size=12,
)


def taken(made: Sequence[Call]) -> Disk:
    """A disk on which both files lie, empty; then these calls, but for those about a file that has gone."""
    disk, there = Disk(), set(FILES)
    for call in (*(Call("create", file) for file in FILES), Call("sync", ""), *made):
        if call.name == "create":
            there.add(call.file)
        if call.file and call.file not in there:
            continue
        disk.take(call)
        if call.name == "unlink":
            there.discard(call.file)
    return disk


@given(made=CALLS, seed=st.integers(0, 99))
def test_what_was_synced_survives_every_crash(made: list[Call], seed: int) -> None:
    made = [*made, *(Call("sync", file) for file in (*FILES, ""))]
    kept = taken(made).after([])
    disk = taken([*made, Call("create", "one"), Call("create", "two"), Call("write", "one", 4096, b"new")])
    for crash in crashes(disk.pending, random.Random(seed), 5):
        for name, data in kept.items():
            assert disk.after(crash)[name].startswith(data)


@given(made=CALLS)
def test_a_disk_after_all_pending_writes_equals_an_ordinary_folder(made: list[Call]) -> None:
    disk, plain = taken(made), dict.fromkeys(FILES, b"")
    for call in made:
        data = plain.get(call.file)
        if call.name == "create":
            plain.setdefault(call.file, b"")
        elif call.name == "unlink":
            plain.pop(call.file, None)
        elif call.name == "truncate" and data is not None:
            plain[call.file] = data[: call.size].ljust(call.size, b"\0")
        elif call.name == "write" and data is not None:
            assert call.offset is not None
            rest = data[call.offset + len(call.data) :]
            plain[call.file] = data[: call.offset].ljust(call.offset, b"\0") + call.data + rest
    assert disk.after(disk.pending) == plain
    assert list(crashes(disk.pending, random.Random(1), 0))[-1] == disk.pending


def test_a_write_is_cut_at_every_edge_of_a_sector_and_syncs_are_of_one_file_alone() -> None:
    disk = taken([Call("write", "one", 500, b"x" * 1100), Call("write", "two", 0, b"y"), Call("sync", "two")])
    assert [change.call.file for change in disk.pending] == ["one"]
    sizes = [len(disk.after(crash)["one"]) for crash in crashes(disk.pending, random.Random(1), 9)]
    assert sizes == [0, 512, 1024, 1536, 1600]
    assert disk.after([])["two"] == b"y"


def test_a_file_that_is_not_synced_into_its_folder_may_be_gone_or_be_the_old_one() -> None:
    disk = taken(
        [Call("write", "one", 0, b"old"), Call("sync", "one"), Call("unlink", "one"), Call("create", "one")]
    )
    disk.take(Call("write", "one", 0, b"new"))
    disk.take(Call("sync", "one"))
    found = [disk.after(crash).get("one") for crash in crashes(disk.pending, random.Random(1), 0)]
    assert found == [b"old", None, b"new"]
    disk.take(Call("sync", ""))
    assert disk.after([])["one"] == b"new"


def test_random_crashes_take_some_writes_without_those_before() -> None:
    pending = [Change(Call("write", "one", 512 * i, bytes([i + 1]) * 512), 1) for i in range(4)]
    kept = {tuple(change.call.offset for change in crash) for crash in crashes(pending, random.Random(1), 60)}
    assert (512, 0) in kept or (1536, 0) in kept
    assert any(0 not in offsets and offsets for offsets in kept)


# -- recording -------------------------------------------------------------------------------------------------


@traced
def test_every_call_that_changes_a_file_is_recorded_in_order(tmp_path: Path) -> None:
    place = tmp_path / "place"
    place.mkdir()
    code = f"""
import os
os.chdir({str(place)!r})
file = os.open({str(place / "a")!r}, os.O_RDWR | os.O_CREAT)
os.pwrite(file, b"\\0middle", 512); os.ftruncate(file, 600); os.fsync(file); os.write(file, b"end")
os.unlink({str(place / "a")!r})
os.fsync(os.open({str(place)!r}, os.O_RDONLY)); os.open({str(tmp_path / "else")!r}, os.O_CREAT)
"""
    record([sys.executable, "-c", code], tmp_path / "log")
    assert list(calls(tmp_path / "log", place)) == [
        Call("create", "a"),
        Call("write", "a", 512, b"\0middle"),
        Call("truncate", "a", size=600),
        Call("sync", "a"),
        Call("write", "a", None, b"end"),
        Call("unlink", "a"),
        Call("sync", ""),
    ]


@traced
def test_an_unknown_system_call_is_reported(tmp_path: Path) -> None:
    code = f"import os; open({str(tmp_path / 'a')!r}, 'w').close(); os.rename({str(tmp_path / 'a')!r}, 'b')"
    with pytest.raises(RecordingError):
        record([sys.executable, "-c", "import sys; sys.exit('no table')"], tmp_path.parent / "log")
    record([sys.executable, "-c", f"import os; os.chdir({str(tmp_path)!r}); {code}"], tmp_path.parent / "log")
    with pytest.raises(RecordingError, match="a was changed by rename"):
        list(calls(tmp_path.parent / "log", tmp_path))


@traced
def test_a_missing_checkpoint_of_sqlite_is_reported(tmp_path: Path) -> None:
    with pytest.raises(RecordingError, match="entries were not enough for a checkpoint"):
        around_checkpoint(record_table("sic-bo", 1, [3], tmp_path))


def test_without_strace_the_command_says_what_to_do(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    assert main(["--games", "sic-bo"]) == 1
    assert "sudo apt install strace" in capsys.readouterr().err


# -- the command -----------------------------------------------------------------------------------------------


@long
@traced
def test_the_command_counts(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["--entries", "4", "--workers", "1", "--games", "casino-war", "--json"]
    assert main(words) == 0
    events = json.loads(capsys.readouterr().out)
    assert events["games"]["casino-war"] == events["crashes"] > events["writes"]
    assert events["journals"] == "verified"


@pytest.mark.parametrize("what", ["missing", "wrong", "early", "broken"])
def test_any_loss_fails_the_command(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], what: str
) -> None:
    tally = Tally(**{what: ["sic-bo, seed 1, interval 3, crash 9: entry 17"]})  # type: ignore[arg-type]
    monkeypatch.setattr(crash_campaign, "record_all", lambda *args: [])
    monkeypatch.setattr(crash_campaign, "campaign", lambda *args: tally)
    assert main([]) == 1
    assert "interval 3, crash 9: entry 17" in capsys.readouterr().out
