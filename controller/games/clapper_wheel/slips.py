"""What people do to a wheel with a clapper while a device of its table is broken."""

from controller.bench.dealer import Dealer
from controller.bench.slips import HAND, HEAD, LOCKED, POWER, WorldSlips, key
from controller.games.clapper_wheel.rules import REASONS

_REVOLUTIONS = 3.2
_NUDGE_DEG_S, _HELD_S = 60.0, 2.0


def _at_rest(dealer: Dealer) -> bool:
    """Whether the wheel stands; results that were announced are compared with where it does."""
    dealer.witness.compare(dealer.rig)
    return dealer.rig.clock.now_ns() >= dealer.rig.world.wheel.at_rest_ns


def _throw(dealer: Dealer) -> None:
    """The wheel is spun, whatever the table waits for; if it turns already, it is pushed."""
    if _at_rest(dealer):
        dealer.throws()
        section = dealer.rng.randrange(len(dealer.rig.order))
        dealer.rig.world.throw_into(section, _REVOLUTIONS, dealer.rng.choice((1, -1)))
    else:
        dealer.rig.world.hands.nudge(_NUDGE_DEG_S)


def _turn(dealer: Dealer) -> None:
    """The wheel is turned a little by hand, to see whether the table notices."""
    if _at_rest(dealer):
        dealer.rig.turn(dealer.rng.choice((-0.7, 0.3, 0.7)), seconds=2, rest=False)


def _hold(dealer: Dealer) -> None:
    """A hand stops the wheel, and lets go of it."""
    if not _at_rest(dealer):
        dealer.rig.world.hands.hold()
        dealer.rig.world.hands.after(_HELD_S, lambda hands: hands.let_go())


_SEEN = frozenset({HEAD, HAND})
SLIPS = WorldSlips(
    acts={"the wheel is spun": _throw, "the wheel is turned by hand": _turn, "the wheel is held": _hold},
    voids={
        **dict.fromkeys(REASONS, _SEEN),
        "table-locked": _SEEN | {LOCKED},
        "position-unknown": _SEEN | {POWER},
        "dealer-no-spin": frozenset({key("no-spin")}),
        "power-cut": frozenset({POWER}),
        "controller-failed": frozenset(),
    },
)
