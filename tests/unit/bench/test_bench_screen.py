"""What the bench's screen shows, at every size it is made for. Drawn on virtual time, without a terminal."""

import io
import re
from collections.abc import Callable

import pytest
from bench_player import Player, drawn, fits, flat
from rich.cells import cell_len
from rich.console import Console

from config.schema import TableConfig
from controller.bench.rig import Rig
from controller.bench.terminal.frame import Frame, bench_frame, frame_of
from controller.bench.terminal.history import BenchHistory
from controller.bench.terminal.screen import draw
from controller.bench.terminal.view import ASCII_SIGNS, BoardInput
from controller.configuration.shipped import shipped_tables
from controller.games.dice.demo import watch_lamps
from controller.statechart.registry import find_game

SIZES = ((80, 24), (100, 30), (200, 60))
WHEELS = ("dreamcatcher", "big-six")
Shipped = Callable[[str], TableConfig]


@pytest.fixture
def watched(shipped: Shipped) -> Callable[[str], tuple[Rig, Callable[[], Frame]]]:
    """A rig, and what takes its frame."""

    def make(game: str) -> tuple[Rig, Callable[[], Frame]]:
        watch = BenchHistory()
        rig = Rig(shipped(game), listeners=(watch,))
        return rig, lambda: frame_of(BoardInput(rig.config, find_game(game), rig.table, rig.world, watch))

    return make


@pytest.mark.parametrize(("width", "height"), SIZES)
@pytest.mark.parametrize("game", WHEELS)
def test_every_state_of_a_wheel_round_fits_every_screen(
    watched: Callable[[str], tuple[Rig, Callable[[], Frame]]], game: str, width: int, height: int
) -> None:
    rig, frame = watched(game)

    def shows(state: str, *words: str) -> None:
        rows = drawn(frame(), width, height)
        assert fits(rows, width, height)
        assert rows[0].rstrip().endswith(state)
        assert rig.waiting_for[:40] in " ".join(rows)
        assert all(word in flat(rows) for word in words), rows

    shows("LOCATING", "position unknown", "round 1")
    rig.turn(1.2)
    shows("BETS OPEN", "table:", "true:", "1.20 of 3 revolutions")
    rig.press("no-more-bets")
    rig.spin(2.0)
    shows("RESPIN", "VOID", "fewer than three")
    rig.spin(4.0, rest=False)
    rig.wait(6)
    shows("SPINNING", "turning counterclockwise: ", "of 3 revolutions")
    rig.press("no-spin")
    causes = (
        "no more bets wagers were placed or moved after no more bets",
        "done the wheel was touched or hindered",
        "no spin another cause",
    )
    shows("VOID SPIN", "the dealer called no spin", *causes, "clear takes no spin back")
    rig.press("done")
    rig.rest()
    shows("RESPIN", "VOID dealer no spin")
    rig.spin(4.0, stop_on="10")
    shows("RESULT", "● 10", "○ 20", "10 pays 10 to 1")
    rig.press("no-spin")
    shows("LATE NO SPIN", "why is there no spin after the result?", *causes, "clear leaves the result")
    rig.press("clear")
    shows("RESULT", "● 10", "○ 20")
    rig.press("done", "done", "clear", "no-more-bets")
    rig.world.fault("dead-clapper")
    rig.spin(4.0)
    shows("LOCKED", "ALERT", "clapper")


@pytest.mark.parametrize(("width", "height"), SIZES)
def test_every_state_of_sic_bo_fits_every_screen(
    watched: Callable[[str], tuple[Rig, Callable[[], Frame]]], width: int, height: int
) -> None:
    rig, frame = watched("sic-bo")

    def shows(state: str, *words: str) -> None:
        rows = drawn(frame(), width, height)
        assert fits(rows, width, height)
        assert rows[0].rstrip().endswith(state)
        assert all(word in flat(rows) for word in words), rows

    shows("CLOSED", "○small", "○any triple", "○1-2", "○5-6", "○6-6-6", "○17", "one of a kind")
    rig.press("floor-key")
    shows("FLOOR MENU", "choose, or clear to leave", "1 open the table: inspection", "clear leave the menu")
    shows("FLOOR MENU", "3 the automated shaker was removed - the table has the manual one")
    rig.press("2", "floor-key", "1", *"333", "enter")
    shows("INSPECTION LIT", "●3-3-3", "●any triple", "●9", "○small", "○big")
    rig.press("floor-key", *"123", "enter", "floor-key", *"456", "enter", "floor-key")
    shows("INSPECTION LAMPS", "●1-1-1", "○small", "○big")
    watch_lamps(rig)
    rig.press("floor-key")
    shows("BETS OPEN", "round 1")
    rig.press("no-more-bets", "6", "5")
    shows("ENTRY", "6-5-_")
    rig.press("4", "enter")
    shows("RESULT", "●4-5", "●4-6", "●5-6", "●15", "●big", "6-5-4")
    rig.world.fault("stuck-key", "done")
    rig.wait(60)
    shows("MALFUNCTION", "the key done is stuck", "who then turns the key")


