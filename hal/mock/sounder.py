"""A simulated buzzer. Backend ``mock``."""

from pydantic import BaseModel

from hal.interfaces import Clock, Sounder
from hal.mock.settings import MockSettings


def open_device(wiring: BaseModel, settings: MockSettings, clock: Clock) -> Sounder:
    """The table's buzzer."""
    from hal.mock.world import World  # The world is made of this module's buzzer.

    return World.of(clock).sounder


class MockSounder:
    """A buzzer that counts."""

    def __init__(self) -> None:
        self.beeps = 0

    def beep(self) -> None:
        self.beeps += 1

    def close(self) -> None:
        """Nothing to release."""
