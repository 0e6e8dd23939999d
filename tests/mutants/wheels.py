"""Mutants of the rows of docs/regulations.md on wheels with a clapper."""

from mutants.mutant import Mutant

MUTANTS: tuple[Mutant, ...] = ()
