"""Recorded buttons and keys. Backend ``capture``."""

from collections.abc import Callable

from pydantic import BaseModel

from hal.capture.pulses import Pulses
from hal.capture.recording import recording
from hal.capture.settings import CaptureSettings
from hal.events import FaultEvent, KeyEvent
from hal.interfaces import Clock, KeySource


def open_device(wiring: BaseModel, settings: CaptureSettings, clock: Clock) -> KeySource:
    """Keys for every control of a buttons, keypad or keyboard section.

    Raises:
        HalError: the file cannot be read.
    """
    rows: list[list[str]] = getattr(wiring, "keys", [])
    controls = [*getattr(wiring, "pins", {}), *getattr(wiring, "codes", {})]
    controls += [control for row in rows for control in row]
    return CaptureKeys(Pulses(recording(settings.file), controls, clock))


class CaptureKeys:
    """Keys that replay recorded presses."""

    def __init__(self, pulses: Pulses) -> None:
        self._pulses = pulses

    def start(self, deliver: Callable[[KeyEvent | FaultEvent], None]) -> None:
        self._pulses.start(lambda control, pressed, at_ns: deliver(KeyEvent(control, pressed, at_ns)))

    def close(self) -> None:
        self._pulses.close()
