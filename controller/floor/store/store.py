"""The floor's store: writes what arrives, one transaction for each batch."""

import logging
import secrets
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from fractions import Fraction

from sqlalchemy import Connection, Engine, select
from sqlalchemy.exc import DataError, DBAPIError, IntegrityError, SQLAlchemyError

from config.floor import RetentionSection
from controller.floor.ingest import refusals
from controller.floor.ingest.chain import in_parts
from controller.floor.ingest.derivation import difference
from controller.floor.ingest.validation import FORGED, Accepted, Arrived, Refusal, receive, refusal
from controller.floor.record.floor_record import FloorRecord
from controller.floor.store import alerts, parts, presence, schema
from controller.floor.store.engine import WRITING, StoreAwayError, StoreError, error_text, open_engine, upsert
from controller.floor.store.gaps import MissingRange, begin, lack
from controller.floor.store.hour_sums import HourSums, begin_sums
from controller.floor.store.quota_alerts import QuotaAlerts
from controller.floor.store.retention import Retention
from controller.floor.store.rounds import FalseRoundError, RoundFate, RoundKeeper
from controller.floor.store.spins import MakeEvidence, WheelCounts
from controller.floor.store.wheel_days import WheelDays
from controller.messages.models import AlertMessage, RoundClosed, RoundPart, StateMessage
from controller.round_summary.errors import UnreadableRoundError

__all__ = ["Arrived", "MissingRange", "Store", "StoreAwayError", "StoreError", "StoredBatch"]

log = logging.getLogger("floor")

_WRITER = "writer"
_CLOSING_S = 1.0


def _never() -> bool:
    return False


@dataclass(slots=True)
class StoredBatch:
    """How a batch was handled.

    Attributes:
        rounds: rounds stored.
        repeats: rounds that were stored already.
        disputed: rounds that contradict what is stored.
        unproven: rounds that cannot be derived from entries yet.
        refused: invalid messages.
        costs_ns: the processor time that each message took, of those that were handled: the first of the batch.
        lacks: for every table with a message, what the floor now lacks from its record; None for nothing.
    """

    rounds: int = 0
    repeats: int = 0
    disputed: int = 0
    unproven: int = 0
    refused: int = 0
    costs_ns: list[int] = field(default_factory=list)
    lacks: dict[str, MissingRange | None] = field(default_factory=dict)

    def add(self, other: "StoredBatch") -> None:
        """Add the counts of a further batch."""
        self.rounds += other.rounds
        self.repeats += other.repeats
        self.disputed += other.disputed
        self.unproven += other.unproven
        self.refused += other.refused
        self.costs_ns += other.costs_ns
        self.lacks |= other.lacks


