"""The bench's part of a page: its document, and its actions. On virtual time; no server, no browser."""

from collections.abc import Callable
from pathlib import Path

import pytest
from bench_page import Page

# -- rounds --------------------------------------------------------------------------------------------------------


def test_a_whole_round_by_actions_of_the_page(page: Callable[[str], Page]) -> None:
    bench = page("dreamcatcher")
    bench.act(10, key="h")
    bench.act(press="no-more-bets")
    bench.act(30, throw=4.2)
    assert bench.state == "result"
    section, _ = bench.bench.world.wheel.true_stand()
    assert bench.picture["burning"] == [bench.bench.game.wheel[section]]
    for control in ("done", "done", "clear"):
        bench.act(press=control)
    assert bench.state == "bets-open"
    assert bench.picture["burning"] == []
    expected = ("> no more bets", "> throw for 4.2 turns, counterclockwise", "> done")
    assert [line for line in bench.log() if line in expected] == [*expected[:2], "> done", "> done"]


# -- the document --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("in_file", [False, True])
def test_edges_and_entries_go_on_after_a_power_cut(
    page: Callable[..., Page], tmp_path: Path, in_file: bool
) -> None:
    bench = page("dreamcatcher", tmp_path / "journal" if in_file else None)
    bench.act(10, key="h")
    bench.act(throw=5)
    bench.act(1, cut=True)
    assert bench.picture["powered"] is bench.web.powered is False
    assert {line["rate"] for line in bench.picture["lines"]} == {0}, "no edges arrive"
    before = bench.picture["true"]["angle"]
    bench.wait(0.1)
    assert bench.picture["true"]["angle"] != before, "the wheel turns on"
    bench.wait(4)
    picture = bench.picture
    assert picture["powered"] is bench.web.powered is True
    assert {line["line"]: line["rate"] > 50 for line in picture["lines"]}["encoder_a"]
    assert "power-restored" in [entry["kind"] for entry in picture["entries"]]
    seqs = [entry["seq"] for entry in picture["entries"]]
    assert seqs == list(range(1, len(bench.bench.journal) + 1))
