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

from hal.errors import HalError
from hal.mock.settings import WheelSettings

Floats = NDArray[np.float64]
_STILL = 1e-9
NO_CONTACT = b"\0"
_CLOSES, _OPENS = ord("C"), b"c"


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
    contacts: bytes
    """What the clapper's contact does at each node: ``C``, closes on a peg; ``c``, opens; 0, nothing."""
    _starts: Floats
    """Where each stretch between two nodes begins, along the way."""
    _stretches: Floats
    """Each stretch's coefficients of squared speed by place (a + b * place) and of time by speed."""

    @staticmethod
    def of(direction: int, xs: Floats, w2: Floats, contacts: bytes) -> "Leg":
        v = np.sqrt(w2)
        along = (xs - xs[0]) * direction
        length = np.maximum(along[1:] - along[:-1], _STILL)
        ts = np.zeros(len(xs))
        (2 * length / np.maximum(v[1:] + v[:-1], _STILL)).cumsum(out=ts[1:])
        slope = (w2[1:] - w2[:-1]) / length
        slope[slope == 0] = _STILL
        pace = 2 / slope
        starts = along[:-1]
        stretches = np.array((w2[:-1] - slope * starts, slope, ts[:-1] - pace * v[:-1], pace))
        return Leg(direction, xs, w2, ts, contacts, starts, stretches)

    @property
    def duration_s(self) -> float:
        return float(self.ts[-1])

    def times_at(self, xs: Floats) -> Floats:
        """When the wheel passes these positions, given in order of travel; seconds from the leg's start."""
        along = (xs - self.xs[0]) * self.direction
        # How many of the positions lie on each stretch.
        first = np.zeros(len(self.xs), np.intp)
        first[1:-1] = along.searchsorted(self._starts[1:])
        first[-1] = len(xs)
        start, slope, time, pace = self._stretches.repeat(first[1:] - first[:-1], axis=1)
        along *= slope
        along += start
        speed = np.sqrt(np.maximum(along, 0.0, out=along), out=along)
        speed *= pace
        speed += time
        times: Floats = np.minimum(speed, self.ts[-1], out=speed)
        return times

    def position_at(self, t: float) -> float:
        """Where the wheel is, ``t`` seconds after the leg's start."""
        if t >= self.duration_s:
            return float(self.xs[-1])
        node = max(0, int(self.ts.searchsorted(t, side="right")) - 1)
        span_s = float(self.ts[node + 1] - self.ts[node])
        v0, v1 = math.sqrt(self.w2[node]), math.sqrt(self.w2[node + 1])
        since = t - float(self.ts[node])
        acceleration = (v1 - v0) / span_s if span_s > 0 else 0.0
        moved = v0 * since + acceleration * since * since / 2
        return float(self.xs[node]) + self.direction * moved


def _bends(contact: Contact | None, direction: int) -> bool:
    """Whether moving this way bends the clapper further."""
    return contact is not None and contact.direction == direction


Motion = tuple[list[Leg], Contact | None]
"""The legs until the wheel is at rest again, and the contact in which it then rests."""


