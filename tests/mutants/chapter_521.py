"""Mutants of the rows of docs/regulations.md on chapter 521: odds, limits and their sign, the guide."""

from mutants.mutant import Mutant

MUTANTS: tuple[Mutant, ...] = ()
