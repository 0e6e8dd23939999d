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

from collections.abc import Sequence

from controller.events.event import Fault, Health
from controller.tracking.clapper_wheel.geometry import FASTEST_MDEG_S, NS_PER_S, WheelGeometry
from controller.tracking.clapper_wheel.passage import Passage

_INDEX_SLACK = 1  # An index edge may fall on the very edge of a count.
_MARK_COUNTS = 4  # An encoder's index mark is a quarter to a whole period of its lines long.
_UNSEEN_COUNTS = 2  # A line that breaks jumps once, and its neighbour once more, before anything contradicts.
_SOON_STRIKES = 3  # So many strikes, each less than half a section after the last: encoder or clapper is wrong.
_CHATTER_MDEG = 500  # A wheel turns no further while the contact chatters as it opens.


class Trust:
    """The position's origin and the doubts about it."""

    def __init__(self, geometry: WheelGeometry, count: int) -> None:
        self._geometry = geometry
        self.located = False
        self._origin = count
        self._index_count: int | None = None
        self._index_direction = 0
        self._one_way = False
        self._full_turn_required = False
        self._count_doubt: Fault | None = None
        self._misfit: Fault | None = None
        self._strike_doubt: Fault | None = None
        self._strikes = 0
        self._loss: Fault | None = None
        self._gap = 0
        self.passage = Passage(geometry)
        self._late = geometry.counts_of(geometry.measured.closing_delay_ns * FASTEST_MDEG_S // NS_PER_S)
        self._chatter = geometry.counts_of(_CHATTER_MDEG)
        self._next_strike = (0, 0)
        self._turned_back = False
        self._soon_strikes = 0
        self._soon_path = 0
        self._path = self._released_path = 0
        self.deflected = False
        self.lowest = self.highest = count
        """The window: outside these counts the wheel cannot be without a strike or an index pulse."""
        self._set_window(count)

    # -- what the tracker asks -----------------------------------------------------------------------------

    @property
    def doubt(self) -> Fault | None:
        """Why the position cannot be believed, or None; of several reasons the one that says most."""
        counts = self._count_doubt
        if counts is not None and counts.health is not Health.LOSSY:
            return counts
        return self._strike_doubt or self._misfit or counts

    @property
    def origin(self) -> int:
        """The count at the index mark."""
        return self._origin

    def position(self, count: int) -> int:
        """Counts from the index mark."""
        return count - self._origin

    def stand(self, count: int) -> tuple[int | None, int | None, Fault | None]:
        """Where the wheel stands: (section, boundary, fault), exactly one of them set.

        Call it at rest, when the wheel is located and no doubt is open.
        """
        return self.passage.stand(self.position(count), self.deflected)

    # -- what the tracker reports --------------------------------------------------------------------------

    def turned_back(self, count: int, direction: int) -> None:
        """The direction changed at this count."""
        self._turned_back = True
        self._one_way = False
        self.passage.turned_back(count - self._origin, direction)

    def lost_edges(self, fault: Fault, gap: int = 0) -> None:
        """Edges were lost, or a line of the encoder stands still.

        Args:
            gap: how many edges, of whichever line, the sequence numbers say were lost; 0 if they say nothing.
        """
        if gap or self._loss is None:  # What the numbers say stays named, whatever shows it besides.
            self._count_doubt = self._loss = fault
        self._gap += gap

    def overdue(self, count: int) -> None:
        """The wheel is outside the window: name the sensor that should have spoken."""
        if self._index_overdue(count):
            turns = "a full turn" if self.located else "two turns"
            self._count_doubt = Fault("index", Health.SILENT, f"no index pulse in {turns}")
            self._index_count = count
            self._one_way = False
        if self.located and not self._free_low <= count <= self._free_high:
            if self.deflected:
                self._misfits(Fault("clapper", Health.STUCK, "deflected over more than a section"))
            else:
                self._misfits(Fault("clapper", Health.SILENT, "the wheel passed a peg without a strike"))
            self.passage.forget()
        self._set_window(count)

    def strike(self, count: int, direction: int, path: int, late: int, slow: bool) -> bool:
        """A peg has begun to deflect the clapper.

        Args:
            path: the number of encoder edges seen so far.
            late: so many counts later than the peg came, the contact closed, at the wheel's speed.
            slow: the wheel is slow enough that the contact's last opening must have been where a peg let it go.

        Returns:
            whether that was as it should be: the next peg, one section on.
        """
        self._strikes += 1
        if (path - self._path) * 2 * self._geometry.sections >= self._geometry.counts_per_turn:
            self._soon_strikes = self._soon_path = 0
        else:
            self._strike_too_soon(path - self._path)
        self._path = path
        passage = self.passage
        if not self.located:
            passage.direction = direction
            return self._misfit is None
        if passage.backed_off and path - self._released_path <= _UNSEEN_COUNTS:
            direction = passage.direction  # The leather's peg again, before the encoder shows which way it moves.
        at = count - self._origin - direction * late
        if path - self._released_path <= self._chatter and passage.slips_at(at):
            self._strikes -= 1  # The contact chatters, and a late stamp made a strike of it.
            passage.closed_again()
            return self._misfit is None
        if slow and passage.fault is not None:
            self._misfits(passage.fault)
        if passage.peg is not None and direction == passage.direction and not self._turned_back:
            first, last = self._next_strike
            if first <= at <= last:
                passage.struck(passage.peg + direction, direction, None if late else at)
                if slow:
                    passage.came_at(at)
                self._near_peg()
                return self._misfit is None
        peg, fault = passage.strike(at, direction)
        if fault is not None:
            self._misfits(fault)
        passage.struck(peg, direction, None if late else at)
        if slow and fault is None:
            passage.came_at(at)
        self._turned_back = False
        self._set_window(count)
        return False

    def released(self, count: int, direction: int, path: int, late: int) -> None:
        """The contact has opened; ``path`` and ``late`` as for a strike."""
        self._released_path = path
        self.passage.opened(count - self._origin - direction * late)

    def sweeps(self, counts: Sequence[int], direction: int, end: int) -> bool:
        """Whether strikes at these counts are each the next peg in turn, with no doubt about any.

        Args:
            counts: less what the contact's delay adds.
            end: the count to which the wheel then goes on; the peg after the last one is not overdue there.
        """
        passage = self.passage
        if (
            not self.located
            or self._misfit is not None
            or passage.peg is None
            or self._turned_back
            or direction != passage.direction
            or not self._index_low <= end <= self._index_high  # Past it, an index pulse is overdue.
        ):
            return False
        windows, turned = self._geometry.next_strikes(passage.peg, direction, len(counts) + 1)
        if len(windows) <= len(counts):
            return False
        start = self._origin + turned
        for (first, last), count in zip(windows, counts, strict=False):
            if not first <= count - start <= last:
                return False
        return (end - start - windows[-1][direction > 0]) * direction <= self._late

    def regular(self, places: Sequence[int], path: int) -> bool:
        """Whether strikes of a wheel that is not located come as those of its pegs do.

        Args:
            places: so many edges of the encoder, after ``path``, each of them came.
        """
        before = self._path - path
        apart = self._geometry.counts_per_turn
        for place in places:
            if (place - before) * 2 * self._geometry.sections < apart:
                return False  # Too soon for a peg.
            before = place
        return self._misfit is None

    def sweep(self, strikes: int, path: int, direction: int) -> None:
        """So many strikes that :meth:`sweeps` or :meth:`regular` found in order; ``path`` as of the last one."""
        passage = self.passage
        self._strikes += strikes
        self._soon_strikes = self._soon_path = 0
        self._path = path
        if not self.located:
            passage.direction = direction
            return
        assert passage.peg is not None
        passage.struck(passage.peg + direction * strikes, direction)
        self._near_peg()

    def _misfits(self, fault: Fault) -> None:
        """Clapper and counts disagree. The sensor that was caught first stays named."""
        self._misfit = self._misfit or self._count_doubt or fault

    def _strike_too_soon(self, moved: int) -> None:
        """Less than half a section after the last. A dead encoder counts nothing; one that counts is not dead."""
        self._soon_strikes += 1
        self._soon_path += moved
        if self._soon_strikes < _SOON_STRIKES or self._count_doubt is not None or self._noisy:
            return
        if self._soon_path <= _UNSEEN_COUNTS * self._soon_strikes:
            self._misfit = Fault(
                "encoder",
                Health.SILENT,
                "the clapper is struck but the encoder does not count; or the clapper's line is noisy",
            )
        else:
            self._misfit = Fault("clapper", Health.NOISY, "strikes come faster than the wheel's pegs")

    @property
    def _noisy(self) -> bool:
        return self._misfit is not None and self._misfit.health is Health.NOISY

    def index(self, count: int, direction: int) -> None:
        """The index mark's edge at position 0 has passed."""
        turn = self._geometry.counts_per_turn
        full = (
            self._one_way
            and self._index_count is not None
            and direction == self._index_direction
            and abs(abs(count - self._index_count) - turn) <= _INDEX_SLACK
        )
        astray = abs(self._strikes - self._geometry.sections)
        one_strike_a_section = astray <= self._geometry.index_near_peg
        if not self.located:
            self._locate(count, full and one_strike_a_section)
        else:
            self._compare(count, direction, full, astray)
        self._index_count = count
        self._index_direction = direction
        # A peg that bent the clapper the other way is backed away from and does not strike again.
        self._one_way = not self.deflected or self.passage.direction == direction
        self._strikes = 0
        self._loss, self._gap = None, 0
        self._set_window(count)

    def index_end(self, count: int) -> None:
        """The other edge of the index line. Off the mark, the line tells of something else, or counts were lost."""
        at = self._from_mark(count)
        # The mark lies on either side, by the index line's polarity.
        if self.located and abs(at) > _MARK_COUNTS + _INDEX_SLACK:
            self._loss = self._astray(at)

    def _astray(self, counts: int) -> Fault:
        """Counts and index disagree. A sensor of which more is known stays named."""
        fault = Fault("encoder", Health.LOSSY, f"{abs(counts)} counts astray at the index mark")
        if self._count_doubt is None or self._count_doubt.health is Health.LOSSY:
            self._count_doubt = fault
        return fault

    def _from_mark(self, count: int) -> int:
        """Counts from the index mark, by the shorter way."""
        turn = self._geometry.counts_per_turn
        return (self.position(count) + turn // 2) % turn - turn // 2

    def _locate(self, count: int, clean_turn: bool) -> None:
        if clean_turn or not self._full_turn_required:
            self._origin = count
            self.passage.forget()
            self.located = True
            self._full_turn_required = False
            self._count_doubt = None

    def _compare(self, count: int, direction: int, full: bool, strikes_astray: int) -> None:
        error = self._from_mark(count)
        vouched = (
            self._one_way
            and direction == self._index_direction
            and strikes_astray == 0
            and self._gap in (0, abs(error))
        )
        if abs(error) > _INDEX_SLACK:
            astray = self._astray(error)
            self._close_interval(None if vouched else self._misfit or self._loss or astray)
            self._origin = count
            self.passage.forget()
            return
        self._close_interval(self._misfit if vouched else self._misfit or self._loss)
        if full:
            if strikes_astray > self._geometry.index_near_peg:
                self._strike_doubt = self._strike_doubt or Fault(
                    "clapper",
                    Health.LOSSY,
                    f"{self._strikes} strikes in a turn of {self._geometry.sections} sections",
                )
            self._count_doubt = None

    def _close_interval(self, lasting: Fault | None) -> None:
        self._strike_doubt = self._strike_doubt or lasting
        self._misfit = None

    def rested(self, count: int) -> None:
        """The wheel is at rest and its stand was reported. After a doubt, the position is found anew."""
        if self.doubt is not None:
            self.mislay(count)
        self._turned_back = True  # Either way may come next.
        self.passage.rested(self.position(count))
        self._one_way = False  # At rest a peg may touch the clapper more than once within a count.

    def mislay(self, count: int) -> None:
        """Trust the position no more until a clean turn from index to index."""
        self.located = False
        self._full_turn_required = True
        self._count_doubt = self._misfit = self._strike_doubt = self._loss = None
        self._gap = 0
        self._index_count = None
        self.passage.forget()
        self._soon_strikes = self._soon_path = 0
        self._set_window(count)

    # -- the window ----------------------------------------------------------------------------------------

    def _index_overdue(self, count: int) -> bool:
        turns = 1 if self.located else 2
        return (
            self._index_count is not None
            and abs(count - self._index_count) > turns * self._geometry.counts_per_turn + _INDEX_SLACK
        )

    def _set_window(self, count: int) -> None:
        """The counts within which neither a strike nor an index pulse is due."""
        geometry = self._geometry
        if self._index_count is None:
            self._index_count = count
            self._one_way = False
        slack = (1 if self.located else 2) * geometry.counts_per_turn + _INDEX_SLACK
        self._index_low, self._index_high = self._index_count - slack, self._index_count + slack
        if not self.located:
            self._free_low, self._free_high = self._index_low, self._index_high
        elif self.passage.peg is None:
            section = geometry.section_near(self.position(count))
            self._free_low = geometry.strike_at(section - 1, -1)[0] - self._late + self._origin
            self._free_high = geometry.strike_at(section + 2, 1)[1] + self._late + self._origin
        else:
            self._near_peg()
            return
        self.lowest = max(self._index_low, self._free_low)
        self.highest = min(self._index_high, self._free_high)

    def _near_peg(self) -> None:
        """From the peg that was struck last, the wheel may go to the next one either way."""
        peg = self.passage.peg
        assert peg is not None
        low, to_low, from_high, high = self._geometry.strikes_around(peg)
        self._next_strike = (from_high, high) if self.passage.direction > 0 else (low, to_low)
        self._free_low = low = low - self._late + self._origin
        self._free_high = high = high + self._late + self._origin
        self.lowest = low if low > self._index_low else self._index_low
        self.highest = high if high < self._index_high else self._index_high
