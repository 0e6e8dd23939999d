"""Sic Bo on the screens: the areas in the order in which its layout is printed."""

from itertools import combinations

from controller.games.dice.screen import FACES, dice_screen
from controller.games.sic_bo.game import BIG, SMALL
from controller.viewmodel.screen import TitledRows, spoken

ROWS: TitledRows = (
    ("two and three alike", ("small", *(f"two-of-a-kind-{n}" for n in FACES), "big")),
    (
        "three alike",
        (
            *(f"three-of-a-kind-{n}" for n in (1, 2, 3)),
            "any-three-of-a-kind",
            *(f"three-of-a-kind-{n}" for n in (4, 5, 6)),
        ),
    ),
    ("total", tuple(f"total-{total}" for total in range(4, 18))),
    ("two dice", tuple(f"two-dice-{a}-{b}" for a, b in combinations(FACES, 2))),
    ("one of a kind", tuple(f"one-of-a-kind-{n}" for n in FACES)),
)
"""Areas beside one another, each row with its title."""
_OF_A_KIND = {"one-of-a-kind-": 1, "two-of-a-kind-": 2, "three-of-a-kind-": 3}


def area_label(area: str) -> str:
    """What is printed on an area."""
    for prefix, dice in _OF_A_KIND.items():
        if area.startswith(prefix):
            return "-".join([area.removeprefix(prefix)] * dice)
    if area == "any-three-of-a-kind":
        return "any triple"
    return spoken(area.removeprefix("total-").removeprefix("two-dice-"))


SCREEN = dice_screen(ROWS, area_label, {"small": f"{SMALL[0]}–{SMALL[-1]}", "big": f"{BIG[0]}–{BIG[-1]}"})
