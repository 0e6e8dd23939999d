"""Three Dice Football on the bench: what its people do in each state, and the demonstration."""

from controller.bench.dealer import Dealer
from controller.bench.oracle import named_otherwise
from controller.bench.registry import Acts, BenchGame
from controller.bench.transcript import ROUNDS, Transcript
from controller.games.three_dice_football.play import dice_words
from controller.games.three_dice_football.rules import Dice

_TRIPS: tuple[Dice, ...] = ((4, 4, 4),)
_THREE_PENALTIES: tuple[Dice, ...] = ((1, 2, 5), (2, 2, 5), (1, 3, 6))
_TURNOVER: tuple[Dice, ...] = ((3, 4, 2), (1, 2, 6))
_GOAL_TO_GO: tuple[Dice, ...] = ((6, 6, 1), (1, 1, 2), (6, 5, 1))
"""To the 9 yard line, no gain, and in."""


class FootballHands:
    """Stickperson, quarterback and floorperson."""

    def __init__(self, dealer: Dealer) -> None:
        self._dealer = dealer
        self._rig = dealer.rig

    def acts(self) -> Acts:
        """What to do in each state."""
        press = self._rig.press
        return {
            "closed": self._dealer.open,
            "floor-menu": self._menu,
            "dice-offered": self._offer,
            "bets-open": lambda: press("no-more-bets"),
            "position": lambda: press("clear"),
            **dict.fromkeys(("throw", "extra-point-throw"), self._throw),
            "no-roll": lambda: press(str(self._dealer.rng.randint(1, 9))),
            "settling": lambda: press("done"),
            "settled": lambda: press("clear"),
            "extra-point-offered": lambda: press("enter"),
            "correcting": lambda: press("floor-key"),
        }

    def _menu(self) -> None:
        self._rig.press("1" if self._rig.machine.data.back.value == "closed" else "2")

    def _offer(self) -> None:
        if self._rig.machine.data.retired:
            self._rig.press("floor-key")
        else:
            self._rig.press("clear" if self._dealer.rng.random() < 0.2 else "enter")

    def _throw(self) -> None:
        if not self._rig.machine.data.entry:
            self._dealer.roll()
            self._dealer.witness.truth = dice_words(self._dealer.dice)
        if self._dealer.is_no_roll():
            self._rig.press("no-roll")
        else:
            self._dealer.key_in(self._dealer.dice)


def play(stage: Transcript) -> None:
    """The opening and ten games."""
    stage.heading("The table opens: a new set of dice, offered clockwise")
    stage.key("opens the menu")
    stage.press("1", why="a new set of dice")
    stage.press("clear", why="position 1 declines the dice")
    stage.press("enter", why="position 2 takes them")
    games = (
        (_GOAL_TO_GO, "a touchdown in the goal series, with an extra point roll"),
        (_TRIPS, "a Trips TD on the first throw"),
        (_THREE_PENALTIES, "three penalties: the defense wins"),
        (_TURNOVER, "a turnover"),
    )
    for number in range(ROUNDS):
        throws, words = games[number] if number < len(games) else ((), "")
        stage.round(words)
        _game(stage, throws, power_cut=number == len(games), no_roll=number == len(games) + 1)
        if number < ROUNDS - 1:
            _next_game(stage)


def _game(stage: Transcript, throws: tuple[Dice, ...], power_cut: bool, no_roll: bool) -> None:
    """One game: planned throws first, then random ones."""
    planned = list(throws)
    while True:
        stage.press("no-more-bets")
        if no_roll:
            stage.press("no-roll", "2", why="one die lies on another")
            no_roll = False
        dice = planned.pop(0) if planned else stage.dice()
        if power_cut:
            stage.press(str(dice[0]))
            stage.power_cut()
            stage.press(*map(str, dice[1:]), "enter", why="the entry was kept")
            power_cut = False
        else:
            _key(stage, dice)
        stage.press_while("settling", "done")
        if stage.rig.state.value == "extra-point-offered":
            stage.press("enter", why="an extra point wager stands")
            _key(stage, stage.dice())
            stage.press_while("settling", "done")
        if stage.rig.machine.data.following is None:
            return
        stage.press("clear", why="the dice go back to the quarterback")


def _key(stage: Transcript, dice: Dice) -> None:
    stage.press(*map(str, dice), "enter")


def _next_game(stage: Transcript) -> None:
    stage.press("clear")
    if stage.rig.state.value == "dice-offered":
        stage.press("enter", why="the next position takes the dice")


BENCH = BenchGame(lambda dealer: FootballHands(dealer).acts(), play, named_otherwise)
