"""From the kernel's input events to keys. Pure: no device, no time but the events' own.

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
    """Follows which keys are down.

    Args:
        controls: the control of each key, by the key's number. Other keys are passed over.
    """

    def __init__(self, controls: Mapping[int, str]) -> None:
        self._controls = controls
        self._down: dict[str, None] = {}
        """The controls that were delivered as down, in that order."""
        self._overflowed = False

    def take(self, event: InputEvent, keys_down: Callable[[], Collection[int]]) -> list[KeyEvent]:
        """What an event says of the keys.

        Args:
            keys_down: asks the kernel which keys are down now. It is called once events were lost.
        """
        at_ns = event.sec * 1_000_000_000 + event.usec * 1000
        if event.type == EV_SYN and event.code == SYN_DROPPED:
            self._overflowed = True
        elif self._overflowed:  # Half of a packet: the kernel wants it thrown away up to its end.
            if event.type == EV_SYN and event.code == SYN_REPORT:
                self._overflowed = False
                return self._anew(set(keys_down()), at_ns)
        elif event.type == EV_KEY and event.code in self._controls and event.value in (_UP, _DOWN):
            return self._key(self._controls[event.code], event.value == _DOWN, at_ns)
        return []

    def release_all(self, at_ns: int) -> list[KeyEvent]:
        """No key is down any more, as far as anybody knows."""
        released = [KeyEvent(control, False, at_ns) for control in self._down]
        self._down.clear()
        self._overflowed = False
        return released

    def _key(self, control: str, down: bool, at_ns: int) -> list[KeyEvent]:
        """A key went down or came up. One that was down before anybody listened comes up unheard."""
        if down == (control in self._down):
            return []
        if down:
            self._down[control] = None
        else:
            del self._down[control]
        return [KeyEvent(control, down, at_ns)]

    def _anew(self, down: Collection[int], at_ns: int) -> list[KeyEvent]:
        """Events were lost. Keys that are down and were not before were pressed meanwhile.

        One that was down before and is so still counts as released and no more: had it gone down twice, the dealer
        would see the second press missing, but nobody would see a press too many.
        """
        before = set(self._down)
        events = self.release_all(at_ns)
        for code, control in self._controls.items():
            if code in down and control not in before:
                events += self._key(control, True, at_ns)
        return events
