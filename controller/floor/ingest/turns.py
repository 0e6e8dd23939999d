"""Whose message the store takes next: every table in turn, by what its messages cost.

Each table has a line of its own, and it is the turn of the line whose messages have cost the floor the least
(start-time fair queueing: P. Goyal, H. M. Vin, H. Cheng, Start-time fair queuing. IEEE/ACM Transactions on
Networking 5(5), 1997, pp. 690-704). A table that was silent saves up nothing. What a message costs is measured, and
estimated before. Alerts and states of all tables come before rounds; tables that are past their quota come last.
Names that no table of this floor ever had share one line and one quota, so that inventing names gains nothing.
At a group's floor all tables of a house share the house's line and quota: no house can starve another.

Pure: callers pass the nanoseconds of a monotonic clock.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from heapq import heapify, heappop, heappush
from math import inf

from config.floor import QuotaSection
from controller.floor.ingest.quotas import Allowance
from controller.floor.ingest.table_queue import TableQueue, is_urgent, line_of, size_of
from controller.floor.ingest.validation import Arrived, named
from controller.messages.topics import house_of

MOST_TABLES = 5_000
"""How many tables have a line of their own."""
UNKNOWN = ""
"""The table of the common line."""

MUCH = 1 << 20
"""With so many bytes waiting, alerts and states are a batch of their own: they are stored before any round is."""
URGENT_NS = 20_000_000
"""What such a batch may cost, as estimated."""
_FREED = 0.95
"""Where all lines together are full, so much is left of the bound."""


@dataclass(frozen=True, slots=True)
class ServiceTurn:
    """A message whose turn it is.

    Attributes:
        estimated_ns: what it was estimated to cost.
    """

    message: Arrived
    line: TableQueue
    urgent: bool
    estimated_ns: int
    served_ns: int
    """What its line had cost before."""


class Turns:
    """What waits for the store.

    Args:
        quota: of each table.
        most_bytes: how much waits in all.
        house_quota: of each house; by default that of a table.
    """

    def __init__(
        self, quota: QuotaSection, most_bytes: int, now_ns: int, house_quota: QuotaSection | None = None
    ) -> None:
        self._quota = quota
        self._house_quota = house_quota or quota
        self._most_bytes = most_bytes
        self._lines: dict[str, TableQueue] = {UNKNOWN: TableQueue(UNKNOWN, Allowance(quota, now_ns))}
        self._active: dict[str, TableQueue] = {}
        """Lines with messages."""
        self._served_ns = 0
        """What the line whose turn was last had cost before it."""
        self._left_ns = inf
        """What may still be added to the batch that is made."""
        self._dropped: Counter[str] = Counter()
        self._urgent_alone = False
        """Whether the last batch had no rounds, though there were some: the next one has."""
        self.interrupts = False
        """Whether an alert or state has arrived since the last batch, of a table that had none waiting."""
        self.bytes = 0
        """How much waits."""

    def __bool__(self) -> bool:
        return bool(self._active)

    def __len__(self) -> int:
        return sum(len(line.urgent) + len(line.rounds) for line in self._active.values())

    @property
    def full(self) -> bool:
        """Whether no more than this may wait."""
        return self.bytes >= self._most_bytes

    def add(self, message: Arrived, drops: bool = True) -> None:
        """A message arrived.

        Args:
            drops: whether what does not fit is dropped, which a store that is away does not make a table's fault.
        """
        line = self._lines.get(line_of(named(message.topic))) or self._lines[UNKNOWN]
        urgent = is_urgent(message)
        self.interrupts |= urgent and not line.urgent
        line.push(message, urgent)
        self.bytes += size_of(message)
        self._activate(line)
        while line.urgent_bytes > line.urgent_most and len(line.urgent) > 1:
            self._drop(line, urgent=True)
        while drops and line.rounds_bytes > self._most_rounds(line) and len(line.rounds) > 1:
            self._drop(line, urgent=False)
        if drops and self.full:
            self._free()

    def know(self, tables: Iterable[str], now_ns: int) -> None:
        """These tables exist: each, or its house, has a line of its own from now on, with what waits of it."""
        for name in dict.fromkeys(map(line_of, tables)):
            if name not in self._lines and len(self._lines) <= MOST_TABLES:
                line = self._lines[name] = TableQueue(name, Allowance(self._quota_of(name), now_ns))
                self._move(self._lines[UNKNOWN], line)

    def batch(self, most: int, now_ns: int, most_ns: float = inf) -> list[ServiceTurn]:
        """The messages whose turn it is. Each is given to :meth:`stored` or :meth:`give_back`.

        With much waiting every second batch may be one of alerts and states alone.

        Args:
            most: how many at most.
            most_ns: what they may cost together, as estimated; one message may cost more.
        """
        self._forget_empty()
        self.interrupts = False
        picked: list[ServiceTurn] = []
        self._urgent_alone = self.bytes > MUCH and not self._urgent_alone
        self._left_ns = min(most_ns, URGENT_NS) if self._urgent_alone else most_ns
        for within in (True, False):
            for urgent in (True, False):
                lines = [line for line in self._active.values() if line.allowance.lasts(now_ns) == within]
                self._serve(lines, urgent, within, picked, most, now_ns)
                if self._urgent_alone and picked:
                    return picked
                # Rounds have a budget of their own: states of a thousand tables would leave them none.
                self._urgent_alone, self._left_ns = False, most_ns
        return picked

    def stored(self, turns: Sequence[ServiceTurn], processor_ns: Sequence[int], now_ns: int) -> None:
        """The first of these were stored, and cost so much processor time each."""
        for turn, cost_ns in zip(turns, processor_ns, strict=False):
            turn.line.charge(turn.message, turn.estimated_ns, cost_ns)
            turn.line.allowance.spend(0, 0, cost_ns - turn.estimated_ns, now_ns)
            self.bytes -= size_of(turn.message)
            self._served_ns = max(self._served_ns, turn.served_ns)
        self._forget_empty()

    def give_back(self, turns: Sequence[ServiceTurn], now_ns: int) -> None:
        """These were not stored: they are the next of their tables again, as if it had not been their turn."""
        for turn in reversed(turns):
            turn.line.push(turn.message, turn.urgent, front=True)
            turn.line.served_ns -= turn.estimated_ns
            turn.line.allowance.spend(-1, -size_of(turn.message), -turn.estimated_ns, now_ns)
            self._active[turn.line.table] = turn.line

    def rounds_wait(self, table: str) -> bool:
        """Whether rounds of a table, or of its house, wait, so that it need not be asked for any."""
        line = self._lines.get(line_of(table))
        return bool(line and line.rounds)

    def _quota_of(self, line: str) -> QuotaSection:
        return self._house_quota if house_of(line) else self._quota

    def _most_rounds(self, line: TableQueue) -> int:
        """How many bytes of a line's rounds wait at most."""
        return min(self._most_bytes, int(self._quota_of(line.table).waiting_megabytes * 1e6))

    def take_dropped(self) -> Counter[str]:
        """How many messages of each table were dropped since the last call; ``UNKNOWN`` for unknown names."""
        dropped, self._dropped = self._dropped, Counter()
        return dropped

    # -- turns ---------------------------------------------------------------------------------------------------

    def _serve(
        self,
        lines: Iterable[TableQueue],
        urgent: bool,
        within: bool,
        picked: list[ServiceTurn],
        most: int,
        now_ns: int,
    ) -> None:
        """Turns of these lines until none is left, or the batch is full."""
        heap = [
            (line.served_ns, place, line)
            for place, line in enumerate(lines)
            if (line.urgent if urgent else line.rounds)
        ]
        heapify(heap)
        while heap and len(picked) < most and (self._left_ns > 0 or not picked):
            _, place, line = heappop(heap)
            picked.append(self._pick(line, urgent, now_ns))
            if (line.urgent if urgent else line.rounds) and line.allowance.lasts(now_ns) == within:
                heappush(heap, (line.served_ns, place, line))

    def _pick(self, line: TableQueue, urgent: bool, now_ns: int) -> ServiceTurn:
        message = line.pop(urgent)
        estimated_ns, served_ns = line.estimate_ns(message), line.served_ns
        line.served_ns += estimated_ns
        self._left_ns -= estimated_ns
        line.allowance.spend(1, size_of(message), estimated_ns, now_ns)
        return ServiceTurn(message, line, urgent, estimated_ns, served_ns)

    def _activate(self, line: TableQueue) -> None:
        if line.table not in self._active:
            self._active[line.table] = line
            line.served_ns = max(line.served_ns, self._served_ns)

    def _forget_empty(self) -> None:
        for table in [table for table, line in self._active.items() if not line.bytes]:
            del self._active[table]

    # -- what does not fit ---------------------------------------------------------------------------------------

    def _drop(self, line: TableQueue, urgent: bool) -> None:
        self.bytes -= line.drop(urgent)
        self._dropped[line.table] += 1

    def _free(self) -> None:
        """All lines together are full: drop from the longest, whose table has had the most."""
        while self.bytes > _FREED * self._most_bytes:
            longest = max(self._active.values(), key=lambda line: line.bytes)
            if longest.bytes == 0:
                return
            self._drop(longest, urgent=not longest.rounds)

    def _move(self, common: TableQueue, line: TableQueue) -> None:
        """Move a table's messages from the common line to its own."""
        for urgent, queue in ((True, common.urgent), (False, common.rounds)):
            for _ in range(len(queue)):
                message = common.pop(urgent)
                (line if line_of(named(message.topic)) == line.table else common).push(message, urgent)
        if line.bytes:
            self._activate(line)
