"""Simulated lamps with read-back. Backend ``mock``."""

from pydantic import BaseModel

from hal.interfaces import Clock, LampPanel
from hal.mock.settings import MockSettings
from hal.mock.world import World


def open_device(wiring: BaseModel, settings: MockSettings, clock: Clock) -> LampPanel:
    """A lamp for every area of the section."""
    lamps: dict[str, int] = getattr(wiring, "lamps", {})
    return World.of(clock).fit_panel(lamps)
