"""One spin, many ways to break its lines: for :mod:`campaigns.wheel_campaign` and tests.

A fault of a line changes what the kernel sees, not how the wheel moves. So each spin of a wheel of the fleet is
made once, and its edges are carried over lines that break, again and again: at a moment of its last second and a
half, or of the whole spin; one fault, or two at that moment, or the second later; for good, or for a while. What
the tracker says is compared with where the wheel truly came to rest. (An encoder that slips on its shaft is no
fault of a line.)
"""

import math
import pickle
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from campaigns.fleet_wheel import FleetWheel, outcome

from controller.tracking.clapper_wheel.wheel import WheelTracker
from hal.events import EdgeBatch
from hal.mock.head import SimulatedLines
from hal.mock.motion import Bytes, Times

_LETTERS = "ABZC"
_LINES = {"A": "encoder_a", "B": "encoder_b", "Z": "index", "C": "clapper"}
_LATE_NS = 1_500_000_000
_AFTER_NS = 8_000_000_000
_NOISE_AFTER_NS = 1_000_000_000
"""Noise goes on for so long after the wheel has come to rest."""


@dataclass(frozen=True, slots=True)
class LineFault:
    """A fault of the lines.

    Attributes:
        kind: its name in ``hal.mock.world.FAULTS``.
        line: the letter of the line; empty if it is of no single one.
        amount: as there.
        from_ns: when it strikes.
        to_ns: when it passes; None if it stays.
    """

    kind: str
    line: str
    amount: float
    from_ns: int
    to_ns: int | None

    def __str__(self) -> str:
        words = [self.kind, _LINES.get(self.line, ""), "" if self.to_ns is None else "for a while"]
        return " ".join(filter(None, words))


class BrokenSpin(NamedTuple):
    """Where and by which faults, and how it ended: in a word, and whether a result was right."""

    where: str
    faults: str
    said: str
    right: bool


class RecordedThrow:
    """A throw whose edges were recorded, to be carried over other lines.

    Args:
        wheel: at rest.
    """

    def __init__(self, wheel: FleetWheel) -> None:
        self._tracker = pickle.dumps(wheel.tracker)
        self._levels = {letter: wheel.head.levels()[letter] for letter in _LETTERS}
        self._seqno = wheel.head.lines.seqno
        batches: list[EdgeBatch] = []

        def record(batch: EdgeBatch) -> None:
            batches.append(batch)
            wheel.feed(batch)

        wheel.head.start(record)
        wheel.throw()
        self.spin = wheel.end()
        wheel.head.start(wheel.feed)
        self.section, self.bent = wheel.head.true_position()
        self._letters: Bytes = np.frombuffer(b"".join(batch.edges for batch in batches), np.uint8)
        self._times: Times = np.concatenate([np.asarray(batch.timestamps_ns, np.int64) for batch in batches])
        self.begins_ns, self.ends_ns = int(self._times[0]), int(self._times[-1])

    def until(self, at_ns: int) -> bytes:
        """The tracker at a moment, before anything breaks; pickled."""
        tracker: WheelTracker = pickle.loads(self._tracker)  # Our own, of a moment ago.
        cut = int(self._times.searchsorted(at_ns))
        letters, times = self._letters[:cut], self._times[:cut]
        if cut:
            seqnos = range(self._seqno + 1, self._seqno + 1 + cut)
            tracker.feed(EdgeBatch(letters.tobytes(), times.tolist(), seqnos))
        return pickle.dumps(tracker)

    def broken(self, tracker: bytes, at_ns: int, faults: Sequence[LineFault], seed: int) -> tuple[str, bool]:
        """How the spin ends for a tracker that stood there when the first of these faults struck: in a word, and
        whether a result was right."""
        mine: WheelTracker = pickle.loads(tracker)  # Our own, of a moment ago.
        cut = int(self._times.searchsorted(at_ns))
        lines = SimulatedLines(
            np.random.default_rng(seed), _after(self._levels, self._letters[:cut]), self._seqno + cut
        )
        ends_ns = max(self.ends_ns + _NOISE_AFTER_NS, at_ns + 1)
        events = []
        moments = {fault.from_ns for fault in faults} | {fault.to_ns for fault in faults if fault.to_ns is not None}
        for from_ns, to_ns in _pieces([at_ns, *sorted(moments), ends_ns]):
            _set(lines, faults, from_ns)
            first, end = (int(self._times.searchsorted(moment)) for moment in (from_ns, to_ns))
            pieces = (
                lines.settle(from_ns),
                lines.carry(self._letters[first:end], self._times[first:end], from_ns, to_ns),
            )
            for batch in pieces:
                if batch is not None:
                    events += mine.feed(batch)
        rests_ns = ends_ns + _AFTER_NS
        events += [*mine.look(lines.levels(), rests_ns), *mine.tick(rests_ns)]
        spin = outcome(events, self.section, self.bent)
        return spin.said, spin.right


