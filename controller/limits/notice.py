"""The notice of announced limits: how long the sign has shown them, whatever clocks and power did meanwhile.

A notice counts time for which the table ran and its sign was lit (§ 521.8(c)(2)(i), (ii)), on the monotonic clock.
What is on record of it survives a restart: at most :data:`STEP_NS` of it is lost.
"""

from collections.abc import Callable
from dataclasses import replace

from controller.limits.table_state import AnnouncedLimits
from controller.limits.terms import NOTICE_NS, NS_PER_S
from hal.interfaces import Clock

STEP_NS = 60 * NS_PER_S
"""How much of a notice passes until it is recorded. A sign states minutes: no shorter delay is shown."""


class Notice:
    """The notice of one announcement, from its record or a start on.

    Args:
        lit: whether the sign is lit.
    """

    def __init__(self, pending: AnnouncedLimits, clock: Clock, lit: Callable[[], bool]) -> None:
        self.pending = pending
        self._clock = clock
        self._lit = lit
        self._seen_ns = clock.now_ns()
        self._lit_ns = pending.lit_ns
        self._due_ns = self._seen_ns + pending.from_utc_ns - clock.utc_ns()
        """A clock that is set forward later does not shorten the notice."""

    def follow(self, pending: AnnouncedLimits) -> bool:
        """Whether this is still the announcement on record; then what is recorded of it is taken over."""
        same = replace(pending, lit_ns=0) == replace(self.pending, lit_ns=0)
        if same:
            self.pending = pending
        return same

    def look(self) -> int | None:
        """Count the time since the last look, if the sign is lit; what is to be recorded of it, or None."""
        self._lit_ns, self._seen_ns = self._shown_ns, self._clock.now_ns()
        lit_ns, recorded_ns = min(self._lit_ns, NOTICE_NS), self.pending.lit_ns
        steps = lit_ns - recorded_ns >= STEP_NS or recorded_ns < lit_ns == NOTICE_NS
        return lit_ns if steps else None

    @property
    def _shown_ns(self) -> int:
        return self._lit_ns + (self._clock.now_ns() - self._seen_ns if self._lit() else 0)

    @property
    def left_ns(self) -> int:
        """How long it takes at least until the limits may take effect; 0 from then on."""
        wall_ns = self.pending.from_utc_ns - self._clock.utc_ns()
        return max(0, NOTICE_NS - self._shown_ns, self._due_ns - self._clock.now_ns(), wall_ns)

    @property
    def from_utc_ns(self) -> int:
        """Wall time from which they take effect: as announced, or later if clocks or the sign make it so."""
        expected_ns, stated_ns = self._clock.utc_ns() + self.left_ns, self.pending.from_utc_ns
        return expected_ns if self.left_ns and expected_ns - stated_ns > STEP_NS else stated_ns
