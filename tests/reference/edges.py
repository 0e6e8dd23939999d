"""Recorded edges of wheels and what a table decided on them: the file format and its reader.

It needs only the standard library, so the files outlive the code that made them.

A file is gzip of JSON, one object per line. A line refers only to lines above it. Times are whole numbers of
``unit_ns`` nanoseconds since the table was switched on. An edge is a letter: A and B are the encoder, Z the index,
C the clapper's contact, P and Q the ball's beams. An upper-case letter is a rising edge.

``{"format": "tracking 1", "unit_ns": 1000, "commit": "4aa17a3a", "seed": 7}``
    The first line. ``commit`` is the code that decided.

``{"wheel": NAME, "kind": "clapper", "game": "big-six", "sections": 54, "made": "...", "built": {...}}``
    A wheel with a clapper. ``game`` is empty for a wheel of no game. ``made`` names its simulator. ``built``:
    ``counts_per_turn`` of the encoder; ``index_offset_counts`` from the index mark back to the start of section 0;
    ``reversed``: A and B count backwards; ``rest_s``, ``tolerance_deg``, ``contact_deg``, ``debounce_ms``
    and ``spin_limit_s``: limits of the sensors; ``clapper``: null if the wheel was never
    calibrated. Otherwise: ``pegs_deg``, the distance of each peg from its even place; by direction ``strikes_deg``
    (degrees past the peg where the contact opens), ``releases_from_deg`` and ``releases_to_deg`` (where the leather
    slips off); ``strike_delay_ms``, ``release_delay_ms``, ``runout_deg``, ``runout_at_deg``, ``left_over_deg``;
    by direction the loss of squared speed: ``section_loss`` ((degree/s)² for each section), ``air_loss`` (part of
    it for each turn) and ``drag_loss`` (degree/s for each turn); and ``loss_spread`` (in section losses).

``{"wheel": NAME, "kind": "roulette", "beams": 2, "index": "gated with A", "made": "...", "built": {...}}``
    A roulette wheel. ``built``: ``counts_per_turn``, ``reversed``, ``beam_angle_deg`` (from P clockwise to Q),
    ``track_mm`` and ``ball_mm`` (diameters), ``leaves_from_s`` and ``spin_limit_s``.

``{"trace": NAME, "levels": "aBzc", "letters": "ABab", "steps": [1000, 5, 4, 6]}``
    Edges of sound sensors, in the order in which the kernel saw them. ``levels``: of each line before the first
    edge, an upper-case letter for high. An edge of A or B comes later than the one of A or B before it by its step
    plus that interval of four such edges earlier. Any other edge comes its step later than the edge before it,
    whatever its line. All times and intervals before the first edge are 0.

``{"case": NAME, "wheel": NAME, "prologue": TRACE, "spin": TRACE, "ops": "", "poll": T, "keys": [], "until": T}``
    The table sees the trace ``prologue`` (one turn by hand, or a trial spin), then the trace ``spin`` changed by
    ``ops``. The head delivers edges every ``poll``, and when the table asks. ``keys``: [time, control]. It ends at
    ``until``. A case also has ``truth`` and ``decision``:
    ``truth`` is what the simulated world knows. ``honest``: no hand, no weak throw of a ball. ``results``: sections
    or pockets that are no wrong result; none if any is wrong, as after too few revolutions. ``section``, ``bent``:
    where wheel or ball rests, and whether a peg bends the clapper there. ``revolutions``: the longest way in one
    direction; of a ball, complete ones. ``rest``: when the wheel stood, or the ball left the track. ``hand``: null,
    or ``kind``, ``at``, ``size`` (in section losses) and ``moved`` (by how many sections), each null if not
    known. ``faults``: each with ``kind``, ``line``, ``size``, ``since`` and ``until`` (null: for good).
    ``decision`` is what the table decided: ``result`` (section or pocket), ``void`` (its reason) and ``lock`` (the
    sensor named, or else the reason); null for nothing. ``why``: in words of that commit, which are not compared.

``ops`` are tokens. ``12``: the next 12 edges of the trace. ``d12``: the next 12 do not happen. ``l12``: they
happen, but the kernel loses them. ``o12``: they are lost as the kernel's buffer overflows, and their sequence
numbers are skipped. ``mABba``: from here on edges A become B and b become a; others stay. ``+C35``: a further edge
C, 35 later than the last edge of the trace or of these additions; ``+lC35`` and ``+oC35`` are lost. Edges after the
last token are unchanged.
"""

