"""The first plays of Three Dice Football."""

from controller.bench.guide import GameGuide, GuideStep, keyed
from controller.bench.live import LiveBench
from controller.games.shared.dice_entry import Diced

_DICE = ("4", "4", "4")


def _throw(bench: LiveBench) -> GuideStep:
    words = (
        "The quarterback throws two green fours and a red four. Key the green dice, then the red one. Press ENTER."
    )
    data = bench.table.machine.data
    assert isinstance(data, Diced)
    return keyed(words, (*_DICE, "enter"), len(data.entry))


GUIDE = GameGuide(
    {
        "closed": GuideStep(
            "The table is closed. The floorperson turns the key twice: it opens with new dice, whose age counts.",
            "floor-key",
        ),
        "dice-offered": GuideStep("The quarterback chooses three of the dice. Then press ENTER.", "enter"),
        "bets-open": GuideStep(
            'Wagers are open. The stickperson calls "No more bets", then press it.', "no-more-bets"
        ),
        "throw": _throw,
        "settling": GuideStep("Follow the line above. Then press DONE.", "done"),
        "extra-point-offered": GuideStep("A touchdown. There is no extra point wager: press CLEAR.", "clear"),
        "settled": GuideStep("The play is over. CLEAR opens the next one.", "clear"),
    },
    "Now continue: three downs, the extra point, a penalty (1-2-5), a no roll, a correction by the floorperson.",
)
