"""Buttons, switches and tamper contacts: a contact on a pin each, debounced by the stamps of its edges."""

import asyncio
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, NamedTuple

from hal.errors import HalError
from hal.events import FaultEvent, KeyEvent, SwitchEvent
from hal.gpiozero import KeysSettings, SwitchesSettings, TamperSettings
from hal.gpiozero.pins import NS_PER_MS, Line, Pins
from hal.interfaces import Clock, Timer

OLDEST_NS = 10_000_000_000
"""A driver's stamp further back than this, or in the future, is on another clock."""


class ContactChange(NamedTuple):
    """A contact that changed and stayed so."""

    name: str
    closed: bool
    at_ns: int
    """Stamp of the edge after which it stayed so."""


class Debouncer:
    """Separates a contact's changes from its bounces, only by the stamps of the edges. Uses no pins and no clock.

    A change is settled by the stamps, not by the time of the call: edges that come late and together, from a thread
    that was held up or to a loop that was blocked, are still a press. gpiozero's own ``bounce_time`` is unsuitable:
    with RPi.GPIO it drops edges, and with them releases (gpiozero issues 550 and 1039), and with lgpio it shifts
    stamps.

    Args:
        closed: each contact at first, by its name. That is no change.
        bounce_ns: how long a contact must stay as it is.
    """

    def __init__(self, closed: Mapping[str, bool], bounce_ns: int) -> None:
        self._closed = dict(closed)
        self._bounce_ns = bounce_ns
        self._moved: dict[str, int] = {}
        """When each contact that is not as it counts had its last edge."""

    @property
    def due_ns(self) -> int | None:
        """When to call :meth:`settle`; None while all is settled."""
        return min(self._moved.values()) + self._bounce_ns if self._moved else None

    def edge(self, name: str, closed: bool, at_ns: int) -> list[ContactChange]:
        """Take an edge of a contact. What had settled before it is returned."""
        changes = self.settle(at_ns)
        if closed == self._closed[name]:
            self._moved.pop(name, None)
        else:
            self._moved[name] = at_ns
        return changes

    def settle(self, now_ns: int) -> list[ContactChange]:
        """What has settled by now, in the order of the stamps."""
        stayed = sorted((at_ns, name) for name, at_ns in self._moved.items() if at_ns + self._bounce_ns <= now_ns)
        for _, name in stayed:
            del self._moved[name]
            self._closed[name] = not self._closed[name]
        return [ContactChange(name, self._closed[name], at_ns) for at_ns, name in stayed]


class Health:
    """Reports once that a device stopped working, and once that it works again."""

    def __init__(self, deliver: Callable[[FaultEvent], None], clock: Clock) -> None:
        self._deliver, self._clock, self._detail = deliver, clock, ""

    def report(self, detail: str) -> None:
        """The present fault as text, or empty."""
        if detail != self._detail:
            self._detail = detail
            self._deliver(FaultEvent(detail, self._clock.now_ns()))


