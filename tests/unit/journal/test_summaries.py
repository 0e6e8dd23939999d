"""The record by round, as the page of rounds shows it."""

import asyncio
import json
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest
from generators import finished
from tampering import change

from config.schema import TableConfig
from controller.bench.rig import Rig
from controller.configuration.machines import machines
from controller.configuration.shipped import table_path
from controller.journal.journal import Journal
from controller.journal.replay.replay import entries_for_replay, replay
from controller.journal.replay.trace import Traces, trace_file
from controller.journal.replay.tracer import Tracer
from controller.journal.summaries import round_summaries, round_summary
from controller.screens.rounds import Rounds
from controller.web.http import Request

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
    found = finished(round_summaries(journal, None, 50, "all"))
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
    assert (found["more"], found["verified"]) == (False, {"through": len(journal), "problem": ""})
    journal.close()


@pytest.mark.parametrize("outcome", ["all", "result", "void"])
@pytest.mark.parametrize("limit", [1, 3])
@pytest.mark.campaign
def test_pages_put_together_are_the_whole_record(played: Path, outcome: str, limit: int) -> None:
    journal = Journal(played, read_only=True)
    record = finished(round_summaries(journal, None, 200, outcome))["rounds"]  # type: ignore[arg-type]
    pages: list[object] = []
    before: object = None
    while True:
        page = finished(round_summaries(journal, before, limit, outcome))  # type: ignore[arg-type]
        listed = page["rounds"]
        assert isinstance(listed, list)
        assert len(listed) <= limit
        pages += listed
        if not page["more"]:
            break
        before = page["next"]
    assert pages == record
    journal.close()


def test_an_entry_that_was_changed_is_named_where_it_is_shown(played: Path) -> None:
    db = sqlite3.connect(played)
    db.executescript("DROP TRIGGER no_update; UPDATE entries SET utc = '2020-01-01T00:00:00.000Z' WHERE seq = 12")
    db.close()
    journal = Journal(played, read_only=True)
    number = next(entry.round for entry in journal.entries() if entry.seq == 12)
    verified = finished(round_summaries(journal, None, 50, "all"))["verified"]
    assert isinstance(verified, dict)
    assert "12" in verified["problem"]
    shown = finished(round_summary(journal, number))
    assert shown is not None
    assert (shown["verified"], "12" in str(shown["problem"])) == (False, True)
    journal.close()


def responses(file: Path, *paths: str) -> list[tuple[int, str, bytes]]:
    """What the pages of a table answer that has this journal open."""

    async def answered() -> list[tuple[int, str, bytes]]:
        rounds = Rounds(table_path("dreamcatcher"), file)
        with closing(Journal(file)) as rounds.journal:
            answers = [await rounds.answer(Request("GET", path, {})) for path in paths]
        return [(answer.status, answer.kind, answer.body) for answer in answers]

    return asyncio.run(answered())


def test_a_record_that_cannot_be_read_is_an_error_and_nothing_else(played: Path) -> None:
    change(played, "UPDATE entries SET body = 'none' WHERE seq = 12")
    ((status, _, body),) = responses(played, "/rounds.json")
    assert status == 500
    assert "journal verify" in json.loads(body)["error"]


def test_without_a_table_there_is_no_record(played: Path) -> None:
    rounds = Rounds(table_path("dreamcatcher"), played)
    assert asyncio.run(rounds.answer(Request("GET", "/rounds.json", {}))).status == 503


def test_the_page_of_a_round_says_codes_in_the_games_words_and_draws_it(played: Path) -> None:
    (status, _, body), (_, kind, svg), (missing, _, _), (unknown, _, _) = responses(
        played, "/rounds/2.json", "/rounds/2.svg", "/rounds/99.svg", "/rounds/2.png"
    )
    assert status == 200
    lines = [line["words"] for line in json.loads(body)["lines"]]
    assert any("The wheel made fewer than three full revolutions." in line for line in lines)
    assert json.loads(body)["plot"]
    assert (kind, b"<svg" in svg) == ("image/svg+xml", True)
    assert (missing, unknown) == (404, 404)


def test_what_a_replay_of_a_round_needs_is_enough_for_it(
    played: Path, shipped: Callable[[str], TableConfig]
) -> None:
    """The drawing process gets some entries, and not the record."""
    config = shipped("dreamcatcher")
    with closing(Journal(played)) as journal:
        for number in range(1, journal.last_round() + 1):
            some = entries_for_replay(journal, number)
            with closing(Journal.holding(some)) as part:
                one, other = (replay(number, "dreamcatcher", machines(config), of) for of in (journal, part))
            assert one == other
