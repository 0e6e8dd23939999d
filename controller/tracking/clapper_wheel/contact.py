"""The clapper's contact from edge to edge: its level, when it closed last, and how fast the wheel was meanwhile."""

import re
from collections.abc import Sequence
from typing import NamedTuple

from controller.tracking.clapper_wheel.clapper import OPENS, ClapperLevel, ContactPace
from controller.tracking.clapper_wheel.ending import ContactEdges
from hal.events import CLAPPER

SLOW_NS = 200_000_000
"""Strikes further apart are looked at one by one, with the openings between them."""
_NEVER_NS = -1 << 60
_edges_of_contact = re.compile(f"[{CLAPPER}{CLAPPER.lower()}]".encode()).finditer
Speed = tuple[int, int]
"""Counts, and within how many nanoseconds."""


class ContactLook(NamedTuple):
    """What the contact does among edges of the encoder, up to the first strike that is slow.

    Attributes:
        end: the first edge that was not looked at.
        places: how many edges of the encoder come before each edge of the contact.
        strikes: the same of the strikes.
        struck_ns: when these came.
        after: the edges after the last strike: place, moment, and whether the contact opens.
        closed: the level then.
        changed_ns: when it changed.
    """

    end: int
    places: list[int]
    strikes: list[int]
    struck_ns: list[int]
    after: list[tuple[int, int, bool]]
    closed: bool
    changed_ns: int


class Contact:
    """What is known of the contact's edges so far.

    Attributes:
        level: open or closed.
        edges: the last of them.
        struck_ns: the last strike.
    """

    def __init__(self, closed: bool, debounce_ns: int) -> None:
        self.level = ClapperLevel(closed, debounce_ns)
        self.edges = ContactEdges()
        self.struck_ns = _NEVER_NS
        self._pace = ContactPace()

    def look(self, edges: bytes, stamps: Sequence[int], first: int, end: int) -> ContactLook:
        """Look ahead at edges, those of the index not among them; nothing is taken."""
        closed, changed_ns, debounce_ns = self.level.closed, self.level.changed_ns, self.level.debounce_ns
        before_ns = self.struck_ns
        places: list[int] = []
        strikes: list[int] = []
        struck_ns: list[int] = []
        after: list[tuple[int, int, bool]] = []
        for found in _edges_of_contact(edges, first, end):
            at = found.start()
            at_ns, place = stamps[at], at - first - len(places)
            if edges[at] == OPENS:
                after.append((place, at_ns, True))
                closed = False
            elif closed or at_ns - changed_ns < debounce_ns:
                after.append((place, at_ns, False))
                closed = True
            elif at_ns - before_ns >= SLOW_NS:
                end = at
                break
            else:
                strikes.append(place)
                struck_ns.append(at_ns)
                after = []
                before_ns, closed = at_ns, True
            places.append(place)
            changed_ns = at_ns
        return ContactLook(end, places, strikes, struck_ns, after, closed, changed_ns)

    def closes(self, at_ns: int, path: int, direction: int) -> Speed | None:
        """A strike; returns the wheel's speed since the last edge, None if that is not known.

        Args:
            path: the number of encoder edges seen so far.
            direction: in which the wheel moves.
        """
        self.struck_ns = at_ns
        self.edges.closes(at_ns, direction)
        return self._pace.at(path, at_ns)

    def opens(self, at_ns: int, path: int) -> Speed | None:
        """An opening, perhaps not the last one before the next strike; otherwise as for a strike."""
        self.edges.opens(at_ns)
        return self._pace.at(path, at_ns)

    def rests(self) -> None:
        """The wheel stands: what follows begins at no speed."""
        self._pace = ContactPace()


def late_counts(speed: Speed, delay_ns: int) -> int:
    """How many counts the wheel turns during a delay of the contact."""
    moved, within_ns = speed
    return moved * delay_ns // within_ns if within_ns > 0 else 0
