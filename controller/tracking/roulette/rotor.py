"""A roulette wheel's rotor: which way it turns, and whether that is beyond doubt.

A direction is believed once a full turn was made one way. A turn from index to index must have the
encoder's counts, give or take what an index pulse may err. The pulse may lie anywhere, be of either polarity, and a
count or more wide.

Wires A and B crossed turn the picture around. From the start on they show only in the direction that the trial spin
of the inspection names; crossed later, in most encoders the other line changes within the pulse than did before.
What lay crossed and was put right looks the same: so each inspection learns the line anew.
"""

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass

from controller.events.event import Fault, Health
from controller.tracking.tracker import sensor_fault

STILL_NS = 1_000_000_000
"""A rotor without an edge for so long may set out on the edge on which it stopped."""
_NEAR = 2
"""Counts by which an index pulse may seem to be out of its place."""
_CRAWL_NS = 12_500_000_000
"""A rotor that would take so long for a turn stands, or is about to: its counts do not tell which. Rotors are set
turning three times as fast and more."""
_HOLD_NS = 100_000_000
"""A hand that pushes the rotor on may slow it for so long: it is not held."""
_COARSE_NS = 500_000_000
"""Without a count for so long it stands, however few counts make a turn."""
_FEW = 4
"""Counts of a whole cycle of A and B, so that it does not matter how the edges lie within."""
_NO_INDEX = sensor_fault("no-index", "index", Health.SILENT, turns=1)


@dataclass(frozen=True, slots=True)
class RotorGeometry:
    """How a roulette wheel, its encoder and its ball beams are built."""

    counts_per_turn: int
    beams: int = 2
    beam_angle_mdeg: int = 90_000
    """From ball_1 clockwise to ball_2."""
    reversed: bool = False
    ball_um: int = 20_000
    """Diameter of the ball."""
    track_um: int = 2_387_610
    """Way of the ball once around the track."""
    leaves_from_ns: int = 1_100_000_000
    """A ball that takes less than this for a turn does not leave the track by itself."""


