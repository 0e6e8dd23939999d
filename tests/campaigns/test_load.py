"""A small sample of :mod:`campaigns.load`: its report of a table whose memory grows, and of one whose does not."""

from pathlib import Path

import pytest
from campaigns import load

from controller.journal.journal import Journal


@pytest.mark.campaign
def test_a_sample_of_hours_and_rounds_passes(tmp_path: Path) -> None:
    found = load.days("sic-bo", 1, 1, tmp_path)
    assert [line.passed for line in found[1:]] == [True, True]
    assert int(found[0].figure) > 100


@pytest.mark.campaign
def test_a_table_whose_memory_grows_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    kept: list[bytes] = []
    append = Journal.append

    def keeps_everything(self: Journal, *entry: object) -> object:
        kept.append(bytes(40_000))
        return append(self, *entry)  # type: ignore[arg-type]

    monkeypatch.setattr(Journal, "append", keeps_everything)
    assert load.days("sic-bo", 1, 1, tmp_path)[2].passed is False


def test_a_long_journal_is_a_journal_like_any_other(tmp_path: Path) -> None:
    pattern = load.one_round(tmp_path)
    entries = load.grow(tmp_path / "long.journal", 30, pattern)
    assert entries == 30 * len(pattern)
    journal = Journal(tmp_path / "long.journal", read_only=True)
    assert journal.verify().problem == ""
    assert [entry.round for entry in journal.entries(after=journal.before_last_rounds(1))] == [30] * len(pattern)
    journal.close()
    assert load.start_s(tmp_path / "long.journal") > 0


def test_a_start_that_reads_the_whole_journal_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def reads_all(file: Path) -> float:
        journal = Journal(file, read_only=True)
        slow = len(list(journal.entries())) / 1000
        journal.close()
        return slow

    monkeypatch.setattr(load, "start_s", reads_all)
    lines = {line.what: line.passed for line in load.years(200, tmp_path)}
    assert lines["start on the long one"] is False
