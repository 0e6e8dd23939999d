"""The first round of Casino War."""

from controller.bench.guide import GameGuide, GuideStep, keyed
from controller.bench.live import LiveBench
from controller.games.casino_war.play import WarData

_CARDS = ("9", "9")
_WAR_CARDS = ("queen", "jack")


def _data(bench: LiveBench) -> WarData:
    data = bench.table.machine.data
    assert isinstance(data, WarData)
    return data


def _seat(bench: LiveBench) -> GuideStep:
    words = "One player has wagered at position 1. Key the position, then enter."
    return keyed(words, ("1", "enter"), len(_data(bench).seats))


def _deal(bench: LiveBench) -> GuideStep:
    words = "The cards are dealt: a 9 to position 1, a 9 to the dealer. Key them in this order, then enter."
    return keyed(words, (*_CARDS, "enter"), len(_data(bench).cards))


def _war(bench: LiveBench) -> GuideStep:
    data = _data(bench)
    if data.steps and not data.war_cards:
        return GuideStep("The war wager is placed beside the first one. Press done.", "done")
    words = "Three cards are burned, then a queen to position 1 and a jack to the dealer. Key them, then enter."
    return keyed(words, (*_WAR_CARDS, "enter"), len(data.war_cards))


GUIDE = GameGuide(
    {
        "closed": GuideStep("The table is closed. The floorperson's key opens the menu.", "floor-key"),
        "floor-menu": GuideStep("Choose new cards: their age counts from now.", "1"),
        "shuffle": GuideStep("The cards are shuffled and cut, and one is burned. Then enter.", "enter"),
        "bets-open": GuideStep("Wagers are open. The dealer calls no more bets, and presses it.", "no-more-bets"),
        "positions": _seat,
        "deal": _deal,
        "decision": GuideStep("A tie. The player may surrender half the wager, or go to war: press war.", "war"),
        "war-deal": _war,
        "settling": GuideStep("Do what the line above says, in its order; then press done.", "done"),
        "settled": GuideStep("The round is over. Clear opens the next one.", "clear"),
    },
    "Now try more: several positions, a tie with surrender, a wrong card and clear, the cover card, a correction "
    "at the floorperson's menu.",
)
