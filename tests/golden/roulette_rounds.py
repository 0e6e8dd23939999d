"""What is played at roulette, on a double zero wheel that is used as a single zero wheel."""

from controller.limits.amounts import Proposal, amounts_of
from tests.golden.people import (
    Act,
    GoldenRig,
    Plan,
    announce,
    another,
    code_fails,
    cut,
    do,
    fault,
    key_sticks,
    log_on,
    press,
    repair,
    restart,
    wait,
    wrong_pin,
)

_HIGHER = Proposal(amounts_of("25", "2000"), minutes=30)


def _throw(into: str = "17", turns: float = 8, **how: object) -> Act:
    """The ball runs."""

    def act(rig: GoldenRig) -> None:
        rig.turn_rotor()
        rig.throw_ball(turns, into, rest=False, **how)  # type: ignore[arg-type]
        rig.wait(3)

    return act


def _down(rig: GoldenRig) -> None:
    """The ball is at rest, and the reader has had its time."""
    rig.ball_rest()
    rig.wait(8)


def _spin(into: str, **how: object) -> Act:
    """A spin, up to the number."""
    return do(_throw(into, **how), press("no-more-bets"), _down)  # type: ignore[arg-type]


def _number(into: str) -> Act:
    return do(_spin(into), press(*into, "enter"))


def _again(rig: GoldenRig) -> None:
    """The ball is thrown before its number is known."""
    rig.throw_ball(7, rest=False)
    rig.wait(4)


def _still(rig: GoldenRig) -> None:
    """The rotor is at rest while the ball runs."""
    rig.turn_rotor(0.0, wait_s=1)
    rig.throw_ball(7)


_MENU = press("floor-key")
_INSPECTION: Plan = (
    ("closed", do(press("no-more-bets", "floor-key"), cut)),
    ("closed", _MENU),
    ("floor-menu", press("9", "2")),
    ("work", press("3", "1")),
    ("work-part", press("0", "6")),
    ("work-credential", press("enter", "1", "floor-key")),
    ("work-witness", do(press("7", "floor-key"), another("floor-key"))),
    ("closed", press("floor-key", "2", "clear", "floor-key", "2", "2", "clear")),
    ("closed", press("floor-key", "2", "2", "1", "floor-key", "clear")),
    ("closed", do(press("floor-key", "2"), cut, press("floor-key", "2", "1"), cut)),
    ("closed", do(press("floor-key", "2", "1", "9"), cut)),
    ("closed", do(press("floor-key", "2", "1", "9", "floor-key"), cut)),
    ("inspector", do(press("4", "clear"), cut)),
    ("inspector", cut),
    ("inspecting", do(press("floor-key"), cut)),
    ("inspecting", press("floor-key", "clear")),
    ("inspecting", press("floor-key", "floor-key", "floor-key")),
    ("inspecting", lambda rig: rig.throw_ball(2.5)),
)
_ORDINARY: Plan = (
    ("bets-open", do(press("done", "5"), _number("17"))),
    ("result", press("clear", "done")),
    ("bets-open", do(log_on("31"), announce(_HIGHER), _number("0"))),
    ("bets-open", do(announce(Proposal(None)), _number("36"))),
    ("bets-open", _spin("8")),
    ("entry", press("9", "enter", "clear", "8", "enter")),
    ("bets-open", do(announce(_HIGHER), wait(31 * 60))),
    ("bets-open", _spin("21")),
    ("entry", press("2", "2", "enter")),
    ("dispute", press("enter", "floor-key")),
    ("deciding", press("2", "clear", "2", "1", "enter")),
    ("result", press("correct")),
    ("correcting", press("clear", "correct", "floor-key", "2", "3", "enter")),
    ("losers-collected", press("correct", "floor-key", "2", "1", "enter")),
    ("bets-open", press("floor-key", "clear", "floor-key", "5")),
    ("bets-open", do(_throw(), _down)),
    ("late-call", press("no-more-bets")),
)
_VOIDS: Plan = (
    ("bets-open", _spin("00")),
    ("entry", press("0", "0", "enter")),
    ("respin", press("floor-key", "done", "clear", "floor-key", "3")),
    ("respin", _spin("5", turns=2.5)),
    ("respin", _spin("5", with_rotor=True)),
    ("respin", _still),
    ("respin", _spin("5", turns=9, leaves_after=3)),
    ("respin", press("no-spin", "0", "1")),
    ("respin", press("no-spin", "2")),
    ("respin", press("no-spin", "3")),
    ("respin", press("no-spin", "4")),
    ("respin", press("no-spin", "clear", "no-spin", "5")),
    ("respin", _spin("9")),
    ("entry", press("no-spin", "2", "clear", "no-spin", "7", "floor-key")),
    ("respin", _spin("9")),
    ("entry", _again),
    ("dispute", press("no-spin", "6", "floor-key")),
    ("respin", do(_throw(), code_fails(press("no-more-bets")))),
    ("respin", do(_throw(), fault("stuck-high", "ball_1"), _down)),
    ("locked", do(press("done"), cut)),
    ("respin", do(_throw(), fault("noise", "ball_1", 30), wait(130), repair)),
    ("respin", press("floor-key", "4")),
    ("winners-paid", _again),
)
_FAULTS: Plan = (
    ("bets-open", do(fault("reader-garbled"), _number("11"), wait(40))),
    ("dispute", do(repair, press("floor-key"))),
    ("deciding", press("1", "1", "enter")),
    ("bets-open", do(fault("reader-silent"), _number("12"), wait(40))),
    ("deciding", do(repair, press("1", "2", "enter"))),
    ("bets-open", do(fault("reader-astray", "", 2), _number("13"), repair)),
    ("bets-open", fault("burning-lamp", "red")),
    ("locked", do(repair, press("floor-key"))),
    ("bets-open", _number("7")),
    ("result", do(fault("dead-lamp", "odd"), press("done"))),
    ("bets-open", do(_throw(), fault("burning-lamp", "red"), repair, press("no-more-bets"), _down)),
    ("bets-open", do(fault("keys-unplugged"), repair, key_sticks("3"))),
    ("bets-open", do(_throw(), fault("missing-index"), press("no-more-bets"), _down)),
    ("bets-open", code_fails(press("done"))),
    ("bets-open", do(lambda rig: rig.world.fault("swapped"), _throw("3"), press("no-more-bets"), _down, repair)),
    ("bets-open", wrong_pin),
)
_CUTS: Plan = (
    ("bets-open", do(_throw(), cut)),
    ("respin", cut),
    ("respin", do(_throw(), press("no-more-bets"), cut)),
    ("respin", do(press("no-spin"), cut)),
    ("bets-open", do(_throw("14"), _down)),
    ("late-call", cut),
    ("entry", do(press("1"), cut, wait(40))),
    ("bets-open", do(fault("reader-garbled"), _spin("30"), repair)),
    ("entry", press("3", "0", "enter")),
    ("dispute", cut),
    ("dispute", press("floor-key")),
    ("deciding", do(press("3"), cut)),
    ("result", cut),
    ("losers-collected", do(press("correct"), cut)),
    ("correcting", press("clear")),
    ("losers-collected", cut),
    ("winners-paid", do(cut, restart)),
    ("bets-open", do(press("floor-key"), cut)),
    ("bets-open", log_on("")),
)
ROULETTE: Plan = (*_INSPECTION, *_ORDINARY, *_CUTS, *_VOIDS, *_FAULTS)
