"""The clapper's contact from edge to edge: its level, when it closed last, and how fast the wheel was meanwhile."""

from collections.abc import Sequence
from typing import Final, NamedTuple

from controller.tracking.clapper_wheel.clapper import ClapperLevel, ContactPace
from controller.tracking.clapper_wheel.ending import ContactEdges
from controller.tracking.quadrature import LONGEST
from controller.tracking.reading import ENCODER
from hal.events import CLAPPER

SLOW_NS: Final = 200_000_000
"""Strikes further apart are looked at one by one, with the openings between them."""
_NEVER_NS: Final = -1 << 60
_IN_TURN: Final = f"{CLAPPER}{CLAPPER.lower()}".encode() * (LONGEST // 2 + 1)
"""Each edge of a line differs from the one before, unless one was lost."""
_RISE: Final = CLAPPER.encode()
_RISES: Final = bytes.maketrans(CLAPPER.lower().encode(), _RISE)
Speed = tuple[int, int]
"""Counts, and within how many nanoseconds."""


class ContactLook(NamedTuple):
    """What the contact does among edges of the encoder.

    Attributes:
        places: how many edges of the encoder come before each edge of the contact.
        stamps_ns: when each of these came.
        strikes: which of them are strikes, up to the first that is slow.
        slow: which of them is this; None if none is.
    """

    places: list[int]
    stamps_ns: list[int]
    strikes: list[int]
    slow: int | None


class Contact:
    """What is known of the contact's edges so far.

    Attributes:
        level: open or closed.
        edges: the last of them.
        struck_ns: the last strike.
        pace: how fast the wheel is from edge to edge.
    """

    def __init__(self, closed: bool, debounce_ns: int) -> None:
        self.level = ClapperLevel(closed, debounce_ns)
        self.edges = ContactEdges()
        self.struck_ns = _NEVER_NS
        self.pace = ContactPace()

    def look(self, part: bytes, stamps: Sequence[int], first: int) -> ContactLook | None:
        """Look ahead at edges, those of the index not among them; nothing is taken.

        Args:
            part: the edges.
            first: where the stamp of the first of them stands among ``stamps``.

        Returns:
            None if an edge of the contact was lost.
        """
        letters = part.translate(None, ENCODER)
        opens = self.level.closed
        if letters != _IN_TURN[opens : opens + len(letters)]:
            return None
        places: list[int] = []
        stamps_ns: list[int] = []
        trains, place = part.translate(_RISES).split(_RISE), 0
        trains.pop()  # What comes after the last of them.
        for train in trains:
            place += len(train)
            stamps_ns.append(stamps[first + place + len(places)])
            places.append(place)
        debounce_ns, before_ns, open_ns = self.level.debounce_ns, self.struck_ns, self.level.changed_ns
        strikes: list[int] = []
        for edge in range(opens, len(stamps_ns), 2):
            at_ns = stamps_ns[edge]
            if at_ns - (stamps_ns[edge - 1] if edge else open_ns) >= debounce_ns:
                if at_ns - before_ns >= SLOW_NS:
                    return ContactLook(places, stamps_ns, strikes, edge)
                strikes.append(edge)
                before_ns = at_ns
        return ContactLook(places, stamps_ns, strikes, None)

    def closes(self, at_ns: int, path: int, direction: int) -> Speed | None:
        """A strike; returns the wheel's speed since the last edge, None if that is not known.

        Args:
            path: the number of encoder edges seen so far.
            direction: in which the wheel moves.
        """
        self.struck_ns = at_ns
        self.edges.closes(at_ns, direction)
        return self.pace.at(path, at_ns)

    def opens(self, at_ns: int, path: int) -> Speed | None:
        """An opening, perhaps not the last one before the next strike; otherwise as for a strike."""
        self.edges.opens(at_ns)
        return self.pace.at(path, at_ns)

    def rests(self) -> None:
        """The wheel stands: what follows begins at no speed."""
        self.pace = ContactPace()


def late_counts(speed: Speed, delay_ns: int) -> int:
    """How many counts the wheel turns during a delay of the contact."""
    moved, within_ns = speed
    return moved * delay_ns // within_ns if within_ns > 0 else 0
