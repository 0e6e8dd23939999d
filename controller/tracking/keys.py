"""Keys, buttons and switches become presses; a key that does not come up becomes a fault."""

from controller.events.event import Event, KeyStuck, Press, ShakerCycled, ShakerFailed
from hal.events import KeyEvent, SwitchEvent

STUCK_NS = 10_000_000_000
"""A key that is down for so long is stuck."""
AGAIN_NS = 1_000_000_000
"""Who sees no answer presses again within this time, and means what the first press meant."""
_VOIDS = ("no-spin", "clear")
"""The controls that make a spin void while the wheel turns, or take that back."""


class KeyTracker:
    """All keys and switches of a table."""

    def __init__(self) -> None:
        self._down: dict[str, int] = {}
        self._last: tuple[str, int, str] = "", -AGAIN_NS, ""
        """The last press that was not a second one: its control, when, and the state of the game."""

    @property
    def due_ns(self) -> int | None:
        """When to call :meth:`tick`, or None while no key is down."""
        return min(self._down.values()) + STUCK_NS if self._down else None

    def key(
        self, event: KeyEvent, utc_ns: int, moving: bool = False, stands: bool = False, state: str = ""
    ) -> list[Event]:
        """A key went down or came up, or was down as the table started.

        Args:
            state: of the game, as the key goes down.
            moving: whether a wheel with a clapper is moving.
            stands: whether it stands, though its rest is not certain yet.
        """
        if not event.pressed:
            self._down.pop(event.control, None)
            return []
        if event.control in self._down:
            return []
        self._down[event.control] = event.timestamp_ns
        if event.held:  # Nobody pressed it; it is stuck if it does not come up.
            return []
        moving, stands = moving and event.control == "no-more-bets", stands and event.control in _VOIDS
        again = self._again(event.control, event.timestamp_ns, state)
        return [Press(event.timestamp_ns, event.control, utc_ns, moving=moving, stands=stands, again=again)]

    def _again(self, control: str, at_ns: int, state: str) -> bool:
        """Whether this is the second press of a hand that saw no answer, though the first one changed the state."""
        last, last_ns, before = self._last
        if control == last and at_ns - last_ns < AGAIN_NS:
            return state != before
        self._last = control, at_ns, state
        return False

    def switch(self, event: SwitchEvent, utc_ns: int, state: str = "") -> list[Event]:
        """A key switch or contact changed; what counts is that it closes.

        Args:
            state: of the game, as it does.
        """
        if not event.closed:
            return []
        if event.switch == "shaker-done":
            return [ShakerCycled(event.timestamp_ns)]
        if event.switch == "shaker-fault":
            return [ShakerFailed(event.timestamp_ns)]
        again = self._again(event.switch, event.timestamp_ns, state)
        return [Press(event.timestamp_ns, event.switch, utc_ns, again=again)]

    def tick(self, now_ns: int) -> list[Event]:
        """Time has passed: which keys are stuck?"""
        stuck = sorted(control for control, since in self._down.items() if now_ns - since >= STUCK_NS)
        for control in stuck:
            del self._down[control]
        return [KeyStuck(now_ns, control) for control in stuck]
