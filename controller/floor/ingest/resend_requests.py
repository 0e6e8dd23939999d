"""What the floor requests from tables, and when: one request at a time to each, repeated until it is answered."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from controller.floor.store.gaps import MissingRange
from controller.messages.models import ResendRequest

_S = 1_000_000_000
PATIENCE_NS = 5 * _S
"""How long a table may report more entries than have arrived: a message may still be in transit."""
FIRST_WAIT_NS, LONGEST_WAIT_NS = 10 * _S, 120 * _S
"""How long until a request is repeated; the interval doubles each time."""
PATIENT_WAIT_NS = 3600 * _S
"""The longest wait for a record that contradicts itself, or whose rounds were refused, as they may be again."""
OVERDUE_NS = 60 * _S
"""What has not arrived by then is named, though nothing after it shows that it is missing."""


@dataclass(slots=True)
class _Request:
    lack: MissingRange
    next_ns: int
    since_ns: int
    wait_ns: int = FIRST_WAIT_NS
    sent: bool = False
    overdue: bool = False


class ResendRequests:
    """The open request to each table. Reads no clock; callers pass the nanoseconds of a monotonic one."""

    def __init__(self) -> None:
        self._open: dict[str, _Request] = {}

    def note(self, lacks: Mapping[str, MissingRange | None], now_ns: int) -> None:
        """Note what is missing now from these tables' present records; None for nothing."""
        for table, lack in lacks.items():
            if lack is None:
                self._open.pop(table, None)
            else:
                self._note(table, lack, now_ns)

    @property
    def tables(self) -> int:
        """From how many tables entries are missing."""
        return len(self._open)

    def due(
        self, now_ns: int, has_arrived: Callable[[str], bool] = lambda table: False
    ) -> list[tuple[str, ResendRequest]]:
        """The requests to send now.

        Args:
            has_arrived: whether rounds of a table wait for the store, among which may be what is lacking. It is
                requested as soon as they are stored, if it was not.
        """
        due = []
        for table, request in self._open.items():
            if request.next_ns <= now_ns and not has_arrived(table):
                due.append((table, ResendRequest(record=request.lack.record, after=request.lack.after)))
                longest = PATIENT_WAIT_NS if request.lack.patient else LONGEST_WAIT_NS
                request.next_ns = now_ns + request.wait_ns
                request.wait_ns = min(longest, 2 * request.wait_ns)
                request.sent = True
        return due

    def overdue(self, now_ns: int) -> list[str]:
        """The tables whose entries have been missing for long; each is named once."""
        found = []
        for table, request in self._open.items():
            if not request.overdue and now_ns - request.since_ns >= OVERDUE_NS:
                request.overdue = True
                found.append(table)
        return found

    def connected(self, now_ns: int) -> None:
        """The broker is back: earlier requests may not have arrived."""
        for request in self._open.values():
            if request.sent and not request.lack.wait_ns:
                request.next_ns, request.wait_ns = now_ns, FIRST_WAIT_NS

    def _note(self, table: str, lack: MissingRange, now_ns: int) -> None:
        request = self._open.get(table)
        if request is None or request.lack.record != lack.record:
            first_ns = now_ns if lack.seen else now_ns + PATIENCE_NS
            self._open[table] = _Request(lack, first_ns + min(lack.wait_ns, PATIENT_WAIT_NS), now_ns)
            return
        known, request.lack = request.lack, lack
        if lack.online and not known.online:
            request.next_ns, request.wait_ns = now_ns, FIRST_WAIT_NS
        elif lack.after != known.after:  # The answer is arriving.
            if request.sent or not lack.seen:
                request.next_ns = now_ns + FIRST_WAIT_NS
            request.wait_ns = FIRST_WAIT_NS
        elif lack.seen and not known.seen and not request.sent:
            request.next_ns = now_ns
        if lack.wait_ns:
            request.next_ns = max(request.next_ns, now_ns + min(lack.wait_ns, PATIENT_WAIT_NS))
