"""In which section the clapper hangs: from every strike and release, by peg, direction and place.

The leather is in one section until a peg takes it along. The peg opens the contact (a strike) and then either
lets the leather slip off, and it hangs in the next section; or the wheel rocks back, and it hangs where it hung
before. The place where the contact closes (the release), and whether the wheel turned back meanwhile, say which. So
a wheel that rests a hair from a peg, on either side of it, rests in a known section; its place only has to agree.

Counts are from the index mark, without what the contact's delay adds at the wheel's speed.
"""

from typing import Final

from controller.events.event import Fault, Health
from controller.tracking.clapper_wheel.geometry import WheelGeometry, Window
from controller.tracking.motion import REST_COUNTS
from controller.tracking.tracker import sensor_fault

_ASTRAY = sensor_fault("off-peg", "encoder", Health.LOSSY)
_UNFIT = sensor_fault("other-peg", "encoder", Health.LOSSY)
_LET_GO = sensor_fault("let-go", "clapper", Health.LOSSY)
_TURNED = sensor_fault("turned-free", "encoder", Health.LOSSY)
_ELSEWHERE = sensor_fault("elsewhere", "clapper", Health.SILENT)
_HELD = sensor_fault("bent-in-section", "clapper", Health.STUCK)
_UNSEEN_COUNTS: Final = 4
"""A line that breaks makes the wheel seem to turn by less than a cycle of A and B."""
_EDGE_COUNTS: Final = 1
"""Two edges at one place may lie on either side of a count."""

RestPosition = tuple[int | None, int | None, Fault | None]
"""Where a wheel is at rest: section, boundary or fault, exactly one of them set."""


def _within(window: Window, at: int) -> bool:
    return window[0] <= at <= window[1]


