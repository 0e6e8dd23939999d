"""Where on the broker each message belongs.

A table writes below ``tables/<its name>/`` and nowhere else; the floor writes below ``floor/`` and nowhere else. So
a broker keeps every table to its own topics by one pattern, with the name of the table's certificate in it.
"""

from enum import Enum

from config.fields import NAME_PATTERN

__all__ = ["NAME_PATTERN", "OF_ALL_TABLES", "Topic", "of_table", "parse", "wanted_of"]


class Topic(Enum):
    """What a table publishes."""

    ONLINE = "online"
    """Retained; the broker itself says so when the table is gone (a will)."""
    STATE = "state"
    """Retained, the latest alone."""
    ROUND = "round"
    """Every closed round, once for sure, perhaps twice."""
    ALERT = "alert"
    """Every alert, once for sure, perhaps twice."""
    HEALTH = "health"
    """Retained, the latest alone."""


OF_ALL_TABLES = "tables/+/+"
"""What the floor subscribes to."""


def of_table(table: str, topic: Topic) -> str:
    """The topic of a table's messages."""
    return f"tables/{table}/{topic.value}"


def wanted_of(table: str) -> str:
    """The topic at which the floor asks a table for rounds that it lacks."""
    return f"floor/{table}/wanted"


def parse(topic: str) -> tuple[str, Topic]:
    """Whose message it is, and which.

    Raises:
        ValueError: it is no topic of a table.
    """
    parts = topic.split("/")
    if len(parts) != 3 or parts[0] != "tables":
        raise ValueError(f"'{topic[:80]}' is no topic of a table")
    return parts[1], Topic(parts[2])
