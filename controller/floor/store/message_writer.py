"""Writes checked messages within a transaction of the store: rounds, and all that is counted of them."""

import time
from collections.abc import Sequence
from fractions import Fraction

from sqlalchemy import Connection, Row

from controller.floor.ingest import refusals
from controller.floor.ingest.chain import in_parts
from controller.floor.ingest.derivation import difference
from controller.floor.ingest.validation import FORGED, Accepted, Refusal, refusal
from controller.floor.store import alerts, houses, parts, presence
from controller.floor.store.gaps import begin, lack
from controller.floor.store.hour_sums import HourSums
from controller.floor.store.leases import Leases
from controller.floor.store.period_sums import PeriodSums
from controller.floor.store.rounds import FalseRoundError, RoundFate, RoundKeeper, look_at_end
from controller.floor.store.spin_sums import DealerSpinSums
from controller.floor.store.spins import MakeEvidence, WheelCounts
from controller.floor.store.stored_batch import StoredBatch, note_of
from controller.messages.models import AlertMessage, HouseMessage, RoundClosed, RoundPart, StateMessage
from controller.round_summary.errors import UnreadableRoundError


class MessageWriter:
    """Writes messages, and caches what the next ones need.

    Args:
        level: the probability that a fair wheel ever raises the alarm is at most this.
        evidence: makes a wheel's evidence.
        leases: of a worker that shares the store; None if nobody else writes it.
        tables_of_house: how many tables a house may have at this floor; None for any number.
    """

    def __init__(
        self,
        level: Fraction,
        evidence: MakeEvidence,
        tables_of_house: int | None = None,
        leases: Leases | None = None,
    ) -> None:
        self._leases = leases
        self._tables_of_house = tables_of_house
        self._wheels = WheelCounts(level, evidence)
        self._rounds = RoundKeeper()
        self._sums, self._period_sums, self._spin_sums = HourSums(), PeriodSums(), DealerSpinSums()

    def forget(self) -> None:
        """A transaction failed: what is cached is read again."""
        self._wheels.forget()
        self._rounds.forget()
        self.forget_sums()

    def forget_sums(self) -> None:
        """A transaction failed that may have added to sums."""
        self._sums.forget()
        self._period_sums.forget()
        self._spin_sums.forget()

    def add_sums(self, db: Connection) -> bool:
        """Add some of what is stored and in no sums yet; returns whether there is more."""
        more = self._sums.add_slice(db)
        self._sums.write(db)
        return more or self._period_sums.add_slice(db) or self._spin_sums.add_slice(db)

    def write(self, db: Connection, messages: Sequence[Accepted | Refusal]) -> StoredBatch:
        """Write messages in the order in which they arrived."""
        result = StoredBatch()
        messages, result.over_limit = houses.within_limits(db, messages, self._tables_of_house)
        heard = [one for one in messages if isinstance(one, Accepted)]
        refused = [one for one in messages if isinstance(one, Refusal)]
        houses.keep(db, heard)
        accepted = [one for one in heard if not isinstance(one.message, HouseMessage)]
        hindered = presence.update(db, accepted)
        houses.without_line(db, heard)
        for each in messages:
            before_ns = time.thread_time_ns()
            if isinstance(each, Accepted) and (wrong := self._store(db, each, result)) is not None:
                refused.append(wrong)
            result.costs_ns.append(time.thread_time_ns() - before_ns)
        self.flush(db)
        _refuse(db, refused)
        result.refused = len(refused)
        result.reasons.update(one.reason for one in refused)
        for table in sorted({one.table for one in accepted}):
            result.lacks[table] = lack(db, table, messages[-1].arrived.utc)
            if result.lacks[table] is None and table in hindered:
                presence.nothing_missing(db, table)
        return result

    def flush(self, db: Connection) -> None:
        """Write what was counted since the last call."""
        self._wheels.write(db)
        self._sums.write(db)
        self._period_sums.write(db)
        self._spin_sums.write(db)

    def settled(self) -> None:
        """People settled something: which rounds are disputed or not proven is read again."""
        self._rounds.forget()

    def take_again(self, db: Connection, round_: Accepted) -> None:
        """Take a round that was kept apart as if it came now."""
        self._store(db, round_, StoredBatch())

    def withdraw(self, db: Connection, row: Row[tuple[object, ...]], message: RoundClosed) -> None:
        """Take a round out of all that it is counted in.

        Args:
            row: of the store's ``rounds``.
            message: the same as a message.
        """
        self.take_wheel(db, message.wheel)
        self._wheels.withdraw(db, message)
        self._sums.withdraw(db, row)
        self._period_sums.withdraw(db, row)
        self._spin_sums.withdraw(db, row)

    def take_wheel(self, db: Connection, wheel: str) -> None:
        """Before anything is counted of a wheel, or it is moved: another worker may have written it meanwhile."""
        if wheel and self._leases is not None and self._leases.takes_wheel(db, wheel):
            # Not the sums: written twice in a transaction, two workers would wait for each other.
            self._wheels.write(db)
            self._wheels.forget()

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
        self.take_wheel(db, message.wheel)
        fate, message, before = self._rounds.take(db, message, one.arrived, unproven)
        if fate is RoundFate.STORED:
            self._wheels.count(db, message, received)
            self._sums.count(db, message)
            self._period_sums.count(db, message)
            self._spin_sums.count(message)
        elif before is not None:
            self._sums.replace(db, before, message)
            self._period_sums.replace(db, before, message)
            self._spin_sums.replace(db, before, message)
        if parted and not unproven:
            parts.forget(db, message)
        result.notes.append(note_of(message, fate.value, fate is RoundFate.STORED, one.arrived.utc_ns))
        result.rounds += fate is RoundFate.STORED
        result.repeats += fate is RoundFate.REPEATED
        result.disputed += fate is RoundFate.DISPUTED
        result.unproven += fate is RoundFate.UNPROVEN


def _refuse(db: Connection, refused: Sequence[Refusal]) -> None:
    """Count refused messages; one that is not of its table's record is an alert."""
    refusals.keep(db, refused)
    presence.note_refused(db, refused)
    for one in refused:
        if one.table and one.reason in FORGED:
            text = f"a message was refused, and is not of this table's record: {one.why}"
            alerts.raise_false(db, one.table, text, one.arrived.utc)


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
