"""Three Dice Football on the bench: what its people do in each state, and the demonstration."""

from functools import partial

from controller.bench.dealer import Dealer
from controller.bench.oracle import named_otherwise
from controller.bench.registry import Acts, BenchGame
from controller.bench.transcript import ROUNDS, Transcript
from controller.games.three_dice_football.play import NO_ROLLS, dice_words

_GAMES: tuple[tuple[tuple[str, ...], str], ...] = (
    (("6 6 1 enter", "1 1 2 enter", "6 5 1 enter"), "a touchdown in the goal series, with an extra point roll"),
    (("4 4 4 enter",), "a Trips TD on the first throw"),
    (("1 2 5 enter", "2 2 5 enter", "1 3 6 enter"), "three penalties: the defense wins"),
    (("3 4 2 enter", "1 2 6 enter"), "a turnover"),
    (("3, power-cut, 4 2 enter",), "the power fails while the dice are keyed"),
    (("no-roll 2, 5 2 3 enter",), "the first throw does not count: a die is on another"),
)
"""What people do in the first throws of a game, and words. All other dice are random."""


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
        _game(stage, throws)
        if number < ROUNDS - 1:
            stage.press("clear")
            if stage.rig.state.value == "dice-offered":
                stage.press("enter", why="the next position takes the dice")


def _game(stage: Transcript, throws: tuple[str, ...]) -> None:
    planned = iter(throws)
    while True:
        stage.press("no-more-bets")
        stage.do(next(planned, "") or stage.dice())
        stage.press_while("settling", "done")
        if stage.rig.state.value == "extra-point-offered":
            stage.press("enter", why="there is an extra point wager")
            stage.do(stage.dice())
            stage.press_while("settling", "done")
        if stage.rig.machine.data.following is None:
            return
        stage.press("clear", why="the dice go back to the quarterback")


BENCH = BenchGame(_hands, play, named_otherwise)
