"""The first round with three keyed-in dice."""

from controller.bench.guide import GameGuide, GuideStep, by_floor, keyed
from controller.bench.live import LiveBench
from controller.games.dice.bench import INSPECTED
from controller.games.dice.rules import DiceData

_ROLL = ("3", "4", "6")


def _data(bench: LiveBench) -> DiceData:
    data = bench.table.machine.data
    assert isinstance(data, DiceData)
    return data


def _closed(bench: LiveBench) -> GuideStep:
    machine = bench.table.machine
    if not machine.table.fitted_utc_ns:
        words = "The table is closed, and has no dice. FLOORPERSON: turn the key and record new dice."
        return by_floor(bench, words, "renew")
    return by_floor(bench, "The dice are recorded. FLOORPERSON: turn the key twice to inspect the table.")


def _inspect(bench: LiveBench) -> GuideStep:
    data = _data(bench)
    dice = INSPECTED[data.inspection.values % len(INSPECTED)].split()
    words = f"Key the dice {'-'.join(dice)}, then press ENTER. The table lights the areas that win on them."
    return keyed(words, (*dice, "enter"), len(data.entry))


def _lit(bench: LiveBench) -> GuideStep:
    return by_floor(bench, "Is each winning area lit, and no other? FLOORPERSON: turn the key twice.")


def _lamps(bench: LiveBench) -> GuideStep:
    if _data(bench).inspection.trying:
        return GuideStep("Each area lights up alone, one after the other. Watch the layout.")
    return by_floor(bench, "Did each area light up alone? FLOORPERSON: turn the key twice. The table opens.")


def _roll(bench: LiveBench) -> GuideStep:
    words = f"Shake the dice three times and uncover them: {'-'.join(_ROLL)}. Key them, then press ENTER."
    return keyed(words, (*_ROLL, "enter"), len(_data(bench).entry))


GUIDE = GameGuide(
    {
        "closed": _closed,
        "inspection-entry": _inspect,
        "inspection-lit": _lit,
        "inspection-lamps": _lamps,
        "bets-open": GuideStep('Wagers are open. Call "No more bets", then press NO MORE BETS.', "no-more-bets"),
        "shaking": _roll,
        "entry": _roll,
        "result": GuideStep("All winning areas are lit. Collect losing wagers. Then press DONE.", "done"),
        "losers-collected": GuideStep("Pay winning wagers. Then press DONE.", "done"),
        "winners-paid": GuideStep("The round is over. Press CLEAR for the next one.", "clear"),
    },
    "Now make it go wrong: key a wrong die and clear it, press NO ROLL, correct a result in the floor menu, "
    "break a lamp or a key.",
)
