"""Alerts of tables whose messages were dropped because they were past their quota; each ends by itself."""

from collections import Counter
from collections.abc import Mapping

from sqlalchemy import Connection, select, update

from controller.floor.store import schema
from controller.floor.store.alerts import QUOTA, raise_alert
from controller.floor.store.engine import upsert
from controller.journal.chain import utc_text

APART_NS = 1_000_000_000
"""The least time between two changes of the alerts."""
QUIET_NS = 60_000_000_000
"""After so long without a dropped message an alert ends."""
_REMEDY = (
    "nothing of its record is lost: the floor asks the table for it again. If it goes on, look for what sends "
    "under the table's name; if the table needs more, raise quota: in the floor's file"
)
_alerts = schema.alerts.c


class QuotaAlerts:
    """Counts what was dropped, and keeps an alert for each table and day.

    Messages under names that no table of this floor ever had are counted alone.
    """

    def __init__(self) -> None:
        self._new: Counter[str] = Counter()
        self._written_ns: int | None = None
        self._quiet_ns: dict[str, int] | None = None
        """When the alert of each table ends; None before the store was looked at."""

    def note(self, dropped: Mapping[str, int]) -> None:
        """So many messages of these tables were dropped."""
        self._new.update(dropped)

    def is_due(self, utc_ns: int) -> bool:
        """Whether :meth:`write` has anything to do."""
        if self._written_ns is not None and 0 <= utc_ns - self._written_ns < APART_NS:
            return False
        ends = self._quiet_ns
        return ends is None or bool(self._new) or any(utc_ns >= ends_ns for ends_ns in ends.values())

    def write(self, db: Connection, utc_ns: int) -> None:
        """Raise, change and end the alerts. Call :meth:`written` once that is committed."""
        known = self._quiet_ns if self._quiet_ns is not None else self._active(db)
        utc = utc_text(utc_ns)
        for table in sorted(filter(None, self._new)):
            _raise(db, table, self._new[table], utc)
        _count(db, self._new, utc)
        for table in sorted(
            table for table, ends_ns in known.items() if ends_ns <= utc_ns and not self._new[table]
        ):
            of_table = (_alerts.table == table, _alerts.kind == QUOTA, _alerts.ended.is_(None))
            db.execute(update(schema.alerts).where(*of_table).values(ended=utc))

    def written(self, utc_ns: int) -> None:
        """What :meth:`write` did is committed."""
        known = self._quiet_ns or {}
        self._quiet_ns = {table: ends_ns for table, ends_ns in known.items() if ends_ns > utc_ns}
        self._quiet_ns |= dict.fromkeys(filter(None, self._new), utc_ns + QUIET_NS)
        self._new.clear()
        self._written_ns = utc_ns

    def _active(self, db: Connection) -> dict[str, int]:
        """Those that an earlier floor raised: nothing is dropped at a start."""
        active = select(_alerts.table).where(_alerts.kind == QUOTA, _alerts.ended.is_(None))
        return dict.fromkeys(db.execute(active).scalars(), 0)


def _raise(db: Connection, table: str, dropped: int, utc: str) -> None:
    """Raise the table's alert of this day, or let it stand again."""
    key = utc[:10]
    this = (_alerts.table == table, _alerts.kind == QUOTA, _alerts.key == key)
    before = db.execute(select(_alerts.text).where(*this)).scalar()
    total = dropped + (int(before.split(" ", 1)[0].replace(",", "")) if before else 0)
    text = f"{total:,} messages of this day were dropped: the table sends more than its quota"
    if not raise_alert(db, table, QUOTA, key, utc, text, utc, _REMEDY):
        db.execute(update(schema.alerts).where(*this).values(text=text, ended=None))


def _count(db: Connection, dropped: Mapping[str, int], utc: str) -> None:
    """Count dropped messages with those that were refused."""
    rows: list[dict[str, object]] = [
        {"table": table, "reason": QUOTA, "count": dropped[table], "last": utc}
        for table in sorted(dropped)
        if dropped[table]
    ]
    upsert(db, schema.refused_count, rows, adding="count")
