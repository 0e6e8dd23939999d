"""The topics of the messages.

A table publishes only below ``tables/<its name>/``, the floor only below ``floor/``. So a broker restricts every
table to its own topics by one pattern that contains the name in the table's certificate.
"""

from enum import Enum

from config.fields import NAME_PATTERN

__all__ = [
    "NAME_PATTERN",
    "OF_ALL_TABLES",
    "URGENT",
    "Topic",
    "all_of_table",
    "challenge_of",
    "chunk_of",
    "of_all",
    "of_table",
    "parse",
    "update_of",
    "wanted_of",
]


class Topic(Enum):
    """What a table publishes."""

    ONLINE = "online"
    """Retained; when the table is gone, the broker publishes it (the last will)."""
    STATE = "state"
    """Retained, only the latest."""
    PART = "part"
    """Entries of a round that are too many for one message, before the round's own; at least once."""
    ROUND = "round"
    """Every closed round, at least once."""
    ALERT = "alert"
    """Every alert, at least once."""
    HEALTH = "health"
    """Retained, only the latest."""
    ANSWER = "answer"
    """The answer to each challenge of the floor's."""
    VERSION = "version"
    """Retained; which version runs, and what has become of the floor's update."""
    FETCH = "fetch"
    """Asks for a chunk of the floor's update."""


OF_ALL_TABLES = "tables/+/+"
"""What the floor subscribes to."""
URGENT = (Topic.ALERT, Topic.ONLINE, Topic.HEALTH, Topic.ANSWER)
"""What comes over the floor's second connection, if it has one."""


def of_all(topic: Topic) -> str:
    """The filter for one kind of message of all tables."""
    return f"tables/+/{topic.value}"


def of_table(table: str, topic: Topic) -> str:
    """The topic of a table's messages."""
    return f"tables/{table}/{topic.value}"


def all_of_table(table: str) -> str:
    """The filter for all messages of a table."""
    return f"tables/{table}/+"


def wanted_of(table: str) -> str:
    """The topic of the floor's resend requests to a table."""
    return f"floor/{table}/wanted"


def challenge_of(table: str) -> str:
    """The topic of the floor's challenges to a table."""
    return f"floor/{table}/challenge"


def update_of(table: str) -> str:
    """The topic of what the floor offers to a table as an update."""
    return f"floor/{table}/update"


def chunk_of(table: str) -> str:
    """The topic of the chunks that a table has asked for."""
    return f"floor/{table}/chunk"


def parse(topic: str) -> tuple[str, Topic]:
    """The table and the kind of message of a topic.

    Raises:
        ValueError: it is not a topic of a table.
    """
    parts = topic.split("/")
    if len(parts) != 3 or parts[0] != "tables":
        raise ValueError(f"'{topic[:80]}' is no topic of a table")
    return parts[1], Topic(parts[2])
