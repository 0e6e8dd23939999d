"""The lamp panel as a table uses it: lit, read back, and looked at now and then while nothing changes.

A lamp can fail between two changes, and a panel may come back from a loss of power with its lamps out. What differs
from what was asked is told, and lit anew as far as the panel can.
"""

from collections.abc import Callable
from dataclasses import dataclass

from controller.events.event import PanelFault
from hal.errors import HalError
from hal.interfaces import Clock, LampPanel, Timer

LOOK_NS = 1_000_000_000
"""How often a panel is read back while its lamps do not change."""
PATIENCE_NS = 10_000_000_000
"""How soon a panel that did not answer is asked again: finding that out may take it a third of a second."""


@dataclass(frozen=True, slots=True)
class LampMismatch:
    """What of a panel is not as it was asked: lamps, or why they cannot be known."""

    dark: tuple[str, ...] = ()
    burning: tuple[str, ...] = ()
    detail: str = ""

    def __bool__(self) -> bool:
        return bool(self.dark or self.burning or self.detail)


class Lamps:
    """One panel and what it is to show.

    Args:
        report: told what is found wrong while nothing changes: of one picture, each thing once.
    """

    def __init__(self, panel: LampPanel, clock: Clock, report: Callable[[PanelFault], None]) -> None:
        self._panel = panel
        self._clock = clock
        self._report = report
        self._areas: frozenset[str] = frozenset()
        self._told: set[LampMismatch] = set()
        self._tells = True
        """Whether this panel can be read back."""
        self._timer: Timer | None = None

    def show(self, areas: frozenset[str]) -> PanelFault | None:
        """Light exactly these areas; returns what is wrong with them, if anything is."""
        self._areas = areas
        wrong = self._lit()
        self._told = {wrong}
        self._look_again(wrong)
        return self._fault(wrong) if wrong else None

    def close(self) -> None:
        """Look no more."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _look(self) -> None:
        wrong = self._seen()
        if wrong:
            self._lit()
        self._look_again(wrong)
        if wrong and wrong not in self._told:
            self._told.add(wrong)
            self._report(self._fault(wrong))

    def _lit(self) -> LampMismatch:
        try:
            self._panel.show(self._areas)
        except HalError as error:
            return LampMismatch(dark=tuple(sorted(self._areas)), detail=str(error))
        return self._seen()

    def _seen(self) -> LampMismatch:
        try:
            burning = self._panel.read_back()
        except HalError as error:
            return LampMismatch(dark=tuple(sorted(self._areas)), detail=str(error))
        self._tells = burning is not None
        if burning is None:
            return LampMismatch()
        return LampMismatch(tuple(sorted(self._areas - burning)), tuple(sorted(burning - self._areas)))

    def _look_again(self, wrong: LampMismatch) -> None:
        self.close()
        if self._tells:
            due_ns = self._clock.now_ns() + (PATIENCE_NS if wrong.detail else LOOK_NS)
            self._timer = self._clock.call_at(due_ns, self._look)

    def _fault(self, wrong: LampMismatch) -> PanelFault:
        return PanelFault(self._clock.now_ns(), wrong.dark, wrong.burning, wrong.detail)
