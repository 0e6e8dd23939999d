"""Hands on the simulated wheel: the dealer's when it is thrown, and anybody's afterwards.

Each act begins at the moment at which it is called, whatever the wheel does then; :meth:`Hands.after` calls one
later, in the middle of a spin. Speeds are those of the rim in degrees a second, positive counterclockwise.
"""

import math
from collections.abc import Callable

from hal.interfaces import Timer
from hal.mock.edges import MockHead, Moving
from hal.mock.legs import Leg, Motion

_NS_PER_S = 1_000_000_000
_NUDGE_S = 0.05


class Hands:
    """What people do to one wheel with their hands."""

    def __init__(self, head: MockHead) -> None:
        self._head = head
        self._letting_go: Timer | None = None

    def after(self, seconds: float, act: Callable[["Hands"], None]) -> Timer:
        """Do something later, while the clock runs."""
        clock = self._head.clock
        return clock.call_at(clock.now_ns() + round(seconds * _NS_PER_S), lambda: act(self))

    # -- throwing ------------------------------------------------------------------------------------------

    def throw(self, speed_deg_s: float, seconds: float = 0.6) -> None:
        """Take hold of the wheel, push it evenly up to a speed for so long, and let it go."""
        self._begin()
        self._head.halt()
        self._head.physics.vary(self._head.rng)
        self._head.take_over(lambda now: self._speed_up(now, self._sections(speed_deg_s), seconds))

    def throw_about(self, revolutions: float, seconds: float = 0.6) -> None:
        """The same, hard enough for about so many revolutions after it is let go (negative: clockwise)."""
        speed = math.sqrt(self._head.physics.speed_for(abs(revolutions) * self._head.sections))
        self.throw(math.copysign(speed, revolutions) * 360 / self._head.sections, seconds)

    def nudge(self, speed_deg_s: float) -> None:
        """A short blow, on a wheel that stands or turns: it is so much faster at once."""
        self.push(speed_deg_s, _NUDGE_S)

    # -- while it turns ------------------------------------------------------------------------------------

    def push(self, change_deg_s: float, seconds: float = 0.3) -> None:
        """Push the wheel, turning or not, so that its speed has changed by so much when it is let go."""
        self._begin()
        self._head.take_over(lambda now: self._speed_up(now, self._sections(change_deg_s), seconds))

    def push_joules(self, joules: float, seconds: float = 0.3) -> None:
        """Push the wheel the way it turns, so that its energy is so much more when it is let go."""
        now = self._head.motion
        w2 = now.speed**2 + joules * self._head.physics.w2_per_j
        change = math.sqrt(max(0.0, w2)) - now.speed
        self.push((now.direction or 1) * change * 360 / self._head.sections, seconds)

    def brake(self, torque_nm: float, seconds: float | None = None) -> None:
        """Rub on the rim, as so much more friction, until :meth:`let_go`, or for so long."""
        self._begin()
        self._head.take_over(lambda now: self._rub(now, torque_nm))
        if seconds is not None:
            self._letting_go = self.after(seconds, Hands.let_go)

    def hold(self, seconds: float = 0.15) -> None:
        """Stop the wheel within so long, and hold it until :meth:`let_go`."""
        self._begin()
        self._head.take_over(lambda now: (self._lead(now, now.direction, now.speed, 0.0, seconds), now.lean))
        self._head.held = True

    def let_go(self) -> None:
        """Take the hand away. What the leather then does to a wheel that stands is the leather's."""
        self._begin()
        self._head.take_over(self._free)

    # -- while it stands -----------------------------------------------------------------------------------

    def turn(self, sections: float, seconds: float = 4.0) -> None:
        """Turn the wheel by hand over so many sections (negative: clockwise), then let it go."""
        self._begin()
        self._head.push(sections, seconds)

    def lay_on(self, section: int) -> None:
        """Turn the wheel by hand until a section is at the clapper, the leather free, and let it go."""
        head, physics = self._head, self._head.physics
        middle = (physics.peg_at(section) + physics.peg_at(section + 1)) / 2
        way = (middle - head.x + head.sections / 2) % head.sections - head.sections / 2
        room = physics.leather.sides[1 if way > 0 else -1]
        # Past the place where the leather slips off the peg behind, if the middle is not.
        direction = 1 if way > 0 else -1
        behind = physics.peg_at(section if way > 0 else section + 1) + room.offset + direction * room.slip
        if (middle - behind) * direction < 0:
            way += behind - middle + direction * 0.02
        self.turn(way)

    # -- inside --------------------------------------------------------------------------------------------

    def _begin(self) -> None:
        """Whatever the hand did before, it does no more."""
        if self._letting_go is not None:
            self._letting_go.cancel()
            self._letting_go = None

    def _sections(self, speed_deg_s: float) -> float:
        return speed_deg_s * self._head.sections / 360

    def _speed_up(self, now: Moving, change: float, seconds: float) -> Motion:
        """Change the speed evenly, through a standstill if need be, and let go."""
        speed = now.direction * now.speed
        after = speed + change
        legs: list[Leg] = []
        if speed * after < 0:
            stopping_s = seconds * speed / (speed - after)
            legs = self._lead(now, now.direction, abs(speed), 0.0, stopping_s)
            now = self._after(legs, now)
            speed, seconds = 0.0, seconds - stopping_s
        direction = 1 if speed + after > 0 else -1
        legs += self._lead(now, direction, abs(speed), abs(after), seconds)
        now = self._after(legs, now)
        rest, lean = self._head.physics.throw(now.x, now.lean, direction, after * after)
        return legs + rest, lean

    def _lead(self, now: Moving, direction: int, speed: float, to: float, seconds: float) -> list[Leg]:
        """From one speed to another, evenly; nothing if the wheel stands and is to stand."""
        length = (speed + to) / 2 * seconds
        if length <= 0:
            return []
        knots = ((0.0, speed * speed), (length, to * to))
        return [self._head.physics.lead(now.x, now.lean, direction, knots)]

    def _after(self, legs: list[Leg], now: Moving) -> Moving:
        if not legs:
            return now
        leg = legs[-1]
        return Moving(float(leg.xs[-1]), self._head.physics.end_lean(leg), leg.direction, math.sqrt(leg.w2[-1]))

    def _rub(self, now: Moving, torque_nm: float) -> Motion:
        physics = self._head.physics
        physics.brake = torque_nm * 2 * math.pi / physics.sections * physics.w2_per_j
        return self._free(now)

    def _free(self, now: Moving) -> Motion:
        physics = self._head.physics
        if now.direction:
            return physics.throw(now.x, now.lean, now.direction, now.speed**2)
        return physics.settle(now.x, now.lean)
