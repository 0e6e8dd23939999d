"""Mutants of the rows of docs/regulations.md on Roulette."""

from mutants.mutant import Mutant

MUTANTS: tuple[Mutant, ...] = ()
