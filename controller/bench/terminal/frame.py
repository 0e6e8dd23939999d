"""A frame: a frozen snapshot of everything that the bench's screen shows, taken from a table and its hardware.

The screen is drawn from a frame alone (:mod:`controller.bench.terminal.screen`), so the live bench, the tests and
the picture in the documentation draw the same.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from controller.bench.fault_menu import FAULTS_KEY
from controller.bench.live import LiveBench
from controller.bench.terminal.history import ListedResult, LogLine
from controller.bench.terminal.keys import BenchKeys, Hint, MenuPage
from controller.bench.terminal.registry import view_of
from controller.bench.terminal.view import BoardInput, GameBoard
from controller.events.text import plain
from controller.statechart.menu import MenuEntry


@dataclass(frozen=True, slots=True)
class Frame:
    """What the screen shows. Equal frames look the same."""

    table: str
    game: str
    round: int
    entries: int
    """Entries of the journal."""
    state: str
    """In capital letters."""
    next: str
    """What the table waits for."""
    board: GameBoard
    results: tuple[ListedResult, ...]
    log: tuple[LogLine, ...]
    choices: tuple[MenuEntry, ...] = ()
    """The table's own menu."""
    faults: tuple[str, ...] = ()
    hints: tuple[Hint, ...] = ()
    menu: MenuPage | None = None
    help: bool = False
    notice: str = ""
    note: str = ""
    """The line below the keys in the help."""


def frame_of(scene: BoardInput, faults: Sequence[str] = (), powered: bool = True) -> Frame:
    """A frame of a table, without keys."""
    table, machine = scene.table, scene.table.machine
    state, waits = plain(machine.state.value).upper(), machine.waiting_for()
    if table.halted:
        state, waits = "HALTED", f"the table has halted: {table.halted}"
    if not powered:
        state, waits = "POWER OFF", "the power is off"
    return Frame(
        table=scene.config.table,
        game=scene.game.title,
        round=machine.round,
        entries=len(table.journal),
        state=state,
        next=waits,
        board=view_of(scene.game).board(scene),
        results=tuple(scene.watch.results),
        log=tuple(scene.watch.log),
        choices=machine.menu() if powered and not table.halted else (),
        faults=tuple(faults),
    )


def bench_frame(bench: LiveBench, keyboard: BenchKeys) -> Frame:
    """A frame of the bench with its keys, its open menu, its help."""
    bench.poll()
    scene = BoardInput(bench.config, bench.game, bench.table, bench.world, bench.watch)
    return replace(
        frame_of(scene, bench.faults, bench.powered),
        hints=keyboard.hints,
        menu=keyboard.menu,
        help=keyboard.help,
        notice=keyboard.notice,
        note=view_of(bench.game).note,
    )


def keyboard_of(bench: LiveBench) -> BenchKeys:
    """The keys of a bench: its view's, the fault menu's, and those of every table."""
    return BenchKeys(bench, (*view_of(bench.game).bindings, FAULTS_KEY))
