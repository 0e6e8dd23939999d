"""Keys, buttons and switches become presses; a key that does not come up becomes a fault, as does a switch that was
closed when the table started and does not open."""

from controller.events.event import (
    SWITCHES,
    Event,
    Health,
    KeyStuck,
    Press,
    SensorHealth,
    ShakerCycled,
    ShakerFailed,
)
from controller.events.words import text
from hal.events import KeyEvent, SwitchEvent

STUCK_NS = 10_000_000_000
"""A key that is down for so long is stuck, and so is a switch that has been closed for so long since the start."""
AGAIN_NS = 1_000_000_000
"""Who sees no answer presses again within this time, and means what the first press meant."""
TWICE_NS = 100_000_000
"""No hand means one of these keys twice within this time."""
_ONCE = frozenset({"done", "clear", "enter"})


class KeyTracker:
    """All keys and switches of a table."""

    def __init__(self) -> None:
        self._down: dict[str, int] = {}
        self._closed: dict[str, int] = {}
        """Switches that were closed as the table started, and since when that is known."""
        self._reported: set[str] = set()
        """Those among them whose health is on record."""
        self._last: tuple[str, int, str] = "", -AGAIN_NS, ""
        """The last press that was not a second one: its control, when, and the state of the game."""

    @property
    def due_ns(self) -> int | None:
        """When to call :meth:`tick`, or None while nothing is down or closed that may be stuck."""
        since = [*self._down.values()]
        if self._closed:
            since += (at_ns for switch, at_ns in self._closed.items() if switch not in self._reported)
        return min(since) + STUCK_NS if since else None

    def key(self, event: KeyEvent, utc_ns: int, moving: bool = False, state: str = "") -> list[Event]:
        """A key went down or came up, or was down as the table started.

        Args:
            state: of the game, as the key goes down.
            moving: whether a wheel with a clapper is moving.
        """
        if not event.pressed:
            self._down.pop(event.control, None)
            return []
        if event.control in self._down:
            return []
        self._down[event.control] = event.timestamp_ns
        last, last_ns, _ = self._last
        if event.control == last and last in _ONCE and event.timestamp_ns - last_ns < TWICE_NS:
            return []
        if event.held:  # Nobody pressed it; it is stuck if it does not come up.
            return []
        moving = moving and event.control == "no-more-bets"
        again = self._again(event.control, event.timestamp_ns, state)
        return [Press(event.timestamp_ns, event.control, utc_ns, moving=moving, again=again)]

    def _again(self, control: str, at_ns: int, state: str) -> bool:
        """Whether this is the second press of a hand that saw no answer, though the first one changed the state."""
        last, last_ns, before = self._last
        if control == last and at_ns - last_ns < AGAIN_NS:
            return state != before
        self._last = control, at_ns, state
        return False

    def switch(self, event: SwitchEvent, utc_ns: int, state: str = "") -> list[Event]:
        """A key switch or contact changed, or was closed as the table started; what counts is that it closes.

        Args:
            state: of the game, as it does.
        """
        if event.held:
            self._closed[event.switch] = event.timestamp_ns
            return []
        opened = self._opened(event)
        if not event.closed:
            return opened
        if event.switch == "shaker-done":
            return [*opened, ShakerCycled(event.timestamp_ns)]
        if event.switch == "shaker-fault":
            return [*opened, ShakerFailed(event.timestamp_ns)]
        again = self._again(event.switch, event.timestamp_ns, state)
        return [*opened, Press(event.timestamp_ns, event.switch, utc_ns, again=again)]

    def _opened(self, event: SwitchEvent) -> list[Event]:
        """A switch that was closed as the table started has opened: it says so, or closes again."""
        self._closed.pop(event.switch, None)
        if event.switch not in self._reported:
            return []
        self._reported.remove(event.switch)
        return [self._health(event.timestamp_ns)]

    def _health(self, at_ns: int) -> SensorHealth:
        if not self._reported:
            return SensorHealth(at_ns, SWITCHES, Health.OK)
        found = text("closed-since-start", switches=",".join(sorted(self._reported)))
        return SensorHealth(at_ns, SWITCHES, Health.STUCK, found)

    def tick(self, now_ns: int) -> list[Event]:
        """Time has passed: which keys and switches are stuck?"""
        stuck = sorted(control for control, since in self._down.items() if now_ns - since >= STUCK_NS)
        for control in stuck:
            del self._down[control]
        found: list[Event] = [KeyStuck(now_ns, control) for control in stuck]
        late = {switch for switch, since in self._closed.items() if now_ns - since >= STUCK_NS}
        if not late <= self._reported:
            self._reported |= late
            found.append(self._health(now_ns))
        return found


MOST = 40
"""So many presses at once are two hands on a keypad."""
PER_S = 20
"""Nobody presses as often for long."""
CALM_NS = 2_000_000_000
"""A noisy device is taken for calm after so long without a press."""
_PRESS_NS = 1_000_000_000 // PER_S


class KeyFlood:
    """The presses of one device.

    Args:
        device: its name, for the record.
    """

    def __init__(self, device: str) -> None:
        self._device = device
        self._owed_ns = self._last_ns = 0
        self._refused = 0

    @property
    def due_ns(self) -> int | None:
        """When to call :meth:`tick`; None while the device is calm."""
        return self._last_ns + CALM_NS if self._refused else None

    def press(self, at_ns: int) -> tuple[bool, list[SensorHealth]]:
        """A key went down: whether it counts, and what is to be recorded of the device."""
        calm = self.tick(at_ns)
        self._owed_ns = max(0, self._owed_ns - max(0, at_ns - self._last_ns)) + _PRESS_NS
        self._last_ns = max(self._last_ns, at_ns)
        if self._refused or self._owed_ns > MOST * _PRESS_NS:
            self._refused += 1
            return False, [self._noisy(at_ns)] if self._refused == 1 else []
        return True, calm

    def tick(self, now_ns: int) -> list[SensorHealth]:
        """Time has passed: is the device calm again?"""
        if self.due_ns is None or now_ns < self.due_ns:
            return []
        refused, self._refused, self._owed_ns = self._refused, 0, 0
        return [SensorHealth(now_ns, self._device, Health.OK, text("presses-not-taken", presses=refused))]

    def _noisy(self, at_ns: int) -> SensorHealth:
        found = text("too-many-presses", per_s=PER_S, calm_s=CALM_NS // 10**9)
        return SensorHealth(at_ns, self._device, Health.NOISY, found)
