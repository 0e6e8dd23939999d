"""The view of a game with a clapper wheel: the rim under the clapper, and the position that the table measures."""

import math
from collections.abc import Callable
from dataclasses import dataclass

from rich.text import Text

from controller.bench.clapper_words import clapper_words
from controller.bench.live import LiveBench
from controller.bench.technician_menu import technician_menu
from controller.bench.terminal.keys import LETTERS, Binding, Choice, KeyAction, Menu, does
from controller.bench.terminal.view import BoardInput, GameBoard, Lamp, Signs, View, ViewPart, lamp_text, lamps_of
from controller.events.event import Direction, WheelRested
from controller.events.text import revolutions
from controller.games.clapper_wheel.rules import REVOLUTIONS
from controller.tracking.clapper_wheel.wheel import WheelTracker

COLOURS = (
    "bold #000000 on #f2c230",
    "bold #ffffff on #2f6fd6",
    "bold #ffffff on #8e44ad",
    "bold #ffffff on #2e8b4f",
    "bold #000000 on #e67e22",
    "bold #ffffff on #c0392b",
    "bold #000000 on #3fc1c9",
)
"""A colour for each kind of section, in the order of the layout."""
OTHER = "bold #000000 on #d8d8d8"
"""Sections that take no wagers."""
PEG = "bold #ffffff on #303030"
NUDGE_DEG_S = 20.0
RUB_NM, RUB_S = 1.0, 1.0
_LONGEST = 7
_APART_COUNTS = 3
"""A larger difference between the table's position and the true one is marked."""


@dataclass(frozen=True, slots=True)
class RimSection:
    """A section of the wheel."""

    label: str
    style: str


