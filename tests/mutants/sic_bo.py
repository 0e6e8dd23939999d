"""Mutants of the rows of docs/regulations.md on Sic Bo."""

from mutants.mutant import Mutant

_GAME = "controller/games/sic_bo/game.py"

MUTANTS: tuple[Mutant, ...] = (
    Mutant(
        "two-of-a-kind-needs-all-three",
        _GAME,
        "if count >= 2}",
        "if count == 2}",
        "two of a kind loses on a triple",
    ),
)
