"""Faults of sensors, wires and kernel, applied to recorded edges. Used by the recorder.

A fault of a sensor (slip, late, hanging, index-doubled) changes what the sensors do. A fault of a wire changes the
levels that arrive. A fault of the kernel (lost, overflow) loses edges of sound wires.
"""

import math
import random
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from reference.edges import ENCODER, UNIT_NS, Edge, Trace

S = 1_000_000_000 // UNIT_NS
_PULSE = 10_000 // UNIT_NS
"""How long a disturbance pulls a line away."""
_MOST_PULSES = 400
"""Keeps the files small."""
_BEFORE, _LATE, _AFTER = 2 * S, 4 * S, 3 * S // 2
"""Faults come so long before the throw at the earliest; most of them so long before the rest, or after it."""
_WIRES = ("forced-high", "forced-low", "stuck", "index-missing", "swapped", "unplugged", "noise")
_SIZES = {
    "lost": (0.002, 0.3),  # Part of the edges.
    "noise": (2, 1000),  # Disturbances each second.
    "overflow": (1, 2000),  # Edges.
    "slip": (0.005, 1),  # Part of the counts.
    "late": (2, 60),  # Milliseconds.
    "hanging": (5, 3000),  # Milliseconds.
    "index-doubled": (1, 400),  # Counts after the index.
}
"""Smallest and largest size; faults of other kinds have size 0."""


@dataclass(frozen=True)
class Fault:
    """One fault; times are in the file's units, and ``until`` is None for one that stays."""

    kind: str
    line: str
    size: float
    since: int
    until: int | None

    def strikes(self, at: int) -> bool:
        return self.since <= at and (self.until is None or at < self.until)


def strata(lines: str) -> list[tuple[str, str]]:
    """Every kind of fault with each of these lines that it may strike."""
    kinds = [(kind, line) for line in lines for kind in ("lost", "forced-high", "forced-low", "stuck", "noise")]
    kinds += [("swapped", "AB"), ("swapped", "AZ"), ("swapped", lines[-2:]), ("unplugged", ""), ("overflow", "")]
    kinds += [("index-missing", "Z"), ("index-doubled", "Z"), ("slip", "")]
    return [*kinds, ("late", "C"), ("hanging", "C")] if "C" in lines else kinds


