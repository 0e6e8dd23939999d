"""The simulated wheel with a clapper: its sensor head, and what hands do to it. Backend ``mock``.

Each act of a hand begins at the moment at which it is called, whatever the wheel does then. Positions are in
sections along the rim, counterclockwise; changes of speed are in degrees a second, positive counterclockwise.
"""

import math
from collections.abc import Iterator

import numpy as np

from hal.errors import HalError
from hal.interfaces import Clock, Timer
from hal.mock.clock import NS_PER_S
from hal.mock.head import SimulatedHead
from hal.mock.motion import Bytes, Floats, Run, Sensed
from hal.mock.physics import RELEASES, STRIKES, Lean, Moving, Physics
from hal.mock.settings import WheelSettings

_LEAST_PULSE_NS = 20_000
_HELD_PART = 0.4
"""A wheel that is held on a peg bends the leather so far: from where the contact opens to where it slips off."""
_BOUNCE = STRIKES ^ RELEASES


class ClapperContact:
    """A switch behind a leather, closed at first, which acts late and chatters; while it is open its line is high.

    Attributes:
        bent: whether the leather is bent so far, however late its line says so.
    """

    def __init__(self, settings: WheelSettings, rng: np.random.Generator) -> None:
        self.bent = False
        self._rng = rng
        self._delays_ns = {STRIKES: settings.strike_delay_ms * 1e6, RELEASES: settings.release_delay_ms * 1e6}
        self._part, self._longest_ns = settings.chatter_part, settings.chatter_us * 1000
        self._free_ns = 0.0

    def edges(self, acts: Bytes, at_ns: Floats) -> Sensed:
        """What the line does when the leather passes the switch's bends at these moments."""
        changes = acts != np.append(np.uint8(STRIKES if self.bent else RELEASES), acts[:-1])
        acts, at_ns = acts[changes], at_ns[changes]
        if not len(acts):
            return acts, at_ns
        self.bent = bool(acts[-1] == STRIKES)
        late_ns = at_ns + np.where(acts == STRIKES, self._delays_ns[STRIKES], self._delays_ns[RELEASES])
        # A touch that ends before the contact has answered is a short pulse at least; edges keep their order.
        least = _LEAST_PULSE_NS * np.arange(len(acts))
        late_ns = np.maximum.accumulate(np.maximum(late_ns - least, self._free_ns)) + least
        # Some edges bounce once before they settle, if they have the time before the next one.
        bounces_ns = self._rng.uniform(0, self._longest_ns, (len(acts), 3)).cumsum(axis=1)
        bounces_ns += (late_ns - bounces_ns[:, 0])[:, None]
        there = np.ones(bounces_ns.shape, bool)
        there[:, 1:] = (self._rng.random(len(acts)) < self._part)[:, None]
        there[:-1, 1:] &= bounces_ns[:-1, 2:] + _LEAST_PULSE_NS < late_ns[1:, None]
        times = bounces_ns[there]
        self._free_ns = float(times[-1]) + _LEAST_PULSE_NS
        return (acts[:, None] ^ np.array((0, _BOUNCE, 0), np.uint8))[there], times


