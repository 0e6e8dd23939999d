"""Every mutant, by name. A file of mutants for each chapter of the regulation."""

from itertools import chain

from mutants import (
    casino_war,
    casino_war_cards,
    chapter_521,
    dice_round,
    roulette,
    roulette_no_spins,
    roulette_rounds,
    sic_bo,
    three_dice_football,
    wheel_rest,
    wheels,
)
from mutants.mutant import Mutant

CHAPTERS = (
    wheels,
    wheel_rest,
    sic_bo,
    dice_round,
    three_dice_football,
    roulette,
    roulette_no_spins,
    roulette_rounds,
    casino_war,
    casino_war_cards,
    chapter_521,
)
MUTANTS: dict[str, Mutant] = {}
for mutant in chain.from_iterable(chapter.MUTANTS for chapter in CHAPTERS):
    assert mutant.name not in MUTANTS, f"two mutants are called {mutant.name}"
    MUTANTS[mutant.name] = mutant
