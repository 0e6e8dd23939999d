"""The floor's store: writes what arrives, one transaction for each batch."""

import logging
import secrets
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from fractions import Fraction

from sqlalchemy import Connection, Engine, select
from sqlalchemy.exc import DataError, DBAPIError, IntegrityError, SQLAlchemyError

from config.floor import RetentionSection
from controller.floor.acknowledgement import Acknowledgement, acknowledge_all
from controller.floor.ingest.validation import Accepted, Arrived, Refusal, receive, refusal
from controller.floor.record.floor_record import FloorRecord
from controller.floor.settlement import ACKNOWLEDGE
from controller.floor.store import alerts, schema, settling
from controller.floor.store.engine import WRITING, StoreAwayError, StoreError, error_text, open_engine, upsert
from controller.floor.store.gaps import MissingRange, any_gap, end_filled, lack, name_missing_end
from controller.floor.store.hour_sums import begin_sums
from controller.floor.store.message_writer import MessageWriter
from controller.floor.store.quota_alerts import QuotaAlerts
from controller.floor.store.retention import Retention
from controller.floor.store.settling import pending
from controller.floor.store.spins import MakeEvidence
from controller.floor.store.stored_batch import StoredBatch

__all__ = ["Arrived", "MissingRange", "Store", "StoreAwayError", "StoreError", "StoredBatch"]

log = logging.getLogger("floor")

_WRITER = "writer"
_CLOSING_S = 1.0


def _never() -> bool:
    return False


class Store:
    """A floor's store. One process writes it; any number may read.

    Args:
        url: SQLAlchemy's.
        level: the probability that a fair wheel ever raises the alarm is at most this.
        evidence: makes a wheel's evidence; by default that of :mod:`controller.fairness.evidence`.
        retention: how long what is kept; for ever by default.
        record: the floor's own, in which deletions and settlements are written; without it settlements wait.

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
    ) -> None:
        self._messages = MessageWriter(level, evidence or _mixture())
        self._quota_alerts = QuotaAlerts()
        self._lock = threading.Lock()
        self.engine: Engine = open_engine(url)
        self._writer = self.engine.execution_options(**{WRITING: True})
        self._name = secrets.token_hex(8)
        self._claimed = False
        self._sums_lack = True
        self._record = record
        self._retention = Retention(retention or RetentionSection(), record)

    def take(self, messages: Sequence[Arrived], is_over: Callable[[], bool] = _never) -> StoredBatch:
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
            if self._claimed and self._sums_lack:
                with self._writing() as db:
                    self._sums_lack = self._messages.sums.add_slice(db)
                    self._messages.sums.write(db)
            elif self._claimed and self._retention.is_due(utc_ns):
                with self._writing() as db:
                    self._retention.delete_slice(db, utc_ns)

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
                    self._claim(db)
                    for table in overdue:
                        name_missing_end(db, table, utc)
                    end_filled(db, utc)
                    outcomes = self._settle(db, utc)
            except StoreError:
                raise
            except Exception as error:
                self._messages.forget()
                words = f"the store or the floor's record cannot be written: {error_text(error)}"
                raise StoreAwayError(words) from error
            self._messages.settled()
            return outcomes

    def judged(self, table: str, problem: str, utc: str) -> None:
        """Store what a challenge for a table's software has shown.

        Args:
            problem: empty if the table has the release.

        Raises:
            StoreAwayError: the store is unavailable.
        """
        try:
            with self._lock, self._writer.begin() as db:
                alerts.of_software(db, table, problem, utc)
        except DBAPIError as error:
            raise StoreAwayError(f"the store cannot be written: {error_text(error)}") from error

    def lacks(self) -> dict[str, MissingRange | None]:
        """What the floor lacks from each table's present record.

        Raises:
            StoreAwayError: the store does not answer.
        """
        try:
            with self.engine.connect() as db:
                return {table: lack(db, table) for table in db.execute(select(schema.tables.c.table)).scalars()}
        except DBAPIError as error:
            raise StoreAwayError(f"the store cannot be read: {error_text(error)}") from error

    def close(self) -> None:
        """Close it; a transaction of another thread that does not end within a second is left to the database."""
        if self._lock.acquire(timeout=_CLOSING_S):
            try:
                self.engine.dispose()
            finally:
                self._lock.release()

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
            self._messages.sums.forget()
            raise StoreAwayError(f"the store cannot be written: {error_text(error)}") from error

    def _settle(self, db: Connection, utc: str) -> list[str]:
        """Let what people asked for take effect, each once it is on the floor's record."""
        outcomes: list[str] = []
        for row in pending(db):
            if self._record is None:
                break
            if row.kind == ACKNOWLEDGE:
                by = Acknowledgement(row.person, row.reason, row.origin, utc)
                outcomes.append(acknowledge_all(db, self._record, row.table, row.what, by))
                settling.done(db, row, utc, outcomes[-1])
                continue
            what = {
                "table": row.table,
                "what": row.what,
                "reason": row.reason,
                "number": row.id,
                "from": row.origin,
            }
            self._record.write(f"{row.kind}-settled", row.person, what)
            outcomes.append(settling.apply(db, row, utc, self._messages))
        self._messages.flush(db)
        return outcomes

    def _take(self, messages: Sequence[Accepted | Refusal]) -> StoredBatch:
        try:
            with self._writer.begin() as db:
                self._claim(db)
                result = self._messages.write(db, messages)
            self._claimed = True
            return result
        except StoreError:
            raise
        except Exception as error:
            self._messages.forget()
            if not _of_message(error):
                raise StoreAwayError(f"the store cannot be written: {error_text(error)}") from error
            if len(messages) == 1:
                return self._refuse_instead(messages[0], error)
        # Halves, until the message is found that cannot be stored.
        half = len(messages) // 2
        result = self._take(messages[:half])
        result.add(self._take(messages[half:]))
        return result

    def _claim(self, db: Connection) -> None:
        """Claim the store with the first batch, and check later that no other floor has claimed it.

        Raises:
            StoreError: another has; this one's caches no longer match what is stored.
        """
        if not self._claimed:
            begin_sums(db)
            upsert(db, schema.about, [{"key": _WRITER, "value": self._name}])
            return
        writer = db.execute(select(schema.about.c.value).where(schema.about.c.key == _WRITER)).scalar()
        if writer != self._name:
            raise StoreError("another floor has opened this store and writes it now; stop one of the two")

    def _refuse_instead(self, message: Accepted | Refusal, error: Exception) -> StoredBatch:
        """Refuse a message that cannot be stored: a defect here, or a constraint of the database."""
        log.error("a message of %.80s cannot be stored", message.arrived.topic, exc_info=error)
        if isinstance(message, Refusal):
            return StoredBatch(refused=1, reasons=Counter((message.reason,)), costs_ns=[0])
        detail = f"the store cannot hold it: {type(error).__name__}"
        return self._take([refusal(message.arrived, "schema", detail)])


def _of_message(error: Exception) -> bool:
    """Whether an error is due to the message, and not to the store."""
    if isinstance(error, SQLAlchemyError):
        return isinstance(error, DataError | IntegrityError)
    return not isinstance(error, MemoryError | OSError)


def _mixture() -> MakeEvidence:
    from controller.fairness.evidence import Evidence

    return Evidence
