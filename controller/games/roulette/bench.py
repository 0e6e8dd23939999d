"""Roulette on the bench: what its people do in each state, and whether a result is true."""

from controller.bench.dealer import Dealer
from controller.bench.oracle import Announcement
from controller.bench.registry import Acts, BenchGame
from controller.bench.rig import Rig
from controller.events.event import Direction
from controller.games.roulette.bench_keys import KEYS
from controller.games.roulette.demo import play
from controller.games.roulette.play import REVOLUTIONS, TRIAL_STEP

_WEAK, _WITH_ROTOR, _OUT, _LATE = 0.03, 0.01, 0.01, 0.02
"""The share of spins that are weak, with the rotor, or leave the wheel, and of late calls of no more bets."""
_RUNS = ("ball-running", "no-more-bets")
_TRIALS = 3
"""After this many trial spins that are not detected, the floorperson refuses the wheel."""


class RouletteHands:
    """Dealer and floorperson at a roulette wheel."""

    def __init__(self, dealer: Dealer) -> None:
        self._dealer = dealer
        self._rig = dealer.rig
        self._trials = 0
        """Trial spins of this inspection that the table did not detect."""
        self._against = False
        """All saw the last ball run against the rotor, which turns still."""

    def acts(self) -> Acts:
        """What to do in each state."""
        press = self._rig.press
        return {
            "closed": self._dealer.open,
            "floor-menu": lambda: press(self._choice()),
            **dict.fromkeys(("work", "work-part", "work-credential", "work-witness"), lambda: press("clear")),
            "inspector": lambda: press("floor-key"),
            "inspecting": self._inspect,
            "bets-open": self._spin,
            "respin": lambda: press("floor-key") if self._doubted else self._spin(),
            **dict.fromkeys(("ball-running", "late-call"), lambda: press("no-more-bets")),
            "no-more-bets": self._wait,
            "entry": self._enter,
            "dispute": lambda: press("floor-key"),
            "deciding": self._key_or_no_spin,
            "no-spin": self._call_no_spin,
            **dict.fromkeys(("result", "losers-collected"), lambda: press("done")),
            "winners-paid": lambda: press("clear"),
            "correcting": lambda: press("floor-key"),
            "locked": self._dealer.unlock,
        }

    def _call_no_spin(self) -> None:
        """The reason that is so, or back from a no spin that was a mistake."""
        data, rig = self._rig.machine.data, self._rig
        if data.reason:
            rig.press("floor-key" if data.reason in "167" else "clear")
        elif data.back.value in ("bets-open", "respin"):
            rig.press("1" if rig.world.rotor.ball or data.untimely else "5")
        elif self._pocket or data.back.value in _RUNS:
            rig.press("clear")
        else:
            rig.press("1")

    @property
    def _doubted(self) -> bool:
        """The screen has named the same doubt twice, and all saw that it was not so: inspect the table anew."""
        return self._against and len(self._rig.machine.data.doubts) > 1

    def _choice(self) -> str:
        """What the floorperson chooses from the menu: to inspect, to close a table in doubt, or nothing."""
        if self._rig.machine.data.back.value == "closed":
            return "1"
        return "5" if self._doubted else "clear"

    def _inspect(self) -> None:
        data = self._rig.machine.data
        if data.step != TRIAL_STEP or data.trial:
            self._trials = 0
            self._rig.press("floor-key")
        elif self._trials < _TRIALS:
            self._trials += 1
            self._turn_rotor()
            self._rig.throw_ball(7)
        else:  # The sensors do not detect the ball: the inspection is not passed.
            self._trials = 0
            self._rig.press("clear")

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
        ball = rig.world.rotor.ball
        assert ball is not None
        running_s = (ball.leaves_ns - rig.clock.now_ns()) / 1e9
        rig.wait(running_s * rng.uniform(0.35, 0.7))
        if rig.state.value == "ball-running" and not self._happens(_LATE):
            rig.press("no-more-bets")
        rig.ball_rest()
        self._dealer.rested()
        rotor = rig.world.rotor
        self._against = rotor.ball is not None and rotor.ball.against and rotor.rotor_direction != 0
        if rig.state is before and self._dealer.witness.tally.voids.total() == voids:  # It did not detect the ball.
            rig.press("no-spin", "5")

    def _happens(self, rate: float) -> bool:
        return self._dealer.rng.random() < rate * self._dealer.careless

    def _wait(self) -> None:
        self._rig.ball_rest()
        self._rig.wait(5)

    @property
    def _pocket(self) -> str:
        """The pocket in which the ball is; empty if in none."""
        ball = self._rig.world.rotor.ball
        return ball.pocket if ball is not None else ""

    def _enter(self) -> None:
        data = self._rig.machine.data
        if data.keyed or "enter" not in self._rig.waiting_for:
            self._rig.wait(5)  # Wait for the reader.
        else:
            self._key_or_no_spin()

    def _key_or_no_spin(self) -> None:
        data = self._rig.machine.data
        # If the ball is gone before a correction, the settled result is entered again.
        entry, pocket = data.entry, self._pocket or data.corrects
        if not pocket:
            self._rig.press("no-spin")  # The ball is not in the wheel.
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
    ball, named = rig.world.rotor.ball, result.label.partition(",")[0]
    if ball is None or ball.pocket != named:
        return f"the ball lies in {(ball and ball.pocket) or 'no pocket'}"
    if not ball.against and len(rig.world.rotor.beams) > 1:
        return "it ran with the rotor"
    return "" if ball.revolutions >= REVOLUTIONS else f"it made {ball.revolutions} revolutions"


BENCH = BenchGame(lambda dealer: RouletteHands(dealer).acts(), play, wrong_pocket, KEYS)
