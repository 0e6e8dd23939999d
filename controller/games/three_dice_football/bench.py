"""Three Dice Football on the bench: the next action in each state, and the demonstration."""

from collections.abc import Callable

from controller.bench.dealer import Dealer
from controller.bench.demo import Demonstration
from controller.bench.oracle import Announcement
from controller.bench.people import Act, Acts, BenchGame
from controller.bench.rig import Rig
from controller.games.three_dice_football.play import NO_ROLLS


def _acts(dealer: Dealer) -> Acts:
    def throw() -> Act:
        if not (dealer.data.entry and dealer.dice):
            dealer.roll()
        if dealer.no_roll():
            return Act(press=f"no-roll {dealer.rng.randint(1, len(NO_ROLLS))}")
        green, other, red = dealer.dice
        return dealer.key_dice(
            dealer.dice,
            f"The quarterback throws {green} and {other} with the green dice, and {red} with the red one. "
            "Key the green dice, then the red one. Press ENTER.",
        )

    return {
        "closed": Act("Turn the floorperson's key twice. The table opens with new dice.", floor=""),
        "bets-open": Act(press="no-more-bets"),
        "dice-offered": lambda: (
            Act(press="clear")
            if dealer.happens(0.2)
            else Act("The quarterback chooses three of the dice. Then press ENTER.", "enter")
        ),
        **dict.fromkeys(("throw", "extra-point-throw"), throw),
        "extra-point-offered": Act(press="enter"),
        "settling": Act(press="done"),
        **dict.fromkeys(("position", "settled"), Act(press="clear")),
    }


def _wrong(result: Announcement, rig: Rig, truth: str) -> str:
    """Other dice than the true ones, or in another order."""
    named, _, _ = result.label.partition(",")
    return "" if "-".join(filter(str.isdigit, named)) == truth else f"{truth} lies there"


def _throws(*acts: str) -> Callable[[Demonstration], None]:
    """The first throws of a game."""

    def scene(table: Demonstration) -> None:
        for keys in acts:
            table.dealer.follow("throw")
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


BENCH = BenchGame(
    _acts,
    _wrong,
    SCENES,
    dice=(4, 4, 4),
    then="Now continue: three downs, the extra point, a penalty (1-2-5), a no roll, a correction by the "
    "floorperson.",
)
