"""Three Dice Football on the bench: what its people do in each state, the demonstration, the first game."""

from collections.abc import Callable

from controller.bench.dealer import Dealer
from controller.bench.demo import Demonstration
from controller.bench.live import LiveBench
from controller.bench.oracle import named_otherwise
from controller.bench.registry import Acts, BenchGame, GameGuide, GuideStep, keyed
from controller.games.three_dice_football.play import NO_ROLLS, dice_words

PRESSES = {
    "bets-open": "no-more-bets",
    "position": "clear",
    "settling": "done",
    "settled": "clear",
    "extra-point-offered": "enter",
}


def _hands(dealer: Dealer) -> Acts:
    """What stickperson, quarterback and floorperson do in each state."""
    rig, chance = dealer.rig, dealer.rng

    def throw() -> None:
        if not rig.machine.data.entry:
            dealer.roll()
            dealer.witness.truth = dice_words(dealer.dice)
        if dealer.is_no_roll():
            rig.press("no-roll", str(chance.randint(1, len(NO_ROLLS))))
        else:
            dealer.key_in(dealer.dice)

    return {
        "dice-offered": lambda: rig.press("clear" if chance.random() < 0.2 else "enter"),
        **dict.fromkeys(("throw", "extra-point-throw"), throw),
    }


def _throws(*acts: str) -> Callable[[Demonstration], None]:
    """The first throws of a game."""

    def scene(table: Demonstration) -> None:
        for keys in acts:
            table.follow("throw")
            table.do(keys)

    return scene


SCENES = (
    (
        "a touchdown in the goal series, with an extra point roll",
        _throws("6 6 1 enter", "1 1 2 enter", "6 5 1 enter"),
    ),
    ("a Trips TD on the first throw", _throws("4 4 4 enter")),
    ("three penalties: the defense wins", _throws("1 2 5 enter", "2 2 5 enter", "1 3 6 enter")),
    ("a turnover", _throws("3 4 2 enter", "1 2 6 enter")),
    ("the power fails while the dice are keyed", _throws("3, power-cut, 4 2 enter")),
    ("the first throw does not count: a die is on another", _throws("no-roll 2, 5 2 3 enter")),
)


# -- the first game on the page --------------------------------------------------------------------------------


_DICE = ("4", "4", "4")


def _throw(bench: LiveBench) -> GuideStep:
    words = (
        "The quarterback throws two green fours and a red four. Key the green dice, then the red one. Press ENTER."
    )
    return keyed(words, (*_DICE, "enter"), len(bench.table.machine.data.entry))


GUIDE = GameGuide(
    {
        "closed": GuideStep("Turn the floorperson's key twice. The table opens with new dice.", "floor-key"),
        "dice-offered": GuideStep("The quarterback chooses three of the dice. Then press ENTER.", "enter"),
        "throw": _throw,
        "extra-point-offered": GuideStep("A touchdown. There is no extra point wager: press CLEAR.", "clear"),
    },
    "Now continue: three downs, the extra point, a penalty (1-2-5), a no roll, a correction by the floorperson.",
)
BENCH = BenchGame(PRESSES, _hands, named_otherwise, SCENES, GUIDE)
