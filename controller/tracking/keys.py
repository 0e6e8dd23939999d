"""Keys, buttons and switches become presses; a key that does not come up becomes a fault."""

from controller.events.event import Event, KeyStuck, Press, ShakerCycled, ShakerFailed
from hal.events import KeyEvent, SwitchEvent

STUCK_NS = 10_000_000_000
"""A key that is down for so long is stuck."""
_VOIDS = ("no-spin", "clear")
"""The controls that make a spin void while the wheel turns, or take that back."""


class KeyTracker:
    """All keys and switches of a table."""

    def __init__(self) -> None:
        self._down: dict[str, int] = {}

    @property
    def due_ns(self) -> int | None:
        """When to call :meth:`tick`, or None while no key is down."""
        return min(self._down.values()) + STUCK_NS if self._down else None

    def key(self, event: KeyEvent, utc_ns: int, moving: bool = False, stands: bool = False) -> list[Event]:
        """A key went down or came up.

        Args:
            moving: whether a wheel with a clapper is moving.
            stands: whether it stands, though its rest is not certain yet.
        """
        if not event.pressed:
            self._down.pop(event.control, None)
            return []
        if event.control in self._down:
            return []
        self._down[event.control] = event.timestamp_ns
        moving, stands = moving and event.control == "no-more-bets", stands and event.control in _VOIDS
        return [Press(event.timestamp_ns, event.control, utc_ns, moving=moving, stands=stands)]

    def switch(self, event: SwitchEvent, utc_ns: int) -> list[Event]:
        """A key switch or contact changed; what counts is that it closes."""
        if not event.closed:
            return []
        if event.switch == "shaker-done":
            return [ShakerCycled(event.timestamp_ns)]
        if event.switch == "shaker-fault":
            return [ShakerFailed(event.timestamp_ns)]
        return [Press(event.timestamp_ns, event.switch, utc_ns)]

    def tick(self, now_ns: int) -> list[Event]:
        """Time has passed: which keys are stuck?"""
        stuck = sorted(control for control, since in self._down.items() if now_ns - since >= STUCK_NS)
        for control in stuck:
            del self._down[control]
        return [KeyStuck(now_ns, control) for control in stuck]
