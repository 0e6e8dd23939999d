"""The bench of a roulette table: what its screen shows, and what its keys do. On virtual time; no terminal."""

import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from bench_player import Player, drawn, fits, flat

from config.schema import TableConfig
from controller.bench.terminal.frame import bench_frame
from controller.bench.terminal.keys import ENTER, ESCAPE
from controller.bench.terminal.view import ASCII_SIGNS, SIGNS, Signs
from controller.configuration.shipped import load_table, shipped_tables
from controller.games.roulette.layout import WHEEL_ORDER, WheelType

SIZES = ((80, 24), (100, 30), (160, 50))
WAYS = ("counterclockwise", "clockwise")


def of_wheel(folder: Path, wheel: str, beams: int = 2) -> TableConfig:
    """The shipped table with another wheel."""
    text = shipped_tables()["roulette"].read_text(encoding="utf-8")
    text = text.replace("  wheel: double-zero\n", f"  wheel: {wheel}\n")
    if wheel != "double-zero":
        text = text.replace("      straight-00: 1\n", "")
    if beams == 1:
        text = re.sub(r" +ball_2: .*\n", "", text)
    file = folder / "roulette.yaml"
    file.write_text(text, encoding="utf-8")
    return load_table(file).config


@pytest.fixture
def bench(shipped: Callable[[str], TableConfig]) -> Iterator[Player]:
    player = Player(shipped("roulette"))
    yield player
    player.bench.close()


@pytest.fixture
def opened(bench: Player) -> Player:
    """Inspected, and open for wagers; the rotor turns clockwise."""
    bench.press("k", "1", "k", "k", "k", "R", "t", wait_s=0.3)
    bench.wait(20)
    bench.press("k", "k")
    assert bench.state == "bets-open"
    return bench


def printed(lamp: str) -> str:
    """The text on an area."""
    for n, nth in enumerate(("1st", "2nd", "3rd"), 1):
        lamp = lamp.replace(f"dozen-{n}", f"{nth} 12")
    return lamp.removeprefix("straight-").replace("column-", "col ")


def test_the_help_is_whole_even_under_a_long_prompt(bench: Player) -> None:
    bench.press("k", "1", "k", "k", "k")
    assert "level and turns freely" in bench.screen(80, 24)
    bench.press("?")
    rows = bench.screen(80, 24)
    assert fits(rows.split("\n"), 80, 24)
    assert all(hint.long in rows for hint in bench.keyboard.hints)


def choose(bench: Player, words: str) -> None:
    """Choose from the open menu by its text, on whichever page it is."""
    while (page := bench.keyboard.menu) is not None:
        found = [choice.key for choice in page.choices if choice.short == words]
        bench.press(*found or " ", wait_s=0)


def wheel_rows(bench: Player) -> tuple[str, str]:
    """Track and pockets, each a whole turn, on a wide screen."""
    rows = bench.screen(160, 50).split("\n")
    title = next(i for i, row in enumerate(rows) if "─ wheel ─" in row)
    margin = 2 + (156 - 38 * 4) // 2
    track, pockets = (row[margin : margin + 38 * 4] for row in rows[title + 1 : title + 3])
    return track, pockets


def place_of(pocket: str, pockets: str) -> int:
    """The column in which a pocket's number ends; pockets may lie across the edge."""
    found = re.search(rf"(?<!\d){pocket}(?!\d)", pockets * 2)
    assert found
    return (found.end() - 1) % len(pockets)


