"""A simulated wheel is recorded and calibrated as a technician does it: two slow turns and a throw, each way."""

from collections.abc import Iterator
from datetime import date
from typing import NamedTuple

from config.schema import WheelSection
from controller.commissioning.wheel_calibration import Calibrated, calibrate
from controller.commissioning.wheel_recording import WheelRecording
from hal.mock.clock import VirtualClock
from hal.mock.edges import MockHead
from hal.mock.settings import WheelSettings
from hal.mock.world import World

_NS = 1_000_000_000
_AFTER_NS = 5 * _NS
_ATTEMPTS = 6
_TURNS, _TURNS_S = 2.2, 22.0
_THROW_TURNS = 4.5


class Progress(NamedTuple):
    """A step of the recording that is done next, and the part of the work that was done before it."""

    words: str
    done: float


def advance_to_rest(clock: VirtualClock, head: MockHead) -> None:
    """Let time pass until nothing moves: a hand that lets go later may set the wheel free again."""
    for _ in range(_ATTEMPTS):
        clock.advance_to(max(clock.now_ns(), head.at_rest_ns + _AFTER_NS))
        head.poll()
        if head.at_rest_ns + _AFTER_NS <= clock.now_ns():
            return


class RecordingSession:
    """The calibration of one wheel.

    Args:
        world: of the wheel, on a clock of its own.
        file: the wheel's section of the table's file.
        today: the date of the calibration.
    """

    def __init__(self, world: World, clock: VirtualClock, file: WheelSection, today: date) -> None:
        self._world, self._clock, self._file, self._today = world, clock, file, today
        self._calibrated: Calibrated | None = None

    @property
    def calibrated(self) -> Calibrated:
        """What was measured, after the last step."""
        assert self._calibrated is not None, "the steps come first"
        return self._calibrated

    def steps(self) -> Iterator[Progress]:
        """Record and calibrate; each step is done when the next one is asked for.

        Raises:
            MeasurementError: the wheel cannot be calibrated, as one that lacks a peg.
        """
        head = self._world.wheel
        recording = WheelRecording(head.levels(), self._file)
        head.start(recording.feed)
        for way, name in ((1, "counterclockwise"), (-1, "clockwise")):
            yield Progress(f"two slow turns {name}", 0.0 if way > 0 else 0.2)
            head.push(way * head.sections * _TURNS, _TURNS_S)
            self._rest()
        for way, name in ((1, "counterclockwise"), (-1, "clockwise")):
            yield Progress(f"a throw {name}", 0.4 if way > 0 else 0.6)
            self._world.throw(_THROW_TURNS, way)
            self._rest()
        while head.true_stand()[1]:
            head.push(0.4, 1.0)
            self._rest()
        yield Progress("measuring", 0.8)
        section = head.true_stand()[0]
        self._calibrated = calibrate(recording, head.sections, section, self._today)

    def _rest(self) -> None:
        advance_to_rest(self._clock, self._world.wheel)


def session_of(settings: WheelSettings, file: WheelSection, today: date) -> RecordingSession:
    """A session at a wheel that is built as these settings say.

    Args:
        file: the wheel's section of the table's file; its encoder is replaced by the wheel's own.

    Raises:
        HalError: no such wheel can be built.
    """
    clock = VirtualClock()
    world = World.of(clock)
    world.fit_wheel(settings)
    own = {
        "counts_per_turn": settings.counts_per_turn,
        "index_offset_counts": 0,
        "reversed": settings.reversed,
        "clapper": None,
    }
    return RecordingSession(world, clock, file.model_copy(update=own), today)
