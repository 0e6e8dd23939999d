"""Histories of tables as data: what devices delivered, and what the table decided. Needs only the standard library.

A file is gzip with one JSON document a line. The first has the format and the files of tables (YAML) by name. A
line with ``trace`` has edges that cases share. Each other line is a case: the history of one table from its start
on.

**Inputs** are ``[NANOSECONDS SINCE THE LAST, WHAT, ...]``:

- ``on {held: {keys, switches, contacts}, latches, edges}``: power; what is held or closed just then, what latches
  remember, and how many edges were delivered before. ``off``: the power is cut.
- ``key DEVICE CONTROL DOWN``, ``switch NAME CLOSED``, ``contact NAME CLOSED`` (of door and cabinet), ``reader
  POCKET FAULT``, ``device DEVICE DETAIL`` (it stopped working; without detail it works), ``head-lost DETAIL``.
- ``edges N``: the sensor head delivers its edges up to the Nth.
- ``panel DEAD BURNING ANSWERS``: what the lamps' read-back says from now on, beside what is lit.
- ``computer LOW EARLIER BATTERY DETAIL``: supply voltage and clock battery from now on.
- ``wall NANOSECONDS BY``: the wall time moves so much; who set it since the computer was switched on.
- ``act ACT ARGUMENT BY``: the floorperson's choice in the menu, confirmed.
- ``limits BODY``: the request of the local command ``limits``. ``end``: time went on until then.

**Outcomes** are ``[INPUT, MILLISECONDS, WHAT, ...]``, in order; INPUT is the number of the last input before it.

**Edges** are letters, upper case for rising: A and B are the encoder, Z the index, C the clapper's contact, P and
Q the ball's beams. ``traces`` are names of traces, one after the other. A trace has ``letters`` and ``steps``: an
edge of A or B comes later than the one of A or B before it by its step plus that interval of four such edges
earlier; any other edge comes its step later than the edge before it. All times and intervals before the first edge
are 0. Times are whole numbers of ``unit_ns``. A table that asks gets the edges up to now; with ``poll_ns`` it also
gets them so often.

``ops`` are faults of the last trace's lines, tokens. ``12``: the next 12 edges. ``d12``: the next 12 do not
happen. ``l12``: they happen, but the kernel loses them. ``o12``: they are lost as its buffer overflows, and their
sequence numbers are skipped. ``mABba``: from here on edges A become B and b become a. ``+C35``: a further edge C,
35 later than the last edge of the trace or of these additions; ``+lC35`` and ``+oC35`` are lost. Edges after the
last token are unchanged. ``gaps``: further sequence numbers that are skipped, by edge. ``truth``: levels that
edges do not tell: when, after how many edges, and the lines, upper case for high.
"""

import gzip
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

FORMAT = 3
Plain = dict[str, Any]
Input = list[Any]
Outcome = list[Any]


@dataclass
class Edges:
    """The edges that a sensor head delivers, with time stamps and sequence numbers."""

    letters: bytearray = field(default_factory=bytearray)
    stamps_ns: list[int] = field(default_factory=list)
    seqnos: list[int] = field(default_factory=list)
    truth: list[tuple[int, int, str]] = field(default_factory=list)
    poll_ns: int = 0

    def levels(self, now_ns: int, delivered: int) -> dict[str, bool]:
        """The lines' levels once so many edges are delivered."""
        at, lines = next(((n, lines) for t, n, lines in reversed(self.truth) if t <= now_ns), (0, ""))
        lines += self.letters[at:delivered].decode()
        return {line.upper(): line.isupper() for line in lines}

    @classmethod
    def of(cls, document: Plain, traces: Mapping[str, Plain]) -> "Edges":
        unit_ns, gaps = document["unit_ns"], {int(at): by for at, by in document.get("gaps", ())}
        edges = cls(truth=[tuple(one) for one in document["truth"]], poll_ns=document.get("poll_ns", 0))
        *before, last = [list(_decoded(traces[name])) for name in document["traces"]] or [[]]
        sound = [(at, letter, "") for trace in before for at, letter in trace]
        seqno = 0
        for at, letter, fate in [*sound, *_changed(last, document.get("ops", ""))]:
            seqno += gaps.get(len(edges.letters), fate != "l")
            if fate:
                lines = edges.levels(at * unit_ns, len(edges.letters)) | {letter.upper(): letter.isupper()}
                text = "".join(line if up else line.lower() for line, up in lines.items())
                edges.truth.append((at * unit_ns, len(edges.letters), text))
            else:
                edges.letters += letter.encode()
                edges.stamps_ns.append(at * unit_ns)
                edges.seqnos.append(seqno)
        return edges


