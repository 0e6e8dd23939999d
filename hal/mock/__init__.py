"""Simulated hardware below the boundary: it produces edges, keys and switches, and nothing else. Backend ``mock``.

:mod:`hal.mock.world` holds one table's simulated hardware and the actions of dealer and technician: throw the
wheel, press a key, break a sensor.
"""

from functools import partial

from pydantic import BaseModel

from hal.interfaces import Clock, Device
from hal.mock.settings import SETTINGS
from hal.registry import Driver


def _open(kind: str, wiring: BaseModel, settings: BaseModel, clock: Clock) -> Device:
    from hal.mock.world import World  # Only a table with simulated hardware needs it.

    return World.of(clock).open(kind, wiring, settings)


DRIVERS = {kind: Driver(model, partial(_open, kind)) for kind, model in SETTINGS.items()}
