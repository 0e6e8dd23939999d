"""A round's signals are those of its edges, its decisions those of the journal, its angles the wheel's."""

import asyncio
import json
import random
import re
from bisect import bisect_right
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from replay_table import TracedRig, opened, play, rounds_of, run_ball, settle, spin
from signal_runs import expanded

from config.schema import TableConfig
from controller.configuration.shipped import LoadedTable, load_table, table_path
from controller.journal.journal import Journal
from controller.journal.replay.trace import EdgeStretch, Traces, trace_file
from controller.runtime.round_replay import drawing
from controller.runtime.round_signals import RoundSignals, round_signals
from controller.screens.rounds import Rounds
from controller.web.exchange import Request
from hal.events import LINES

Shipped = Callable[[str], TableConfig]


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "table.journal"


def of(game: str) -> LoadedTable:
    return load_table(table_path(game))


def signals(game: str, file: Path, number: int) -> RoundSignals:
    """As a page of the file with which the rig's tables started."""
    found = round_signals(number, of(game)._replace(digest="0" * 64), file)
    assert found is not None
    return found


def entries_ns(file: Path, number: int) -> list[int]:
    with closing(Journal(file, read_only=True)) as journal:
        return [entry.at_ns for entry in journal.entries(round_=number)]


def kept(file: Path, number: int) -> list[EdgeStretch]:
    with closing(Traces(trace_file(file), 0)) as traces:
        return list(traces.of(number))


def level_at(stretches: list[EdgeStretch], letter: str, at_ns: int) -> bool:
    """A line's level at a moment as the trace has it."""
    stretch = next((one for one in reversed(stretches) if one.first_ns <= at_ns), stretches[0])
    return stretch.levels_at(bisect_right(stretch.stamps_ns, at_ns))[letter]


def holds(column: str, level: bool) -> bool:
    """Whether a column can have had that level."""
    return column == "b" or column == ("h" if level else "l")


