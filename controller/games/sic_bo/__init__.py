"""Sic Bo (58 Pa. Code ch. 539)."""