class GpioContacts:
    """Contacts on a pin each. One that is closed at the start is delivered as held: nobody pressed or turned it
    now.

    Args:
        event: the class of the events to deliver.
    """

    def __init__(
        self,
        event: type[KeyEvent] | type[SwitchEvent],
        pins: Pins,
        lines: Mapping[str, Line],
        bounce_ms: int,
        clock: Clock,
    ) -> None:
        self._event, self._pins, self._lines, self._clock = event, pins, lines, clock
        self._bounce_ns = bounce_ms * NS_PER_MS
        self._last_ns = 0
        self._timer: Timer | None = None
        self._deliver: Callable[[Any], None] | None = None

    def start(self, deliver: Callable[[Any], None]) -> None:
        self._loop = asyncio.get_running_loop()
        self._health = Health(deliver, self._clock)
        # Watched before they are read, so that no edge is missed; one in between is no change.
        for name, line in self._lines.items():
            line.watch(partial(self._edge, name))
        closed = {name: line.read() for name, line in self._lines.items()}
        self._debouncer = Debouncer(closed, self._bounce_ns)
        self._deliver = deliver
        for name in sorted(name for name, now in closed.items() if now):
            deliver(self._event(name, True, self._clock.now_ns(), held=True))

    def close(self) -> None:
        self._deliver = None  # Not even pending edges are delivered.
        if self._timer is not None:
            self._timer.cancel()
        self._pins.close()

    def _edge(self, name: str, closed: bool, stamp_s: float) -> None:
        """In gpiozero's thread. Not every driver has the kernel's stamps: without them it is now."""
        now_ns, at_ns = self._clock.now_ns(), int(stamp_s * 1e9)
        known = now_ns - OLDEST_NS <= at_ns <= now_ns
        self._loop.call_soon_threadsafe(self._seen, name, closed, at_ns if known else now_ns)

    def _seen(self, name: str, closed: bool, at_ns: int) -> None:
        if self._deliver is not None:
            self._pass_on(self._debouncer.edge(name, closed, at_ns))

    def _settle(self) -> None:
        self._timer = None
        settled = self._debouncer.settle(self._clock.now_ns())
        self._pass_on(settled + self._lost(settled))

    def _lost(self, settled: list[ContactChange]) -> list[ContactChange]:
        """Read the settled pins again: a key must not stay down because the library lost its last edge."""
        more: list[ContactChange] = []
        try:
            for name, closed, _ in settled:
                if self._lines[name].read() != closed:
                    more += self._debouncer.edge(name, not closed, self._clock.now_ns())
        except HalError as error:
            self._health.report(str(error))
        else:
            self._health.report("")
        return more

    def _pass_on(self, changes: list[ContactChange]) -> None:
        for name, closed, at_ns in changes:
            self._last_ns = max(self._last_ns, at_ns)  # Edges of two pins may come in another order than they were.
            if self._deliver is not None:  # The callback may close the device.
                self._deliver(self._event(name, closed, self._last_ns))
        due_ns = self._debouncer.due_ns
        if self._deliver is not None and self._timer is None and due_ns is not None:
            self._timer = self._clock.call_at(due_ns, self._settle)


def buttons(wiring: Mapping[str, int], settings: KeysSettings, clock: Clock) -> GpioContacts:
    """Buttons on a pin each."""
    pins = Pins("buttons", settings)
    lines = {name: pins.input(f"'{name}'", pin, settings.pull_up) for name, pin in wiring.items()}
    return GpioContacts(KeyEvent, pins, lines, settings.bounce_ms, clock)


def switches(wiring: Mapping[str, int], settings: SwitchesSettings, clock: Clock) -> GpioContacts:
    """Key switches and dry contacts on a pin each."""
    high = wiring if settings.active == "high" else settings.active_high
    pins = Pins("switches", settings)
    lines = {name: pins.input(f"'{name}'", pin, name not in high) for name, pin in wiring.items()}
    return GpioContacts(SwitchEvent, pins, lines, settings.bounce_ms, clock)


class GpioTamper(GpioContacts):
    """Contacts of door and cabinet, and latches that are read at the start and reset."""

    def __init__(self, wiring: Any, settings: TamperSettings, clock: Clock) -> None:
        pins = Pins("tamper", settings)
        low, latch_low = settings.active == "low", settings.latch_active == "low"
        lines = {name: pins.input(f"'{name}'", one.pin, low) for name, one in wiring.contacts.items()}
        super().__init__(SwitchEvent, pins, lines, settings.bounce_ms, clock)
        self._latches = {
            name: pins.input(f"the latch of '{name}'", one.latch, latch_low)
            for name, one in wiring.contacts.items()
            if one.latch is not None
        }
        reset = wiring.latch_reset
        self._reset = reset and pins.output("the latches' reset", reset, settings.reset_active_high)
        self._reset_ns = settings.reset_ms * NS_PER_MS
        self._resetting: Timer | None = None

    def remembered(self) -> frozenset[str]:
        return frozenset(name for name, latch in self._latches.items() if latch.read())

    def forget(self) -> None:
        if self._reset and self._resetting is None:
            self._reset.write(True)
            self._resetting = self._clock.call_at(self._clock.now_ns() + self._reset_ns, self._let_go)

    def close(self) -> None:
        if self._resetting is not None:
            self._resetting.cancel()
        super().close()

    def _let_go(self) -> None:
        self._resetting = None
        self._reset.write(False)
