"""A simulated buzzer. Backend ``mock``."""

from pydantic import BaseModel

from hal.interfaces import Clock, Sounder
from hal.mock.settings import MockSettings
from hal.mock.world import World


def open_device(wiring: BaseModel, settings: MockSettings, clock: Clock) -> Sounder:
    """The table's buzzer."""
    return World.of(clock).sounder
