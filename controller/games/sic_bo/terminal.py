"""The view of Sic Bo: the areas in the order in which its layout is printed."""

from itertools import combinations

from controller.games.dice.terminal import Rows, dice_view

FACES = range(1, 7)
ROWS: Rows = (
    ("", (("small", "small"), *((f"two-of-a-kind-{n}", f"{n}-{n}") for n in FACES), ("big", "big"))),
    (
        "",
        (
            *((f"three-of-a-kind-{n}", f"{n}-{n}-{n}") for n in (1, 2, 3)),
            ("any-three-of-a-kind", "any triple"),
            *((f"three-of-a-kind-{n}", f"{n}-{n}-{n}") for n in (4, 5, 6)),
        ),
    ),
    ("total", tuple((f"total-{total}", str(total)) for total in range(4, 18))),
    ("", tuple((f"two-dice-{a}-{b}", f"{a}-{b}") for a, b in combinations(FACES, 2))),
    ("one of a kind", tuple((f"one-of-a-kind-{n}", str(n)) for n in FACES)),
)

VIEW = dice_view(ROWS)
