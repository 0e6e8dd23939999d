"""Which of several workers writes which table: leases in the store that they share.

Each worker says once a second that it is alive, by the database's clock, and knows by that which others are. Every
table belongs to the living worker whose name and the table's have the highest hash together (rendezvous hashing:
D. G. Thaler, C. V. Ravishankar, Using name-based mappings to increase hit rates. IEEE/ACM Transactions on
Networking 6(1), 1998, pp. 1-14). So a worker that comes or goes moves its own share of the tables and no other.

Who is alive is a guess; who may write is not. A transaction locks the leases of the tables that it writes, and has
none of those that another worker took meanwhile: a worker that hung writes nothing of them when it goes on.
"""

import hashlib
import secrets
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from sqlalchemy import BigInteger, Connection, Row, cast, delete, extract, func, select, update

from controller.floor.store import schema
from controller.floor.store.engine import StoreError, insert_new, upsert

BEAT_S = 1.0
"""How often a worker says that it is alive."""
DEAD_MS = 5_000
"""A worker that has not said so for this long is taken for dead."""
OFFICE = ""
"""The lease of what one worker does for all: deletions, and sums of older rounds. No table has this name."""
_FREE = ""
_AT_ONCE = 5_000
"""Names in one statement: PostgreSQL takes 65,535 values."""

_workers = schema.workers.c
_leases = schema.leases.c
_wheels = schema.wheel_writers.c


@dataclass(frozen=True, slots=True)
class LeaseChange:
    """What a beat has changed.

    Attributes:
        gained: tables that this worker writes from now on.
        lost: tables that it does not write any more.
        others: how many batches the other workers have stored, in all: another number is news for the pages.
    """

    gained: frozenset[str]
    lost: frozenset[str]
    others: int


class _Alive(NamedTuple):
    """The living workers: name by instance, and instance by name."""

    name: dict[str, str]
    instance: dict[str, str]

    def owner(self, table: str) -> str:
        """The name of the worker that a table belongs to."""
        return max(self.instance, key=lambda name: _weight(name, table))


def database_ms(db: Connection) -> int:
    """The database's clock, in milliseconds since 1970: all workers have the same one."""
    now = cast(extract("epoch", func.clock_timestamp()) * 1000, BigInteger)
    return int(db.execute(select(now)).scalar_one())


