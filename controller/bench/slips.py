"""What people do in the world while a device is broken, beside pressing keys: the ``slips.py`` of each game.

A wheel is spun, a ball thrown, dice are shaken, a card is dealt though the table is not ready for it, or cannot see
it. Used by the fault matrix (:mod:`campaigns.slips`), which knows the slips at the keys itself. A game without the
file, or one of its kind of equipment, has none of its own.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from controller.bench.dealer import Dealer
from controller.statechart.game import Game
from controller.statechart.registry import part_of

HEAD, READER, HAND, POWER, LOCKED = "head", "reader", "hand", "power", "locked"
"""What a void may be due to, beside keys: a fault of the wheel's sensors or of the reader, an act of the world, a
power cut, a table that had stopped."""


def key(control: str) -> str:
    """A key that was pressed, as something that a void may be due to."""
    return f"key {control}"


@dataclass(frozen=True)
class WorldSlips:
    """The slips of one game that are not made at its keys.

    Attributes:
        acts: each in words. They take no time: what follows from them comes as the clock goes on.
        voids: by the reason of a void, what it may be due to (:data:`HEAD`, …): any of these makes it true.
    """

    acts: Mapping[str, Callable[[Dealer], None]] = field(default_factory=dict)
    voids: Mapping[str, frozenset[str]] = field(default_factory=dict)


def slips_of(game: Game) -> WorldSlips:
    """Those of a game."""
    found = getattr(part_of(game, "slips"), "SLIPS", None)
    return found if isinstance(found, WorldSlips) else WorldSlips()
