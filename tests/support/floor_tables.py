"""Records of tables for tests of the floor: those of the golden journals, and what else a table may send."""

import asyncio
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from fractions import Fraction
from typing import Any

from golden.journals import entries_of
from sqlalchemy import Engine, Table, select
from tampering import chained

from controller.floor import schema
from controller.floor.database import make_engine, prepare, sole_writer
from controller.floor.source import Head, SocketRecords
from controller.floor.store import Answer, Arrived, Store
from controller.floor.wire import Batch, entries_topic, write
from controller.journal.chain import Entry
from controller.journal.errors import JournalDamagedError
from controller.runtime.table_client import UnreachableError

NOW = "2026-11-29T12:00:00.000Z"
PATIENCE_S = 180.0
"""What has not come by then never will."""
DERIVED = (schema.entries, schema.rounds, schema.spins, schema.sums, schema.wheels, schema.wheel_counts)
"""Tables whose content follows from the entries, and in no other way."""


def forked(entries: Sequence[Entry], at: int, utc: str = "2026-06-01T00:00:00.000Z") -> list[Entry]:
    """A record that is another one from an entry on, as if the table had been set back and played on."""
    other = entries[at - 1]._replace(utc=utc)
    return chained([*entries[: at - 1], other, *entries[at:]], at - 1)


def copied(entries: Sequence[Entry], utc: str) -> list[Entry]:
    """The same as another record: it began at another time."""
    return chained([entries[0]._replace(utc=utc), *entries[1:]])


def batch(table: str, entries: Sequence[Entry], record: str = "") -> Arrived:
    """Consecutive entries as a message; of the record that they begin, unless it is named."""
    return Arrived(entries_topic(table), write(Batch.of(record or entries[0].hash, entries)))


def batches(table: str, entries: Sequence[Entry], size: int = 50) -> list[Arrived]:
    """A record as messages."""
    record = entries[0].hash
    return [batch(table, entries[at : at + size], record) for at in range(0, len(entries), size)]


def open_database(url: str) -> Engine:
    """A floor's database."""
    engine = make_engine(url)
    prepare(engine)
    return engine


@contextmanager
def stored(url: str, utc: Callable[[], str] = lambda: NOW, odds: int = 10_000) -> Iterator[Store]:
    """A floor's database, open to write."""
    engine = open_database(url)
    try:
        with sole_writer(engine) as db:
            assert db is not None
            yield Store(db, utc, Fraction(1, odds))
    finally:
        engine.dispose()


def rows(store: Store, table: Table, *without: str) -> list[dict[str, Any]]:
    """All rows of a table, sorted."""
    with store.db.begin():
        found = [dict(row) for row in store.db.execute(select(table)).mappings()]
    return sorted(({k: v for k, v in row.items() if k not in without} for row in found), key=repr)


def content(store: Store) -> dict[str, list[dict[str, Any]]]:
    """Everything that follows from the entries."""
    return {table.name: rows(store, table, "evidence", "highest", "labels", "suspicion") for table in DERIVED}


def refusals(store: Store) -> dict[tuple[str, str], int]:
    """How many messages were refused, by table and reason."""
    return {(row["table"], row["reason"]): row["count"] for row in rows(store, schema.refused)}


def standing(store: Store) -> list[tuple[str, str]]:
    """The floor's own alerts that stand: table and kind."""
    alerts = rows(store, schema.alerts)
    return [(row["table"], row["kind"]) for row in alerts if row["ended"] is None and row["kind"] != "table"]


def seq_of(answers: Sequence[Answer]) -> list[int]:
    """How far the floor says that it is."""
    return [answer.have.seq if answer.have is not None else 0 for answer in answers]


class TableRecords(SocketRecords):
    """A table's records in memory; it can be played on, and stopped."""

    def __init__(self, *records: Sequence[Entry]) -> None:
        self.kept = {entries[0].hash: list(entries) for entries in records}
        self.running = self.named = True
        """Whether the name of its present record can be read."""
        self.damaged: dict[str, int] = {}
        """The first damaged entry of a record."""

    async def head(self) -> Head | None:
        self._check()
        if not self.named:
            raise JournalDamagedError("the file cannot be read")
        name, entries = list(self.kept.items())[-1]
        return Head(name, len(entries))

    def add(self, *entries: Entry) -> None:
        """The table plays on."""
        list(self.kept.values())[-1].extend(entries)

    async def records(self) -> list[str]:
        self._check()
        return list(self.kept)

    async def entries(self, record: str, after: int, limit: int) -> list[Entry]:
        self._check()
        sound = self.kept[record][: self.damaged.get(record, 1 << 60) - 1]
        if after >= len(sound) < len(self.kept[record]):
            raise JournalDamagedError("this record is damaged")
        return sound[after : after + min(limit, 40)]

    def _check(self) -> None:
        if not self.running:
            raise UnreachableError("the table does not run")


def everything(engine: Engine) -> dict[str, list[int]]:
    """The numbers of stored entries, by table, in the order in which they are stored."""
    entries, records = schema.entries.c, schema.records.c
    query = select(records.table, records.id, entries.seq).join(schema.records, records.id == entries.record_id)
    found: dict[str, list[int]] = {}
    with engine.connect() as db:
        for table, _, seq in db.execute(query.order_by(records.id, entries.seq)):
            found.setdefault(table, []).append(seq)
    return found


async def until(condition: Callable[[], bool]) -> None:
    """Let the loop run until a condition holds."""
    async with asyncio.timeout(PATIENCE_S):
        while not condition():
            await asyncio.sleep(0.01)  # Until it is looked at again.


__all__ = ["entries_of"]