class WheelPhysics:
    """What a throw or a push makes of a wheel at rest: the legs until it is at rest again.

    Raises:
        HalError: nobody said how many sections the wheel has.
    """

    def __init__(self, settings: WheelSettings, rng: np.random.Generator) -> None:
        if settings.sections is None:
            raise HalError("the simulated wheel has no sections; add `sections: <number>` to its options")
        self.sections = settings.sections
        section_rad = 2 * math.pi / self.sections
        to_w2 = 2 / settings.inertia_kg_m2 / section_rad**2
        self.friction = settings.friction_nm * section_rad * to_w2
        self.peg = settings.peg_j * to_w2
        self.contact = settings.contact_deg / 360 * self.sections
        self._drag = 2 * settings.drag_nm_s2 / settings.inertia_kg_m2 * section_rad
        self._restitution = settings.restitution
        self._sticks = settings.sticks_from
        error = settings.peg_error_deg / 360 * self.sections
        self._errors = rng.uniform(-error, error, self.sections)
        self._error_of = [float(e) for e in self._errors]

    # -- pegs ----------------------------------------------------------------------------------------------

    def peg_at(self, peg: int) -> float:
        """Where a peg truly stands."""
        return peg + self._error_of[peg % self.sections]

    def peg_ahead(self, x: float, direction: int) -> int:
        """The next peg to be met from ``x``; a peg exactly at ``x`` has been met."""
        peg = math.floor(x) + (direction > 0)
        while (self.peg_at(peg) - x) * direction <= 0:
            peg += direction
        while (self.peg_at(peg - direction) - x) * direction > 0:
            peg -= direction
        return peg

    def _free_from(self, x: float, contact: Contact | None, direction: int) -> float:
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
        if (self.peg_at(last) - self._free_from(x, contact, direction)) * direction <= 0:
            return None
        return Contact(last, direction) if (target - self.peg_at(last)) * direction < self.contact else None

    # -- motion --------------------------------------------------------------------------------------------

    def throw(self, x: float, contact: Contact | None, direction: int, w2: float) -> Motion:
        """Throw the wheel with a squared speed and let it run out: the legs, and the contact it rests in."""
        leg = Leg.of(direction, *self._coast(x, contact, direction, w2))
        end = float(leg.xs[-1])
        rocking, held = self._rock(end, self.contact_after(x, contact, direction, end))
        return [leg, *rocking], held

    def push(self, x: float, contact: Contact | None, target: float, seconds: float) -> Motion:
        """Turn the wheel by hand to ``target``, smoothly, then let go."""
        if target == x:
            return [], contact
        direction = 1 if target > x else -1
        peak = (2 * abs(target - x) / seconds) ** 2
        nodes, contacts = self._nodes(x, contact, direction, target)
        half = int((nodes * direction).searchsorted((x + target) / 2 * direction))
        nodes = np.insert(nodes, half, (x + target) / 2)
        w2 = peak * (1 - np.minimum(np.abs(2 * (nodes - x) / (target - x) - 1), 1))
        leg = Leg.of(direction, nodes, w2, contacts[:half] + NO_CONTACT + contacts[half:])
        rocking, held = self._rock(target, self.contact_after(x, contact, direction, target))
        return [leg, *rocking], held

    def speed_to_reach(self, x: float, contact: Contact | None, target: float) -> float:
        """The squared speed at ``x`` with which the wheel stands still at ``target`` for the first time."""
        direction = 1 if target > x else -1
        nodes, contacts = self._nodes(x, contact, direction, target)
        return float(self._losses(np.abs(nodes - x), contacts, _bends(contact, direction))[-1])

    def speed_for(self, sections: float) -> float:
        """The squared speed that carries the wheel over about so many sections."""
        loss = (self.friction + self.peg) * sections
        return loss * (1 + self._drag * sections / 2)

    def _coast(self, x: float, contact: Contact | None, direction: int, w2: float) -> tuple[Floats, Floats, bytes]:
        """Run from ``x`` until the speed is used up: nodes, squared speeds, contacts."""
        reach = w2 / (self.friction + self.peg) + 2
        nodes, contacts = self._nodes(x, contact, direction, x + direction * reach)
        along = np.abs(nodes - x)
        losses = self._losses(along, contacts, _bends(contact, direction))
        stop = int(losses.searchsorted(w2, side="right"))
        left = w2 - losses[: stop + 1]
        part = float(left[-2] / (losses[stop] - losses[stop - 1]))
        along[stop] = along[stop - 1] + (along[stop] - along[stop - 1]) * part
        left[-1] = 0.0
        along = along[: stop + 1]
        return x + direction * along, left * np.exp(-self._drag * along), contacts[:stop] + NO_CONTACT

    def _nodes(self, x: float, contact: Contact | None, direction: int, to: float) -> tuple[Floats, bytes]:
        """``x``, the places on the way where the clapper is touched and let go, and ``to``; and which is which."""
        first = self.peg_ahead(self._free_from(x, contact, direction), direction)
        pegs = np.arange(first, math.floor(to) + 3 * direction, direction)
        touches = pegs + self._errors[pegs % self.sections]
        nodes = np.empty(2 * len(pegs) + 3)
        nodes[2:-1:2] = touches
        nodes[3::2] = touches + direction * self.contact
        first_node = 1
        if contact is not None:
            nodes[1] = self.release_at(contact, direction)
            first_node = 0
        nodes[first_node] = x
        passed = int(np.count_nonzero((to - nodes[first_node + 1 : -1]) * direction > 0))
        nodes = nodes[first_node : first_node + passed + 2]
        nodes[-1] = to
        contacts = (b"c" + b"Cc" * len(pegs))[first_node : first_node + passed]
        return nodes, NO_CONTACT + contacts + NO_CONTACT

    def _losses(self, along: Floats, contacts: bytes, bent: bool) -> Floats:
        """The squared speed at the start that is used up at each node."""
        bends = np.frombuffer(contacts, np.uint8)[:-1] == _CLOSES
        bends[0] = bent
        # Air drag makes the loss of a stretch cost more at the start, by the factor that it takes on the way.
        price = np.exp(self._drag / 2 * (along[1:] + along[:-1]))
        rate = bends * (self.peg / self.contact) + self.friction
        losses = np.zeros(len(along))
        ((along[1:] - along[:-1]) * rate * price).cumsum(out=losses[1:])
        return losses

    def _rock(self, x: float, held: Contact | None) -> Motion:
        """What the bent leather does to a wheel that has stopped: push it back, or hold it."""
        legs: list[Leg] = []
        force = self._restitution * self.peg / self.contact - self.friction
        while held is not None:
            peg_x = self.peg_at(held.peg)
            bent = abs(x - peg_x)
            if bent >= self._sticks * self.contact or bent * force <= _STILL:
                break
            legs.append(self._rock_back(x, peg_x, -held.direction, bent * force))
            x = float(legs[-1].xs[-1])
            held = self.contact_after(peg_x, None, -held.direction, x)
        return legs, held

    def _rock_back(self, x: float, peg_x: float, direction: int, w2: float) -> Leg:
        """From rest at ``x`` back to the bent leather's peg, and on with the speed that the leather gave."""
        reach = w2 / self.friction
        if reach < 1 - self.contact:  # No other peg is met, and the air does not matter.
            xs, speeds = np.array((x, peg_x, peg_x + direction * reach)), np.array((0.0, w2, 0.0))
            return Leg.of(direction, xs, speeds, NO_CONTACT + _OPENS + NO_CONTACT)
        nodes, speeds, contacts = self._coast(peg_x, None, direction, w2)
        xs, speeds = np.concatenate(((x,), nodes)), np.concatenate(((0.0,), speeds))
        return Leg.of(direction, xs, speeds, NO_CONTACT + _OPENS + contacts[1:])
