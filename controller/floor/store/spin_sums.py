"""What dealers did with wheels and balls: directions, revolutions and speeds, by day, month and year.

It is taken from the entries that rounds' messages hold, and kept in the transaction of each round. Rounds that were
stored before are added in slices, the newest first; ``about`` says up to which one they are still to be added.
"""

import json
import logging
import zlib
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, Row, func, insert, select

from controller.floor.store import schema
from controller.floor.store.additive import add_rows
from controller.floor.store.engine import upsert
from controller.floor.store.hour_sums import HOUR_LENGTH
from controller.floor.store.house_days import day_of_hour
from controller.messages.models import RecordedEntry, RoundClosed

log = logging.getLogger("floor")

UNSPUN = "rounds_without_spins"
"""The key in ``about`` of the highest id of the rounds whose spins are not summed yet; 0 once all are."""
SPINS_FROM = "spins_summed_from"
"""The key in ``about`` of the time from which on rounds were there when spins were first summed; empty for all."""
TOO_FEW = frozenset({"fewer-than-three-revolutions", "fewer-than-four-revolutions"})
"""Why a throw is void that made fewer revolutions than the rules ask for (§§ 689a.2(b), 619a.2(b), 617a.5(a))."""
SLICE = 500
"""How many rounds are added at once."""
_THROWN = frozenset({"wheel-thrown", "ball-thrown"})
_TURNED = frozenset({"revolution-completed", "ball-revolution"})
_ENDED = frozenset({"wheel-rested", "ball-left-track"})
_STARTED = frozenset({"table-started", "power-restored", "rules-changed"})
"""After these the times of entries are those of another clock."""
_READ = _THROWN | _TURNED | _ENDED
_DIRECTIONS = frozenset({"clockwise", "counterclockwise"})
_NS_PER_S = 1_000_000_000
_FASTEST = 100_000
"""Thousandths of a revolution a second: what is said to be faster is no speed of a wheel or ball."""
_rounds = schema.rounds.c
_NAMES = ("game", "dealer")
_SUMMED = select(_rounds.id, _rounds.number, *(_rounds[name] for name in _NAMES), _rounds.closed, _rounds.entries)


@dataclass(slots=True)
class Spin:
    """A throw of a wheel or a ball, until it was at rest or had left its track.

    Attributes:
        direction: empty if it is not known.
        revolutions: complete ones.
        speed: thousandths of a revolution a second, in the second one; 0 if that was not completed.
        short: it was void, for it made fewer revolutions than the rules ask for.
    """

    direction: str
    revolutions: int = 0
    speed: int = 0
    short: bool = False


class DealerSpinSums:
    """Adds the spins of stored rounds; a transaction at a time."""

    def __init__(self) -> None:
        self.forget()

    def forget(self) -> None:
        """Drop what is not written: its transaction failed."""
        self._sums: defaultdict[tuple[str, ...], list[int]] = defaultdict(lambda: [0] * 6)

    def count(self, message: RoundClosed) -> None:
        """Add the spins of a stored round."""
        self._add(message, spins_of(message.entries or ()), 1)

    def withdraw(self, db: Connection, row: Row[Any]) -> None:
        """Take out the spins of a round that is deleted because it was not true.

        Args:
            row: of the store's ``rounds``.
        """
        if row.id > (unspun(db) or 0):
            self._add(row, spins_of(_entries(row)), -1)

    def replace(self, db: Connection, row: Row[Any], message: RoundClosed) -> None:
        """A stored round was put right; as long as it is in no sums yet, it is added as it then stands."""
        if row.id > (unspun(db) or 0):
            self.withdraw(db, row)
            self.count(message)

    def add_slice(self, db: Connection) -> bool:
        """Add some of the rounds whose spins are not summed yet; returns whether there are more."""
        last = unspun(db)
        if not last:
            return False
        slice_ = _SUMMED.where(_rounds.id <= last).order_by(_rounds.id.desc()).limit(SLICE)
        rows: Sequence[Any] = db.execute(slice_).all()
        for row in rows:
            self._add(row, spins_of(_entries(row)), 1)
        more = len(rows) == SLICE
        upsert(db, schema.about, [{"key": UNSPUN, "value": str(rows[-1].id - 1 if more else 0)}])
        self.write(db)
        return more

    def write(self, db: Connection) -> None:
        """Write what was added since the last call."""
        add_rows(db, schema.spin_sums, self._sums)
        self.forget()

    def _add(self, one: RoundClosed | Row[Any], spins: Iterable[Spin], sign: int) -> None:
        if one.number <= 0:
            return
        for spin in spins:
            day = day_of_hour(one.closed[:HOUR_LENGTH])
            numbers = (1, spin.short, spin.revolutions, spin.speed > 0, spin.speed, spin.speed**2)
            for period in (day, day[:7], day[:4]):
                sums = self._sums[period, one.dealer, one.game, spin.direction]
                for place, number in enumerate(numbers):
                    sums[place] += sign * number


