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
"""A wheel turns no further while the contact chatters as it opens."""
_UNSEEN_COUNTS: Final = 2
"""A line that breaks jumps once, and its neighbour once more, before anything contradicts."""
_HASTY: Final = 3
"""So many strikes, each less than half a section after the last: encoder or clapper is wrong."""
_NOT_COUNTING = sensor_fault("not-counting", "encoder", Health.SILENT)
_TOO_FAST = sensor_fault("too-fast", "clapper", Health.NOISY)


class HastyStrikes:
    """How far the encoder went from strike to strike: how many in a row came sooner than pegs can."""

    def __init__(self, geometry: WheelGeometry) -> None:
        self._sections, self._turn = geometry.sections, geometry.counts_per_turn
        self._path = 0
        self.forget()

    def forget(self) -> None:
        """None of those so far counts any more."""
        self._strikes = self._moved = 0

    def strike(self, path: int) -> Fault | None:
        """A strike after so many edges of the encoder; returns what is wrong if several came too soon."""
        moved, self._path = path - self._path, path
        if moved * 2 * self._sections >= self._turn:
            self.forget()
            return None
        self._strikes += 1
        self._moved += moved
        if self._strikes < _HASTY:
            return None
        # A dead encoder counts nothing; one that counts is not dead.
        return _NOT_COUNTING if self._moved <= _UNSEEN_COUNTS * self._strikes else _TOO_FAST


