"""The first round with three keyed-in dice."""

from controller.bench.guide import GameGuide, GuideStep, keyed
from controller.bench.live import LiveBench
from controller.games.dice.rules import DiceData

_INSPECTED = (("1", "1", "1"), ("2", "3", "6"), ("4", "5", "5"))
"""Dice of the inspection; together they light areas of every kind."""
_ROLL = ("3", "4", "6")


def _data(bench: LiveBench) -> DiceData:
    data = bench.table.machine.data
    assert isinstance(data, DiceData)
    return data


def _has_dice(bench: LiveBench) -> bool:
    data = _data(bench)
    return data.fitted_utc_ns > 0 and not data.retired


def _closed(bench: LiveBench) -> GuideStep:
    if _has_dice(bench):
        return GuideStep("The dice are on record. Open the floorperson's menu again.", "floor-key")
    return GuideStep("The table is closed, and has no dice. The floorperson's key opens the menu.", "floor-key")


def _menu(bench: LiveBench) -> GuideStep:
    if _has_dice(bench):
        return GuideStep("Choose the inspection: no table opens before its lamps have been looked at.", "1")
    return GuideStep("Put new dice to use. Their age counts from now: old dice close the table.", "2")


def _inspect(bench: LiveBench) -> GuideStep:
    data = _data(bench)
    keys = _INSPECTED[data.inspected % len(_INSPECTED)]
    words = f"Key the dice {'-'.join(keys)}, then enter. The table lights what would win on them."
    return keyed(words, (*keys, "enter"), len(data.entry))


def _lamps(bench: LiveBench) -> GuideStep:
    if _data(bench).trying:
        return GuideStep("Each area burns alone, one after the other. Watch the layout.")
    return GuideStep(
        "Did each area burn, and alone? Then the floorperson turns the key: the table opens.", "floor-key"
    )


def _roll(bench: LiveBench) -> GuideStep:
    words = f"The dice are shaken three times and uncovered: {'-'.join(_ROLL)}. Key them as they lie, then enter."
    return keyed(words, (*_ROLL, "enter"), len(_data(bench).entry))


GUIDE = GameGuide(
    {
        "closed": _closed,
        "floor-menu": _menu,
        "inspection-entry": _inspect,
        "inspection-lit": GuideStep(
            "Do exactly the areas burn that win on these dice? The floorperson's key confirms it.", "floor-key"
        ),
        "inspection-lamps": _lamps,
        "bets-open": GuideStep("Wagers are open. The dealer calls no more bets, and presses it.", "no-more-bets"),
        "shaking": _roll,
        "entry": _roll,
        "result": GuideStep(
            "The lamps show every winning area. The dealer collects the losing wagers, then presses done.", "done"
        ),
        "losers-collected": GuideStep("The dealer pays the winning wagers, then presses done.", "done"),
        "winners-paid": GuideStep("The round is over. Clear opens the next one.", "clear"),
    },
    "Now make it go wrong: key a wrong die and clear it, call a no roll, correct a settled roll at the "
    "floorperson's menu, break a lamp or a key.",
)
