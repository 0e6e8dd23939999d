"""Keeps what tables send: one transaction for everything that has arrived, with all that is derived from it.

An entry is stored if it continues its record's chain, and once. What does not follow is answered with how far the
record is here; what contradicts is kept apart until a person settles it; what is no message, another table's or
forged is refused and counted. The sole writer of the database is :class:`Store`; it caches where each record ends.
"""

import logging
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from fractions import Fraction
from typing import TYPE_CHECKING, Any, NamedTuple

from sqlalchemy import Connection, bindparam, insert, select, update
from sqlalchemy.exc import DataError, IntegrityError, SQLAlchemyError

from controller.floor import schema
from controller.floor.database import StoreAwayError, away, settled_count, upsert
from controller.floor.derive import TABLE, Reader, Row, Sum, add_to_sums, alert, word
from controller.floor.wheels import Wheels
from controller.floor.wire import Batch, Have, Online, WireError, read, table_of
from controller.journal.chain import GENESIS, Entry, verify
from controller.journal.errors import JournalDamagedError

if TYPE_CHECKING:
    from controller.signing.keys import FloorKeys

log = logging.getLogger("floor")

FORK, RECORD, CLOCK, UNREADABLE = "fork", "record", "clock", "unreadable"
"""Kinds of alerts: a record contradicts itself; a table began another record; a table's clock is ahead; this
software cannot read a record. Others: :mod:`controller.floor.wheels`, and the tables' own."""
AHEAD = timedelta(days=1)
"""A table whose clock is farther ahead of the floor's is an alert."""
MOST_TABLES = 10_000
_COMPARE = "find out why; compare the journal that was set aside at the table with what is here"
_MOST_DISPUTED = 100
"""Batches of a record that are kept apart."""
_CHUNK = 2_000
"""Entries that are read again at once."""
_entries, _records = schema.entries.c, schema.records.c
_ENTRY = tuple(_entries[name] for name in Entry._fields)


class Arrived(NamedTuple):
    """A message as it came."""

    topic: str
    payload: bytes


class Answer(NamedTuple):
    """How far the floor has a table's record; None: it has nothing of the table."""

    table: str
    have: Have | None


@dataclass(slots=True)
class Stored:
    """Where a record ends in the database. Attributes are as columns of ``records``."""

    id: int
    table: str
    record: str
    seq: int = 0
    hash: str = GENESIS
    opening: int | None = None
    version: str = ""
    game: str = ""
    readable_to: int = 0
    deleted_to: int = 0
    disputed: bool = False
    reader: Reader | None = None
    """None until an entry is to be read."""
    unreadable: bool = False


_TO_WRITE = ("seq", "hash", "opening", "version", "game", "readable_to", "disputed")


@dataclass(slots=True)
class Work:
    """What a transaction writes: rows of the tables of the same names, and what else it is about.

    Attributes:
        spins: by record and round.
        tables: whose rows have changed.
        refused: how many messages, and why, by table and reason.
        stored: how many entries.
        utcs: wall time of each batch's last entry.
    """

    received: str
    entries: list[Row] = field(default_factory=list)
    rounds: list[Row] = field(default_factory=list)
    spins: dict[tuple[int, int], list[Row]] = field(default_factory=dict)
    touched: dict[int, Stored] = field(default_factory=dict)
    tables: set[str] = field(default_factory=set)
    refused: dict[tuple[str, str], tuple[int, str]] = field(default_factory=dict)
    stored: int = 0
    utcs: list[str] = field(default_factory=list)
    answers: dict[str, Stored | None] = field(default_factory=dict)

    def refuse(self, table: str, reason: str, detail: str, count: int = 1) -> None:
        before = self.refused.get((table, reason), (0, ""))[0]
        self.refused[table, reason] = (before + count, word(detail, 300))


