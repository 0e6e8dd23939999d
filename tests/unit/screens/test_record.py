"""The page of rounds: from a running table at its socket, or from a copy of its journal."""

import asyncio
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from asgi import Answer, asked
from golden.journals import journal_file
from tampering import change

from controller.configuration.shipped import load_table, table_path
from controller.journal.journal import Journal
from controller.runtime.socket import TableSocket, place_of
from controller.screens.pages import Pages
from controller.screens.rounds import MAX_WAITING, Rounds
from hal.clock import LoopClock


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return journal_file("dreamcatcher", tmp_path / "table.journal")


def answers(file: Path, *paths: str, running: bool = True) -> list[Answer]:
    """What the pages answer, all asked at once, while the table has this journal open or does not run."""

    async def answered() -> list[Answer]:
        config = load_table(table_path("dreamcatcher")).config
        pages = Pages(config, LoopClock(), Rounds(config, place_of("", file), file))
        if not running:
            return await asyncio.gather(*(asked(pages.application, path) for path in paths))
        served = TableSocket(place_of("", file), file)
        await served.open()
        with closing(Journal(file)) as journal:
            served.serve(journal)
            found = await asyncio.gather(*(asked(pages.application, path) for path in paths))
            served.close()
            return found

    return asyncio.run(answered())


def document(answer: Answer) -> Any:
    assert answer.status == 200, answer.text
    return answer.document


def test_a_running_tables_record_is_that_of_its_journal(file: Path) -> None:
    paths = ("/rounds.json", "/rounds.json?outcome=result&before=9", "/rounds/2.json")
    running, stopped = (answers(file, *paths, running=running) for running in (True, False))
    assert [document(answer) for answer in running] == [document(answer) for answer in stopped]
    lines, page, one = map(document, running)
    assert lines["problem"] == ""
    before = [line for line in lines["rounds"] if line["outcome"] == "result" and line["round"] < 9]
    assert before
    assert page["rounds"] == before
    assert one["problem"] == ""
    void = next(line["round"] for line in lines["rounds"] if "fewer-than-three-revolutions" in line["voids"])
    words = [line["words"] for line in document(answers(file, f"/rounds/{void}.json")[0])["lines"]]
    assert any("The wheel made fewer than three full revolutions." in one for one in words)


def test_what_is_not_on_record_is_not_found(file: Path) -> None:
    numbers, queries = ("999999", "x", "-1"), ("before=x", "outcome=none")
    paths = [*(f"/rounds/{one}.json" for one in numbers), *(f"/rounds.json?{one}" for one in queries)]
    assert [answers(file, path)[0].status for path in paths] == [404] * len(paths)


def test_a_record_that_cannot_be_read_is_an_error_and_nothing_else(file: Path) -> None:
    change(file, "UPDATE entries SET body = 'none' WHERE seq = 12")
    for running in (True, False):
        (answer,) = answers(file, "/rounds.json", running=running)
        assert answer.status == 500
        assert "journal verify" in answer.document["error"]


def test_without_table_and_journal_the_page_says_so(tmp_path: Path) -> None:
    (answer,) = answers(tmp_path / "none.journal", "/rounds.json", running=False)
    assert answer.status == 503
    assert "the table does not run" in answer.document["error"]


def test_few_requests_wait_for_the_record(file: Path) -> None:
    found = [answer.status for answer in answers(file, *["/rounds/1.json"] * (MAX_WAITING + 3))]
    assert sorted(found) == [200] * MAX_WAITING + [503] * 3