def spins_of(entries: Iterable[RecordedEntry]) -> Iterator[Spin]:
    """The spins of a round: the throws that its machine took for one, each once it has ended.

    A throw that a power cut or a restart interrupts is left out.
    """
    spin: Spin | None = None
    first_ns = 0
    for entry in entries:
        if entry.kind in _STARTED:
            spin = None  # What became of it nobody saw.
        body = _body(entry) if entry.kind in _READ else None
        if body is None:
            continue
        event = body["event"]
        if entry.kind in _THROWN:
            spin = Spin(_direction(event)) if body.get("outcome") == "accepted" else None
        elif spin is not None and entry.kind in _TURNED:
            number = event.get("number")
            if number == 1:
                first_ns = entry.at_ns
            elif number == 2 and first_ns and not spin.speed:
                spin.speed = _speed(entry.at_ns - first_ns)
            spin.revolutions = max(spin.revolutions, number if isinstance(number, int) else 0)
        elif spin is not None:
            spin.direction = spin.direction or _direction(event)
            spin.short = any(effect.get("reason") in TOO_FEW for effect in _voids(body))
            yield spin
            spin = None
        first_ns = 0 if spin is None else first_ns


def _speed(turn_ns: int) -> int:
    """The speed of a turn that took so long; 0 for what cannot be."""
    speed = round(1000 * _NS_PER_S / turn_ns) if turn_ns > 0 else 0
    return speed if speed <= _FASTEST else 0


def _direction(event: Mapping[str, Any]) -> str:
    direction = event.get("direction")
    return direction if direction in _DIRECTIONS else ""


def _voids(body: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    effects = body.get("effects")
    return [one for one in effects if isinstance(one, dict)] if isinstance(effects, list) else []


def _body(entry: RecordedEntry) -> dict[str, Any] | None:
    """What an entry says; None for one that this software cannot read."""
    try:
        body = json.loads(entry.body)
    except (ValueError, RecursionError):
        body = None
    if isinstance(body, dict) and isinstance(body.get("event"), dict):
        return body
    log.warning("entry %d (%s) says of a spin what this version cannot read", entry.seq, entry.kind)
    return None


def _entries(row: Row[Any]) -> Sequence[RecordedEntry]:
    stored = json.loads(zlib.decompress(row.entries)) if row.entries is not None else None
    return [RecordedEntry(**entry) for entry in stored or () if entry["kind"] in _READ | _STARTED]


def unspun(db: Connection) -> int | None:
    """The highest id of the rounds whose spins are not summed yet: 0 if all are; None for one without sums."""
    value = db.execute(select(schema.about.c.value).where(schema.about.c.key == UNSPUN)).scalar()
    return None if value is None else int(value)


def spins_from(db: Connection) -> str:
    """From when on spins are summed: what was deleted before there were such sums is in none; empty for all."""
    return db.execute(select(schema.about.c.value).where(schema.about.c.key == SPINS_FROM)).scalar() or ""


def begin_spin_sums(db: Connection, kept_from: str) -> None:
    """A store is opened: the spins of the rounds that it has are to be summed.

    Args:
        kept_from: the time from which on all rounds are kept; empty if none was ever deleted.
    """
    if unspun(db) is None:
        last = db.execute(select(func.max(_rounds.id))).scalar() or 0
        for key, value in ((UNSPUN, str(last)), (SPINS_FROM, kept_from)):
            db.execute(insert(schema.about).values(key=key, value=value))
