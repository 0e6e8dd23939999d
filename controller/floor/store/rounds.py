"""Stores rounds: each once, and none that contradicts the stored ones."""

import json
import zlib
from enum import Enum
from typing import Any, NamedTuple

from sqlalchemy import Connection, Row, and_, func, insert, or_, select, update

from controller.floor.ingest.chain import ChainStretch, contradiction
from controller.floor.ingest.validation import Arrived
from controller.floor.store import schema
from controller.floor.store.alerts import FORK, RECORD, raise_alert, raise_false, round_is_over
from controller.floor.store.engine import insert_new
from controller.floor.store.gaps import advance, begin, complete, present_record
from controller.floor.store.openings import keep_opening
from controller.floor.store.partitions import day_of
from controller.floor.store.retention import is_deleted
from controller.floor.store.unproven import UnprovenRounds
from controller.floor.store.wheel_places import counted_under
from controller.messages.models import RoundClosed, StateMessage

_rounds = schema.rounds.c
_records = schema.records.c
_disputed = schema.disputed.c

_FORKED = "two tables may bear this name, or its journal was changed or put back; compare it with: journal verify"


class RoundFate(Enum):
    """How a round's message was handled."""

    STORED = "stored"
    REPEATED = "repeated"
    DISPUTED = "disputed"
    UNPROVEN = "unproven"


class TakenRound(NamedTuple):
    """How a round was handled, and what is stored of it."""

    fate: RoundFate
    message: RoundClosed
    before: Row[Any] | None = None
    """What was stored of it before it was put right; None for a round that is as it was."""


class FalseRoundError(ValueError):
    """A round's message says what its round is not."""


_RESULTS = ("number", "game", "dealer", "results", "voids", "returned", "corrections")
_COMPARED = (*_RESULTS, "opened", "closed", "phases", "spins")


class RoundKeeper:
    """Stores rounds. It remembers, from the store, of which tables any round is not proven."""

    def __init__(self) -> None:
        self._unproven = UnprovenRounds()
        self._disputed: set[str] | None = None

    def forget(self) -> None:
        """A transaction failed, or a settlement moved rounds: what is remembered is read again."""
        self._unproven.forget()
        self._disputed = None

    def take(self, db: Connection, message: RoundClosed, arrived: Arrived, unproven: str) -> "TakenRound":
        """Store a new round, and update its record and alerts.

        Args:
            unproven: why it cannot be derived from its entries; empty if it was.

        Returns:
            how it was handled, and the round as it is stored: with the name under which its wheel is counted.

        Raises:
            FalseRoundError: it says of a stored round what that is not.
        """
        table, record, received = message.table, message.record, arrived.utc
        if is_deleted(db, table, record, message.seq):
            return TakenRound(RoundFate.REPEATED, message)  # It was stored and counted before.
        new = ChainStretch.of(message)
        before, after = _neighbours(db, table, record, new)
        if after is not None and after.first <= new.seq and (after.seq, after.hash) == (new.seq, new.hash):
            return TakenRound(RoundFate.REPEATED, message, _compare(db, message, received, not unproven))
        wrong = contradiction(new, before, after)
        if not wrong and table in self._forked(db) and _of_disputed_branch(db, table, record, new):
            wrong = f"it is, or follows, a round that is disputed, which ends at entry {new.first - 1} or {new.seq}"
        if wrong:
            self._forked(db).add(table)
            return TakenRound(_dispute(db, message, arrived, wrong), message)
        begin(db, table, record, received)
        if unproven:
            is_new = self._unproven.keep(db, message, arrived, unproven)
            return TakenRound(RoundFate.UNPROVEN if is_new else RoundFate.REPEATED, message)
        wheel = counted_under(db, message, received)
        if wheel != message.wheel:
            message = message.model_copy(update={"wheel": wheel})
        db.execute(insert(schema.rounds).values(**_row(message), received=received))
        if message.first == 1:
            _on_first_round(db, message, received)
        elif before is None:
            keep_opening(db, message)
        advance(db, message, received)
        round_is_over(db, message, received, present_record(db, table) == record)
        self._unproven.proven(db, message, received)
        return TakenRound(RoundFate.STORED, message)

    def _forked(self, db: Connection) -> set[str]:
        """The tables of which rounds are disputed."""
        if self._disputed is None:
            self._disputed = set(db.execute(select(_disputed.table).distinct()).scalars())
        return self._disputed


def _compare(db: Connection, message: RoundClosed, received: str, proven: bool) -> Row[Any] | None:
    """Compare a round that is stored already with what is said of it now.

    A row from before rounds were derived may be false: then it is put right, once, by the round's own entries. Its
    wheel, spins and times are not compared then: earlier versions had them from the table's file.

    Returns:
        the row as it was, if it was put right; else None.

    Raises:
        FalseRoundError: the message differs from what was derived.
    """
    at = (_rounds.table == message.table, _rounds.record == message.record, _rounds.seq == message.seq)
    row = db.execute(select(schema.rounds).where(*at)).one()
    said = message.model_dump(include={*_COMPARED, "wheel"})
    differs = [name for name in _COMPARED if said[name] != row._mapping[name]]
    if row.derived:
        if differs:
            name = differs[0]
            raise FalseRoundError(f"{name} is said to be {said[name]!r:.200}, and is {row._mapping[name]!r:.200}")
        return None
    if not proven:
        return None
    false = [name for name in differs if name in _RESULTS]
    if false:
        text = (
            f"round {message.number} was stored by an earlier version with another {', '.join(false)} than its "
            "entries say; it is put right, but for the spins that its wheel was counted with"
        )
        raise_false(db, message.table, text, received, message.number)
    values = {**_row(message), "wheel": row.wheel or message.wheel}
    db.execute(update(schema.rounds).where(*at).values(**values))
    return row


