"""Whether the wheel's position can be believed: index against counts, clapper against both.

Three sensors see one wheel. The index mark and the counts share the encoder's shaft, so they find lost edges but
not a shaft that slips; the clapper is struck by the wheel's own pegs, so it finds both. Disagreement raises a
*doubt*:

* lost edges and index pulses that do not fit the counts are settled by one clean turn from index to index;
* strikes that do not fit the travel are not settled, for a slipped shaft looks perfectly clean from then on.

Lost edges may hide a slip. The turn in which they were lost, from index to index, has to *vouch* for the shaft: one
way, exactly one strike per section, no edges lost but those of the encoder. Then wheel and shaft turned together,
and strikes that misfit only because counts were lost are forgiven. Otherwise the doubt is one of strikes.
"""

from typing import Final

from controller.events.event import Fault, Health
from controller.tracking.clapper_wheel.geometry import FASTEST_MDEG_S, NS_PER_S, WheelGeometry
from controller.tracking.clapper_wheel.passage import Passage
from controller.tracking.tracker import sensor_fault

_INDEX_SLACK: Final = 1
"""An index edge may fall on the very edge of a count."""
_MARK_COUNTS: Final = 4
"""An encoder's index mark is a quarter to a whole period of its lines long."""
_CHATTER_MDEG: Final = 500
"""A wheel turns no further while the contact chatters as it closes."""
_UNSEEN_COUNTS: Final = 2
"""A line that breaks jumps once, and its neighbour once more, before anything contradicts."""
_HASTY: Final = 3
"""A wheel that rocks touches one peg twice within half a section, not so many times in a row."""
_STOOD = sensor_fault("other-peg", "encoder", Health.LOSSY)
"""A fast wheel cannot strike one peg twice: the encoder stood while the wheel turned to the next peg."""
_TOO_FAST = sensor_fault("too-fast", "clapper", Health.NOISY)


