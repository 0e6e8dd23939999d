"""The record by round, as the page of rounds shows it."""

import sqlite3
from collections.abc import Callable
from pathlib import Path

import pytest

from config.schema import TableConfig
from controller.bench.rig import Rig
from controller.journal import summaries
from controller.journal.journal import Journal
from controller.journal.replay.trace import Tracer, Traces, trace_file
from controller.journal.summaries import OutcomeFilter, round_summaries, round_summary

SECTIONS = ("40", "20", "10", "5", "2", "1")


@pytest.fixture
def played(shipped: Callable[[str], TableConfig], tmp_path: Path) -> Path:
    """The journal of six rounds on a wheel, every second one with a spin that was too weak, and of an open one."""
    file = tmp_path / "table.journal"
    table = Rig(shipped("dreamcatcher"), file)
    head = table.table.devices.head
    assert head is not None
    tracer = Tracer(Traces(trace_file(file), 1000), head.levels())
    table.table.head.listeners.append(tracer.on_batch)
    table.table.listeners.append(tracer)
    table.turn(1.2)
    for number, section in enumerate(SECTIONS):
        table.press("no-more-bets")
        if number % 2:
            table.spin(revolutions=1.5, stop_on="20")
        table.spin(revolutions=4.2, stop_on=section)
        table.press("done", "done", "clear")
    table.press("no-more-bets")
    table.table.stop()
    tracer.close()
    table.journal.close()
    return file


def test_the_newest_round_comes_first_and_each_has_its_outcome(played: Path) -> None:
    journal = Journal(played, read_only=True)
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
    journal.close()


@pytest.mark.parametrize("outcome", ["all", "result", "void"])
def test_pages_put_together_are_the_whole_record(
    played: Path, outcome: OutcomeFilter, monkeypatch: pytest.MonkeyPatch
) -> None:
    journal = Journal(played, read_only=True)
    record = round_summaries(journal, None, outcome)["rounds"]
    monkeypatch.setattr(summaries, "PAGE", 3)
    pages, before, more = list[object](), None, True
    while more:
        page = round_summaries(journal, before, outcome)
        assert len(page["rounds"]) <= 3
        pages += page["rounds"]
        before, more = page["next"], page["more"]
    assert pages == record
    journal.close()


def test_an_entry_that_was_changed_is_named_where_it_is_shown(played: Path) -> None:
    db = sqlite3.connect(played)
    db.executescript("DROP TRIGGER no_update; UPDATE entries SET utc = '2020-01-01T00:00:00.000Z' WHERE seq = 12")
    db.close()
    journal = Journal(played, read_only=True)
    number = next(entry.round for entry in journal.entries() if entry.seq == 12)
    assert "12" in round_summaries(journal, None, "all")["problem"]
    shown = round_summary(journal, number)
    assert shown is not None
    assert "12" in shown["problem"]
    journal.close()
