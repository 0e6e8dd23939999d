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
"""How much of a notice passes until it is recorded."""
_TOLERANCE_NS = STEP_NS
"""A sign states minutes: what delays the limits by less than this is not shown."""


class Notice:
    """The notice of one announcement, in one run of the table.

    Args:
        since_ns: monotonic time of the announcement, or of the start that found it on record.
        ahead_ns: how long after that it takes effect; a clock that is set forward does not shorten it.
        lit: whether the sign is lit.
    """

    def __init__(
        self, pending: AnnouncedLimits, clock: Clock, since_ns: int, ahead_ns: int, lit: Callable[[], bool]
    ) -> None:
        self.pending = pending
        self._clock = clock
        self._due_ns = since_ns + ahead_ns
        self._lit = lit
        self._seen_ns = since_ns
        self._lit_ns = pending.lit_ns

    def follow(self, pending: AnnouncedLimits | None) -> bool:
        """Whether this is still the announcement on record; then what is recorded of it is taken over."""
        if pending is None or replace(pending, lit_ns=0) != replace(self.pending, lit_ns=0):
            return False
        self.pending = pending
        return True

    def look(self) -> None:
        """Count the time since the last look, if the sign is lit."""
        self._lit_ns, self._seen_ns = self._shown_ns, self._clock.now_ns()

    @property
    def _shown_ns(self) -> int:
        return self._lit_ns + (self._clock.now_ns() - self._seen_ns if self._lit() else 0)

    @property
    def to_record_ns(self) -> int | None:
        """What is to be recorded of the notice; None if nothing is new."""
        recorded_ns = self.pending.lit_ns
        if recorded_ns >= NOTICE_NS or self._lit_ns - recorded_ns < min(STEP_NS, NOTICE_NS - recorded_ns):
            return None
        return min(self._lit_ns, NOTICE_NS)

    @property
    def left_ns(self) -> int:
        """How long it takes at least until the limits may take effect; 0 from then on."""
        wall_ns = self.pending.from_utc_ns - self._clock.utc_ns()
        return max(0, NOTICE_NS - self._shown_ns, self._due_ns - self._clock.now_ns(), wall_ns)

    @property
    def from_utc_ns(self) -> int:
        """Wall time from which they take effect: as announced, or later if clocks or the sign make it so."""
        expected_ns, stated_ns = self._clock.utc_ns() + self.left_ns, self.pending.from_utc_ns
        return expected_ns if self.left_ns and expected_ns - stated_ns > _TOLERANCE_NS else stated_ns
