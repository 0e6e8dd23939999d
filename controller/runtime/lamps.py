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
        self._reported: list[tuple[object, ...]] = []
        self._timer: Timer | None = None

    def show(self, areas: frozenset[str]) -> PanelFault | None:
        """Light exactly these areas; returns the fault, if there is one."""
        self._areas, self._reported = areas, []
        fault = self._look(sets=True)
        return fault if self._is_new(fault) else None

    def close(self) -> None:
        if self._timer is not None:
            self._timer.cancel()

    def _check(self) -> None:
        fault = self._look()
        if fault is not None:
            self._look(sets=True)
            if self._is_new(fault):
                self._report(fault)

    def _is_new(self, fault: PanelFault | None) -> bool:
        if fault is None or (found := (fault.dark, fault.burning, fault.detail)) in self._reported:
            return False
        self._reported.append(found)
        return True

    def _look(self, sets: bool = False) -> PanelFault | None:
        """Read the panel back, and again in a while; returns what is not as commanded.

        Args:
            sets: it is set before.
        """
        self.close()
        now_ns, problem = self._clock.now_ns(), ""
        try:
            if sets:
                self._panel.show(self._areas)
            burning = self._panel.read_back()
        except HalError as error:
            burning, problem = frozenset(), str(error)
        if burning is None:  # This panel cannot be read back.
            return None
        self._timer = self._clock.call_at(now_ns + (RETRY_NS if problem else CHECK_NS), self._check)
        if burning == self._areas and not problem:
            return None
        return PanelFault(
            now_ns, tuple(sorted(self._areas - burning)), tuple(sorted(burning - self._areas)), problem
        )
