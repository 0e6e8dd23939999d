"""In which section the clapper hangs: from every strike and release, by peg, direction and place.

The leather is in one section until a peg takes it along. The peg closes the contact (a strike) and then either
lets the leather slip off, and it hangs in the next section; or the wheel rocks back, and it hangs where it hung
before. The place at which the contact opens, and whether the wheel turned back meanwhile, say which. So a wheel
that rests a hair from a peg, on either side of it, rests in a known section; its place only has to agree.

Counts are from the index mark, without what the contact's delay adds at the wheel's speed.
"""

from enum import Enum
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


class Release(Enum):
    """How the contact opened again after a strike."""

    NOT_YET = "not yet"
    SLIPPED = "slipped off: the next section"
    BACK = "rocked back: the section before"
    EITHER = "either; the place at rest says which"
    UNFIT = "where no peg lets the leather go"


class Passage:
    """The peg that was struck last, and what became of it."""

    def __init__(self, geometry: WheelGeometry) -> None:
        self._geometry = geometry
        self.forget()

    def forget(self) -> None:
        """It is not known which peg was struck last."""
        self.peg: int | None = None
        self.direction = 0
        self._restart()

    def _restart(self) -> None:
        self._opened_at: int | None = None
        self._read = 0
        self._known = Release.NOT_YET
        self._struck_at: int | None = None
        self._stood_at: int | None = None
        self._turned = False
        """The wheel turned while the peg held the clapper."""
        self._turned_at = 0
        self._turns_after = 0
        self._turned_free = False
        """It turned back just where the leather had slipped off."""

    def struck(self, peg: int, direction: int, at: int | None = None) -> None:
        """This peg has closed the contact; ``at`` which count, if the wheel was slow enough to say."""
        self.peg = peg
        self.direction = direction
        stood_at = self._stood_at
        self._restart()
        self._struck_at = at
        # Thrown from where a peg touches the leather, it is struck before a count is seen, and has not turned then.
        self._stood_at = stood_at if at == stood_at else None

    def turned_back(self, at: int, direction: int) -> None:
        """The wheel turned: it now moves in ``direction``."""
        if self.peg is None:
            return
        stood_at = self._stood_at
        if stood_at is not None and abs(at - stood_at) > REST_COUNTS:
            stood_at = self._stood_at = None
        if self._release is Release.NOT_YET:
            self._turned, self._turned_at = stood_at is None, at
        else:
            if not self._turns_after and direction != self.direction:
                self._turned_after_release(at, stood_at is not None)
            self._turns_after += 1

    def _turned_after_release(self, at: int, stood: bool) -> None:
        assert self.peg is not None
        first, last = self._geometry.slip_at(self.peg, self.direction)
        if not first - 1 <= at <= last + 1:
            self._settle(at)
            return
        if self._release is Release.EITHER and not stood:  # From where it stood it may be thrown either way.
            self._release = Release.BACK
        self._turned_free, self._turned_at = self._release is Release.SLIPPED, at

    def _settle(self, at: int) -> None:
        """The wheel was here with the clapper free: in one of the two sections it can be, in the other not."""
        if self.peg is not None and self._release is Release.EITHER:
            beyond, before = (self._is_free(section, at) for section in self._sections(self.peg))
            if beyond != before:
                self._release = Release.SLIPPED if beyond else Release.BACK

    def rested(self, at: int) -> None:
        """The wheel stands: it may next move either way, and that is no turning, nor is it if it stirs before."""
        self._stood_at = at
        self._release = self._release  # As it was before the wheel stood.
        self._turned = False
        self._turns_after = 0

    def opened(self, at: int, read: int) -> None:
        """The contact opened; once more if it chattered.

        Args:
            at: the place, without what the delay of a leather that slips off adds.
            read: the count when it opened.
        """
        # Looked at when it matters: with the next strike, most often, it does not.
        self._opened_at, self._read = at, read

    @property
    def _release(self) -> Release:
        if self._opened_at is not None:
            self._release = self._how_opened(self._opened_at)
        return self._known

    @_release.setter
    def _release(self, release: Release) -> None:
        self._opened_at, self._known = None, release

    def _how_opened(self, at: int) -> Release:
        if self.peg is None:
            return self._known
        slips = self._within(self._geometry.slip_at(self.peg, self.direction), at)
        back, bends = self._opened_back(at)
        # A line that breaks seems to turn the wheel by a count or two.
        if self._turned and (at - self._turned_at) * self.direction < _UNSEEN_COUNTS:
            slips = False
        if self._struck_at is not None:
            # Rocking back, the contact opens where it closed or before that; the leather slips off well beyond.
            bent = (at - self._struck_at) * self.direction
            slips = slips and bent >= self._geometry.slips_after(self.direction)
            back = back and bends <= _EDGE_COUNTS
        if back:
            return Release.EITHER if slips else Release.BACK
        return Release.SLIPPED if slips else Release.UNFIT

    def _opened_back(self, at: int) -> tuple[bool, int]:
        """Whether the contact may have opened here on the way back, and by how much beyond the strike at least.

        A leather that the wheel takes back does not snap: the contact opens with less delay, or none.
        """
        assert self.peg is not None
        opened = self._read if (self._read - at) * self.direction < 0 else at
        first, last = self._geometry.reopen_at(self.peg, self.direction)
        meets = min(at, opened) <= last and max(at, opened) >= first
        struck_at = opened if self._struck_at is None else self._struck_at
        return meets, (opened - struck_at) * self.direction

    def slips_at(self, at: int) -> bool:
        """The leather has just slipped off the peg, and no other peg can strike here."""
        if self.peg is None or self._release not in (Release.SLIPPED, Release.EITHER):
            return False
        after = self._geometry.strike_at(self.peg + self.direction, self.direction)
        return self._within(self._geometry.slip_at(self.peg, self.direction), at) and not self._within(after, at)

    def closed_again(self) -> None:
        """The contact chattered: it has not opened yet."""
        self._release = Release.NOT_YET

    @staticmethod
    def _within(window: Window, at: int) -> bool:
        return window[0] <= at <= window[1]

    def strike(self, at: int, direction: int) -> tuple[int, Fault | None]:
        """The peg of a strike that is not simply the next on the way, and what is wrong with it."""
        geometry = self._geometry
        if self.peg is None:
            return self._nearest(at, direction)
        for peg in self._next_pegs(direction):
            if self._within(geometry.strike_at(peg, direction), at):
                return peg, None
        peg, fault = self._nearest(at, direction)
        return peg, fault or _UNFIT

    def _nearest(self, at: int, direction: int) -> tuple[int, Fault | None]:
        section = self._geometry.section_near(at)
        for peg in (section, section + 1):
            if self._within(self._geometry.strike_at(peg, direction), at):
                return peg, None
        return section + (direction > 0), _ASTRAY

    def _next_pegs(self, direction: int) -> tuple[int, ...]:
        """The pegs that a wheel moving in ``direction`` can strike next."""
        assert self.peg is not None
        sections = self._sections(self.peg)
        if not self._geometry.calibrated:  # Assumed places say less of the side on which the leather was let go.
            sections = tuple(sorted({self.peg, self.peg - 1} - {*sections})) + sections
        return tuple(section + (direction > 0) for section in sections)

    @property
    def slipped(self) -> bool:
        """The leather has slipped off the peg that was struck last."""
        return self.peg is not None and self._release is Release.SLIPPED

    @property
    def backed_off(self) -> bool:
        """The peg that was struck last has let the leather go on the side from which it came."""
        return self.peg is not None and self._release is Release.BACK

    @property
    def fault(self) -> Fault | None:
        """What is wrong with the contact's last opening."""
        return (_TURNED if self._turned else _LET_GO) if self._release is Release.UNFIT else None

    def _sections(self, peg: int) -> tuple[int, ...]:
        """The sections in which the clapper may hang after the last strike, the likelier one first."""
        beyond, before = (peg, peg - 1) if self.direction > 0 else (peg - 1, peg)
        if self._release is Release.SLIPPED:
            return (beyond,)
        return (before,) if self._release is Release.BACK else (beyond, before)

    def stand(self, at: int, closed: bool) -> tuple[int | None, int | None, Fault | None]:
        """Where a wheel at rest stands: (section, boundary, fault), exactly one of them set."""
        if closed:
            return self._bent(at)
        if self.peg is None:
            return self._by_count(at)
        if self._release in (Release.UNFIT, Release.NOT_YET):
            return None, None, self.fault or _LET_GO
        if self._turned_free and abs(at - self._turned_at) < _UNSEEN_COUNTS:  # A broken line turns no farther.
            return None, None, _TURNED
        possible = [section for section in self._sections(self.peg) if self._is_free(section, at)]
        if not possible:
            return None, None, _ELSEWHERE
        if len(possible) > 1:  # The encoder is too coarse to tell on which side of the peg.
            return None, self.peg % self._geometry.sections, None
        beyond = possible[0] == (self.peg if self.direction > 0 else self.peg - 1)
        self._release = Release.SLIPPED if beyond else Release.BACK
        return possible[0] % self._geometry.sections, None, None

    def _is_free(self, section: int, at: int) -> bool:
        return self._within(self._geometry.free_in(section), at)

    def _bent(self, at: int) -> tuple[int | None, int | None, Fault | None]:
        geometry = self._geometry
        if self.peg is not None and self._release is Release.NOT_YET:
            pegs: tuple[tuple[int, int], ...] = ((self.peg, self.direction),)
        else:
            section = geometry.section_near(at)
            pegs = tuple((peg, direction) for peg in (section, section + 1) for direction in (1, -1))
        for peg, direction in pegs:
            if self._within(geometry.bent_by(peg, direction), at):
                return None, peg % geometry.sections, None
        return None, None, _HELD

    def _by_count(self, at: int) -> tuple[int | None, int | None, Fault | None]:
        """No strike is known yet: the count alone must be clear."""
        geometry = self._geometry
        near = geometry.section_near(at)
        possible = [section for section in (near - 1, near, near + 1) if self._is_free(section, at)]
        if possible == [near]:
            return near % geometry.sections, None, None
        boundary = near if near - 1 in possible else near + 1
        return None, boundary % geometry.sections, None
