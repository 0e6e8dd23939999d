"""Sums of rounds by day, month and year of the house: a year of ten thousand tables is read within a second.

They are kept with the sums of hours, in the transaction of each round that is stored or withdrawn. A store that had
sums of hours before gets them in slices, the newest hours first; ``about`` says from which hour on they are there.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy import Connection, Row, insert, select

from controller.floor.store import schema
from controller.floor.store.additive import add_rows
from controller.floor.store.engine import upsert
from controller.floor.store.hour_sums import HOUR_LENGTH, MOST_MS, unsummed
from controller.floor.store.house_days import day_of_hour
from controller.messages.models import RoundClosed

IDLE = frozenset(
    {
        *("closed", "floor-menu", "inspector", "inspecting", "inspection-entry", "inspection-lit"),
        *("inspection-key", "inspection-lamps"),
        *("inspection-shaker", "dice-due", "work", "work-part", "work-credential", "work-witness"),
        *("work-signature", "locating", "confirming", "locked", "malfunction"),
    }
)
"""States of the games in which no table plays."""
KINDS = ("game", "table", "dealer", "wheel")
"""Whose sums there are."""
STATE, VOID = "state", "void"
"""What there are parts of."""
SUMMED_FROM = "days_summed_from"
"""The key in ``about`` of the hour from which on hours are in the sums of days; empty once all are."""
HOURS_AT_ONCE = 6
"""So many hours of all tables are added in a slice."""
_NOTHING = "9"
"""Later than any hour."""
_WITH_STATES = ("game", "table")
_hours = schema.hour_sums.c

Key = tuple[str, ...]
Phases = Mapping[str, Sequence[int]]
"""By state: milliseconds, those of at most ten minutes a round, and rounds."""


class PeriodSums:
    """Adds up what hours sum; a transaction at a time."""

    def __init__(self) -> None:
        self._complete = False
        self.forget()

    def forget(self) -> None:
        """Drop what is not written: its transaction failed."""
        self._sums: defaultdict[Key, list[int]] = defaultdict(lambda: [0] * 5)
        self._parts: defaultdict[Key, list[int]] = defaultdict(lambda: [0] * 3)

    def count(self, db: Connection, message: RoundClosed) -> None:
        """Add a round that was stored."""
        self._round(db, message, 1)

    def withdraw(self, db: Connection, row: Row[Any]) -> None:
        """Take out a round that is deleted because it was not true.

        Args:
            row: of the store's ``rounds``.
        """
        self._round(db, row, -1)

    def replace(self, db: Connection, row: Row[Any], message: RoundClosed) -> None:
        """A stored round was put right."""
        self._round(db, row, -1)
        self._round(db, message, 1)

    def add_slice(self, db: Connection) -> bool:
        """Add some of the hours that are not in the sums yet; returns whether there are more."""
        begins = self._begins(db, writing=True)
        if not begins or unsummed(db) != 0:
            return False
        earlier = select(_hours.hour).where(_hours.hour < begins).distinct().order_by(_hours.hour.desc())
        hours = db.execute(earlier.limit(HOURS_AT_ONCE)).scalars().all()
        for row in db.execute(select(schema.hour_sums).where(_hours.hour.in_(hours))):
            self._add(row, row.hour, [row.rounds, row.spins, row.corrections], row.voids, row.phases, 1)
        more = len(hours) == HOURS_AT_ONCE
        upsert(db, schema.about, [{"key": SUMMED_FROM, "value": hours[-1] if more else ""}])
        self.write(db)
        return more

    def write(self, db: Connection) -> None:
        """Write what was added since the last call."""
        add_rows(db, schema.period_sums, self._sums)
        add_rows(db, schema.period_parts, self._parts)
        self.forget()

    def _round(self, db: Connection, one: RoundClosed | Row[Any], sign: int) -> None:
        hour = one.closed[:HOUR_LENGTH]
        if one.number <= 0 or hour < self._begins(db):
            return  # What hours hold of it comes with a slice.
        voids: defaultdict[str, int] = defaultdict(int)
        for reason in one.voids:
            voids[reason] += 1
        phases = {state: (ms, min(ms, MOST_MS), 1) for state, ms in one.phases.items()}
        self._add(one, hour, [1, len(one.results) + len(one.voids), one.corrections], voids, phases, sign)

    def _add(
        self,
        one: RoundClosed | Row[Any],
        hour: str,
        counts: Sequence[int],
        voids: Mapping[str, int],
        phases: Phases,
        sign: int,
    ) -> None:
        rounds, spins, corrections = counts
        play_ms = sum(capped for state, (_, capped, _) in phases.items() if state not in IDLE)
        numbers = [sign * number for number in (rounds, spins, sum(voids.values()), corrections, play_ms)]
        day = day_of_hour(hour)
        _plus(self._sums["game", hour, one.game, one.game], numbers)
        for kind in KINDS:
            name = getattr(one, kind)
            _plus(self._sums[kind, day[:4], name, one.game], numbers)
            for period in (day, day[:7]):
                _plus(self._sums[kind, period, name, one.game], numbers)
                for reason, count in voids.items():
                    _plus(self._parts[kind, VOID, name, period, one.game, reason], (sign * count, 0, 0))
                if kind in _WITH_STATES:
                    for state, (ms, capped, times) in phases.items():
                        _plus(
                            self._parts[kind, STATE, name, period, one.game, state],
                            (sign * times, sign * ms, sign * capped),
                        )

    def _begins(self, db: Connection, writing: bool = False) -> str:
        """From which hour on they are there; empty for all, which never changes again."""
        if self._complete:
            return ""
        # Nobody adds to an hour while another process adds its slice.
        begins = db.execute(_begun().with_for_update(read=not writing)).scalar()
        self._complete = begins == ""
        return _NOTHING if begins is None else begins


def _plus(sums: list[int], numbers: Sequence[int]) -> None:
    for place, number in enumerate(numbers):
        sums[place] += number


def _begun() -> Any:
    return select(schema.about.c.value).where(schema.about.c.key == SUMMED_FROM)


def days_are_complete(db: Connection) -> bool:
    """Whether all hours are in the sums of days."""
    return db.execute(_begun()).scalar() == ""


def begin_period_sums(db: Connection) -> None:
    """A store is opened: what it has of hours is to be added. After :func:`begin_sums`."""
    if db.execute(_begun()).scalar() is None:
        empty = unsummed(db) == 0 and db.execute(select(_hours.hour).limit(1)).first() is None
        db.execute(insert(schema.about).values(key=SUMMED_FROM, value="" if empty else _NOTHING))
