"""The record by round, as the page of rounds shows it."""

from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest
from tampering import change

from config.schema import TableConfig
from controller.bench.rig import Rig
from controller.journal import summaries
from controller.journal.errors import JournalDamagedError
from controller.journal.journal import Journal
from controller.journal.summaries import OutcomeFilter, round_summaries, round_summary

SECTIONS = ("40", "20", "10", "5", "2", "1")


@pytest.fixture
def played(shipped: Callable[[str], TableConfig], tmp_path: Path) -> Path:
    """The journal of six rounds on a wheel, every second one with a spin that was too weak, and of an open one."""
    file = tmp_path / "table.journal"
    table = Rig(shipped("dreamcatcher"), file)
    table.turn(1.2)
    for number, section in enumerate(SECTIONS):
        table.press("no-more-bets")
        if number % 2:
            table.spin(revolutions=1.5, stop_on="20")
        table.spin(revolutions=4.2, stop_on=section)
        table.press("done", "done", "clear")
    table.press("no-more-bets")
    table.close()
    return file


@pytest.fixture
def journal(played: Path) -> Iterator[Journal]:
    with closing(Journal(played, read_only=True)) as opened:
        yield opened


def test_the_newest_round_comes_first_and_each_has_its_outcome(journal: Journal) -> None:
    found = round_summaries(journal, None, "all")
    listed = found["rounds"]
    assert isinstance(listed, list)
    last = max(item["round"] for item in listed)
    assert [item["round"] for item in listed] == list(range(last, 0, -1))
    results = {item["label"]: item for item in listed if item["outcome"] == "result"}
    assert set(results) == set(SECTIONS)
    assert results["40"]["wins"] == [{"area": "40", "pays": "40 to 1"}]
    assert results["20"]["voids"] == ["fewer-than-three-revolutions"]
    assert results["40"]["voids"] == []
    assert listed[0]["outcome"] == "open"
    assert (found["more"], found["problem"]) == (False, "")


@pytest.mark.parametrize("outcome", ["all", "result", "void"])
def test_pages_put_together_are_the_whole_record(
    journal: Journal, outcome: OutcomeFilter, monkeypatch: pytest.MonkeyPatch
) -> None:
    record = round_summaries(journal, None, outcome)["rounds"]
    monkeypatch.setattr(summaries, "PAGE", 3)
    pages, before, more = list[object](), None, True
    while more:
        page = round_summaries(journal, before, outcome)
        assert len(page["rounds"]) <= 3
        pages += page["rounds"]
        before, more = page["next"], page["more"]
    assert pages == record


def test_an_entry_that_was_changed_is_named_where_it_is_shown(played: Path) -> None:
    change(played, "UPDATE entries SET utc = '2020-01-01T00:00:00.000Z' WHERE seq = 12")
    with closing(Journal(played, read_only=True)) as journal:
        entry, listed = journal.entry(12), round_summaries(journal, None, "all")
        assert entry is not None
        shown = round_summary(journal, entry.round)
    assert shown is not None
    assert "12" in shown["problem"]
    assert "12" in listed["problem"]
    change(played, "UPDATE entries SET utc = 'noon' WHERE seq = 12")
    with closing(Journal(played, read_only=True)) as journal, pytest.raises(JournalDamagedError, match="entry 12"):
        round_summary(journal, entry.round)
