"""What reached the store of a floor, beside what the tables recorded. For :mod:`benchmarks.floor`."""

import time
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path

from sqlalchemy import create_engine, func, select, text
from sqlalchemy.exc import DBAPIError

from controller.events.effect import RoundOpened
from controller.floor.store import schema
from controller.journal.chain import Entry
from controller.journal.journal import Journal
from controller.journal.record import of_entry

OUT_OF_ORDER = 2_000
"""How many rounds' numbers may be drawn before one is stored that has a lower number."""
OUR_ALERTS = ("gap", "fork", "record", "false", "unproven", "wheel")
"""Alerts of the floor's own about a record; the tables' faults are part of the play."""


@dataclass(frozen=True, slots=True)
class Stored:
    """A round as it was first seen in the store.

    Attributes:
        closed_s: when the table recorded its last entry, seconds of wall time.
        lag_s: from then until it was seen in the store.
    """

    table: str
    closed_s: float
    lag_s: float


@dataclass
class Difference:
    """What of the tables' records is not in the store as it is on record.

    Attributes:
        rounds: that the tables closed.
        twice: stored more than once.
        other: stored with another hash, or without being on any record.
        refused: messages that the floor could not take, by reason.
    """

    rounds: int = 0
    missing: list[str] = field(default_factory=list)
    twice: list[str] = field(default_factory=list)
    other: list[str] = field(default_factory=list)
    alerts: list[str] = field(default_factory=list)
    disputed: int = 0
    refused: dict[str, int] = field(default_factory=dict)
    records: int = 0

    @property
    def none(self) -> bool:
        """Whether everything is as it should be."""
        return not (self.missing or self.twice or self.other or self.alerts or self.disputed or self.refused)


class StoreWatch:
    """Reads the store from outside, as the floor's process fills it."""

    def __init__(self, url: str) -> None:
        self._engine = create_engine(url)
        self._last = 0
        self._recent: set[int] = set()
        self.stored: list[Stored] = []

    def poll(self) -> None:
        """See which rounds are new; a store that cannot be read at the moment shows none."""
        columns = schema.rounds.c
        # Of workers, a round with a lower number may be stored later: the transaction that drew it ended
        # later.
        query = select(columns.id, columns.table, columns.closed).where(columns.id > self._last - OUT_OF_ORDER)
        try:
            with self._engine.connect() as connection:
                rows = connection.execute(query).all()
        except DBAPIError:
            return
        now_s = time.time()
        known, self._recent = self._recent, {number for number, _, _ in rows}
        self._last = max(self._recent, default=self._last)
        for number, table, closed in rows:
            if number in known:
                continue
            closed_s = datetime.fromisoformat(closed).timestamp()
            self.stored.append(Stored(table, closed_s, now_s - closed_s))

    def tables_of(self, worker: str) -> int:
        """How many tables a worker has, that no other has taken; -1 if the store cannot be read."""
        leases, workers = schema.leases.c, schema.workers.c
        of_worker = select(workers.instance).where(workers.name == worker).scalar_subquery()
        try:
            with self._engine.connect() as connection:
                count = select(func.count()).select_from(schema.leases).where(leases.worker == of_worker)
                return connection.execute(count).scalar_one()
        except DBAPIError:
            return -1

    def size_bytes(self) -> int:
        """Of the store on disk, indexes included; 0 if it cannot be asked."""
        database = "pg_database_size(current_database())"
        size = database if self._engine.name == "postgresql" else "page_count * page_size"
        tables = "" if self._engine.name == "postgresql" else " FROM pragma_page_count, pragma_page_size"
        try:
            with self._engine.connect() as connection:
                return int(connection.execute(text(f"SELECT {size}{tables}")).scalar_one())
        except DBAPIError:
            return 0

    def compare(self, recorded: Set[tuple[str, str, int, str]]) -> Difference:
        """Compare the store with what tables recorded, as :func:`rounds_of` has it."""
        difference = Difference()
        with self._engine.connect() as connection:
            columns = schema.rounds.c
            stored = connection.execute(select(columns.table, columns.record, columns.seq, columns.hash)).all()
            alerts = select(schema.alerts).where(schema.alerts.c.ended.is_(None))
            difference.alerts = [
                f"{row.table}: {row.kind}: {row.text}"
                for row in connection.execute(alerts.where(schema.alerts.c.kind.in_(OUR_ALERTS)))
            ]
            difference.disputed = connection.execute(select(func.count()).select_from(schema.disputed)).scalar_one()
            reasons = schema.refused_count.c
            for reason, count in connection.execute(select(reasons.reason, reasons["count"])):
                difference.refused[reason] = difference.refused.get(reason, 0) + count
        found = Counter((table, record, seq, digest) for table, record, seq, digest in stored)
        difference.rounds = len(recorded)
        difference.records = len({record for _, record, _, _ in recorded})
        difference.missing = _words(recorded - set(found))
        difference.other = _words(set(found) - recorded)
        places = Counter((table, record, seq) for table, record, seq, _ in found.elements())
        difference.twice = _words(place for place, count in places.items() if count > 1)
        return difference

    def close(self) -> None:
        self._engine.dispose()


def rounds_of(journals: Mapping[str, Path]) -> Iterable[tuple[str, str, int, str]]:
    """Every round that a table closed: its name, its record, and the entry that opened the next one."""
    for table, file in journals.items():
        if not file.exists():
            continue
        journal = Journal(file, read_only=True)
        record = ""
        for entry in journal.entries():
            record = record or entry.hash
            if _opens(entry):
                yield table, record, entry.seq, entry.hash
        journal.close()


def _opens(entry: Entry) -> bool:
    # An entry with which a round opens holds a checkpoint; to read all the others would take long.
    if entry.checkpoint is None:
        return False
    return any(isinstance(effect, RoundOpened) for effect in of_entry(entry).effects)


def _words(places: Iterable[Sequence[object]]) -> list[str]:
    return sorted(" ".join(map(str, place)) for place in places)
