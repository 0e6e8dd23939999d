"""The contact of the simulated clapper, in time: it opens and closes late, and chatters."""

import numpy as np

from hal.mock.arrays import Bytes, Floats, Sensed
from hal.mock.leather import RELEASES, STRIKES
from hal.mock.settings import WheelSettings

_LEAST_PULSE_NS = 20_000


class ClapperContact:
    """A switch behind a leather, closed at first; while it is open its line is high.

    Attributes:
        bent: whether the leather is bent so far, however late its line says so.
    """

    def __init__(self, settings: WheelSettings, rng: np.random.Generator) -> None:
        self.bent = False
        self._rng = rng
        self._delays_ns = np.zeros(256)
        self._delays_ns[[STRIKES, RELEASES]] = settings.strike_delay_ms * 1e6, settings.release_delay_ms * 1e6
        self._part = settings.chatter_part
        self._longest_ns = settings.chatter_us * 1000
        self._free_ns = 0.0

    def edges(self, letters: Bytes, at_ns: Floats) -> Sensed:
        """What the line does when the leather passes the switch's bends at these moments."""
        before = np.empty(len(letters), np.uint8)
        before[0] = STRIKES if self.bent else RELEASES
        before[1:] = letters[:-1]
        changes = letters != before
        letters, at_ns = letters[changes], at_ns[changes]
        if not len(letters):
            return letters, at_ns
        self.bent = bool(letters[-1] == STRIKES)
        late_ns = at_ns + self._delays_ns[letters]
        # A touch that ends before the contact has answered is a short pulse at least; edges keep their order.
        least = _LEAST_PULSE_NS * np.arange(len(late_ns))
        late_ns = np.maximum.accumulate(np.maximum(late_ns - least, self._free_ns)) + least
        self._free_ns = float(late_ns[-1]) + _LEAST_PULSE_NS
        return self._chattering(letters, late_ns)

    def _chattering(self, letters: Bytes, at_ns: Floats) -> Sensed:
        """Some edges bounce once before they settle, if they have the time before the next one."""
        (bouncing,) = (self._rng.random(len(letters)) < self._part).nonzero()
        if not len(bouncing):
            return letters, at_ns
        pauses_ns = self._rng.uniform(0, self._longest_ns, (2, len(bouncing)))
        following_ns = np.append(at_ns[1:], at_ns[-1] + 4 * self._longest_ns)[bouncing]
        apart_ns, again_ns = at_ns[bouncing] + pauses_ns.cumsum(axis=0)
        fits = again_ns + _LEAST_PULSE_NS < following_ns
        bouncing, apart_ns, again_ns = bouncing[fits], apart_ns[fits], again_ns[fits]
        if len(bouncing) and bouncing[-1] == len(letters) - 1:
            self._free_ns = max(self._free_ns, float(again_ns[-1]) + _LEAST_PULSE_NS)
        edge = letters[bouncing]
        letters = np.concatenate((letters, edge ^ (STRIKES ^ RELEASES), edge))
        at_ns = np.concatenate((at_ns, apart_ns, again_ns))
        order = at_ns.argsort(kind="stable")
        return letters[order], at_ns[order]