class Pace:
    """Whether a rotor that turned goes on turning, judged by the times of its last counts one way.

    A rotor that slows down by itself takes a little longer for each count than for the one before. Its very last
    count takes less than the four before it took together, if it loses speed evenly. One that is held takes longer.
    A rotor whose counts come so far apart that it might have been held between them is not proven to turn.
    """

    def __init__(self, counts_per_turn: int) -> None:
        self._longest_ns = min(_COARSE_NS, max(_HOLD_NS, _CRAWL_NS // counts_per_turn))
        self.rest()

    def rest(self) -> None:
        """The rotor stood, or turned back."""
        self._recent: deque[int] = deque(maxlen=_FEW + 1)
        """When the last counts came since the rotor stood."""

    def stands(self, now_ns: int) -> bool:
        """Whether no count has come for too long, at a moment that is not before the last one."""
        recent = self._recent
        if not recent:
            return True
        since_ns = now_ns - recent[-1]
        if since_ns <= _HOLD_NS:
            return False
        took_ns = max(_HOLD_NS, recent[-1] - recent[0]) if len(recent) > _FEW else self._longest_ns
        return since_ns > min(took_ns, self._longest_ns)

    def go(self, stamps: Sequence[int]) -> list[int]:
        """Counts that go on the same way, one or more; returns the places of those before which the rotor stood."""
        stood, done = list[int](), 0
        late = (at for at in range(1, len(stamps)) if stamps[at] - stamps[at - 1] > _HOLD_NS)
        for at in (0, *late):
            self._recent.extend(stamps[done:at])
            if self.stands(stamps[at]):
                self.rest()
                stood.append(at)
            done = at
        self._recent.extend(stamps[done:])
        return stood


class RotorTracker:
    """The rotor's counts and its index.

    Attributes:
        direction: of the last turn from index to index that was beyond doubt, +1 counterclockwise or -1; 0 before
            there was one, and once the rotor stood or turned back.
        since_ns: since when it has turned one way without a stop, and without a doubt.
        doubt: why encoder or index cannot be believed; a clean turn from index to index ends it.
        turn_ns: what the last such turn took; 0 before there was one.
    """

    def __init__(self, counts_per_turn: int) -> None:
        self._turn = counts_per_turn
        self._pace = Pace(counts_per_turn)
        self._count = 0
        self._way = 0
        self._mark, self._mark_ns = 0, 0
        """The count at the last index pulse, or where the wait for the first one began."""
        self._marked = False
        self._clean = False
        self._start = 0
        """The count from which on it has turned one way without a stop, a step back or a doubt."""
        self._moved = False
        """The encoder has moved since the last edge of the index."""
        self._again_ns = 0
        """That edge counts if the rotor goes on: it was passed without a count since the one before; 0 for none."""
        self._edge_ns, self._edge_count = 0, 0
        """The last edge of the index."""
        self._within: int | None = None
        """The line that changes in the middle of the index pulse; None before one was seen there."""
        self._last = self._before = -STILL_NS - 1, 0, 0
        """The last two edges of the encoder: when, of which line, and the count after it."""
        self.direction = 0
        self.since_ns = self.turn_ns = 0
        self.doubt: Fault | None = None

    def stood(self, at_ns: int) -> bool:
        """Whether no edge has come for long before this moment."""
        return at_ns - self._last[0] > STILL_NS

    def turning(self, now_ns: int) -> int:
        """The direction that is beyond doubt at a moment, not before the last edge; 0 if there is none."""
        if self.doubt is not None or self._pace.stands(now_ns):
            return 0
        if self.direction == 0 and abs(self._count - self._start) >= self._turn:
            return self._way
        return self.direction

    def turned_since(self, from_ns: int, now_ns: int) -> int:
        """The direction in which it has turned from one moment to another, beyond doubt; 0 if it is not sure."""
        return self.turning(now_ns) if self.since_ns <= from_ns else 0

    def relearn(self) -> None:
        """The encoder was connected anew: forget which of its lines changes within the index pulse."""
        self._within = None

    def lost(self, fault: Fault, at_ns: int) -> None:
        """Edges were lost, or came that cannot be."""
        self.doubt = fault
        self.since_ns = max(self.since_ns, at_ns)
        self._begin_turn()

    def _begin_turn(self) -> None:
        """What was turned up to now proves nothing of what comes."""
        self._clean = False
        self._start = self._count

    # -- the index -------------------------------------------------------------------------------------------

    def index(self, rises: bool, at_ns: int) -> None:
        """An edge of the index. Either way round it is the same edge of the mark that counts."""
        self._look_within(at_ns)
        first, self._moved, self._again_ns = self._moved, False, 0
        if rises == (self._way > 0):
            if first:
                self._pass_mark(at_ns)
            else:
                self._again_ns = at_ns

    def _pass_mark(self, at_ns: int) -> None:
        if self._marked:
            self._compare(abs(self._count - self._mark), at_ns)
        self._mark, self._mark_ns, self._marked, self._clean = self._count, at_ns, True, True

    def _compare(self, counts: int, at_ns: int) -> None:
        """What was counted between two index pulses."""
        if abs(counts - self._turn) <= _NEAR:
            if self._clean:
                self.direction, self.turn_ns = (1 if self._count > self._mark else -1), at_ns - self._mark_ns
                self.doubt = None
        elif counts > _NEAR:
            found = sensor_fault("index-counts", "encoder", Health.LOSSY, counts=counts)
            # A sensor of which more is known stays named.
            self.lost(found if self.doubt is None or self.doubt.health is Health.LOSSY else self.doubt, at_ns)

    def _look_within(self, at_ns: int) -> None:
        """Whether the line that changes in the middle of an index pulse is the one that always did."""
        last_ns, line, count = self._last if self._last[0] <= at_ns else self._before
        began_ns, counts = self._edge_ns, abs(count - self._edge_count)
        self._edge_ns, self._edge_count = at_ns, count
        # Near its edges a count may lie on either side of them, and there may be more of them within.
        if counts != 1 or not at_ns - began_ns <= 4 * (last_ns - began_ns) <= 3 * (at_ns - began_ns):
            return
        if self._within is not None and line != self._within:
            self.lost(sensor_fault("crossed-lines", "encoder", Health.NOISY, line="AB"[not self._within]), at_ns)
        elif self.doubt is None:
            self._within = line

    # -- counts ----------------------------------------------------------------------------------------------

    def move(self, edges: int, direction: int, line: int, stamps: Sequence[int], first: int) -> int:
        """Counts one way, as many of them as change nothing that is told, and the one that does.

        Args:
            line: that changed at the last of these edges: 0 is A, 1 is B.

        Returns:
            how many were taken: at least one.
        """
        taken = min(edges, max(1, self._turn + _NEAR + 1 - (self._count - self._mark) * direction))
        if self._again_ns and direction == self._way:
            self._pass_mark(self._again_ns)
            taken = 1
        self._moved, self._again_ns = True, 0
        if direction != self._way:
            self._way = direction
            self._begin_turn()
            self._pace.rest()
        before, ended = self._count, first + taken - 1
        self._count += direction * taken
        line ^= (edges - taken) & 1
        self._before = (stamps[ended - 1], 1 - line, self._count - direction) if taken > 1 else self._last
        self._last = stamps[ended], line, self._count
        for at in self._pace.go(stamps[first : ended + 1]):
            self._stop(before + direction * (at + 1), stamps[first + at])
        if (self._count - self._mark) * direction > self._turn + _NEAR:
            self.lost(_NO_INDEX, stamps[ended])
            self._mark, self._marked = self._count, False
        return taken

    def _stop(self, count: int, at_ns: int) -> None:
        """The rotor stood, or turned back, up to a count: it has a direction again after a whole turn."""
        self.direction = 0
        self.since_ns = max(self.since_ns, at_ns)
        self._clean, self._start = False, count
