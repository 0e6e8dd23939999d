"""Decisions of one commit on recorded inputs, to compare later code with: ``python -m reference.compare``."""
