"""What is played on the wheels with a clapper."""

from controller.events.event import Direction
from controller.limits.amounts import Proposal, amounts_of
from tests.golden.people import (
    Act,
    GoldenRig,
    Plan,
    announce,
    code_fails,
    cut,
    do,
    fault,
    key_sticks,
    log_on,
    press,
    propose,
    repair,
    restart,
    wait,
    wrong_pin,
)

_CLOSE = press("no-more-bets")
_HIGHER = Proposal(amounts_of("10", "1000"), minutes=30)
_AT_ONCE = Proposal(amounts_of("2.50", "100", "5000"), nobody_plays=True)
_WITHDRAWN = Proposal(None)


def _spin(**how: object) -> Act:
    return lambda rig: rig.spin(3.1, **how) if "revolutions" not in how else rig.spin(**how)  # type: ignore[arg-type]


def _throw(rig: GoldenRig) -> None:
    """The wheel turns."""
    rig.spin(3.3, stop_on="1", rest=False)
    rig.wait(2.5)


def _grab(rig: GoldenRig) -> None:
    """A hand grabs the turning wheel."""
    rig.spin(3.5, rest=False)
    rig.wait(3)
    rig.world.wheel.halt()
    rig.wait(3)


def _slowly(rig: GoldenRig) -> None:
    """The wheel does not come to rest for longer than a spin may take."""
    rig.turn(3, seconds=200)


def _broken(name: str, target: str = "", amount: float = 0.0) -> Act:
    """A spin with a broken sensor."""
    return do(lambda rig: rig.world.fault(name, target, amount), _spin(stop_on="2"), wait(3))


def _turned(revolutions: float) -> Act:
    return lambda rig: rig.turn(revolutions)


_ORDINARY: Plan = (
    ("locating", do(press("done"), cut)),
    ("bets-open", do(press("done", "clear"), _CLOSE)),
    ("no-more-bets", do(press("clear"), _spin(stop_on="1", direction=Direction.CLOCKWISE))),
    ("result", press("clear", "done")),
    ("losers-collected", press("no-more-bets", "done")),
    ("no-more-bets", _spin(stop_on="2")),
    ("no-more-bets", _spin(stop_on="5")),
    ("no-more-bets", _spin(stop_on="10")),
    ("result", _turned(0.3)),
    ("bets-open", _turned(-0.4)),
    ("no-more-bets", _spin(stop_on="20")),
)
_VOIDS: Plan = (
    ("no-more-bets", _spin(revolutions=1.5)),
    ("respin", cut),
    ("respin", _spin(stop_between=7)),
    ("respin", press("no-spin", "done")),
    ("bets-open", do(_throw, press("done"))),
    ("void-spin", cut),
    ("bets-open", _throw),
    ("no-more-bets", _throw),
    ("spinning", press("done", "no-spin")),
    ("respin", _throw),
    ("spinning", cut),
    ("respin", _slowly),
)
_FAULTS: Plan = (
    ("no-more-bets", _grab),
    ("respin", cut),
    ("no-more-bets", _broken("dead-clapper")),
    ("locked", do(press("done"), cut)),
    ("confirming", cut),
    ("no-more-bets", _broken("missing-index")),
    ("no-more-bets", _broken("lost-edges", "", 0.03)),
    ("no-more-bets", do(_throw, fault("unplugged"), lambda rig: rig.rest(), wait(3))),
    ("no-more-bets", _broken("slip", "", 0.05)),
    ("no-more-bets", do(_throw, fault("overflow", "", 40), lambda rig: rig.rest())),
    ("bets-open", do(fault("stuck-high", "encoder_a"), _turned(0.7), wait(3))),
    ("bets-open", fault("burning-lamp", "10")),
    ("locked", do(repair, press("floor-key"))),
    ("no-more-bets", do(_throw, fault("burning-lamp", "20"), repair)),
    ("no-more-bets", _spin(stop_on="10")),
    ("result", do(fault("dead-lamp", "10"), press("done"))),
    ("no-more-bets", key_sticks("done")),
    ("bets-open", do(fault("keys-unplugged"), repair)),
    ("bets-open", code_fails(_CLOSE)),
    ("no-more-bets", do(_throw, code_fails(press("no-spin")))),
)
_CUTS: Plan = (
    ("no-more-bets", _spin(stop_on="5")),
    ("result", cut),
    ("losers-collected", cut),
    ("winners-paid", cut),
    ("bets-open", cut),
    ("no-more-bets", cut),
    ("bets-open", restart),
)
_BONUS: Plan = (
    ("no-more-bets", _spin(stop_on="2x")),
    ("bonus", do(press("done"), cut)),
    ("bonus", _spin(stop_on="7x")),
    ("bonus", _spin(revolutions=1.4)),
    ("respin", _spin(stop_on="2x")),
    ("bonus", do(_throw, press("no-spin"))),
    ("respin", _spin(stop_on="40", direction=Direction.CLOCKWISE)),
    ("result", cut),
    ("no-more-bets", _spin(stop_on="7x")),
    ("bonus", _throw),
    ("spinning", cut),
)
_SIGN: Plan = (
    ("bets-open", do(log_on("31"), announce(_HIGHER), _CLOSE)),
    ("result", do(log_on("44"), press("done"))),
    ("bets-open", announce(_WITHDRAWN)),
    ("bets-open", do(log_on(""), propose(_HIGHER), press("clear"), propose(_HIGHER), wait(65))),
    ("bets-open", announce(_HIGHER)),
    ("no-more-bets", cut),
    ("no-more-bets", wait(31 * 60)),
    ("winners-paid", do(press("clear"), announce(_AT_ONCE))),
    ("bets-open", wrong_pin),
    ("no-more-bets", _broken("dead-clapper")),
    ("locked", do(wrong_pin, cut, wait(20))),
)
DREAMCATCHER: Plan = (*_ORDINARY, *_SIGN, *_CUTS, *_FAULTS, *_BONUS, *_VOIDS)
BIG_SIX: Plan = (
    *_VOIDS,
    *_FAULTS[:10],
    *_CUTS,
    *_ORDINARY[1:],
    ("no-more-bets", _spin(stop_on="joker")),
    ("no-more-bets", _spin(stop_on="logo")),
    *_FAULTS[10:],
)
