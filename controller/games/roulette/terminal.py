"""The view of a roulette table: the true rotor and ball, the table's view of them, and the layout."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from rich.text import Text

from controller.bench.live import LiveBench
from controller.bench.terminal.keys import LETTERS, Binding, Choice, KeyAction, Menu, does
from controller.bench.terminal.view import BoardInput, GameBoard, Lamp, Signs, View, ViewPart, lamp_text, lamps_of
from controller.games.roulette.layout import COLOURS, Pocket
from controller.games.roulette.play import REVOLUTIONS, RouletteData, in_words
from controller.tracking.motion import direction_of
from controller.tracking.roulette.wheel import RouletteTracker
from hal.mock.rotor import MockRotorHead

SHADES = {"red": "#c0392b", "black": "#202020", "green": "#1d7a3a"}
HOLDS_BALL = "bold #000000 on #ffffff"
TRACK, BEAM, BALL = "on #5c4326", "#ffb080 on #5c4326", "bold #ffffff on #5c4326"
ROTOR_REV_S = 0.4
"""The speed to which the rotor is set."""
WELL, WEAKLY, FLIES_OFF = (8.0, 12.0), (2.5, 3.8), (2.5, 4.0)
"""The approximate turns of a throw, and the turns after which a fast ball leaves the wheel."""
_SENTENCES = 94
"""From this width on there is space for whole sentences."""
_DOZENS = {f"dozen-{n}": f"{nth} 12" for n, nth in enumerate(("1st", "2nd", "3rd"), 1)}
_CHANCES = ("1-18", "even", "red", "black", "odd", "19-36")
_PRINTED = {**_DOZENS, **{f"column-{n}": f"col {n}" for n in (1, 2, 3)}}
"""The texts on areas that do not show their own names."""
_WIDEST = 8
"""The most columns for a number on the layout."""
LayoutRow = Sequence[tuple[str, int]]
"""Areas, each with its number of columns. One without a lamp is blank."""
_BESIDE: tuple[LayoutRow, ...] = (
    (("", 1), ("dozen-1", 8), ("1-18", 7), ("19-36", 7)),
    (("", 1), ("dozen-2", 8), ("even", 7), ("odd", 7)),
    (("", 1), ("dozen-3", 8), ("red", 7), ("black", 7)),
)
"""Dozens and even chances beside the numbers, on a screen that is too low for rows of their own."""


@dataclass(frozen=True, slots=True)
class RouletteBoard:
    """A roulette table at a moment."""

    pockets: tuple[Pocket, ...]
    """Clockwise around the rotor."""
    rotor_angle: float
    """The true angle of the rotor, in turns counterclockwise from ball_1, as are the other angles."""
    beams: tuple[float, ...]
    ball_angle: float | None
    """The true angle of the ball in the track."""
    pocket: Pocket
    """The true pocket of the ball; empty if in none."""
    believed: str
    """The table's view, as text."""
    style: str
    """Its style: doubts and errors are highlighted."""
    true: str
    """The truth, as text."""
    lamps: tuple[Lamp, ...]

    def top(self, width: int, tall: bool, signs: Signs) -> list[ViewPart]:
        wheel, felt = self._wheel(width, tall, signs), self._felt(width, tall, signs)
        if tall:
            return [ViewPart("wheel", tuple(wheel)), ViewPart("layout", tuple(felt))]
        # On a low screen the help needs the rows of a second frame.
        return [ViewPart("wheel and layout", (*wheel, *felt))]

    def side(self, signs: Signs) -> ViewPart | None:
        return None

    # -- the wheel once around: ball_1 in the middle, clockwise to the right ---------------------------------

    def _wheel(self, width: int, tall: bool, signs: Signs) -> list[Text]:
        cell = max(2, width // len(self.pockets))
        strips = (self._strip(cell, tall, row) for row in range(1 + tall))
        words = _words(f"table: {self.believed}", self.style, width), _words(f"true:  {self.true}", "", width)
        return [*_centred([self._track(cell, signs), *strips], width), *words]

    def _track(self, cell: int, signs: Signs) -> Text:
        """The beams across the track, and the ball: in the track, or above its pocket."""
        turn = cell * len(self.pockets)
        marks: list[tuple[float, str, str]] = []
        for number, beam in enumerate(self.beams, 1):
            marks += [(-beam * turn, signs.peg, BEAM), (-beam * turn + 1, str(number), BEAM)]
        if self.ball_angle is not None:
            marks.append((-self.ball_angle * turn, signs.lit, BALL))
        elif self.pocket:
            place = self.pockets.index(self.pocket) * cell + cell // 2
            marks.append((place - math.floor(self.rotor_angle * turn), signs.marker, BALL))
        row = [(" ", TRACK)] * turn
        for apart, sign, style in marks:
            row[(turn // 2 + math.floor(apart)) % turn] = (sign, style)
        return Text.assemble(*row, no_wrap=True)

    def _strip(self, cell: int, tall: bool, row: int) -> Text:
        """The pockets at their true angles. Narrow neighbours show their numbers in different rows."""
        turn, by_turns = cell * len(self.pockets), tall and cell < 3
        first = math.floor(self.rotor_angle * turn) - turn // 2
        strip = Text(no_wrap=True)
        for i in range(first // cell, (first + turn) // cell + 1):
            place = i % len(self.pockets)
            pocket = self.pockets[place]
            label = pocket if row == (place % 2 if by_turns else 0) else ""
            style = HOLDS_BALL if pocket == self.pocket else f"bold #ffffff on {SHADES[COLOURS[pocket]]}"
            strip.append(label.rjust(2).center(cell), style)
        return strip[first % cell : first % cell + turn]

    # -- the layout --------------------------------------------------------------------------------------------

    def _felt(self, width: int, tall: bool, signs: Signs) -> list[Text]:
        """The layout as printed; on a low screen, the boxes below the numbers are shown beside them."""
        # The place of a covered 00 is blank.
        zeros = ("straight-00", "", "straight-0") if "00" in self.pockets else ("", "straight-0", "")
        besides = ((), (), ()) if tall else _BESIDE
        box = min(_WIDEST, (width - 12 - sum(columns for _, columns in besides[0])) // 12)
        rows: list[LayoutRow] = []
        for zero, column, beside in zip(zeros, (3, 2, 1), besides, strict=True):
            numbers = ((f"straight-{number}", box) for number in range(column, 37, 3))
            rows.append(((zero, 4), *numbers, ("", 1), (f"column-{column}", 7), *beside))
        if tall:
            rows += [(("", 4), *((area, 4 * box) for area in _DOZENS))]
            rows += [(("", 4), *((area, 2 * box) for area in _CHANCES))]
        lamps = {lamp.area: lamp for lamp in self.lamps}
        return _centred([_boxes(row, lamps, signs) for row in rows], width)


def _words(words: str, style: str, width: int) -> Text:
    for needless in ("the ", " runs", " turns") if width < _SENTENCES else ():
        words = words.replace(needless, "")
    return Text(words, style=style, no_wrap=True, overflow="ellipsis")


def _boxes(row: LayoutRow, lamps: dict[str, Lamp], signs: Signs) -> Text:
    """A row of areas, a column apart unless they are narrow."""
    text = Text(no_wrap=True)
    for area, columns in row:
        width, label = columns - (columns > 3), _PRINTED.get(area, area.removeprefix("straight-"))
        box = lamp_text(lamps[area], label, width, signs) if area in lamps else Text(" " * width)
        text.append_text(box).append(" " * (columns - width))
    return text


def _centred(rows: Sequence[Text], width: int) -> list[Text]:
    """Rows with a common left margin, centred on the screen."""
    margin = " " * max(0, (width - max(map(len, rows))) // 2)
    return [Text(margin, no_wrap=True).append_text(row) for row in rows]


# -- the table's view, and the truth -------------------------------------------------------------------------------


def _board(scene: BoardInput) -> GameBoard:
    wheel, tracker, data = scene.world.rotor, scene.table.tracker, scene.table.machine.data
    assert isinstance(tracker, RouletteTracker | None)
    assert isinstance(data, RouletteData)
    now_ns = scene.world.clock.now_ns()
    named = tuple(dict.fromkeys(filter(None, (data.reading, data.keyed))))
    pocket = wheel.ball.pocket if wheel.ball is not None else ""
    believed, style = "nothing is known of the wheel", "yellow"
    if tracker is not None:
        believed = _belief(tracker, named, now_ns)
        style = "yellow" if tracker.ball.doubt or tracker.rotor.doubt else "cyan"
        if (pocket and set(named) - {pocket}) or _errs(tracker, wheel, now_ns):
            style = "bold red"
    true = f"{_true_ball(wheel, now_ns)}; {_rotor(wheel.rotor_direction)}"
    angles = wheel.rotor_angle, wheel.beams, wheel.ball_angle
    return RouletteBoard(wheel.pockets, *angles, pocket, believed, style, true, lamps_of(scene))


def _belief(tracker: RouletteTracker, named: tuple[Pocket, ...], now_ns: int) -> str:
    ball, rotor = tracker.ball, tracker.rotor
    words = f"the ball lies in {' or '.join(map(in_words, named))}" if named else "no ball runs"
    if ball.running:
        words = "the ball runs" + (f" {direction_of(ball.direction).value}" if ball.direction else "")
    if ball.doubt:
        words = f"{ball.doubt.sensor} {ball.doubt.health.value}"
    if ball.running:
        words += f", {ball.revolutions} of {REVOLUTIONS} revolutions"
    way = _rotor(rotor.turning(now_ns)) if rotor.direction else "the rotor's direction is not known"
    if rotor.doubt:
        way = f"{rotor.doubt.sensor} {rotor.doubt.health.value}"
    return f"{words}; {way}"


def _errs(tracker: RouletteTracker, wheel: MockRotorHead, now_ns: int) -> bool:
    """Whether the table has a wrong direction. An unknown direction is not an error."""
    runs = wheel.ball.direction if wheel.ball is not None and wheel.ball_angle is not None else 0
    turns = tracker.rotor.turning(now_ns)
    return tracker.ball.direction * runs < 0 or turns * wheel.rotor_direction < 0


def _true_ball(wheel: MockRotorHead, now_ns: int) -> str:
    ball = wheel.ball
    if ball is None or (now_ns >= ball.rests_ns and not ball.pocket):
        return "no ball in the wheel"
    if ball.pocket:
        return f"the ball lies in {in_words(ball.pocket)}, after {ball.revolutions} revolutions"
    return f"the ball runs {direction_of(ball.direction).value}" if now_ns < ball.leaves_ns else "the ball falls"


def _rotor(direction: int) -> str:
    return f"the rotor turns {direction_of(direction).value}" if direction else "the rotor stands"


# -- keys ----------------------------------------------------------------------------------------------------------


def _push(speed_rev_s: float, direction: int) -> KeyAction:
    words = f"turn the rotor {direction_of(direction).value}" if speed_rev_s else "hold the rotor"
    return does(lambda bench: bench.act(words, lambda: bench.world.rotor.push_rotor(speed_rev_s, direction)))


def _throw(
    words: str, turns: tuple[float, float], with_rotor: bool = False, into: Pocket = "", off: bool = False
) -> KeyAction:
    def throw(bench: LiveBench) -> None:
        about = bench.random.uniform(*turns)
        leaves_after = bench.random.uniform(*FLIES_OFF) if off else None
        bench.throw_ball(words, about, with_rotor, into, leaves_after)

    return does(throw)


def _choose_pocket(bench: LiveBench) -> Menu:
    pockets = sorted(bench.world.rotor.pockets, key=lambda pocket: (int(pocket), pocket))
    choices = (Choice(in_words(pocket), _throw(f"throw into {pocket}", WELL, into=pocket)) for pocket in pockets)
    return Menu("throw the ball into which pocket?", tuple(choices), LETTERS)


def _take(bench: LiveBench) -> None:
    bench.act("take the ball out", bench.world.rotor.take_ball)


_GOOD, _WRONG = _throw("throw", WELL), _throw("throw with the rotor", WELL, with_rotor=True)
VIEW = View(
    _board,
    (
        Binding("r", "rotor", "turn the rotor", _push(ROTOR_REV_S, 1), _push(ROTOR_REV_S, -1)),
        Binding("h", "hold", "hold the rotor", _push(0.0, 1)),
        Binding("t", "throw", "throw the ball, 8 to 12 turns", _GOOD, _WRONG),
        Binding("w", "weak", "throw weakly, 2.5 to 3.8 turns", _throw("weak throw", WEAKLY)),
        Binding("s", "pocket", "throw it into a pocket", _choose_pocket),
        Binding("o", "off wheel", "throw it so that it flies off", _throw("throw off the wheel", WELL, off=True)),
        Binding("g", "take ball", "take the ball out", does(_take)),
    ),
    "R: clockwise; T: with the rotor, which is no spin",
)
