"""The technician's menu: what the bench's page offers for the wheel, as choices of a keyboard."""

from collections.abc import Callable
from functools import partial

from controller.bench.keys import Choice, KeyAction, Menu, does
from controller.bench.live import LiveBench
from controller.bench.wheel_workshop import WheelWorkshop

WHEELS = range(1, 21)
"""Wheels of the fleet to choose from; the page takes any number."""
WEEKS = (1, 4, 12)
BENDS_DEG = (-2.0, -1.0, 1.0, 2.0)


def technician_menu(bench: LiveBench) -> Menu:
    """What can be done at the wheel."""
    return Menu(
        f"here turns {bench.workshop.name}",
        (
            _work("the plain wheel", lambda at: at.fit(None)),
            Choice("a wheel of the fleet", lambda _: _wheels()),
            _work("calibrate", WheelWorkshop.calibrate),
            *(_work(f"leather {n} weeks older", partial(WheelWorkshop.wear_leather, weeks=n)) for n in WEEKS),
            *(_work(f"bearing {n} weeks older", partial(WheelWorkshop.wear_bearing, weeks=n)) for n in WEEKS),
            _work("a new leather", WheelWorkshop.renew_leather),
            *(Choice(f"bend a peg by {degrees:+g}°", _bends(degrees)) for degrees in BENDS_DEG),
            Choice("straighten a peg", _at_peg("straighten", WheelWorkshop.straighten_peg)),
            Choice("take a peg out", _at_peg("take out", WheelWorkshop.remove_peg)),
            Choice("put a peg back", _at_peg("put back", WheelWorkshop.put_back_peg)),
        ),
    )


def _work(label: str, work: Callable[[WheelWorkshop], None]) -> Choice:
    return Choice(label, does(lambda bench: bench.act(label, lambda: work(bench.workshop))))


def _wheels() -> Menu:
    choices = (_work(f"wheel {number}", partial(WheelWorkshop.fit, number=number)) for number in WHEELS)
    return Menu("put up which wheel?", tuple(choices))


def _bends(degrees: float) -> KeyAction:
    return _at_peg(f"bend by {degrees:+g}°", lambda at, peg: at.bend_peg(peg, degrees))


def _at_peg(words: str, work: Callable[[WheelWorkshop, int], None]) -> KeyAction:
    def at(peg: int) -> Choice:
        return _work(f"peg {peg}", lambda workshop: work(workshop, peg))

    def ask(bench: LiveBench) -> Menu:
        choices = map(at, range(1, bench.world.wheel.sections + 1))
        return Menu(f"{words}: which peg?", tuple(choices))

    return ask