class MockHead(SimulatedHead):
    def __init__(self, settings: WheelSettings, clock: Clock, slice_ns: int | None) -> None:
        self.settings = settings
        self.physics = Physics(settings, np.random.default_rng(settings.seed))
        self.sections = self.physics.sections
        self._lean: Lean | None = None
        self._letting_go: Timer | None = None
        super().__init__(settings, 0.5, settings.counts_per_turn / self.sections, {"C": False}, clock, slice_ns)
        self._contact = ClapperContact(settings, self.rng)

    # -- the truth -----------------------------------------------------------------------------------------

    @property
    def at_rest_ns(self) -> int:
        return self._legs[-1][1] if self._legs else self._polled_ns

    @property
    def motion(self) -> Moving:
        self.poll()
        return Moving(self._x, self._lean, self.velocity)

    def true_position(self) -> tuple[int, bool]:
        """The section of the order that is truly at the clapper, and whether a peg holds its contact open."""
        self.poll()
        return self.physics.section(self._x, self._lean), self._contact.bent

    # -- throwing ------------------------------------------------------------------------------------------

    def throw(self, revolutions: float, direction: int = 1, seconds: float = 0.0) -> None:
        """Throw the wheel hard enough for about so many revolutions; it stops where its pegs let it.

        Args:
            seconds: how long the hand pushes it, evenly.
        """
        self.halt()
        w2 = self.physics.speed_for(abs(revolutions) * self.sections + float(self.rng.random()))
        self.physics.vary(self.rng)
        self._hand((math.copysign(math.sqrt(w2), revolutions * direction), seconds))

    def throw_to(self, target: float) -> None:
        """Throw the wheel so that it runs out at a position of the rim."""
        self.halt()
        self.physics.vary(self.rng)
        w2 = self.physics.speed_to_reach(self._x, self._lean, target)
        self._hand((math.copysign(math.sqrt(w2), target - self._x), 0.0))

    def throw_into(self, section: int, revolutions: float, direction: int, part: float = 0.75) -> None:
        """Throw the wheel so that it stops in a section, after at least so many revolutions.

        Args:
            part: how far into the section, from the peg that is passed last (0) to the next one (1).
        """
        self._throw_past(section if direction > 0 else section + 1, revolutions, direction, part)

    def throw_onto(self, boundary: int, revolutions: float, direction: int) -> None:
        """Throw the wheel so that it runs onto the peg before this section; a hand holds it, the clapper bent.

        Raises:
            HalError: that peg is missing.
        """
        physics = self.physics
        if boundary % self.sections not in physics.numbers:
            raise HalError(f"peg {boundary} of the simulated wheel is missing; nothing can rest on it")
        side = physics.sides[direction]
        bend = physics.threshold + _HELD_PART * (side.slip - physics.threshold)
        self._throw_past(boundary, revolutions, direction, direction * side.offset + bend)
        self._catch(1)

    def _throw_past(self, peg: int, revolutions: float, direction: int, part: float) -> None:
        """Throw the wheel so that it runs out beyond a peg, by a part of a section, after so many revolutions."""
        least = revolutions * self.sections
        ahead = (self.physics.peg_at(peg) + direction * part - self.x) * direction
        self.throw_to(self.x + direction * (least + (ahead - least) % self.sections))

    # -- other hands ---------------------------------------------------------------------------------------

    def turn(self, sections: float, seconds: float) -> None:
        """Turn the wheel by hand so far, smoothly, then let go (negative: clockwise)."""
        self.halt()
        self._hand((2 * sections / seconds, seconds / 2), (0.0, seconds / 2))

    def push(self, change_deg_s: float, seconds: float = 0.05) -> None:
        """Push the wheel, turning or not, so that its speed has changed by so much when it is let go."""
        self._hand((self.velocity + change_deg_s * self.sections / 360, seconds))

    def brake(self, torque_nm: float, seconds: float) -> None:
        """Rub on the rim, as so much more friction, for so long."""
        self._hand(brake_nm=torque_nm)
        self._letting_go = self.clock.call_at(self.clock.now_ns() + round(seconds * NS_PER_S), self.let_go)

    def hold(self, seconds: float = 0.15) -> None:
        """Stop the wheel within so long, and hold it until :meth:`let_go`."""
        turns = self.velocity != 0
        self._hand((0.0, seconds))
        self._catch(int(turns))

    def let_go(self) -> None:
        """Take the hand away. What the leather then does to a wheel that stands is the leather's."""
        self._hand()

    def halt(self) -> None:
        """Whatever a hand did before, it does no more, and the wheel stands still at once."""
        if self._letting_go is not None:
            self._letting_go.cancel()
        self.physics.brake = 0.0
        self.lead([])

    def _hand(self, *steps: tuple[float, float], brake_nm: float = 0.0) -> None:
        """What a hand does from now on, and what becomes of the wheel: see :meth:`Physics.pushed`."""
        now = self.motion
        self.halt()
        self.physics.brake = brake_nm * self.physics.w2_per_nm
        self.lead(self.physics.pushed(now, *steps))

    def _catch(self, motions: int) -> None:
        """After so many motions a hand holds the wheel."""
        self.lead([run for _, _, run in self._legs][:motions])

    # -- hardware ------------------------------------------------------------------------------------------

    def _acted(self, run: Run, start_ns: int, x: float) -> Iterator[Sensed]:
        begin, end = (run.along.searchsorted((at - run.begin) * run.direction, "right") for at in (self._x, x))
        acts, ts = run.acts[begin:end], run.ts[begin:end]
        letters, at_ns = self._contact.edges(acts[acts > 0], ts[acts > 0] * NS_PER_S + start_ns)
        self._lean = self.physics.leans(self._x, self._lean, run.direction, x)
        if len(letters):
            yield letters, at_ns
