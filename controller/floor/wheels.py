"""Where each wheel stopped, and the evidence of that against its fairness. Used by the store and by ``settle``.

The evidence is looked at after every spin: its highest value counts for good, whatever comes later. A wheel is
counted at each table by itself, so no table can change what is known of another one's wheel.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from math import log10
from typing import Any

from sqlalchemy import Connection, func, select, tuple_, update

from controller.fairness.evidence import Evidence
from controller.floor import schema
from controller.floor.database import upsert
from controller.floor.derive import Row, alert

FAIRNESS = "fairness"
"""The kind of an alert: a wheel does not look fair."""
_SECTIONS = range(2, 101)
"""Of wheels whose fairness can be judged."""
_wheels, _counts, _spins = schema.wheels.c, schema.wheel_counts.c, schema.spins.c
_Key = tuple[str, str, int]
"""Of a wheel: its table, its serial number, and how many sections it has."""


@dataclass(slots=True)
class _Wheel:
    evidence: Evidence
    labels: list[str]
    spins: int = 0
    highest: float = 0.0
    alarmed: str | None = None
    fresh: Counter[tuple[str, int]] = field(default_factory=Counter)


class Wheels:
    """The wheels of all tables, cached from the database.

    Args:
        level: a fair wheel ever raises the alarm with this probability at most.
    """

    def __init__(self, level: Fraction) -> None:
        self._odds = 1 / level
        self._known: dict[_Key, _Wheel] = {}
        self._touched: dict[_Key, tuple[_Wheel, str]] = {}

    def forget(self) -> None:
        """Drop the cache: a transaction failed, or another process has written."""
        self._known.clear()
        self._touched.clear()

    def count(self, db: Connection, spins: Sequence[Row], game: str, received: str) -> list[Row]:
        """Count spins of a record that came to a result, until :meth:`write`; returns alerts."""
        alerts: list[Row] = []
        by_wheel: dict[_Key, list[Row]] = {}
        for spin in spins:
            if spin["position"] is not None and spin["sections"] in _SECTIONS:
                by_wheel.setdefault((spin["table"], spin["wheel"], spin["sections"]), []).append(spin)
        for key, of_wheel in by_wheel.items():
            wheel = self._wheel(db, key)
            highest = wheel.evidence.add([(spin["position"], spin["direction"]) for spin in of_wheel])
            wheel.spins += len(of_wheel)
            wheel.fresh.update((spin["direction"], spin["position"]) for spin in of_wheel)
            for spin in of_wheel:
                wheel.labels[spin["position"]] = spin["label"]
            wheel.highest = max(wheel.highest, highest)
            if wheel.alarmed is None and wheel.highest >= log10(self._odds):
                wheel.alarmed = received
                alerts.append(self._unfair(wheel, of_wheel[-1]))
            self._touched[key] = (wheel, game)
        return alerts

    def write(self, db: Connection) -> None:
        """Write what was counted since the last call."""
        rows: list[Row] = []
        counts: list[Row] = []
        for (table, name, sections), (wheel, game) in sorted(self._touched.items(), key=lambda one: one[0]):
            key = {"table": table, "wheel": name, "sections": sections}
            row = {"game": game, "labels": wheel.labels, "spins": wheel.spins}
            said = wheel.evidence.suspicion(wheel.labels)
            found = {"evidence": wheel.evidence.log10, "highest": wheel.highest, "suspicion": said}
            rows.append(key | row | found | {"alarmed": wheel.alarmed})
            for (direction, position), count in sorted(wheel.fresh.items()):
                counts.append(key | {"direction": direction, "position": position, "count": count})
            wheel.fresh.clear()
        upsert(db, schema.wheels, rows)
        upsert(db, schema.wheel_counts, counts, adding=("count",))
        self._touched.clear()

    def _wheel(self, db: Connection, key: _Key) -> _Wheel:
        if key in self._known:
            return self._known[key]
        sections = key[-1]
        row = db.execute(select(schema.wheels).where(tuple_(*_key(_wheels)) == key)).first()
        if row is None:
            wheel = _Wheel(Evidence(sections), [""] * sections)
        else:
            counts: dict[str, list[int]] = {}
            stored = select(_counts.direction, _counts.position, schema.wheel_counts.c["count"])
            for direction, position, count in db.execute(stored.where(tuple_(*_key(_counts)) == key)):
                counts.setdefault(direction, [0] * sections)[position] = count
            evidence = Evidence(sections, counts)
            wheel = _Wheel(evidence, list(row.labels), row.spins, row.highest, row.alarmed)
        self._known[key] = wheel
        return wheel

    def _unfair(self, wheel: _Wheel, spin: Row) -> Row:
        name = spin["wheel"]
        text = (
            f"wheel {name} does not look fair: odds of 10^{wheel.highest:.1f} to 1 within {wheel.spins} spins "
            f"(alarm at {int(self._odds):,} to 1). {wheel.evidence.suspicion(wheel.labels)}"
        ).strip()
        todo = "take the wheel out of play and have it inspected"
        return alert(spin["table"], FAIRNESS, name, spin["utc"], text, todo, spin["round"])


def _key(columns: Any) -> tuple[Any, ...]:
    return columns.table, columns.wheel, columns.sections


def take_out(db: Connection, record_id: int, after: int) -> None:
    """Spins of a record after an entry are not true: they count no longer. What the evidence once was stays."""
    false = (_spins.record_id == record_id, _spins.seq > after)
    counted = (_spins.position.is_not(None), _spins.sections.in_(_SECTIONS))
    columns = (*_key(_spins), _spins.direction, _spins.position)
    names = ("table", "wheel", "sections", "direction", "position", "count")
    query = select(*columns, -func.count()).where(*false, *counted).group_by(*columns)
    counts: list[Row] = [dict(zip(names, row, strict=True)) for row in db.execute(query)]
    upsert(db, schema.wheel_counts, counts, adding=("count",))
    for row in counts:
        of_wheel = tuple_(*_key(_wheels)) == (row["table"], row["wheel"], row["sections"])
        db.execute(update(schema.wheels).where(of_wheel).values(spins=_wheels.spins + row["count"]))