class Trust:
    """The position's origin and the doubts about it.

    Attributes:
        located: the origin is known.
        origin: the count at the index mark.
        passage: of the last peg.
        lowest: the window: outside these counts the wheel cannot be without a strike or an index pulse.
        highest: the other end of it.
    """

    def __init__(self, geometry: WheelGeometry, count: int) -> None:
        self._geometry = geometry
        self.located = False
        self.origin = count
        self.passage = Passage(geometry)
        self._full_turn_required = False
        self._late = geometry.counts_of(geometry.places.strike_delay_ns * FASTEST_MDEG_S // NS_PER_S)
        self._chatter = geometry.counts_of(_CHATTER_MDEG)
        self._half_section = geometry.counts_per_turn / (2 * geometry.sections)
        self._next_strike = (0, 0)
        self._turned_back = False
        self._released_path = self._struck_path = 0
        self._index_direction = 0
        self._forget(count)

    def _forget(self, count: int) -> None:
        """Nothing that was seen up to now says anything any more."""
        self._count_doubt: Fault | None = None
        self._stuck: Fault | None = None
        """An encoder line that seems to be stuck, from the throw on and until a peg strikes where it should."""
        self._misfit: Fault | None = None
        """Of strikes, since the last index pulse."""
        self._strike_doubt: Fault | None = None
        self._hasty = 0
        self._index_count: int | None = None
        """The last pulse of the index, or the count from which on the next one is due."""
        self._begin_interval(one_way=False)
        self.passage.forget()
        self._set_window(count)

    def _begin_interval(self, one_way: bool) -> None:
        self._one_way = one_way
        """Since the last pulse the wheel has not turned back, nor touched a peg twice."""
        self._strikes = 0
        self._loss: Fault | None = None
        """Why counts may be wrong since the last pulse."""
        self._maybe_stuck: Fault | None = None
        """An encoder line that seemed to be stuck since the last pulse, to be named if counts are wrong."""
        self._gap = 0
        """How many edges, of whichever line, the sequence numbers say were lost since."""

    @property
    def doubt(self) -> Fault | None:
        """Why the position cannot be believed, or None; of several reasons the one that says most."""
        counts = self._count_doubt
        if counts is not None and counts.health is not Health.LOSSY:
            return counts
        return self._stuck or self._strike_doubt or self._misfit or counts

    def position(self, count: int) -> int:
        """Counts from the index mark."""
        return count - self.origin

    # -- the encoder -----------------------------------------------------------------------------------------

    def turned_back(self, count: int, direction: int) -> None:
        """The direction changed at this count."""
        self._turned_back = True
        self._one_way = False
        self.passage.turned_back(count - self.origin, direction)

    def lost_edges(self, found: Fault, gap: int = 0) -> None:
        """Edges were lost.

        Args:
            gap: how many edges, of whichever line, the sequence numbers say were lost; 0 if they say nothing.
        """
        if gap or self._loss is None:  # What the numbers say stays named, whatever shows it besides.
            self._count_doubt = self._loss = found
        self._gap += gap

    def line_stuck(self, found: Fault, thrown: bool) -> None:
        """An encoder line is stuck, or the wheel trembles on an edge of the other line, at rest or in a hand.

        Args:
            thrown: the wheel was thrown, so that its position is in doubt.
        """
        self._maybe_stuck = found
        if thrown:
            self._stuck = found

    def no_line_stuck(self) -> None:
        """The counts are right: no line is stuck."""
        self._stuck = None

    def overdue(self, count: int, bent: bool) -> None:
        """The wheel is outside the window: name the sensor that should have spoken.

        Args:
            bent: the contact is open.
        """
        if not self._index_low <= count <= self._index_high:
            turns = 1 if self.located else 2
            self._count_doubt = sensor_fault("no-index", "index", Health.SILENT, turns=turns)
            self._index_count, self._one_way = count, False
        if self.located and not self._free_low <= count <= self._free_high:
            if bent:
                self._misfits(sensor_fault("stuck-bent", "clapper", Health.STUCK))
            else:
                self._misfits(sensor_fault("no-strike", "clapper", Health.SILENT))
            self.passage.forget()
        self._set_window(count)

    # -- the clapper -----------------------------------------------------------------------------------------

    def strike(self, at: int, count: int, direction: int, path: int, slow: bool, soon: bool) -> bool:
        """A peg has begun to deflect the clapper.

        Args:
            at: the count when it did; the contact opened later.
            count: the count now.
            path: the number of encoder edges seen so far.
            slow: the wheel is slow enough that the last release must have been where a peg let the leather go.
            soon: so soon after the release that a late stamp may have made a strike of chatter.

        Returns:
            whether that was as it should be: the next peg, one section on.
        """
        self._strikes += 1
        moved, self._struck_path = path - self._struck_path, path
        self._hasty = self._hasty + 1 if moved < self._half_section else 0
        if self._hasty >= _HASTY and self._count_doubt is None:
            self._misfit = _TOO_FAST  # Its line is noisy, or the encoder does not count.
        passage = self.passage
        if not self.located:
            passage.direction = direction
            return self._misfit is None
        since_release = path - self._released_path
        if since_release <= _UNSEEN_COUNTS and passage.backed_off:
            direction = passage.direction  # The leather's peg again, before the encoder shows which way it moves.
        exactly, at = at == count, at - self.origin
        # After a rest, the peg that the leather slipped off may touch it again before a count shows the direction.
        if (soon or self._turned_back) and since_release <= self._chatter and passage.slips_at(at):
            self._strikes -= 1
            passage.chattered()
            return self._misfit is None
        if slow and passage.fault is not None:
            self._misfits(passage.fault)
        first, last = self._next_strike
        turned = direction != passage.direction or self._turned_back
        as_expected = passage.peg is not None and not turned and first <= at <= last
        if passage.peg is not None and as_expected:
            peg = passage.peg + direction
        else:
            peg, found = passage.strike(at, direction)
            if found is None and peg == passage.peg and not turned and not slow:
                found = _STOOD
            if found is not None:
                self._misfits(found)
        passage.struck(peg, direction, at if exactly else None)
        if as_expected:
            self._near_peg(peg)
            self.no_line_stuck()
        else:
            self._turned_back = False
            self._set_window(count)
        return as_expected and self._misfit is None

    def released(self, at: int, count: int, path: int) -> None:
        """The contact has closed; arguments as for a strike."""
        self._released_path = path
        self.passage.released(at - self.origin, count - self.origin)

    def _misfits(self, found: Fault) -> None:
        """Clapper and counts disagree. The sensor that was caught first stays named."""
        self._misfit = self._misfit or self._count_doubt or self._maybe_stuck or found

    # -- the index -------------------------------------------------------------------------------------------

    def index(self, count: int, direction: int, bent: bool) -> None:
        """The index mark's edge at position 0 has passed; ``bent`` as for :meth:`overdue`."""
        turned = 0 if self._index_count is None else abs(count - self._index_count)
        one_way = self._one_way and direction == self._index_direction
        full = one_way and abs(turned - self._geometry.counts_per_turn) <= _INDEX_SLACK
        if self.located:
            self._compare(count, one_way, full)
        elif full or not self._full_turn_required:
            self.origin, self.located, self._full_turn_required = count, True, False
            self._count_doubt = None
            self.passage.forget()
        self._index_count, self._index_direction = count, direction
        # A peg that bent the clapper the other way is backed away from and does not strike again.
        self._begin_interval(not bent or self.passage.direction == direction)
        self._set_window(count)

    def _compare(self, count: int, one_way: bool, full: bool) -> None:
        error = self._from_mark(count)
        # Wheel and shaft turned together, if nothing else was lost than what brought the count off the mark.
        vouched = one_way and self._strikes == self._geometry.sections and self._gap in (0, abs(error))
        off_mark = self._astray(error) if abs(error) > _INDEX_SLACK else None
        lasting = self._misfit or self._loss or off_mark
        if vouched:
            lasting = None if off_mark else self._misfit
        self._strike_doubt, self._misfit = self._strike_doubt or lasting, None
        if off_mark is not None:
            self.origin = count
            self.passage.forget()
        elif full:
            self._count_doubt = None

    def index_end(self, count: int) -> None:
        """The other edge of the index line. Off the mark, the line tells of something else, or counts were lost."""
        at = self._from_mark(count)
        # The mark lies on either side, by the index line's polarity.
        if self.located and abs(at) > _MARK_COUNTS + _INDEX_SLACK:
            self._loss = self._astray(at)

    def _astray(self, counts: int) -> Fault:
        """Counts and index disagree. A sensor of which more is known stays named."""
        found = self._maybe_stuck or sensor_fault("astray", "encoder", Health.LOSSY, counts=abs(counts))
        if self._count_doubt is None or self._count_doubt.health is Health.LOSSY:
            self._count_doubt = found
        return found

    def _from_mark(self, count: int) -> int:
        """Counts from the index mark, by the shorter way."""
        turn = self._geometry.counts_per_turn
        return (self.position(count) + turn // 2) % turn - turn // 2

    # -- rest ------------------------------------------------------------------------------------------------

    def rested(self, count: int) -> None:
        """The wheel is at rest and where it stands was reported. After a doubt, the position is found anew by a
        clean turn from index to index."""
        if self.doubt is not None:
            self.located, self._full_turn_required = False, True
            self._forget(count)
        self._turned_back = True  # Either way may come next.
        self.passage.rested(self.position(count))
        self._one_way = False  # At rest a peg may touch the clapper more than once within a count.

    # -- the window ------------------------------------------------------------------------------------------

    def _set_window(self, count: int) -> None:
        """The counts within which neither a strike nor an index pulse is due."""
        if self._index_count is None:
            self._index_count, self._one_way = count, False
        slack = (1 if self.located else 2) * self._geometry.counts_per_turn + _INDEX_SLACK
        self._index_low, self._index_high = self._index_count - slack, self._index_count + slack
        if not self.located:
            self.lowest, self.highest = self._index_low, self._index_high
        elif self.passage.peg is None:
            section = self._geometry.section_near(self.position(count))
            self._free(self._geometry.strike_at(section - 1, -1)[0], self._geometry.strike_at(section + 2, 1)[1])
        else:
            self._near_peg(self.passage.peg)

    def _near_peg(self, peg: int) -> None:
        """From the peg that was struck last, the wheel may go to the next one either way."""
        below, above = self._geometry.strikes_beside(peg)
        self._next_strike = above if self.passage.direction > 0 else below
        self._free(below[0], above[1])

    def _free(self, low: int, high: int) -> None:
        """Between these places no strike is due."""
        self._free_low = low = low - self._late + self.origin
        self._free_high = high = high + self._late + self.origin
        self.lowest = low if low > self._index_low else self._index_low
        self.highest = high if high < self._index_high else self._index_high
