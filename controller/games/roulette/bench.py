"""Roulette on the bench: its people, the demonstration, the page's first round and keys."""

from collections.abc import Callable
from typing import Any

from controller.bench.dealer import Dealer
from controller.bench.demo import Demonstration
from controller.bench.keys import Binding, Choice, KeyAction, Menu
from controller.bench.live import LiveBench
from controller.bench.oracle import Announcement
from controller.bench.registry import Acts, BenchGame, GameGuide, GuideStep, keyed
from controller.bench.rig import Rig
from controller.events.event import Direction
from controller.games.roulette.rules import REVOLUTIONS, in_words

_WEAK, _WITH_ROTOR, _OUT, _LATE = 0.03, 0.01, 0.01, 0.02
"""The share of spins that are weak, with the rotor, or leave the wheel, and of late calls of no more bets."""
_TRIALS = 3
"""After this many trial spins that are not detected, the floorperson refuses the wheel."""


PRESSES = {
    **dict.fromkeys(("ball-running", "late-call"), "no-more-bets"),
    **dict.fromkeys(("result", "losers-collected"), "done"),
    **dict.fromkeys(("work-witness", "winners-paid"), "clear"),
}


class RouletteHands:
    """Dealer and floorperson at a roulette wheel."""

    def __init__(self, dealer: Dealer) -> None:
        self._dealer, self._rig = dealer, dealer.rig
        self._trials = 0
        """Trial spins of this inspection that the table did not detect."""
        self._against = False
        """All saw the last ball run against the rotor, which turns still."""

    def acts(self) -> Acts:
        """What to do in each state."""
        floor = self._rig.floor
        return {
            "closed": lambda: floor("inspect"),
            "inspecting": self._inspect,
            "bets-open": self._spin,
            "respin": lambda: floor("close") if self._doubted else self._spin(),
            "no-more-bets": self._wait,
            "entry": self._enter,
            "dispute": floor,
            "deciding": self._key_or_no_spin,
        }

    @property
    def _doubted(self) -> bool:
        """The screen has named the same doubt twice, and all saw that it was not so: inspect the table anew."""
        return self._against and len(self._rig.machine.data.doubts) > 1

    def _inspect(self) -> None:
        if not self._rig.machine.offers()[0].unavailable:
            self._trials = 0
            self._rig.floor()
        elif self._trials < _TRIALS:
            self._trials += 1
            self._turn_rotor()
            self._rig.throw_ball(7)
        else:  # The sensors do not detect the ball: the inspection is not passed, and they are repaired.
            self._trials = 0
            self._rig.floor("refuse")
            self._dealer.repair()

    def _turn_rotor(self) -> None:
        rng = self._dealer.rng
        self._rig.turn_rotor(rng.uniform(0.35, 0.5), rng.choice(list(Direction)), rng.uniform(2, 5))

    def _spin(self) -> None:
        """Throw the ball, usually well, and call no more bets while it runs."""
        rng, rig = self._dealer.rng, self._rig
        before, voids = rig.state, self._dealer.witness.tally.voids.total()
        self._dealer.throws()
        self._turn_rotor()
        turns = rng.uniform(2.5, 5) if self._happens(_WEAK) else rng.uniform(8, 13)
        out = rng.uniform(0.3, 1.2) * turns if self._happens(_OUT) else None
        rig.throw_ball(turns, with_rotor=self._happens(_WITH_ROTOR), leaves_after=out, rest=False)
        self._dealer.thrown()
        rotor = rig.world.rotor
        assert rotor.ball is not None
        rig.wait((rotor.ball.leaves_ns - rig.clock.now_ns()) / 1e9 * rng.uniform(0.35, 0.7))
        if rig.state.value == "ball-running" and not self._happens(_LATE):
            rig.press("no-more-bets")
        rig.ball_rest()
        self._dealer.rested()
        self._against = rotor.ball is not None and rotor.ball.against and rotor.rotor_direction != 0
        if rig.state is before and self._dealer.witness.tally.voids.total() == voids:  # It did not detect the ball.
            rig.press("no-spin", "5")

    def _happens(self, rate: float) -> bool:
        return self._dealer.rng.random() < rate * self._dealer.careless

    def _wait(self) -> None:
        self._rig.ball_rest()
        self._rig.wait(5)

    def _enter(self) -> None:
        if self._rig.machine.data.keyed or self._rig.config.rules.get("result") == "reader":
            self._rig.wait(5)  # Wait for the reader.
        else:
            self._key_or_no_spin()

    def _key_or_no_spin(self) -> None:
        data, ball = self._rig.machine.data, self._rig.world.rotor.ball
        # If the ball is gone before a correction, the settled result is entered again.
        entry, pocket = data.entry, (ball.pocket if ball is not None else "") or data.corrects
        if not pocket:
            self._rig.press("no-spin", "1", "floor-key")  # The ball is not in the wheel.
        elif entry == pocket:
            self._rig.press("enter")
        elif not pocket.startswith(entry):
            self._rig.press("clear")
        else:
            self._rig.press(*pocket[len(entry) :])
            if self._rig.machine.data.entry != pocket:
                self._dealer.free_keys()


