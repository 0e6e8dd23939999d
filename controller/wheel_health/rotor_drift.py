"""A roulette wheel's health over its spins: where its balls come down, and how its rotor slows down.

Each of the :data:`WATCHES` watches (:mod:`controller.wheel_health.change_watch`) warns at odds of WATCHES / ALPHA,
so the probability that any of them ever warns falsely of a healthy wheel is at most ALPHA, however often one looks.
"""

from statistics import median

from controller.tracking.roulette.health import SpinHealth
from controller.wheel_health import findings
from controller.wheel_health.change_watch import ChangeWatch
from controller.wheel_health.drift import ALPHA
from controller.wheel_health.findings import WheelFinding, WheelSign

DROPS_ALLOWED = 0.1
"""By so much the part of the balls that come down on one side may differ from that of a level wheel, on average."""
FRICTION_ALLOWED = 0.3
"""Oil, dust and the speeds of the day change what the rotor loses by less, on average."""
FIRST = 30
"""With the middle one of so many spins later ones are compared."""
WATCHES = 3
_FRICTION_REACH = 1.5
_LAST = 50
"""The spins that a finding speaks of."""


class RotorWheelHealth:
    """One roulette wheel.

    Args:
        beam_angle_mdeg: from ball_1 clockwise to ball_2.

    Attributes:
        spins: how many were added.
        findings: all so far, each once, in the order in which they were found.
        usual_rev_s2: what the rotor lost in the first spins; None before there were so many.
    """

    def __init__(self, beam_angle_mdeg: int) -> None:
        self.spins = 0
        self.findings: list[WheelFinding] = []
        self.usual_rev_s2: float | None = None
        self._angle_deg = beam_angle_mdeg / 1000
        self._level = beam_angle_mdeg / 360_000
        self._often = ChangeWatch(DROPS_ALLOWED, 1.0)
        self._seldom = ChangeWatch(DROPS_ALLOWED, 1.0)
        self._slows = ChangeWatch(FRICTION_ALLOWED, _FRICTION_REACH)
        self._drops: list[bool] = []
        self._losses: list[float] = []

    def add(self, spin: SpinHealth) -> list[WheelFinding]:
        """Take a spin; returns what is found by it and was not before."""
        self.spins += 1
        found = []
        if spin.between_beams is not None:
            found += self._dropped(spin.between_beams)
        if spin.rotor_slows_rev_s2 is not None:
            found += self._slowed(spin.rotor_slows_rev_s2)
        new = [one for one in found if all(one.sign is not known.sign for known in self.findings)]
        self.findings += new
        return new

    def _dropped(self, between: bool) -> list[WheelFinding]:
        self._drops = [*self._drops, between][-_LAST:]
        self._often.add(between - self._level)
        self._seldom.add(self._level - between)
        if not _warns(self._often, self._seldom):
            return []
        share = sum(self._drops) / len(self._drops)
        return [findings.drops(self.spins, share, self._level, self._angle_deg)]

    def _slowed(self, loss: float) -> list[WheelFinding]:
        self._losses = [*self._losses, loss][-max(FIRST, _LAST) :]
        if self.usual_rev_s2 is None:
            if len(self._losses) == FIRST:
                self.usual_rev_s2 = median(self._losses)
                self._losses = []
            return []
        if self.usual_rev_s2 <= 0:  # Somebody pushed it in nearly every spin: there is nothing to compare with.
            return []
        self._slows.add(loss / self.usual_rev_s2 - 1)
        if not _warns(self._slows):
            return []
        return [findings.friction(self.spins, median(self._losses) / self.usual_rev_s2, FIRST)]

    @property
    def signs(self) -> frozenset[WheelSign]:
        """What was found, by sign."""
        return frozenset(one.sign for one in self.findings)


def _warns(*watches: ChangeWatch) -> bool:
    return any(watch.odds >= WATCHES / ALPHA for watch in watches)
