"""Simulated hardware below the boundary: it produces edges, keys and switches, and nothing else. Backend ``mock``.

:mod:`hal.mock.world` holds one table's simulated hardware and the actions of dealer and technician: throw the
wheel, press a key, break a sensor. The files named after kinds of device open them.
"""

import importlib
from functools import partial

from pydantic import BaseModel

from hal.interfaces import Clock, Device
from hal.mock.settings import SETTINGS
from hal.registry import Driver


def _open(kind: str, wiring: BaseModel, settings: BaseModel, clock: Clock) -> Device:
    """Loads a kind of device, and numpy with a wheel, only for a table that has it."""
    device: Device = importlib.import_module(f"hal.mock.{kind}").open_device(wiring, settings, clock)
    return device


DRIVERS = {kind: Driver(model, partial(_open, kind)) for kind, model in SETTINGS.items()}
