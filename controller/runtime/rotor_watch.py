"""Measures each run of the ball at a roulette table, and watches its wheel; what the table then records of it.

No more is looked at than the edges of index and beams: so it is done in the table's loop, where a wheel with a
clapper needs a process (``measuring_process.py``). The watches go on over restarts, and begin anew when work on the
wheel is logged (§ 617a.2(e)).
"""

import logging
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing
from dataclasses import replace
from itertools import islice

from controller.events.effect import InspectionLogged
from controller.events.event import BallLeftTrack, BallThrown, Event, RotorMeasured, WheelDegraded
from controller.journal.journal import Journal
from controller.journal.record import RecordedDecision, of_entry
from controller.tracking.reading import ENCODER, OTHERS, read
from controller.tracking.roulette.health import SpinHealth, run_health
from controller.tracking.roulette.rotor import RotorGeometry
from controller.wheel_health.recorded import rotor_measured, rotor_spin, wheel_degraded
from controller.wheel_health.rotor_drift import RotorWheelHealth
from hal.events import BALL_1, BALL_2, INDEX, EdgeBatch
from hal.interfaces import Clock

log = logging.getLogger(__name__)

STATE_EVERY = 25
"""After so many runs one of them says what the watches stand at."""
MOST_RUNS = 500
"""So many are read at the most, if no such run is found before."""
LOOK_BACK = 100_000
"""Of so many of the journal's last entries."""
_LOGGED = "inspection-logged"
_EDGES = 1000
"""So many of the last edges of beams and index are kept: more than those of any run."""
_NOT_OF_THE_WHEEL = "of-the-ball"
"""Work on this is none on the wheel."""


def wheel_name(geometry: RotorGeometry, round_: int) -> str:
    """Names a wheel since the round in which work on it was last logged; 0 for none."""
    return f"rotor {geometry.beam_angle_mdeg} {round_:09d}"


def name_on_record(journal: Journal, geometry: RotorGeometry, look_back: int = LOOK_BACK) -> str:
    """The present name, by the last run on record and what was logged after it."""
    name, after = wheel_name(geometry, 0), max(0, len(journal) - look_back)
    with closing(journal.backwards_of("rotor-measured", after)) as entries:
        for entry in islice(entries, 1):
            event, after = of_entry(entry).event, entry.seq
            assert isinstance(event, RotorMeasured)
            same = event.calibration.rpartition(" ")[0] == name.rpartition(" ")[0]
            name = event.calibration if same else wheel_name(geometry, entry.round)
    for entry in journal.entries(after):
        if _LOGGED in entry.body and works_on_wheel(of_entry(entry).effects):
            name = wheel_name(geometry, entry.round)
    return name


def works_on_wheel(effects: Iterable[object]) -> bool:
    """Whether work is logged that may change how the wheel drops its balls, or how its rotor slows down."""
    logged = (effect for effect in effects if isinstance(effect, InspectionLogged))
    return any(not work.endswith(_NOT_OF_THE_WHEEL) for one in logged for work in one.work)


class RotorWatch:
    """Listens to a roulette table: to the edges of its wheel, and to its recorded decisions.

    Args:
        take: takes what is to be recorded.
    """

    def __init__(
        self, geometry: RotorGeometry, journal: Journal, clock: Clock, take: Callable[[Iterable[Event]], None]
    ) -> None:
        self._geometry = geometry
        self._journal = journal
        self._clock = clock
        self._take = take
        self._passes: deque[tuple[int, str]] = deque(maxlen=_EDGES)
        self._marks: deque[int] = deque(maxlen=_EDGES)
        self._thrown_ns = 0
        self._begin(wheel_name(geometry, 0))

    def start(self) -> None:
        """Bring the watches to where they stood after the last run on record."""
        self._begin(name_on_record(self._journal, self._geometry))
        since: list[RotorMeasured] = []
        for event in self._on_record():
            if event.watches and self._resumed(event.watches):
                break
            since.append(event)
        for event in reversed(since):
            self._health.add(rotor_spin(event))

    def hear(self, batch: EdgeBatch) -> None:
        """Take a batch of edges."""
        others = batch.edges.translate(None, ENCODER)
        if not others:
            return
        reading = read(batch.edges, batch.edges.translate(None, OTHERS), batch.timestamps_ns)
        for at_ns, letter in zip(reading.others_ns, reading.others.decode(), strict=True):
            if letter == INDEX:
                self._marks.append(at_ns)
            elif letter in (BALL_1, BALL_2):
                self._passes.append((at_ns, letter))

    def __call__(self, recorded: RecordedDecision) -> None:
        """Take a recorded decision: once the ball has left its track, its run is measured."""
        event = recorded.record.event
        if works_on_wheel(recorded.record.effects):
            self._begin(wheel_name(self._geometry, recorded.entry.round))
        if isinstance(event, BallThrown):
            self._thrown_ns = event.at_ns
        elif isinstance(event, BallLeftTrack) and event.fault is None and not event.early:
            meanwhile = [at_ns for at_ns in self._marks if self._thrown_ns <= at_ns <= event.at_ns]
            run = run_health(event, self._passes, meanwhile, self._geometry)
            self._take(list(self._measured(run, recorded.entry.round)))

    def _measured(self, run: SpinHealth, round_: int) -> Iterator[RotorMeasured | WheelDegraded]:
        now_ns, name, health = self._clock.now_ns(), self._name, self._health
        event = replace(rotor_measured(run, round_, name), at_ns=now_ns)
        found = health.add(rotor_spin(event))
        yield event if health.spins % STATE_EVERY else replace(event, watches=health.state())
        yield from (replace(wheel_degraded(one, round_, name), at_ns=now_ns) for one in found)

    def _begin(self, name: str) -> None:
        self._name = name
        self._health = RotorWheelHealth(self._geometry.beam_angle_mdeg)

    def _resumed(self, watches: str) -> bool:
        try:
            self._health.resume(watches)
        except ValueError as error:
            log.warning("the watches over the wheel begin anew, with the last %d runs: %s", MOST_RUNS, error)
            self._begin(self._name)
            return False
        return True

    def _on_record(self) -> Iterator[RotorMeasured]:
        """Runs of the wheel since work on it was last logged, newest first."""
        with closing(self._journal.backwards_of("rotor-measured", len(self._journal) - LOOK_BACK)) as entries:
            for entry in islice(entries, MOST_RUNS):
                event = of_entry(entry).event
                if not isinstance(event, RotorMeasured) or event.calibration != self._name:
                    return
                yield event
