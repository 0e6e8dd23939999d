"""A bench on virtual time for the tests: keys in, screens out."""

import io
from pathlib import Path

from rich.cells import cell_len
from rich.console import Console

from config.schema import TableConfig
from controller.bench.live import LiveBench
from controller.bench.terminal.frame import Frame, bench_frame, keyboard_of
from controller.bench.terminal.screen import draw
from controller.bench.terminal.view import SIGNS, Signs
from hal.mock.clock import VirtualClock


def drawn(frame: Frame, width: int, height: int, signs: Signs = SIGNS) -> list[str]:
    """The rows of the screen, without colours."""
    console = Console(width=width, height=height, file=io.StringIO(), force_terminal=True, color_system=None)
    with console.capture() as capture:
        console.print(draw(frame, width, height, signs), end="")
    return capture.get().rstrip("\n").split("\n")


def flat(rows: list[str]) -> str:
    """The rows as one line, so that a wrapped text is found."""
    return " ".join(" ".join(rows).replace("│", " ").split())


def fits(rows: list[str], width: int, height: int) -> bool:
    return len(rows) == height and all(cell_len(row) <= width for row in rows)


class Player:
    """Presses keys on a bench on virtual time, and looks at its screen."""

    def __init__(self, config: TableConfig, journal: Path | None = None) -> None:
        self.clock = VirtualClock()
        self.bench = LiveBench(config, journal, seed=1, clock=self.clock)
        self.keyboard = keyboard_of(self.bench)

    def wait(self, seconds: float) -> None:
        self.clock.advance_to(self.clock.now_ns() + int(seconds * 1e9))

    def press(self, *keys: str, wait_s: float = 0.3) -> None:
        for key in keys:
            self.keyboard.press(key)
            self.wait(wait_s)

    def screen(self, width: int = 100, height: int = 30) -> str:
        return "\n".join(drawn(bench_frame(self.bench, self.keyboard), width, height))

    @property
    def state(self) -> str:
        return str(self.bench.table.machine.state.value)

    def log(self) -> list[str]:
        return [line.text for line in self.bench.watch.log]
