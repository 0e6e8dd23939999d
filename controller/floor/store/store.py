"""The floor's store: writes what arrives, one transaction for each batch."""

import logging
import secrets
import threading
from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction

from sqlalchemy import Connection, Engine, select
from sqlalchemy.exc import DataError, DBAPIError, IntegrityError, SQLAlchemyError

from controller.floor.ingest import refusals
from controller.floor.ingest.validation import Accepted, Arrived, Refusal, receive, refusal
from controller.floor.store import alerts, presence, schema
from controller.floor.store.engine import WRITING, StoreAwayError, StoreError, error_text, open_engine, upsert
from controller.floor.store.gaps import MissingRange, begin, lack
from controller.floor.store.rounds import RoundFate, take_round
from controller.floor.store.spins import MakeEvidence, WheelCounts
from controller.floor.store.wheel_days import WheelDays
from controller.messages.models import AlertMessage, RoundClosed, StateMessage

__all__ = ["Arrived", "MissingRange", "Store", "StoreAwayError", "StoreError", "StoredBatch"]

log = logging.getLogger("floor")

_WRITER = "writer"


@dataclass(slots=True)
class StoredBatch:
    """How a batch was handled.

    Attributes:
        rounds: rounds stored.
        repeats: rounds that were stored already.
        disputed: rounds that contradict what is stored.
        refused: invalid messages.
        lacks: for every table with a message, what the floor now lacks from its record; None for nothing.
    """

    rounds: int = 0
    repeats: int = 0
    disputed: int = 0
    refused: int = 0
    lacks: dict[str, MissingRange | None] = field(default_factory=dict)

    def add(self, other: "StoredBatch") -> None:
        """Add the counts of a further batch."""
        self.rounds += other.rounds
        self.repeats += other.repeats
        self.disputed += other.disputed
        self.refused += other.refused
        self.lacks |= other.lacks


class Store:
    """A floor's store. One process writes it; any number may read.

    Args:
        url: SQLAlchemy's.
        level: the probability that a fair wheel ever raises the alarm is at most this.
        evidence: makes a wheel's evidence; by default that of :mod:`controller.fairness.evidence`.

    Raises:
        StoreAwayError: the database does not answer, or cannot be written.
        StoreError: the URL is wrong, or the database is not a floor's store; the message gives the remedy.
    """

    def __init__(
        self, url: str, level: Fraction = Fraction(1, 10_000), evidence: MakeEvidence | None = None
    ) -> None:
        self._wheels = WheelCounts(level, evidence or _mixture())
        self._wheel_days = WheelDays()
        self._lock = threading.Lock()
        self.engine: Engine = open_engine(url)
        self._writer = self.engine.execution_options(**{WRITING: True})
        self._name = secrets.token_hex(8)
        self._claimed = False

    def take(self, messages: Sequence[Arrived]) -> StoredBatch:
        """Read, check and store messages in the order in which they arrived, in one transaction.

        Raises:
            StoreAwayError: the store is unavailable, and nothing of the batch is stored. Retry later.
            StoreError: another floor writes the store.
        """
        with self._lock:
            return self._take([receive(message) for message in messages])

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
        with self._lock:
            self.engine.dispose()

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
            if not _of_message(error):
                raise StoreAwayError(f"the store cannot be written: {error_text(error)}") from error
            if len(messages) == 1:
                return self._refuse_instead(messages[0], error)
        result = StoredBatch()
        for message in messages:
            result.add(self._take([message]))
        return result

    def _claim(self, db: Connection) -> None:
        """Claim the store with the first batch, and check later that no other floor has claimed it.

        Raises:
            StoreError: another has; this one's caches no longer match what is stored.
        """
        if not self._claimed:
            upsert(db, schema.about, [{"key": _WRITER, "value": self._name}])
            return
        writer = db.execute(select(schema.about.c.value).where(schema.about.c.key == _WRITER)).scalar()
        if writer != self._name:
            raise StoreError("another floor has opened this store and writes it now; stop one of the two")

    def _refuse_instead(self, message: Accepted | Refusal, error: Exception) -> StoredBatch:
        """Refuse a message that cannot be stored: a defect here, or a constraint of the database."""
        log.error("a message of %.80s cannot be stored", message.arrived.topic, exc_info=error)
        if isinstance(message, Refusal):
            return StoredBatch(refused=1)
        detail = f"the store cannot hold it: {type(error).__name__}"
        return self._take([refusal(message.arrived, "schema", detail)])

    def _write(self, db: Connection, messages: Sequence[Accepted | Refusal]) -> StoredBatch:
        result = StoredBatch()
        accepted = [one for one in messages if isinstance(one, Accepted)]
        presence.update(db, accepted)
        for one in accepted:
            self._store(db, one, result)
        self._wheels.write(db)
        self._wheel_days.write(db)
        refused = [one for one in messages if isinstance(one, Refusal)]
        refusals.keep(db, refused)
        result.refused = len(refused)
        result.lacks = {table: lack(db, table) for table in sorted({one.table for one in accepted})}
        return result

    def _store(self, db: Connection, one: Accepted, result: StoredBatch) -> None:
        message, received = one.message, one.arrived.utc
        if isinstance(message, RoundClosed):
            fate = take_round(db, message, one.arrived)
            if fate is RoundFate.STORED:
                self._wheels.count(db, message, received)
                self._wheel_days.count(db, message)
            result.rounds += fate is RoundFate.STORED
            result.repeats += fate is RoundFate.REPEATED
            result.disputed += fate is RoundFate.DISPUTED
        elif isinstance(message, AlertMessage):
            alerts.of_table(db, message, received)
        elif isinstance(message, StateMessage):
            begin(db, message.table, message.record, received)


def _of_message(error: Exception) -> bool:
    """Whether an error is due to the message, and not to the store."""
    if isinstance(error, SQLAlchemyError):
        return isinstance(error, DataError | IntegrityError)
    return not isinstance(error, MemoryError | OSError)


def _mixture() -> MakeEvidence:
    from controller.fairness.evidence import Evidence

    return Evidence
