"""Ten rounds with dice that the dealer keys in: opening inspection, a triple, a correction, a roll that is void."""

from dataclasses import dataclass

from controller.bench.rig import NS_PER_S, Rig
from controller.bench.transcript import Transcript
from controller.games.dice.inspection import EACH_NS

RolledDice = tuple[int, int, int]


@dataclass(frozen=True, slots=True)
class DiceDemo:
    """The dice of the inspection, which light areas of every kind, and the headings of three rounds."""

    inspected: tuple[RolledDice, RolledDice, RolledDice] = ((1, 1, 1), (2, 3, 6), (4, 5, 5))
    triple: str = "a triple"
    low: str = "a low total"
    pair: str = "a pair"


def play(stage: Transcript, shown: DiceDemo) -> None:
    """The opening and ten settled rounds."""
    _open(stage, shown)
    _plain(stage)
    _plain(stage)
    _plain(stage, (3, 3, 3), shown.triple)
    _refused(stage)
    _correction(stage)
    _no_roll(stage)
    _plain(stage, (1, 1, 2), shown.low)
    _power_cut(stage)
    _plain(stage)
    _plain(stage, (6, 6, 5), shown.pair)


def watch_lamps(rig: Rig) -> None:
    """Wait until every lamp of the inspection has burnt."""
    while rig.machine.data.trying:
        rig.wait(EACH_NS / NS_PER_S)


def _automated(stage: Transcript) -> bool:
    dice = stage.rig.config.dice
    return dice is not None and dice.shaker == "automated"


def _key_in(stage: Transcript, dice: RolledDice, why: str = "") -> None:
    stage.press(*map(str, dice), "enter", why=why)


def _open(stage: Transcript, shown: DiceDemo) -> None:
    stage.heading("The opening inspection before the floorperson")
    stage.key("opens the menu")
    stage.press("2", why="new dice")
    stage.key("opens the menu")
    stage.press("1", why="opening inspection")
    for dice in shown.inspected:
        _key_in(stage, dice)
        stage.key("every winning area burns, and no other")
    stage.act("floorperson", "watches every area burn alone", lambda: watch_lamps(stage.rig))
    stage.key("every lamp is in order")
    if _automated(stage):
        for _ in range(3):
            _shake(stage)
            stage.key("the dice were properly tossed")


def _shake(stage: Transcript) -> None:
    if _automated(stage):
        stage.act("shaker", "tosses the dice", lambda: stage.rig.press("shaker-done"))
    else:
        stage.act("dealer", "covers, shakes three times, uncovers", lambda: stage.rig.wait(6))


def _plain(stage: Transcript, dice: RolledDice | None = None, words: str = "") -> None:
    stage.round(words)
    stage.press("no-more-bets")
    _shake(stage)
    _key_in(stage, dice or stage.dice())
    stage.settle()


def _refused(stage: Transcript) -> None:
    stage.round("digits that are no die")
    stage.press("no-more-bets")
    _shake(stage)
    stage.press("2", "7", why="7 by mistake")
    stage.press("5", "6", "1", why="a fourth digit by mistake")
    stage.press("enter")
    stage.settle()


def _correction(stage: Transcript) -> None:
    stage.round("a correction")
    stage.press("no-more-bets")
    _shake(stage)
    _key_in(stage, (3, 4, 6), "the dice show 3-4-5")
    stage.press("correct")
    stage.key("allows the correction")
    _key_in(stage, (3, 4, 5))
    stage.settle()


def _no_roll(stage: Transcript) -> None:
    stage.heading("A void round: a die leans on the wall of the shaker")
    stage.press("no-more-bets")
    _shake(stage)
    stage.press("no-roll")
    stage.press("1", why="the dice do not all lie flat")
    _plain(stage)


def _power_cut(stage: Transcript) -> None:
    stage.round("the power goes while the dice are keyed in")
    stage.press("no-more-bets")
    _shake(stage)
    stage.press("2", "4")
    stage.power_cut()
    stage.press("4", "enter")
    stage.settle()
