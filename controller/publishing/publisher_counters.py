"""What a publisher counts for its metrics: plain numbers, since its process started."""

from collections import Counter

from controller.messages.link import Link, RefusedError
from controller.messages.models import MessagePart
from controller.messages.topics import Topic, of_table
from hal.interfaces import Clock


class PublisherCounters:
    """Publishes the messages of one table, and counts them.

    Attributes:
        published: messages that the broker took, by the last part of their topic; repeated: of those, as requested.
        refused: messages that the broker refused.
        connections: opened.
        acknowledged_ns: wall time at which the broker last took a message; 0: it never did.
        connected: whether the broker is.
    """

    def __init__(self, table: str, clock: Clock) -> None:
        self._table, self._clock = table, clock
        self.published: Counter[str] = Counter()
        self.repeated = self.refused = self.connections = self.acknowledged_ns = 0
        self.connected = False

    def opened(self) -> None:
        """A connection to the broker was opened."""
        self.connected = True
        self.connections += 1

    async def publish(self, link: Link, topic: Topic, message: MessagePart, retain: bool = False) -> None:
        """Publish a message; returns when the broker has taken it.

        Raises:
            LinkError: the broker does not take it.
        """
        try:
            await link.publish(of_table(self._table, topic), message, retain=retain)
        except RefusedError:
            self.refused += 1
            raise
        self.published[topic.value] += 1
        self.acknowledged_ns = self._clock.utc_ns()
