"""An event loop that runs until something is so: it waits for the descriptors and timers of the device."""

import asyncio
import time
from collections.abc import Callable

PATIENCE_S = 10.0
"""A device that has not done by then what it should will never do it."""


class Loop:
    """The loop that a backend lives in. Everything of a device is done inside it."""

    def __init__(self) -> None:
        self.loop = asyncio.new_event_loop()

    def run(self, action: Callable[[], object]) -> object:
        """Do something inside the running loop, such as opening the device."""

        async def inside() -> object:
            return action()

        return self.loop.run_until_complete(inside())

    def until(self, condition: Callable[[], bool]) -> None:
        """Let the loop run until a condition holds.

        Raises:
            AssertionError: it never did.
        """
        end_s = time.monotonic() + PATIENCE_S

        async def wait() -> None:
            while not condition():
                assert time.monotonic() < end_s, "it never came"
                await asyncio.sleep(0)

        self.loop.run_until_complete(wait())

    def close(self) -> None:
        self.loop.run_until_complete(self.loop.shutdown_asyncgens())
        self.loop.close()
