"""The record: what was decided, kept so that nobody can quietly change it."""
