"""The physics of a wheel with pegs and a leather clapper.

Positions are in sections along the rim (peg ``k`` at about ``k``), growing as the wheel turns counterclockwise.
Motion is a chain of *legs*: stretches in one direction, given as the square of the speed at nodes of position.
Friction and the clapper take energy in proportion to the distance, so the square of the speed falls linearly
between nodes and everything else follows in closed form.

A peg that meets the clapper bends it over ``contact`` sections and then slips off; a wheel too slow for that is
pushed back by the leather, rocks, and may touch the peg behind. Where the leather has been bent almost to the end
it lies flat on the peg and holds the wheel there.
"""

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from hal.mock.settings import WheelSettings

Floats = NDArray[np.float64]
SECTIONS = 54
_SECTION_RAD = 2 * math.pi / SECTIONS
_STILL = 1e-9


@dataclass(frozen=True, slots=True)
class Contact:
    """The peg that bends the clapper, and the direction in which it does."""

    peg: int
    direction: int


@dataclass(frozen=True, slots=True)
class Leg:
    """Motion in one direction. ``xs`` are nodes of position, ``w2`` the squared speed at each, (sections/s)²."""

    direction: int
    xs: Floats
    w2: Floats
    ts: Floats
    """Seconds from the leg's start at each node."""
    stretches: Floats
    """For each stretch between two nodes: place along the way, squared speed, speed, slope of w2, seconds."""

    @staticmethod
    def of(direction: int, xs: Floats, w2: Floats) -> "Leg":
        w2 = np.maximum(w2, 0.0)
        v = np.sqrt(w2)
        along = xs * direction
        length = np.maximum(along[1:] - along[:-1], _STILL)
        ts = np.zeros(len(xs))
        np.cumsum(2 * length / np.maximum(v[1:] + v[:-1], _STILL), out=ts[1:])
        slope = (w2[1:] - w2[:-1]) / length
        return Leg(direction, xs, w2, ts, np.array((along[:-1], w2[:-1], v[:-1], slope, ts[:-1])))

    @property
    def duration_s(self) -> float:
        return float(self.ts[-1])

    def times_at(self, xs: Floats) -> Floats:
        """When the wheel passes these positions, given in order of travel; seconds from the leg's start."""
        along = xs * self.direction
        # How many of the positions lie on each stretch.
        first = np.zeros(len(self.xs), np.intp)
        first[1:-1] = along.searchsorted(self.stretches[0, 1:])
        first[-1] = len(xs)
        start, w2, v, slope, seconds = self.stretches.repeat(first[1:] - first[:-1], axis=1)
        part = along - start
        speed = v + np.sqrt(np.maximum(w2 + slope * part, 0.0))
        times = seconds + 2 * part / np.maximum(speed, _STILL)
        return np.asarray(np.minimum(times, self.ts[-1]), dtype=np.float64)

    def position_at(self, t: float) -> float:
        """Where the wheel is, ``t`` seconds after the leg's start."""
        if t >= self.duration_s:
            return float(self.xs[-1])
        node = max(0, int(np.searchsorted(self.ts, t, side="right")) - 1)
        span_s = float(self.ts[node + 1] - self.ts[node])
        v0, v1 = math.sqrt(self.w2[node]), math.sqrt(self.w2[node + 1])
        since = t - float(self.ts[node])
        acceleration = (v1 - v0) / span_s if span_s > 0 else 0.0
        moved = v0 * since + acceleration * since * since / 2
        return float(self.xs[node]) + self.direction * moved


Motion = tuple[list[Leg], Contact | None]
"""The legs until the wheel is at rest again, and the contact in which it then rests."""


