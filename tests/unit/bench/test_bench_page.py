"""The bench's page: its document and actions, on virtual time; no server, no browser."""

from collections.abc import Callable
from pathlib import Path

import pytest
from bench_page import Page

from config.schema import TableConfig
from controller.journal.errors import JournalError
from controller.journal.journal import Journal
from controller.machine.registry import game_names

GAMES = game_names()
Shipped = Callable[[str], TableConfig]
MakePage = Callable[..., Page]


@pytest.fixture
def table(page: MakePage) -> Page:
    """A Dreamcatcher table that knows where its wheel stands; wagers are open."""
    made = page("dreamcatcher")
    made.act(10, key="h")
    assert made.state == "bets-open"
    return made


# -- rounds --------------------------------------------------------------------------------------------------------


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
def test_a_throw_by_key_has_its_outcome(table: Page, keys: str, words: str) -> None:
    table.keys("n")
    table.keys(*keys, wait_s=3)
    table.wait(30)
    assert any(line.startswith(words) for line in table.log())
    assert (table.state == "result") == (words == "RESULT")


# -- power ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("in_file", [False, True])
def test_a_power_cut_keeps_result_wheel_and_record(page: MakePage, tmp_path: Path, in_file: bool) -> None:
    table = page("dreamcatcher", tmp_path / "journal" if in_file else None)
    table.keys("h", wait_s=10)
    table.keys("n", "s", "d")
    table.wait(25)
    table.keys("t")
    table.act(cut=True)
    assert table.picture["powered"] is table.web.powered is False
    table.wait(1)
    assert {line["rate"] for line in table.picture["lines"]} == {0}, "no edges arrive"
    assert not table.bench.world.panel.lit()
    before = table.picture["true"]["angle"]
    table.act(cut=True)
    assert table.picture["true"]["angle"] != before, "the wheel turns on"
    table.wait(4)
    picture = table.picture
    assert (table.state, picture["burning"]) == ("result", ["10"])
    assert {line["line"]: line["rate"] > 50 for line in picture["lines"]}["encoder_a"]
    assert "power-restored" in [entry["kind"] for entry in picture["entries"]]
    last = len(table.bench.journal)
    assert [entry["seq"] for entry in picture["entries"]] == list(
        range(last - len(picture["entries"]) + 1, last + 1)
    )


def test_a_journal_of_another_game_is_refused_and_released(shipped: Shipped, tmp_path: Path) -> None:
    file = tmp_path / "journal"
    Page(shipped("sic-bo"), file).bench.close()
    with pytest.raises(JournalError):
        Page(shipped("dreamcatcher"), file)
    Journal(file).close()


# -- the guide -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", GAMES)
def test_who_follows_the_guide_plays_a_round(page: MakePage, game: str) -> None:
    table = page(game)
    for _ in range(200):
        line = table.picture["guide"]
        if line["words"].startswith("That was a round."):
            break
        if line["control"] or line["key"]:
            table.web.act({"press": line["control"]} if line["control"] else {"key": line["key"]})
        table.wait(1)
    assert table.picture["guide"]["words"].startswith("That was a round."), table.log()
    assert not any("REFUSED" in line for line in table.log())
    assert any("RESULT" in line for line in table.log())


@pytest.mark.parametrize("game", GAMES)
def test_the_bench_does_the_inspection_by_keys(page: MakePage, game: str) -> None:
    table = page(game)
    assert table.picture["inspection"]
    table.act(180, inspect=True)
    assert not table.picture["inspection"], table.log()
    assert "> does the inspection" in table.log()
    assert not any("REFUSED" in line or "does not go on" in line for line in table.log())
    assert "waits for no inspection" in table.refusal({"inspect": True})


def test_an_inspection_that_cannot_go_on_is_left_to_people(page: MakePage) -> None:
    table = page("sic-bo")
    table.act(fault="keys-unplugged")
    table.act(60, inspect=True)
    assert any("does not go on" in line for line in table.log())
    assert table.picture["inspection"]


