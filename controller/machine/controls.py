"""The controls that every table has beside its game's."""

FLOOR_KEY, LOG_ON = "floor-key", "log-on"
KEYS = frozenset("0123456789") | {"enter", "clear"}
"""The keys of a prompt."""
