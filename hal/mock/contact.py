"""The contact of the simulated clapper, in time: it closes and opens late, and chatters."""

import numpy as np

from hal.mock.arrays import Bytes, Floats, Times
from hal.mock.legs import CLOSES
from hal.mock.settings import WheelSettings

_CLOSES = CLOSES[0]
_SWITCH = 0x20  # The bit by which an opening's letter differs from a closing's.
_LEAST_PULSE_NS = 20_000


class ClapperContact:
    """A switch behind a leather, open at first.

    Attributes:
        closed: whether the leather is bent so far, however late its line says so.
    """

    def __init__(self, settings: WheelSettings, rng: np.random.Generator) -> None:
        self.closed = False
        self._rng = rng
        self._delays_ns = np.zeros(256)
        self._delays_ns[_CLOSES] = settings.closing_delay_ms * 1e6
        self._delays_ns[_CLOSES | _SWITCH] = settings.opening_delay_ms * 1e6
        self._part = settings.chatter_part
        self._longest_ns = int(settings.chatter_us * 1000)
        self._free_ns = 0.0

    def edges(self, letters: Bytes, at_ns: Floats) -> tuple[Bytes, Floats]:
        """What the line does when the leather passes the switch's bends at these moments."""
        before = np.empty(len(letters), np.uint8)
        before[0] = _CLOSES if self.closed else _CLOSES | _SWITCH
        before[1:] = letters[:-1]
        changes = letters != before
        letters, at_ns = letters[changes], at_ns[changes]
        if not len(letters):
            return letters, at_ns
        self.closed = bool(letters[-1] == _CLOSES)
        late_ns = at_ns + self._delays_ns[letters]
        # A touch that ends before the contact has answered is a short pulse at least; edges keep their order.
        least = _LEAST_PULSE_NS * np.arange(len(late_ns))
        late_ns = np.maximum.accumulate(np.maximum(late_ns - least, self._free_ns)) + least
        self._free_ns = float(late_ns[-1]) + _LEAST_PULSE_NS
        return letters, late_ns

    def bounce(self, letters: Bytes, stamps: Times) -> tuple[Bytes, Times]:
        """Some edges bounce once before they settle, if they have the time before the next one."""
        (bouncing,) = (self._rng.random(len(letters)) < self._part).nonzero()
        if self._longest_ns < 2 or not len(bouncing):
            return letters, stamps
        pauses = self._rng.integers(1, self._longest_ns, (2, len(stamps)))[:, bouncing]
        following = np.concatenate((stamps[1:], stamps[-1:] + 4 * self._longest_ns))[bouncing]
        apart, again = stamps[bouncing] + pauses.cumsum(axis=0)
        fits = again + _LEAST_PULSE_NS < following
        bouncing, apart, again = bouncing[fits], apart[fits], again[fits]
        edge = letters[bouncing]
        if len(edge) and bouncing[-1] == len(letters) - 1:
            self._free_ns = max(self._free_ns, float(again[-1]) + _LEAST_PULSE_NS)
        return np.concatenate((letters, edge ^ _SWITCH, edge)), np.concatenate((stamps, apart, again))
