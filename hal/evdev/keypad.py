"""The keys of one of the kernel's input devices, through the library that is passed in. Backend ``evdev``."""

import asyncio
import logging
from collections.abc import Callable, Iterable, Mapping

from hal.errors import HalError
from hal.evdev.device import EvdevInput, Library, NotPluggedInError, Opener, controls_by_number
from hal.evdev.settings import EvdevSettings
from hal.evdev.translate import Translator
from hal.events import FaultEvent, KeyEvent
from hal.interfaces import Clock, DeliverKey, Timer

log = logging.getLogger(__name__)


def open_keys(library: Library, codes: Mapping[str, str], settings: EvdevSettings, clock: Clock) -> "EvdevKeys":
    """The keys of a device, through a given library."""
    controls = controls_by_number(library, codes)
    needed = {number: codes[control] for number, control in controls.items()}
    opener = Opener(library, settings.device or "", settings.name or "", settings.grab, needed)
    return EvdevKeys(opener.shown, opener, controls, settings.retry_s, clock)


class EvdevKeys:
    """The keys of one input device, open from construction if it is there; else it is reported once started.

    Args:
        shown: the device in a message.
        opener: opens the device, or raises a HalError.
        controls: the control of each key, by the key's number.
        retry_s: interval at which an unplugged device is reopened, in seconds.
    """

    def __init__(
        self,
        shown: str,
        opener: Callable[[], EvdevInput],
        controls: Mapping[int, str],
        retry_s: float,
        clock: Clock,
    ) -> None:
        self._shown, self._opener, self._clock = shown, opener, clock
        self._retry_ns = int(retry_s * 1e9)
        self._translator = Translator(controls)
        self._input: EvdevInput | None = None
        self._last_error = ""
        try:
            self._input = opener()
        except NotPluggedInError as error:
            self._last_error = str(error)
        self._loop: asyncio.AbstractEventLoop | None = None
        self._deliver: DeliverKey | None = None
        self._timer: Timer | None = None

    def start(self, deliver: DeliverKey) -> None:
        self._loop, self._deliver = asyncio.get_running_loop(), deliver
        if self._input is not None:
            self._watch()
        else:
            self._timer = self._clock.call_at(self._clock.now_ns(), self._report_missing)

    def close(self) -> None:
        self._deliver = None
        if self._timer is not None:
            self._timer.cancel()
        self._drop()

    def _watch(self) -> None:
        """Listen from now on; earlier presses are discarded, and which keys are held down is delivered."""
        assert self._loop is not None
        assert self._input is not None
        try:
            while list(self._input.read()):
                pass
        except OSError:
            pass  # No more events; or the device is gone, which the loop detects.
        self._loop.add_reader(self._input.fileno(), self._on_readable)
        try:
            held = self._input.active_keys()
        except OSError:
            return
        self._send(self._translator.held(held, self._clock.now_ns()))

    def _drop(self) -> None:
        if self._input is None:
            return
        if self._loop is not None:
            self._loop.remove_reader(self._input.fileno())
        self._input.close()
        self._input = None

    def _on_readable(self) -> None:
        if self._input is None:
            return
        try:
            events = self._read(self._input)
        except BlockingIOError:
            return
        except OSError as error:
            self._lose(error.strerror or str(error))
            return
        self._send(events)

    def _read(self, device: EvdevInput) -> list[KeyEvent]:
        """All keys of one read, before any is delivered: an error of the callback is not the device's."""
        return [key for event in device.read() for key in self._translator.take(event, device.active_keys)]

    def _lose(self, why: str) -> None:
        self._drop()
        self._last_error = ""
        self._schedule_reopening()
        now_ns = self._clock.now_ns()
        detail = f"the input device {self._shown} is gone ({why}); check its plug; it is reopened automatically"
        self._send([*self._translator.release_all(now_ns), FaultEvent(detail, now_ns)])

    def _report_missing(self) -> None:
        """It was not there as the table started; play waits for it, and no restart is needed."""
        self._schedule_reopening()
        self._send([FaultEvent(self._last_error, self._clock.now_ns())])

    def _schedule_reopening(self) -> None:
        self._timer = self._clock.call_at(self._clock.now_ns() + self._retry_ns, self._try_again)

    def _try_again(self) -> None:
        if self._deliver is None:
            return
        try:
            self._input = self._opener()
        except HalError as error:
            if str(error) != self._last_error:  # Logged once, not at each retry.
                self._last_error = str(error)
                log.warning("%s", error)
            self._schedule_reopening()
            return
        self._watch()
        self._send([FaultEvent("", self._clock.now_ns())])

    def _send(self, events: Iterable[KeyEvent | FaultEvent]) -> None:
        for event in events:
            if self._deliver is not None:  # The callback may close the device.
                self._deliver(event)
