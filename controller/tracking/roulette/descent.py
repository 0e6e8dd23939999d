"""What the beams see after the last pass that is beyond doubt, once the ball may have left its track.

A ball that has left the track hits a deflector, leaps back across a beam, lies in one for a moment or climbs the
wall again. Its pulses come at any time and last for any time: they are the end of the run. Only a ball that is seen
to run on shows that they were something else, a disturbance or the silence of the other beam.
"""

from dataclasses import dataclass

from controller.events.event import Fault, Health
from controller.tracking.roulette.track import Pass, Track

RUNS_ON = 3
"""Passes that only a ball makes which runs on: one that has left the track may by chance make one, or two."""
_LEAPS = 8
"""Pulses that a ball makes as it comes down, at most: it leaps across either beam once or twice."""


@dataclass(frozen=True, slots=True)
class Left:
    """A run has ended."""

    at_ns: int
    """When that was clear."""
    left_ns: int
    revolutions: int
    direction: int
    fault: Fault | None
    early: bool
    thrown_ns: int
    """The ball was thrown then, or later."""


class Descent:
    """The pulses since the last pass of a chain.

    Attributes:
        pulses: in order of time.
        on: those among them that a ball would make which runs on.
    """

    def __init__(self, track: Track) -> None:
        self._track = track
        self.clear()

    def clear(self) -> None:
        """The run has ended, or the chain is broken."""
        self.pulses: list[Pass] = []
        self.on: list[Pass] = []
        self.turn_ns = 0
        """What the last of those took for a turn."""
        self._silent = -1
        """The beam that such a ball did not darken."""

    def take(self, new: Pass, last: Pass, turn_ns: int, direction: int) -> Fault | None:
        """A pulse after the chain's last pass; returns what it shows to be wrong with the beams, if anything."""
        self.pulses.append(new)
        before = self.on[-1] if self.on else last
        before_ns = self.turn_ns if self.on else turn_ns
        now_ns = self._track.next_turn(before, new, before_ns, direction)
        if not now_ns and self._track.two and new.beam == before.beam:
            now_ns = self._track.whole_turn(before, new, before_ns)
            if now_ns:
                self._silent = 1 - new.beam
        if now_ns:
            self.on.append(new)
            self.turn_ns = now_ns
        if len(self.on) >= RUNS_ON:
            return silent(self._silent) if self._silent >= 0 else noise(self._stray.beam)
        return noise(new.beam) if len(self.pulses) > _LEAPS else None

    @property
    def _stray(self) -> Pass:
        """A pulse that a ball which runs on did not make."""
        return next((pulse for pulse in self.pulses if pulse not in self.on), self.pulses[0])


def beam_fault(beam: int, health: Health, detail: str) -> Fault:
    return Fault(f"ball_{beam + 1}", health, detail)


def noise(beam: int) -> Fault:
    return beam_fault(beam, Health.NOISY, "pulses that no ball can make")


def silent(beam: int) -> Fault:
    return beam_fault(beam, Health.SILENT, "the ball passed the other beam twice without passing this one")
