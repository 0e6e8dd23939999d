"""The messages of one table, or of one house, that wait for the store, in the order of their arrival by topic."""

from collections import deque

from controller.floor.ingest.quotas import Allowance
from controller.floor.ingest.validation import Arrived, named
from controller.messages.topics import Topic, house_itself, house_of, parse

OVERHEAD = 500
"""Approximate overhead of a message beyond its payload, in bytes."""
URGENT_BYTES = 1 << 20
"""How much of a table's alerts and states waits at most: some thousands of them."""
URGENT_BYTES_OF_HOUSE = 8 << 20
"""How much of a house's: it has hundreds of tables, each with a state that the broker keeps."""

_FIRST_NS_PER_BYTE = 150.0
"""Of processor time, until it was measured."""
_NS_OF_BYTE = 20
"""What a byte costs beside processor time: it is written, and kept."""
_WEIGHT = 0.25
"""Of the newest measurement in the estimate."""
_URGENT = frozenset({Topic.ALERT, Topic.ONLINE, Topic.STATE, Topic.HEALTH, Topic.HOUSE})
_RETAINED = ("/online", "/state", "/health", "/house")


def size_of(message: Arrived) -> int:
    """What a message takes of the memory, in bytes."""
    return len(message.payload) + len(message.topic) + OVERHEAD


def line_of(table: str) -> str:
    """In whose line a table's messages wait: a table of this floor in its own, one of a house in the house's."""
    house = house_of(table)
    return house_itself(house) if house else table


def is_urgent(message: Arrived) -> bool:
    """Whether a message overtakes rounds: alerts, and what a table is and has."""
    try:
        return parse(message.topic)[1] in _URGENT and bool(named(message.topic))
    except ValueError:
        return False


class TableQueue:
    """The messages of one table, or of all tables of one house.

    Args:
        table: its name; that of the house itself; empty for the common line of all names that are not known.

    Attributes:
        urgent_most: how much of alerts and states waits at most, in bytes.
        urgent: alerts and states, which overtake ``rounds``.
        served_ns: what its messages have cost; it is the turn of the line with the least.
    """

    def __init__(self, table: str, allowance: Allowance) -> None:
        self.table = table
        self.allowance = allowance
        self.urgent_most = URGENT_BYTES_OF_HOUSE if house_of(table) else URGENT_BYTES
        self.urgent: deque[Arrived] = deque()
        self.rounds: deque[Arrived] = deque()
        self.urgent_bytes = 0
        self.rounds_bytes = 0
        self.served_ns = 0
        self._ns_per_byte = _FIRST_NS_PER_BYTE

    @property
    def bytes(self) -> int:
        """How much waits."""
        return self.urgent_bytes + self.rounds_bytes

    def push(self, message: Arrived, urgent: bool, front: bool = False) -> None:
        """Add a message at the end, or give it back at the front."""
        queue = self.urgent if urgent else self.rounds
        if front:
            queue.appendleft(message)
        else:
            queue.append(message)
        self._count(urgent, size_of(message))

    def pop(self, urgent: bool) -> Arrived:
        """Take the oldest message.

        Raises:
            IndexError: there is none.
        """
        message = (self.urgent if urgent else self.rounds).popleft()
        self._count(urgent, -size_of(message))
        return message

    def drop(self, urgent: bool) -> int:
        """Drop one message that comes again; returns how many bytes that frees.

        The newest round, which the chain of hashes asks for. Of states the oldest that a newer one replaces, and
        else the newest message: the broker keeps the last state, and a round brings its alerts once more.
        """
        queue = self.urgent if urgent else self.rounds
        at = _replaced(queue) if urgent else len(queue) - 1
        size = size_of(queue[at])
        del queue[at]
        self._count(urgent, -size)
        return size

    def estimate_ns(self, message: Arrived) -> int:
        """What a message will cost, by what the last ones did."""
        return int(size_of(message) * (self._ns_per_byte + _NS_OF_BYTE))

    def charge(self, message: Arrived, estimated_ns: int, processor_ns: int) -> None:
        """A message was stored: correct what it was estimated to cost."""
        size = size_of(message)
        self._ns_per_byte += _WEIGHT * (processor_ns / size - self._ns_per_byte)
        self.served_ns += processor_ns + size * _NS_OF_BYTE - estimated_ns

    def _count(self, urgent: bool, size: int) -> None:
        if urgent:
            self.urgent_bytes += size
        else:
            self.rounds_bytes += size


def _replaced(queue: deque[Arrived]) -> int:
    """The first retained message that a later one of its topic replaces; the newest message if there is none."""
    newest = {message.topic: at for at, message in enumerate(queue) if message.topic.endswith(_RETAINED)}
    for at, message in enumerate(queue):
        if newest.get(message.topic, at) != at:
            return at
    return len(queue) - 1
