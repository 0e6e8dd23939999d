"""A wheel that runs freely, many edges at once: what nearly all of a spin is.

The encoder's edges are one run, each strike is the next peg's and comes soon after the last, and nothing is
doubtful. Whatever is not so is looked at edge by edge (``wheel.py``), with the same outcome.
"""

from collections.abc import Sequence

from controller.tracking.clapper_wheel.contact import Contact, ContactLook, late_counts
from controller.tracking.clapper_wheel.geometry import WheelGeometry
from controller.tracking.clapper_wheel.trust import Trust
from controller.tracking.clapper_wheel.wheel_motion import WheelMotion
from controller.tracking.motion import NEVER
from controller.tracking.reading import OTHERS, Stamps, TrainStamps

_FEWEST = 3
_AT_ONCE = (512, 128, 32)


class FreeRun:
    """Takes what lies between two edges of the index, or the first part of it."""

    def __init__(self, geometry: WheelGeometry, motion: WheelMotion, trust: Trust, contact: Contact) -> None:
        self._motion = motion
        self._trust = trust
        self._contact = contact
        self._closing_delay = geometry.measured.closing_delay_ns * geometry.counts_per_turn // geometry.sections
        self._opening_delay_ns = geometry.measured.opening_delay_ns

    def takes(self, edges: bytes, stamps: Sequence[int], first: int, end: int) -> int:
        """Take edges of encoder and clapper, if the wheel runs freely meanwhile.

        Returns:
            the first edge that was not taken.
        """
        end = self._before_rest(stamps, first, end)
        if end == first:
            return first
        train = edges[first:end].translate(None, OTHERS)
        if len(train) == end - first:
            return end if self._encoder(train, stamps, first) else first
        look = self._contact.look(edges, stamps, first, end)
        train = train[: look.end - first - len(look.places)]
        return look.end if self._with_contact(look, train, stamps, first) else first

    def _before_rest(self, stamps: Sequence[int], first: int, end: int) -> int:
        """So far the wheel surely does not stand still."""
        due_ns = self._motion.rest.due_ns
        if due_ns != NEVER:
            for many in _AT_ONCE:
                stop = min(end, first + many)
                if stamps[stop - 1] < due_ns:
                    return stop
        return first

    def _direction(self, train: bytes) -> int:
        """The direction, if it goes on as before in one run; else 0."""
        direction = self._motion.quadrature.heading(train)
        return direction if direction == self._motion.direction and len(train) >= _FEWEST else 0

    def _encoder(self, train: bytes, stamps: Stamps, first: int) -> bool:
        """The encoder's edges alone."""
        direction = self._direction(train)
        if not direction or not self._within(direction * len(train)):
            return False
        self._motion.quadrature.follow(train, direction)
        self._motion.advance(len(train), direction, stamps, first)
        return True

    def _within(self, counts: int) -> bool:
        """Neither a strike nor an index pulse is overdue after so many counts."""
        return self._trust.lowest <= self._motion.count + counts <= self._trust.highest

    def _with_contact(self, look: ContactLook, train: bytes, stamps: Sequence[int], first: int) -> bool:
        motion, direction = self._motion, self._direction(train)
        before = motion.moved
        if not direction or (look.after and look.after[0][0] < _FEWEST > before[2]):
            return False
        if not (self._in_turn(look, train, direction) if look.strikes else self._within(direction * len(train))):
            return False
        train_ns = TrainStamps(stamps, look.places, first)
        motion.quadrature.follow(train, direction)
        motion.advance(len(train), direction, train_ns, 0)
        self._contact.level.passed(look.closed, look.changed_ns)
        if look.strikes:
            self._strike(look, len(train))
        if look.after:
            self._open(look, len(train), train_ns, before)
        return True

    def _in_turn(self, look: ContactLook, train: bytes, direction: int) -> bool:
        """Whether each strike is the next peg's."""
        motion, trust = self._motion, self._trust
        if not trust.located:
            return self._within(direction * len(train)) and trust.regular(look.strikes, motion.path)
        count = motion.count
        counts = [count + direction * place for place in look.strikes]
        return trust.sweeps(counts, self._late(look.struck_ns), direction, count + direction * len(train))

    def _late(self, struck_ns: Sequence[int]) -> Sequence[int]:
        """How many counts after its peg each strike came, the contact closing with a delay."""
        if not self._closing_delay:
            return ()
        before_ns, late = self._contact.struck_ns, []
        for at_ns in struck_ns:
            late.append(self._closing_delay // (at_ns - before_ns))
            before_ns = at_ns
        return late

    def _strike(self, look: ContactLook, counts: int) -> None:
        motion, at_ns = self._motion, look.struck_ns[-1]
        path = motion.path - counts + look.strikes[-1]
        self._contact.closes(at_ns, path, motion.direction)
        motion.rest.stir(at_ns)
        self._trust.sweep(len(look.strikes), path, motion.direction)

    def _open(self, look: ContactLook, counts: int, train_ns: Stamps, before: tuple[Stamps, int, int]) -> None:
        """What the contact did after the last strike: only how it ended says where the clapper hangs."""
        motion, contact, direction = self._motion, self._contact, self._motion.direction
        released: tuple[int, int, int, int] | None = None
        for place, at_ns, opens in look.after:
            if not opens:
                contact.edges.chatters()
                continue
            path = motion.path - counts + place
            speed = contact.opens(at_ns, path)
            if speed is None:
                last_ns = _stamp(train_ns, before, place - 1)
                speed = 2, max(last_ns - _stamp(train_ns, before, place - 3), at_ns - last_ns)
            late = late_counts(speed, self._opening_delay_ns)
            released = motion.count - direction * (counts - place), direction, path, late
        if released is not None:
            self._trust.released(*released)
        if look.closed:
            self._trust.passage.closed_again()


def _stamp(train_ns: Stamps, before: tuple[Stamps, int, int], place: int) -> int:
    """Of an edge of this run, or of the one before."""
    stamps, last, _ = before
    return train_ns[place] if place >= 0 else stamps[last + 1 + place]
