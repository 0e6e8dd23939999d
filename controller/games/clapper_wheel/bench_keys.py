"""The keys of the bench's page at a wheel with a clapper: throws, hands, the technician's menu."""

from collections.abc import Callable

from controller.bench.keys import LETTERS, Binding, Choice, KeyAction, Menu, does
from controller.bench.live import LiveBench
from controller.bench.technician_menu import technician_menu
from controller.events.event import Direction

NUDGE_DEG_S = 20.0
RUB_NM, RUB_S = 1.0, 1.0


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


KEYS = (
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
)
