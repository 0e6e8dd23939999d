"""What people do at a table of Three Dice Football while a device is broken: what they do with dice anywhere."""

from controller.bench.slips import WorldSlips, key
from controller.games.dice.slips import SLIPS as WITH_DICE
from controller.games.three_dice_football.play import NO_ROLLS

SLIPS = WorldSlips(
    acts=WITH_DICE.acts, voids=dict.fromkeys((name for name, _ in NO_ROLLS.values()), frozenset({key("no-roll")}))
)
