"""The first round at a wheel with a clapper."""

from collections.abc import Callable

from controller.bench.guide import GameGuide, GuideStep
from controller.bench.live import LiveBench


def _by_hand(words: str, key: str) -> Callable[[LiveBench], GuideStep]:
    """What hands do to the wheel; nothing while it turns, or the table still waits whether it rests."""

    def step(bench: LiveBench) -> GuideStep:
        tracker = bench.table.head.tracker
        turns = bench.world.wheel.moving or (tracker is not None and tracker.moving)
        return GuideStep("It turns. Wait until it rests.") if turns else GuideStep(words, key=key)

    return step


GUIDE = GameGuide(
    {
        "locating": _by_hand(
            "The table does not know yet how the wheel stands. Turn it by hand, once around: "
            "the encoder counts from its index mark on.",
            "h",
        ),
        "bets-open": GuideStep(
            "Wagers are open. The dealer calls no more bets, and presses it: before that no throw counts.",
            "no-more-bets",
        ),
        "no-more-bets": _by_hand("Throw the wheel. It must make three full revolutions, or it is spun again.", "t"),
        "spinning": GuideStep(
            "It turns. Each peg bends the clapper: watch its line among the signals. Press nothing until it rests."
        ),
        "bonus": _by_hand("This section gives another spin: all wagers stay, and the wheel is spun again.", "t"),
        "respin": _by_hand("That spin does not count; the first line says why. Throw the wheel again.", "t"),
        "void-spin": GuideStep("This spin is void. Wait until the wheel rests."),
        "result": GuideStep(
            "The clapper hangs free in a section: its lamp shows the winning wagers. The dealer collects the "
            "losing wagers, then presses done.",
            "done",
        ),
        "losers-collected": GuideStep("The dealer pays the winning wagers, then presses done.", "done"),
        "winners-paid": GuideStep("The round is over. Clear opens the next one.", "clear"),
        "confirming": GuideStep(
            "Is the section on the screen the one at the clapper? Then the floorperson turns the key twice.",
            "floor-key",
        ),
        "locked": GuideStep(
            "A sensor fails: it is marked under Sensors. Repair it, then the floorperson turns the key twice.",
            "floor-key",
        ),
    },
    "Now make it go wrong: throw weakly, let it stop on a peg, push the wheel while it turns, break a line. "
    "The first line says what the table makes of it.",
)
