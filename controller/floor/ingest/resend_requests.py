"""What the floor asks of tables, and when: one question at a time to each, again while it lacks the same."""

from collections.abc import Mapping
from dataclasses import dataclass

from controller.floor.store.gaps import MissingRange
from controller.messages.models import ResendRequest

_S = 1_000_000_000
PATIENCE_NS = 5 * _S
"""So long may a table have handed over more than is here: a message may still be under way."""
FIRST_WAIT_NS, LONGEST_WAIT_NS = 10 * _S, 120 * _S
"""How long until the same is asked for again; twice as long each time."""
FORKED_WAIT_NS = 3600 * _S
"""The longest wait for a record that contradicts itself: what is sent again may be what is refused again."""


@dataclass(slots=True)
class _Request:
    lack: MissingRange
    next_ns: int
    wait_ns: int = FIRST_WAIT_NS
    asked: bool = False


class ResendRequests:
    """The open question to each table. Reads no clock; nanoseconds of one that only goes forwards are given."""

    def __init__(self) -> None:
        self._open: dict[str, _Request] = {}

    def note(self, lacks: Mapping[str, MissingRange | None], now_ns: int) -> None:
        """What is lacking now of these tables' present records; None for nothing."""
        for table, lack in lacks.items():
            if lack is None:
                self._open.pop(table, None)
            else:
                self._note(table, lack, now_ns)

    def due(self, now_ns: int) -> list[tuple[str, ResendRequest]]:
        """The questions to ask now."""
        asked = []
        for table, request in self._open.items():
            if request.next_ns <= now_ns:
                asked.append((table, ResendRequest(record=request.lack.record, after=request.lack.after)))
                longest = FORKED_WAIT_NS if request.lack.forked else LONGEST_WAIT_NS
                request.next_ns = now_ns + request.wait_ns
                request.wait_ns = min(longest, 2 * request.wait_ns)
                request.asked = True
        return asked

    def connected(self, now_ns: int) -> None:
        """The broker is back: what was asked may not have been heard."""
        for request in self._open.values():
            if request.asked:
                request.next_ns, request.wait_ns = now_ns, FIRST_WAIT_NS

    def _note(self, table: str, lack: MissingRange, now_ns: int) -> None:
        request = self._open.get(table)
        if request is None or request.lack.record != lack.record:
            self._open[table] = _Request(lack, now_ns if lack.seen else now_ns + PATIENCE_NS)
            return
        known, request.lack = request.lack, lack
        if lack.online and not known.online:
            request.next_ns, request.wait_ns = now_ns, FIRST_WAIT_NS
        elif lack.after != known.after:  # It is being answered.
            if request.asked or not lack.seen:
                request.next_ns = now_ns + FIRST_WAIT_NS
            request.wait_ns = FIRST_WAIT_NS
        elif lack.seen and not known.seen and not request.asked:
            request.next_ns = now_ns
