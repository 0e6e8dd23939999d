"""What people do to a roulette wheel while a device of its table is broken."""

from controller.bench.dealer import Dealer
from controller.bench.slips import HAND, HEAD, LOCKED, POWER, WorldSlips, key
from controller.events.event import Direction
from controller.games.roulette.play import REASONS

_TURNS, _ROTOR_REV_S = 9.0, 0.4


def _runs(dealer: Dealer) -> bool:
    """Whether the ball moves; results that were announced are compared with where it lies."""
    dealer.witness.compare(dealer.rig)
    ball = dealer.rig.world.rotor.ball
    return ball is not None and dealer.rig.clock.now_ns() < ball.rests_ns


def _throw(dealer: Dealer) -> None:
    """The ball is thrown, whatever the table waits for; one that runs is thrown again.

    Not while a result is corrected: who keys it anew looks at the ball in its pocket.
    """
    rig = dealer.rig
    if rig.state.value == "correcting" or rig.machine.data.corrects:
        return
    _runs(dealer)
    dealer.throws()
    if rig.world.rotor.rotor_direction == 0:
        _push(dealer)
    rig.throw_ball(_TURNS, rest=False)


def _catch(dealer: Dealer) -> None:
    """The ball is taken out of the track."""
    if _runs(dealer):
        dealer.rig.world.rotor.take_ball()


def _push(dealer: Dealer) -> None:
    """The rotor is pushed, or turned the other way."""
    dealer.rig.turn_rotor(_ROTOR_REV_S, dealer.rng.choice(list(Direction)), wait_s=0)


_SEEN = frozenset({HEAD, HAND})
_CALLED = key("no-spin")
SLIPS = WorldSlips(
    acts={"the ball is thrown": _throw, "the ball is caught": _catch, "the rotor is pushed": _push},
    voids={
        **dict.fromkeys(REASONS, _SEEN),
        **dict.fromkeys(("same-direction", "fewer-than-four-revolutions", "thrown-again"), _SEEN | {_CALLED}),
        **dict.fromkeys(("ball-left-wheel", "ball-not-seen"), _SEEN | {_CALLED, POWER}),
        **dict.fromkeys(("rotor-not-turning", "ball-lost"), _SEEN | {POWER}),
        "thrown-while-locked": _SEEN | {LOCKED},
        **dict.fromkeys(("foreign-object", "called-off"), frozenset({_CALLED})),
        "thrown-at-menu": _SEEN | {key("floor-key")},
        "double-zero": frozenset(),
        "power-cut": frozenset({POWER}),
        "controller-failed": frozenset(),
    },
)
