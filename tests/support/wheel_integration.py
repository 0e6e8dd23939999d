"""A second opinion on the simulated wheel: its equations of motion, step by step in SI units.

Written without a line of ``hal/mock``: from its settings and the places of its pegs alone. A method of Runge and
Kutta's of fourth order goes through time; where a peg touches, the leather slips off or the wheel stands still
within a step, the step is cut there by bisection.
"""

import math
from bisect import bisect_right
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from hal.mock.settings import WheelSettings

STEP_S = 0.004
STICTION = 1.01
State = tuple[float, float]
"""The wheel's angle in rad, counterclockwise, and its speed in rad/s."""


@dataclass(frozen=True, slots=True)
class Touch:
    """A peg on the leather: where it touched, and in which direction it came."""

    at_rad: float
    direction: int


class Integration:
    """One wheel in motion.

    Args:
        pegs_rad: where the pegs stand that are there, in one turn.
    """

    def __init__(self, settings: WheelSettings, pegs_rad: Sequence[float], angle_rad: float) -> None:
        self._settings = settings
        self._pegs = sorted(pegs_rad)
        self._half = (settings.peg_mm + settings.leather_mm) / 2000 / settings.peg_radius_m
        slip, leans = math.radians(settings.slip_deg), math.radians(settings.set_deg)
        self._stiffness = 2 * settings.peg_j / max(slip, 2 * self._half) ** 2
        self._slips = {way: max(slip - way * leans, 2 * self._half) for way in (1, -1)}
        self._leans = leans
        self._heavy = math.radians(settings.heavy_at_deg)
        self.touch: Touch | None = None
        self.track: list[tuple[float, float]] = [(0.0, angle_rad)]
        """Seconds and angles on the way."""

    @property
    def bend_rad(self) -> float:
        """How far the leather is bent where the wheel is now."""
        if self.touch is None:
            return 0.0
        return max(0.0, (self.track[-1][1] - self.touch.at_rad) * self.touch.direction)

    def run(self, speed_rad_s: float) -> None:
        """Let the wheel go with a speed, and follow it until it is at rest."""
        speed = speed_rad_s
        while True:
            direction = (speed > 0) - (speed < 0) or self._sets_off()
            if not direction:
                return
            speed = self._one_way(direction, speed)

    # -- one way, up to a standstill or an event -------------------------------------------------------------

    def _one_way(self, direction: int, speed: float) -> float:
        """Until the wheel stands still, or what bends the leather changes; the speed there."""
        seconds, angle = self.track[-1]
        until, after = self._next(angle, direction)
        force = self._torque(direction)
        state = (angle, speed)

        def over(at: State) -> bool:
            return at[1] * direction <= 0 or (at[0] - until) * direction >= 0

        while True:
            stepped = _step(force, state, STEP_S)
            if over(stepped):
                break
            seconds, state = seconds + STEP_S, stepped
            self.track.append((seconds, state[0]))
        low, high = 0.0, STEP_S
        for _ in range(60):
            middle = (low + high) / 2
            # At the first moment the speed is still 0.
            low, high = (low, middle) if over(_step(force, state, middle)) else (middle, high)
        end = _step(force, state, high)
        arrived = (end[0] - until) * direction >= -1e-12 and end[1] * direction > 0
        self.track.append((seconds + high, until if arrived else end[0]))
        if not arrived:
            return 0.0
        self.touch = after
        return end[1]

    def _next(self, angle: float, direction: int) -> tuple[float, Touch | None]:
        """Where the next thing happens on the way, and what then bends the leather."""
        touch = self.touch
        if touch is None:
            at = self._next_peg(angle, direction)
            return at, Touch(at, direction)
        if touch.direction == direction:
            return touch.at_rad + direction * self._slips[direction], None
        return touch.at_rad, None

    def _next_peg(self, angle: float, direction: int) -> float:
        """Where the next peg touches the leather."""
        offset = self._leans - direction * self._half
        turn = 2 * math.pi
        whole = math.floor((angle - offset) / turn)
        places = [peg + (whole + more) * turn + offset for more in (-1, 0, 1) for peg in self._pegs]
        if direction > 0:
            return places[bisect_right(places, angle - 1e-10)]
        return places[bisect_right(places, angle + 1e-10) - 1]

    # -- torques ---------------------------------------------------------------------------------------------

    def _torque(self, direction: int) -> Callable[[float, float], float]:
        """Acceleration by angle and speed, as long as the wheel moves this way."""
        wheel, touch = self._settings, self.touch
        stiffness, at, side = 0.0, 0.0, 0
        if touch is not None:
            at, side = touch.at_rad, touch.direction
            stiffness = self._stiffness * (1.0 if side == direction else wheel.restitution)

        def acceleration(angle: float, speed: float) -> float:
            torque = -direction * (wheel.friction_nm + wheel.drag_nm_s2 * speed * speed)
            torque -= stiffness * (angle - at)
            torque += wheel.imbalance_nm * math.sin(angle - self._heavy)
            return torque / wheel.inertia_kg_m2

        return acceleration

    def _sets_off(self) -> int:
        """The way in which a wheel at rest sets off by itself, or 0."""
        angle = self.track[-1][1]
        wheel, touch = self._settings, self.touch
        weight = wheel.imbalance_nm * math.sin(angle - self._heavy)
        for direction in (1, -1):
            drive = direction * weight - STICTION * wheel.friction_nm
            if touch is not None:
                spring = self._stiffness * self.bend_rad
                drive += -spring if touch.direction == direction else wheel.restitution * spring
            if drive > 0:
                return direction
        return 0


def _step(acceleration: Callable[[float, float], float], state: State, step: float) -> State:
    angle, speed = state
    a1 = acceleration(angle, speed)
    v2 = speed + step / 2 * a1
    a2 = acceleration(angle + step / 2 * speed, v2)
    v3 = speed + step / 2 * a2
    a3 = acceleration(angle + step / 2 * v2, v3)
    v4 = speed + step * a3
    a4 = acceleration(angle + step * v3, v4)
    return (
        angle + step / 6 * (speed + 2 * v2 + 2 * v3 + v4),
        speed + step / 6 * (a1 + 2 * a2 + 2 * a3 + a4),
    )