def draw(chance: random.Random, stratum: tuple[str, str], thrown: int, rest: int, at: int | None = None) -> Fault:
    """One fault of this kind and line, for 20 ms to 6 s or for good.

    Args:
        at: when it strikes; None: mostly in the last four seconds or soon after the rest, often in the last one.
    """
    kind, line = stratum
    late = round(chance.triangular(rest - _LATE, rest + _AFTER, rest - _AFTER // 5))
    last = rest - round(chance.expovariate(2) * S)
    since = max(thrown, chance.choice((late, late, last, last, chance.randint(thrown - _BEFORE, rest))))
    since = since if at is None else at
    lasts, size = round(_spread(chance, 0.02, 6) * S), 0.0
    if kind in _SIZES:
        size = float(f"{_spread(chance, *_SIZES[kind]):.3g}")
        size = float(round(size)) if size > 1 else size
    if kind == "slip" and chance.random() < 0.5:
        size = 1.0
    if kind == "noise":
        lasts = min(lasts, round(_MOST_PULSES / size * S))
    until = None if chance.random() < 0.4 and not (kind == "noise" and size > 30) else since + lasts
    return Fault(kind, line, size, since, until)


def _spread(chance: random.Random, low: float, high: float) -> float:
    """A size, small ones as often as large ones."""
    return math.exp(chance.uniform(math.log(low), math.log(high)))


def break_lines(
    levels: str, base: Trace, faults: Sequence[Fault], quiet: int, counts: int, chance: random.Random
) -> list[Edge]:
    """The edges of a trace with these faults.

    Args:
        levels: of the lines before the trace.
        quiet: no noise after that.
        counts: of the encoder in one turn.
    """
    edges = [Edge(at, letter, origin) for origin, (at, letter) in enumerate(base)]
    for fault in faults:
        if fault.kind == "slip":
            edges = _slipping(levels, edges, fault, counts)
        elif fault.kind in ("late", "hanging"):
            edges = _delayed(edges, fault)
        elif fault.kind == "index-doubled":
            edges = _doubled_index(levels, edges, fault)
    wires = [fault for fault in faults if fault.kind in _WIRES]
    edges = _wired(levels, edges, wires, quiet, chance)
    for fault in faults:
        if fault.kind in ("lost", "overflow"):
            edges = list(_lost(edges, fault, chance))
    return edges


def encoder_counts(levels: str, edges: Iterable[tuple[int, str]]) -> Iterator[tuple[int, int]]:
    """The encoder's count after each edge of A and B, and its direction. The first count is the phase.

    Raises:
        ValueError: the edges are no quadrature signal.
    """
    count = {"ab": 0, "Ab": 1, "AB": 2, "aB": 3}["".join(sorted(levels, key=str.upper))[:2]]
    for _, letter in edges:
        if letter in ENCODER:
            direction = 1 if letter == _arriving(count + 1, 1) else -1
            count += direction
            if letter != _arriving(count, direction):
                raise ValueError(f"edge {letter} does not follow")
            yield count, direction


def _arriving(count: int, direction: int) -> str:
    """The edge by which the encoder comes to a count."""
    return ENCODER[(count - 1) % 4] if direction > 0 else ENCODER[count % 4].swapcase()


# -- sensors -------------------------------------------------------------------------------------------------------


def _slipping(levels: str, edges: list[Edge], fault: Fault, counts: int) -> list[Edge]:
    """The shaft of encoder and index loses a part of the counts."""
    moves = list(encoder_counts(levels, ((edge.at, edge.letter) for edge in edges)))
    marks: dict[tuple[int, int], str] = {}
    number = -1
    for edge in edges:
        number += edge.letter in ENCODER
        if edge.letter in "zZ" and number >= 0:
            marks.setdefault((moves[number][0] % counts, moves[number][1]), edge.letter)
    changed: list[Edge] = []
    slipped, owed, index, moving = 0, 0.0, "Z" if "Z" in levels else "z", iter(moves)
    for edge in edges:
        if edge.letter in ENCODER:
            count, way = next(moving)
            owed += fault.size * fault.strikes(edge.at)
            if owed >= 1:
                owed, slipped = owed - 1, slipped + way
                continue
            shaft = count - slipped
            changed.append(edge._replace(letter=_arriving(shaft, way)))
            if slipped and (mark := marks.get((shaft % counts, way), index)) != index:
                index = mark
                changed.append(Edge(edge.at, mark))
        elif edge.letter in "zZ" and slipped:
            continue
        else:
            index = edge.letter if edge.letter in "zZ" else index
            changed.append(edge)
    return changed


def _delayed(edges: list[Edge], fault: Fault) -> list[Edge]:
    """The contact closes and opens late; or it opens late, and a peg that strikes meanwhile does not show."""
    delay, latest, opens = round(fault.size * S / 1000), 0, -1
    changed = [edge for edge in edges if edge.letter not in "cC"]
    for edge in (edge for edge in edges if edge.letter in "cC"):
        if edge.letter == "C" and edge.at < opens:
            changed.pop()
            opens = -1
            continue
        if fault.strikes(edge.at) and (fault.kind == "late" or edge.letter == "c"):
            latest = max(latest, edge.at + delay)
            opens = latest if fault.kind == "hanging" else -1
        changed.append(edge if edge.at >= latest else Edge(latest, edge.letter))
    return _in_order(changed)


def _doubled_index(levels: str, edges: list[Edge], fault: Fault) -> list[Edge]:
    """So many counts after the index comes another pulse, one count long."""
    changed: list[Edge] = []
    ends, ahead = "Z" if "Z" in levels else "z", -1
    for edge in edges:
        changed.append(edge)
        if edge.letter == ends and fault.strikes(edge.at):
            ahead = int(fault.size) + 1
        elif edge.letter in ENCODER and ahead > 0:
            ahead -= 1
            if ahead < 2:
                changed.append(Edge(edge.at, ends.swapcase() if ahead else ends))
    return changed


def _in_order(edges: Iterable[Edge]) -> list[Edge]:
    """Edges by time; those of a trace stay in its order."""
    return sorted(edges, key=lambda edge: (edge.at, math.inf if edge.origin is None else edge.origin))


# -- wires ---------------------------------------------------------------------------------------------------------


def _wired(levels: str, edges: list[Edge], faults: list[Fault], quiet: int, chance: random.Random) -> list[Edge]:
    """What arrives over broken wires: the level of a line follows from the sensors' levels and the faults."""
    sensors = {letter.upper(): letter.isupper() for letter in levels}
    seen, changed = dict(sensors), list[Edge]()
    active: dict[int, bool] = {}
    """Faults that last, by number, and the level at which they keep their line."""
    pulled: set[str] = set()
    for edge in _in_order([*edges, *_moments(faults, quiet, chance)]):
        what, _, which = edge.letter.partition(" ")
        if what == "strikes":
            fault = faults[int(which)]
            active[int(which)] = fault.kind == "forced-high" or (
                fault.kind != "forced-low" and seen.get(fault.line, True)
            )
        elif what == "passes":
            del active[int(which)]
        elif what == "pulls":
            pulled ^= {which}
        else:
            sensors[what.upper()] = what.isupper()
        if not active and edge.origin is not None and sensors == seen | {what.upper(): what.isupper()}:
            changed += [edge] if sensors != seen else []
            seen = dict(sensors)
            continue
        now = dict(sensors)
        for number, level in active.items():
            fault = faults[number]
            if fault.kind == "swapped":
                one, other = fault.line[0], fault.line[1]
                now[one], now[other] = now[other], now[one]
            elif fault.kind != "noise":
                now.update(dict.fromkeys(fault.line or now, level))
        now.update((line, not now[line]) for line in pulled)
        moved = [line if level else line.lower() for line, level in now.items() if level != seen[line]]
        changed += [Edge(edge.at, letter, edge.origin if len(moved) == 1 else None) for letter in moved]
        seen = now
    return changed


def _moments(faults: list[Fault], quiet: int, chance: random.Random) -> Iterator[Edge]:
    """When a fault strikes and passes, and when a disturbance pulls a line away and lets it go."""
    for number, fault in enumerate(faults):
        yield Edge(fault.since, f"strikes {number}")
        at, until = fault.since, fault.until or quiet
        while fault.kind == "noise" and (at := at + 3 * _PULSE + round(chance.expovariate(fault.size) * S)) < until:
            yield Edge(at, f"pulls {fault.line}")
            yield Edge(at + _PULSE, f"pulls {fault.line}")
        if fault.until is not None:
            yield Edge(fault.until, f"passes {number}")


# -- kernel --------------------------------------------------------------------------------------------------------


def _lost(edges: Iterable[Edge], fault: Fault, chance: random.Random) -> Iterator[Edge]:
    """The kernel does not see a part of the edges of a line; or it has no room for so many, one after another."""
    left = fault.size
    for edge in edges:
        fate = edge.fate
        if not fate and fault.strikes(edge.at):
            if fault.kind == "overflow" and left > 0:
                fate, left = "o", left - 1
            elif fault.kind == "lost" and edge.letter.upper() == fault.line and chance.random() < fault.size:
                fate = "l"
        yield edge._replace(fate=fate)