def test_a_lamp_that_does_not_obey_is_marked(watched: Callable[[str], tuple[Rig, Callable[[], Frame]]]) -> None:
    rig, frame = watched("dreamcatcher")
    rig.turn(1.2)
    rig.press("no-more-bets")
    rig.spin(4.0, stop_on="10")
    rig.world.fault("dead-lamp", "10")
    rig.world.fault("burning-lamp", "2")
    screen = "\n".join(drawn(frame(), 80, 24))
    assert "! 10" in screen
    assert "! 2" in screen


def test_a_slipped_encoder_shows_two_positions(player: Callable[[str], Player]) -> None:
    def places(screen: str) -> tuple[str, ...]:
        found = re.search(r"table: +(\d+) counts.*true: +(\d+) counts", screen)
        assert found
        return found.groups()

    bench = player("dreamcatcher")
    bench.press("h", wait_s=10)
    believed, true = places(bench.screen())
    assert abs(int(believed) - int(true)) <= 1
    bench.bench.break_("slip", amount=0.1)
    bench.press("n", "t", wait_s=4)
    believed, true = places(bench.screen())
    assert abs(int(believed) - int(true)) > 20


def test_a_small_terminal_shows_a_message(player: Callable[[str], Player]) -> None:
    frame = bench_frame(player("dreamcatcher").bench, player("dreamcatcher").keyboard)
    for width, height in ((79, 24), (80, 23), (20, 5), (1, 1)):
        rows = drawn(frame, width, height)
        assert all(cell_len(row) <= width for row in rows)
    assert "80 columns" in drawn(frame, 79, 24)[0]


def test_a_terminal_without_unicode_gets_ascii(player: Callable[[str], Player]) -> None:
    for game in shipped_tables():
        bench = player(game)
        console = Console(width=80, height=24, file=io.TextIOWrapper(io.BytesIO(), encoding="ascii"))
        console.print(draw(bench_frame(bench.bench, bench.keyboard), 80, 24, ASCII_SIGNS))
        console.file.flush()


def test_frames_compare_equal_so_that_an_idle_table_is_not_redrawn(player: Callable[[str], Player]) -> None:
    bench = player("dreamcatcher")
    before = bench_frame(bench.bench, bench.keyboard)
    bench.wait(1)
    assert bench_frame(bench.bench, bench.keyboard) == before


@pytest.mark.parametrize(("width", "height"), SIZES)
@pytest.mark.parametrize("game", sorted(shipped_tables()))
def test_help_and_menus_fit_and_are_complete(
    player: Callable[[str], Player], game: str, width: int, height: int
) -> None:
    bench = player(game)
    keys = bench.screen(width, height)
    named = [hint for hint in bench.keyboard.hints if hint.short != hint.key.lower()]
    assert all(f"{hint.key} {hint.short}" in keys for hint in named if hint.short)
    assert all(hint.key in keys for hint in bench.keyboard.hints if hint.short)
    assert all(hint.short or hint.long for hint in bench.keyboard.hints)
    bench.press("?")
    words = bench.screen(width, height)
    assert fits(words.split("\n"), width, height)
    assert all(hint.long in words for hint in bench.keyboard.hints)
    bench.press("?", "f")
    page = bench.keyboard.menu
    assert page is not None
    words = bench.screen(width, height)
    assert fits(words.split("\n"), width, height)
    assert all(choice.short in words for choice in page.choices)


@pytest.mark.parametrize(("width", "height"), SIZES)
@pytest.mark.parametrize("game", WHEELS)
def test_the_keys_of_a_wheel_leave_room_for_every_lamp(
    player: Callable[[str], Player], game: str, width: int, height: int
) -> None:
    bench = player(game)
    screen = bench.screen(width, height)
    assert all(f"○ {area}" in screen for area in bench.bench.world.panel.areas)
