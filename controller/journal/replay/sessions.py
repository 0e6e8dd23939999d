"""What is kept of a round's movements, by start of the table: entries and edges from one start to the next.

A tracker begins anew with each start, and monotonic time with each start of the machine. So entries and edges
belong together only within a session.
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
"""So many rounds before the one that is asked for are looked at, for where the wheel stood when that began."""


@dataclass(slots=True)
class Session:
    """Entries and edges of one start of the table, of the round that is asked for and of rounds before it.

    Attributes:
        whole: the first edges are those after the table's start; if not, the session began before them.
        since_ns: monotonic time from which on its edges are told: the start, or the entry before the first one.
        entries: with their records, in order.
        stretches: each with its round, in order.
    """

    whole: bool
    since_ns: int
    entries: list[tuple[Entry, Record]] = field(default_factory=list)
    stretches: list[tuple[int, EdgeStretch]] = field(default_factory=list)

    @property
    def until_ns(self) -> int:
        """When the last thing that is on record happened."""
        return max((entry.at_ns for entry, _ in self.entries), default=self.since_ns)

    @property
    def flushed(self) -> bool:
        """Whether all its edges were kept: they are when a round opens, and may be lost where the power goes."""
        return any(isinstance(effect, RoundOpened) for effect in self.entries[-1][1].effects)

    def edges(self) -> list[EdgeStretch]:
        """All that is kept of its edges."""
        return [stretch for _, stretch in self.stretches]

    def began_ns(self, number: int) -> int:
        """When a round began in this session: what happened until then belongs to the round before."""
        before = self.since_ns
        for entry, _ in self.entries:
            if entry.round == number:
                break
            before = entry.at_ns
        return before


def sessions(number: int, journal: Journal, traces: Traces) -> list[Session]:
    """The sessions that a round had a part in, in order; the first one from as far back as edges are kept."""
    first = _first_round(number, journal, traces)
    found = list(_cut(journal, range(first, number + 1)))
    kept = ((of, stretch) for of in range(first, number + 1) for stretch in traces.of(of))
    _deal(found, kept)
    return [one for one in found if any(entry.round == number for entry, _ in one.entries)]


def is_start(record: Record) -> bool:
    """Whether the table started with this: what it says of another version's rules comes first."""
    return isinstance(record.event, TableStarted | PowerRestored | RulesChanged)


def _first_round(number: int, journal: Journal, traces: Traces) -> int:
    """How far back edges are kept without a gap; no farther than the last start of the table before the round."""
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


def _deal(dealt: list[Session], stretches: Iterable[tuple[int, EdgeStretch]]) -> None:
    """Find each stretch its session: they come in the order in which they were kept."""
    at, last_ns = 0, 0
    for number, stretch in stretches:
        stamps = stretch.stamps_ns
        if stamps[0] < last_ns and at + 1 < len(dealt):
            at += 1  # Time began anew: the machine was switched off meanwhile.
        while at + 1 < len(dealt) and not _may_hold(dealt[at], dealt[at + 1], stretch):
            at += 1
        last_ns = stamps[-1]
        dealt[at].stretches.append((number, stretch))


def _may_hold(session: Session, following: Session, stretch: EdgeStretch) -> bool:
    """Whether edges may be of this session and not of one after it."""
    first_ns, last_ns = stretch.stamps_ns[0], stretch.stamps_ns[-1]
    time_went_on = following.since_ns >= session.until_ns
    return last_ns >= session.since_ns and not (time_went_on and first_ns >= following.since_ns)