class WheelPhysics:
    """What a throw or a push makes of a wheel at rest: the legs until it is at rest again."""

    def __init__(self, settings: WheelSettings, rng: np.random.Generator) -> None:
        to_w2 = 2 / settings.inertia_kg_m2 / _SECTION_RAD**2
        self.friction = settings.friction_nm * _SECTION_RAD * to_w2
        self.peg = settings.peg_j * to_w2
        self.contact = settings.contact_deg / 360 * SECTIONS
        self._drag = 2 * settings.drag_nm_s2 / settings.inertia_kg_m2 * _SECTION_RAD
        self._restitution = settings.restitution
        self._sticks = settings.sticks_from
        error = settings.peg_error_deg / 360 * SECTIONS
        self._errors = rng.uniform(-error, error, SECTIONS)
        self._error_of = [float(e) for e in self._errors]

    # -- pegs ----------------------------------------------------------------------------------------------

    def peg_at(self, peg: int) -> float:
        """Where a peg truly stands."""
        return peg + self._error_of[peg % SECTIONS]

    def peg_ahead(self, x: float, direction: int) -> int:
        """The next peg to be met from ``x``; a peg exactly at ``x`` has been met."""
        peg = math.floor(x) + (direction > 0)
        while (self.peg_at(peg) - x) * direction <= 0:
            peg += direction
        while (self.peg_at(peg - direction) - x) * direction > 0:
            peg -= direction
        return peg

    def pegs_between(self, x: float, contact: Contact | None, direction: int, to: float) -> Floats:
        """The places where pegs meet the clapper from ``x`` up to ``to``, in order of travel."""
        first = self.peg_ahead(self.free_from(x, contact, direction), direction)
        last = math.floor(to) + direction
        pegs = np.arange(first, last + direction, direction)
        at = pegs + self._errors[pegs % SECTIONS]
        return np.asarray(at[(to - at) * direction >= 0], dtype=np.float64)

    def free_from(self, x: float, contact: Contact | None, direction: int) -> float:
        """Where the search for the next peg starts: a peg that the wheel backs away from is not met again."""
        return self.peg_at(contact.peg) if contact is not None and contact.direction != direction else x

    def release_at(self, contact: Contact, direction: int) -> float:
        """Where a peg in contact lets the clapper go when the wheel moves in ``direction``."""
        slips_off = contact.direction * self.contact if direction == contact.direction else 0.0
        return self.peg_at(contact.peg) + slips_off

    def contact_after(self, x: float, contact: Contact | None, direction: int, target: float) -> Contact | None:
        """The contact in which a wheel that moves one way from ``x`` arrives at ``target``."""
        if contact is not None and (target - self.release_at(contact, direction)) * direction < 0:
            return contact
        last = self.peg_ahead(target, -direction)
        if (self.peg_at(last) - self.free_from(x, contact, direction)) * direction <= 0:
            return None
        return Contact(last, direction) if (target - self.peg_at(last)) * direction < self.contact else None

    # -- motion --------------------------------------------------------------------------------------------

    def throw(self, x: float, contact: Contact | None, direction: int, w2: float) -> Motion:
        """Throw the wheel with a squared speed and let it run out: the legs, and the contact it rests in."""
        leg = self._coast(x, contact, direction, w2)
        end = float(leg.xs[-1])
        rocking, held = self._rock(end, self.contact_after(x, contact, direction, end))
        return [leg, *rocking], held

    def push(self, x: float, contact: Contact | None, target: float, seconds: float) -> Motion:
        """Turn the wheel by hand to ``target``, smoothly, then let go."""
        direction = 1 if target > x else -1
        peak = (2 * abs(target - x) / seconds) ** 2
        leg = Leg.of(direction, np.array([x, (x + target) / 2, target]), np.array([0.0, peak, 0.0]))
        rocking, held = self._rock(target, self.contact_after(x, contact, direction, target))
        return [leg, *rocking], held

    def speed_to_reach(self, x: float, contact: Contact | None, target: float) -> float:
        """The squared speed at ``x`` with which the wheel stands still at ``target`` for the first time."""
        direction = 1 if target > x else -1
        _, losses = self._road(x, contact, direction, target)
        return float(losses[-1])

    def speed_for(self, sections: float) -> float:
        """The squared speed that carries the wheel over about so many sections."""
        loss = (self.friction + self.peg) * sections
        return loss * (1 + self._drag * sections / 2)

    def _coast(self, x: float, contact: Contact | None, direction: int, w2: float) -> Leg:
        """Run from ``x`` until the speed is used up."""
        reach = w2 / (self.friction + self.peg) + 2
        nodes, losses = self._road(x, contact, direction, x + direction * reach)
        stop = int(np.searchsorted(losses, w2, side="right"))
        nodes, losses = nodes[: stop + 1].copy(), losses[: stop + 1]
        left = w2 - losses
        if left[-1] < 0:
            part = float(left[-2] / (losses[-1] - losses[-2]))
            nodes[-1] = nodes[-2] + (nodes[-1] - nodes[-2]) * part
            left[-1] = 0.0
        return Leg.of(direction, nodes, left * np.exp(-self._drag * np.abs(nodes - x)))

    def _road(self, x: float, contact: Contact | None, direction: int, to: float) -> tuple[Floats, Floats]:
        """Nodes from ``x`` to ``to``, and the squared speed at ``x`` that is used up at each of them."""
        pegs = self.pegs_between(x, contact, direction, to)
        nodes = np.stack((pegs, pegs + direction * self.contact), axis=1).ravel()
        bent = np.zeros(len(nodes) + 1)
        bent[1::2] = 1.0
        if contact is not None and contact.direction == direction:
            nodes = np.concatenate(([self.release_at(contact, direction)], nodes))
            bent = np.concatenate(([1.0], bent))
        keep = (to - nodes) * direction > 0
        nodes, bent = np.concatenate(([x], nodes[keep], [to])), bent[: int(keep.sum()) + 1]
        # Air drag makes the loss of a stretch cost more at the start, by the factor that it takes on the way.
        apart = np.abs(np.diff(nodes))
        price = np.exp(self._drag * (np.abs(nodes[:-1] - x) + apart / 2))
        losses = np.cumsum(apart * (self.friction + bent * self.peg / self.contact) * price)
        return nodes, np.concatenate(([0.0], losses))

    def _rock(self, x: float, held: Contact | None) -> Motion:
        """What the bent leather does to a wheel that has stopped: push it back, or hold it."""
        legs: list[Leg] = []
        force = self._restitution * self.peg / self.contact - self.friction
        while held is not None:
            peg_x = self.peg_at(held.peg)
            bent = abs(x - peg_x)
            if bent >= self._sticks * self.contact or bent * force <= _STILL:
                break
            back = -held.direction
            coast = self._coast(peg_x, None, back, bent * force)
            legs.append(Leg.of(back, np.append(x, coast.xs), np.append(0.0, coast.w2)))
            x = float(coast.xs[-1])
            held = self.contact_after(peg_x, None, back, x)
        return legs, held