@dataclass(frozen=True, slots=True)
class WheelBoard:
    """The wheel at a moment."""

    sections: tuple[RimSection, ...]
    counts_per_turn: int
    x: float
    """The true position of the wheel, in sections along the rim."""
    stands_on: int
    """The true section at the clapper."""
    bent: bool
    """Whether a peg bends the clapper."""
    leather: str
    """Why the wheel rests here, or how it turns."""
    position: int | None
    """The position that the table measures, in counts; None if unknown."""
    moving: bool
    turning: Direction | None
    travel_counts: int
    rested: WheelRested | None
    lamps: tuple[Lamp, ...]

    def top(self, width: int, tall: bool, signs: Signs) -> list[ViewPart]:
        cell = self._cell(width)
        strip = self._strip(width, cell, signs, labels=True)
        blank = [self._strip(width, cell, signs, labels=False)] if tall else []
        marker = Text(" " * (width // 2) + signs.marker, style="bold red" if self.bent else "bold", no_wrap=True)
        believed = self._believed(width, cell, signs)
        leather = Text(self.leather, style="bold" if self.bent else "", no_wrap=True)
        rows = (marker, *blank, strip, *blank, believed, self._movement(), leather, self._place(signs))
        return [ViewPart("wheel", rows)]

    def side(self, signs: Signs) -> ViewPart:
        label = max(len(lamp.label) for lamp in self.lamps)
        pays = max(len(lamp.pays) for lamp in self.lamps)
        width = label + pays + 5
        rows = (lamp_text(lamp, f" {lamp.label:<{label}}  {lamp.pays}", width, signs) for lamp in self.lamps)
        return ViewPart("layout", tuple(rows), width)

    # -- the rim -------------------------------------------------------------------------------------------

    def _cell(self, width: int) -> int:
        """Columns of a section, its peg included."""
        longest = max(len(section.label) for section in self.sections)
        return max(longest + 3, min(9, width // 13))

    def _strip(self, width: int, cell: int, signs: Signs, labels: bool) -> Text:
        """The rim at the clapper, in the order of the sections; pegs between them."""
        first = math.floor(self.x * cell) - width // 2
        strip = Text(no_wrap=True)
        for column in range(first // cell, (first + width) // cell + 1):
            section = self.sections[column % len(self.sections)]
            strip.append(signs.peg, PEG)
            strip.append((section.label if labels else "").center(cell - 1), section.style)
        before = first - first // cell * cell
        return strip[before : before + width]

    def _believed(self, width: int, cell: int, signs: Signs) -> Text:
        """A mark under the clapper's position as the table measures it."""
        if self.position is None:
            return Text("position unknown".center(width), style="bold yellow", no_wrap=True)
        turn = len(self.sections)
        believed = (self.position + 0.5) * turn / self.counts_per_turn
        apart = (believed - self.x + turn / 2) % turn - turn / 2
        column = width // 2 + math.floor((self.x + apart) * cell) - math.floor(self.x * cell)
        sign = signs.left if column < 0 else signs.right if column >= width else signs.believed
        return Text(" " * min(max(column, 0), width - 1) + sign, style="bold cyan", no_wrap=True)

    # -- texts ---------------------------------------------------------------------------------------------

    def _movement(self) -> Text:
        if self.moving:
            turned = revolutions(self.travel_counts, self.counts_per_turn)
            way = f"turning {self.turning.value}" if self.turning else "moving"
            return Text(f"{way}: {turned} of {REVOLUTIONS} revolutions", style="bold", no_wrap=True)
        where = "at rest on a peg" if self.bent else "at rest"
        if self.rested is None:
            return Text(where, no_wrap=True)
        turned = revolutions(self.rested.travel_counts, self.rested.counts_per_turn)
        way = f", {self.rested.direction.value}" if self.rested.direction else ""
        return Text(f"{where}; last: {turned} of {REVOLUTIONS} revolutions{way}", no_wrap=True)

    def _place(self, signs: Signs) -> Text:
        turn = self.counts_per_turn
        true = math.floor(self.x * turn / len(self.sections)) % turn
        row = Text(no_wrap=True)
        if self.position is None:
            row.append(f"{signs.believed} table: position unknown", "yellow")
        else:
            apart = (self.position - true + turn // 2) % turn - turn // 2
            section = self.position * len(self.sections) // turn
            style = "cyan" if abs(apart) <= _APART_COUNTS else "bold red"
            row.append(f"{signs.believed} table: {self._at(self.position, section)}", style)
        return row.append(f"   {signs.marker} true: {self._at(true, self.stands_on)}")

    def _at(self, count: int, section: int) -> str:
        return f"{count:>4} counts, section {section + 1:>2} ({self.sections[section].label})"


def _board(scene: BoardInput) -> GameBoard:
    wheel, tracker = scene.world.wheel, scene.table.tracker
    assert scene.config.wheel is not None
    assert isinstance(tracker, WheelTracker | None)
    stands_on, bent = wheel.true_stand()
    return WheelBoard(
        sections=_sections(scene),
        counts_per_turn=scene.config.wheel.counts_per_turn,
        x=wheel.x,
        stands_on=stands_on,
        bent=bent,
        leather=clapper_words(wheel, scene.game.wheel),
        position=tracker.position if tracker else None,
        moving=tracker is not None and tracker.due_ns is not None,
        turning=scene.watch.turning,
        travel_counts=tracker.travel_counts if tracker else 0,
        rested=scene.watch.rested,
        lamps=lamps_of(scene),
    )


def _sections(scene: BoardInput) -> tuple[RimSection, ...]:
    symbols = scene.config.layout.symbols
    colours = dict(zip(scene.game.areas, COLOURS, strict=False))
    return tuple(
        RimSection(symbols.get(name, name)[:_LONGEST], colours.get(name, OTHER)) for name in scene.game.wheel
    )


# -- keys ----------------------------------------------------------------------------------------------------------


def _ways(key: str, short: str, long: str, act: Callable[[Direction], KeyAction]) -> Binding:
    """A key for counterclockwise, and its capital for clockwise."""
    return Binding(key, short, long, act(Direction.COUNTERCLOCKWISE), act(Direction.CLOCKWISE))


def _throw(hard: bool) -> Callable[[Direction], KeyAction]:
    return lambda direction: does(lambda bench: bench.throw(hard, direction))


def _stop_on_peg(direction: Direction) -> KeyAction:
    return does(lambda bench: bench.stop_on_peg(direction))


def _nudge(direction: Direction) -> KeyAction:
    speed = NUDGE_DEG_S if direction is Direction.COUNTERCLOCKWISE else -NUDGE_DEG_S
    return does(lambda bench: bench.push(speed))


def _turn_by_hand(direction: Direction) -> KeyAction:
    return does(lambda bench: bench.turn_by_hand(direction))


def _choose_section(direction: Direction) -> KeyAction:
    def stop_on(section: str) -> KeyAction:
        return does(lambda bench: bench.stop_on(section, direction))

    def ask(bench: LiveBench) -> Menu:
        names = dict.fromkeys((*bench.game.areas, *bench.game.wheel))
        choices = (Choice(name, stop_on(name)) for name in names if name in bench.game.wheel)
        return Menu(f"stop on which section, {direction.value}?", tuple(choices), LETTERS)

    return ask


VIEW = View(
    _board,
    (
        _ways("t", "throw", "throw hard, 4 to 5 turns", _throw(True)),
        _ways("w", "weak", "throw weakly, 1.5 to 2.5 turns", _throw(False)),
        _ways("b", "on a peg", "throw it to stop on a peg", _stop_on_peg),
        _ways("s", "section", "throw it to stop on a section", _choose_section),
        _ways("h", "by hand", "turn by hand, just over once", _turn_by_hand),
        Binding("g", "grab", "grab the wheel and hold it", does(LiveBench.grab)),
        Binding("l", "let go", "let the wheel go", does(LiveBench.let_go)),
        _ways("u", "", "nudge the wheel", _nudge),
        Binding("r", "", "rub on the rim for a second", does(lambda bench: bench.brake(RUB_NM, RUB_S))),
        Binding("v", "technician", "another wheel, wear, bent pegs", technician_menu),
    ),
    "a capital letter turns the wheel clockwise",
)
