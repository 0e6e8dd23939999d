"""The bench's part of a page: its document, and its actions. On virtual time; no server, no browser."""

from collections.abc import Callable
from pathlib import Path

import pytest
from bench_page import Page

from controller.journal.record import of_entry
from controller.journal.text import record_line

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


def test_a_whole_roulette_round_by_actions_of_the_page(page: Callable[[str], Page]) -> None:
    bench = page("roulette")
    bench.keys("k", "1", "k", "k", "k", "R", "t")
    bench.wait(20)
    bench.keys("k", "k")
    assert bench.state == "bets-open"
    bench.act(3, ball=9.5)
    assert bench.state == "ball-running"
    bench.act(18, press="no-more-bets")
    assert bench.state == "entry"
    pocket = bench.picture["rotor"]["pocket"]
    bench.keys(*pocket, "Enter")
    bench.wait(5)
    assert bench.state == "result"
    assert f"straight-{pocket}" in bench.picture["burning"]


# -- the document --------------------------------------------------------------------------------------------------


def test_the_true_angle_is_that_of_the_section_at_the_clapper(page: Callable[[str], Page]) -> None:
    bench = page("dreamcatcher")
    for turns in (0.3, -1.7, 2.2, -0.9):
        bench.act(40, throw=turns)
        true = bench.picture["true"]
        assert (int(true["angle"] * 54), true["on_peg"]) == bench.bench.world.wheel.true_stand()
    bench.keys("b")
    bench.wait(40)
    assert bench.picture["true"]["on_peg"] is True


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


def test_the_entries_are_the_last_ones_of_the_journal_in_words(page: Callable[[str], Page]) -> None:
    bench = page("sic-bo")
    assert bench.picture["entries"][0]["words"].startswith("the table starts on an empty journal")
    for _ in range(40):
        bench.act(press="clear")
    shown = bench.picture["entries"]
    kept = list(bench.bench.journal.entries())[-30:]
    assert [(e["seq"], e["round"], e["kind"]) for e in shown] == [(e.seq, e.round, e.kind) for e in kept]
    assert [e["words"] for e in shown] == [record_line(of_entry(entry)) for entry in kept]
