"""Ten rounds with dice that the dealer keys in: opening inspection, a triple, a correction, a roll that is void."""

from controller.bench.rig import NS_PER_S, Rig
from controller.bench.transcript import Transcript
from controller.games.dice.inspection import EACH_NS

RolledDice = tuple[int, int, int]
INSPECTED: tuple[RolledDice, ...] = ((1, 1, 1), (2, 3, 6), (4, 5, 5))
"""Dice of the inspection; together they light areas of every kind."""


def play(stage: Transcript) -> None:
    """The opening and ten settled rounds."""
    _open(stage)
    _plain(stage)
    _plain(stage)
    _plain(stage, (3, 3, 3), "three dice alike")
    _refused(stage)
    _correction(stage)
    _no_roll(stage)
    _plain(stage, (1, 1, 2), "a low total")
    _power_cut(stage)
    _plain(stage)
    _plain(stage, (6, 6, 5), "a pair")


def watch_lamps(rig: Rig) -> None:
    """Wait until every lamp of the inspection was lit."""
    while rig.machine.data.inspection.trying:
        rig.wait(EACH_NS / NS_PER_S)


def _key_in(stage: Transcript, dice: RolledDice, why: str = "") -> None:
    stage.press(*map(str, dice), "enter", why=why)


def _open(stage: Transcript) -> None:
    stage.heading("The opening inspection in the presence of the floorperson")
    stage.floor("renew", why="new dice")
    stage.floor(why="opening inspection")
    for dice in INSPECTED:
        _key_in(stage, dice)
        stage.floor(why="each winning area is lit, and no other")
    stage.act("floorperson", "watches each area light up alone", lambda: watch_lamps(stage.rig))
    stage.floor(why="every lamp is in order")
    while stage.rig.state.value == "inspection-shaker":
        _shake(stage)
        stage.floor(why="the dice were tossed properly")


def _shake(stage: Transcript) -> None:
    if stage.rig.machine.data.automated:
        stage.act("shaker", "tosses the dice", lambda: stage.rig.press("shaker-done"))
    else:
        stage.act("dealer", "covers, shakes three times, uncovers", lambda: stage.rig.wait(6))


def _tossed(stage: Transcript) -> None:
    stage.press("no-more-bets")
    _shake(stage)


def _plain(stage: Transcript, dice: RolledDice | None = None, words: str = "") -> None:
    stage.round(words)
    _tossed(stage)
    _key_in(stage, dice or stage.dice())
    stage.settle()


def _refused(stage: Transcript) -> None:
    stage.round("digits that are no die")
    _tossed(stage)
    stage.press("2", "7", why="7 by mistake")
    stage.press("5", "6", "1", why="a fourth digit by mistake")
    stage.press("enter")
    stage.settle()


def _correction(stage: Transcript) -> None:
    stage.round("a correction")
    _tossed(stage)
    _key_in(stage, (3, 4, 6), "the dice show 3-4-5")
    stage.press("correct")
    stage.key("allows the correction")
    _key_in(stage, (3, 4, 5))
    stage.settle()


def _no_roll(stage: Transcript) -> None:
    stage.heading("A void round: a die leans on the wall of the shaker")
    _tossed(stage)
    stage.press("no-roll", why="the dice are not flat")
    _plain(stage)


def _power_cut(stage: Transcript) -> None:
    stage.round("the power fails while the dice are keyed")
    _tossed(stage)
    stage.press("2", "4")
    stage.power_cut()
    stage.press("4", "enter")
    stage.settle()
