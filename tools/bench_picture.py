"""Draws ``docs/bench.svg``: the terminal bench at the end of a bonus round. Run it from the root of the repository.

The picture is drawn by the bench's own code from a table on virtual time, so it is the same on every machine.
"""

import io
import re
from pathlib import Path

from rich.console import Console
from rich.terminal_theme import MONOKAI

from controller.bench.live import LiveBench
from controller.bench.terminal.frame import bench_frame, keyboard_of
from controller.bench.terminal.screen import draw
from controller.bench.terminal.view import SIGNS
from controller.configuration.shipped import load_table, table_path
from controller.events.event import Direction
from hal.mock.clock import VirtualClock

WIDTH, HEIGHT = 100, 30
PICTURE = Path(__file__).parents[1] / "docs" / "bench.svg"
_SPIN_S, _PRESS_S = 25.0, 1.0


def picture() -> str:
    """The picture as SVG."""
    clock = VirtualClock()
    bench = LiveBench(load_table(table_path("dreamcatcher")).config, seed=4, clock=clock)
    _play(bench, clock)
    keyboard = keyboard_of(bench)
    # Colours are forced, whatever the environment.
    console = Console(
        record=True,
        width=WIDTH,
        height=HEIGHT,
        file=io.StringIO(),
        force_terminal=True,
        color_system="truecolor",
        no_color=False,
        legacy_windows=False,
        _environ={},
    )
    console.print(draw(bench_frame(bench, keyboard), WIDTH, HEIGHT, SIGNS), end="")
    bench.close()
    # No fonts from other servers: every reader has a monospaced one.
    svg = console.export_svg(title="table-controller bench", theme=MONOKAI, unique_id="bench")
    svg = re.sub(r"@font-face \{.*?\}\n", "", svg, flags=re.DOTALL)
    return re.sub(r"Fira Code, ?", "DejaVu Sans Mono, Menlo, Consolas, ", svg)


def _play(bench: LiveBench, clock: VirtualClock) -> None:
    """A round, a void spin, and a bonus round up to its result."""

    def wait(seconds: float) -> None:
        clock.advance_to(clock.now_ns() + int(seconds * 1e9))

    def press(*controls: str) -> None:
        for control in controls:
            bench.press(control)
            wait(_PRESS_S)

    def stop_on(section: str, direction: Direction) -> None:
        bench.stop_on(section, direction)
        wait(_SPIN_S)

    there = Direction.COUNTERCLOCKWISE
    bench.turn_by_hand(there)
    wait(10)
    for section in ("1", "5", "2", "20"):
        press("no-more-bets")
        stop_on(section, there)
        press("done", "done", "clear")
    press("no-more-bets")
    bench.throw(False, there)
    wait(_SPIN_S)
    stop_on("2x", there)
    stop_on("10", Direction.CLOCKWISE)


if __name__ == "__main__":
    PICTURE.write_text(picture(), encoding="utf-8")
    print(f"{PICTURE} written")
