"""Which tables this process takes: all of them, or its share of those that several workers take together.

The writer says what the share is, as the leases in the store have it; the subscriber listens to no other table.
Every worker hears ``online`` of all tables, by which a new one is found. Call it inside the event loop.
"""

import asyncio
from collections.abc import Iterable

from controller.floor.ingest.validation import named
from controller.messages.topics import (
    FOUND_OF_HOUSES,
    OF_ALL_HOUSES,
    OF_ALL_TABLES,
    URGENT,
    URGENT_OF_HOUSES,
    Topic,
    all_of_table,
    of_all,
    urgent_of_table,
)

MOST_FOUND = 20_000
"""How many names wait to be known; a broker lets nobody invent any."""


class TableShare:
    """The tables that this process takes.

    Args:
        shared: whether there are several workers; else it takes all tables.
        of_houses: whether this is a group's floor, which takes the tables of houses, too.
    """

    def __init__(self, shared: bool = False, of_houses: bool = False) -> None:
        self.shared = shared
        self._of_houses = of_houses
        self.tables: frozenset[str] = frozenset()
        """If shared: those that it takes."""
        self.found: set[str] = set()
        """Names that were heard of and are not this process's: others may have them, or nobody."""
        self.changed = asyncio.Event()
        """Set at the next change; take it before :meth:`filters`."""

    def takes(self, topic: str) -> bool:
        """Whether a message is this process's. One that is not may name a table that nobody has yet."""
        if not self.shared:
            return True
        table = named(topic)
        if table in self.tables:
            return True
        if table and len(self.found) < MOST_FOUND:
            self.found.add(table)
        return False

    def set(self, tables: Iterable[str]) -> None:
        """These are the tables that it takes from now on."""
        self.tables = frozenset(tables)
        self.found -= self.tables
        self.changed.set()
        self.changed = asyncio.Event()

    def common_filters(self, urgent: bool = False) -> list[str]:
        """What to subscribe to whatever the share is: whether a house is there comes before its tables.

        Args:
            urgent: on the connection for alerts.
        """
        if not self.shared:
            of_houses = (URGENT_OF_HOUSES if urgent else OF_ALL_HOUSES) if self._of_houses else ()
            return [*of_houses, *(map(of_all, URGENT) if urgent else (OF_ALL_TABLES,))]
        if urgent:
            return []
        return [*(FOUND_OF_HOUSES if self._of_houses else ()), of_all(Topic.ONLINE)]

    def filters(self, urgent: bool = False) -> frozenset[str]:
        """What to subscribe to now beside that."""
        if not self.shared:
            return frozenset()
        if not urgent:
            return frozenset(one for table in self.tables for one in all_of_table(table))
        return frozenset(one for table in self.tables for one in urgent_of_table(table))
