"""A trial writes as a table's journal does, measures each commit, and reads from the disk what it wrote."""

from itertools import islice
from pathlib import Path

import pytest
from disk_places import TrialTime

from controller.commissioning.disk.endurance import ENTRIES_A_ROUND
from controller.commissioning.disk.entries import BODY_BYTES, CHECKPOINT_BYTES, ENTRY_BYTES, trial_entries
from controller.commissioning.disk.folder_trial import (
    TrialProgress,
    compare_flushes,
    read_back,
    space_needed,
    write_journal,
)
from controller.journal.journal import Journal
from controller.statechart.registry import game_names


def test_each_commit_is_measured_and_the_time_left_reported(tmp_path: Path) -> None:
    seen: list[TrialProgress] = []
    file = tmp_path / "trial.journal"
    written = write_journal(file, 3.0, TrialTime(stalls={200: 400}), seen.append)
    assert sorted(written.durations_ns)[-1] == 401_000_000
    assert len([one for one in written.durations_ns if one == 1_000_000]) == len(written.durations_ns) - 1
    assert 300 < len(written.durations_ns) <= 600, "not faster than the rate of a trial"
    assert len(seen) >= 2
    assert seen[0].done == pytest.approx(1 / 3, abs=0.02)
    assert seen[0].left_s == pytest.approx(2.0, abs=0.05)
    journal = Journal(file, read_only=True)
    assert (len(journal), journal.head) == (len(written.durations_ns), written.head)
    journal.close()
    assert file.stat().st_size < space_needed(3.0)


def test_entries_have_the_sizes_of_tables_entries() -> None:
    entries = list(islice(trial_entries(), 3 * len(BODY_BYTES)))
    assert [len(entry.body) for entry in entries] == [*BODY_BYTES] * 3
    checkpoints = [entry.checkpoint for entry in entries if entry.checkpoint is not None]
    assert [len(text) for text in checkpoints] == [CHECKPOINT_BYTES] * 3
    assert len({entry.body for entry in entries}) == len(entries)
    assert sum(BODY_BYTES) / len(BODY_BYTES) + CHECKPOINT_BYTES / len(BODY_BYTES) + 150 < ENTRY_BYTES


def test_all_that_was_written_is_read_again(tmp_path: Path) -> None:
    file = tmp_path / "trial.journal"
    written = write_journal(file, 1.0, TrialTime(), lambda progress: None)
    read = read_back(file, written)
    assert (read.entries, read.problem) == (len(written.durations_ns), "")


@pytest.mark.parametrize("place", [0.3, 0.6, 0.9])
def test_a_page_that_comes_back_otherwise_is_found(tmp_path: Path, place: float) -> None:
    file = tmp_path / "trial.journal"
    written = write_journal(file, 1.0, TrialTime(), lambda progress: None)
    data = bytearray(file.read_bytes())
    at = int(len(data) * place) // 4096 * 4096
    data[at : at + 4096] = bytes(4096)
    file.write_bytes(data)
    assert read_back(file, written).problem


def test_entries_that_are_missing_at_the_end_are_found(tmp_path: Path) -> None:
    file, shorter = tmp_path / "trial.journal", tmp_path / "shorter.journal"
    written = write_journal(file, 1.0, TrialTime(), lambda progress: None)
    write_journal(shorter, 0.5, TrialTime(), lambda progress: None)
    assert "entries are there" in read_back(shorter, written).problem


def test_writes_with_and_without_a_flush_are_compared(tmp_path: Path) -> None:
    """Two looks at the time around each write, the first of each 200 with a stall that the median leaves out."""
    found = compare_flushes(tmp_path / "pages", TrialTime(step_us=70, stalls={3: 900}))
    assert (found.with_flush_us, found.without_us) == (70.0, 70.0)


def test_every_game_has_its_entries_a_round() -> None:
    """As ``simulate GAME --rounds 1000`` counts them."""
    assert ENTRIES_A_ROUND.keys() == set(game_names())
