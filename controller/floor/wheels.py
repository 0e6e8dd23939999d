"""Where each wheel stopped, and the evidence of that against its fairness. Used by the store and by ``settle``.

The evidence is looked at after every spin: its highest value counts for good, whatever comes later. A wheel's
spins count from the table that has it. Another table that names the wheel's serial number is an alert, until a
person says that the wheel was moved there.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from math import log10

from sqlalchemy import Connection, and_, func, select, update

from controller.fairness.evidence import Evidence
from controller.floor import schema
from controller.floor.database import upsert
from controller.floor.derive import Row, alert

FAIRNESS, WHEEL = "fairness", "wheel"
"""Kinds of alerts: a wheel does not look fair; a wheel's serial number is at a second table."""
_SECTIONS = range(2, 101)
"""Of wheels whose fairness can be judged."""
_wheels, _counts, _spins = schema.wheels.c, schema.wheel_counts.c, schema.spins.c


@dataclass(slots=True)
class _Wheel:
    table: str
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
        self._known: dict[tuple[str, int], _Wheel] = {}
        self._touched: dict[tuple[str, int], tuple[_Wheel, str]] = {}

    def forget(self) -> None:
        """Drop the cache: a transaction failed, or another process has written."""
        self._known.clear()
        self._touched.clear()

    def count(self, db: Connection, spins: Sequence[Row], game: str, received: str) -> list[Row]:
        """Count spins of a record that came to a result, until :meth:`write`; returns alerts."""
        alerts: list[Row] = []
        by_wheel: dict[tuple[str, int], list[Row]] = {}
        for spin in spins:
            if spin["position"] is not None and spin["sections"] in _SECTIONS:
                by_wheel.setdefault((spin["wheel"], spin["sections"]), []).append(spin)
        for key, of_wheel in by_wheel.items():
            wheel = self._wheel(db, key, of_wheel[0]["table"])
            if wheel.table != of_wheel[0]["table"]:
                alerts.append(_elsewhere(key[0], wheel.table, of_wheel[0]))
                continue
            highest = wheel.evidence.add([(spin["position"], spin["direction"]) for spin in of_wheel])
            wheel.spins += len(of_wheel)
            wheel.fresh.update((spin["direction"], spin["position"]) for spin in of_wheel)
            for spin in of_wheel:
                wheel.labels[spin["position"]] = spin["label"]
            wheel.highest = max(wheel.highest, highest)
            if wheel.alarmed is None and wheel.highest >= log10(self._odds):
                wheel.alarmed = received
                alerts.append(self._unfair(key[0], wheel, of_wheel[-1]))
            self._touched[key] = (wheel, game)
        return alerts

    def write(self, db: Connection) -> None:
        """Write what was counted since the last call."""
        rows: list[Row] = []
        counts: list[Row] = []
        for (name, sections), (wheel, game) in sorted(self._touched.items(), key=lambda one: one[0]):
            key = {"wheel": name, "sections": sections}
            row = {"game": game, "table": wheel.table, "labels": wheel.labels, "spins": wheel.spins}
            said = wheel.evidence.suspicion(wheel.labels)
            found = {"evidence": wheel.evidence.log10, "highest": wheel.highest, "suspicion": said}
            rows.append(key | row | found | {"alarmed": wheel.alarmed})
            for (direction, position), count in sorted(wheel.fresh.items()):
                counts.append(key | {"direction": direction, "position": position, "count": count})
            wheel.fresh.clear()
        upsert(db, schema.wheels, rows)
        upsert(db, schema.wheel_counts, counts, adding=("count",))
        self._touched.clear()

    def _wheel(self, db: Connection, key: tuple[str, int], table: str) -> _Wheel:
        if key in self._known:
            return self._known[key]
        name, sections = key
        row = db.execute(select(schema.wheels).where(_wheels.wheel == name, _wheels.sections == sections)).first()
        if row is None:
            wheel = _Wheel(table, Evidence(sections), [""] * sections)
        else:
            counts: dict[str, list[int]] = {}
            stored = select(_counts.direction, _counts.position, schema.wheel_counts.c["count"])
            of_wheel = stored.where(_counts.wheel == name, _counts.sections == sections)
            for direction, position, count in db.execute(of_wheel):
                counts.setdefault(direction, [0] * sections)[position] = count
            evidence = Evidence(sections, counts)
            wheel = _Wheel(row.table, evidence, list(row.labels), row.spins, row.highest, row.alarmed)
        self._known[key] = wheel
        return wheel

    def _unfair(self, name: str, wheel: _Wheel, spin: Row) -> Row:
        text = (
            f"wheel {name} does not look fair: odds of 10^{wheel.highest:.1f} to 1 within {wheel.spins} spins "
            f"(alarm at {int(self._odds):,} to 1). {wheel.evidence.suspicion(wheel.labels)}"
        ).strip()
        todo = "take the wheel out of play and have it inspected"
        return alert(spin["table"], FAIRNESS, name, spin["utc"], text, todo, spin["round"])


def _elsewhere(name: str, at: str, spin: Row) -> Row:
    text = f"wheel {name} is at table {at}, and table {spin['table']} says that it has it; its spins there wait"
    remedy = f"if the wheel was moved: table-controller floor --settle {spin['table']}; else secure that table"
    return alert(spin["table"], WHEEL, name, spin["utc"], text, remedy, spin["round"])


def move(db: Connection, name: str, table: str, since: str) -> None:
    """A person says that a wheel is at another table: its spins there since then count."""
    of_table = and_(_spins.wheel == name, _spins.table == table, _spins.utc >= since, _spins.position.is_not(None))
    columns = (_spins.sections, _spins.direction, _spins.position)
    rows = db.execute(select(*columns, func.count()).where(of_table).group_by(*columns))
    _add(db, name, [(*row, 1) for row in rows])
    db.execute(update(schema.wheels).where(_wheels.wheel == name).values(table=table))


def take_out(db: Connection, record_id: int, after: int) -> None:
    """Spins of a record after an entry are not true: they count no longer. What the evidence once was stays."""
    columns = (_spins.wheel, _spins.sections, _spins.direction, _spins.position)
    at_wheel = (_wheels.wheel == _spins.wheel, _wheels.sections == _spins.sections, _wheels.table == _spins.table)
    counted = and_(_spins.record_id == record_id, _spins.seq > after, _spins.position.is_not(None))
    query = select(*columns, func.count()).join(schema.wheels, and_(*at_wheel)).where(counted).group_by(*columns)
    for wheel, *row in db.execute(query).all():
        _add(db, wheel, [(*row, -1)])


def _add(db: Connection, name: str, rows: Sequence[tuple[int, str, int, int, int]]) -> None:
    for sections, direction, position, count, sign in rows:
        key = {"wheel": name, "sections": sections, "direction": direction, "position": position}
        upsert(db, schema.wheel_counts, [{**key, "count": sign * count}], adding=("count",))
        of_wheel = and_(_wheels.wheel == name, _wheels.sections == sections)
        db.execute(update(schema.wheels).where(of_wheel).values(spins=_wheels.spins + sign * count))