class Passage:
    """The peg that was struck last, and what became of it.

    Attributes:
        peg: None if it is not known.
        direction: in which the wheel struck it.
    """

    def __init__(self, geometry: WheelGeometry) -> None:
        self._geometry = geometry
        self.forget()

    def forget(self) -> None:
        """It is not known which peg was struck last."""
        self.peg: int | None = None
        self.direction = 0
        self._restart(None)

    def _restart(self, struck_at: int | None) -> None:
        self._struck_at = struck_at
        self._release: tuple[int, int] | None = None
        """The last release, if it was not looked at yet; as for :meth:`released`."""
        self._sections: tuple[int, ...] | None = None
        self._surely = True
        """False if the side is assumed: a wheel by itself has rocked back there, but a hand may have turned it
        after a slip."""
        self._stood_at: int | None = None
        self._turned = False
        """The wheel turned while the peg held the clapper."""
        self._turned_at = 0

    @property
    def _both(self) -> tuple[int, int]:
        """The sections beyond the peg that was struck last, and before it."""
        assert self.peg is not None
        return (self.peg, self.peg - 1) if self.direction > 0 else (self.peg - 1, self.peg)

    @property
    def _free(self) -> tuple[int, ...] | None:
        """The sections in which the clapper may hang by the release: one; both if a coarse encoder does
        not tell; none if no peg lets the leather go there. None while the peg holds it."""
        if self._release is not None and self.peg is not None:
            self._sections = self._sections_after(*self._release)
            self._release = None
        return self._sections

    @property
    def slipped(self) -> bool:
        """The leather has slipped off the peg that was struck last."""
        return self.peg is not None and self._free == self._both[:1]

    @property
    def backed_off(self) -> bool:
        """The peg that was struck last has let the leather go on the side from which it came."""
        return self.peg is not None and self._free == self._both[1:]

    @property
    def fault(self) -> Fault | None:
        """What is wrong with the last release, wherever the wheel went. Whether the leather slipped off a peg under
        which the wheel turned is what the next strike tells."""
        return _LET_GO if self._free == () and not self._turned else None

    # -- what happens ----------------------------------------------------------------------------------------

    def struck(self, peg: int, direction: int, at: int | None = None) -> None:
        """This peg has struck; ``at`` which count, if the wheel was slow enough to say."""
        stood_at = self._stood_at
        self.peg, self.direction = peg, direction
        self._restart(at)
        # Thrown from where a peg touches the leather, it is struck before a count is seen, and has not turned then.
        self._stood_at = stood_at if at == stood_at else None

    def released(self, at: int, read: int) -> None:
        """The contact closed; once more if it chattered.

        Args:
            at: the place, without what the delay of a leather that slips off adds.
            read: the count when it closed.
        """
        self._release = at, read  # Looked at when it matters: with the next strike, most often, it does not.

    def chattered(self) -> None:
        """The contact chattered: there was no release yet."""
        self._release = self._sections = None

    def turned_back(self, at: int, direction: int) -> None:
        """The wheel turned: it now moves in ``direction``."""
        if self.peg is None:
            return
        if self._stood_at is not None and abs(at - self._stood_at) > REST_COUNTS:
            self._stood_at = None
        sections, stood = self._free, self._stood_at is not None
        if sections is None:
            self._turned, self._turned_at = not stood, at
            return
        if direction != self.direction:
            first, last = self._geometry.release_at(self.peg, self.direction)
            if not first - 1 <= at <= last + 1:
                self._sections = self._free_at(at, sections) or sections
            elif len(sections) > 1 and not stood:  # From where it stood it may be thrown either way.
                self._sections, self._surely = self._both[1:], False

    def rested(self, at: int) -> None:
        """The wheel stands: it may next move either way, and that is no turning, nor is it if it stirs before."""
        self._sections = self._free  # As it was before the wheel stood.
        self._stood_at = at
        self._turned = False

    def _sections_after(self, at: int, read: int) -> tuple[int, ...]:
        geometry, way = self._geometry, self.direction
        assert self.peg is not None
        # A leather that the wheel takes back does not snap: the contact closes with less delay, or none.
        undelayed = read if (read - at) * way < 0 else at
        first, last = geometry.rock_back_at(self.peg, way)
        back = min(at, undelayed) <= last and max(at, undelayed) >= first
        slips = _within(geometry.release_at(self.peg, way), at)
        # A line that breaks seems to turn the wheel by a count or two.
        if self._turned and (at - self._turned_at) * way < _UNSEEN_COUNTS:
            slips = False
        if self._struck_at is not None:
            # Rocking back, the contact closes where it opened or before that; the leather slips off well beyond.
            slips = slips and (at - self._struck_at) * way >= geometry.release_after(way)
            back = back and (undelayed - self._struck_at) * way <= _EDGE_COUNTS
        beyond, before = self._both
        return (beyond,) * slips + (before,) * back

    def slips_at(self, at: int) -> bool:
        """The leather has just slipped off the peg, and no other peg can strike here."""
        if self.peg is None or self._both[0] not in (self._free or ()):
            return False
        after = self._geometry.strike_at(self.peg + self.direction, self.direction)
        return _within(self._geometry.release_at(self.peg, self.direction), at) and not _within(after, at)

    # -- the next peg ----------------------------------------------------------------------------------------

    def strike(self, at: int, direction: int) -> tuple[int, Fault | None]:
        """The peg of a strike that is not simply the next on the way, and what is wrong with it."""
        geometry, unfit = self._geometry, None
        if self.peg is not None:
            sections = self._free or self._both
            # Assumed places say less of the side on which the leather was let go.
            for section in sections if geometry.calibrated and self._surely else self._both:
                peg = section + (direction > 0)
                if _within(geometry.strike_at(peg, direction), at):
                    return peg, None
            unfit = _UNFIT
        section = geometry.section_near(at)
        for peg in (section, section + 1):
            if _within(geometry.strike_at(peg, direction), at):
                return peg, unfit
        return section + (direction > 0), _ASTRAY

    # -- at rest ---------------------------------------------------------------------------------------------

    def rest_position(self, at: int, bent: bool) -> RestPosition:
        """Where a wheel is at rest; ``bent`` if the contact is open."""
        geometry, near = self._geometry, self._geometry.section_near(at)
        if bent:
            pegs = [(peg, direction) for peg in (near, near + 1) for direction in (1, -1)]
            if self.peg is not None and self._free is None:
                pegs = [(self.peg, self.direction)]
            held_by = next((peg for peg, way in pegs if _within(geometry.bent_by(peg, way), at)), None)
            return (None, None, _HELD) if held_by is None else (None, held_by % geometry.sections, None)
        if self.peg is None:
            return self._by_count(at)
        if not self._free:
            return None, None, _TURNED if self._turned and self._free is not None else _LET_GO
        possible = self._free_at(at, self._free)
        if not possible:
            return None, None, _ELSEWHERE
        if len(possible) > 1:  # The encoder is too coarse to tell on which side of the peg.
            return None, self.peg % geometry.sections, None
        self._sections = possible
        return possible[0] % geometry.sections, None, None

    def _by_count(self, at: int) -> RestPosition:
        """No strike is known yet: the count alone must be clear."""
        near, sections = self._geometry.section_near(at), self._geometry.sections
        possible = self._free_at(at, (near - 1, near, near + 1))
        if possible == (near,):
            return near % sections, None, None
        return None, (near if near - 1 in possible else near + 1) % sections, None

    def _free_at(self, at: int, sections: tuple[int, ...]) -> tuple[int, ...]:
        """In which of these sections the clapper may hang free here."""
        return tuple(section for section in sections if _within(self._geometry.free_in(section), at))