class Leases:
    """The leases of one worker. It is used by one thread at a time.

    Args:
        name: of the worker, its own among those that share the store.
        now_ms: reads the clock that all workers have in common.

    Attributes:
        held: the tables of which it has a lease, as of its last beat. :meth:`hold` says whether it still has.
    """

    def __init__(self, name: str, now_ms: Callable[[Connection], int] = database_ms) -> None:
        self.name = name
        self.held: frozenset[str] = frozenset()
        self._instance = secrets.token_hex(8)
        self._now_ms = now_ms
        self._beat_ms: int | None = None
        """When it last said that it is alive; None before the first time."""
        self._since_ms = 0
        """Since when it has said so without a pause: whom it can miss."""
        self._settled: tuple[_Alive, dict[str, int]] | None = None
        """Who was alive and had how many tables after the last beat that looked at each of them."""

    def beat(self, db: Connection, found: Iterable[str], batches: int) -> LeaseChange:
        """Say that this worker is alive; take the free tables that belong to it, and give back those that do not.

        Args:
            found: tables that were heard of.
            batches: how many this worker has stored.

        Raises:
            StoreError: another process has begun to use this worker's name.
        """
        self._say_alive(db, batches)
        rows = list(db.execute(select(schema.workers)))
        alive = self._alive(rows)
        _add_new(db, found)
        shares = _shares(db)
        if (alive, shares) == self._settled:
            return LeaseChange(frozenset(), frozenset(), self._batches_of_others(rows))
        leases = {row.table: row.worker for row in db.execute(select(schema.leases))}
        mine = {table for table, worker in leases.items() if worker == self._instance}
        given = {table for table in mine if alive.owner(table) != self.name}
        claims = [table for table, worker in leases.items() if worker not in alive.name]
        taken = self._take(db, [table for table in claims if alive.owner(table) == self.name], leases)
        self._give_back(db, given)
        held = frozenset((mine | taken) - given - {OFFICE})
        change = LeaseChange(held - self.held, self.held - held, self._batches_of_others(rows))
        self.held, self._settled = held, (alive, _shares(db))
        return change

    def hold(self, db: Connection, tables: Collection[str]) -> set[str]:
        """Which of these tables this worker may write; that stays so until the transaction ends."""
        held: set[str] = set()
        for names in _slices(tables):
            mine = (_leases.table.in_(names), _leases.worker == self._instance)
            # A claim locks a lease for an update, which waits for this one; a heartbeat of others does not.
            query = select(_leases.table).where(*mine).with_for_update(read=True, key_share=True)
            held.update(db.execute(query).scalars())
        return held

    def in_office(self, db: Connection) -> bool:
        """Whether this worker does what one does for all; that stays so until the transaction ends."""
        return OFFICE in self.hold(db, [OFFICE])

    def takes_wheel(self, db: Connection, wheel: str) -> bool:
        """Lock a wheel, which may be moved from one worker's table to another's, until the transaction ends.

        Returns:
            whether another worker wrote it since this one did: what is cached of it is old.
        """
        insert_new(db, schema.wheel_writers, {"wheel": wheel, "worker": _FREE})
        query = select(_wheels.worker).where(_wheels.wheel == wheel).with_for_update()
        if db.execute(query).scalar_one() == self._instance:
            return False
        db.execute(update(schema.wheel_writers).where(_wheels.wheel == wheel).values(worker=self._instance))
        return True

    def end(self, db: Connection) -> None:
        """This worker ends: others take its tables at once."""
        db.execute(update(schema.leases).where(_leases.worker == self._instance).values(worker=_FREE))
        place = (_workers.name == self.name, _workers.instance == self._instance)
        db.execute(delete(schema.workers).where(*place))
        self.held = frozenset()

    def _say_alive(self, db: Connection, batches: int) -> None:
        now_ms = self._now_ms(db)
        there = db.execute(select(_workers.instance).where(_workers.name == self.name).with_for_update()).scalar()
        if self._beat_ms is not None and there not in (None, self._instance):
            raise StoreError(f"another process is the worker '{self.name}' now; give each a name of its own")
        row: dict[str, object] = {"name": self.name, "instance": self._instance, "seen_ms": now_ms}
        upsert(db, schema.workers, [{**row, "batches": batches}])
        if self._beat_ms is None or now_ms - self._beat_ms >= DEAD_MS:
            self._since_ms = now_ms
        self._beat_ms = now_ms

    def _alive(self, rows: Sequence[Row[tuple[str, str, int, int]]]) -> _Alive:
        """The living workers. A worker that paused itself cannot tell who was silent meanwhile."""
        assert self._beat_ms is not None
        heard_ms = {row.instance: max(row.seen_ms, self._since_ms) for row in rows}
        living = [row for row in rows if self._beat_ms - heard_ms[row.instance] < DEAD_MS]
        return _Alive({row.instance: row.name for row in living}, {row.name: row.instance for row in living})

    def _take(self, db: Connection, tables: Collection[str], leases: dict[str, str]) -> set[str]:
        """Take leases that are free or a dead worker's, without waiting for one that is in use."""
        taken: set[str] = set()
        for names in _slices(tables):
            query = select(_leases.table, _leases.worker).where(_leases.table.in_(names))
            for row in db.execute(query.with_for_update(skip_locked=True)):
                if row.worker == leases[row.table]:
                    taken.add(row.table)
        for names in _slices(taken):
            db.execute(update(schema.leases).where(_leases.table.in_(names)).values(worker=self._instance))
        return taken

    def _give_back(self, db: Connection, tables: Collection[str]) -> None:
        for names in _slices(tables):
            mine = (_leases.table.in_(names), _leases.worker == self._instance)
            db.execute(update(schema.leases).where(*mine).values(worker=_FREE))

    def _batches_of_others(self, rows: Sequence[Row[tuple[str, str, int, int]]]) -> int:
        return sum(row.batches for row in rows if row.name != self.name)


def _add_new(db: Connection, found: Iterable[str]) -> None:
    """Tables that were heard of, or that a store had before it had leases, have a lease from now on."""
    known = select(_leases.table)
    stored = select(schema.tables.c.table).where(schema.tables.c.table.not_in(known))
    for table in sorted({*found, *db.execute(stored).scalars(), *_office(db)}):
        insert_new(db, schema.leases, {"table": table, "worker": _FREE})


def _shares(db: Connection) -> dict[str, int]:
    """How many tables each worker has. One that loses a table without its doing has fewer than before."""
    query = select(_leases.worker, func.count()).group_by(_leases.worker)
    return {row[0]: row[1] for row in db.execute(query)}


def _office(db: Connection) -> Iterator[str]:
    if db.execute(select(_leases.table).where(_leases.table == OFFICE)).first() is None:
        yield OFFICE


def _slices(tables: Collection[str]) -> Iterator[list[str]]:
    ordered = sorted(tables)  # The same order in every worker: none waits for another that waits for it.
    for begin in range(0, len(ordered), _AT_ONCE):
        yield ordered[begin : begin + _AT_ONCE]


def _weight(name: str, table: str) -> bytes:
    return hashlib.sha256(f"{name}\0{table}".encode()).digest()
