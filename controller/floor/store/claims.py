"""Who may write the floor's store: one process all of it, or several workers each its share."""

import secrets
from collections.abc import Container, Iterable
from typing import Protocol

from sqlalchemy import Connection, select

from controller.floor.store import schema
from controller.floor.store.engine import StoreError, upsert
from controller.floor.store.hour_sums import begin_sums, unsummed
from controller.floor.store.leases import LeaseChange, Leases
from controller.floor.store.period_sums import begin_period_sums
from controller.floor.store.retention import kept_from
from controller.floor.store.spin_sums import begin_spin_sums, unspun

_WRITER = "writer"
"""The key in ``about`` of who writes the store."""
_WORKERS = "workers"


class Claim(Protocol):
    """What a process may write."""

    def check(self, db: Connection) -> None:
        """Before each batch, in its transaction.

        Raises:
            StoreError: another process has claimed the store; this one's caches no longer match what is stored.
        """

    def done(self) -> None:
        """The batch is stored."""

    def own(self, db: Connection, tables: Iterable[str]) -> Container[str]:
        """Those of some tables that it may write, until the transaction ends."""

    def in_office(self, db: Connection) -> bool:
        """Whether it does what one process does for all; so until the transaction ends."""

    def end(self, db: Connection) -> None:
        """It ends."""


class _Every(Container[str]):
    def __contains__(self, table: object) -> bool:
        return True


class WholeStore:
    """The claim of a floor that is one process."""

    def __init__(self) -> None:
        self._name = secrets.token_hex(8)
        self._claimed = False

    def check(self, db: Connection) -> None:
        """Claim the store with the first batch, and see later that no other floor has."""
        if not self._claimed:
            _begin_all_sums(db)
            _write_claim(db, self._name)
        elif _claimed_by(db) != self._name:
            raise StoreError("another floor has opened this store and writes it now; stop one of the two")

    def done(self) -> None:
        """The claim is stored, too."""
        self._claimed = True

    def own(self, db: Connection, tables: Iterable[str]) -> Container[str]:
        """All of them."""
        return _Every()

    def in_office(self, db: Connection) -> bool:
        """It does everything."""
        return True

    def end(self, db: Connection) -> None:
        """The next floor that opens the store takes it."""


class SharedStore:
    """The claim of a worker: the tables of which it has a lease."""

    def __init__(self, leases: Leases) -> None:
        self._leases = leases
        self._claimed = False
        self._batches = 0

    def check(self, db: Connection) -> None:
        """Share the store with the first batch, and see later that no floor has claimed all of it."""
        if not self._claimed:
            _begin_all_sums(db)
            if unsummed(db) or unspun(db):
                raise StoreError(
                    "the store has rounds of an earlier version that are in no sums yet: run one floor on it "
                    "without `worker:` until the hourly figures of its statistics are complete"
                )
            _write_claim(db, _WORKERS)
        elif _claimed_by(db) != _WORKERS:
            raise StoreError("a floor without `worker:` has opened this store and writes all of it; stop it")

    def done(self) -> None:
        """Count a batch."""
        self._claimed = True
        self._batches += 1

    def own(self, db: Connection, tables: Iterable[str]) -> Container[str]:
        """Those that no other worker took meanwhile. What belongs to no table is everyone's."""
        return {*self._leases.hold(db, {table for table in tables if table}), ""}

    def in_office(self, db: Connection) -> bool:
        """One of the workers has the office."""
        return self._leases.in_office(db)

    def beat(self, db: Connection, found: Iterable[str]) -> LeaseChange:
        """Say that this worker is alive, and take its share of the tables.

        Raises:
            StoreError: another process has begun to use this worker's name.
        """
        return self._leases.beat(db, found, self._batches)

    def end(self, db: Connection) -> None:
        """Others take its tables at once."""
        self._leases.end(db)


def _begin_all_sums(db: Connection) -> None:
    begin_sums(db)
    begin_period_sums(db)
    begin_spin_sums(db, kept_from(db))


def _write_claim(db: Connection, name: str) -> None:
    upsert(db, schema.about, [{"key": _WRITER, "value": name}])


def _claimed_by(db: Connection) -> str | None:
    return db.execute(select(schema.about.c.value).where(schema.about.c.key == _WRITER)).scalar()