def _pieces(moments: Sequence[int]) -> Sequence[tuple[int, int]]:
    return [(one, other) for one, other in pairwise(moments) if one < other]


def _after(levels: dict[str, bool], letters: Bytes) -> dict[str, bool]:
    text = letters.tobytes()
    places = {letter: (text.rfind(letter.encode()), text.rfind(letter.lower().encode())) for letter in levels}
    return {
        letter: level if places[letter] == (-1, -1) else places[letter][0] > places[letter][1]
        for letter, level in levels.items()
    }


def _set(lines: SimulatedLines, faults: Sequence[LineFault], at_ns: int) -> None:
    """What is broken at a moment, at this moment and until the next one."""
    held: dict[str, bool] = {}
    noise: dict[str, float] = {}
    lost, swapped = 0.0, False
    for fault in faults:
        if not fault.from_ns <= at_ns < (fault.to_ns or at_ns + 1):
            continue
        if fault.kind == "overflow":
            lines.faults.overflow += int(fault.amount) * (fault.from_ns == at_ns)
        elif fault.kind == "lost-edges":
            lost = max(lost, fault.amount)
        elif fault.kind == "swapped":
            swapped = True
        elif fault.kind == "noise":
            noise[fault.line] = fault.amount
        elif fault.kind == "unplugged":
            held |= dict.fromkeys(_LETTERS, True)
        else:
            held[fault.line] = fault.kind == "stuck-high"
    broken = lines.faults
    broken.held, broken.noise_hz, broken.lost, broken.swapped = held, noise, lost, swapped


def draw_faults(rng: random.Random, at_ns: int, ends_ns: int) -> list[LineFault]:
    """One fault that strikes at a moment, or two: the second then too, or later in the spin."""
    faults = [_draw_fault(rng, at_ns, ends_ns)]
    if rng.random() < 0.5:
        later_ns = at_ns if rng.random() < 0.5 or at_ns >= ends_ns else rng.randint(at_ns, ends_ns)
        faults.append(_draw_fault(rng, later_ns, ends_ns))
    return faults


def _draw_fault(rng: random.Random, at_ns: int, ends_ns: int) -> LineFault:
    line = rng.choice(_LETTERS)
    kind, line, amount = rng.choice(
        (
            ("stuck-high", line, 0.0),
            ("stuck-low", line, 0.0),
            ("unplugged", "", 0.0),
            ("lost-edges", "", math.exp(rng.uniform(math.log(0.001), 0.0))),
            ("overflow", "", float(rng.randint(1, 2000) if rng.random() < 0.5 else rng.randint(1, 20))),
            ("swapped", "", 0.0),
            ("noise", line, math.exp(rng.uniform(math.log(2), math.log(1000)))),
        )
    )
    passes = kind != "overflow" and rng.random() < 0.5
    lasts_ns = round(math.exp(rng.uniform(math.log(1e6), math.log(3e9))))
    return LineFault(kind, line, amount, at_ns, at_ns + lasts_ns if passes else None)


def broken_spins(wheel: FleetWheel, seed: int, spins: int, moments: int, ways: int) -> Iterator[BrokenSpin]:
    """So many spins of a wheel, each broken at so many moments, at each in so many ways."""
    rng = random.Random(seed)
    for number in range(spins):
        throw = RecordedThrow(wheel)
        for moment in range(moments):
            late = moment % 5 != 0
            begins_ns = max(throw.begins_ns, throw.ends_ns - _LATE_NS) if late else throw.begins_ns
            at_ns = rng.randint(begins_ns, throw.ends_ns)
            tracker = throw.until(at_ns)
            for which in range(ways):
                drawn = draw_faults(rng, at_ns, throw.ends_ns)
                said, right = throw.broken(tracker, at_ns, drawn, which)
                where = f"wheel {seed}, spin {number}, moment {moment}, {which}"
                yield BrokenSpin(where, " and ".join(map(str, drawn)), said, right)
