"""Mutants of the rows of docs/regulations.md on Casino War."""

from mutants.mutant import Mutant

MUTANTS: tuple[Mutant, ...] = ()
