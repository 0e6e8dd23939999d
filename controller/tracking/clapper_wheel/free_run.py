"""A wheel that runs freely, many edges at once: what nearly all of a spin is.

The encoder's edges are one run, each strike is the next peg's and comes soon after the last, and nothing is
doubtful. Whatever is not so is looked at edge by edge (``wheel.py``), with the same outcome.
"""

from collections.abc import Sequence
from operator import sub
from typing import Final

from controller.tracking.clapper_wheel.contact import Contact, ContactLook, Speed, late_counts
from controller.tracking.clapper_wheel.geometry import WheelGeometry
from controller.tracking.clapper_wheel.trust import Trust
from controller.tracking.clapper_wheel.wheel_motion import WheelMotion
from controller.tracking.motion import NEVER
from controller.tracking.reading import OTHERS, Stamps, TrainStamps, stamps_at

_FEWEST: Final = 3
"""Fewer edges are never taken at once."""
_FEW: Final = 32
"""So many edges are taken one by one before it is tried again to take many."""
_AT_ONCE: Final = (512, 128, 32)
_MOST: Final = 2048
"""A turn of most encoders is taken at once, if neither a rest nor anything else may have come in between."""
_LOOKED_AT: Final = 128
"""In a longer run, the stamps of edges so far apart show that the wheel never stood still."""


