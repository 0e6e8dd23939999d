"""The floor's store: what arrives, kept in one transaction for each batch."""

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
from controller.floor.store.engine import WRITING, StoreAwayError, StoreError, open_engine, said, upsert
from controller.floor.store.gaps import MissingRange, begin, lack
from controller.floor.store.rounds import RoundFate, take_round
from controller.floor.store.spins import MakeEvidence, WheelCounts
from controller.messages.models import AlertMessage, RoundClosed, StateMessage

__all__ = ["Arrived", "MissingRange", "Store", "StoreAwayError", "StoreError", "StoredBatch"]

log = logging.getLogger("floor")

_WRITER = "writer"


@dataclass(slots=True)
class StoredBatch:
    """What became of a batch.

    Attributes:
        rounds: stored.
        repeats: rounds that were there already.
        disputed: rounds that contradict what is stored.
        refused: messages that were none.
        lacks: for every table that was heard of, what the floor now lacks of its record; None for nothing.
    """

    rounds: int = 0
    repeats: int = 0
    disputed: int = 0
    refused: int = 0
    lacks: dict[str, MissingRange | None] = field(default_factory=dict)

    def add(self, other: "StoredBatch") -> None:
        """What became of a further batch."""
        self.rounds += other.rounds
        self.repeats += other.repeats
        self.disputed += other.disputed
        self.refused += other.refused
        self.lacks |= other.lacks


class Store:
    """A floor's store. One process writes it; any number may read.

    Args:
        url: SQLAlchemy's.
        level: a fair wheel raises the alarm, ever, with at most this probability.
        evidence: makes a wheel's evidence; by default that of :mod:`controller.fairness.evidence`.

    Raises:
        StoreAwayError: the database does not answer, or takes nothing.
        StoreError: the URL is wrong, or the database is none of ours; the message has the remedy.
    """

    def __init__(
        self, url: str, level: Fraction = Fraction(1, 10_000), evidence: MakeEvidence | None = None
    ) -> None:
        self._wheels = WheelCounts(level, evidence or _mixture())
        self._lock = threading.Lock()
        self.engine: Engine = open_engine(url)
        self._writer = self.engine.execution_options(**{WRITING: True})
        self._name = secrets.token_hex(8)
        self._claimed = False

    def take(self, messages: Sequence[Arrived]) -> StoredBatch:
        """Read, check and keep messages in the order in which they arrived, in one transaction.

        Raises:
            StoreAwayError: the store takes nothing now, and nothing of the batch is kept. Take it again later.
            StoreError: another floor writes it.
        """
        with self._lock:
            return self._take([receive(message) for message in messages])

    def lacks(self) -> dict[str, MissingRange | None]:
        """What the floor lacks of each table's present record, as the store has it.

        Raises:
            StoreAwayError: the store does not answer.
        """
        try:
            with self.engine.connect() as db:
                return {table: lack(db, table) for table in db.execute(select(schema.tables.c.table)).scalars()}
        except DBAPIError as error:
            raise StoreAwayError(f"the store cannot be read: {said(error)}") from error

    def close(self) -> None:
        with self._lock:
            self.engine.dispose()

    def _take(self, messages: Sequence[Accepted | Refusal]) -> StoredBatch:
        try:
            with self._writer.begin() as db:
                self._claim(db)
                taken = self._write(db, messages)
            self._claimed = True
            return taken
        except StoreError:
            raise
        except Exception as error:
            self._wheels.forget()
            if not _of_message(error):
                raise StoreAwayError(f"the store takes nothing: {said(error)}") from error
            if len(messages) == 1:
                return self._take_instead(messages[0], error)
        taken = StoredBatch()
        for message in messages:
            taken.add(self._take([message]))
        return taken

    def _claim(self, db: Connection) -> None:
        """Write the store from the first batch on, and see that no other floor does since.

        Raises:
            StoreError: one does; what this one has in memory is no longer what is stored.
        """
        if not self._claimed:
            upsert(db, schema.about, [{"key": _WRITER, "value": self._name}])
            return
        writer = db.execute(select(schema.about.c.value).where(schema.about.c.key == _WRITER)).scalar()
        if writer != self._name:
            raise StoreError("another floor has opened this store and writes it now; stop one of the two")

    def _take_instead(self, message: Accepted | Refusal, error: Exception) -> StoredBatch:
        """A message that cannot be stored is refused: a defect, or the database knows better."""
        log.error("a message of %.80s cannot be stored", message.arrived.topic, exc_info=error)
        if isinstance(message, Refusal):
            return StoredBatch(refused=1)
        words = f"the store cannot hold it: {type(error).__name__}"
        return self._take([refusal(message.arrived, "schema", words)])

    def _write(self, db: Connection, messages: Sequence[Accepted | Refusal]) -> StoredBatch:
        taken = StoredBatch()
        accepted = [one for one in messages if isinstance(one, Accepted)]
        presence.heard(db, accepted)
        for one in accepted:
            self._keep(db, one, taken)
        self._wheels.write(db)
        refused = [one for one in messages if isinstance(one, Refusal)]
        refusals.keep(db, refused)
        taken.refused = len(refused)
        taken.lacks = {table: lack(db, table) for table in sorted({one.table for one in accepted})}
        return taken

    def _keep(self, db: Connection, one: Accepted, taken: StoredBatch) -> None:
        message, received = one.message, one.arrived.utc
        if isinstance(message, RoundClosed):
            fate = take_round(db, message, one.arrived)
            if fate is RoundFate.STORED:
                self._wheels.count(db, message, received)
            taken.rounds += fate is RoundFate.STORED
            taken.repeats += fate is RoundFate.REPEATED
            taken.disputed += fate is RoundFate.DISPUTED
        elif isinstance(message, AlertMessage):
            alerts.of_table(db, message, received)
        elif isinstance(message, StateMessage):
            begin(db, message.table, message.record, received)


def _of_message(error: Exception) -> bool:
    """Whether an error is about what was to be stored, and not about the store."""
    if isinstance(error, SQLAlchemyError):
        return isinstance(error, DataError | IntegrityError)
    return not isinstance(error, MemoryError | OSError)


def _mixture() -> MakeEvidence:
    from controller.fairness.evidence import Evidence

    return Evidence