def wrong_pocket(result: Announcement, rig: Rig, truth: str) -> str:
    """The ball is not in the pocket of the result, or it got there without a valid spin."""
    ball = rig.world.rotor.ball
    if ball is None or ball.pocket != result.label.partition(",")[0]:
        return f"the ball lies in {(ball and ball.pocket) or 'no pocket'}"
    if not ball.against and len(rig.world.rotor.beams) > 1:
        return "it ran with the rotor"
    return "" if ball.revolutions >= REVOLUTIONS else f"it made {ball.revolutions} revolutions"


# -- the demonstration -----------------------------------------------------------------------------------------


def _thrown(*acts: str, clockwise: bool = True, **how: Any) -> Callable[[Demonstration], None]:
    """A throw of the ball, and what people do while it runs."""
    way = Direction.CLOCKWISE if clockwise else Direction.COUNTERCLOCKWISE

    def scene(table: Demonstration) -> None:
        table.turn_rotor(table.random.uniform(0.35, 0.45), way)
        table.throw_ball(**{"turns": table.random.uniform(8, 11), **how}, rest=False)
        table.wait(5)
        for keys in acts:
            table.do(keys)
        if "no-spin" in " ".join(acts) or how.get("with_rotor"):
            table.take_ball()
        table.ball_rest()

    return scene


def _disputed(table: Demonstration) -> None:
    """Reader and dealer disagree; without a reader, the dealer keys a wrong number and corrects it."""
    if table.config.devices.reader is not None:
        table.technician("turns the reader a pocket too far", "reader-astray", amount=1)
        table.follow("deciding")
        table.technician("checks the reader")
        return
    table.follow("entry")
    table.do("3 enter, correct, floor-key")


def _beam_dies(table: Demonstration) -> None:
    table.turn_rotor()
    table.throw_ball(15.0, rest=False)
    table.wait(5)
    table.technician("covers a beam", "stuck-high", "ball_1")
    table.press("no-more-bets")
    table.ball_rest()
    table.technician("uncovers it")


def _cuts(table: Demonstration) -> None:
    _thrown("power-cut")(table)
    table.follow("result")
    table.power_cut()


SCENES = (
    ("", _thrown("no-more-bets")),
    ("the wheel may turn either way, the ball against it", _thrown("no-more-bets", clockwise=False)),
    ("fewer than four revolutions are no spin", _thrown(turns=3.2)),
    ("the ball is thrown in the direction of the wheel", _thrown(with_rotor=True)),
    ("the ball leaves the wheel", _thrown(turns=14.0, leaves_after=7.0)),
    ("a chip falls into the wheel", _thrown("no-more-bets", "no-spin 2")),
    ("no more bets is called when the ball has left the track: recorded, not void", _thrown()),
    ("the number is disputed or wrong: the floorperson looks", _disputed),
    ("a beam dies while the ball runs: the table locks", _beam_dies),
    ("the power goes while the ball runs, and again while the result is lit", _cuts),
)


