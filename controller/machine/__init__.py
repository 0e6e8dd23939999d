"""The base of a game's rounds: rows, plain ``transitions``, and what a round tells the table layer."""