def _neighbours(
    db: Connection, table: str, record: str, new: ChainStretch
) -> tuple[ChainStretch | None, ChainStretch | None]:
    """The stored stretch just before a new one, and the first that ends at its first entry or later."""
    query = select(_rounds.first, _rounds.previous, _rounds.seq, _rounds.hash)
    near = (_rounds.table == table, _rounds.record == record, _rounds.seq >= new.first - 1)
    rows = [ChainStretch(*row) for row in db.execute(query.where(*near).order_by(_rounds.seq).limit(2))]
    before = rows.pop(0) if rows and rows[0].seq < new.first else None
    return before, rows[0] if rows else None


def _of_disputed_branch(db: Connection, table: str, record: str, new: ChainStretch) -> bool:
    """Whether a new round is disputed, or the one before it: else that branch could be stored after a gap."""
    before = and_(_disputed.seq == new.first - 1, _disputed.hash == new.previous)
    itself = and_(_disputed.seq == new.seq, _disputed.hash == new.hash)
    of_record = (_disputed.table == table, _disputed.record == record)
    return db.execute(select(_disputed.id).where(*of_record, or_(before, itself))).first() is not None


def _dispute(db: Connection, message: RoundClosed, arrived: Arrived, why: str) -> RoundFate:
    """Keep a round that contradicts what is stored; the first one raises the record's only fork alert."""
    table, record = message.table, message.record
    row = {"table": table, "record": record, "seq": message.seq, "hash": message.hash, "why": why}
    is_new = insert_new(
        db, schema.disputed, {**row, "payload": zlib.compress(arrived.payload), "received": arrived.utc}
    )
    text = f"round {message.number} contradicts the record that is stored: {why}"
    if is_new:
        key = fork_key(db, table, record)
        raise_alert(db, table, FORK, key, message.closed, text, arrived.utc, _FORKED, message.number)
    return RoundFate.DISPUTED if is_new else RoundFate.REPEATED


def fork_key(db: Connection, table: str, what: str) -> str:
    """The key of a fork's alert: one stands for all of a record, until a person settles it."""
    settled = schema.settlements.c
    done = (settled.table == table, settled.kind == FORK, settled.done.is_not(None))
    count = db.execute(select(func.count()).where(*done)).scalar() or 0
    return f"{what}:{count}" if count else what


def look_at_end(db: Connection, state: StateMessage, arrived: Arrived) -> None:
    """Compare the end of a table's record with what is here of it: it may have been cut, or put back."""
    table, record = state.table, state.record
    seq, _ = complete(db, table, record)
    of_record = (_rounds.table == table, _rounds.record == record)
    last = db.execute(select(_rounds.closed, _rounds.received).where(*of_record, _rounds.seq == seq)).first()
    if last is not None and arrived.retained and last.closed > state.at:
        return  # The broker kept it; the publisher was ended before it could send another.
    # Entries of one millisecond are in no order by their times.
    is_older = last is not None and (last.received > arrived.utc or (arrived.retained and last.closed == state.at))
    digest = db.execute(select(_rounds.hash).where(*of_record, _rounds.seq == state.seq)).scalar()
    if digest is not None and digest != state.hash:
        wrong = f"entry {state.seq} was {digest[:12]}…, and the table says that it is {state.hash[:12]}…"
    elif state.length is not None and state.length < seq and not is_older:
        wrong = f"the table's record ends at entry {state.length}, and was here up to {seq}: it was cut or put back"
    else:
        return
    key = fork_key(db, table, f"{record}:end")
    raise_alert(db, table, FORK, key, state.at, wrong, arrived.utc, _FORKED, state.round)


def _on_first_round(db: Connection, message: RoundClosed, received: str) -> None:
    """The first round of a record was stored: a table's second record must name what it replaces."""
    table, record = message.table, message.record
    if message.replaces:
        place = (_records.table == table, _records.record == record)
        db.execute(update(schema.records).where(*place).values(replaces=message.replaces))
        text = f"the table began a new record: {message.replaces}"
        remedy = "see the damaged journal that was set aside at the table"
        raise_alert(db, table, RECORD, record, message.closed, text, received, remedy, message.number)
        return
    others = (_records.table == table, _records.record != record, _records.replaces == "", _records.seq > 0)
    if db.execute(select(_records.record).where(*others)).first() is not None:
        text = "the table began a record that does not say what it replaces"
        key = f"{record}:begun"
        raise_alert(db, table, FORK, key, message.closed, text, received, _FORKED, message.number)


def _row(message: RoundClosed) -> dict[str, object]:
    """A round as the store has it."""
    same = ("table", "record", "seq", "hash", "first", "previous", "number", "game", "opened", "closed")
    lists = ("wheel", "dealer", "results", "voids", "returned", "corrections", "phases")
    plain = message.model_dump(include={*same, *lists, "spins", "entries"})
    entries = plain.pop("entries")
    packed = zlib.compress(json.dumps(entries, ensure_ascii=False).encode())
    proof = {"checked": True, "derived": True, "entries": packed}
    return {**plain, **proof, "closed_on": day_of(message.closed)}
