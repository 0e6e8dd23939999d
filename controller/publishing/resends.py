"""Publishing again what the floor requests: beside what is new, never before it, and not for ever
(:mod:`controller.messages.resend_limit`).
"""

from collections import deque
from collections.abc import Callable

from controller.messages.models import ResendRequest
from controller.messages.resend_limit import ResendLimit
from controller.publishing.formatter import Due, JournalPlace
from controller.publishing.source import ALL_OF_ENTRY, JournalSource


class Resends:
    """The answer under way, if there is one.

    Args:
        open_source: opens the journal that is published, once more.
    """

    def __init__(self, open_source: Callable[[], JournalSource]) -> None:
        self._open_source = open_source
        self._limit = ResendLimit()
        self._source: JournalSource | None = None
        self._queue: deque[Due] = deque()
        self._place, self._until = JournalPlace(0, 0), 0

    def request(self, request: ResendRequest, until: int, now_ns: int) -> bool:
        """Begin to answer a request; returns whether that is so, or was already.

        Args:
            until: the last entry that rounds were published up to: later ones are no repeat.

        Raises:
            JournalError: the journal cannot be read.
        """
        if self._source is not None and self._place.seq <= request.after:
            return True  # What is under way has not come so far yet.
        if not self._limit.admits(request, now_ns):
            return False
        self.stop()
        self._source, self._until = self._open_source(), until
        self._place = JournalPlace(self._source.begin(request.after), ALL_OF_ENTRY)
        return True

    def next(self) -> Due | None:
        """The next message to publish again; None if there is none.

        Raises:
            JournalError: the journal cannot be read; the answer has ended.
        """
        if self._source is None:
            return None
        try:
            if not self._queue:
                self._queue.extend(self._source.due(self._place))
        except BaseException:
            self.stop()
            raise
        if not self._queue or self._queue[0].place.seq > self._until:
            self.stop()
            return None
        return self._queue[0]

    def published(self, due: Due) -> None:
        """The broker has taken the message."""
        if self._queue and self._queue[0] is due:
            self._queue.popleft()
            self._place = due.place

    def connected(self) -> None:
        """The connection is another one: what was answered before may have been lost with the broker."""
        self._limit.forget()

    def stop(self) -> None:
        """End the answer under way."""
        self._queue.clear()
        if self._source is not None:
            self._source.close()
            self._source = None
