"""The view of Sic Bo: the areas in the order in which its layout is printed."""

from controller.games.dice.terminal import dice_view
from controller.games.sic_bo.screen import ROWS, area_label

_TITLED = ("total", "one of a kind")
"""The rows with room for their title."""

VIEW = dice_view(tuple((title if title in _TITLED else "", areas) for title, areas in ROWS), area_label)
