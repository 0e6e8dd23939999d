"""Simulated buttons and keypads. Backend ``mock``."""

from pydantic import BaseModel

from hal.interfaces import Clock, KeySource
from hal.mock.settings import MockSettings
from hal.mock.world import World


def open_device(wiring: BaseModel, settings: MockSettings, clock: Clock) -> KeySource:
    """Keys for every control of a buttons, keypad or keyboard section."""
    pins: dict[str, int] = getattr(wiring, "pins", {})
    rows: list[list[str]] = getattr(wiring, "keys", [])
    codes: dict[str, str] = getattr(wiring, "codes", {})
    return World.of(clock).fit_keys([*pins, *(control for row in rows for control in row), *codes])
