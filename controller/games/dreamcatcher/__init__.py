"""Dreamcatcher (58 Pa. Code ch. 689a)."""
