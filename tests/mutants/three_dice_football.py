"""Mutants of the rows of docs/regulations.md on Three Dice Football."""

from mutants.mutant import Mutant

MUTANTS: tuple[Mutant, ...] = ()
