"""The ball in its track: passes of the beams become revolutions, a direction, and the moment when it leaves.

Revolutions are counted along a *chain* of passes, each of which must come when a ball that slows down comes, and
darken the beam for as long as such a ball does. With two beams the ball passes them in turn, and the two parts of
the track are of different length: so the chain has a direction. A pass that does not fit puts the beams in doubt
and begins a new chain; four revolutions without a misfit end the doubt. Nothing is ever guessed across a gap.

Once the ball is so slow that it may have left the track, what does not fit is the end of its run, its *descent*,
unless the ball is seen to run on. For a while after that its leaps begin no new run.
"""

from controller.events.event import BallLeftTrack, Direction, Fault, Health
from controller.tracking.roulette.rotor import RotorGeometry
from controller.tracking.roulette.track import (
    LATEST,
    MDEG_PER_TURN,
    RUNS_ON,
    Descent,
    Pass,
    Track,
    beam_fault,
    noise,
    silent,
)
from controller.tracking.tracker import sensor_fault

_PROOF = 4
"""Revolutions that a chain must show to be beyond doubt: those of a valid spin (§ 617a.5(a)), so that none is
counted across a doubt."""
STUCK_NS = 250_000_000
"""No ball darkens a beam for so long."""
IDLE_STUCK_NS = 5_000_000_000
"""Nor does a hand, while no ball runs."""
_GLITCH_NS = 400_000
"""The fastest ball darkens a beam for longer, even at its edge."""
_SETTLES_NS = 5_000_000_000
"""For so long after a ball has left the track its leaps may look like the passes of another one."""
_PROOF_THEN = 2
"""Revolutions that prove a throw during that time. At other times one part of the track after the first revolution
does. Three passes do not: a finger and two passes of a ball may look like a ball in the other direction."""
WAYS = {1: Direction.COUNTERCLOCKWISE, -1: Direction.CLOCKWISE, 0: None}
_HAND_MDEG = 10_000
"""So far before a beam a ball may lie that does not darken it as it is thrown."""


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
        self._line: list[Pass] = []
        """The last passes: of the chain, of three turns at most, or before there is one, at most three."""
        self._parts = 0
        """Parts of the track that the chain has gone: from beam to beam."""
        self._sure = 0
        """Up to there the ball was on its track, beyond doubt."""
        self._last: Pass | None = None
        self.turn_ns = 0
        """What the ball takes for a turn, at the last pass; 0 if that is not known."""
        self._descent = Descent(self._track)
        self._settled_ns = 0
        """Until then a ball that has left the track may leap across the beams."""
        self.thrown_ns = 0
        self.running = False
        self.direction = 0
        self.doubt: Fault | None = None

    @property
    def revolutions(self) -> int:
        """Complete ones along the chain; not the fourth, if a leap of a ball that was down may have made it."""
        complete = self._parts // self._track.beams
        return _PROOF - 1 if complete >= _PROOF > self._sure // self._track.beams else complete

    @property
    def due_ns(self) -> int | None:
        """When to call :meth:`tick` unless an edge comes before."""
        dues = [due_ns for due_ns, _ in self._stuck_dues()]
        if not dues and self._seems_to_run:
            return self._leaves_ns()
        return min(dues, default=None)

    @property
    def _seems_to_run(self) -> bool:
        """A ball runs, or a chain has begun that cannot be the leaps of a ball that just left the track."""
        return self.running or (self._parts > 0 and self._line[0].at_ns >= self._settled_ns)

    def _stuck_dues(self) -> list[tuple[int, int]]:
        """When a beam that is dark is stuck, and which. One in which the ball may lie is not, until it is down."""
        limit_ns = STUCK_NS if self.running else IDLE_STUCK_NS
        dark = zip(self._dark_since, self._stuck, strict=True)
        return [
            (since + limit_ns, beam)
            for beam, (since, stuck) in enumerate(dark)
            if since is not None and not stuck and not self._may_be_down(since)
        ]

    # -- what happens ---------------------------------------------------------------------------------------

    def edge(self, beam: int, dark: bool, at_ns: int) -> None:
        """A beam went dark or free; :meth:`tick` was called for what was due before."""
        since = self._dark_since[beam]
        if dark == (since is not None):
            self._break(beam_fault(beam, Health.LOSSY, "unseen-edge"))
        self._dark_since[beam] = at_ns if dark else None
        if dark or since is None:
            return
        new = Pass(beam, since, at_ns - since)
        if self._stuck[beam]:
            self._stuck[beam] = False
            self._forgive()
        elif new.dark_ns < _GLITCH_NS:
            self._glitch(new)
        else:
            self._passed(new)

    def lost(self) -> None:
        """Edges were lost in the kernel."""
        self._break(sensor_fault("beam-edges-lost", "ball beams", Health.LOSSY))

    def tick(self, now_ns: int) -> BallLeftTrack | None:
        """Time has passed: has the ball left, does anything stand in a beam?"""
        while (due_ns := self.due_ns) is not None and due_ns <= now_ns:
            stuck = self._stuck_dues()
            if not stuck:
                if self.running:
                    return self._leave(due_ns)
                self._begin_chain()  # The ball came down at once. The next call reports that it left.
                return None
            _, beam = min(stuck)
            self._stuck[beam] = True
            fault = beam_fault(beam, Health.STUCK, "beam-dark")
            self._break(fault)
            self.doubt = fault
        return None

    # -- passes ----------------------------------------------------------------------------------------------

    def _passed(self, new: Pass) -> None:
        last = self._last
        if last is not None and self._parts:
            self._goes_on(last, new)
            return
        self._last = new
        self._line = [*self._line[-2:], new]
        if len(self._line) == 3 and not self._begins_chain() and not self._begins_cut(*self._line):
            self._begins_in_doubt()

    def _goes_on(self, last: Pass, new: Pass) -> None:
        """A pass, or what is none, after the last one of the chain."""
        turn_ns = self._track.next_turn(last, new, self.turn_ns, self.direction)
        if turn_ns and not self._descent.pulses and not self._track.gains(self._line, new):
            on_track = not self._may_be_down(new.at_ns) or self._track.as_before(self._line, new)
            self._last, self.turn_ns = new, turn_ns
            self._parts += 1
            if on_track or self._parts >= self._sure + RUNS_ON:
                self._sure = self._parts
            self._line = [*self._line[-3 * self._track.beams :], new]
            self._begin_if_seen()
            self._forgive()
        elif self._first_was_a_hand(new):
            passes = [*self._line[1:], new]
            self._parts, self._line = 0, []
            for one in passes:
                self._passed(one)
        elif self._descent.pulses or self._may_be_down(new.at_ns):
            self._descend(new)
        else:
            misses = not self._track.in_turn(last, new) and self._track.is_ball(new, self.turn_ns)
            noisy = beam_fault(new.beam, Health.NOISY, "no-balls-pass")
            self._break(silent(1 - new.beam) if misses else noisy, new)

    def _first_was_a_hand(self, new: Pass) -> bool:
        """Whether a hand made the first pass: without it, the chain and this pass fit one ball."""
        rest = self._line[1:]
        whole = self._parts < len(self._line) and not self._descent.pulses
        return whole and self._track.runs([*rest, new]) and not self._track.gains(rest, new)

    def _may_be_down(self, at_ns: int) -> bool:
        """Whether a ball that ran along a chain may have left the track by then."""
        if not self._seems_to_run or not self._parts:
            return False
        if self._sure < self._parts:
            return True  # Its last pass may have been a leap.
        return self._track.slow(self._track.turn_at(self._line, self.turn_ns, max(at_ns, self._line[-1].at_ns)))

    def _descend(self, new: Pass) -> None:
        fault = self._descent.take(new, self._line, self.turn_ns, self.direction)
        if fault is not None:
            on, turn_ns = self._descent.on, self._descent.turn_ns
            self._break(fault, new)
            if on:
                self._last, self.turn_ns = on[-1], turn_ns

    def _glitch(self, new: Pass) -> None:
        """A pulse that neither ball nor hand can make, but a ball that comes down."""
        comes_down = self._descent.pulses or self._may_be_down(new.at_ns)
        if self._last is not None and self._parts and comes_down:
            self._descend(new)
            return
        if not self._parts and len(self._line) >= 2 and self._begins_cut(self._line[-2], self._line[-1], new):
            return
        self._parts = self.direction = 0
        if not any(self._stuck):
            self.doubt = noise(new.beam)

    def _begins_chain(self) -> bool:
        """Three passes in turn make a chain, with the one direction in which a ball could have made them."""
        first, middle, last = self._line
        fitting = self._track.ways(first, middle, last)
        if len(fitting) != 1:
            return False
        ((self.direction, _, self.turn_ns),) = fitting
        self._parts = 2
        self._sure = 0 if self._track.slow(self.turn_ns) else 2
        self._begin_if_seen()
        return True

    def _begin_if_seen(self) -> None:
        """A chain is a ball's once hands and leaps are excluded."""
        beams = self._track.beams
        if not self.running and self._parts >= (beams + 1 if self._seems_to_run else _PROOF_THEN * beams):
            self._begin_chain()

    def _begin_chain(self) -> None:
        first, second = self._line[:2]
        self._begin(first, self._track.turn_of(first, second, self.direction))

    def _begins_cut(self, first: Pass, middle: Pass, cut: Pass) -> bool:
        """Two passes of a slow ball, and the pulse of its coming down where the third would be."""
        ways = self._track.ways(first, middle, cut, ends_cut=True)
        fitting = [(direction, turn_ns) for direction, _, turn_ns in ways if self._track.slow(turn_ns)]
        if len(fitting) != 1 or first.at_ns < self._settled_ns:
            return False
        ((self.direction, self.turn_ns),) = fitting
        self._parts, self._sure, self._last, self._line = 1, 0, middle, [first, middle]
        self._begin(first, self.turn_ns)
        self._descend(cut)
        return True

    def _begins_in_doubt(self) -> None:
        """Three passes of one beam, as a ball makes them: it runs, and the other beam is silent."""
        first, middle, last = self._line
        if first.at_ns >= self._settled_ns and self._track.alone(first, middle, last):
            self.turn_ns = last.at_ns - middle.at_ns
            self._begin(first, middle.at_ns - first.at_ns)
            if not any(self._stuck):
                self.doubt = silent(1 - last.beam)

    def _begin(self, first: Pass, turn_ns: int) -> None:
        """A ball runs that took so long for a turn after its first pass, and before it not as long."""
        if not self.running:
            self.running = True
            part = self._track.part_mdeg(1 - first.beam, self.direction) if self.direction else MDEG_PER_TURN
            self.thrown_ns = first.at_ns - turn_ns * (part + _HAND_MDEG) // MDEG_PER_TURN
            if not any(self._stuck):
                self.doubt = None  # That of an earlier run: this one shows anew what can be believed.

    # -- doubt, and the end ----------------------------------------------------------------------------------

    def _break(self, fault: Fault, at: Pass | None = None) -> None:
        """The chain is broken. That raises a doubt only while a ball runs: else it was a hand or a cloth."""
        if at is not None:
            self._last, self._line = at, [at]
        else:
            self._line = self._line[-1:] if self._parts else []
        self._parts = self.direction = 0
        self._descent.clear()
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

    def _leave(self, at_ns: int) -> BallLeftTrack:
        assert self._last is not None
        pulses = self._descent.pulses
        left_ns = (pulses[0] if pulses else self._last).at_ns
        early = self._sure >= self._parts and not self._track.slow(self._missed_at())
        left = BallLeftTrack(at_ns, left_ns, self.revolutions, WAYS[self.direction], None, self.doubt, early)
        self._settled_ns = 0 if left.early or left.fault is not None else at_ns + _SETTLES_NS
        self.running = False
        self._line, self._parts, self.direction, self.turn_ns = [], 0, 0, 0
        self._descent.clear()
        return left

    def _missed_at(self) -> int:
        """What a turn would have taken at the next beam, which the ball did not reach."""
        assert self._last is not None
        line = self._line if self._parts else [self._last]
        missed_ns = max([self._next_ns(1.0), *(pulse.at_ns for pulse in self._descent.pulses[:1])])
        return self._track.turn_at(line, self.turn_ns, missed_ns)

    def _next_ns(self, late: float, whole: bool = False) -> int:
        """When the ball passes again if it takes so many times longer than at the speed of its last pass."""
        assert self._last is not None
        whole = whole or not self._parts
        part = MDEG_PER_TURN if whole else self._track.part_mdeg(self._last.beam, self.direction)
        return self._last.at_ns + int(self.turn_ns * part * late / MDEG_PER_TURN)

    def _leaves_ns(self) -> int:
        """When the ball must have passed again unless it has left the track."""
        runs_on = not self._track.surely_slow(self.turn_ns)  # Perhaps past a beam that did not see it.
        dues = [self._next_ns(LATEST, whole=runs_on)]
        dues += [pulse.free_ns for pulse in self._descent.pulses]
        dues += [pulse.at_ns + int(self._descent.turn_ns * LATEST) for pulse in self._descent.on[-1:]]
        dues += [since + STUCK_NS for since in self._dark_since if since is not None and self._may_be_down(since)]
        return max(dues) + 1