import gzip
import json
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path
from typing import Any, NamedTuple

FORMAT = "tracking 1"
UNIT_NS = 1000
ENCODER = "ABab"
"""The encoder's edges when it turns in its positive direction."""
Plain = dict[str, Any]
Trace = list[tuple[int, str]]


class Edge(NamedTuple):
    """An edge of a line.

    Attributes:
        origin: its number in the trace; None for one that a fault added.
        fate: "" if the kernel delivers it, "l" if it is lost, "o" if its number is skipped, too.
    """

    at: int
    letter: str
    origin: int | None = None
    fate: str = ""


def decode_trace(line: Plain, unit: int = 1) -> Trace:
    """The edges of a trace, in nanoseconds if ``unit`` has so many."""
    edges: Trace = []
    intervals, encoder, before = [0] * 4, 0, 0
    for letter, step in zip(line["letters"], line["steps"], strict=True):
        if letter in ENCODER:
            intervals.append(intervals[-4] + step)
            before = encoder = encoder + intervals[-1]
        else:
            before += step
        edges.append((before * unit, letter))
    return edges


def apply_ops(base: Trace, ops: str, unit: int = 1) -> list[Edge]:
    """The trace, changed by tokens."""
    table: dict[str, str] = {}
    sound = [Edge(at, letter, origin) for origin, (at, letter) in enumerate(base)]
    changed: list[Edge] = []
    done, before = 0, 0
    for token in [*ops.split(), str(len(base))]:
        if token[0] == "+":
            letter = token.strip("+0123456789")
            fate, letter = letter[:-1], letter[-1]
            before += int(token[2 + len(fate) :]) * unit
            changed.append(Edge(before, letter, None, fate))
        elif token[0] == "m":
            table = dict(zip(token[1::2], token[2::2], strict=True))
        else:
            fate, many = (token[0], token[1:]) if token[0] in "dlo" else ("", token)
            some = sound[done : done + int(many)]
            if fate != "d":
                as_is = not fate and not table
                changed += some if as_is else [Edge(at, table.get(was, was), n, fate) for at, was, n, _ in some]
            done, before = done + len(some), some[-1].at if some else before
    return changed


# -- files ---------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Case:
    """One table and one spin, as the lines of a file."""

    line: Plain
    wheel: Plain
    prologue: Plain
    spin: Plain
    unit_ns: int

    @property
    def name(self) -> str:
        return str(self.line["case"])

    def edges(self) -> tuple[list[Edge], list[Edge]]:
        """The edges of the prologue and of the spin; times in nanoseconds."""
        unit = self.unit_ns
        before = apply_ops(decode_trace(self.prologue, unit), "")
        return before, apply_ops(decode_trace(self.spin, unit), self.line["ops"], unit)


def read(file: Path) -> list[Case]:
    """The cases of a file."""
    with gzip.open(file, "rt", encoding="utf-8") as text:
        return list(_cases(json.loads(line, parse_float=Decimal) for line in text))


def _cases(lines: Iterator[Plain]) -> Iterator[Case]:
    head = next(lines, {})
    if head.get("format") != FORMAT:
        raise ValueError(f"the first line is not that of a file '{FORMAT}'")
    named: dict[tuple[str, str], Plain] = {}
    for line in lines:
        if "case" in line:
            wheel, prologue = named["wheel", line["wheel"]], named["trace", line["prologue"]]
            yield Case(line, wheel, prologue, named["trace", line["spin"]], head["unit_ns"])
        else:
            kind = "trace" if "trace" in line else "wheel"
            named[kind, line[kind]] = line
