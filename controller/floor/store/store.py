"""The floor's store: writes what arrives, one transaction for each batch."""

import logging
import secrets
import threading
from collections.abc import Sequence
from fractions import Fraction

from sqlalchemy import Connection, Engine, select
from sqlalchemy.exc import DataError, DBAPIError, IntegrityError, SQLAlchemyError

from controller.floor.ingest import refusals
from controller.floor.ingest.chain import in_parts
from controller.floor.ingest.derivation import difference
from controller.floor.ingest.validation import FORGED, Accepted, Arrived, Refusal, receive, refusal
from controller.floor.record.floor_record import FloorRecord
from controller.floor.store import alerts, parts, presence, schema
from controller.floor.store.engine import WRITING, StoreAwayError, StoreError, error_text, open_engine, upsert
from controller.floor.store.gaps import MissingRange, any_gap, begin, end_filled, lack, name_missing_end
from controller.floor.store.rounds import FalseRoundError, RoundFate, RoundKeeper, look_at_end
from controller.floor.store.settling import apply as settle_now
from controller.floor.store.settling import pending
from controller.floor.store.spins import MakeEvidence, WheelCounts
from controller.floor.store.stored_batch import StoredBatch
from controller.floor.store.wheel_days import WheelDays
from controller.messages.models import AlertMessage, RoundClosed, RoundPart, StateMessage
from controller.round_summary.errors import UnreadableRoundError

__all__ = ["Arrived", "MissingRange", "Store", "StoreAwayError", "StoreError", "StoredBatch"]

log = logging.getLogger("floor")

_WRITER = "writer"


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
        self._rounds = RoundKeeper()
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

    def look_after(self, overdue: Sequence[str], utc: str, record: FloorRecord | None) -> list[str]:
        """Name what is missing at records' ends, and let settlements take effect; returns their outcomes.

        Args:
            overdue: the tables whose entries have been missing for long.
            record: the floor's own; None if it cannot be written: then settlements wait.

        Raises:
            StoreAwayError: the store or the record cannot be written.
            StoreError: another floor writes the store.
        """
        with self._lock:
            return self._look_after(overdue, utc, record)

    def _look_after(self, overdue: Sequence[str], utc: str, record: FloorRecord | None) -> list[str]:
        outcomes = []
        try:
            with self.engine.connect() as db:
                if not overdue and not pending(db) and not any_gap(db):
                    return []
            with self._writer.begin() as db:
                self._claim(db)
                for table in overdue:
                    name_missing_end(db, table, utc)
                end_filled(db, utc)
                for row in pending(db):
                    if record is None:
                        break
                    what = {"table": row.table, "what": row.what, "reason": row.reason, "number": row.id}
                    record.write(f"{row.kind}-settled", row.person, what)
                    outcomes.append(settle_now(db, row, utc, self))
                self._wheels.write(db)
                self._wheel_days.write(db)
        except StoreError:
            raise
        except Exception as error:
            self._forget()
            raise StoreAwayError(
                f"the store or the floor's record cannot be written: {error_text(error)}"
            ) from error
        self._rounds.forget()
        return outcomes

    def take_again(self, db: Connection, round_: Accepted) -> None:
        """Take a round that was kept apart as if it came now."""
        self._store(db, round_, StoredBatch())

    def withdraw(self, db: Connection, message: RoundClosed) -> None:
        """Take a round out of what its wheel is counted with."""
        self._wheels.withdraw(db, message)

    def _forget(self) -> None:
        """A transaction failed: what is cached is read again."""
        self._wheels.forget()
        self._wheel_days.forget()
        self._rounds.forget()

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
            self._forget()
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
        refused = [one for one in messages if isinstance(one, Refusal)]
        hindered = presence.update(db, accepted)
        for one in accepted:
            wrong = self._store(db, one, result)
            if wrong is not None:
                refused.append(wrong)
        self._wheels.write(db)
        self._wheel_days.write(db)
        refusals.keep(db, refused)
        presence.note_refused(db, refused)
        for refusal_ in refused:
            if refusal_.table and refusal_.reason in FORGED:
                text = f"a message was refused, and is not of this table's record: {refusal_.why}"
                alerts.raise_false(db, refusal_.table, text, refusal_.arrived.utc)
        result.refused = len(refused)
        for table in sorted({one.table for one in accepted}):
            result.lacks[table] = lack(db, table, messages[-1].arrived.utc)
            if result.lacks[table] is None and table in hindered:
                presence.nothing_missing(db, table)
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
            look_at_end(db, message, one.arrived)
        return None

    def _store_round(self, db: Connection, one: Accepted, message: RoundClosed, result: StoredBatch) -> None:
        """Store a round, once all of its entries are there.

        Raises:
            FalseRoundError: its message says other than its entries.
        """
        received, unproven, parted = one.arrived.utc, one.unproven, in_parts(message)
        if parted and not unproven:
            message, unproven = _assembled(db, message)
        fate, message = self._rounds.take(db, message, one.arrived, unproven)
        if fate is RoundFate.STORED:
            self._wheels.count(db, message, received)
            self._wheel_days.count(db, message)
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