class IndexInterval:
    """From one pulse of the index to the next: what was seen meanwhile, and what that vouches for.

    Attributes:
        one_way: the wheel has not turned back, nor touched a peg twice.
        strikes: of the clapper.
        loss: why counts may be wrong; None if nothing says so.
        gap: how many edges, of whichever line, the sequence numbers say were lost.
    """

    def __init__(self, geometry: WheelGeometry) -> None:
        self._turn, self._sections = geometry.counts_per_turn, geometry.sections
        self._count: int | None = None
        self._direction = 0
        self.one_way = False
        self.strikes = 0
        self.loss: Fault | None = None
        self.gap = 0

    def begin(self, count: int, direction: int, one_way: bool) -> None:
        """A pulse of the index at this count."""
        self._count, self._direction, self.one_way = count, direction, one_way
        self.strikes = 0
        self.loss, self.gap = None, 0

    def forget(self) -> None:
        """No pulse is known any more."""
        self._count = None
        self.loss, self.gap = None, 0

    def since(self, count: int) -> int:
        """The count of the last pulse; if none is known, the interval begins at the given count."""
        if self._count is None:
            self._count, self.one_way = count, False
        return self._count

    def missed(self, count: int) -> None:
        """A pulse should have come by now: the next one is due from here on."""
        self._count = count
        self.one_way = False

    def is_turn(self, count: int, direction: int) -> bool:
        """Whether the interval that ends at this count was one turn, one way, of as many counts as it has."""
        return (
            self.one_way
            and self._count is not None
            and direction == self._direction
            and abs(abs(count - self._count) - self._turn) <= _INDEX_SLACK
        )

    def strikes_astray(self) -> int:
        """By how many the strikes differ from one in each section."""
        return abs(self.strikes - self._sections)

    def vouches(self, direction: int, error: int) -> bool:
        """Whether wheel and shaft turned together, if the interval ends so many counts off the mark."""
        return (
            self.one_way
            and direction == self._direction
            and self.strikes_astray() == 0
            and self.gap in (0, abs(error))
        )


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
        self._interval = IndexInterval(geometry)
        self._hasty = HastyStrikes(geometry)
        self._full_turn_required = False
        self._count_doubt: Fault | None = None
        self._misfit: Fault | None = None
        self._strike_doubt: Fault | None = None
        self._late = geometry.counts_of(geometry.places.closing_delay_ns * FASTEST_MDEG_S // NS_PER_S)
        self._chatter = geometry.counts_of(_CHATTER_MDEG)
        self._next_strike = (0, 0)
        self._turned_back = False
        self._released_path = 0
        self.lowest = self.highest = count
        self._set_window(count)

    @property
    def doubt(self) -> Fault | None:
        """Why the position cannot be believed, or None; of several reasons the one that says most."""
        counts = self._count_doubt
        if counts is not None and counts.health is not Health.LOSSY:
            return counts
        return self._strike_doubt or self._misfit or counts

    def position(self, count: int) -> int:
        """Counts from the index mark."""
        return count - self.origin

    # -- the encoder -----------------------------------------------------------------------------------------

    def turned_back(self, count: int, direction: int) -> None:
        """The direction changed at this count."""
        self._turned_back = True
        self._interval.one_way = False
        self.passage.turned_back(count - self.origin, direction)

    def lost_edges(self, found: Fault, gap: int = 0) -> None:
        """Edges were lost, or a line of the encoder stands still.

        Args:
            gap: how many edges, of whichever line, the sequence numbers say were lost; 0 if they say nothing.
        """
        interval = self._interval
        if gap or interval.loss is None:  # What the numbers say stays named, whatever shows it besides.
            self._count_doubt = interval.loss = found
        interval.gap += gap

    def overdue(self, count: int, closed: bool) -> None:
        """The wheel is outside the window: name the sensor that should have spoken.

        Args:
            closed: the clapper's contact is closed.
        """
        if not self._index_low <= count <= self._index_high:
            self._count_doubt = sensor_fault("no-index", "index", Health.SILENT, turns=1 if self.located else 2)
            self._interval.missed(count)
        if self.located and not self._free_low <= count <= self._free_high:
            if closed:
                self._misfits(sensor_fault("stuck-closed", "clapper", Health.STUCK))
            else:
                self._misfits(sensor_fault("no-strike", "clapper", Health.SILENT))
            self.passage.forget()
        self._set_window(count)

    # -- the clapper -----------------------------------------------------------------------------------------

    def strike(self, at: int, count: int, direction: int, path: int, slow: bool) -> bool:
        """A peg has begun to deflect the clapper.

        Args:
            at: the count when it did; the contact closed later.
            count: the count now.
            path: the number of encoder edges seen so far.
            slow: the wheel is slow enough that the contact's last opening must have been where a peg let it go.

        Returns:
            whether that was as it should be: the next peg, one section on.
        """
        self._interval.strikes += 1
        self._look_for_haste(path)
        passage = self.passage
        if not self.located:
            passage.direction = direction
            return self._misfit is None
        since_release = path - self._released_path
        if since_release <= _UNSEEN_COUNTS and passage.backed_off:
            direction = passage.direction  # The leather's peg again, before the encoder shows which way it moves.
        exactly, at = at == count, at - self.origin
        if since_release <= self._chatter and passage.slips_at(at):
            self._interval.strikes -= 1  # The contact chatters, and a late stamp made a strike of it.
            passage.closed_again()
            return self._misfit is None
        if slow and passage.fault is not None:
            self._misfits(passage.fault)
        as_expected = self._struck(at, direction, at if exactly else None)
        if not as_expected:
            self._turned_back = False
            self._set_window(count)
        return as_expected and self._misfit is None

    def _look_for_haste(self, path: int) -> None:
        """A strike; if it is one of several that come too soon, and nothing else is known, that is a fault."""
        hasty = self._hasty.strike(path)
        noisy = self._misfit is not None and self._misfit.health is Health.NOISY
        if hasty is not None and self._count_doubt is None and not noisy:
            self._misfit = hasty

    def _struck(self, at: int, direction: int, exactly: int | None) -> bool:
        """A peg at this place was struck. Returns whether it is the next one on the way."""
        passage = self.passage
        first, last = self._next_strike
        turned = direction != passage.direction or self._turned_back
        if passage.peg is not None and not turned and first <= at <= last:
            peg = passage.peg + direction
            passage.struck(peg, direction, exactly)
            self._near_peg(peg)
            return True
        peg, fault = passage.strike(at, direction)
        if fault is not None:
            self._misfits(fault)
        passage.struck(peg, direction, exactly)
        return False

    def released(self, at: int, count: int, path: int) -> None:
        """The contact has opened; arguments as for a strike."""
        self._released_path = path
        self.passage.opened(at - self.origin, count - self.origin)

    def _misfits(self, found: Fault) -> None:
        """Clapper and counts disagree. The sensor that was caught first stays named."""
        self._misfit = self._misfit or self._count_doubt or found

    # -- the index -------------------------------------------------------------------------------------------

    def index(self, count: int, direction: int, closed: bool) -> None:
        """The index mark's edge at position 0 has passed; ``closed`` as for :meth:`overdue`."""
        interval = self._interval
        full, astray = interval.is_turn(count, direction), interval.strikes_astray()
        if self.located:
            self._compare(count, direction, full, astray)
        elif not self._full_turn_required or (full and astray <= self._geometry.index_near_peg):
            self._locate(count)
        # A peg that bent the clapper the other way is backed away from and does not strike again.
        interval.begin(count, direction, not closed or self.passage.direction == direction)
        self._set_window(count)

    def index_end(self, count: int) -> None:
        """The other edge of the index line. Off the mark, the line tells of something else, or counts were lost."""
        at = self._from_mark(count)
        # The mark lies on either side, by the index line's polarity.
        if self.located and abs(at) > _MARK_COUNTS + _INDEX_SLACK:
            self._interval.loss = self._astray(at)

    def _astray(self, counts: int) -> Fault:
        """Counts and index disagree. A sensor of which more is known stays named."""
        found = sensor_fault("astray", "encoder", Health.LOSSY, counts=abs(counts))
        if self._count_doubt is None or self._count_doubt.health is Health.LOSSY:
            self._count_doubt = found
        return found

    def _from_mark(self, count: int) -> int:
        """Counts from the index mark, by the shorter way."""
        turn = self._geometry.counts_per_turn
        return (self.position(count) + turn // 2) % turn - turn // 2

    def _locate(self, count: int) -> None:
        self.origin = count
        self.passage.forget()
        self.located = True
        self._full_turn_required = False
        self._count_doubt = None

    def _compare(self, count: int, direction: int, full: bool, strikes_astray: int) -> None:
        error, interval = self._from_mark(count), self._interval
        vouched = interval.vouches(direction, error)
        if abs(error) > _INDEX_SLACK:
            astray = self._astray(error)
            self._close_interval(None if vouched else self._misfit or interval.loss or astray)
            self.origin = count
            self.passage.forget()
            return
        self._close_interval(self._misfit if vouched else self._misfit or interval.loss)
        if full:
            if strikes_astray > self._geometry.index_near_peg:
                self._strike_doubt = self._strike_doubt or sensor_fault(
                    "strikes-in-turn",
                    "clapper",
                    Health.LOSSY,
                    strikes=interval.strikes,
                    sections=self._geometry.sections,
                )
            self._count_doubt = None

    def _close_interval(self, lasting: Fault | None) -> None:
        self._strike_doubt = self._strike_doubt or lasting
        self._misfit = None

    # -- rest ------------------------------------------------------------------------------------------------

    def rested(self, count: int) -> None:
        """The wheel is at rest and where it stands was reported. After a doubt, the position is found anew."""
        if self.doubt is not None:
            self._mislay(count)
        self._turned_back = True  # Either way may come next.
        self.passage.rested(self.position(count))
        self._interval.one_way = False  # At rest a peg may touch the clapper more than once within a count.

    def _mislay(self, count: int) -> None:
        """Trust the position no more until a clean turn from index to index."""
        self.located = False
        self._full_turn_required = True
        self._count_doubt = self._misfit = self._strike_doubt = None
        self._interval.forget()
        self._hasty.forget()
        self.passage.forget()
        self._set_window(count)

    # -- the window ------------------------------------------------------------------------------------------

    def _set_window(self, count: int) -> None:
        """The counts within which neither a strike nor an index pulse is due."""
        index_count = self._interval.since(count)
        slack = (1 if self.located else 2) * self._geometry.counts_per_turn + _INDEX_SLACK
        self._index_low, self._index_high = index_count - slack, index_count + slack
        if not self.located:
            self.lowest, self.highest = self._index_low, self._index_high
        elif self.passage.peg is None:
            section = self._geometry.section_near(self.position(count))
            self._free(self._geometry.strike_at(section - 1, -1)[0], self._geometry.strike_at(section + 2, 1)[1])
        else:
            self._near_peg(self.passage.peg)

    def _near_peg(self, peg: int) -> None:
        """From the peg that was struck last, the wheel may go to the next one either way."""
        below, above = self._geometry.strike_at(peg - 1, -1), self._geometry.strike_at(peg + 1, 1)
        self._next_strike = above if self.passage.direction > 0 else below
        self._free(below[0], above[1])

    def _free(self, low: int, high: int) -> None:
        """Between these places no strike is due."""
        self._free_low = low = low - self._late + self.origin
        self._free_high = high = high + self._late + self.origin
        self.lowest = low if low > self._index_low else self._index_low
        self.highest = high if high < self._index_high else self._index_high
