"""The lamp panel of a table: set, read back, and checked periodically while nothing changes.

A lamp can fail between two changes, and a panel may return from a loss of power with its lamps out. A difference
from the command is reported, and the panel is set again.
"""

from collections.abc import Callable

from controller.events.event import PanelFault
from hal.errors import HalError
from hal.interfaces import Clock, LampPanel, Timer

CHECK_NS = 1_000_000_000
"""How often a panel is read back while its lamps do not change."""
RETRY_NS = 10_000_000_000
"""Time until a panel that did not respond is read again: its timeout can take a third of a second."""


Mismatch = tuple[tuple[str, ...], tuple[str, ...], str]
"""Lamps that are dark or burn otherwise than commanded, or why their state is not known."""
AS_COMMANDED: Mismatch = (), (), ""


class Lamps:
    """One panel and its commanded lamps.

    Args:
        report: called with a fault found by a periodic check; each fault once until the lamps change.
    """

    def __init__(self, panel: LampPanel, clock: Clock, report: Callable[[PanelFault], None]) -> None:
        self._panel = panel
        self._clock = clock
        self._report = report
        self._areas: frozenset[str] = frozenset()
        self._reported: set[Mismatch] = set()
        self._readable = True
        """Whether this panel can be read back."""
        self._timer: Timer | None = None

    def show(self, areas: frozenset[str]) -> PanelFault | None:
        """Light exactly these areas; returns the fault, if there is one."""
        self._areas = areas
        mismatch = self._set()
        self._reported = {mismatch}
        self._schedule(mismatch)
        return self._fault(mismatch) if mismatch != AS_COMMANDED else None

    def close(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _check(self) -> None:
        mismatch = self._read_back()
        if mismatch == AS_COMMANDED and self._readable:  # As nearly always; the timer that called is done.
            self._timer = self._clock.call_at(self._clock.now_ns() + CHECK_NS, self._check)
            return
        if mismatch == AS_COMMANDED:
            self._schedule(mismatch)
            return
        self._set()
        self._schedule(mismatch)
        if mismatch not in self._reported:
            self._reported.add(mismatch)
            self._report(self._fault(mismatch))

    def _set(self) -> Mismatch:
        try:
            self._panel.show(self._areas)
        except HalError as error:
            return tuple(sorted(self._areas)), (), str(error)
        return self._read_back()

    def _read_back(self) -> Mismatch:
        try:
            burning = self._panel.read_back()
        except HalError as error:
            return tuple(sorted(self._areas)), (), str(error)
        self._readable = burning is not None
        if burning is None or burning == self._areas:
            return AS_COMMANDED
        return tuple(sorted(self._areas - burning)), tuple(sorted(burning - self._areas)), ""

    def _schedule(self, mismatch: Mismatch) -> None:
        self.close()
        if self._readable:
            due_ns = self._clock.now_ns() + (RETRY_NS if mismatch[2] else CHECK_NS)
            self._timer = self._clock.call_at(due_ns, self._check)

    def _fault(self, mismatch: Mismatch) -> PanelFault:
        return PanelFault(self._clock.now_ns(), *mismatch)
