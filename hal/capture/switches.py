"""Recorded key switches and contacts. Backend ``capture``."""

from collections.abc import Callable

from pydantic import BaseModel

from hal.capture.pulses import Pulses
from hal.capture.recording import recording
from hal.capture.settings import CaptureSettings
from hal.events import FaultEvent, SwitchEvent
from hal.interfaces import Clock, SwitchInput


def open_device(wiring: BaseModel, settings: CaptureSettings, clock: Clock) -> SwitchInput:
    """A switch for every pin of the section.

    Raises:
        HalError: the file cannot be read.
    """
    return CaptureSwitches(Pulses(recording(settings.file), getattr(wiring, "pins", {}), clock))


class CaptureSwitches:
    """Switches that replay recorded changes."""

    def __init__(self, pulses: Pulses) -> None:
        self._pulses = pulses

    def start(self, deliver: Callable[[SwitchEvent | FaultEvent], None]) -> None:
        self._pulses.start(lambda name, closed, at_ns: deliver(SwitchEvent(name, closed, at_ns)))

    def close(self) -> None:
        self._pulses.close()