class FreeRun:
    """Takes what lies between two edges of the index, or the first part of it.

    Attributes:
        few: so many edges have to be taken one by one, after those that were taken. 1: it is a slow strike.
    """

    def __init__(self, geometry: WheelGeometry, motion: WheelMotion, trust: Trust, contact: Contact) -> None:
        self.few = _FEW
        self._motion = motion
        self._trust = trust
        self._contact = contact
        self._rest_ns = geometry.rest_ns
        self._closing_delay = geometry.measured.closing_delay_ns * geometry.counts_per_turn // geometry.sections
        self._opening_delay_ns = geometry.measured.opening_delay_ns

    def takes(self, edges: bytes, stamps: Sequence[int], first: int, end: int) -> int:
        """Take edges of encoder and clapper, if the wheel runs freely meanwhile.

        Returns:
            the first edge that was not taken.
        """
        self.few = _FEW
        due_ns = self._motion.rest.due_ns
        if due_ns == NEVER or end - first < _FEWEST:  # So few lie between the index's two edges.
            return first
        if end - first <= _AT_ONCE[0]:
            if stamps[end - 1] < due_ns:  # So far the wheel surely does not stand still.
                return self._take(edges[first:end], stamps, first, True)
        elif stamps[first + _AT_ONCE[0] - 1] < due_ns:
            taken = self._take(edges[first : min(end, first + _MOST)], stamps, first, False)
            if taken > first:
                return taken
        for many in _AT_ONCE:
            stop = min(end, first + many)
            if stamps[stop - 1] < due_ns:
                return self._take(edges[first:stop], stamps, first, True)
        return first

    def _keeps_moving(self, stamps: Stamps, first: int, edges: int, last_ns: int) -> bool:
        """Whether the wheel surely never stands still during so many edges, nor until ``last_ns``."""
        last = first + edges - 1
        looked_ns = stamps_at(stamps, [*range(first, last, _LOOKED_AT), last])
        rest_ns = self._rest_ns
        return (
            looked_ns[:3][-1] < self._motion.rest.due_ns
            and last_ns < stamps[last - 2] + rest_ns
            and max(map(sub, looked_ns[2:], looked_ns), default=0) < rest_ns
        )

    def _take(self, part: bytes, stamps: Sequence[int], first: int, moves: bool) -> int:
        """As :meth:`takes`; ``moves`` says that the wheel surely does not stand still meanwhile."""
        train = part.translate(None, OTHERS)
        if len(train) == len(part):
            return first + self._encoder(train, stamps, first, moves)
        look = self._contact.look(part, stamps, first)
        if look is None:
            return first
        end = first + len(part)
        if look.slow is not None:
            train = train[: look.places[look.slow]]
            end = first + len(train) + look.slow
            del look.places[look.slow :], look.stamps_ns[look.slow :]
        taken = self._with_contact(look, train, TrainStamps(stamps, look.places, first), moves)
        if look.slow is None:
            self.few = 0 if taken else _FEW
        else:
            self.few = 1 if taken else min(_FEW, end - first + 1)
        return end if taken else first

    def _direction(self, train: bytes) -> int:
        """The direction, if it goes on as before in one run; else 0."""
        direction = self._motion.quadrature.heading(train)
        return direction if direction == self._motion.direction and len(train) >= _FEWEST else 0

    def _encoder(self, train: bytes, stamps: Stamps, first: int, moves: bool) -> int:
        """The encoder's edges alone. Returns how many were taken: all or none."""
        motion, trust, edges = self._motion, self._trust, len(train)
        direction = motion.quadrature.heading(train)
        if direction != motion.direction or edges < _FEWEST or not direction:
            return 0
        if not trust.lowest <= motion.count + direction * edges <= trust.highest:
            return 0
        if not moves and not self._keeps_moving(stamps, first, edges, 0):
            return 0
        motion.quadrature.follow(train, direction)
        motion.advance(edges, direction, stamps, first)
        self.few = 0
        return edges

    def _within(self, counts: int) -> bool:
        """Neither a strike nor an index pulse is overdue after so many counts."""
        return self._trust.lowest <= self._motion.count + counts <= self._trust.highest

    def _with_contact(self, look: ContactLook, train: bytes, train_ns: TrainStamps, moves: bool) -> bool:
        motion, direction, edges = self._motion, self._direction(train), len(train)
        places, strikes, before = look.places, look.strikes, motion.moved
        after = strikes[-1] + 1 if strikes else 0
        if not direction or (before[2] < _FEWEST and after < len(places) and places[after] < _FEWEST):
            return False
        if not (self._in_turn(look, edges, direction) if strikes else self._within(direction * edges)):
            return False
        last_ns = look.stamps_ns[-1] if places else 0
        if not moves and not self._keeps_moving(train_ns, 0, edges, last_ns):
            return False
        motion.quadrature.follow(train, direction)
        motion.advance(edges, direction, train_ns, 0)
        if strikes:
            self._strike(look, edges)
        if after < len(places):
            self._open(look, after, edges, train_ns, before)
        if places:
            self._contact.level.passed(self._closed_after(len(places)), last_ns)
        return True

    def _closed_after(self, edges: int) -> bool:
        """Whether the contact is closed after so many edges, which take turns."""
        return self._contact.level.closed ^ (edges & 1 == 1)

    def _in_turn(self, look: ContactLook, edges: int, direction: int) -> bool:
        """Whether each strike is the next peg's."""
        motion, trust, places = self._motion, self._trust, look.places
        count = motion.count
        if not trust.located:
            struck = [places[edge] for edge in look.strikes]
            return self._within(direction * edges) and trust.regular(struck, motion.path)
        if self._closing_delay:
            late = self._late(look)
            counts = [count + direction * (places[edge] - by) for edge, by in zip(look.strikes, late, strict=True)]
        else:
            counts = [count + direction * places[edge] for edge in look.strikes]
        return trust.sweeps(counts, direction, count + direction * edges)

    def _late(self, look: ContactLook) -> Sequence[int]:
        """How many counts after its peg each strike came, the contact closing with a delay."""
        before_ns, late = self._contact.struck_ns, []
        for edge in look.strikes:
            at_ns = look.stamps_ns[edge]
            late.append(self._closing_delay // (at_ns - before_ns))
            before_ns = at_ns
        return late

    def _strike(self, look: ContactLook, counts: int) -> None:
        motion, last = self._motion, look.strikes[-1]
        at_ns, path = look.stamps_ns[last], motion.path - counts + look.places[last]
        self._contact.closes(at_ns, path, motion.direction)
        motion.rest.stir(at_ns)
        self._trust.sweep(len(look.strikes), path, motion.direction)

    def _open(
        self, look: ContactLook, after: int, counts: int, train_ns: Stamps, before: tuple[Stamps, int, int]
    ) -> None:
        """What the contact did after the last strike: only how it ended says where the clapper hangs."""
        motion, contact, places, speed = self._motion, self._contact, look.places, None
        if not self._closed_after(after):
            contact.edges.chatters()
            after += 1
        begun = motion.path - counts
        for edge in range(after, len(places), 2):
            speed = contact.pace.at(begun + places[edge], look.stamps_ns[edge])
        closed = self._closed_after(len(places))
        last = len(places) - 1 - closed
        if last >= after:
            place, at_ns = places[last], look.stamps_ns[last]
            if not closed:
                contact.edges.opens(at_ns)
            late = self._late_opening(speed, at_ns, place, train_ns, before) if self._opening_delay_ns else 0
            at = motion.count - motion.direction * (counts - place)
            self._trust.released(at, motion.direction, begun + place, late)
        if closed:
            self._trust.passage.closed_again()

    def _late_opening(
        self, speed: Speed | None, at_ns: int, place: int, train_ns: Stamps, before: tuple[Stamps, int, int]
    ) -> int:
        """How many counts after its place the contact opened."""
        if speed is None:
            last_ns = _stamp(train_ns, before, place - 1)
            speed = 2, max(last_ns - _stamp(train_ns, before, place - 3), at_ns - last_ns)
        return late_counts(speed, self._opening_delay_ns)


def _stamp(train_ns: Stamps, before: tuple[Stamps, int, int], place: int) -> int:
    """Of an edge of this run, or of the one before."""
    stamps, last, _ = before
    return train_ns[place] if place >= 0 else stamps[last + 1 + place]