class Store:
    """The floor's database, for the one process that writes it.

    Args:
        db: the connection of :func:`controller.floor.database.sole_writer`.
        utc: the present time, as journals write it.
        level: a fair wheel ever raises the alarm with this probability at most.
        keys: sign what the floor has, and check what tables signed; None for neither.
        committed: called after each transaction, for metrics.
    """

    def __init__(
        self,
        db: Connection,
        utc: Callable[[], str],
        level: Fraction,
        keys: "FloorKeys | None" = None,
        committed: Callable[[Work], None] | None = None,
    ) -> None:
        self.db = db
        self._utc = utc
        self._keys, self._committed = keys, committed
        self._wheels = Wheels(level)
        self._load()

    # -- what arrives --------------------------------------------------------------------------------------

    def take(self, arrived: Sequence[Arrived], flooded: Mapping[str, int] | None = None) -> list[Answer]:
        """Store what has arrived; returns what the tables are told, once all is durable.

        Args:
            flooded: how many messages of a table were dropped, because too many of it waited.

        Raises:
            StoreAwayError: the database cannot be used; nothing was stored.
        """
        try:
            return self._take(arrived, flooded or {})
        except StoreAwayError:
            raise
        except Exception:  # Of the database, or of what a table has made up: it keeps no other table back.
            log.exception("a message cannot be stored; one after the other is tried")
        answers: list[Answer] = []
        for one in arrived:
            try:
                answers += self._take([one], {})
            except StoreAwayError:
                raise
            except Exception as error:
                log.exception("a message of %s is refused", one.topic)
                found = table_of(one.topic)
                with self.transaction() as work:
                    work.refuse(found[0] if found else "", "defect", f"{type(error).__name__}: {error}")
        return answers

    def _take(self, arrived: Iterable[Arrived], flooded: Mapping[str, int]) -> list[Answer]:
        with self.transaction() as work:
            again = settled_count(self.db, lock=True) != self._settled
            if again:
                self._load_within()
            for table, count in flooded.items():
                work.refuse(table, "flood", "the table does not wait for answers", count)
            for one in arrived:
                table = ""
                try:
                    if (found := table_of(one.topic)) is None:
                        raise WireError(f"no topic of a table: {one.topic}", "topic")
                    table, kind = found
                    message = read(kind, one.payload)
                    if table not in self._tables and len(self._tables) >= MOST_TABLES:
                        raise WireError(f"a floor has {MOST_TABLES} tables at most", "tables")
                    if isinstance(message, Online):
                        self._online(work, table, message)
                    else:
                        self._batch(work, table, message, one.payload)
                except WireError as error:
                    work.refuse(table, error.reason, str(error))
        answers = self.haves() if again else []
        return answers + [self._answer(table, stored) for table, stored in work.answers.items()]

    def records(self) -> list[Stored]:
        """All records, the oldest first."""
        return list(self._by_record.values())

    def haves(self) -> list[Answer]:
        """What is told to all tables that have a record here."""
        return [self._answer(table, self._newest[table]) for table in self._newest]

    def _answer(self, table: str, stored: Stored | None) -> Answer:
        if stored is None:
            return Answer(table, None)
        head = (stored.record, stored.seq, stored.hash)
        signature = self._keys.sign(table, *head) if self._keys is not None else None
        return Answer(table, Have(record=head[0], seq=head[1], hash=head[2], signature=signature))

    # -- a table's messages --------------------------------------------------------------------------------

    def _online(self, work: Work, table: str, message: Online) -> None:
        row = self._table(table, work)
        if row["online"] != message.online:
            row["online_since"] = work.received
        row |= {"online": message.online, "running": message.running}

    def _table(self, table: str, work: Work) -> Row:
        """The table's row, to be written; a new one if it was never heard."""
        work.tables.add(table)
        texts = ("game", "state", "entry_utc", "dealer", "wheel", "currency", "minimum", "maximum")
        new: Row = {"table": table, "record_id": None, "online": False, "running": False, "round": 0}
        new |= {"online_since": work.received, **dict.fromkeys(texts, "")}
        row = self._tables.setdefault(table, new)
        row["heard"] = work.received
        return row

    def _batch(self, work: Work, table: str, batch: Batch, payload: bytes) -> None:
        entries = batch.journal_entries()
        last = entries[-1]
        signed = (table, batch.record, last.seq, last.hash, batch.signature)
        if self._keys is not None and not self._keys.verify(*signed):
            raise WireError(f"the signature of entry {last.seq} is not the table's", "signature")
        stored = self._by_record.get(batch.record)
        if stored is not None and stored.table != table:
            raise WireError(f"the record is table {stored.table}'s; a new name needs a new record", "foreign")
        work.answers[table] = stored or self._newest.get(table)
        if stored is None:
            if batch.first != 1:
                return
            if verify(iter(entries)).problem or entries[0].hash != batch.record:
                raise WireError(f"entries 1 to {last.seq} do not begin the record", "chain")
            stored = self._begin(work, table, batch.record)
        elif batch.first > stored.seq + 1:
            return
        elif batch.first <= stored.seq and (other := self._contradiction(work, stored, entries)) is not None:
            self._dispute(work, stored, other, payload)
            return
        fresh = [entry for entry in entries if entry.seq > stored.seq]
        if problem := verify(iter(fresh), stored.seq, stored.hash).problem:
            raise WireError(problem, "chain")
        work.answers[table] = stored
        if fresh:
            self._append(work, stored, fresh)

    def _begin(self, work: Work, table: str, record: str) -> Stored:
        """A record's first batch has come."""
        before = self._newest.get(table)
        about = {"table": table, "record": record, "seq": 0, "hash": GENESIS, "begun": work.received}
        empty = {"game": "", "version": "", "replaces": "", "readable_to": 0, "disputed": False}
        new = insert(schema.records).values(**about, **empty).returning(_records.id)
        stored = Stored(self.db.execute(new).scalar_one(), table, record)
        self._by_record[record] = self._newest[table] = stored
        self._table(table, work)["record_id"] = stored.id
        if before is not None:
            words = f"the table began another record; the one before has {before.seq} entries here"
            self._alert(alert(stored.table, RECORD, record, work.received, words, _COMPARE))
        return stored

    def _contradiction(self, work: Work, stored: Stored, entries: Sequence[Entry]) -> Entry | None:
        """The first of these entries that is another one than was stored; None if all are the same.

        Raises:
            WireError: it does not follow the one before it, so that it is no table's record at all.
        """
        first, last = entries[0].seq, min(entries[-1].seq, stored.seq)
        query = select(_entries.seq, _entries.hash).where(_entries.record_id == stored.id)
        self._write_entries(work)
        found = self.db.execute(query.where(_entries.seq.between(first - 1, last)))
        known = {0: GENESIS} | {row.seq: row.hash for row in found}
        sent = {entry.seq: entry.hash for entry in entries if entry.seq <= stored.deleted_to}
        for entry in entries[: last - first + 1]:
            if entry.seq <= stored.deleted_to or known[entry.seq] == entry.hash:
                continue
            before = known.get(entry.seq - 1) or sent.get(entry.seq - 1)
            if before is not None and entry.expected_hash(before) != entry.hash:
                raise WireError(f"entry {entry.seq} does not follow the one stored before it", "chain")
            return entry
        return None

    def _dispute(self, work: Work, stored: Stored, entry: Entry, payload: bytes) -> None:
        """Keep a batch apart that contradicts what is stored, once."""
        disputed = schema.disputed.c
        query = select(disputed.first, disputed.hash).where(disputed.record_id == stored.id)
        kept = {(first, hash_) for first, hash_ in self.db.execute(query)}
        if (entry.seq, entry.hash) in kept:
            raise WireError(f"entry {entry.seq} contradicts what is stored", "disputed")
        if len(kept) < _MOST_DISPUTED:
            row = {"record_id": stored.id, "first": entry.seq, "hash": entry.hash, "received": work.received}
            self.db.execute(insert(schema.disputed).values(**row, batch=zlib.compress(payload)))
        stored.disputed = True
        work.touched[stored.id] = stored
        words = f"the table sends another entry {entry.seq} than before ({entry.hash[:16]})"
        todo = f"verify the table's journal; then decide: table-controller floor FILE --settle {stored.table}"
        self._alert(alert(stored.table, FORK, stored.record, work.received, words, todo, entry.round))

    def _append(self, work: Work, stored: Stored, fresh: Sequence[Entry]) -> None:
        """Store entries that follow the last one of their record, and derive what they say."""
        names = Entry._fields
        work.entries += [{"record_id": stored.id, **dict(zip(names, entry, strict=True))} for entry in fresh]
        last = fresh[-1]
        work.stored += len(fresh)
        work.utcs.append(last.utc)
        stored.seq, stored.hash = last.seq, last.hash
        work.touched[stored.id] = stored
        row = self._table(stored.table, work)
        if row["record_id"] == stored.id:
            row |= {"round": last.round, "entry_utc": last.utc}
        self._check_clock(work, stored, max(entry.utc for entry in fresh))
        self._derive(work, stored, fresh)

    def _check_clock(self, work: Work, stored: Stored, utc: str) -> None:
        table = stored.table
        if utc[:19] > (datetime.fromisoformat(work.received) + AHEAD).isoformat()[:19]:
            if table not in self._ahead:
                words = f"the table's clock is far ahead: an entry of {utc}"
                todo = "set the clock of the table's computer; what is recorded keeps its time"
                self._alert(alert(stored.table, CLOCK, CLOCK, work.received, words, todo))
            self._ahead.add(table)
        elif table in self._ahead:
            self._ahead.discard(table)
            self._end(work.received, table, CLOCK, CLOCK)

    # -- what is derived -----------------------------------------------------------------------------------

    def _derive(self, work: Work, stored: Stored, fresh: Iterable[Entry]) -> None:
        if stored.unreadable:
            return
        entry: Entry | None = None
        try:
            reader = stored.reader or self._reader(stored)
            stored.reader = reader
            for entry in fresh:
                reader.take(entry)
                stored.readable_to = entry.seq
        except JournalDamagedError as error:
            self._set_unreadable(work, stored, entry, str(error))
        except Exception as error:  # Of a game's code, or of what a table has made up: the others go on.
            log.exception("table %s: entry %s cannot be read", stored.table, entry.seq if entry else "")
            self._set_unreadable(work, stored, entry, f"{type(error).__name__}: {error}")
        if stored.reader is None:
            return
        reader = stored.reader
        found = reader.found()
        stored.opening, stored.version = reader.opening, reader.version or stored.version
        if not stored.unreadable:
            now = reader.table_now()
            stored.game = now["game"]
            row = self._table(stored.table, work)
            if row["record_id"] == stored.id:
                row |= now
        if found.replaces:
            of_record = update(schema.records).where(_records.id == stored.id)
            self.db.execute(of_record.values(replaces=found.replaces))
            words = f"the table's record replaces another: {found.replaces}"
            self._alert(alert(stored.table, RECORD, stored.record, work.received, words, _COMPARE), instead=True)
        work.rounds += found.rounds
        for spin in found.spins:
            work.spins.setdefault((stored.id, spin["round"]), []).append(spin)
        if found.closed:
            self._end(found.closed, stored.table, TABLE)
        self._alert(*found.alerts)

    def _reader(self, stored: Stored) -> Reader:
        """A reader at the last entry that was read: made from the one that opened the present round."""
        opening = next(self._entries_of(stored, stored.opening - 1), None) if stored.opening else None
        reader = Reader(stored.table, stored.id, opening)
        for entry in self._entries_of(stored, opening.seq if opening is not None else 0):
            if entry.seq > stored.readable_to:
                break
            reader.take(entry)
        reader.found()  # It is in the database.
        return reader

    def _entries_of(self, stored: Stored, after: int) -> Iterator[Entry]:
        """Stored entries of a record, after one of them."""
        of_record = select(*_ENTRY).where(_entries.record_id == stored.id).order_by(_entries.seq).limit(_CHUNK)
        while rows := self.db.execute(of_record.where(_entries.seq > after)).all():
            yield from (Entry(*row) for row in rows)
            after = rows[-1].seq

    def _set_unreadable(self, work: Work, stored: Stored, entry: Entry | None, why: str) -> None:
        stored.unreadable = True
        where = f"entry {entry.seq}" if entry is not None else "its present round"
        words = f"this floor cannot read {where}: {word(why, 500)}"
        todo = "install a floor of the table's version; it reads everything that is stored"
        self._alert(alert(stored.table, UNREADABLE, stored.record, work.received, words, todo))

    def catch_up(self) -> None:
        """Derive what an earlier version of the floor could not read, a part at a time.

        Raises:
            StoreAwayError: the database cannot be used.
        """
        for stored in [one for one in self._by_record.values() if one.readable_to < one.seq]:
            while stored.readable_to < stored.seq and not stored.unreadable:
                with self.transaction() as work:
                    work.touched[stored.id] = stored
                    rest = self._entries_of(stored, stored.readable_to)
                    self._derive(work, stored, [entry for entry, _ in zip(rest, range(_CHUNK), strict=False)])
                    if stored.readable_to == stored.seq:
                        self._end(work.received, stored.table, UNREADABLE, stored.record)

    # -- writing -------------------------------------------------------------------------------------------

    @contextmanager
    def transaction(self) -> Iterator[Work]:
        """A transaction. If what is written is refused, what is cached is read again.

        Raises:
            StoreAwayError: the database cannot be used, and this store no longer.
        """
        work = Work(self._utc())
        try:
            with self.db.begin():
                yield work
                self._write(work)
        except Exception as error:
            if isinstance(error, SQLAlchemyError) and not isinstance(error, DataError | IntegrityError):
                raise away(error) from error
            self._load()
            raise
        if self._committed is not None:
            self._committed(work)

    def _write(self, work: Work) -> None:
        db = self.db
        self._write_entries(work)
        if work.touched:
            values: dict[str, Any] = {name: bindparam(f"to_{name}") for name in _TO_WRITE}
            rows = [
                {"of": one.id, **{f"to_{name}": getattr(one, name) for name in _TO_WRITE}}
                for one in work.touched.values()
            ]
            db.execute(update(schema.records).where(_records.id == bindparam("of")).values(values), rows)
        if work.rounds:
            db.execute(insert(schema.rounds), work.rounds)
            sums: dict[Sum, list[int]] = {}
            for round_ in work.rounds:
                of_round = work.spins.get((round_["record_id"], round_["number"]), ())
                add_to_sums(sums, round_, of_round)
                self._alert(*self._wheels.count(db, of_round, round_["game"], work.received))
            write_sums(db, sums)
            self._wheels.write(db)
        if work.spins:
            db.execute(insert(schema.spins), [spin for spins in work.spins.values() for spin in spins])
        upsert(db, schema.tables, [self._tables[table] for table in sorted(work.tables)])
        refused = [
            {"table": table, "reason": reason, "count": count, "last": work.received, "detail": detail}
            for (table, reason), (count, detail) in sorted(work.refused.items())
        ]
        upsert(db, schema.refused, refused, adding=("count",))

    def _write_entries(self, work: Work) -> None:
        if work.entries:
            self.db.execute(insert(schema.entries), work.entries)
            work.entries.clear()

    def _alert(self, *alerts: Row, instead: bool = False) -> None:
        """Raise alerts. One that stands already stays as it is, or is replaced with ``instead``."""
        upsert(self.db, schema.alerts, alerts, only=None if instead else schema.alerts.c.ended.is_not(None))

    def _end(self, utc: str, table: str, kind: str, *keys: str) -> None:
        """End alerts of a table: those of a kind, or only the ones about these keys."""
        alerts = schema.alerts.c
        of_kind = (alerts.table == table, alerts.kind == kind, alerts.ended.is_(None))
        about = (alerts.key.in_(keys),) if keys else ()
        self.db.execute(update(schema.alerts).where(*of_kind, *about).values(ended=utc))

    def _load(self) -> None:
        """Read where each record ends.

        Raises:
            StoreAwayError: the database cannot be used.
        """
        try:
            with self.db.begin():
                self._load_within()
        except SQLAlchemyError as error:
            raise away(error) from error

    def _load_within(self) -> None:
        self._wheels.forget()
        self._settled = settled_count(self.db)
        names = ("id", "table", "record", *_TO_WRITE, "deleted_to")
        query = select(*(_records[name] for name in names)).order_by(_records.id)
        found = [Stored(**dict(zip(names, row, strict=True))) for row in self.db.execute(query)]
        self._by_record = {stored.record: stored for stored in found}
        self._newest = {stored.table: stored for stored in found}
        self._tables: dict[str, Row] = {
            row["table"]: dict(row) for row in self.db.execute(select(schema.tables)).mappings()
        }
        alerts = schema.alerts.c
        ahead = select(alerts.table).where(alerts.kind == CLOCK, alerts.ended.is_(None))
        self._ahead = set(self.db.execute(ahead).scalars())


def write_sums(db: Connection, sums: Mapping[Sum, Sequence[int]]) -> None:
    """Add to the stored sums."""
    keys = [column.name for column in schema.sums.primary_key]
    rows = [
        {**dict(zip(keys, key, strict=True)), "count": count, "ms": ms} for key, (count, ms) in sorted(sums.items())
    ]
    upsert(db, schema.sums, rows, adding=("count", "ms"))