def _decoded(trace: Plain) -> Iterator[tuple[int, str]]:
    intervals, encoder, before = [0] * 4, 0, 0
    for letter, step in zip(trace["letters"], trace["steps"], strict=True):
        if letter in "ABab":
            intervals.append(intervals[-4] + step)
            before = encoder = encoder + intervals[-1]
        else:
            before += step
        yield before, letter


def _changed(trace: Sequence[tuple[int, str]], ops: str) -> Iterator[tuple[int, str, str]]:
    """The trace, changed by tokens: when, which edge, and ``l`` or ``o`` if it is lost."""
    table: dict[str, str] = {}
    done, before = 0, 0
    for token in [*ops.split(), str(len(trace))]:
        if token[0] == "+":
            *fate, letter = token.strip("+0123456789")
            before += int(token[2 + len(fate) :])
            yield before, letter, "".join(fate)
        elif token[0] == "m":
            table = dict(zip(token[1::2], token[2::2], strict=True))
        else:
            fate, many = (token[0], int(token[1:])) if token[0] in "dlo" else ("", int(token))
            for at, letter in trace[done : done + many]:
                before = at
                if fate != "d":
                    yield at, table.get(letter, letter), fate
            done += many


@dataclass
class Case:
    """One table's history.

    Attributes:
        name: ``GAME/WHAT IT IS ABOUT/NUMBER``.
        table: its file, YAML.
        edges: as in the file.
        people: PINs by credential number; None for a table that asks nobody.
        session_s: so long after an act the key alone will do.
        sections: of a wheel of no game, numbered from 0.
        truth: what the simulated wheel did, for people to read; with it, rests are outcomes, too.
    """

    name: str
    game: str
    table: str
    inputs: list[Input]
    edges: Plain
    outcomes: list[Outcome]
    people: dict[str, str] | None = None
    session_s: int = 0
    sections: int = 0
    truth: str = ""


@dataclass
class Recorded:
    """A file of cases, and the traces that they share by name."""

    cases: list[Case]
    traces: dict[str, Plain]

    def edges_of(self, case: Case) -> Edges:
        return Edges.of(case.edges, self.traces)

    def save(self, path: Path) -> int:
        """Write the file; returns its size."""
        names = {text: f"table-{n}" for n, text in enumerate(dict.fromkeys(case.table for case in self.cases))}
        lines: list[Plain] = [{"format": FORMAT, "tables": {name: text for text, name in names.items()}}]
        lines += [{"trace": name, **trace} for name, trace in self.traces.items()]
        lines += [{**vars(case), "table": names[case.table]} for case in self.cases]
        text = "".join(json.dumps(line, separators=(",", ":")) + "\n" for line in lines)
        return path.write_bytes(gzip.compress(text.encode(), mtime=0))


def load(path: Path) -> Recorded:
    """The cases of a file.

    Raises:
        ValueError: it is of another format.
    """
    first, *others = map(json.loads, gzip.decompress(path.read_bytes()).decode().splitlines())
    if first["format"] != FORMAT:
        raise ValueError(f"{path} has format {first['format']}, not {FORMAT}")
    traces = {one["trace"]: one for one in others if "trace" in one}
    cases = [Case(**{**one, "table": first["tables"][one["table"]]}) for one in others if "trace" not in one]
    return Recorded(cases, traces)
