"""What people do at the bench's table by keys: rounds, faults, power cuts, the wheel. On virtual time."""

from collections.abc import Callable
from pathlib import Path

import pytest
from bench_page import Page

from config.schema import TableConfig
from controller.journal.errors import JournalError
from controller.journal.journal import Journal
from controller.journal.versions import decider_of

Shipped = Callable[[str], TableConfig]
MakePage = Callable[[str], Page]


@pytest.mark.parametrize(
    ("keys", "words"),
    [
        ("t", "RESULT"),
        ("w", "VOID fewer than three revolutions"),
        ("b", "VOID between sections"),
        ("tg", "VOID"),
    ],
    ids=["hard", "weak", "onto a peg", "grabbed"],
)
def test_a_throw_by_key_has_its_outcome(page: MakePage, keys: str, words: str) -> None:
    bench = page("dreamcatcher")
    bench.keys("h", wait_s=10)
    bench.keys("n")
    bench.keys(*keys, wait_s=3)
    bench.wait(30)
    assert any(line.startswith(words) for line in bench.log())
    assert (bench.state == "result") == (words == "RESULT")


# -- power cuts ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("in_file", [False, True])
def test_a_power_cut_keeps_the_lit_result(page: Callable[..., Page], tmp_path: Path, in_file: bool) -> None:
    bench = page("dreamcatcher", tmp_path / "journal" if in_file else None)
    bench.keys("h", wait_s=10)
    bench.keys("n", "s", "d")
    bench.wait(25)
    bench.keys("p")
    assert not bench.web.powered
    assert not bench.bench.world.panel.lit()
    bench.keys("p", "d", "n")
    bench.wait(4)
    assert bench.state == "result"
    assert bench.bench.world.panel.lit() == {"10"}
    assert any("power restored" in line for line in bench.log())
    bench.keys("d", "d", "c")
    assert bench.state == "locating"


def test_a_journal_of_another_game_is_refused_and_released(shipped: Shipped, tmp_path: Path) -> None:
    file = tmp_path / "journal"
    Page(shipped("sic-bo"), file).bench.close()
    with pytest.raises(JournalError):
        Page(shipped("dreamcatcher"), file)
    Journal(file).close()


# -- the wheel -----------------------------------------------------------------------------------------------------


def test_the_record_tells_rounds_of_another_wheel_from_those_of_the_files_one(page: MakePage) -> None:
    bench = page("dreamcatcher")
    bench.keys("h", wait_s=10)
    workshop, files = bench.bench.workshop, [_file_on_record(bench)]
    for number in (7, None, 8, 7):
        workshop.fit(number)
        bench.wait(5)
        files.append(_file_on_record(bench))
    assert files[0] == files[2]
    assert files[1] == files[4]
    assert len(set(files)) == 3


def _file_on_record(bench: Page) -> str:
    journal = bench.bench.journal
    decider = decider_of(journal, max(entry.seq for entry in journal.entries()))
    assert decider is not None
    return decider.configuration
