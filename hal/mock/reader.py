"""The simulated wheel reader. Backend ``mock``."""

from pydantic import BaseModel

from hal.interfaces import Clock, ResultReader
from hal.mock.settings import MockSettings
from hal.mock.world import World


def open_device(wiring: BaseModel, settings: MockSettings, clock: Clock) -> ResultReader:
    """The reader of the simulated roulette wheel that stands at this clock's table."""
    return World.of(clock).reader
