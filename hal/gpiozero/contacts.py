"""Buttons and switches: contacts on a pin each, read in gpiozero's thread, delivered in the event loop."""

import asyncio
from collections.abc import Callable, Mapping
from functools import partial

from hal.errors import HalError
from hal.events import FaultEvent
from hal.gpiozero.debounce import ContactChange, Debouncer
from hal.gpiozero.pins import NS_PER_MS, PinInput
from hal.interfaces import Clock, Timer


class ContactHealth:
    """Reports once that a device stopped working, and once that it works again."""

    def __init__(self, deliver: Callable[[FaultEvent], None], clock: Clock) -> None:
        self._deliver = deliver
        self._clock = clock
        self._detail = ""

    def report(self, detail: str) -> None:
        """The present fault as text, or empty."""
        if detail != self._detail:
            self._detail = detail
            self._deliver(FaultEvent(detail, self._clock.now_ns()))


class Contacts:
    """Named contacts with debouncing.

    Args:
        lines: the contacts' pins; the caller that opened them closes them.
        bounce_ms: how long a contact must stay as it is.
    """

    def __init__(self, lines: Mapping[str, PinInput], bounce_ms: int, clock: Clock) -> None:
        self._lines = lines
        self._bounce_ns = bounce_ms * NS_PER_MS
        self._clock = clock
        self._timer: Timer | None = None
        self._on_change: Callable[[ContactChange], None] | None = None

    def start(self, on_change: Callable[[ContactChange], None], deliver: Callable[[FaultEvent], None]) -> None:
        """Deliver every change from now on. Call it in the event loop.

        Raises:
            HalError: a pin cannot be read.
        """
        self._loop = asyncio.get_running_loop()
        self._health = ContactHealth(deliver, self._clock)
        # Watched before they are read, so that no edge is missed; one in between is no change.
        for name, line in self._lines.items():
            line.watch(partial(self._edge, name))
        self._debouncer = Debouncer({name: line.read() for name, line in self._lines.items()}, self._bounce_ns)
        self._on_change = on_change

    def closed(self) -> list[str]:
        """The contacts that were closed as listening began."""
        return sorted(self._debouncer.closed)

    def stop(self) -> None:
        """Deliver nothing more, not even pending edges."""
        self._on_change = None
        if self._timer is not None:
            self._timer.cancel()

    def _edge(self, name: str, closed: bool) -> None:
        """In gpiozero's thread: stamp the edge and pass it to the event loop, nothing else."""
        self._loop.call_soon_threadsafe(self._seen, name, closed, self._clock.now_ns())

    def _seen(self, name: str, closed: bool, at_ns: int) -> None:
        if self._on_change is not None:
            self._pass_on(self._debouncer.edge(name, closed, at_ns))

    def _settle(self) -> None:
        self._timer = None
        settled = self._debouncer.settle(self._clock.now_ns())
        lost = self._lost(settled)
        self._pass_on(settled + lost)

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
        for change in changes:
            if self._on_change is not None:  # The callback may close the device.
                self._on_change(change)
        due_ns = self._debouncer.due_ns
        if self._on_change is not None and self._timer is None and due_ns is not None:
            self._timer = self._clock.call_at(due_ns, self._settle)
