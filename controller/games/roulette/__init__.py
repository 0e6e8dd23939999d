"""Roulette (58 Pa. Code ch. 617a)."""
