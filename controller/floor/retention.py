"""Deletes what is older than the floor keeps it. Sums stay, and whatever is not over."""

import logging
from pathlib import Path

from sqlalchemy import delete, func, select, update

from config.floor import RetentionSection
from controller.floor import schema
from controller.floor.record import FLOOR, write_record
from controller.floor.store import Store, Stored
from controller.journal.chain import utc_text
from hal.interfaces import Clock

log = logging.getLogger("floor")

_DAY_NS = 24 * 3600 * 1_000_000_000
_AT_ONCE = 500
"""Rounds that are deleted in a transaction."""
_rounds, _entries, _spins = schema.rounds.c, schema.entries.c, schema.spins.c


def expire(store: Store, keep: RetentionSection, record: Path, clock: Clock) -> bool:
    """Delete a part of what is too old; returns whether there is more.

    Raises:
        FloorRecordError: the floor's own record cannot be written; nothing was deleted.
        StoreAwayError: the database cannot be used.
    """
    more = False
    if keep.rounds_days:
        before = utc_text(clock.utc_ns() - keep.rounds_days * _DAY_NS)
        for stored in store.records():
            if not stored.disputed and stored.opening is not None:
                more |= _expire_rounds(store, stored, before, record, clock)
    with store.transaction():
        for days, table, when in (
            (keep.alerts_days, schema.alerts, schema.alerts.c.ended),
            (keep.refused_days, schema.refused, schema.refused.c.last),
        ):
            if days:
                store.db.execute(delete(table).where(when < utc_text(clock.utc_ns() - days * _DAY_NS)))
    return more


def _expire_rounds(store: Store, stored: Stored, before: str, record: Path, clock: Clock) -> bool:
    """Delete rounds of a record that closed before a time, in order, with their entries."""
    of_record = _rounds.record_id == stored.id
    with store.transaction():
        kept = select(func.min(_rounds.number)).where(of_record, _rounds.closed >= before).scalar_subquery()
        old = select(_rounds.last).where(of_record, _rounds.number < func.coalesce(kept, 1 << 62))
        lasts = list(store.db.execute(old.order_by(_rounds.number).limit(_AT_ONCE)).scalars())
        if not lasts:
            return False
        # The entry that opened the present round is needed to read on, and the last one to check the chain.
        last = min(lasts[-1], (stored.opening or 1) - 1, stored.seq - 1)
        if last > stored.deleted_to:
            about = {"table": stored.table, "record": stored.record, "first": stored.deleted_to + 1, "last": last}
            write_record(record, clock.utc_ns(), "rounds-deleted", FLOOR, **about)
        store.db.execute(delete(schema.rounds).where(of_record, _rounds.last <= lasts[-1]))
        store.db.execute(delete(schema.spins).where(_spins.record_id == stored.id, _spins.seq <= lasts[-1]))
        store.db.execute(delete(schema.entries).where(_entries.record_id == stored.id, _entries.seq <= last))
        stored.deleted_to = max(last, stored.deleted_to)
        values = {"deleted_to": stored.deleted_to}
        store.db.execute(update(schema.records).where(schema.records.c.id == stored.id).values(values))
        log.info("table %s: entries up to %d are deleted", stored.table, last)
    return len(lasts) == _AT_ONCE
