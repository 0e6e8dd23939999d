"""Counts where each wheel stopped, and the evidence of the counts against its fairness.

The evidence is evaluated after every spin: its highest value counts permanently, whatever comes later.
"""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from math import log10
from typing import Protocol

from sqlalchemy import Connection, select

from controller.floor.store import schema
from controller.floor.store.alerts import FAIRNESS, raise_alert
from controller.floor.store.engine import upsert
from controller.messages.models import RoundClosed, SpinResult

_wheels = schema.wheels.c
_counts = schema.wheel_counts.c

_LONGEST = 70
"""The length to which a wheel's name is truncated when a number is appended."""


class StoredEvidence(Protocol):
    """The evidence against a wheel of equal sections."""

    @property
    def log10(self) -> float:
        """log10 of the present odds against a fair wheel."""

    def add_all(self, spins: Sequence[tuple[int, str]]) -> float:
        """Count spins in their order: position and direction; returns the highest log10 after any of them."""

    def suspicion(self, labels: Sequence[str] = ()) -> str:
        """What it points to, as text."""


Counts = Mapping[str, Sequence[int]]
MakeEvidence = Callable[[int, Counts | None], StoredEvidence]
"""Makes the evidence of a wheel from its number of sections and its counts, by direction and position."""


@dataclass(slots=True)
class _Wheel:
    key: str
    of: int
    game: str
    evidence: StoredEvidence
    labels: list[str]
    spins: int = 0
    highest: float = 0.0
    alarmed: str | None = None
    fresh: Counter[tuple[str, int]] = field(default_factory=Counter)


class WheelCounts:
    """The wheels of all tables, cached from the store.

    Args:
        level: the probability that a fair wheel ever raises the alarm is at most this.
    """

    def __init__(self, level: Fraction, make: MakeEvidence) -> None:
        self._alarm = log10(1 / level)
        self._odds = 1 / level
        self._make = make
        self._known: dict[str, _Wheel] = {}
        self._touched: dict[str, _Wheel] = {}

    def forget(self) -> None:
        """Drop the cached counts, whose transaction failed; they are read from the store again."""
        self._known.clear()
        self._touched.clear()

    def count(self, db: Connection, message: RoundClosed, received: str) -> None:
        """Count the spins of a stored round."""
        spins: dict[int, list[SpinResult]] = {}
        for spin in message.spins:
            spins.setdefault(spin.of, []).append(spin)
        for of, of_wheel in spins.items():
            wheel = self._wheel(db, message, of, received)
            self._touched[wheel.key] = wheel
            highest = wheel.evidence.add_all([(spin.position, spin.direction) for spin in of_wheel])
            wheel.spins += len(of_wheel)
            wheel.fresh.update((spin.direction, spin.position) for spin in of_wheel)
            _label(wheel, of_wheel)
            wheel.highest = max(wheel.highest, highest)
            if wheel.alarmed is None and wheel.highest >= self._alarm:
                wheel.alarmed = received
                self._raise(db, wheel, message, received)

    def withdraw(self, db: Connection, message: RoundClosed) -> None:
        """Take back the spins of a round that a person settled not to be one. What the evidence once was stays."""
        for spin in message.spins:
            wheel = self._find(db, message.wheel or message.table)
            if wheel is None or wheel.of != spin.of:
                continue
            self._touched[wheel.key] = wheel
            wheel.spins -= 1
            wheel.fresh[spin.direction, spin.position] -= 1
        self.write(db)
        self._known.clear()  # The evidence is made anew from the counts.

    def write(self, db: Connection) -> None:
        """Write the counts since the last call."""
        touched = [self._touched[key] for key in sorted(self._touched)]
        upsert(db, schema.wheels, [_row(wheel) for wheel in touched])
        counts: list[dict[str, object]] = [
            {"wheel": wheel.key, "direction": direction, "position": position, "count": count}
            for wheel in touched
            for (direction, position), count in sorted(wheel.fresh.items())
        ]
        upsert(db, schema.wheel_counts, counts, adding="count")
        for wheel in touched:
            wheel.fresh.clear()
        self._touched.clear()

    def _wheel(self, db: Connection, message: RoundClosed, of: int, received: str) -> _Wheel:
        """The wheel of a round; a wheel whose number of sections differs is another wheel."""
        name = message.wheel or message.table
        key, attempts = name, 0
        while (wheel := self._find(db, key)) is not None and wheel.of != of:
            attempts += 1
            key = f"{name[:_LONGEST]}{'~' * attempts}{of}"
        if wheel is None:
            wheel = _Wheel(key, of, message.game, self._make(of, None), [""] * of)
            self._known[key] = wheel
        if key != name:
            text = f"wheel {name} is reported with {of} sections, and had another number before"
            remedy = f"check which wheel is at the table, and its serial number; its spins are kept as {key}"
            raise_alert(
                db, message.table, FAIRNESS, f"{key}:of", message.closed, text, received, remedy, message.number
            )
        return wheel

    def _find(self, db: Connection, key: str) -> _Wheel | None:
        if key in self._known:
            return self._known[key]
        row = db.execute(select(schema.wheels).where(_wheels.wheel == key)).mappings().first()
        if row is None:
            return None
        of = row["of"]
        counts: dict[str, list[int]] = {}
        stored = select(_counts.direction, _counts.position, schema.wheel_counts.c["count"])
        for direction, position, count in db.execute(stored.where(_counts.wheel == key)):
            counts.setdefault(direction, [0] * of)[position] = count
        self._known[key] = _Wheel(
            key,
            of,
            row["game"],
            self._make(of, counts),
            list(row["labels"]),
            row["spins"],
            row["highest"],
            row["alarmed"],
        )
        return self._known[key]

    def _raise(self, db: Connection, wheel: _Wheel, message: RoundClosed, received: str) -> None:
        text = (
            f"wheel {wheel.key} does not look fair: odds of 10^{wheel.highest:.1f} to 1 within {wheel.spins} spins "
            f"(alarm at {int(self._odds):,} to 1). {wheel.evidence.suspicion(wheel.labels)}"
        ).strip()
        remedy = "take the wheel out of play and have it inspected"
        raise_alert(db, message.table, FAIRNESS, wheel.key, message.closed, text, received, remedy, message.number)


def _label(wheel: _Wheel, spins: Sequence[SpinResult]) -> None:
    for spin in spins:
        if spin.label:
            wheel.labels[spin.position] = spin.label


def _row(wheel: _Wheel) -> dict[str, object]:
    return {
        "wheel": wheel.key,
        "game": wheel.game,
        "of": wheel.of,
        "labels": wheel.labels if any(wheel.labels) else [],
        "spins": wheel.spins,
        "evidence": wheel.evidence.log10,
        "highest": wheel.highest,
        "suspicion": wheel.evidence.suspicion(wheel.labels),
        "alarmed": wheel.alarmed,
    }


def mixture() -> MakeEvidence:
    """The evidence of :mod:`controller.fairness.evidence`, which loads numpy."""
    from controller.fairness.evidence import Evidence

    return Evidence
