"""Hands on the simulated wheel: the dealer's when it is thrown, and anybody's afterwards.

Each act begins at the moment at which it is called, whatever the wheel does then. Speeds are those of the rim in
degrees a second, positive counterclockwise.
"""

import math
from typing import TYPE_CHECKING

from hal.interfaces import Timer
from hal.mock.wheel import Leg, Moving

if TYPE_CHECKING:
    from hal.mock.edges import MockHead

_NUDGE_S = 0.05


class Hands:
    """What people do to one wheel with their hands."""

    def __init__(self, head: "MockHead") -> None:
        self._head = head
        self._letting_go: Timer | None = None

    # -- throwing ------------------------------------------------------------------------------------------

    def throw_about(self, revolutions: float, seconds: float) -> None:
        """Take hold of the wheel, push it evenly for so long, and let it go.

        Args:
            revolutions: about how many it then makes; negative is clockwise.
        """
        self._begin()
        self._head.halt()
        physics = self._head.physics
        speed = math.sqrt(physics.speed_for(abs(revolutions) * self._head.sections))
        physics.vary(self._head.rng)
        change = math.copysign(speed, revolutions)
        self._head.take_over(lambda now: self._speed_up(now, change, seconds))

    def nudge(self, speed_deg_s: float) -> None:
        """A short blow, on a wheel that stands or turns: it is so much faster at once."""
        self.push(speed_deg_s, _NUDGE_S)

    # -- while it turns ------------------------------------------------------------------------------------

    def push(self, change_deg_s: float, seconds: float = 0.3) -> None:
        """Push the wheel, turning or not, so that its speed has changed by so much when it is let go."""
        self._begin()
        change = change_deg_s * self._head.sections / 360
        self._head.take_over(lambda now: self._speed_up(now, change, seconds))

    def brake(self, torque_nm: float, seconds: float) -> None:
        """Rub on the rim, as so much more friction, for so long."""
        self._begin()
        self._head.take_over(lambda now: self._rub(now, torque_nm))
        clock = self._head.clock
        self._letting_go = clock.call_at(clock.now_ns() + round(seconds * 1e9), self.let_go)

    def hold(self, seconds: float = 0.15) -> None:
        """Stop the wheel within so long, and hold it until :meth:`let_go`."""
        self._begin()
        self._head.take_over(lambda now: self._stop(now, seconds))
        self._head.held = True

    def let_go(self) -> None:
        """Take the hand away. What the leather then does to a wheel that stands is the leather's."""
        self._begin()
        self._head.take_over(self._head.physics.free)

    # -- inside --------------------------------------------------------------------------------------------

    def _begin(self) -> None:
        """Whatever the hand did before, it does no more."""
        if self._letting_go is not None:
            self._letting_go.cancel()
            self._letting_go = None

    def _speed_up(self, now: Moving, change: float, seconds: float) -> list[Leg]:
        """Change the speed evenly, through a standstill if need be, and let go."""
        physics, speed = self._head.physics, now.direction * now.speed
        after = speed + change
        legs: list[Leg] = []
        if speed * after < 0:
            stopping_s = seconds * speed / (speed - after)
            legs.append(physics.lead(now, 0.0, stopping_s))
            now, speed, seconds = legs[-1].end, 0.0, seconds - stopping_s
        if speed or after:
            begins = Moving(now.x, now.lean, 1 if speed + after > 0 else -1, abs(speed))
            legs.append(physics.lead(begins, abs(after), seconds))
            now = legs[-1].end
        return [*legs, *physics.free(now)]

    def _rub(self, now: Moving, torque_nm: float) -> list[Leg]:
        physics = self._head.physics
        physics.brake = physics.w2_of_torque(torque_nm)
        return physics.free(now)

    def _stop(self, now: Moving, seconds: float) -> list[Leg]:
        return [self._head.physics.lead(now, 0.0, seconds)] if now.speed else []
