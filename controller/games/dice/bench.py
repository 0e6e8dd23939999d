"""Three keyed-in dice on the bench: what dealer and floorperson do in each state."""

from controller.bench.dealer import Dealer
from controller.bench.oracle import named_otherwise
from controller.bench.registry import Acts, BenchGame
from controller.games.dice.demo import DiceDemo, play, watch_lamps
from controller.games.dice.rules import NO_ROLLS

DEMO = DiceDemo()


class DiceHands:
    """Dealer and floorperson at a table with keyed-in dice."""

    def __init__(self, dealer: Dealer) -> None:
        self._dealer = dealer
        self._rig = dealer.rig

    def acts(self) -> Acts:
        """What to do in each state."""
        rig, press = self._rig, self._rig.press
        return {
            "closed": self._dealer.open,
            **dict.fromkeys(("dice-due", "malfunction"), lambda: press("floor-key")),
            "floor-menu": self._menu,
            "inspection-key": lambda: press(rig.machine.data.failed_keys[0]),
            "inspection-entry": self._key_dice,
            "inspection-lit": lambda: press("floor-key"),
            "inspection-lamps": self._watch,
            "inspection-shaker": self._shake,
            "bets-open": lambda: press("no-more-bets"),
            "shaking": self._shake_or_key,
            "entry": self._key_roll,
            "no-roll": lambda: press(next(key for key, why in NO_ROLLS.items() if why.possible(rig.machine.data))),
            **dict.fromkeys(("toss-in-doubt", "voiding"), lambda: press("floor-key")),
            "correcting": lambda: press("floor-key"),
            **dict.fromkeys(("result", "losers-collected"), lambda: press("done")),
            "winners-paid": lambda: press("clear"),
        }

    def _menu(self) -> None:
        """Change dice that may not be used, then start the inspection."""
        data = self._rig.machine.data
        fresh = data.fitted_utc_ns > 0 and not data.retired
        self._rig.press("1" if fresh else "2")

    def _watch(self) -> None:
        """Every lamp burns alone; then the floorperson turns the key, unless one has failed."""
        watch_lamps(self._rig)
        if self._rig.state.value == "inspection-lamps":
            self._rig.press("floor-key")

    def _shake(self) -> None:
        self._rig.press("floor-key" if self._rig.machine.data.cycled else "shaker-done")

    def _shake_or_key(self) -> None:
        self._dealer.roll()
        if self._dealer.is_no_roll():
            self._rig.press("no-roll")
        elif self._rig.machine.data.automated:
            self._rig.press("shaker-done")
        else:
            self._key_dice()

    def _key_roll(self) -> None:
        if not self._dealer.dice:  # A stuck key began the entry before a roll.
            self._dealer.roll()
        self._key_dice()

    def _key_dice(self) -> None:
        self._dealer.key_in(self._dealer.dice or (1, 2, 3))


def dice_bench(shown: DiceDemo = DEMO) -> BenchGame:
    """The bench of a game with three keyed-in dice, with the rolls that its demonstration shows."""
    return BenchGame(lambda dealer: DiceHands(dealer).acts(), lambda stage: play(stage, shown), named_otherwise)


BENCH = dice_bench()
