"""Measures a table's spins one by one, and watches its wheel; what the table then records of it.

The watches go on over restarts: every so many spins what is recorded of one says where they stand.
"""

import hashlib
import logging
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass, replace
from itertools import islice

from config.schema import WheelSection
from controller.events.event import SpinMeasured, WheelDegraded
from controller.journal.journal import Journal
from controller.journal.record import of_entry
from controller.journal.replay.trace import EdgeStretch
from controller.runtime.recorded_spins import parts
from controller.runtime.wheel_geometry import geometry
from controller.wheel_health.drift import WheelHealth
from controller.wheel_health.measures import measure
from controller.wheel_health.recorded import spin_measured, spin_measures, wheel_degraded

log = logging.getLogger(__name__)

STATE_EVERY = 100
"""After so many spins one of them says what the watches stand at."""
MOST_SPINS = 2000
"""So many are read at the most, if no such spin is found before."""
LOOK_BACK = 100_000
"""Of so many of the journal's last entries."""


@dataclass(frozen=True, slots=True)
class EndedSpin:
    """A movement of the wheel, up to its rest.

    Attributes:
        round: in which it ended.
        touched: it was void because a hand was on the running wheel.
        stretch: all edges since the rest before.
    """

    round: int
    touched: bool
    stretch: EdgeStretch


def calibration_name(wheel: WheelSection) -> str:
    """Names what was calibrated: its date, and a digest of what was measured.

    Raises:
        ValueError: the wheel was not calibrated.
    """
    if wheel.clapper is None:
        raise ValueError("a wheel that was not calibrated has no calibration to name")
    mounted = f"{wheel.counts_per_turn} {wheel.index_offset_counts} {wheel.reversed}"
    measured = f"{mounted} {wheel.clapper.model_dump_json(exclude_defaults=True)}"
    return f"{wheel.clapper.measured} {hashlib.sha256(measured.encode()).hexdigest()[:12]}"


class SpinMeasurer:
    """Measures the spins of one wheel, one after the other.

    Args:
        wheel: calibrated.
        sections: of the wheel.
        journal: of the table; what is on record of spins with this calibration is read from it.

    Raises:
        ValueError: the wheel was not calibrated.
        JournalError: an entry of the journal cannot be read.
    """

    def __init__(self, wheel: WheelSection, sections: int, journal: Journal) -> None:
        self._geometry = geometry(wheel, sections)
        self._calibration = calibration_name(wheel)
        self._health = WheelHealth(self._geometry)
        self._resume(journal)

    def measured(self, spin: EndedSpin) -> Iterator[SpinMeasured | WheelDegraded]:
        """What is to be recorded of a spin: nothing for a movement that was none, or of which edges were lost."""
        health, name = self._health, self._calibration
        for part in parts(spin.round, spin.stretch, self._geometry.rest_ns):
            raw = None if part.lost else measure(part.levels, bytes(part.edges), part.stamps, self._geometry)
            if raw is None:
                continue
            placed = health.placed(raw)
            shift = health.index_shift if raw.index_on_edge else None
            event = spin_measured(placed, spin.round, name, spin.touched, shift)
            found = health.add(spin_measures(event), event.touched)
            yield event if health.spins % STATE_EVERY else replace(event, watches=health.state())
            yield from (wheel_degraded(finding, spin.round, name) for finding in found)

    def _resume(self, journal: Journal) -> None:
        """Bring the watches to where they stood after the last spin on record."""
        since: list[SpinMeasured] = []
        for event in self._on_record(journal):
            if event.watches and self._resumed(event.watches):
                break
            since.append(event)
        for event in reversed(since):
            if event.index_shift is not None:
                self._health.index_shift = event.index_shift
            self._health.add(spin_measures(event), event.touched)

    def _resumed(self, watches: str) -> bool:
        try:
            self._health.resume(watches)
        except ValueError as error:
            log.warning("the watches over the wheel begin anew, with the last %d spins: %s", MOST_SPINS, error)
            self._health = WheelHealth(self._geometry)
            return False
        return True

    def _on_record(self, journal: Journal) -> Iterator[SpinMeasured]:
        """Spins with this calibration, newest first."""
        with closing(journal.backwards_of("spin-measured", len(journal) - LOOK_BACK)) as entries:
            for entry in islice(entries, MOST_SPINS):
                event = of_entry(entry).event
                if not isinstance(event, SpinMeasured) or event.calibration != self._calibration:
                    return
                yield event
