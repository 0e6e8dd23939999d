"""Draws ``docs/bench.svg``: the terminal bench through a bonus round, as a moving picture. Run by ``make docs``.

It is drawn by the bench's own code from a table on virtual time, so it is the same on every machine.
"""

import io
import re
from collections.abc import Callable
from pathlib import Path

from rich.console import Console
from rich.terminal_theme import MONOKAI

from controller.bench.live import LiveBench
from controller.bench.terminal.frame import bench_frame, keyboard_of
from controller.bench.terminal.keys import BenchKeys
from controller.bench.terminal.screen import draw
from controller.bench.terminal.view import SIGNS
from controller.configuration.shipped import load_table, table_path
from controller.events.event import Direction
from hal.mock.clock import VirtualClock
from tools.moving_picture import moving

WIDTH, HEIGHT = 100, 30
PICTURE = Path(__file__).parents[1] / "docs" / "bench.svg"
_SPIN_S, _PRESS_S = 25.0, 1.0
_STEPS = 10
"""Pictures of a spin."""
_STEP_SHOWN_S, _STATE_SHOWN_S, _END_SHOWN_S = 0.3, 1.4, 4.0
Show = Callable[[float], None]
"""Takes a picture of the bench as it is, which is shown for so many seconds."""


def picture() -> str:
    """The moving picture as SVG."""
    clock = VirtualClock()
    bench = LiveBench(load_table(table_path("dreamcatcher")).config, seed=4, clock=clock)
    keyboard = keyboard_of(bench)
    taken: list[str] = []
    seconds: list[float] = []

    def show(shown_s: float) -> None:
        taken.append(_drawn(bench, keyboard))
        seconds.append(shown_s)

    _play(bench, clock, show)
    bench.close()
    return moving(taken, seconds)


def _drawn(bench: LiveBench, keyboard: BenchKeys) -> str:
    """The bench as it is now, as SVG."""
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
    # No fonts from other servers: every reader has a monospaced one.
    svg = console.export_svg(title="table-controller bench", theme=MONOKAI, unique_id="bench")
    svg = re.sub(r"@font-face \{.*?\}\n", "", svg, flags=re.DOTALL)
    return re.sub(r"Fira Code, ?", "DejaVu Sans Mono, Menlo, Consolas, ", svg)


def _play(bench: LiveBench, clock: VirtualClock, show: Show) -> None:
    """A round and a void spin, unseen; then a bonus round up to its result."""

    def wait(seconds: float) -> None:
        clock.advance_to(clock.now_ns() + int(seconds * 1e9))

    def press(*controls: str) -> None:
        for control in controls:
            bench.press(control)
            wait(_PRESS_S)

    def stop_on(section: str, direction: Direction, seen: bool = False) -> None:
        bench.stop_on(section, direction)
        for _ in range(_STEPS):
            wait(_SPIN_S / _STEPS)
            if seen:
                show(_STEP_SHOWN_S)

    there = Direction.COUNTERCLOCKWISE
    bench.turn_by_hand(there)
    wait(10)
    for section in ("1", "5", "2", "20"):
        press("no-more-bets")
        stop_on(section, there)
        press("done", "done", "clear")
    show(_STATE_SHOWN_S)
    press("no-more-bets")
    show(_STATE_SHOWN_S)
    bench.throw(False, there)
    wait(_SPIN_S)
    show(_STATE_SHOWN_S)
    stop_on("2x", there, seen=True)
    show(_STATE_SHOWN_S)
    stop_on("10", Direction.CLOCKWISE, seen=True)
    show(_END_SHOWN_S)


if __name__ == "__main__":
    PICTURE.write_text(picture(), encoding="utf-8")
    print(f"{PICTURE} written")
