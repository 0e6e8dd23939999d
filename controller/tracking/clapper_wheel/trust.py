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
from controller.tracking.clapper_wheel.geometry import WheelGeometry

_INDEX_SLACK = 1  # An index edge may fall on the very edge of a count.
_MARK_COUNTS = 4  # An encoder's index mark is a quarter to a whole period of its lines long.
_UNSEEN_COUNTS = 2  # A line that breaks jumps once, and its neighbour once more, before anything contradicts.
_SOON_STRIKES = 3  # So many strikes, each less than half a section after the last: encoder or clapper is wrong.
_STRUCK_AT_REST = "the clapper is struck but the encoder does not count: it is dead, or the clapper's line is noisy"


class Trust:
    """The position's origin and the doubts about it."""

    def __init__(self, geometry: WheelGeometry, count: int) -> None:
        self._geometry = geometry
        self.located = False
        self._origin = count
        self._index_count: int | None = None
        self._index_direction = 0
        self._one_way = False
        self._full_turn_wanted = False
        self._count_doubt: Fault | None = None
        self._misfit: Fault | None = None
        self._strike_doubt: Fault | None = None
        self._strikes = 0
        self._loss: Fault | None = None
        self._gap = 0
        self._peg: int | None = None
        self._peg_direction = 0
        self._near = ((0, 0), (0, 0), (0, 0))
        self._turned_back = False
        self._soon_strikes = 0
        self._soon_path = 0
        self._path = 0
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

    def position(self, count: int) -> int:
        """Counts from the index mark."""
        return count - self._origin

    def stand(self, count: int) -> tuple[int | None, int | None, Fault | None]:
        """Where the wheel stands: (section, boundary, fault), exactly one of them set.

        Call it at rest, when the wheel is located and no doubt is open. Within reach of the peg that was struck
        last, the wheel stands between sections whatever the clapper reads: there, an encoder that is off by the
        tolerance, or by the counts that a line adds unseen when it breaks, could not be told from a wheel on the
        other side of the peg.
        """
        geometry = self._geometry
        at = self.position(count)
        peg, distance = geometry.nearest_peg(at)
        if distance <= geometry.tolerance:
            return None, peg % geometry.sections, None
        reach = geometry.contact + geometry.tolerance + _UNSEEN_COUNTS * geometry.sections
        if self._peg is not None and 0 <= geometry.past(self._peg, self._peg_direction, at) <= reach:
            return None, self._peg % geometry.sections, None
        if self.deflected:
            if self._peg is None and distance <= reach:
                return None, peg % geometry.sections, None
            return None, None, Fault("clapper", Health.STUCK, "deflected in the middle of a section")
        return geometry.section(at), None, None

    # -- what the tracker reports --------------------------------------------------------------------------

    def turned_back(self) -> None:
        """The direction changed."""
        self._turned_back = True
        self._one_way = False

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
            self._peg = None
        self._set_window(count)

    def strike(self, count: int, direction: int, path: int) -> bool:
        """A peg has begun to deflect the clapper; ``path`` is the number of encoder edges seen so far.

        Returns:
            whether that was as it should be: the next peg, one section on.
        """
        self._strikes += 1
        if (path - self._path) * 2 * self._geometry.sections >= self._geometry.counts_per_turn:
            self._soon_strikes = self._soon_path = 0
        else:
            self._strike_too_soon(path - self._path)
        self._path = path
        if not self.located:
            self._peg_direction = direction
            return self._misfit is None
        if self._peg is not None and direction == self._peg_direction and not self._turned_back:
            behind, at, ahead = self._near
            first, last = ahead if direction > 0 else behind
            if first <= count - self._origin <= last:
                self._peg += direction
                beyond = self._geometry.at_peg(self._peg + direction)
                self._near = (at, ahead, beyond) if direction > 0 else (beyond, behind, at)
                self._free_between_pegs()
                return self._misfit is None
        self._strike_astray(count, direction)
        return False

    def sweeps(self, counts: Sequence[int], direction: int) -> bool:
        """Whether strikes at these counts are each the next peg in turn, with no doubt about any."""
        return (
            self.located
            and self._misfit is None
            and self._peg is not None
            and not self._turned_back
            and direction == self._peg_direction
            and self._index_low <= counts[-1] <= self._index_high  # Past it, an index pulse is overdue.
            and self._geometry.passes(self._peg, direction, [count - self._origin for count in counts])
        )

    def sweep(self, strikes: int, path: int) -> None:
        """So many strikes that :meth:`sweeps` has found in order; ``path`` as of the last one."""
        assert self._peg is not None
        self._strikes += strikes
        self._soon_strikes = self._soon_path = 0
        self._path = path
        self._peg += self._peg_direction * strikes
        self._near_peg()

    def _strike_astray(self, count: int, direction: int) -> None:
        """Not simply the next peg on the way."""
        peg, distance = self._geometry.nearest_peg(self.position(count))
        if distance > self._geometry.tolerance:
            self._misfits(
                Fault(
                    "encoder", Health.LOSSY, "a strike of the clapper does not lie on a peg: slip, or lost counts"
                )
            )
        elif self._peg is not None and not self._follows(peg - self._peg, direction):
            self._misfits(
                Fault("encoder", Health.LOSSY, "strikes of the clapper do not fit the travel: slip, or lost counts")
            )
        self._peg = peg
        self._peg_direction = direction
        self._turned_back = False
        self._set_window(count)

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

    def _follows(self, pegs: int, direction: int) -> bool:
        if self._turned_back:
            return -1 <= pegs <= 1
        return pegs == direction == self._peg_direction

    def index(self, count: int, direction: int) -> None:
        """The index mark's edge at position 0 has passed."""
        turn = self._geometry.counts_per_turn
        full = (
            self._one_way
            and self._index_count is not None
            and direction == self._index_direction
            and abs(abs(count - self._index_count) - turn) <= _INDEX_SLACK
        )
        one_strike_a_section = self._strikes == self._geometry.sections
        if not self.located:
            self._locate(count, full and one_strike_a_section)
        else:
            self._compare(count, direction, full, one_strike_a_section)
        self._index_count = count
        self._index_direction = direction
        # A peg that bent the clapper the other way is backed away from and does not strike again.
        self._one_way = not self.deflected or self._peg_direction == direction
        self._strikes = 0
        self._loss, self._gap = None, 0
        self._set_window(count)

    def index_end(self, count: int) -> None:
        """The other edge of the index line. Off the mark, the line tells of something else, or counts were lost."""
        at = self._from_mark(count)
        if self.located and not -_INDEX_SLACK <= at <= _MARK_COUNTS + _INDEX_SLACK:
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
        if clean_turn or not self._full_turn_wanted:
            self._origin = count
            self._peg = None
            self.located = True
            self._full_turn_wanted = False
            self._count_doubt = None

    def _compare(self, count: int, direction: int, full: bool, one_strike_a_section: bool) -> None:
        error = self._from_mark(count)
        vouched = (
            self._one_way
            and direction == self._index_direction
            and one_strike_a_section
            and self._gap in (0, abs(error))
        )
        if abs(error) > _INDEX_SLACK:
            astray = self._astray(error)
            self._close_interval(None if vouched else self._misfit or self._loss or astray)
            self._origin = count
            self._peg = None
            return
        self._close_interval(self._misfit if vouched else self._misfit or self._loss)
        if full:
            if not one_strike_a_section:
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
        self._one_way = False  # At rest a peg may touch the clapper more than once within a count.

    def mislay(self, count: int) -> None:
        """Trust the position no more until a clean turn from index to index."""
        self.located = False
        self._full_turn_wanted = True
        self._count_doubt = self._misfit = self._strike_doubt = self._loss = None
        self._gap = 0
        self._index_count = None
        self._peg = None
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
        elif self._peg is None:
            behind = geometry.low(self.position(count)) // geometry.counts_per_turn
            self._free_low = geometry.at_peg(behind)[0] + self._origin
            self._free_high = geometry.at_peg(behind + 1)[1] + self._origin
        else:
            self._near_peg()
            return
        self.lowest = max(self._index_low, self._free_low)
        self.highest = min(self._index_high, self._free_high)

    def _near_peg(self) -> None:
        assert self._peg is not None
        at_peg = self._geometry.at_peg
        self._near = (at_peg(self._peg - 1), at_peg(self._peg), at_peg(self._peg + 1))
        self._free_between_pegs()

    def _free_between_pegs(self) -> None:
        """From the peg that was struck last, the wheel may go to the next one either way."""
        behind, _, ahead = self._near
        self._free_low = low = behind[0] + self._origin
        self._free_high = high = ahead[1] + self._origin
        self.lowest = low if low > self._index_low else self._index_low
        self.highest = high if high < self._index_high else self._index_high
