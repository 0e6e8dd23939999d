"""The first plays of Three Dice Football."""

from controller.bench.guide import GameGuide, GuideStep, keyed
from controller.bench.live import LiveBench
from controller.games.shared.entry import Diced

_DICE = ("4", "4", "4")


def _throw(bench: LiveBench) -> GuideStep:
    data = bench.table.machine.data
    assert isinstance(data, Diced)
    words = (
        "The quarterback throws: two green fours and a red four. Key the green dice, then the red one, then enter."
    )
    return keyed(words, (*_DICE, "enter"), len(data.entry))


GUIDE = GameGuide(
    {
        "closed": GuideStep("The table is closed. The floorperson's key opens the menu.", "floor-key"),
        "floor-menu": GuideStep("Choose new dice: their age counts from now.", "1"),
        "dice-offered": GuideStep("The quarterback chooses three dice of those offered. Then enter.", "enter"),
        "bets-open": GuideStep(
            "Wagers are open. The stickperson calls no more bets, and presses it.", "no-more-bets"
        ),
        "throw": _throw,
        "settling": GuideStep("Do what the line above says, in its order; then press done.", "done"),
        "extra-point-offered": GuideStep("A touchdown. Nobody wagers on the extra point: clear.", "clear"),
        "settled": GuideStep("The play is over. Clear opens the next one.", "clear"),
    },
    "Now go on with the drive: four downs, the extra point, a penalty (1-2-5), a no roll, a correction at the "
    "floorperson's menu.",
)
