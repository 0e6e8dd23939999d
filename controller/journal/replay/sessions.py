"""Splits entries and edges into sessions: from one start of the table to the next.

Each start has a new tracker, and each boot of the computer its own monotonic time. So entries and edges can only be
compared within a session.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from controller.events.effect import RoundOpened
from controller.events.event import PowerRestored, RulesChanged, TableStarted
from controller.events.record import Record
from controller.journal.chain import Entry
from controller.journal.journal import Journal
from controller.journal.record import of_entry
from controller.journal.replay.trace import EdgeStretch, Traces

LEAD_ROUNDS = 20
"""The most rounds before the requested one whose edges are used to find the wheel's position at its beginning."""


@dataclass(slots=True)
class Session:
    """Entries and edges since one start of the table, of the requested round and of rounds before it.

    Attributes:
        whole: whether the edges begin with the table's start; if not, earlier ones are missing.
        since_ns: monotonic time of the start, or of the entry before the first one.
        entries: with their records, in order.
        stretches: with their rounds, in order.
    """

    whole: bool
    since_ns: int
    entries: list[tuple[Entry, Record]] = field(default_factory=list)
    stretches: list[tuple[int, EdgeStretch]] = field(default_factory=list)

    @property
    def until_ns(self) -> int:
        """The time of the last entry."""
        return max((entry.at_ns for entry, _ in self.entries), default=self.since_ns)

    @property
    def flushed(self) -> bool:
        """Whether all its edges were stored: they are when a round opens, and may be lost in a power cut."""
        return any(isinstance(effect, RoundOpened) for effect in self.entries[-1][1].effects)

    def edges(self) -> list[EdgeStretch]:
        """All stored edges."""
        return [stretch for _, stretch in self.stretches]

    def began_ns(self, number: int) -> int:
        """When a round began in this session; events up to then belong to the round before."""
        before = self.since_ns
        for entry, _ in self.entries:
            if entry.round == number:
                break
            before = entry.at_ns
        return before


def sessions(number: int, journal: Journal, traces: Traces) -> list[Session]:
    """The sessions of a round, in order; the first one begins as far back as there are edges."""
    first = _first_round(number, journal, traces)
    found = list(_cut(journal, range(first, number + 1)))
    for of in range(first, number + 1):
        for stretch in traces.of(of):
            started = [one for one in found if one.entries[0][0].seq <= stretch.seq]
            (started or found)[-1 if started else 0].stretches.append((of, stretch))
    return [one for one in found if any(entry.round == number for entry, _ in one.entries)]


def is_start(record: Record) -> bool:
    """Whether the table started with this event. A change of rules is recorded before the start itself."""
    return isinstance(record.event, TableStarted | PowerRestored | RulesChanged)


def _first_round(number: int, journal: Journal, traces: Traces) -> int:
    """The first of the rounds whose edges are stored without a gap, at most back to the last start of the table."""
    kept = set(traces.rounds())
    first = number
    entries = [of_entry(entry) for entry in journal.entries(round_=number)]
    begun = bool(entries) and is_start(entries[0])
    while not begun and first - 1 in kept and number - first < LEAD_ROUNDS:
        first -= 1
        begun = any(is_start(of_entry(entry)) for entry in journal.entries(round_=first))
    return first


def _cut(journal: Journal, rounds: Iterable[int]) -> Iterator[Session]:
    session = None
    for number in rounds:
        for entry in journal.entries(round_=number):
            record = of_entry(entry)
            if is_start(record) or session is None:
                if session is not None:
                    yield session
                session = Session(is_start(record), _since_ns(journal, entry, record))
            session.entries.append((entry, record))
    if session is not None:
        yield session


def _since_ns(journal: Journal, entry: Entry, record: Record) -> int:
    if is_start(record) or entry.seq == 1:
        return entry.at_ns
    return next(journal.entries(after=entry.seq - 2)).at_ns
