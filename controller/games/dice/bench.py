"""Three keyed-in dice on the bench: dealer and floorperson, the demonstration, the page's first round."""

from collections.abc import Callable

from controller.bench.dealer import Dealer
from controller.bench.demo import Demonstration
from controller.bench.live import LiveBench
from controller.bench.oracle import named_otherwise
from controller.bench.registry import Acts, BenchGame, GameGuide, GuideStep, by_floor, keyed
from controller.bench.rig import NS_PER_S, Rig
from controller.games.dice.inspection import EACH_NS
from controller.games.dice.rules import DiceState

INSPECTED = ("1 1 1", "2 3 6", "4 5 5")
"""Dice of the inspection; together they light areas of every kind."""
_ROLL = ("3", "4", "6")
"""Dice of the first round on the bench's page."""


PRESSES = {"bets-open": "no-more-bets", "result": "done", "losers-collected": "done", "winners-paid": "clear"}


class DiceHands:
    def __init__(self, dealer: Dealer) -> None:
        self._dealer = dealer
        self._rig = dealer.rig

    def acts(self) -> Acts:
        rig, press = self._rig, self._rig.press
        return {
            "closed": self._open,
            **dict.fromkeys(("inspection-lit", "toss-in-doubt", "malfunction"), rig.floor),
            "inspection-key": lambda: press(rig.machine.data.failed_keys[0]),
            "inspection-entry": self._key_dice,
            "inspection-lamps": self._watch,
            "inspection-shaker": self._shake,
            "shaking": self._shake_or_key,
            "entry": self._key_roll,
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


# -- the demonstration -----------------------------------------------------------------------------------------


def _toss(table: Demonstration, acts: str) -> None:
    """No more bets and a toss; then people key the dice."""
    table.press("no-more-bets")
    if table.machine.data.automated:
        table.press("shaker-done")
    else:
        with table.act("dealer", "covers, shakes three times, uncovers"):
            table.wait(6)
    table.do(acts)


def _no_roll(table: Demonstration) -> None:
    _toss(table, "no-roll")
    table.press("no-more-bets")


def _tossed(acts: str) -> Callable[[Demonstration], None]:
    return lambda table: _toss(table, acts)


SCENES = (
    ("three dice alike", _tossed("3 3 3 enter")),
    ("digits that are no die", _tossed("2 7, 5 6 1, enter")),
    ("a correction", _tossed("3 4 6 enter, correct, floor-key, 3 4 5 enter")),
    ("a die leans on the wall of the shaker", _no_roll),
    ("a low total", _tossed("1 1 2 enter")),
    ("the power fails while the dice are keyed", _tossed("2 4, power-cut, 4 enter")),
    ("a pair", _tossed("6 6 5 enter")),
)


# -- the first round on the page -------------------------------------------------------------------------------


def _closed(bench: LiveBench) -> GuideStep:
    if bench.table.machine.table.fitted_utc_ns:
        return by_floor(bench)
    return by_floor(bench, "The table has no dice yet. FLOORPERSON: turn the key and record new dice.", "renew")


def _inspect(bench: LiveBench) -> GuideStep:
    data = bench.table.machine.data
    dice = INSPECTED[data.inspection.values % len(INSPECTED)].split()
    words = f"Key the dice {'-'.join(dice)}, then press ENTER. The table lights the areas that win on them."
    return keyed(words, (*dice, "enter"), len(data.entry))


def _confirm(bench: LiveBench) -> GuideStep:
    return GuideStep() if bench.table.machine.data.inspection.trying else by_floor(bench)


def _roll(bench: LiveBench) -> GuideStep:
    words = f"Shake the dice three times and uncover them: {'-'.join(_ROLL)}. Key them, then press ENTER."
    return keyed(words, (*_ROLL, "enter"), len(bench.table.machine.data.entry))


GUIDE = GameGuide(
    {
        "closed": _closed,
        "inspection-entry": _inspect,
        **dict.fromkeys(("inspection-lit", "inspection-lamps"), _confirm),
        **dict.fromkeys(("shaking", "entry"), _roll),
    },
    "Now make it go wrong: key a wrong die and clear it, press NO ROLL, correct a result in the floor menu, "
    "break a lamp or a key.",
    inspection=("closed", *(state.value for state in DiceState if state.value.startswith("inspection"))),
)
BENCH = BenchGame(PRESSES, lambda dealer: DiceHands(dealer).acts(), named_otherwise, SCENES, GUIDE)
