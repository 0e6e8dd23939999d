"""Three keyed-in dice on the bench: what dealer and floorperson do in each state, and the demonstration."""

from controller.bench.dealer import Dealer
from controller.bench.oracle import named_otherwise
from controller.bench.registry import Acts, BenchGame
from controller.bench.rig import NS_PER_S, Rig
from controller.bench.transcript import ROUNDS, Transcript
from controller.games.dice.inspection import EACH_NS

INSPECTED = ("1 1 1", "2 3 6", "4 5 5")
"""Dice of the inspection; together they light areas of every kind."""
_PLANNED = {
    4: ("three dice alike", "3 3 3 enter"),
    5: ("digits that are no die", "2 7, 5 6 1, enter"),
    6: ("a correction", "3 4 6 enter, correct, floor-key, 3 4 5 enter"),
    8: ("a low total", "1 1 2 enter"),
    9: ("the power fails while the dice are keyed", "2 4, power-cut, 4 enter"),
    10: ("a pair", "6 6 5 enter"),
}
"""Rounds of the demonstration in words, and what people do after the toss. In the others they key random dice."""
_VOID_BEFORE = 7


class DiceHands:
    def __init__(self, dealer: Dealer) -> None:
        self._dealer = dealer
        self._rig = dealer.rig

    def acts(self) -> Acts:
        rig, press = self._rig, self._rig.press
        return {
            "closed": self._open,
            "locked": self._dealer.unlock,
            **dict.fromkeys(("equipment-due", "inspection-lit", "toss-in-doubt", "malfunction"), rig.floor),
            "inspection-key": lambda: press(rig.machine.data.failed_keys[0]),
            "inspection-entry": self._key_dice,
            "inspection-lamps": self._watch,
            "inspection-shaker": self._shake,
            "bets-open": lambda: press("no-more-bets"),
            "shaking": self._shake_or_key,
            "entry": self._key_roll,
            **dict.fromkeys(("result", "losers-collected"), lambda: press("done")),
            "winners-paid": lambda: press("clear"),
        }

    def _open(self) -> None:
        """Repair what closed the table, record new dice if there are none, then inspect."""
        machine = self._rig.machine
        if machine.causes:
            self._dealer.repair()
        names = [one.name for one in machine.rounds.in_use]
        fresh = all(name in machine.table.fitted_utc_ns and name not in machine.table.retired for name in names)
        self._rig.floor("" if fresh else "renew")

    def _watch(self) -> None:
        """Each lamp is lit alone; then the floorperson confirms, unless one has failed."""
        watch_lamps(self._rig)
        if self._rig.state.value == "inspection-lamps":
            self._rig.floor()

    def _shake(self) -> None:
        if self._rig.machine.data.inspection.cycled:
            self._rig.floor()
        else:
            self._rig.press("shaker-done")

    def _shake_or_key(self) -> None:
        self._dealer.roll()
        if self._rig.machine.data.automated:
            self._rig.press("shaker-done")
        if self._dealer.is_no_roll():
            self._rig.press("no-roll")
        elif not self._rig.machine.data.automated:
            self._key_dice()

    def _key_roll(self) -> None:
        if not self._dealer.dice:  # A stuck key began the entry before a roll.
            self._dealer.roll()
        self._key_dice()

    def _key_dice(self) -> None:
        self._dealer.key_in(self._dealer.dice or (1, 2, 3))


def watch_lamps(rig: Rig) -> None:
    """Wait until every lamp of the inspection was lit."""
    while rig.machine.data.inspection.trying:
        rig.wait(EACH_NS / NS_PER_S)


def play(stage: Transcript) -> None:
    """The opening inspection and ten rounds."""
    stage.heading("The opening inspection in the presence of the floorperson")
    stage.floor("renew", why="new dice")
    stage.floor(why="opening inspection")
    for dice in INSPECTED:
        stage.do(f"{dice} enter")
        stage.floor(why="each winning area is lit, and no other")
    stage.act("floorperson", "watches each area light up alone", lambda: watch_lamps(stage.rig))
    stage.floor(why="every lamp is in order")
    while stage.rig.state.value == "inspection-shaker":
        _shake(stage)
        stage.floor(why="the dice were tossed properly")
    for number in range(1, ROUNDS + 1):
        if number == _VOID_BEFORE:
            stage.heading("A void round: a die leans on the wall of the shaker")
            _toss(stage, "no-roll")
        words, acts = _PLANNED.get(number, ("", ""))
        stage.round(words)
        _toss(stage, acts or stage.dice())
        stage.settle()


def _toss(stage: Transcript, acts: str) -> None:
    stage.press("no-more-bets")
    _shake(stage)
    stage.do(acts)


def _shake(stage: Transcript) -> None:
    if stage.rig.machine.data.automated:
        stage.act("shaker", "tosses the dice", lambda: stage.rig.press("shaker-done"))
    else:
        stage.act("dealer", "covers, shakes three times, uncovers", lambda: stage.rig.wait(6))


BENCH = BenchGame(lambda dealer: DiceHands(dealer).acts(), play, named_otherwise)
