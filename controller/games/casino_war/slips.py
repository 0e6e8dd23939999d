"""What people do with cards while a device of their table is broken."""

from controller.bench.dealer import Dealer
from controller.bench.slips import WorldSlips, key
from controller.games.casino_war.rules import RANKS


def _deal(dealer: Dealer) -> None:
    """A card is dealt before the table asks for it; it lies there until it is keyed."""
    dealer.ahead.append(dealer.rng.choice(RANKS))


SLIPS = WorldSlips(
    acts={"a card is dealt": _deal},
    voids={
        "dead-round": frozenset({key("floor-key")}),
        "war-taken-back": frozenset({key("correct")}),
    },
)