# -- the technician ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", GAMES)
def test_every_offered_fault_can_be_injected_and_repaired(page: MakePage, game: str) -> None:
    table = page(game)
    offered = table.web.breakages()
    assert {"dead-lamp", "burning-lamp", "stuck-key", "keys-unplugged"} <= {item["fault"] for item in offered}
    for item in offered:
        target = {"target": item["targets"][-1]} if item["targets"] else {}
        for amount in ({}, {"amount": item["amount"]}):
            table.act(fault=item["fault"], **target, **amount)
            assert len(table.picture["faults"]) == 1
            table.act(repair=True)
            assert table.picture["faults"] == []
    assert "not possible" not in " ".join(table.log())


def test_pegs_and_leather_of_the_wheel_are_changed(table: Page) -> None:
    before = table.picture["wheel"]
    table.act(bend=20, degrees=1.5)
    table.act(remove=30)
    table.act(build="set_deg", value=0.4)
    seen = table.picture["wheel"]
    assert (seen["bent"], seen["missing"]) == ([20], [30])
    assert (seen["set_deg"], seen["options"]["set_deg"], before["set_deg"]) == (0.4, 0.4, 0)
    assert "no such wheel can be built" in table.refusal({"build": "set_deg", "value": 9})
    table.act(bend=20, degrees=0)
    table.act(bend=30, degrees=0)
    assert (table.picture["wheel"]["bent"], table.picture["wheel"]["missing"]) == ([], [])
    assert not any("not possible" in line for line in table.log())


def test_a_wheel_is_calibrated_as_it_is_and_a_round_is_played_on_it(table: Page) -> None:
    files = [table.file_on_record]
    table.act(remove=30)
    table.act(5, calibrate=True)
    assert any("a peg is missing" in line and "keeps its calibration" in line for line in table.log())
    assert (table.picture["powered"], table.bench.config.wheel.clapper) == (True, None)
    files.append(table.file_on_record)
    table.act(bend=30, degrees=0)
    table.act(bend=20, degrees=1.0)
    table.act(build="set_deg", value=0.4)
    table.act(0.3, calibrate=True)
    seen = [table.picture]
    while seen[-1]["wheel"]["work"]:
        table.wait(0.1)
        seen.append(table.picture)
    done = [one["wheel"]["done"] for one in seen[:-1]]
    assert done == sorted(done)
    assert {one["wheel"]["work"] for one in seen} > {"two slow turns clockwise", "a throw clockwise", "measuring"}
    assert (seen[0]["powered"], seen[-1]["powered"]) == (False, True)
    files.append(table.file_on_record)
    assert files[0] == files[1] != files[2], "the record tells rounds of another calibration from those of the file"
    assert (table.state, table.bench.config.wheel.clapper is not None) == ("locating", True)
    table.act(12, key="h")
    for turns in (4.2, -4.4):
        table.act(press="no-more-bets")
        table.act(40, throw=turns)
        while table.state in ("respin", "bonus"):
            table.act(40, throw=turns)
        section = table.bench.world.wheel.true_position()[0]
        assert (table.state, table.picture["burning"]) == ("result", [table.bench.game.wheel[section]])
        for control in ("done", "done", "clear"):
            table.act(press=control)
        assert (table.state, table.picture["burning"]) == ("bets-open", [])
    throws = {f"> throws the wheel, {way}" for way in ("clockwise", "counterclockwise")}
    assert {"> no more bets", "> done", *throws} <= {*table.log()}