# -- the first round on the page -------------------------------------------------------------------------------


def _throw_it(bench: LiveBench, words: str) -> GuideStep:
    if not bench.world.rotor.rotor_direction:
        return GuideStep(f"{words} First set the wheel turning.", key="r")
    return GuideStep(f"{words} Throw the ball against the turning wheel.", key="t")


def _inspect(bench: LiveBench) -> GuideStep:
    if bench.table.machine.offers()[0].unavailable:
        ball = bench.world.rotor.ball
        if ball is not None and not ball.pocket:
            return GuideStep("The sensors follow the ball. Wait until the table shows the trial spin.")
        return _throw_it(bench, "A trial spin shows whether the sensors see ball and wheel.")
    return GuideStep(
        "The floorperson checks what the line above says, turns the key and presses enter.", "floor-key"
    )


def _enter(bench: LiveBench) -> GuideStep:
    ball, data = bench.world.rotor.ball, bench.table.machine.data
    if ball is None or not ball.pocket:
        return GuideStep("The ball comes to rest. Wait.")
    if data.keyed:
        return GuideStep("The wheel reader looks where the ball lies. Wait until both agree.")
    words = f"The ball lies in {ball.pocket}. The dealer announces it, and keys it, then enter."
    return keyed(words, (*ball.pocket, "enter"), len(data.entry))


GUIDE = GameGuide(
    {
        "closed": GuideStep(control="floor-key"),
        "inspecting": _inspect,
        "bets-open": lambda bench: _throw_it(bench, "Wagers are open, and stay open while the ball is thrown."),
        "respin": lambda bench: _throw_it(bench, "That spin does not count. The first line has the reason."),
        "no-more-bets": "The ball must make four revolutions. Press nothing until it rests.",
        "entry": _enter,
    },
    "Now make it go wrong: throw the ball weakly or with the wheel, call no spin, key another number than the ball "
    "lies in, break a ball sensor.",
    inspection=("closed", "inspecting"),
)


# -- the keys of the page --------------------------------------------------------------------------------------

_WELL, _WEAKLY, _FLIES_OFF = (8.0, 12.0), (2.5, 3.8), (2.5, 4.0)
"""The approximate turns of a throw, and the turns after which a fast ball leaves the wheel."""


def _push(direction: Direction, **how: float) -> KeyAction:
    return lambda bench: bench.push_rotor(direction=direction, **how)


def _throw(turns: tuple[float, float], into: str = "", with_rotor: bool = False, off: bool = False) -> KeyAction:
    def throw(bench: LiveBench) -> None:
        leaves_after = bench.random.uniform(*_FLIES_OFF) if off else None
        bench.throw_ball(bench.random.uniform(*turns), into, with_rotor, leaves_after)

    return throw


def _choose_pocket(bench: LiveBench) -> Menu:
    pockets = sorted(bench.world.rotor.pockets, key=lambda pocket: (int(pocket), pocket))
    choices = (Choice(in_words(pocket), _throw(_WELL, into=pocket)) for pocket in pockets)
    return Menu("throw the ball into which pocket?", tuple(choices))


KEYS = (
    Binding("r", "turn the rotor", _push(Direction.COUNTERCLOCKWISE), _push(Direction.CLOCKWISE)),
    Binding("h", "hold the rotor", _push(Direction.CLOCKWISE, speed_rev_s=0.0)),
    Binding("t", "throw the ball, 8 to 12 turns", _throw(_WELL), _throw(_WELL, with_rotor=True)),
    Binding("w", "throw weakly, 2.5 to 3.8 turns", _throw(_WEAKLY)),
    Binding("s", "throw it into a pocket", _choose_pocket),
    Binding("o", "throw it so that it flies off", _throw(_WELL, off=True)),
    Binding("g", "take the ball out", LiveBench.take_ball),
)
BENCH = BenchGame(PRESSES, lambda dealer: RouletteHands(dealer).acts(), wrong_pocket, SCENES, GUIDE, KEYS)
