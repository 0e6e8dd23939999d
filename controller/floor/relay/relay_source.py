"""What a house's floor still has to relay, read from its store: the relay's only access to it, from one thread.

The store is the queue. How far each record was relayed is kept there, too, and moves once the group's broker has a
round. A round that came late, after later ones were relayed, is requested by the group's floor, as of a publisher.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any, NamedTuple

from sqlalchemy import ColumnElement, Connection, Row, Text, cast, func, select
from sqlalchemy.exc import DBAPIError

from controller.floor.relay.round_messages import LostRoundError, RoundMessage, round_messages
from controller.floor.store import schema
from controller.floor.store.alerts import TABLE
from controller.floor.store.engine import StoreAwayError, error_text
from controller.floor.store.openings import entries_of, opening_after, opening_at
from controller.floor.store.relayed import (
    OF_ALERTS,
    RecordPlace,
    deleted_to,
    group_lacks,
    identity,
    keep_relayed,
    never_relayed,
    relayed_to,
)
from controller.floor.store.schema import relayed
from controller.floor.store.store import Store
from controller.messages.closed_round import RoundOpening, Whose
from controller.messages.models import AlertMessage
from controller.messages.topics import Topic

MOST_ALERTS = 100
"""That are read at once."""

_rounds = schema.rounds.c
_records = schema.records.c
_alerts = schema.alerts.c


class DueRound(NamedTuple):
    """A round that is to be relayed.

    Attributes:
        seq: its last entry.
        messages: in order; none for a round that cannot be relayed.
        lost: why it cannot, as text; empty if it can.
    """

    place: RecordPlace
    seq: int
    messages: list[tuple[Topic, RoundMessage]]
    lost: str = ""


class DueAlert(NamedTuple):
    """An alert that is to be relayed, and its place among all of them."""

    id: int
    message: AlertMessage


class Waiting(NamedTuple):
    """How much is still to be relayed: rounds, and when the oldest of them closed."""

    rounds: int
    oldest: str | None


class RelaySource:
    """Reads what is due.

    Args:
        house: what the house is called at its group.

    Raises:
        StoreAwayError: the store is unavailable.
    """

    def __init__(self, store: Store, house: str) -> None:
        self._store = store
        self._house = house
        self._openings: dict[RecordPlace, RoundOpening] = {}
        """What opened the round after the last one that was read, by record."""
        self._last = ""
        """The table whose turn was last."""
        self.identity = store.write(identity)
        with self._reading() as db:
            rows = db.execute(select(relayed.c.table, relayed.c.record, relayed.c.seq).where(relayed.c.table != ""))
            self.done: dict[RecordPlace, int] = {RecordPlace(table, record): seq for table, record, seq in rows}
            self.alerts_done = relayed_to(db, *OF_ALERTS)

    def path(self, table: str) -> str:
        """What a table is called at the group's floor."""
        return f"{self._house}/{table}"

    # -- rounds ------------------------------------------------------------------------------------------------

    def due(self, most: int) -> list[DueRound]:
        """The next round of each of so many tables, in turn; empty if all were relayed."""
        with self._reading() as db:
            begun = self._unfinished(db)
            tables = sorted(begun)
            turn = [*(one for one in tables if one > self._last), *(one for one in tables if one <= self._last)]
            found = [self.next_round(db, begun[table], self.done.get(begun[table], 0)) for table in turn[:most]]
        self._last = turn[min(most, len(turn)) - 1] if turn else self._last
        return [one for one in found if one is not None]

    def _unfinished(self, db: Connection) -> dict[str, RecordPlace]:
        """The earliest record of each table that has rounds to relay."""
        last = select(func.max(_rounds.seq)).where(
            _rounds.table == _records.table, _rounds.record == _records.record
        )
        query = (
            select(_records.table, _records.record, last.scalar_subquery())
            .where(_own(_records.table))
            .order_by(_records.begun)
        )
        found: dict[str, RecordPlace] = {}
        for table, record, seq in db.execute(query):
            place = RecordPlace(table, record)
            if seq is not None and seq > self.done.get(place, 0):
                found.setdefault(table, place)
        return found

    def next_round(self, db: Connection, place: RecordPlace, after: int) -> DueRound | None:
        """The first round of a record that ends after an entry."""
        of_record = (_rounds.table == place.table, _rounds.record == place.record, _rounds.seq > after)
        columns = (_rounds.first, _rounds.previous, _rounds.seq, _rounds.game, _rounds.entries)
        row = db.execute(select(*columns).where(*of_record).order_by(_rounds.seq).limit(1)).first()
        if row is None:
            return None
        try:
            opening = self._opening(db, place, row.first)
            entries = entries_of(row.entries)
            if (ended := opening_after(row.previous, entries)) is not None:
                self._openings[place] = ended
            whose = Whose(self.path(place.table), place.record)
            return DueRound(place, row.seq, round_messages(whose, row.game, row.first, opening, entries))
        except LostRoundError as error:
            return DueRound(place, row.seq, [], str(error))

    def _opening(self, db: Connection, place: RecordPlace, first: int) -> RoundOpening | None:
        """The entry before a round, as the last round that was read has it, or else the store."""
        opening = self._openings.pop(place, None)
        if opening is not None and opening.entry.seq == first - 1:
            return opening
        return opening_at(db, *place, first - 1) if first > 1 else None

    def again(self, place: RecordPlace, after: int) -> DueRound | None:
        """The first round of a record that ends after an entry, once more."""
        with self._reading() as db:
            return self.next_round(db, place, after)

    def waiting(self) -> Waiting:
        """How much is still to be relayed."""
        rounds, oldest = 0, list[str]()
        with self._reading() as db:
            for place in self._unfinished(db).values():
                of_record = (_rounds.table == place.table, _rounds.record == place.record)
                query = select(func.count(), func.min(_rounds.closed))
                count, closed = db.execute(query.where(*of_record, _rounds.seq > self.done.get(place, 0))).one()
                rounds += count
                oldest += [closed] if closed else []
        return Waiting(rounds, min(oldest, default=None))

    # -- what is kept of it --------------------------------------------------------------------------------------

    def keep(self, out: Sequence[DueRound], utc: str) -> None:
        """The group's broker has these rounds, or never will: durable when this returns."""
        places = {one.place: one.seq for one in out}

        def write(db: Connection) -> None:
            for place in places:
                gone = deleted_to(db, *place)
                if gone > self.done.get(place, 0):  # Before it was relayed, as by a floor that had no group then.
                    group_lacks(db, *place, gone, utc)
            for one in out:
                if one.lost:
                    never_relayed(db, *one.place, one.seq, one.lost, utc)
            keep_relayed(db, places)

        self._store.write(write)
        self.done |= places

    def keep_alerts(self, last: int) -> None:
        """The group's broker has the alerts up to this one: durable when this returns."""
        self._store.write(lambda db: keep_relayed(db, {OF_ALERTS: last}))
        self.alerts_done = last

    def lacks(self, place: RecordPlace, after: int, utc: str) -> None:
        """The group's floor requests what follows an entry: an alert names what was deleted of that."""
        with self._reading() as db:
            gone = deleted_to(db, *place)
        if gone > after:
            self._store.write(lambda db: group_lacks(db, *place, gone, utc, after))

    # -- what tables are -----------------------------------------------------------------------------------------

    def tables(self) -> list[Row[Any]]:
        """Every table as it is now; its last messages as text."""
        known = schema.tables.c
        texts = [cast(known[name], Text).label(name) for name in ("state", "health")]
        with self._reading() as db:
            query = select(known.table, known.online, known.running, known.software, *texts)
            return list(db.execute(query.where(_own(known.table)).order_by(known.table)))

    def alerts(self) -> list[DueAlert]:
        """Alerts of tables that are active and were not relayed; those that have ended come with their rounds."""
        active = (_alerts.kind == TABLE, _alerts.ended.is_(None), _alerts.hash.is_not(None), _own(_alerts.table))
        query = select(schema.alerts).where(*active, _alerts.id > self.alerts_done)
        with self._reading() as db:
            return [self._alert(row) for row in db.execute(query.order_by(_alerts.id).limit(MOST_ALERTS))]

    def _alert(self, row: Row[Any]) -> DueAlert:
        record, seq, part = row.key.split(":")
        said = {name: getattr(row, name) for name in ("at", "round", "text", "remedy", "hash")}
        place = {"table": self.path(row.table), "record": record, "seq": int(seq), "part": int(part)}
        return DueAlert(row.id, AlertMessage(**place, **said))

    @contextmanager
    def _reading(self) -> Iterator[Connection]:
        """A transaction that reads.

        Raises:
            StoreAwayError: the store does not answer.
        """
        try:
            with self._store.engine.connect() as db:
                yield db
        except DBAPIError as error:
            raise StoreAwayError(f"the store cannot be read: {error_text(error)}") from error


def _own(table: ColumnElement[str]) -> ColumnElement[bool]:
    """A table of this floor, and not of a house that once relayed to it."""
    return table.not_like("%/%")
