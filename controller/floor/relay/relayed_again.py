"""What a group's floor requests once more, by table: beside what is new, never before it, and not for ever."""

from dataclasses import dataclass

from controller.floor.relay.relay_source import DueRound, RelaySource
from controller.floor.store.relayed import RecordPlace
from controller.messages.models import ResendRequest
from controller.messages.resend_limit import ResendLimit


@dataclass(slots=True)
class _Answer:
    """An answer under way.

    Attributes:
        after: the entry up to which it has come.
        until: the last entry that was relayed when it began: later ones are no repeat.
    """

    record: str
    after: int
    until: int


class RelayedAgain:
    """The answers to requests. It is used in the source's thread; requests are noted in the loop's."""

    def __init__(self, source: RelaySource) -> None:
        self._source = source
        self._noted: dict[str, ResendRequest] = {}
        self._limits: dict[str, ResendLimit] = {}
        self._answers: dict[str, _Answer] = {}

    def __bool__(self) -> bool:
        return bool(self._noted or self._answers)

    def note(self, table: str, request: ResendRequest) -> None:
        """The group's floor requests rounds of a table; the newest request of each counts."""
        self._noted[table] = request

    def connected(self) -> None:
        """The connection is another one: what was answered before may have been lost with the broker."""
        self._noted.clear()
        for limit in self._limits.values():
            limit.forget()

    def due(self, most: int, now_ns: int, utc: str) -> list[DueRound]:
        """The next round of each of so many answers."""
        while self._noted:
            self._begin(*self._noted.popitem(), now_ns, utc)
        found = []
        for table in list(self._answers)[:most]:
            answer = self._answers.pop(table)  # Those that were not served come first the next time.
            one = self._source.again(RecordPlace(table, answer.record), answer.after)
            if one is None or one.seq > answer.until:
                continue
            answer.after = one.seq
            self._answers[table] = answer
            found.append(one)
        return found

    def _begin(self, table: str, request: ResendRequest, now_ns: int, utc: str) -> None:
        place = RecordPlace(table, request.record)
        done = self._source.done.get(place, 0)
        under_way = self._answers.get(table)
        if request.after >= done:
            return  # It is still to come.
        if under_way is not None and under_way.record == request.record and under_way.after <= request.after:
            return  # It has not come so far yet.
        if self._limits.setdefault(table, ResendLimit()).admits(request, now_ns):
            self._source.lacks(place, request.after, utc)
            self._answers[table] = _Answer(request.record, request.after, done)
