"""A sample of the crash campaign: wherever the power is cut, nothing is lost; and the defects that it must find."""

import random
import shutil
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
from campaigns import crash_campaign
from campaigns.crash_campaign import Tally, campaign
from campaigns.disk import Disk, crashes
from campaigns.losses import MEMORY
from campaigns.recorded import record_table
from campaigns.writes import Call, RecordingError, calls, record
from hypothesis import given
from hypothesis import strategies as st

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


# -- defects that it must find ---------------------------------------------------------------------------------


@long
@traced
def test_a_journal_that_is_not_synced_loses_what_it_acknowledged(cut: Crashes) -> None:
    tally = cut("sic-bo", [4, 2], "does_not_sync")
    assert tally.missing
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


# -- recording -------------------------------------------------------------------------------------------------


@traced
def test_an_unknown_system_call_is_reported(tmp_path: Path) -> None:
    code = f"import os; open({str(tmp_path / 'a')!r}, 'w').close(); os.rename({str(tmp_path / 'a')!r}, 'b')"
    with pytest.raises(RecordingError):
        record([sys.executable, "-c", "import sys; sys.exit('no table')"], tmp_path.parent / "log")
    record([sys.executable, "-c", f"import os; os.chdir({str(tmp_path)!r}); {code}"], tmp_path.parent / "log")
    with pytest.raises(RecordingError, match="a was changed by rename"):
        list(calls(tmp_path.parent / "log", tmp_path))
