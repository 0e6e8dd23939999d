"""The simulated wheel reader. Backend ``mock``."""

from collections.abc import Callable, Sequence

from pydantic import BaseModel

from hal.events import ReaderEvent
from hal.interfaces import Clock, ResultReader, Timer
from hal.mock.settings import MockSettings


def open_device(wiring: BaseModel, settings: MockSettings, clock: Clock) -> ResultReader:
    """The reader of the simulated roulette wheel that stands at this clock's table."""
    from hal.mock.world import World  # The world is made of this module's reader.

    return World.of(clock).reader


class MockReader:
    """A wheel reader: reports where the ball lies once it is certain, and any pocket on command.

    Attributes:
        silent: it sends nothing.
        garbled: its reports cannot be read.
        astray: it names the pocket so many places further around the wheel.
    """

    def __init__(self, clock: Clock) -> None:
        self.silent = self.garbled = False
        self.astray = 0
        self._clock = clock
        self._due: Timer | None = None
        self._deliver: Callable[[ReaderEvent], None] | None = None

    def start(self, deliver: Callable[[ReaderEvent], None]) -> None:
        self._deliver = deliver

    def close(self) -> None:
        self._deliver = None

    def sees(self, pocket: str, pockets: Sequence[str], after_s: float) -> None:
        """The ball lies in a pocket; the reader reports it after a delay."""
        place = pockets.index(pocket)
        due_ns = self._clock.now_ns() + int(after_s * 1e9)
        self._due = self._clock.call_at(due_ns, lambda: self.say(pockets[(place + self.astray) % len(pockets)]))

    def forget(self) -> None:
        """The ball was taken out before the reader was certain."""
        if self._due is not None:
            self._due.cancel()

    def say(self, pocket: str) -> None:
        """Send a pocket's name, if the reader works."""
        if self._deliver is None or self.silent:
            return
        fault = "a line that cannot be read" if self.garbled else ""
        self._deliver(ReaderEvent("" if fault else pocket, self._clock.now_ns(), fault))

    def repair(self) -> None:
        """It works again."""
        self.silent = self.garbled = False
        self.astray = 0
