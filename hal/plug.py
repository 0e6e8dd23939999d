"""A device file that is read in the event loop, and reopened after it was unplugged. Keypads and readers use it."""

import asyncio
import logging
import os
from collections.abc import Callable
from typing import Any

from hal.errors import NOT_THERE, HalError
from hal.interfaces import Clock, Timer

log = logging.getLogger(__name__)


class Plug:
    """A device file, open from construction if it is there; if not, that is reported once it is listened to.

    A subclass reads it, and takes what was read and what became of it.

    Args:
        what: its name in messages, such as ``the serial port /dev/ttyUSB0``.
        open_it: opens it, for something with ``fileno`` and ``close``; raises HalError.
        retry_s: interval at which it is reopened, in seconds.
        file: its path, if not every driver reports a removed device; udev removes its file.

    Raises:
        HalError: it is there and cannot be opened, or ``waits`` is False.
    """

    def __init__(
        self,
        what: str,
        open_it: Callable[[], Any],
        retry_s: float,
        clock: Clock,
        *,
        file: str = "",
        waits: bool = False,
    ) -> None:
        self._what, self._open_it, self._clock, self._file = what, open_it, clock, file
        self._retry_ns = int(retry_s * 1e9)
        self.device: Any = None
        self._last_error = ""
        try:
            self.device = open_it()
        except HalError as error:
            if not waits or getattr(error.__cause__, "errno", None) not in NOT_THERE:
                raise
            self._last_error = str(error)
        self._loop: asyncio.AbstractEventLoop | None = None
        """The loop in which it is listened to."""
        self._timer: Timer | None = None

    def read(self, device: Any) -> Any:
        """Read the device. An OSError means that it is gone."""
        raise NotImplementedError

    def on_data(self, data: Any, at_ns: int) -> None:
        """Take what was read. An error here is not the device's."""
        raise NotImplementedError

    def on_lost(self, detail: str, at_ns: int) -> None:
        """The device is gone, or was not there at the start. The detail names it, the cause and the remedy."""
        raise NotImplementedError

    def on_opened(self, device: Any, at_ns: int, again: bool) -> None:
        """The device is open, at the start or again."""
        raise NotImplementedError

    def listen(self) -> None:
        """Read it from now on, in the running event loop."""
        self._loop = asyncio.get_running_loop()
        if self.device is not None:
            self._watch(again=False)
        else:
            self._call_at(self._clock.now_ns(), lambda: self._retry_after(self._last_error))

    def close(self) -> None:
        """Release the device; no method is called any more. Closing twice does nothing."""
        if self._timer is not None:
            self._timer.cancel()
        self._drop()
        self._loop = None

    def lose(self, why: str) -> None:
        """The device is gone."""
        if self.device is not None:
            self._drop()
            self._last_error = ""
            self._retry_after(
                f"{self._what} is gone ({why}); check its cable and plug; it is reopened automatically"
            )

    def _watch(self, again: bool) -> None:
        assert self._loop is not None
        self._loop.add_reader(self.device.fileno(), self._on_readable)
        if self._file:
            self._call_at(self._clock.now_ns() + self._retry_ns, self._poll)
        self.on_opened(self.device, self._clock.now_ns(), again)

    def _on_readable(self) -> None:
        if self.device is None:
            return
        try:
            data = self.read(self.device)
        except BlockingIOError:
            return
        except OSError as error:
            self.lose(error.strerror or str(error))
            return
        self.on_data(data, self._clock.now_ns())

    def _poll(self) -> None:
        if _leads_to(self._file, self.device.fileno()):
            self._call_at(self._clock.now_ns() + self._retry_ns, self._poll)
        else:
            self.lose("its device file is gone")

    def _retry_after(self, detail: str) -> None:
        self._call_at(self._clock.now_ns() + self._retry_ns, self._try_again)
        self.on_lost(detail, self._clock.now_ns())

    def _try_again(self) -> None:
        try:
            self.device = self._open_it()
        except HalError as error:
            if str(error) != self._last_error:  # Logged once, not at each retry.
                self._last_error = str(error)
                log.warning("%s", error)
            self._call_at(self._clock.now_ns() + self._retry_ns, self._try_again)
            return
        self._watch(again=True)

    def _call_at(self, due_ns: int, action: Callable[[], None]) -> None:
        if self._timer is not None:
            self._timer.cancel()
        if self._loop is not None:
            self._timer = self._clock.call_at(due_ns, action)

    def _drop(self) -> None:
        if self.device is not None:
            if self._loop is not None:
                self._loop.remove_reader(self.device.fileno())
            self.device.close()
            self.device = None


def _leads_to(path: str, descriptor: int) -> bool:
    """Whether a path still leads to an open device."""
    try:
        return os.stat(path).st_rdev == os.fstat(descriptor).st_rdev
    except OSError:
        return False
