"""Simulated key switches and contacts. Backend ``mock``."""

from pydantic import BaseModel

from hal.interfaces import Clock, SwitchInput
from hal.mock.settings import MockSettings
from hal.mock.world import World


def open_device(wiring: BaseModel, settings: MockSettings, clock: Clock) -> SwitchInput:
    """A switch for every pin of the section."""
    pins: dict[str, int] = getattr(wiring, "pins", {})
    return World.of(clock).fit_switches(pins)
