"""Rounds decided again from what is on record, and edges decoded again."""
