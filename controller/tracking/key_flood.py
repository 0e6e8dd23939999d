"""A device that sends more presses than hands can make: none of them is taken until it is calm.

Each press that is decided is on disk before the next one. Some hundred a second, of a broken keypad or of a program
in its place, would keep the table from everything else, and would play at random.
"""

from controller.events.event import Health, SensorHealth

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
        return [SensorHealth(now_ns, self._device, Health.OK, f"{refused} presses were not taken")]

    def _noisy(self, at_ns: int) -> SensorHealth:
        detail = f"more than {PER_S} presses a second; none is taken until it is silent for {CALM_NS // 10**9} s"
        return SensorHealth(at_ns, self._device, Health.NOISY, detail)
