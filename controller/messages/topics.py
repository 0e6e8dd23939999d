"""The topics of the messages.

A table publishes only below ``tables/<its name>/``, the floor only below ``floor/``. So a broker restricts every
table to its own topics by one pattern that contains the name in the table's certificate.

To a group's floor a house's floor relays what it has stored, below ``houses/<its name>/``, and reads requests below
``floor/<its name>/``. There a table of a house is called ``<house>/<table>``, in every message and everywhere else;
``<house>/`` is the house itself.
"""

import re
from enum import Enum

from config.fields import HOUSE_PATTERN, NAME_PATTERN

__all__ = [
    "FOUND_OF_HOUSES",
    "HOUSE_PATTERN",
    "NAME_PATTERN",
    "OF_ALL_HOUSES",
    "OF_ALL_TABLES",
    "RELAYED",
    "URGENT",
    "URGENT_OF_HOUSES",
    "Topic",
    "all_of_table",
    "house_itself",
    "house_of",
    "is_name",
    "of_all",
    "of_table",
    "parse",
    "requests_of_house",
    "urgent_of_table",
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
    HOUSE = "house"
    """Retained; a house's floor of itself, to a group's floor."""


OF_ALL_TABLES = "tables/+/+"
"""What the floor subscribes to."""
OF_ALL_HOUSES = ("houses/+/house", "houses/+/tables/+/+")
"""What a group's floor subscribes to besides, in this order: whether a house is there comes before its tables."""
URGENT = (Topic.ALERT, Topic.ONLINE, Topic.HEALTH)
"""What comes over the floor's second connection, if it has one."""
FOUND_OF_HOUSES = (OF_ALL_HOUSES[0], "houses/+/tables/+/online")
"""What each of several workers hears of all houses, by which new ones and their tables are found."""
RELAYED = (Topic.ONLINE, Topic.STATE, Topic.PART, Topic.ROUND, Topic.ALERT, Topic.HEALTH)
"""What a house's floor relays of its tables."""
URGENT_OF_HOUSES = (OF_ALL_HOUSES[0], *(f"houses/+/tables/+/{one.value}" for one in URGENT if one in RELAYED))
"""What of houses comes over the second connection."""


def of_all(topic: Topic) -> str:
    """The filter for one kind of message of all tables."""
    return f"tables/+/{topic.value}"


def of_table(table: str, topic: Topic) -> str:
    """The topic of a table's messages; of a house's own if ``table`` is a house itself."""
    house, slash, name = table.rpartition("/")
    if not slash:
        return f"tables/{table}/{topic.value}"
    return f"houses/{house}/tables/{name}/{topic.value}" if name else f"houses/{house}/{topic.value}"


def house_of(table: str) -> str:
    """The house of a table, or a house itself; empty for a table of this floor's own."""
    return table.rpartition("/")[0]


def house_itself(house: str) -> str:
    """What a house itself is called among tables."""
    return f"{house}/"


def is_name(table: str) -> bool:
    """Whether a table can be called so: this floor's own, one of a house's, or a house itself."""
    house, slash, name = table.rpartition("/")
    if not slash:
        return re.fullmatch(NAME_PATTERN, table) is not None
    return re.fullmatch(HOUSE_PATTERN, house) is not None and (
        not name or re.fullmatch(NAME_PATTERN, name) is not None
    )


def requests_of_house(house: str) -> str:
    """The filter for the resend requests of a group's floor to one house."""
    return wanted_of(f"{house}/+")


def all_of_table(table: str) -> list[str]:
    """The filters for all messages of a table, or of a house of itself."""
    if house_of(table) and table.endswith("/"):
        return [of_table(table, Topic.HOUSE)]
    return [of_table(table, Topic.ONLINE).removesuffix(Topic.ONLINE.value) + "+"]


def urgent_of_table(table: str) -> list[str]:
    """Those of what is urgent of it."""
    if house_of(table) and table.endswith("/"):
        return [of_table(table, Topic.HOUSE)]
    return [of_table(table, one) for one in URGENT if not house_of(table) or one in RELAYED]


def wanted_of(table: str) -> str:
    """The topic of the floor's resend requests to a table."""
    return f"floor/{table}/wanted"


def parse(topic: str) -> tuple[str, Topic]:
    """The table and the kind of message of a topic.

    Raises:
        ValueError: it is not a topic of a table or house.
    """
    match topic.split("/"):
        case ["tables", table, kind] if kind != Topic.HOUSE.value:
            return table, Topic(kind)
        case ["houses", house, "tables", table, kind] if table and Topic(kind) in RELAYED:
            return f"{house}/{table}", Topic(kind)
        case ["houses", house, Topic.HOUSE.value]:
            return house_itself(house), Topic.HOUSE
    raise ValueError(f"'{topic[:80]}' is no topic of a table")