def ahead(now: int, before: int, turn: int = 38 * 4) -> int:
    """Columns to the right, around the wheel."""
    return (now - before + turn // 2) % turn - turn // 2


def middle(bench: Player) -> str:
    """What the table assumes, and the truth."""
    screen = flat(bench.screen(160, 50).split("\n"))
    found = re.search(r"table: (.*?) true: (.*?) [╰]", screen)
    assert found
    return f"{found[1]} | {found[2]}"


# -- the wheel -------------------------------------------------------------------------------------------------


def test_the_pockets_are_drawn_clockwise_in_their_order(bench: Player) -> None:
    order = WHEEL_ORDER[WheelType.DOUBLE_ZERO]
    _, pockets = wheel_rows(bench)
    seen = pockets.split()[1:-1]  # Those at the edges may be cut.
    first = order.index(seen[0])
    assert seen == [order[(first + i) % len(order)] for i in range(len(seen))]
    assert len(seen) >= 36


@pytest.mark.parametrize(("key", "way"), [("r", -1), ("R", 1)])
def test_the_strip_moves_as_the_rotor_turns(bench: Player, key: str, way: int) -> None:
    bench.press(key, wait_s=6)
    before = place_of("17", wheel_rows(bench)[1])
    bench.wait(0.5)
    moved = ahead(place_of("17", wheel_rows(bench)[1]), before)
    assert moved == pytest.approx(way * 0.5 * 0.38 * 38 * 4, abs=2), "clockwise is to the right"
    assert middle(bench).count(f"the rotor turns {WAYS[way > 0]}") == 2


def test_the_ball_runs_past_the_beams(bench: Player) -> None:
    bench.press("R", "t", wait_s=4)
    track, _ = wheel_rows(bench)
    assert track.index("│2") - track.index("│1") == 38, "a quarter of a turn clockwise"
    bench.wait(0.1)
    later, _ = wheel_rows(bench)
    assert -40 < ahead(later.index("●"), track.index("●")) < -5, "counterclockwise is to the left"


def test_the_text_names_direction_and_revolutions(bench: Player) -> None:
    assert middle(bench) == (
        "no ball runs; the rotor's direction is not known | no ball in the wheel; the rotor stands"
    )
    bench.press("r", wait_s=4)
    bench.press("t", wait_s=5)
    believed, true = middle(bench).split(" | ")
    assert re.fullmatch(
        r"the ball runs clockwise, [2-6] of 4 revolutions; the rotor turns counterclockwise", believed
    )
    assert true == "the ball runs clockwise; the rotor turns counterclockwise"
    low = flat(bench.screen(80, 24).split("\n"))
    assert re.search(r"table: ball clockwise, [2-6] of 4 revolutions; rotor counterclockwise true: ball clock", low)


def test_a_ball_that_falls_then_lies_moves_with_its_pocket(bench: Player) -> None:
    bench.press("R", "t", wait_s=0)
    ball = bench.bench.world.rotor.ball
    assert ball is not None
    bench.wait((ball.leaves_ns - bench.clock.now_ns()) / 1e9 + 0.1)
    assert "the ball falls" in middle(bench)
    assert not {"●", "▼"} & set(wheel_rows(bench)[0])
    bench.wait(4)
    ball = bench.bench.world.rotor.ball
    assert ball is not None
    for _ in range(5):
        bench.wait(0.7)
        track, pockets = wheel_rows(bench)
        assert abs(ahead(place_of(ball.pocket, pockets), track.index("▼"))) <= 1
    assert re.search(rf"the ball lies in {ball.pocket} \w+, after {ball.revolutions} revolutions", middle(bench))


def test_a_rotor_at_rest_is_shown_as_at_rest(bench: Player) -> None:
    bench.press("R", wait_s=8)
    bench.press("h", wait_s=2)
    assert middle(bench).count("the rotor stands") == 2
    before = bench_frame(bench.bench, bench.keyboard)
    bench.wait(5)
    assert bench_frame(bench.bench, bench.keyboard) == before, "nothing is drawn again"


def test_doubts_are_named(bench: Player) -> None:
    bench.bench.break_("stuck-low", "ball_2")
    bench.press("R", "t", wait_s=8)
    assert "ball_2 silent, " in middle(bench)
    bench.bench.break_("missing-index")
    bench.wait(8)
    assert "; index silent | " in middle(bench)
    assert fits(bench.screen(80, 24).split("\n"), 80, 24)


def test_a_false_reading_of_the_table_is_highlighted(opened: Player) -> None:
    def style() -> str:
        wheel, *_ = bench_frame(opened.bench, opened.keyboard).board.top(156, True, SIGNS)
        return str(wheel.rows[-2].style)

    opened.bench.break_("reader-astray", amount=1)
    opened.press("s", wait_s=0)
    choose(opened, "0 green")
    opened.wait(4)
    opened.press("n")
    assert style() == "cyan"
    opened.wait(22)
    assert middle(opened).startswith("the ball lies in 28 black; ")
    assert " | the ball lies in 0 green, after " in middle(opened)
    assert style() == "bold red"
    opened.press("0", ENTER)
    assert opened.state == "dispute"
    assert middle(opened).startswith("the ball lies in 28 black or 0 green; ")


def test_a_restarted_table_does_not_know_that_the_rotor_turns(opened: Player) -> None:
    opened.press("p", wait_s=3.5)
    assert "the rotor's direction is not known | " in middle(opened)
    opened.wait(6)
    assert middle(opened).startswith("no ball runs; the rotor turns clockwise | ")


# -- the keys --------------------------------------------------------------------------------------------------


def test_a_whole_round_by_keys(opened: Player) -> None:
    opened.press("s", wait_s=0)
    choose(opened, "17 black")
    opened.wait(3)
    assert opened.state == "ball-running"
    opened.press("n", wait_s=14)
    opened.press("1", "7", ENTER, wait_s=5)
    assert opened.state == "result"
    assert opened.bench.world.panel.lit() == {"straight-17", "column-2", "dozen-2", "black", "odd", "1-18"}
    for width, height in SIZES:
        screen = opened.screen(width, height)
        assert all(f"●{words}" in screen for words in ("17", "col 2", "2nd 12", "black", "odd", "1-18"))
        assert screen.count("●") == 6
    opened.press("d", "d", "c")
    assert opened.state == "bets-open"
    assert "●" not in opened.screen()


@pytest.mark.parametrize("rotor", ["r", "R"])
def test_a_throw_with_the_rotor_is_no_spin(opened: Player, rotor: str) -> None:
    opened.press(rotor, wait_s=4)
    opened.press("T", wait_s=8)
    assert opened.state == "respin"
    assert "in the direction of the wheel" in flat(opened.screen().split("\n"))
    way = WAYS[rotor == "R"]
    assert f"> throw with the rotor, {way}" in opened.log()
    assert middle(opened).endswith(f"the ball runs {way}; the rotor turns {way}")


def test_a_throw_to_a_rotor_that_turned_back_goes_against_it(opened: Player) -> None:
    opened.press("r", wait_s=4)
    opened.press("t", "n", wait_s=18)
    assert opened.state == "entry"
    assert "> throw, clockwise" in opened.log()


def test_a_weak_throw_is_no_spin(opened: Player) -> None:
    opened.press("w", wait_s=10)
    assert opened.state == "respin"
    assert any("of 4 revolutions" in line for line in opened.log() if line.startswith("VOID"))


def test_a_ball_that_flies_off_is_no_spin(opened: Player) -> None:
    opened.press("o", wait_s=10)
    assert opened.state == "respin"
    assert any(line.startswith("VOID ball lost") for line in opened.log())
    assert " | no ball in the wheel; " in middle(opened)
    assert "▼" not in wheel_rows(opened)[0]


def test_the_ball_is_taken_out_of_track_and_pocket(opened: Player) -> None:
    for wait_s in (4, 22):
        opened.press("t", wait_s=wait_s)
        assert {"●", "▼"} & set(wheel_rows(opened)[0])
        opened.press("g")
        assert " | no ball in the wheel; " in middle(opened)
        assert not {"●", "▼"} & set(wheel_rows(opened)[0])


@pytest.mark.parametrize("key", ["t", "T", "w", "o"])
def test_with_the_rotor_at_rest_the_ball_is_thrown_counterclockwise(bench: Player, key: str) -> None:
    bench.press(key, wait_s=1)
    assert middle(bench).endswith("the ball runs counterclockwise; the rotor stands")


def test_the_table_keeps_its_usual_keys(bench: Player) -> None:
    usual = {"n": "no more bets", "d": "done", "c": "clear", ENTER: "enter", "x": "no spin", "e": "correct"}
    keys = {binding.key: binding.short for binding in bench.keyboard.bindings}
    assert usual.items() <= keys.items()
    assert keys["k"] == "floor key"
    assert set("0123456789") <= keys.keys()


def test_the_menu_of_pockets_is_complete_and_fits_below_long_messages(bench: Player) -> None:
    bench.press("k", "1", "k", "k", "k")
    assert len(bench.bench.table.machine.waiting_for()) > 160
    bench.press("s", wait_s=0)
    seen: list[str] = []
    for _ in range(3):
        page, screen = bench.keyboard.menu, bench.screen(80, 24)
        assert page is not None
        assert fits(screen.split("\n"), 80, 24)
        assert all(choice.short in screen for choice in page.choices)
        seen += [choice.short.split()[0] for choice in page.choices]
        bench.press(" ", wait_s=0)
    bench.press(ESCAPE)
    assert seen == ["0", "00", *map(str, range(1, 37))]


# -- the layout, and every size ----------------------------------------------------------------------------------


@pytest.mark.campaign
@pytest.mark.parametrize("signs", [SIGNS, ASCII_SIGNS], ids=["signs", "ascii"])
@pytest.mark.parametrize("wheel", [wheel.value for wheel in WheelType])
def test_every_lamp_of_every_wheel_has_its_place(tmp_path: Path, wheel: str, signs: Signs) -> None:
    bench = Player(of_wheel(tmp_path, wheel))
    lamps = bench.bench.game.lamps(bench.bench.config.rules)
    assert len(lamps) == 50 - (wheel != "double-zero")
    for lamp in lamps:
        bench.bench.world.fault("burning-lamp", lamp)
        rows = {size: drawn(bench_frame(bench.bench, bench.keyboard), *size, signs) for size in SIZES}
        assert all(fits(rows[size], *size) for size in SIZES)
        assert all("\n".join(rows[size]).count("!") == 1 for size in SIZES)
        assert all(f"!{printed(lamp)}" in "\n".join(rows[size]) for size in SIZES)
        bench.bench.world.repair()
    bench.bench.close()


@pytest.mark.parametrize("signs", [SIGNS, ASCII_SIGNS], ids=["signs", "ascii"])
@pytest.mark.parametrize("size", SIZES)
def test_the_screen_fits_through_a_whole_round(opened: Player, size: tuple[int, int], signs: Signs) -> None:
    other = set("".join(getattr(SIGNS, name) for name in Signs.__slots__)) - {SIGNS.peg}
    opened.press("t", wait_s=3)
    opened.press("n", wait_s=0)
    for wait_s in (0.1, 2, 7, 6):
        opened.wait(wait_s)
        frame = bench_frame(opened.bench, opened.keyboard)
        rows = drawn(frame, *size, signs)
        assert fits(rows, *size)
        assert signs is SIGNS or not other & set("".join(rows))
        log = [i for i, row in enumerate(rows) if "─ log ─" in row]
        broken = [i for i, row in enumerate(rows) if "broken: nothing" in row]
        assert broken[0] - log[0] >= 6, "room for results and log"
    assert opened.state == "entry"


@pytest.mark.parametrize("wheel", [wheel.value for wheel in WheelType])
def test_wheel_and_beams_are_those_of_the_table(tmp_path: Path, wheel: str) -> None:
    bench = Player(of_wheel(tmp_path, wheel, beams=1))
    rows = drawn(bench_frame(bench.bench, bench.keyboard), 160, 50)
    title = next(i for i, row in enumerate(rows) if "─ wheel ─" in row)
    assert "│1" in rows[title + 1]
    assert "│2" not in rows[title + 1]
    missing = set(WHEEL_ORDER[WheelType(wheel)]) - set(rows[title + 2].split())
    assert len(missing) <= 1, "all but one that is cut in two at the edges"
    bench.press("R", wait_s=4)
    bench.press("t", wait_s=6)
    assert re.search(
        r"table: the ball runs, [3-8] of 4 revolutions; the rotor turns clockwise", bench.screen(160, 50)
    )
    bench.bench.close()


def test_documents_of_the_same_instant_are_equal(opened: Player) -> None:
    opened.press("t", wait_s=4)
    before = bench_frame(opened.bench, opened.keyboard)
    assert bench_frame(opened.bench, opened.keyboard) == before
    opened.wait(0.1)
    assert bench_frame(opened.bench, opened.keyboard).board != before.board
