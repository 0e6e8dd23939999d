"""What sensors make of a wheel that moves: edges of encoder, index and clapper contact, stamped as by a kernel.

Independent of ``hal/mock``. The encoder's index is ungated or gated with its lines, the contact has a threshold,
hysteresis, delays and chatter, and a stamp is now and then late.
"""

import math
import random
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import groupby

from hal.events import EdgeBatch

_NS = 1_000_000_000
_START_NS = 40_000_000_000
_LATE_ONE_IN = 4000


@dataclass(frozen=True, slots=True)
class SensorParts:
    """Encoder, index and contact.

    Attributes:
        lines: of the encoder, a turn. runout: out of centre by so many degrees, and where.
        phases: where in a line A and B rise and fall, as parts of a line: A up, B up, A down, B down.
        backlash: how much later an edge comes when the wheel turns back, as part of a line.
        gate: the index is ungated "", gated with "A", or with both, "AB". inverted: it is low at its place.
        index: where the index is, degrees; width: of an ungated one, in lines.
        reversed: the encoder counts backwards.
        closes: the bend at which the contact closes, degrees, to either side; hysteresis: relative.
        delays: closing and opening, s, and their variation, relative. snap: time constant of the leather, s.
        chatter: the longest, s; bounces: the most in one.
    """

    lines: int
    runout: tuple[float, float]
    phases: tuple[float, float, float, float]
    backlash: float
    gate: str
    inverted: bool
    index: float
    width: float
    reversed: bool
    closes: tuple[float, float]
    hysteresis: float
    delays: tuple[float, float, float]
    snap: float
    chatter: float
    bounces: int


def _crossing(start: tuple[float, float, float], end: tuple[float, float, float], place: float) -> float:
    """When a place is passed, between two moments of a motion one way."""
    (t0, x0, v0), (t1, x1, v1) = start, end
    dt = t1 - t0
    if x1 == x0:
        return t1
    whole = (v0 + v1) / 2 * dt
    part = (place - x0) / (x1 - x0)
    if not whole:
        return t0 + part * dt
    acceleration, way = (v1 - v0) / dt, part * whole
    root = math.sqrt(max(0.0, v0 * v0 + 2 * acceleration * way))
    speeds = abs(v0) + root
    return t0 + min(dt, 2 * abs(way) / speeds) if speeds else t1


