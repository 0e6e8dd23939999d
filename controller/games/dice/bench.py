"""Three keyed-in dice on the bench: what dealer and floorperson do in each state."""

from controller.bench.dealer import Dealer
from controller.bench.oracle import named_otherwise
from controller.bench.registry import Acts, BenchGame
from controller.games.dice.demo import play, watch_lamps


class DiceHands:
    """Dealer and floorperson at a table with keyed-in dice."""

    def __init__(self, dealer: Dealer) -> None:
        self._dealer = dealer
        self._rig = dealer.rig

    def acts(self) -> Acts:
        """What to do in each state."""
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


BENCH = BenchGame(lambda dealer: DiceHands(dealer).acts(), play, named_otherwise)
