"""Translates the kernel's input events to keys. Pure: no device, and no time but that of the events.

The events: https://docs.kernel.org/input/event-codes.html
"""

from collections.abc import Callable, Collection, Mapping
from typing import Protocol

from hal.events import KeyEvent

EV_SYN, EV_KEY = 0, 1
SYN_REPORT, SYN_DROPPED = 0, 3
_UP, _DOWN = 0, 1  # A repeat is 2.


class InputEvent(Protocol):
    """One of the kernel's events, as evdev gives it."""

    @property
    def sec(self) -> int: ...

    @property
    def usec(self) -> int: ...

    @property
    def type(self) -> int: ...

    @property
    def code(self) -> int: ...

    @property
    def value(self) -> int: ...


class Translator:
    """Tracks which keys are down.

    Args:
        controls: the control of each key, by the key's number. Other keys are ignored.
    """

    def __init__(self, controls: Mapping[int, str]) -> None:
        self._controls = controls
        self._down: dict[str, None] = {}
        """The controls that were delivered as down, in that order."""
        self._overflowed = False

    def take(self, event: InputEvent, keys_down: Callable[[], Collection[int]]) -> list[KeyEvent]:
        """The key changes that an event causes.

        Args:
            keys_down: queries the kernel for the keys that are down now. It is called after events were lost.
        """
        at_ns = event.sec * 1_000_000_000 + event.usec * 1000
        if event.type == EV_SYN and event.code == SYN_DROPPED:
            self._overflowed = True
        elif self._overflowed:  # A partial packet: to be discarded up to its end (kernel documentation).
            if event.type == EV_SYN and event.code == SYN_REPORT:
                self._overflowed = False
                return self._anew(set(keys_down()), at_ns)
        elif event.type == EV_KEY and event.code in self._controls and event.value in (_UP, _DOWN):
            return self._key(self._controls[event.code], event.value == _DOWN, at_ns)
        return []

    def held(self, codes: Collection[int], at_ns: int) -> list[KeyEvent]:
        """Keys that are down as listening begins: no presses, but their releases are to come."""
        down = [control for code, control in self._controls.items() if code in codes]
        self._down |= dict.fromkeys(down)
        return [KeyEvent(control, True, at_ns, held=True) for control in down]

    def release_all(self, at_ns: int) -> list[KeyEvent]:
        """Release all keys: the device is gone."""
        released = [KeyEvent(control, False, at_ns) for control in self._down]
        self._down.clear()
        self._overflowed = False
        return released

    def _key(self, control: str, down: bool, at_ns: int) -> list[KeyEvent]:
        """A key went down or came up."""
        if down == (control in self._down):
            return []
        if down:
            self._down[control] = None
        else:
            del self._down[control]
        return [KeyEvent(control, down, at_ns)]

    def _anew(self, down: Collection[int], at_ns: int) -> list[KeyEvent]:
        """Events were lost. Keys that are down and were not before were pressed meanwhile.

        A key that was down before and still is counts as released, not as pressed again: the dealer sees a missing
        press, but nobody an extra one.
        """
        before = set(self._down)
        events = self.release_all(at_ns)
        for code, control in self._controls.items():
            if code in down and control not in before:
                events += self._key(control, True, at_ns)
        return events
