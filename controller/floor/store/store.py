"""The floor's store: writes what arrives, one transaction for each batch.

Either one process writes all of it, or several workers share it, each the tables of which it has a lease.
"""

import logging
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from fractions import Fraction
from typing import TypeVar

from sqlalchemy import Connection, Engine, select
from sqlalchemy.exc import DBAPIError

from config.floor import RetentionSection
from controller.floor.ingest.validation import Accepted, Arrived, Refusal, receive, refusal
from controller.floor.record.floor_record import FloorRecord
from controller.floor.store import schema
from controller.floor.store.claims import Claim, SharedStore, WholeStore
from controller.floor.store.engine import WRITING, StoreAwayError, StoreError, error_text, is_of_data, open_engine
from controller.floor.store.gaps import MissingRange, any_gap, end_filled, lack, name_missing_end
from controller.floor.store.leases import LeaseChange, Leases
from controller.floor.store.message_writer import MessageWriter
from controller.floor.store.partitions import PartitionCare
from controller.floor.store.quota_alerts import QuotaAlerts
from controller.floor.store.retention import Retention
from controller.floor.store.settled import settle_pending
from controller.floor.store.settling import pending
from controller.floor.store.spins import MakeEvidence, mixture
from controller.floor.store.stored_batch import StoredBatch

__all__ = ["Arrived", "MissingRange", "Store", "StoreAwayError", "StoreError", "StoredBatch"]

log = logging.getLogger("floor")
T = TypeVar("T")


