"""What a table needs of whatever makes events of a sensor head's edges."""

from collections.abc import Callable, Mapping, Sequence
from typing import Final, Protocol

from controller.events.event import Event, Fault, Health, SensorHealth
from controller.events.words import text
from hal.events import EdgeBatch


class HeadTracker(Protocol):
    """Makes events of a sensor head's edges."""

    @property
    def due_ns(self) -> int | None:
        """When to call :meth:`tick` unless edges come before; None for never."""

    @property
    def moving(self) -> bool:
        """A wheel with a clapper is moving: no spin can begin."""

    def stands(self, now_ns: int) -> bool:
        """A wheel with a clapper stands, though its rest is not certain yet."""

    def feed(self, batch: EdgeBatch) -> list[Event]:
        """Take a batch of edges."""

    def tick(self, now_ns: int) -> list[Event]:
        """Time has passed without edges."""

    def look(self, levels: Mapping[str, bool], now_ns: int) -> list[Event]:
        """Compare a wheel that seems to stand with its lines as they truly are; every edge up to now was fed."""

    def relearn(self) -> None:
        """People have worked on the sensors and try them now: forget how the lines lay to one another."""


MakeTracker = Callable[[Mapping[str, bool]], HeadTracker]
"""Makes a tracker from the first level of each line."""


SWAP_A_B: Final = bytes.maketrans(b"AaBb", b"BbAa")
"""Turns the letters of an encoder that counts backwards into those of one that does not."""


def sensor_fault(code: str, sensor: str, health: Health, **figures: str | int) -> Fault:
    """What the detector with this code found wrong with a sensor."""
    return Fault(sensor, health, text(code, **figures))


class EdgeNumbers:
    """The sequence number and the stamp of the last edge."""

    def __init__(self) -> None:
        self._next_seqno: int | None = None
        self._last_ns = 0

    def check(self, batch: EdgeBatch) -> Sequence[tuple[Fault, int]]:
        """What is wrong since the batch before, or within this one, each with how many edges were lost."""
        stamps = batch.timestamps_ns
        lost = batch.lost(self._next_seqno)
        backwards = not self._last_ns <= stamps[0] <= stamps[-1]
        self._next_seqno, self._last_ns = batch.seqnos[-1] + 1, stamps[-1]
        found = [(sensor_fault("edges-lost", "encoder", Health.LOSSY, edges=lost), lost)] if lost else []
        return [*found, (sensor_fault("stamps", "encoder", Health.NOISY), 0)] if backwards else found


class ReportedHealth:
    """The doubt about a group of sensors that was reported last."""

    def __init__(self) -> None:
        self._reported: Fault | None = None

    def change(self, doubt: Fault | None, at_ns: int) -> list[SensorHealth]:
        """The events of a doubt that was raised, changed or ended."""
        before, self._reported = self._reported, doubt
        if doubt == before:
            return []
        events = []
        if before is not None and (doubt is None or doubt.sensor != before.sensor):
            events.append(SensorHealth(at_ns, before.sensor, Health.OK))
        if doubt is not None and (before is None or (doubt.sensor, doubt.health) != (before.sensor, before.health)):
            events.append(SensorHealth(at_ns, doubt.sensor, doubt.health, doubt.found))
        return events
