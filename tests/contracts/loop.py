"""An event loop that runs until a condition holds: it waits for the descriptors and timers of the device."""

import asyncio
import time
from collections.abc import Callable
from typing import Any

PATIENCE_S = 180.0
"""What has not come by then never will. No test takes so long, on the slowest machine: this only ends a hang."""


class Loop:
    """The loop that a backend runs in. A device is used only inside it."""

    def __init__(self) -> None:
        self.loop = asyncio.new_event_loop()
        self.loop.set_exception_handler(self._failed)
        self._errors: list[BaseException] = []

    def _failed(self, loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        """An exception of a device that nothing catches fails the test."""
        self._errors.append(context.get("exception") or AssertionError(context["message"]))

    def run(self, action: Callable[[], object]) -> object:
        """Do something inside the running loop, such as opening the device."""

        async def inside() -> object:
            return action()

        return self.loop.run_until_complete(inside())

    def until(self, condition: Callable[[], bool]) -> None:
        """Let the loop run until a condition holds.

        Raises:
            AssertionError: it does not within the time.
        """
        end_s = time.monotonic() + PATIENCE_S

        async def wait() -> None:
            while not condition():
                self._raise()
                assert time.monotonic() < end_s, "it never came"
                await asyncio.sleep(0)

        self.loop.run_until_complete(wait())
        self._raise()

    def _raise(self) -> None:
        if self._errors:
            raise self._errors.pop()

    def close(self) -> None:
        self.loop.run_until_complete(self.loop.shutdown_asyncgens())
        self.loop.close()
        self._raise()
