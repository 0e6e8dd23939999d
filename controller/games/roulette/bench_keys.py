"""The keys of the bench's page at a roulette wheel: the rotor and the ball."""

from controller.bench.keys import LETTERS, Binding, Choice, KeyAction, Menu, does
from controller.bench.live import LiveBench
from controller.games.roulette.layout import Pocket
from controller.games.roulette.play import in_words
from controller.tracking.motion import direction_of

ROTOR_REV_S = 0.4
"""The speed to which the rotor is set."""
WELL, WEAKLY, FLIES_OFF = (8.0, 12.0), (2.5, 3.8), (2.5, 4.0)
"""The approximate turns of a throw, and the turns after which a fast ball leaves the wheel."""


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
KEYS = (
    Binding("r", "rotor", "turn the rotor", _push(ROTOR_REV_S, 1), _push(ROTOR_REV_S, -1)),
    Binding("h", "hold", "hold the rotor", _push(0.0, 1)),
    Binding("t", "throw", "throw the ball, 8 to 12 turns", _GOOD, _WRONG),
    Binding("w", "weak", "throw weakly, 2.5 to 3.8 turns", _throw("weak throw", WEAKLY)),
    Binding("s", "pocket", "throw it into a pocket", _choose_pocket),
    Binding("o", "off wheel", "throw it so that it flies off", _throw("throw off the wheel", WELL, off=True)),
    Binding("g", "take ball", "take the ball out", does(_take)),
)
