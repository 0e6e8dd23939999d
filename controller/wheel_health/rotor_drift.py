"""A roulette wheel's health over its spins: where its balls come down, and how its rotor slows down.

Each of the :data:`WATCHES` watches (:mod:`controller.wheel_health.change_watch`) warns at odds of WATCHES / ALPHA,
so the probability that any of them ever warns falsely of a healthy wheel is at most ALPHA, however often one looks.
"""

import json
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
_to_json = json.JSONEncoder(separators=(",", ":")).encode
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
        self._known: set[WheelSign] = set()
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
        new = [one for one in found if one.sign not in self._known]
        self._known.update(one.sign for one in new)
        self.findings += new
        return new

    # -- from one start of the table to the next -----------------------------------------------------------------

    def state(self) -> str:
        """What the watches stand at, as JSON, for :meth:`resume`."""
        return _to_json(
            {
                "spins": self.spins,
                "usual": self.usual_rev_s2,
                "watches": [watch.state() for watch in (self._often, self._seldom, self._slows)],
                "drops": self._drops,
                "losses": self._losses,
                "known": sorted(sign.value for sign in self._known),
            }
        )

    def resume(self, state: str) -> None:
        """Go on from where the watches over the same wheel stood.

        What was found before is not found again; :attr:`findings` holds what is found from now on.

        Raises:
            ValueError: it is no such state. Some of the watches may be changed.
        """
        try:
            stood = json.loads(state)
            watches = (self._often, self._seldom, self._slows)
            for watch, of_watch in zip(watches, stood["watches"], strict=True):
                watch.resume(of_watch)
            self._drops = [bool(one) for one in stood["drops"]]
            self._losses = [float(one) for one in stood["losses"]]
            self._known = {WheelSign(sign) for sign in stood["known"]}
            self.spins, self.usual_rev_s2 = int(stood["spins"]), stood["usual"]
        except (KeyError, TypeError) as error:
            raise ValueError(f"this is no state of watches over a roulette wheel: {error!r}") from error

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


def _warns(*watches: ChangeWatch) -> bool:
    return any(watch.odds >= WATCHES / ALPHA for watch in watches)
