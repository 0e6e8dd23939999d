"""The first round of Casino War."""

from controller.bench.guide import GameGuide, GuideStep, keyed
from controller.bench.live import LiveBench
from controller.games.casino_war.play import WarData


def _data(bench: LiveBench) -> WarData:
    data = bench.table.machine.data
    assert isinstance(data, WarData)
    return data


def _shuffle(bench: LiveBench) -> GuideStep:
    if _data(bench).inspect:
        return GuideStep("The cards are inspected and spread face up. Press done.", "done")
    return GuideStep("The cards are shuffled and cut, and one is burned. Then enter.", "enter")


_POSITION = "One player has wagered at position 1. Key the position, then enter."
_DEAL = "The cards are dealt: a 9 to position 1, a 9 to the dealer. Key them in this order, then enter."


def _war(bench: LiveBench) -> GuideStep:
    data = _data(bench)
    if data.steps and not data.war_cards:
        return GuideStep("The war wager is placed beside the first one. Press done.", "done")
    words = "Three cards are burned, then a queen to position 1 and a jack to the dealer. Key them, then enter."
    return keyed(words, ("queen", "jack", "enter"), len(data.war_cards))


GUIDE = GameGuide(
    {
        "closed": GuideStep("The floorperson turns the key twice: the table opens with new cards.", "floor-key"),
        "shuffle": _shuffle,
        "bets-open": GuideStep("Wagers are open. The dealer calls no more bets, and presses it.", "no-more-bets"),
        "positions": lambda bench: keyed(_POSITION, ("1", "enter"), len(_data(bench).seats)),
        "deal": lambda bench: keyed(_DEAL, ("9", "9", "enter"), len(_data(bench).cards)),
        "decision": GuideStep("A tie. The player may surrender half the wager, or go to war: press war.", "war"),
        "war-deal": _war,
        "settling": GuideStep("Do what the line above says, in its order; then press done.", "done"),
        "settled": GuideStep("The round is over. Clear opens the next one.", "clear"),
    },
    "Now try more: several positions, a tie with surrender, a wrong card and clear, the cover card, a correction.",
)
