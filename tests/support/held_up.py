"""A machine that is held up: `pytest --held-up SEED` delays threads and turns of event loops at random.

A test that takes for granted which of two threads is first, or that a thread has ended by the next line, passes on
a machine that does nothing else and fails on a busy one. With this option it fails here. The delays follow from the
seed and the test's name, but for what the system's scheduler adds.
"""

import asyncio
import random
import threading
import time
from collections.abc import Callable
from typing import Any

import pytest

LONGEST_S = 0.02
"""A thread's longest delay, before its first line and after its last one."""
TURN_S = 0.004
"""An event loop's, before one in ten of its turns."""


def add_option(parser: pytest.Parser) -> None:
    """What `pytest --held-up` takes: a whole number, the seed; without it nothing is delayed."""
    parser.addoption("--held-up", type=int, default=None, metavar="SEED", help="delay threads and event loops")


class HeldUp:
    """Delays of the test that runs.

    Args:
        seed: other seeds, other delays.
    """

    def __init__(self, seed: int, wait: Callable[[float], None] = time.sleep) -> None:
        self._seed, self._wait = seed, wait
        self._random = random.Random(seed)

    def pytest_runtest_setup(self, item: pytest.Item) -> None:
        """Each test has delays of its own, whatever ran before it."""
        self.begin(item.nodeid)

    def begin(self, test: str) -> None:
        """The delays from here on are those of a test."""
        self._random = random.Random(f"{self._seed} {test}")

    def delay(self, longest_s: float, one_in: int = 2) -> None:
        """Wait for at most so long, or not at all."""
        if self._random.randrange(one_in) == 0:
            self._wait(self._random.random() * longest_s)

    def around(self, work: Callable[..., Any]) -> Callable[..., Any]:
        """A function with a delay before and behind it."""

        def late(*args: Any, **keywords: Any) -> Any:
            self.delay(LONGEST_S)
            try:
                return work(*args, **keywords)
            finally:
                self.delay(LONGEST_S)

        return late

    def install(self, setattr_: Callable[[object, str, object], None] = setattr) -> None:
        """From now on threads, executors and event loops of this process are delayed."""
        start, run_once = threading.Thread.start, asyncio.BaseEventLoop._run_once  # type: ignore[attr-defined]
        in_executor = asyncio.BaseEventLoop.run_in_executor

        def late_start(thread: threading.Thread) -> None:
            thread.run = self.around(thread.run)  # type: ignore[method-assign]
            start(thread)
            self.delay(LONGEST_S)

        def late_turn(loop: asyncio.BaseEventLoop) -> None:
            self.delay(TURN_S, 10)
            run_once(loop)

        def late_in_executor(loop: asyncio.BaseEventLoop, executor: Any, work: Any, *args: Any) -> Any:
            return in_executor(loop, executor, self.around(work), *args)

        setattr_(threading.Thread, "start", late_start)
        setattr_(asyncio.BaseEventLoop, "_run_once", late_turn)
        setattr_(asyncio.BaseEventLoop, "run_in_executor", late_in_executor)


def held_up(config: pytest.Config) -> HeldUp | None:
    """The delays that were asked for; installed."""
    seed = config.getoption("--held-up")
    if seed is None:
        return None
    delays = HeldUp(seed)
    delays.install()
    return delays