class Store:
    """A floor's store. Any number of processes may read it.

    Args:
        url: SQLAlchemy's.
        level: the probability that a fair wheel ever raises the alarm is at most this.
        evidence: makes a wheel's evidence; by default that of :mod:`controller.fairness.evidence`.
        retention: how long what is kept; for ever by default.
        record: the floor's own, in which deletions and settlements are written; without it settlements wait.
        holds_days: how many days longer rounds are kept that the group's floor lacks; None for a floor of no group.
        tables_of_house: how many tables a house may have at this floor; None for any number.
        leases: of a worker that shares the store; without them no other process may write it.

    Raises:
        StoreAwayError: the database does not answer, or cannot be written.
        StoreError: the URL is wrong, or the database is not a floor's store; the message gives the remedy.
    """

    def __init__(
        self,
        url: str,
        level: Fraction = Fraction(1, 10_000),
        evidence: MakeEvidence | None = None,
        retention: RetentionSection | None = None,
        record: FloorRecord | None = None,
        holds_days: int | None = None,
        tables_of_house: int | None = None,
        leases: Leases | None = None,
    ) -> None:
        self._messages = MessageWriter(level, evidence or mixture(), tables_of_house, leases)
        self._quota_alerts = QuotaAlerts()
        self._lock = threading.Lock()
        self.engine: Engine = open_engine(url)
        self._writer = self.engine.execution_options(**{WRITING: True})
        self._shared = SharedStore(leases) if leases is not None else None
        self._claim: Claim = self._shared or WholeStore()
        self._claimed = False
        self._sums_lack = True
        self._record = record
        self._retention = Retention(retention or RetentionSection(), record, holds_days)
        self._partitions = PartitionCare()

    def take(self, messages: Sequence[Arrived], is_over: Callable[[], bool] = lambda: False) -> StoredBatch:
        """Read, check and store messages in the order in which they arrived, in one transaction.

        Args:
            is_over: asked after each message that was read; once it is true, the rest is left to a later call.

        Raises:
            StoreAwayError: the store is unavailable, and nothing of the batch is stored. Retry later.
            StoreError: another floor writes the store.
        """
        with self._lock:
            begun_ns, read, reading_ns = time.thread_time_ns(), [], []
            for message in messages:
                before_ns = time.thread_time_ns()
                read.append(receive(message))
                reading_ns.append(time.thread_time_ns() - before_ns)
                if is_over():
                    break
            result = self._take(read)
            self._quota_alerts.note(result.over_limit)
            own_ns = [sum(costs) for costs in zip(reading_ns, result.costs_ns, strict=True)]
            shared_ns = max(0, time.thread_time_ns() - begun_ns - sum(own_ns)) // max(1, len(own_ns))
            result.costs_ns = [cost_ns + shared_ns for cost_ns in own_ns]
            return result

    def upkeep(self, dropped: Mapping[str, int], utc_ns: int) -> None:
        """Do a slice of what the store does by itself.

        Args:
            dropped: how many messages of which tables were dropped since the last call; they are counted even if
                this fails.

        Raises:
            StoreAwayError: the store is unavailable. Retry later.
        """
        with self._lock:
            self._quota_alerts.note(dropped)
            if self._quota_alerts.is_due(utc_ns):
                with self._writing() as db:
                    self._quota_alerts.write(db, utc_ns)
                self._quota_alerts.written(utc_ns)
            cares = (self._partitions, self._retention)
            if self._claimed and (self._sums_lack or any(one.is_due(utc_ns) for one in cares)):
                with self._writing() as db:
                    self._do_for_all(db, utc_ns)

    def _do_for_all(self, db: Connection, utc_ns: int) -> None:
        """What one process does, whoever writes which table; one of it at a time."""
        if not self._claim.in_office(db):
            return
        if self._sums_lack:
            self._sums_lack = self._messages.add_sums(db)
        elif self._partitions.is_due(utc_ns):
            self._partitions.look(db, utc_ns)
        else:
            self._retention.delete_slice(db, utc_ns)

    def beat(self, found: Iterable[str]) -> LeaseChange:
        """Of a worker: say that it is alive, and take its share of the tables.

        Args:
            found: tables that were heard of.

        Raises:
            StoreAwayError: the store is unavailable. Retry later.
            StoreError: another process has begun to use this worker's name.
        """
        assert self._shared is not None
        with self._lock, self._writing() as db:
            change = self._shared.beat(db, found)
            if change.gained:
                self._messages.forget()  # What is cached of these tables is from when it had them last.
            return change

    def look_after(self, overdue: Sequence[str], utc: str) -> list[str]:
        """Name what is missing at records' ends, and let settlements take effect; returns their outcomes.

        Args:
            overdue: the tables whose entries have been missing for long.

        Raises:
            StoreAwayError: the store or the record cannot be written.
            StoreError: another floor writes the store.
        """
        with self._lock:
            try:
                with self.engine.connect() as db:
                    if not overdue and not pending(db) and not any_gap(db):
                        return []
                with self._writer.begin() as db:
                    self._claim.check(db)
                    for table in overdue:
                        name_missing_end(db, table, utc)
                    end_filled(db, utc)
                    outcomes = settle_pending(db, self._record, self._claim, self._messages, utc)
            except StoreError:
                raise
            except Exception as error:
                self._messages.forget()
                words = f"the store or the floor's record cannot be written: {error_text(error)}"
                raise StoreAwayError(words) from error
            self._messages.settled()
            return outcomes

    def lacks(self, tables: Iterable[str] | None = None) -> dict[str, MissingRange | None]:
        """What the floor lacks from the present record of each table, or of some.

        Raises:
            StoreAwayError: the store does not answer.
        """
        try:
            with self.engine.connect() as db:
                names = db.execute(select(schema.tables.c.table)).scalars() if tables is None else tables
                return {table: lack(db, table) for table in names}
        except DBAPIError as error:
            raise StoreAwayError(f"the store cannot be read: {error_text(error)}") from error

    def has_office(self) -> bool:
        """Whether this process does what one does for all.

        Raises:
            StoreAwayError: the store is unavailable.
        """
        return self.write(self._claim.in_office)

    def write(self, action: Callable[[Connection], T]) -> T:
        """Run an action in a transaction of its own, between those of what arrives: it must be short.

        Raises:
            StoreAwayError: the store is unavailable.
        """
        with self._lock, self._writing() as db:
            return action(db)

    def close(self) -> None:
        """Close it, once no other thread uses it or its engine: connections in use would not be closed."""
        if self._shared is not None:
            with suppress(StoreAwayError), self._writing() as db:  # Else others wait until it counts as dead.
                self._shared.end(db)
        self.engine.dispose()

    @contextmanager
    def _writing(self) -> Iterator[Connection]:
        """A transaction of the store's own.

        Raises:
            StoreAwayError: the store is unavailable.
        """
        try:
            with self._writer.begin() as db:
                yield db
        except DBAPIError as error:
            self._messages.forget_sums()
            raise StoreAwayError(f"the store cannot be written: {error_text(error)}") from error

    def _take(self, messages: Sequence[Accepted | Refusal]) -> StoredBatch:
        try:
            with self._writer.begin() as db:
                self._claim.check(db)
                result = self._write(db, messages)
            self._claim.done()
            self._claimed = True
            return result
        except StoreError:
            raise
        except Exception as error:
            self._messages.forget()
            if not is_of_data(error):
                raise StoreAwayError(f"the store cannot be written: {error_text(error)}") from error
            if len(messages) == 1:
                return self._refuse_instead(messages[0], error)
        # Halves, until the message is found that cannot be stored.
        half = len(messages) // 2
        result = self._take(messages[:half])
        result.add(self._take(messages[half:]))
        return result

    def _write(self, db: Connection, messages: Sequence[Accepted | Refusal]) -> StoredBatch:
        """Write messages, but for those of tables that another worker has by now, which hears them itself."""
        owned = self._claim.own(db, {one.table for one in messages})
        own = [one for one in messages if one.table in owned]
        result = self._messages.write(db, own) if own else StoredBatch()
        costs_ns = iter(result.costs_ns)
        result.costs_ns = [next(costs_ns) if one.table in owned else 0 for one in messages]
        return result

    def _refuse_instead(self, message: Accepted | Refusal, error: Exception) -> StoredBatch:
        """Refuse a message that cannot be stored: a defect here, or a constraint of the database."""
        log.error("a message of %.80s cannot be stored", message.arrived.topic, exc_info=error)
        if isinstance(message, Refusal):
            return StoredBatch(refused=1, reasons=Counter((message.reason,)), costs_ns=[0])
        detail = f"the store cannot hold it: {type(error).__name__}"
        return self._take([refusal(message.arrived, "schema", detail)])
