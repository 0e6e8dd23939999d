"""Sums of the rounds of an hour by table, game, dealer and wheel: a day of a table is a few dozen rows.

They are kept with each round that is stored or withdrawn, in its transaction. Rounds that a store had before it had
sums are added in slices, the newest first; ``about`` says up to which one they are still to be added.
"""

import json
from collections import Counter, OrderedDict
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from sqlalchemy import Connection, Row, func, select

from controller.floor.store import schema
from controller.floor.store.engine import insert_new, upsert
from controller.messages.models import RoundClosed

UNSUMMED = "unsummed"
"""The key in ``about`` of the highest id of the rounds that are not in the sums yet; 0 once all are."""
MOST_MS = 600_000
"""The longest that a state of a round counts as play."""
SLICE = 2_000
"""How many rounds are added at once."""
HOUR_LENGTH = 13
"""Of an hour's text, as in ``2026-11-21T17``."""
_CACHED = 4_000

_rounds = schema.rounds.c
_sums = schema.hour_sums.c


class SumKey(NamedTuple):
    """What a sum is of."""

    hour: str
    table: str
    game: str
    dealer: str
    wheel: str


@dataclass(slots=True)
class RoundSums:
    """Sums over rounds.

    Attributes:
        spins: spins, rolls or deals, the void ones included.
        phases: milliseconds by state.
        capped: the same, with at most :data:`MOST_MS` of each round.
        times: how many rounds had the state.
    """

    rounds: int = 0
    spins: int = 0
    corrections: int = 0
    voids: Counter[str] = field(default_factory=Counter)
    phases: Counter[str] = field(default_factory=Counter)
    capped: Counter[str] = field(default_factory=Counter)
    times: Counter[str] = field(default_factory=Counter)

    def add(self, results: int, voids: list[str], corrections: int, phases: Mapping[str, int], sign: int) -> None:
        """Add a round; with a sign of -1 take it out.

        Args:
            results: how many.
        """
        self.rounds += sign
        self.spins += sign * (results + len(voids))
        self.corrections += sign * corrections
        for reason in voids:
            self.voids[reason] += sign
        for state, ms in phases.items():
            self.phases[state] += sign * ms
            self.capped[state] += sign * min(ms, MOST_MS)
            self.times[state] += sign

    def merge(self, rounds: int, spins: int, corrections: int, voids: str, phases: str) -> None:
        """Add the columns of a row of the store, ``voids`` and ``phases`` as text."""
        self.rounds += rounds
        self.spins += spins
        self.corrections += corrections
        if voids != "{}":
            for reason, count in json.loads(voids).items():
                self.voids[reason] += count
        for state, (ms, capped_ms, times) in json.loads(phases).items():
            self.phases[state] += ms
            self.capped[state] += capped_ms
            self.times[state] += times


class HourSums:
    """Keeps the sums of stored rounds; a transaction at a time."""

    def __init__(self) -> None:
        self._known: OrderedDict[SumKey, RoundSums] = OrderedDict()
        self._touched: set[SumKey] = set()

    def forget(self) -> None:
        """Drop what is cached: its transaction failed."""
        self._known.clear()
        self._touched.clear()

    def count(self, db: Connection, message: RoundClosed) -> None:
        """Add a round that was stored."""
        if message.number > 0:
            sums = self._of(db, _key(message))
            sums.add(len(message.results), message.voids, message.corrections, message.phases, 1)

    def withdraw(self, db: Connection, row: Row[Any]) -> None:
        """Take a round out that is deleted because it was not true, as that of a fork that was settled.

        Args:
            row: of the store's ``rounds``.
        """
        last = unsummed(db)
        if row.number > 0 and last is not None and row.id > last:
            self._add(db, row, -1)

    def replace(self, db: Connection, row: Row[Any], message: RoundClosed) -> None:
        """A stored round was put right; as long as it is in no sums yet, it is added as it then stands.

        Args:
            row: of the store's ``rounds``, as it was.
        """
        last = unsummed(db)
        if last is not None and row.id > last:
            self.withdraw(db, row)
            self.count(db, message)

    def add_slice(self, db: Connection) -> bool:
        """Add some of the rounds that are not in the sums yet; returns whether there are more."""
        last = unsummed(db)
        if not last:
            return False
        slice_ = select(schema.rounds).where(_rounds.id <= last).order_by(_rounds.id.desc()).limit(SLICE)
        rows = db.execute(slice_.with_only_columns(*_SUMMED)).all()
        for row in rows:
            if row.number > 0:
                self._add(db, row, 1)
        more = len(rows) == SLICE
        left = rows[-1].id - 1 if more else 0
        upsert(db, schema.about, [{"key": UNSUMMED, "value": str(left)}])
        return more

    def write(self, db: Connection) -> None:
        """Write what changed since the last call."""
        rows: list[dict[str, object]] = [
            {**key._asdict(), **_columns(self._known[key])} for key in sorted(self._touched)
        ]
        upsert(db, schema.hour_sums, rows)
        self._touched.clear()
        while len(self._known) > _CACHED:
            self._known.popitem(last=False)

    def _add(self, db: Connection, row: Row[Any], sign: int) -> None:
        self._of(db, _key(row)).add(len(row.results), row.voids, row.corrections, row.phases, sign)

    def _of(self, db: Connection, key: SumKey) -> RoundSums:
        if key in self._known:
            self._known.move_to_end(key)
        else:
            where = [_sums[name] == value for name, value in key._asdict().items()]
            row = db.execute(select(schema.hour_sums).where(*where)).first()
            self._known[key] = RoundSums() if row is None else _sums_of(row)
        self._touched.add(key)
        return self._known[key]


_SUMMED = [_rounds[name] for name in ("id", "number", "table", "game", "dealer", "wheel", "closed")] + [
    _rounds[name] for name in ("results", "voids", "corrections", "phases")
]


def unsummed(db: Connection) -> int | None:
    """The highest id of the rounds that are not in the sums yet: 0 if all are; None for a store without sums."""
    value = db.execute(select(schema.about.c.value).where(schema.about.c.key == UNSUMMED)).scalar()
    return None if value is None else int(value)


def begin_sums(db: Connection) -> None:
    """A store is opened: rounds that it has and that are in no sums are to be added."""
    if unsummed(db) is None:
        last = db.execute(select(func.max(_rounds.id))).scalar() or 0
        insert_new(db, schema.about, {"key": UNSUMMED, "value": str(last)})


def _sums_of(row: Row[Any]) -> RoundSums:
    whole, capped, times = (Counter({state: of[n] for state, of in row.phases.items()}) for n in range(3))
    return RoundSums(row.rounds, row.spins, row.corrections, Counter(row.voids), whole, capped, times)


def _key(one: RoundClosed | Row[Any]) -> SumKey:
    return SumKey(one.closed[:HOUR_LENGTH], one.table, one.game, one.dealer, one.wheel)


def _columns(sums: RoundSums) -> dict[str, object]:
    return {
        "rounds": sums.rounds,
        "spins": sums.spins,
        "corrections": sums.corrections,
        "voids": {reason: count for reason, count in sums.voids.items() if count},
        "phases": {
            state: [sums.phases[state], sums.capped[state], times] for state, times in sums.times.items() if times
        },
    }