@dataclass(slots=True)
class WatchingSensors:
    """The sensor head of a wheel.

    Attributes:
        closed: whether the contact is closed, chatter and delays left out.
    """

    parts: SensorParts
    seed: int
    at: float
    """The wheel's angle at the start."""
    closed: bool = False
    _places: list[float] = field(default_factory=list)
    _letters: list[str] = field(default_factory=list)
    _next: int = 0
    _edges: list[tuple[float, str]] = field(default_factory=list)
    _contact: list[tuple[float, bool]] = field(default_factory=list)
    _index_places: tuple[float, float] = (0.0, 0.0)
    _index: bool = False
    _chance: random.Random = field(default_factory=random.Random)
    _seqno: int = 0
    _last_ns: int = 0

    def __post_init__(self) -> None:
        self._chance = random.Random(f"sensors {self.seed}")
        places = []
        for line in range(self.parts.lines):
            for phase, letter in zip(self.parts.phases, "ABab", strict=True):
                places.append((self._wheel((line + phase) * 360 / self.parts.lines), letter))
        self._places, self._letters = [place for place, _ in places], [letter for _, letter in places]
        self._next = math.floor(self.at / 360) * len(places) - 8
        while self._place(self._next) <= self.at:
            self._next += 1
        line = math.floor(self.parts.index / 360 * self.parts.lines)
        first = {"A": 4 * line, "AB": 4 * line + 1}.get(self.parts.gate)
        width = self.parts.width * 360 / self.parts.lines
        begin = self.parts.index if first is None else self._place(first) + 1e-9
        self._index_places = (begin, begin + width if first is None else self._place(4 * line + 2) + 1e-9)
        self._index = self._in_index(self.at)

    def _wheel(self, encoder: float) -> float:
        """The wheel's angle at an angle of the encoder, which is out of centre."""
        size, where = self.parts.runout
        return encoder - size * math.sin(math.radians(encoder - where))

    def _place(self, number: int) -> float:
        turns, edge = divmod(number, len(self._places))
        return self._places[edge] + turns * 360

    def _in_index(self, x: float) -> bool:
        low, high = self._index_places
        return (x - low) % 360 < high - low

    def levels(self) -> dict[str, bool]:
        """The level of each line now."""
        phase = self._next % 4
        a, b = phase in (1, 2), phase in (2, 3)
        levels = {"A": b, "B": a} if self.parts.reversed else {"A": a, "B": b}
        return levels | {"Z": self._index != self.parts.inverted, "C": self.closed}

    # -- what the wheel tells ------------------------------------------------------------------------------

    def moved(self, start: tuple[float, float, float], end: tuple[float, float, float], bend: float) -> None:
        """The wheel moved one way: time, place and speed before and after; the leather's bend after."""
        way = 1 if end[1] > start[1] else -1
        self._encoder(start, end, way)
        if not self.parts.gate:
            self._ungated(start, end, way)
        closes = self.parts.closes[0] if bend > 0 else self.parts.closes[1]
        if not self.closed and abs(bend) >= closes:
            self._switch(_crossing(start, end, end[1] - math.copysign(abs(bend) - closes, bend)), True)
        opens = closes * (1 - self.parts.hysteresis)
        if self.closed and abs(bend) <= opens and (bend * way < 0 or not bend):
            self._switch(_crossing(start, end, end[1] - way * (opens - abs(bend))), False)

    def slipped(self, at_s: float) -> None:
        """The leather slipped off a peg, and snaps back."""
        if self.closed:
            self._switch(at_s + self.parts.snap * self._chance.uniform(0.9, 1.1), False)

    def _encoder(self, start: tuple[float, float, float], end: tuple[float, float, float], way: int) -> None:
        back = self.parts.backlash * 360 / self.parts.lines
        while True:
            number = self._next if way > 0 else self._next - 1
            place = self._place(number) - (back if way < 0 else 0.0)
            if (place - end[1]) * way > 0:
                return
            at, letter = _crossing(start, end, place), self._letters[number % len(self._letters)]
            if (place - start[1]) * way < 0:
                at = start[0]
            self._edges.append((at, letter if way > 0 else letter.swapcase()))
            self._next += way
            if self.parts.gate:
                self._gated(at + self._chance.gauss(0, 2e-6))

    def _gated(self, at: float) -> None:
        low = self._place(self._next - 1)
        self._set_index(at, self._in_index(low + 2e-9))

    def _ungated(self, start: tuple[float, float, float], end: tuple[float, float, float], way: int) -> None:
        low, high = sorted((start[1], end[1]))
        for place in self._index_places[::way]:
            at = place + math.ceil((low - place) / 360) * 360
            if low < at <= high:
                middle = at + way * 1e-9
                self._set_index(_crossing(start, end, at), self._in_index(middle))

    def _set_index(self, at: float, level: bool) -> None:
        if level != self._index:
            self._index = level
            self._edges.append((at, "Z" if level != self.parts.inverted else "z"))

    def _switch(self, at: float, closed: bool) -> None:
        self.closed = closed
        closing, opening, varies = self.parts.delays
        late = (closing if closed else opening) * max(0.3, self._chance.gauss(1, varies))
        self._contact.append((at + late, closed))

    # -- as the kernel gives it ----------------------------------------------------------------------------

    def _bounced(self) -> Iterator[tuple[float, str]]:
        """The contact's edges with their chatter; a closing that its opening overtakes does not show."""
        kept: list[tuple[float, bool]] = []
        for at, closed in self._contact:
            if kept and at <= kept[-1][0]:
                kept.pop()
            else:
                kept.append((at, closed))
        for number, (at, closed) in enumerate(kept):
            end = kept[number + 1][0] if number + 1 < len(kept) else math.inf
            letter, other = ("C", "c") if closed else ("c", "C")
            yield at, letter
            pairs = self._chance.randint(0, self.parts.bounces)
            long = self.parts.chatter * self._chance.random()
            moments = sorted(at + self._chance.uniform(2e-6, long + 4e-6) for _ in range(2 * pairs))
            for back, again in zip(moments[::2], moments[1::2], strict=True):
                if again < end:
                    yield back, other
                    yield again, letter

    def take(self, every_ns: int = 4_000_000) -> list[EdgeBatch]:
        """All edges since the last time, in batches as they are read: so often."""
        edges = sorted([*self._edges, *self._bounced()], key=lambda edge: edge[0])
        self._edges, self._contact = [], []
        swap = {"A": "B", "B": "A", "a": "b", "b": "a"} if self.parts.reversed else {}
        stamped: list[tuple[int, int]] = []
        for at, letter in edges:
            late = self._chance.uniform(1e-4, 1e-3) if self._chance.random() * _LATE_ONE_IN < 1 else 0.0
            ns = _START_NS + round((at + abs(self._chance.gauss(3e-6, 2e-6)) + late) * _NS)
            self._last_ns = max(self._last_ns, ns)
            stamped.append((self._last_ns, ord(swap.get(letter, letter))))
        batches = []
        for _, group in groupby(stamped, key=lambda edge: edge[0] // every_ns):
            some = list(group)
            first, self._seqno = self._seqno + 1, self._seqno + len(some)
            numbers = range(first, self._seqno + 1)
            batches.append(EdgeBatch(bytes(one for _, one in some), [ns for ns, _ in some], numbers))
        return batches
