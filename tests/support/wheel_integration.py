"""A second opinion on the simulated wheel: its equations of motion, step by step in SI units.

Written without a line of ``hal/mock``: from its settings and the places of its pegs alone. SciPy solves them, by a
method of eighth order (Dormand and Prince) whose steps follow from its errors; where a peg touches, the leather
slips off or the wheel stands still is an event of its solver.
"""

import math
from bisect import bisect_right
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from scipy.integrate import solve_ivp

from hal.mock.settings import WheelSettings

LONGEST_S = 60.0
"""No wheel moves for so long between two pegs."""
STICTION = 1.01


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

        def arrives(_: float, state: tuple[float, float]) -> float:
            return (state[0] - until) * direction

        def stands(_: float, state: tuple[float, float]) -> float:
            return state[1] * direction

        arrives.terminal = stands.terminal = True
        arrives.direction, stands.direction = 1, -1
        solved = solve_ivp(
            lambda _, state: (state[1], force(*state)),
            (0.0, LONGEST_S),
            (angle, speed),
            method="DOP853",
            events=(arrives, stands),
            rtol=1e-9,
            atol=1e-12,
        )
        assert solved.status == 1, "the wheel moves on for ever"
        came = bool(solved.t_events[0].size)
        angles = [*solved.y[0][1:-1], until if came else solved.y[0][-1]]
        self.track += [(seconds + float(at), float(place)) for at, place in zip(solved.t[1:], angles, strict=True)]
        if not came or math.isclose(solved.y[1][-1], 0.0, abs_tol=1e-12):
            return 0.0
        self.touch = after
        return float(solved.y[1][-1])

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
