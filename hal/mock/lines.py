"""The lines between a simulated sensor head and the kernel: where faults strike.

The head determines what its sensors do (letters and times), the lines what the kernel sees of it.
"""

from array import array
from dataclasses import dataclass, field

import numpy as np

from hal.errors import UnknownLineError
from hal.events import LINES, EdgeBatch
from hal.mock.arrays import Bytes, Times

_LOWER = 0x20
_SWAP = np.arange(256, dtype=np.uint8)
for _one, _other in (b"AB", b"BA", b"ab", b"ba"):
    _SWAP[_one] = _other


@dataclass(slots=True)
class Faults:
    """What is broken between the sensors and the kernel."""

    held: dict[str, bool] = field(default_factory=dict)
    """Lines that stand at a level whatever the sensor does: stuck, or open and pulled up."""
    lost: float = 0.0
    """Part of all edges that is never seen."""
    swapped: bool = False
    """The encoder's A and B are crossed."""
    noise_hz: dict[str, float] = field(default_factory=dict)
    """Disturbances a second on a line."""
    overflow: int = 0
    """Edges that the kernel's buffer is about to lose."""

    def any(self) -> bool:
        return bool(self.held or self.lost or self.swapped or self.noise_hz or self.overflow)


class SimulatedLines:
    """What the kernel sees of a head's lines.

    Args:
        levels: the sensors' levels before the first edge, by the lines' letters.
        seqno: the number of the last edge before.
    """

    def __init__(self, rng: np.random.Generator, levels: dict[str, bool], seqno: int = 0) -> None:
        self._rng = rng
        self.faults = Faults()
        self._sensor = dict(levels)
        self._seen = dict(levels)
        self.seqno = seqno
        """The number of the last edge."""
        self.names = tuple(name for name, letter in LINES.items() if letter in levels)
        """The head's lines."""

    def letter_of(self, line: str) -> str:
        """The letter of a line.

        Raises:
            UnknownLineError: the head has no such line.
        """
        if line not in self.names:
            raise UnknownLineError(f"no line '{line}'; the head's lines are: {', '.join(self.names)}")
        return LINES[line]

    def realign(self, levels: dict[str, bool]) -> None:
        """The sensors were moved by hand while the wheel stood; :meth:`settle` gives what the kernel sees."""
        self._sensor = dict(levels)

    def repair(self, swapped: bool = False) -> None:
        """Nothing is broken any more; wires that are crossed may stay so."""
        self.faults = Faults(swapped=swapped)

    def levels(self) -> dict[str, bool]:
        """The present level of each line, whether or not the kernel has seen its last edge."""
        levels = {}
        for letter in self._sensor:
            source = {"A": "B", "B": "A"}.get(letter, letter) if self.faults.swapped else letter
            levels[letter] = self.faults.held.get(letter, self._sensor[source])
        return levels

    def carry(self, letters: Bytes, times: Times, from_ns: int, to_ns: int) -> EdgeBatch | None:
        """What becomes of the sensors' edges, in order of time, between two moments."""
        changed, dropped = self._levels_after(letters), 0
        self._sensor.update(changed)
        if self.faults.any():
            letters, times, dropped = self._broken(letters, times, from_ns, to_ns)
            changed = self._levels_after(letters)
        return self._delivered(letters, times, changed, dropped)

    def settle(self, at_ns: int) -> EdgeBatch | None:
        """A fault came or went: lines jump to the level that they have now."""
        jumps = {letter: level for letter, level in self.levels().items() if level != self._seen[letter]}
        text = "".join(letter if level else letter.lower() for letter, level in jumps.items())
        times = at_ns + np.arange(len(jumps), dtype=np.int64)
        return self._delivered(np.frombuffer(text.encode(), np.uint8), times, jumps)

    def _delivered(
        self, letters: Bytes, times: Times, changed: dict[str, bool], dropped: int = 0
    ) -> EdgeBatch | None:
        """A batch of edges, numbered on after so many that were dropped; None if there is none."""
        if not len(letters):
            return None
        first = self.seqno + 1 + dropped
        self.seqno += dropped + len(letters)
        self._seen.update(changed)
        stamps = array("q")
        stamps.frombytes(times.tobytes())
        return EdgeBatch(letters.tobytes(), stamps, range(first, first + len(letters)))

    def _levels_after(self, letters: Bytes) -> dict[str, bool]:
        """The level of each line that has changed, after these edges."""
        text, levels = letters.tobytes(), {}
        for letter in self._sensor:
            rising, falling = text.rfind(letter.encode()), text.rfind(letter.lower().encode())
            if rising != falling:
                levels[letter] = rising > falling
        return levels

    def _broken(self, letters: Bytes, times: Times, from_ns: int, to_ns: int) -> tuple[Bytes, Times, int]:
        """What faults leave of edges, and how many were dropped before these."""
        faults = self.faults
        if faults.swapped:
            letters = _SWAP[letters]
        for line, hertz in faults.noise_hz.items():
            letters, times = self._disturbed(line, hertz, letters, times, from_ns, to_ns)
        keep = np.ones(len(letters), dtype=bool)
        if faults.lost:
            keep &= self._rng.random(len(letters)) >= faults.lost
        for line in faults.held:
            keep &= (letters | _LOWER) != (ord(line) | _LOWER)
        letters, times = letters[keep], times[keep]
        # The oldest edges go; the newest one stays, and its number tells of the gap.
        dropped = min(faults.overflow, max(0, len(letters) - 1))
        faults.overflow -= dropped
        return letters[dropped:], times[dropped:], dropped

    def _disturbed(
        self, line: str, hertz: float, letters: Bytes, times: Times, from_ns: int, to_ns: int
    ) -> tuple[Bytes, Times]:
        """With short pulses away from the line's level and back."""
        count = int(self._rng.poisson(hertz * (to_ns - from_ns) / 1e9))
        at = np.sort(self._rng.integers(from_ns, max(from_ns + 1, to_ns - 20_000), count))
        at = at[np.diff(at, prepend=from_ns - 40_000) > 30_000]
        own = (letters | _LOWER) == (ord(line) | _LOWER)
        before = np.searchsorted(times[own], at, side="right")
        levels = np.concatenate(([self._seen[line]], (letters[own] & _LOWER) == 0))[before]
        away = (ord(line) | np.where(levels, _LOWER, 0)).astype(np.uint8)
        letters = np.concatenate((letters, away, away ^ _LOWER))
        times = np.concatenate((times, at, at + 10_000))
        order = np.argsort(times, kind="stable")
        return letters[order], times[order]
