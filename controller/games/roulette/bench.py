"""Roulette on the bench: the next action in each state, the demonstration, and the page's keys."""

from collections.abc import Callable
from typing import Any

from controller.bench.dealer import Dealer
from controller.bench.demo import Demonstration
from controller.bench.oracle import Announcement
from controller.bench.people import Act, Acts, BenchGame, HandKey
from controller.bench.rig import Rig
from controller.events.event import Direction
from controller.games.roulette.rules import REVOLUTIONS, in_words

_WEAK, _WITH_ROTOR, _OUT, _LATE = 0.03, 0.01, 0.01, 0.02
"""The share of spins that are weak, with the rotor, or leave the wheel, and of late calls of no more bets."""
_TRIALS = 3
"""After this many trial spins that are not detected, the floorperson refuses the wheel."""


def _acts(dealer: Dealer) -> Acts:
    rotor, floor = dealer.rig.world.rotor, Act(floor="")

    def throw(words: str) -> Act:
        if not rotor.rotor_direction:
            return Act(f"{words} First set the wheel turning.", key="r")
        return Act(f"{words} Throw the ball against the turning wheel.", key="t")

    def inspect() -> Act:
        if not dealer.machine.offers()[0].unavailable:
            return Act(
                "The floorperson checks what the line above says, turns the key and presses ENTER.", floor=""
            )
        if rotor.clock.now_ns() < rotor.at_rest_ns:
            return Act("The sensors follow the ball. Wait until the table shows the trial spin.")
        if dealer.idle >= _TRIALS:
            return Act(floor="refuse", repair=True)
        return throw("A trial spin shows whether the sensors see ball and wheel.")

    def respin() -> Act:
        # The screen has named the same doubt twice, and all saw that it was not so: inspect the table anew.
        ball = rotor.ball
        if len(dealer.data.doubts) > 1 and ball is not None and ball.against and rotor.rotor_direction:
            return Act(floor="close")
        return throw("That spin does not count. The first line has the reason.")

    def enter() -> Act:
        if dealer.data.keyed or dealer.rig.config.rules.get("result") == "reader":
            return Act("The wheel reader looks where the ball lies. Wait until both agree.")
        return key()

    def key() -> Act:
        # If the ball is gone before a correction, the settled result is entered again.
        pocket = (rotor.ball.pocket if rotor.ball is not None else "") or dealer.data.corrects
        if pocket:
            words = f"The ball lies in {pocket}. Announce it, key it, then press ENTER."
            return dealer.key_in(pocket, dealer.data.entry, words)
        if rotor.clock.now_ns() < rotor.at_rest_ns:
            return Act("The ball comes to rest. Wait.")
        return Act("The ball is not in the wheel.", "no-spin 1 floor-key")

    return {
        "closed": Act(floor="inspect"),
        "inspecting": inspect,
        "bets-open": lambda: throw("Wagers are open, and stay open while the ball is thrown."),
        "respin": respin,
        **dict.fromkeys(("ball-running", "late-call"), Act(press="no-more-bets")),
        "no-more-bets": Act("The ball must make four revolutions. Press nothing until it rests."),
        "entry": enter,
        "deciding": key,
        "dispute": floor,
        **dict.fromkeys(("result", "losers-collected"), Act(press="done")),
        **dict.fromkeys(("work-witness", "winners-paid"), Act(press="clear")),
    }


def _spin(dealer: Dealer) -> None:
    """Throw the ball, usually well, and call no more bets while it runs; in the inspection only throw it."""
    rig, rng = dealer.rig, dealer.rng
    turn = rng.uniform(0.35, 0.5), rng.choice(list(Direction)), rng.uniform(2, 5)
    if rig.state.value == "inspecting":
        rig.turn_rotor(*turn)
        rig.throw_ball(7)
        return

    before, voids = rig.state, dealer.witness.tally.voids.total()
    dealer.throws()
    rig.turn_rotor(*turn)
    turns = rng.uniform(2.5, 5) if dealer.goes_wrong(_WEAK) else rng.uniform(8, 13)
    out = rng.uniform(0.3, 1.2) * turns if dealer.goes_wrong(_OUT) else None
    rig.throw_ball(turns, with_rotor=dealer.goes_wrong(_WITH_ROTOR), leaves_after=out, rest=False)
    dealer.thrown()
    ball = rig.world.rotor.ball
    assert ball is not None
    rig.wait((ball.leaves_ns - rig.clock.now_ns()) / 1e9 * rng.uniform(0.35, 0.7))
    if rig.state.value == "ball-running" and not dealer.goes_wrong(_LATE):
        rig.press("no-more-bets")
    rig.ball_rest()
    dealer.rested()
    if rig.state is before and dealer.witness.tally.voids.total() == voids:  # The table did not detect the ball.
        rig.press("no-spin", "5")


def _wait(dealer: Dealer) -> None:
    dealer.rig.ball_rest()
    dealer.rig.wait(5)


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
        table.fault("reader-astray", amount=1)
        table.dealer.follow("deciding")
        table.repair()
        return
    table.dealer.follow("entry")
    table.do("3 enter, correct, floor-key")


def _beam_dies(table: Demonstration) -> None:
    table.turn_rotor()
    table.throw_ball(15.0, rest=False)
    table.wait(5)
    table.fault("stuck-high", "ball_1")
    table.press("no-more-bets")
    table.ball_rest()
    table.repair()


def _cuts(table: Demonstration) -> None:
    _thrown("power-cut")(table)
    table.dealer.follow("result")
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


# -- the keys of the page --------------------------------------------------------------------------------------


def _keys(at: Rig) -> tuple[HandKey, ...]:
    pockets = sorted(at.world.rotor.pockets, key=lambda pocket: (int(pocket), pocket))
    into = {in_words(pocket): {"ball": {"turns": 10, "into": pocket}} for pocket in pockets}
    well = {"turns": 10}
    return (
        HandKey("r", "turn the rotor", {"rotor": {"direction": "counterclockwise"}}, {"rotor": {}}),
        HandKey("h", "hold the rotor", {"rotor": {"speed_rev_s": 0}}),
        HandKey("t", "throw the ball", {"ball": well}, {"ball": {**well, "with_rotor": True}}),
        HandKey("w", "throw weakly", {"ball": {"turns": 3}}),
        HandKey("s", "throw into a pocket", choices=into),
        HandKey("o", "throw it out of the wheel", {"ball": {**well, "leaves_after": 3}}),
        HandKey("g", "take the ball out", {"take_ball": True}),
    )


BENCH = BenchGame(
    _acts,
    wrong_pocket,
    SCENES,
    {"r": _spin, "t": _spin, "": _wait},
    then="Now make it go wrong: throw the ball weakly or with the wheel, call no spin, key another number than "
    "the ball lies in, break a ball sensor.",
    keys=_keys,
)
