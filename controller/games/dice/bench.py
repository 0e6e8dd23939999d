"""Three keyed-in dice on the bench: the next action in each state, and the demonstration."""

from collections.abc import Callable

from controller.bench.dealer import Dealer
from controller.bench.demo import Demonstration
from controller.bench.oracle import named_otherwise
from controller.bench.people import Act, Acts, BenchGame
from controller.bench.rig import NS_PER_S, Rig
from controller.games.dice.inspection import EACH_NS


def _acts(dealer: Dealer) -> Acts:
    floor = Act(floor="")

    def opened() -> Act:
        """New dice if there are none, then the inspection."""
        names, table = [one.name for one in dealer.machine.rounds.in_use], dealer.machine.table
        if all(name in table.fitted_utc_ns and name not in table.retired for name in names):
            return floor
        return Act("The table has no dice yet. FLOORPERSON: turn the key and record new dice.", floor="renew")

    def value() -> Act:
        dice = dealer.dice or (1, 2, 3)
        shown = "-".join(map(str, dice))
        return dealer.key_dice(
            dice, f"Key the dice {shown}, then press ENTER. The table lights the areas that win on them."
        )

    def key_roll() -> Act:
        dice = dealer.dice or dealer.roll()  # A stuck key may have begun the entry before a roll.
        if dealer.no_roll():
            return Act(press="no-roll")
        shown = "-".join(map(str, dice))
        return dealer.key_dice(
            dice, f"Shake the dice three times and uncover them: {shown}. Key them, then press ENTER."
        )

    def shake() -> Act:
        dealer.roll()
        return Act(press="shaker-done") if dealer.data.automated else key_roll()

    return {
        "closed": opened,
        **dict.fromkeys(("inspection-lit", "toss-in-doubt", "malfunction"), floor),
        "inspection-key": lambda: Act(press=dealer.data.failed_keys[0]),
        "inspection-entry": value,
        "inspection-lamps": lambda: Act() if dealer.data.inspection.trying else floor,
        "inspection-shaker": lambda: floor if dealer.data.inspection.cycled else Act(press="shaker-done"),
        "bets-open": Act(press="no-more-bets"),
        "shaking": shake,
        "entry": key_roll,
        **dict.fromkeys(("result", "losers-collected"), Act(press="done")),
        "winners-paid": Act(press="clear"),
    }


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


BENCH = BenchGame(
    _acts,
    named_otherwise,
    SCENES,
    {"": lambda dealer: watch_lamps(dealer.rig)},
    dice=(3, 4, 6),
    then="Now make it go wrong: key a wrong die and clear it, press NO ROLL, correct a result in the floor menu, "
    "break a lamp or a key.",
)