class Store:
    """A floor's store. One process writes it; any number may read.

    Args:
        url: SQLAlchemy's.
        level: the probability that a fair wheel ever raises the alarm is at most this.
        evidence: makes a wheel's evidence; by default that of :mod:`controller.fairness.evidence`.
        retention: how long what is kept; for ever by default.
        record: the floor's own, in which deletions are written.

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
        self._wheels = WheelCounts(level, evidence or _mixture())
        self._wheel_days = WheelDays()
        self._rounds = RoundKeeper()
        self._quota_alerts = QuotaAlerts()
        self._lock = threading.Lock()
        self.engine: Engine = open_engine(url)
        self._writer = self.engine.execution_options(**{WRITING: True})
        self._sums = HourSums()
        self._name = secrets.token_hex(8)
        self._claimed = False
        self._sums_lack = True
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
                    self._sums_lack = self._sums.add_slice(db)
                    self._sums.write(db)
            elif self._claimed and self._retention.is_due(utc_ns):
                with self._writing() as db:
                    self._retention.delete_slice(db, utc_ns)

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
            self._sums.forget()
            raise StoreAwayError(f"the store cannot be written: {error_text(error)}") from error

    def _take(self, messages: Sequence[Accepted | Refusal]) -> StoredBatch:
        try:
            with self._writer.begin() as db:
                self._claim(db)
                result = self._write(db, messages)
            self._claimed = True
            return result
        except StoreError:
            raise
        except Exception as error:
            self._wheels.forget()
            self._wheel_days.forget()
            self._rounds.forget()
            self._sums.forget()
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
            return StoredBatch(refused=1, costs_ns=[0])
        detail = f"the store cannot hold it: {type(error).__name__}"
        return self._take([refusal(message.arrived, "schema", detail)])

    def _write(self, db: Connection, messages: Sequence[Accepted | Refusal]) -> StoredBatch:
        result = StoredBatch()
        accepted = [one for one in messages if isinstance(one, Accepted)]
        refused = [one for one in messages if isinstance(one, Refusal)]
        presence.update(db, accepted)
        for each in messages:
            before_ns = time.thread_time_ns()
            if isinstance(each, Accepted) and (wrong := self._store(db, each, result)) is not None:
                refused.append(wrong)
            result.costs_ns.append(time.thread_time_ns() - before_ns)
        self._wheels.write(db)
        self._wheel_days.write(db)
        self._sums.write(db)
        refusals.keep(db, refused)
        for refusal_ in refused:
            if refusal_.table and refusal_.reason in FORGED:
                text = f"a message was refused, and is not of this table's record: {refusal_.why}"
                alerts.raise_false(db, refusal_.table, text, refusal_.arrived.utc)
        result.refused = len(refused)
        result.lacks = {table: lack(db, table) for table in sorted({one.table for one in accepted})}
        return result

    def _store(self, db: Connection, one: Accepted, result: StoredBatch) -> Refusal | None:
        """Store a message; returns its refusal if it is false."""
        message, received = one.message, one.arrived.utc
        if isinstance(message, RoundClosed):
            try:
                self._store_round(db, one, message, result)
            except FalseRoundError as error:
                return refusal(one.arrived, "contradiction", str(error))
        elif isinstance(message, RoundPart):
            parts.keep(db, message, received)
        elif isinstance(message, AlertMessage):
            alerts.of_table(db, message, received)
        elif isinstance(message, StateMessage):
            begin(db, message.table, message.record, received)
        return None

    def _store_round(self, db: Connection, one: Accepted, message: RoundClosed, result: StoredBatch) -> None:
        """Store a round, once all of its entries are there.

        Raises:
            FalseRoundError: its message says other than its entries.
        """
        received, unproven, parted = one.arrived.utc, one.unproven, in_parts(message)
        if parted and not unproven:
            message, unproven = _assembled(db, message)
        fate, message, before = self._rounds.take(db, message, one.arrived, unproven)
        if fate is RoundFate.STORED:
            self._wheels.count(db, message, received)
            self._wheel_days.count(db, message)
            self._sums.count(db, message)
        elif before is not None:
            self._sums.replace(db, before, message)
        if parted and not unproven:
            parts.forget(db, message)
        result.rounds += fate is RoundFate.STORED
        result.repeats += fate is RoundFate.REPEATED
        result.disputed += fate is RoundFate.DISPUTED
        result.unproven += fate is RoundFate.UNPROVEN


def _assembled(db: Connection, message: RoundClosed) -> tuple[RoundClosed, str]:
    """A round with the entries of its parts; and why it is not proven, empty if it is.

    Raises:
        FalseRoundError: it says other than its entries.
    """
    entries = parts.assembled(db, message)
    if entries is None:
        return message, "the messages with its first entries have not arrived"
    try:
        wrong = difference(message, entries)
    except UnreadableRoundError as error:
        return message, str(error)
    if wrong:
        raise FalseRoundError(wrong)
    return message.model_copy(update={"entries": entries}), ""


def _of_message(error: Exception) -> bool:
    """Whether an error is due to the message, and not to the store."""
    if isinstance(error, SQLAlchemyError):
        return isinstance(error, DataError | IntegrityError)
    return not isinstance(error, MemoryError | OSError)


def _mixture() -> MakeEvidence:
    from controller.fairness.evidence import Evidence

    return Evidence
