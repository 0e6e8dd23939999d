"""The ball in its track: passes of the beams become revolutions, a direction, and the moment when it leaves.

Revolutions are counted along a *chain* of passes, each of which must come when a ball that slows down comes, and
darken the beam for as long as such a ball does. With two beams the ball passes them in turn, and the two parts of
the track are of different length: so the chain has a direction. A pass that does not fit puts the beams in doubt
and begins a new chain; four revolutions without a misfit end the doubt. Nothing is ever guessed across a gap.

A slow ball may come down within a beam, or leap back across one from a deflector. The pulse that this makes takes
no revolution back: it is the end of the run, unless the ball is seen to run on.
"""

from collections.abc import Callable
from dataclasses import dataclass

from controller.events.event import Fault, Health
from controller.tracking.roulette.rotor import RotorGeometry
from controller.tracking.roulette.track import FASTEST_NS, LATEST, MDEG_PER_TURN, SLOWEST_NS, Pass, Track, slows

_PROOF = 4
"""Revolutions that a chain must show to be beyond doubt: those of a valid spin (§ 617a.5(a)), so that none is
counted across a doubt."""
STUCK_NS = 250_000_000
"""No ball darkens a beam for so long."""
IDLE_STUCK_NS = 5_000_000_000
"""Nor does a hand, while no ball runs."""
_GLITCH_NS = 400_000
"""The fastest ball darkens a beam for longer, even at its edge."""
_LEAPS = 2
"""Pulses that a ball makes as it comes down, at most: it leaps back across a beam once or twice."""
_HAND_MDEG = 10_000
"""So far before a beam a ball may lie that does not darken it as it is thrown."""


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


