"""The record by round, as the page of rounds shows it."""

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from tampering import change

from controller.journal import summaries
from controller.journal.errors import JournalDamagedError
from controller.journal.journal import Journal
from controller.journal.summaries import OutcomeFilter, round_summaries, round_summary


@pytest.fixture
def journal(three_rounds: object, file: Path) -> Iterator[Journal]:
    with closing(Journal(file, read_only=True)) as opened:
        yield opened


def test_the_newest_round_comes_first_and_each_has_its_outcome(journal: Journal) -> None:
    found = round_summaries(journal, None, "all")
    newest, *results = found["rounds"]
    assert (newest["round"], newest["outcome"]) == (4, "open")
    seen = [tuple(one[name] for name in ("round", "outcome", "label", "voids")) for one in results]
    assert seen == [(3, "result", "5", ["between-sections"]), (2, "result", "1", []), (1, "result", "10", [])]
    assert results[-1]["wins"] == [{"area": "10", "pays": "10 to 1"}]
    assert (found["more"], found["problem"]) == (False, "")


@pytest.mark.parametrize("outcome", ["all", "result", "void"])
def test_pages_put_together_are_the_whole_record(
    journal: Journal, outcome: OutcomeFilter, monkeypatch: pytest.MonkeyPatch
) -> None:
    record = round_summaries(journal, None, outcome)["rounds"]
    monkeypatch.setattr(summaries, "PAGE", 2)
    pages, before, more = list[object](), None, True
    while more:
        page = round_summaries(journal, before, outcome)
        assert len(page["rounds"]) <= 2
        pages += page["rounds"]
        before, more = page["next"], page["more"]
    assert pages == record


@pytest.mark.usefixtures("three_rounds")
def test_an_entry_that_was_changed_is_named_where_it_is_shown(file: Path) -> None:
    change(file, "UPDATE entries SET utc = '2020-01-01T00:00:00.000Z' WHERE seq = 12")
    with closing(Journal(file, read_only=True)) as journal:
        entry, listed = journal.entry(12), round_summaries(journal, None, "all")
        assert entry is not None
        shown = round_summary(journal, entry.round)
    assert shown is not None
    assert "12" in shown["problem"]
    assert "12" in listed["problem"]
    change(file, "UPDATE entries SET utc = 'noon' WHERE seq = 12")
    with closing(Journal(file, read_only=True)) as journal, pytest.raises(JournalDamagedError, match="entry 12"):
        round_summary(journal, entry.round)