@pytest.mark.parametrize("game", ["dreamcatcher", "roulette"])
def test_the_levels_at_any_time_are_those_of_the_trace(game: str, shipped: Shipped, file: Path) -> None:
    rig = opened(shipped(game), file)
    if game == "roulette":
        run_ball(rig)
    else:
        play(rig, "10")
        play(rig, "1")
    rig.finish()
    number = rounds_of(file)[-1]
    found, stretches = signals(game, file, number), kept(file, number)
    start_ns = min(entries_ns(file, number)[0], stretches[0].first_ns)
    assert found["edges"] == "kept"
    chance = random.Random(7)
    stamps = [at_ns for stretch in stretches for at_ns in stretch.stamps_ns]
    times = [chance.randrange(start_ns, max(stamps)) for _ in range(400)] + chance.sample(stamps, 400)
    for line in found["lines"]:
        columns = expanded(line["runs"])
        assert len(columns) == found["columns"]
        letter = LINES[line["line"]]
        for at_ns in times:
            column = columns[int((at_ns - start_ns) // (found["column_ms"] * 1e6))]
            assert holds(column, level_at(stretches, letter, at_ns)), (line["line"], at_ns)
        own = [edge for stretch in stretches for edge in stretch.edges.decode() if edge.upper() == letter]
        assert (line["edges"], line["rises"]) == (len(own), own.count(letter))
        assert "x" not in columns
        assert columns.count("b") <= len(own)


@pytest.mark.parametrize(("game", "turns"), [("dreamcatcher", 3.4), ("dreamcatcher", -3.4), ("big-six", 3.4)])
def test_the_angle_is_where_the_wheel_truly_was(game: str, turns: float, shipped: Shipped, file: Path) -> None:
    rig = opened(shipped(game), file)
    rig.press("no-more-bets")
    rig.world.throw(abs(turns), 1 if turns > 0 else -1)
    truth: dict[int, float] = {}
    for _ in range(400):
        rig.wait(0.0433)
        truth[rig.clock.now_ns()] = rig.world.wheel.x / rig.world.wheel.sections
    rig.finish()
    number = rounds_of(file)[-1]
    found = signals(game, file, number)
    start_ns = entries_ns(file, number)[0]
    assert found["angles"] is not None
    step_ns = int(found["angle_ms"] * 1e6)
    compared = 0
    for at_ns, angle in truth.items():
        place, rest = divmod(at_ns - start_ns, step_ns)
        if rest > 1_000_000 or place >= len(found["angles"]):
            continue
        reported = found["angles"][place]
        assert reported is not None
        assert abs((reported - angle + 0.5) % 1 - 0.5) < 0.003, "a degree"
        compared += 1
    assert compared > 5


def test_under_another_file_the_wheel_is_not_drawn_with_this_ones_encoder(shipped: Shipped, file: Path) -> None:
    """As on the bench, where another wheel was put up, and in a pit where a wheel was replaced."""
    rig = opened(shipped("dreamcatcher"), file)
    play(rig, "10")
    play(rig, "1")
    rig.configuration = "1" * 64
    rig.power_cut(5)
    rig.turn(1.2)
    play(rig, "5")
    play(rig, "2")
    rig.finish()
    found = {number: signals("dreamcatcher", file, number) for number in rounds_of(file)}
    assert {number: each["other_wheel"] for number, each in found.items() if number} == {
        1: False,
        2: False,
        3: True,
        4: True,
    }
    assert [found[number]["angles"] is None for number in (1, 2, 4)] == [False, False, True]
    assert found[3]["angles"] is None or None in found[3]["angles"]
    assert all(each["lines"] for number, each in found.items() if number)
    assert "another file of the table" in drawing(4, of("dreamcatcher")._replace(digest="0" * 64), file)
    assert "another file of the table" not in drawing(4, of("dreamcatcher")._replace(digest="1" * 64), file)


def test_the_decisions_are_those_on_record_with_their_times(shipped: Shipped, file: Path) -> None:
    rig = opened(shipped("dreamcatcher"), file)
    spin(rig, stop_on="10")
    settle(rig)
    rig.finish()
    (first, *_), decisions = entries_ns(file, 1), signals("dreamcatcher", file, 1)["decisions"]
    words = [line["words"] for line in decisions]
    assert words.index("> no more bets") < words.index("RESULT 10: 10 pays 10 to 1") < words.index("> clear")
    with closing(Journal(file, read_only=True)) as journal:
        (rested,) = [
            entry for entry in journal.entries(round_=1) if "RESULT" in entry.body or '"result"' in entry.body
        ]
    (result,) = [line["s"] for line in decisions if "RESULT" in line["words"]]
    assert result == pytest.approx((rested.at_ns - first) / 1e9, abs=0.001)
    assert [line["s"] for line in decisions] == sorted(line["s"] for line in decisions)


def test_over_a_power_cut_the_lines_are_not_known(shipped: Shipped, file: Path) -> None:
    rig = opened(shipped("dreamcatcher"), file)
    rig.press("no-more-bets")
    rig.spin(1.2)
    rig.power_cut(5)
    rig.wait(1)
    rig.turn(1.2)
    rig.finish()
    found = signals("dreamcatcher", file, rounds_of(file)[-1])
    words = [line for line in found["decisions"] if "power" in line["words"]]
    assert words
    for line in found["lines"]:
        columns = expanded(line["runs"])
        assert re.fullmatch(r"[lhb]+x+[lhb]+", columns)
        (dark,) = re.finditer("x+", columns)
        assert dark.end() == int(words[0]["s"] * 1000 / found["column_ms"])
        assert dark.end() - dark.start() >= 900, "five seconds of 5 ms, less the table's last look"


def test_a_round_that_lasted_overnight_has_no_more_columns_than_a_page_can_take(
    shipped: Shipped, file: Path
) -> None:
    rig = opened(shipped("dreamcatcher"), file)
    rig.wait(9 * 3600)
    play(rig, "10")
    rig.finish()
    found = signals("dreamcatcher", file, 1)
    assert 7000 < found["columns"] <= 8000
    assert found["angles"] is not None
    assert len(found["angles"]) <= 8000
    assert all(len(expanded(line["runs"])) == found["columns"] for line in found["lines"])


def test_a_round_with_a_computer_that_was_started_anew_goes_on_by_the_wall_clock(
    shipped: Shipped, file: Path
) -> None:
    """The next boot counts from 0 again."""
    rig = opened(shipped("dreamcatcher"), file)
    rig.wait(50)
    rig.press("no-more-bets")
    rig.spin(stop_on="10")
    rig.finish()
    before = signals("dreamcatcher", file, 1)
    later = TracedRig(shipped("dreamcatcher"), file)
    later.wait(2)
    settle(later)
    later.finish()
    times = [line["s"] for line in signals("dreamcatcher", file, 1)["decisions"]]
    assert times == sorted(times)
    assert times[: len(before["decisions"])] == [line["s"] for line in before["decisions"]]


@pytest.fixture
def answered(file: Path, shipped: Shipped) -> Callable[[str], tuple[int, Any]]:
    """What the page of a wheel gets for an address; the edges of the last round alone are kept."""
    rig = opened(shipped("dreamcatcher"), file, rounds=1)
    for section in ("10", "1", "5"):
        play(rig, section)
    rig.finish()
    rounds = Rounds(table_path("dreamcatcher"), file)

    def answer(path: str) -> tuple[int, Any]:
        found = asyncio.run(rounds.answer(Request("GET", path)))
        return found.status, json.loads(found.body)

    return answer


def test_a_round_without_edges_says_so_and_one_that_is_not_there_has_none(
    answered: Callable[[str], tuple[int, Any]], file: Path
) -> None:
    with closing(Traces(trace_file(file), 0)) as traces:
        assert traces.rounds() == [3]
    status, found = answered("/rounds/3/signals.json")
    assert (status, found["edges"], found["round"]) == (200, "kept", 3)
    status, found = answered("/rounds/1/signals.json")
    assert (status, found["edges"], found["lines"], found["angles"]) == (200, "gone", [], None)
    assert "RESULT 10: 10 pays 10 to 1" in [line["words"] for line in found["decisions"]]
    for wrong in ("99/signals", "abc/signals", "-1/signals", "1/signals/signals", "1/other", "\u0663/signals"):
        status, found = answered(f"/rounds/{wrong}.json")
        assert (status, list(found)) == (404, ["error"])


def test_a_table_of_dice_has_decisions_alone(shipped: Shipped, file: Path) -> None:
    rig = opened(shipped("sic-bo"), file)
    rig.finish()
    found = signals("sic-bo", file, 0)
    assert (found["edges"], found["lines"], found["angles"]) == ("none", [], None)
    assert found["decisions"][-1]["words"] == "round 1 opens"