class BallTracker:
    """The beams across the ball's track.

    Attributes:
        running: a ball runs, beyond doubt or (one beam being silent) with doubt.
        direction: of the chain: +1 counterclockwise, -1 clockwise, 0 if it is not known.
        doubt: why the beams cannot be believed.
        thrown_ns: the ball was not thrown before: it would have passed a beam more than it did.
    """

    def __init__(self, geometry: RotorGeometry, dark: tuple[bool, ...]) -> None:
        self._track = Track(geometry)
        self._dark_since: list[int | None] = [0 if level else None for level in dark]
        self._stuck = [False] * len(dark)
        self._recent: list[Pass] = []
        """The last passes, at most three, since the chain was broken."""
        self._parts = 0
        """Parts of the track that the chain has gone: from beam to beam."""
        self._last: Pass | None = None
        self._turn_ns = 0
        """What the ball takes for a turn, at the last pass; 0 if that is not known."""
        self._strays: list[Pass] = []
        """Pulses since the last pass that are the end of the run, unless the ball runs on."""
        self.thrown_ns = 0
        self.running = False
        self.direction = 0
        self.doubt: Fault | None = None

    @property
    def revolutions(self) -> int:
        """Complete ones along the present chain."""
        return self._parts // self._track.beams

    @property
    def due_ns(self) -> int | None:
        """When to call :meth:`tick` unless an edge comes before."""
        limit_ns = STUCK_NS if self.running else IDLE_STUCK_NS
        dark = zip(self._dark_since, self._stuck, strict=True)
        dues = [since + limit_ns for since, stuck in dark if since is not None and not stuck]
        if not dues and self.running:
            return self._leaves_ns()
        return min(dues, default=None)

    # -- what happens ---------------------------------------------------------------------------------------

    def edge(self, beam: int, dark: bool, at_ns: int) -> Left | None:
        """A beam went dark or free; :meth:`tick` was called for what was due before."""
        since = self._dark_since[beam]
        if dark == (since is not None):
            self._break(_fault(beam, Health.LOSSY, "an edge was never seen"))
        self._dark_since[beam] = at_ns if dark else None
        if dark or since is None:
            return None
        if self._stuck[beam]:
            self._stuck[beam] = False
            self._forgive()
            return None
        new = Pass(beam, since, at_ns - since)
        if new.dark_ns < _GLITCH_NS:
            self._glitch(new)
            return None
        return self._passed(new)

    def lost(self) -> None:
        """Edges were lost in the kernel."""
        self._break(Fault("ball beams", Health.LOSSY, "edges lost in the kernel's buffer"))

    def tick(self, now_ns: int) -> Left | None:
        """Time has passed: has the ball left, does anything stand in a beam?"""
        while (due_ns := self.due_ns) is not None and due_ns <= now_ns:
            stuck = [
                beam for beam, since in enumerate(self._dark_since) if since is not None and not self._stuck[beam]
            ]
            if not stuck:
                return self._leave(due_ns)
            beam = min(stuck, key=lambda beam: self._dark_since[beam] or 0)
            self._stuck[beam] = True
            fault = _fault(beam, Health.STUCK, "something stands in the beam, or its wire is broken")
            self._break(fault)
            self.doubt = fault
        return None

    # -- passes ----------------------------------------------------------------------------------------------

    def _passed(self, new: Pass) -> Left | None:
        last = self._last
        if last is not None and self._parts:
            if self._fits(last, new):
                if self._strays:
                    self._noise(self._strays[0].beam)  # The ball runs on: they were not its.
            elif self._leaps_back(last, new) and self._stray(new):
                return None
        self._last = new
        self._recent = [*self._recent[-2:], new]
        if last is None or not self._parts:
            if len(self._recent) == 3 and not self._begins_chain() and not self._begins_cut(*self._recent):
                self._begins_in_doubt()
            return None
        return self._goes_on(last, new)

    def _goes_on(self, last: Pass, new: Pass) -> Left | None:
        """A pass, or what is none, after the last one of the chain."""
        if self._fits(last, new):
            self._parts += 1
            self._turn_ns = self._track.turn_of(last, new, self.direction)
            self._forgive()
        elif not self._track.in_turn(last, new) and self._track.is_ball(new, self._turn_ns):
            self._break(_silent(1 - new.beam))
        elif self._track.slow(self._turn_ns):
            return self._leave(new.free_ns)  # It comes down just here, or leaps back across the beam.
        else:
            self._break(_fault(new.beam, Health.NOISY, "a pass that is not the ball's"))
        return None

    def _fits(self, last: Pass, new: Pass) -> bool:
        """Whether a pass is the chain's next one."""
        turn_ns = self._track.turn_of(last, new, self.direction)
        in_turn = self._track.in_turn(last, new)
        return in_turn and slows(self._turn_ns, turn_ns) and self._track.is_ball(new, turn_ns)

    def _leaps_back(self, last: Pass, new: Pass) -> bool:
        """Whether the same beam is dark again before the ball can have come around."""
        return last.beam == new.beam and not self._track.is_round(last, new, self._turn_ns)

    def _stray(self, new: Pass) -> bool:
        """Whether a pulse may be the end of the run: the ball may come down, and not too many pulses have come."""
        if not self._parts or not self._track.slow(self._turn_ns) or len(self._strays) == _LEAPS:
            return False
        self._strays.append(new)
        return True

    def _glitch(self, new: Pass) -> None:
        """A pulse that neither ball nor hand can make, but a ball that comes down."""
        if self._stray(new):
            return
        if not self._parts and len(self._recent) >= 2 and self._begins_cut(self._recent[-2], self._recent[-1], new):
            return
        self._noise(new.beam)

    def _noise(self, beam: int) -> None:
        self._parts = self.direction = 0
        self._strays = []
        if not any(self._stuck):
            self.doubt = _fault(beam, Health.NOISY, "pulses that no ball can make")

    def _begins_chain(self) -> bool:
        """Three passes in turn make a chain, with the one direction in which a ball could have made them."""
        first, middle, last = self._recent
        fitting = self._ways(first, middle, last, self._track.is_ball)
        if len(fitting) != 1:
            return False
        ((self.direction, before_ns, self._turn_ns),) = fitting
        self._parts = 2
        self._begin(self._recent[0], before_ns)
        return True

    def _begins_cut(self, first: Pass, middle: Pass, cut: Pass) -> bool:
        """Two passes of a slow ball, and the pulse of its coming down where the third would be."""
        ways = self._ways(first, middle, cut, self._track.is_cut)
        fitting = [(direction, turn_ns) for direction, turn_ns, _ in ways if self._track.slow(turn_ns)]
        if len(fitting) != 1:
            return False
        ((self.direction, self._turn_ns),) = fitting
        self._parts, self._last, self._recent, self._strays = 1, middle, [first, middle], [cut]
        self._begin(first, self._turn_ns)
        return True

    def _ways(
        self, first: Pass, middle: Pass, last: Pass, ends: Callable[[Pass, int], bool]
    ) -> list[tuple[int, int, int]]:
        """The directions in which a ball could have made these passes, and what its two turns took."""
        if not (self._track.in_turn(first, middle) and self._track.in_turn(middle, last)):
            return []
        ways = []
        for direction in (1, -1) if self._track.two else (0,):
            before_ns = self._track.turn_of(first, middle, direction)
            turn_ns = self._track.turn_of(middle, last, direction)
            balls = all(self._track.is_ball(some, turn_ns) for some in (first, middle)) and ends(last, turn_ns)
            if balls and slows(before_ns, turn_ns) and before_ns >= FASTEST_NS and turn_ns <= SLOWEST_NS:
                ways.append((direction, before_ns, turn_ns))
        return ways

    def _begins_in_doubt(self) -> None:
        """Three passes of one beam, as a ball makes them: it runs, and the other beam is silent."""
        first, middle, last = self._recent
        before_ns, turn_ns = middle.at_ns - first.at_ns, last.at_ns - middle.at_ns
        alike = self._track.two and first.beam == middle.beam == last.beam
        if alike and slows(before_ns, turn_ns) and before_ns >= FASTEST_NS and self._track.is_ball(last, turn_ns):
            self._turn_ns = turn_ns
            self._begin(first, before_ns)
            if not any(self._stuck):
                self.doubt = _silent(1 - last.beam)

    def _begin(self, first: Pass, turn_ns: int) -> None:
        """A ball runs that took so long for a turn after its first pass, and before it not as long."""
        if not self.running:
            self.running = True
            part = self._track.part_mdeg(1 - first.beam, self.direction) if self.direction else MDEG_PER_TURN
            self.thrown_ns = first.at_ns - turn_ns * (part + _HAND_MDEG) // MDEG_PER_TURN
            if not any(self._stuck):
                self.doubt = None  # That of an earlier run: this one shows anew what can be believed.

    # -- doubt, and the end ----------------------------------------------------------------------------------

    def _break(self, fault: Fault) -> None:
        """The chain is broken. That raises a doubt only while a ball runs: else it was a hand or a cloth."""
        self._recent = self._recent[-1:] if self._parts else []
        self._parts = self.direction = 0
        self._strays = []
        if self.running and not any(self._stuck):
            self.doubt = fault

    def _forgive(self) -> None:
        """No doubt is left after so many revolutions without a misfit, or once an idle beam is free again."""
        if not any(self._stuck) and (not self.running or self.proved):
            self.doubt = None

    @property
    def proved(self) -> bool:
        """The present chain is beyond doubt."""
        return self.revolutions >= _PROOF

    def _leave(self, at_ns: int) -> Left:
        assert self._last is not None
        left = Left(
            at_ns,
            (self._strays[0] if self._strays else self._last).at_ns,
            self.revolutions,
            self.direction,
            self.doubt,
            early=not self._track.slow(self._turn_ns),
            thrown_ns=self.thrown_ns,
        )
        self.running = False
        self._recent, self._strays, self._parts, self.direction, self._turn_ns = [], [], 0, 0, 0
        return left

    def _leaves_ns(self) -> int:
        """When the ball must have passed again unless it has left the track."""
        assert self._last is not None
        late, of_late = LATEST
        part = self._track.part_mdeg(self._last.beam, self.direction) if self._parts else MDEG_PER_TURN
        due_ns = self._last.at_ns + self._turn_ns * part * late // (of_late * MDEG_PER_TURN)
        return max([due_ns, *(stray.free_ns for stray in self._strays)]) + 1


def _fault(beam: int, health: Health, detail: str) -> Fault:
    return Fault(f"ball_{beam + 1}", health, detail)


def _silent(beam: int) -> Fault:
    return _fault(beam, Health.SILENT, "the ball passed the other beam twice without passing this one")
