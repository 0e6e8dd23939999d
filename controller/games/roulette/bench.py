"""Roulette at its simulated table: the hands of dealer and floorperson, and whether a result is true."""

from typing import TYPE_CHECKING

from controller.bench.dealer import Dealer
from controller.bench.oracle import Announcement
from controller.bench.registry import Acts, BenchGame
from controller.bench.rig import Rig
from controller.events.event import Direction
from controller.games.roulette.demo import play
from controller.games.roulette.play import REVOLUTIONS, TRIAL_STEP

if TYPE_CHECKING:
    from controller.bench.terminal.view import View

_WEAK, _WITH_ROTOR, _OUT, _LATE = 0.03, 0.01, 0.01, 0.02
"""How often the ball is thrown weakly, with the rotor, or leaves the wheel, and no more bets is called late."""
_TRIALS = 3
"""So many trial spins that are not seen, and the floorperson refuses the wheel."""


class RouletteHands:
    """Dealer and floorperson at a roulette wheel."""

    def __init__(self, dealer: Dealer) -> None:
        self._dealer = dealer
        self._rig = dealer.rig
        self._trials = 0
        """Trial spins of this inspection that the table did not see."""

    def acts(self) -> Acts:
        """What to do in each state."""
        press = self._rig.press
        return {
            "closed": self._dealer.open,
            "floor-menu": lambda: press("1" if self._rig.machine.data.back.value == "closed" else "clear"),
            **dict.fromkeys(("work", "work-part", "work-signature"), lambda: press("clear")),
            **dict.fromkeys(("work-credential", "work-witness"), lambda: press("clear")),
            "inspector": lambda: press(*(["enter"] if self._rig.machine.data.number else "4711")),
            "inspecting": self._inspect,
            "bets-open": self._spin,
            "respin": self._spin,
            **dict.fromkeys(("ball-running", "late-call"), lambda: press("no-more-bets")),
            "no-more-bets": self._wait,
            "entry": self._enter,
            "dispute": lambda: press("floor-key"),
            "deciding": self._key_or_no_spin,
            "no-spin": lambda: press("1" if self._rig.world.rotor.ball else "5"),
            **dict.fromkeys(("result", "losers-collected"), lambda: press("done")),
            "winners-paid": lambda: press("clear"),
            "correcting": lambda: press("floor-key"),
            "locked": self._dealer.unlock,
        }

    def _inspect(self) -> None:
        data = self._rig.machine.data
        if data.step != TRIAL_STEP or data.trial:
            self._trials = 0
            self._rig.press("floor-key")
        elif self._trials < _TRIALS:
            self._trials += 1
            self._turn_rotor()
            self._rig.throw_ball(7)
        else:  # The sensors do not see the ball: the inspection is not passed.
            self._trials = 0
            self._rig.press("clear")

    def _turn_rotor(self) -> None:
        rng = self._dealer.rng
        self._rig.turn_rotor(rng.uniform(0.35, 0.5), rng.choice(list(Direction)), rng.uniform(2, 5))

    def _spin(self) -> None:
        """Throw the ball, mostly well, and call no more bets while it runs."""
        rng, rig = self._dealer.rng, self._rig
        before, voids = rig.state, self._dealer.witness.tally.voids.total()
        self._dealer.throws()
        self._turn_rotor()
        turns = rng.uniform(2.5, 5) if self._happens(_WEAK) else rng.uniform(8, 13)
        out = rng.uniform(0.3, 1.2) * turns if self._happens(_OUT) else None
        rig.throw_ball(turns, with_rotor=self._happens(_WITH_ROTOR), leaves_after=out, rest=False)
        self._dealer.thrown()
        ball = rig.world.rotor.ball
        assert ball is not None
        running_s = (ball.leaves_ns - rig.clock.now_ns()) / 1e9
        rig.wait(running_s * rng.uniform(0.35, 0.7))
        if rig.state.value == "ball-running" and not self._happens(_LATE):
            rig.press("no-more-bets")
        rig.ball_rest()
        self._dealer.rested()
        if rig.state is before and self._dealer.witness.tally.voids.total() == voids:  # It has not seen the ball.
            rig.press("no-spin", "5")

    def _happens(self, rate: float) -> bool:
        return self._dealer.rng.random() < rate * self._dealer.careless

    def _wait(self) -> None:
        self._rig.ball_rest()
        self._rig.wait(5)

    @property
    def _pocket(self) -> str:
        """Where the ball truly lies; empty if it lies in no pocket."""
        ball = self._rig.world.rotor.ball
        return ball.pocket if ball is not None else ""

    def _enter(self) -> None:
        data = self._rig.machine.data
        if data.keyed or "enter" not in self._rig.waiting_for:
            self._rig.wait(5)  # For the reader.
        else:
            self._key_or_no_spin()

    def _key_or_no_spin(self) -> None:
        data = self._rig.machine.data
        # A correction for which the ball is gone: what was settled stands.
        entry, pocket = data.entry, self._pocket or data.corrects
        if not pocket:
            self._rig.press("no-spin")
        elif entry == pocket:
            self._rig.press("enter")
        elif not pocket.startswith(entry):
            self._rig.press("clear")
        else:
            self._rig.press(*pocket[len(entry) :])
            if self._rig.machine.data.entry != pocket:
                self._dealer.free_keys()


def lies_elsewhere(said: Announcement, rig: Rig, truth: str) -> str:
    """The ball does not lie where a result says, or it came there by no spin."""
    ball, named = rig.world.rotor.ball, said.label.partition(",")[0]
    if ball is None or ball.pocket != named:
        return f"the ball lies in {(ball and ball.pocket) or 'no pocket'}"
    if not ball.against and len(rig.world.rotor.beams) > 1:
        return "it ran with the rotor"
    return "" if ball.revolutions >= REVOLUTIONS else f"it made {ball.revolutions} revolutions"


def _view() -> "View":
    from controller.games.roulette.terminal import VIEW

    return VIEW


BENCH = BenchGame(lambda dealer: RouletteHands(dealer).acts(), play, _view, lies_elsewhere)
