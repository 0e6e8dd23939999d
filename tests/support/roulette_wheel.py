"""A roulette wheel before its tracker."""

from dataclasses import dataclass, field

from controller.events.event import (
    BallLeftTrack,
    Event,
    Health,
    SensorHealth,
)
from controller.tracking.roulette.rotor import RotorGeometry
from controller.tracking.roulette.wheel import RouletteTracker
from hal.events import EdgeBatch
from hal.mock.clock import NS_PER_S, VirtualClock
from hal.mock.rotor import BallTruth, MockRotorHead
from hal.mock.settings import RotorSettings
from hal.mock.world import World


@dataclass
class Wheel:
    """A roulette wheel, its tracker, and all that was seen."""

    seed: int = 0
    beams: int = 2
    angle_deg: float = 90.0
    counts: int = 400
    reversed: bool = False
    slice_ns: int | None = None
    events: list[Event] = field(default_factory=list)
    batches: list[EdgeBatch] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.clock = VirtualClock()
        self.world = World.of(self.clock)
        self.world.slice_ns = self.slice_ns
        options = RotorSettings(
            seed=self.seed, counts_per_turn=self.counts, reversed=self.reversed, beam_angle_deg=self.angle_deg
        )
        self.head: MockRotorHead = self.world.fit_rotor(options, self.beams)
        self.geometry = RotorGeometry(self.counts, self.beams, int(self.angle_deg * 1000), self.reversed)
        self.levels = self.head.levels()
        self.tracker = RouletteTracker(self.geometry, self.levels)
        self.head.start(self._see)

    def _see(self, batch: EdgeBatch) -> None:
        self.batches.append(batch)
        self.events += self.tracker.feed(batch)

    def wait(self, seconds: float) -> None:
        self.clock.advance_to(self.clock.now_ns() + int(seconds * NS_PER_S))
        self.head.poll()
        self.events += self.tracker.tick(self.clock.now_ns())

    def spin(
        self, turns: float, ball: int = 1, rotor: int = -1, speed: float = 0.4, before_s: float = 4.0
    ) -> BallTruth:
        """Push the rotor, throw the ball, and wait for their last events."""
        self.head.push_rotor(speed, rotor)
        self.wait(before_s)
        self.head.throw_ball(turns, ball)
        self.rest()
        assert self.head.ball is not None
        return self.head.ball

    def rest(self) -> None:
        self.wait((self.head.at_rest_ns - self.clock.now_ns()) / 1e9 + 3)

    def of(self, kind: type) -> list:  # type: ignore[type-arg]
        return [event for event in self.events if isinstance(event, kind)]

    @property
    def left(self) -> BallLeftTrack:
        (event,) = self.of(BallLeftTrack)
        return event


def faults(wheel: Wheel) -> list[tuple[str, Health]]:
    return [(event.sensor, event.health) for event in wheel.of(SensorHealth) if event.health is not Health.OK]
