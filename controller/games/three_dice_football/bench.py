"""Three Dice Football on the bench: what its people do in each state, and the demonstration."""

from functools import partial

from controller.bench.dealer import Dealer
from controller.bench.oracle import named_otherwise
from controller.bench.registry import Acts, BenchGame
from controller.bench.transcript import ROUNDS, Transcript
from controller.games.three_dice_football.play import NO_ROLLS, dice_words
from controller.games.three_dice_football.rules import Dice

_GAMES: tuple[tuple[tuple[Dice, ...], str], ...] = (
    (((6, 6, 1), (1, 1, 2), (6, 5, 1)), "a touchdown in the goal series, with an extra point roll"),
    (((4, 4, 4),), "a Trips TD on the first throw"),
    (((1, 2, 5), (2, 2, 5), (1, 3, 6)), "three penalties: the defense wins"),
    (((3, 4, 2), (1, 2, 6)), "a turnover"),
)


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

    presses = {"bets-open": "no-more-bets", "position": "clear", "settling": "done", "settled": "clear"}
    return {
        "closed": dealer.open,
        "equipment-due": rig.floor,
        "locked": dealer.unlock,
        "dice-offered": lambda: rig.press("clear" if chance.random() < 0.2 else "enter"),
        **{state: partial(rig.press, control) for state, control in presses.items()},
        **dict.fromkeys(("throw", "extra-point-throw"), throw),
        "extra-point-offered": lambda: rig.press("enter"),
    }


def play(stage: Transcript) -> None:
    stage.heading("The table opens: a new set of dice, offered clockwise")
    stage.floor(why="opens the table with a new set of dice")
    stage.press("clear", why="position 1 declines the dice")
    stage.press("enter", why="position 2 takes them")
    for number in range(ROUNDS):
        throws, words = _GAMES[number] if number < len(_GAMES) else ((), "")
        stage.round(words)
        _game(stage, throws, power_cut=number == len(_GAMES), no_roll=number == len(_GAMES) + 1)
        if number < ROUNDS - 1:
            stage.press("clear")
            if stage.rig.state.value == "dice-offered":
                stage.press("enter", why="the next position takes the dice")


def _game(stage: Transcript, throws: tuple[Dice, ...], power_cut: bool, no_roll: bool) -> None:
    """One game: planned throws first, then random ones."""
    planned = iter(throws)
    while True:
        stage.press("no-more-bets")
        if no_roll:
            stage.press("no-roll", "2", why="one die is on another")
        first, *rest = map(str, next(planned, stage.dice()))
        if power_cut:
            stage.press(first)
            stage.power_cut()
            stage.press(*rest, "enter", why="the entry was kept")
        else:
            stage.press(first, *rest, "enter")
        no_roll = power_cut = False
        stage.press_while("settling", "done")
        if stage.rig.state.value == "extra-point-offered":
            stage.press("enter", why="there is an extra point wager")
            stage.press(*map(str, stage.dice()), "enter")
            stage.press_while("settling", "done")
        if stage.rig.machine.data.following is None:
            return
        stage.press("clear", why="the dice go back to the quarterback")


BENCH = BenchGame(_hands, play, named_otherwise)