def test_a_wheel_is_changed_between_rounds_only(table: Page) -> None:
    changes = ({"calibrate": True}, {"build": "peg_mm", "value": 8}, {"remove": 30})
    table.act(press="no-more-bets")
    for body in changes:
        assert "a round is in progress (no-more-bets)" in table.refusal(body)
    table.act(5, throw=4)
    for body in changes:
        assert "the wheel turns" in table.refusal(body)
    table.wait(40)
    while table.state in ("respin", "bonus"):
        table.act(40, throw=4.3)
    assert "a round is in progress (result)" in table.refusal({"calibrate": True})
    for control in ("done", "done", "clear"):
        table.act(press=control)
    table.act(0.3, calibrate=True)
    assert "the technician is at work (two slow turns" in table.refusal({"remove": 3})


# -- invalid actions -----------------------------------------------------------------------------------------------

HUGE = 10**4000
BAD: list[tuple[str, object, str]] = [
    ("dreamcatcher", [], "an act is an object with one of the keys key, press, throw"),
    ("dreamcatcher", {}, "exactly one of the keys key, press, throw"),
    ("dreamcatcher", {"press": "done", "key": "t"}, "exactly one"),
    ("dreamcatcher", {"press": "done", "Press": "done"}, "unknown key 'Press'; with 'press' go only: press"),
    ("dreamcatcher", {"press": "done", "self": 1}, "unknown key 'self'"),
    ("dreamcatcher", {"press": "\ud800" * 99}, r"'\ud800\ud800"),
    ("dreamcatcher", {"press": "war"}, "'war' is no control of this table; it has: no-more-bets"),
    ("dreamcatcher", {"key": ""}, "one character or one of Enter, Escape, Backspace"),
    *(("dreamcatcher", {"throw": turns}, "it is 0.2 to 12 turns; negative") for turns in (0, 0.19, -13, 1e400)),
    *(("dreamcatcher", {"throw": turns}, "a valid number") for turns in (HUGE, "4", True, None, [4])),
    ("dreamcatcher", {"throw": float("nan")}, "it is 0.2 to 12 turns"),
    ("roulette", {"ball": 15.1}, "it is 0.5 to 15 turns; negative"),
    ("roulette", {"throw": 4}, "no wheel with a clapper"),
    ("roulette", {"remove": 3}, "no wheel with a clapper"),
    ("dreamcatcher", {"ball": 9}, "no ball"),
    ("dreamcatcher", {"fault": "fire"}, "'fire' is no fault of this table; it has: stuck-high"),
    ("dreamcatcher", {"fault": "dead-lamp"}, "'' is no lamp of this table; it has: 1, 2"),
    ("dreamcatcher", {"fault": "swapped", "target": "index"}, "'swapped' has no target"),
    ("dreamcatcher", {"fault": "slip", "amount": 0}, "the amount of 'slip' is above 0, at most 1"),
    ("dreamcatcher", {"fault": "overflow", "amount": 1.5}, "a whole number from 1 to 10000"),
    ("dreamcatcher", {"fault": "overflow", "amount": HUGE}, "a valid number"),
    ("dreamcatcher", {"repair": False}, "'repair': Input should be True"),
    ("dreamcatcher", {"build": "sections", "value": 9}, "'build': Input should be 'leather_mm', "),
    ("dreamcatcher", {"build": "set_deg"}, "'value': Missing"),
    ("dreamcatcher", {"bend": 99, "degrees": 1}, "no peg 99: the wheel's pegs are numbered from 1 to 54"),
    ("dreamcatcher", {"bend": 3, "degrees": 4}, "'degrees': Input should be less than or equal to 3"),
    ("dreamcatcher", {"push": 0}, "it is 1 to 300 degrees a second; negative is clockwise"),
    ("dreamcatcher", {"brake": 0}, "'brake': Input should be greater than 0"),
]


@pytest.mark.parametrize(("game", "body", "words"), BAD, ids=[f"{i}" for i in range(len(BAD))])
def test_an_invalid_action_is_refused_naming_the_allowed_ones(
    page: MakePage, game: str, body: object, words: str
) -> None:
    refusal = page(game).refusal(body)
    assert words in refusal
    assert refusal.isprintable()
