"""Rounds as data: what devices delivered to a table, and what the table decided. Depends on none of our code.

A file is gzip with one JSON document a line. The first has the format and the files of tables (YAML) by name. Each
further line is a case: the history of one table from its start on.

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

**Edges** are those of the whole case, with the time stamps and sequence numbers that they were delivered with. A
table that polls gets those up to now.

**Outcomes** are ``[INPUT, MILLISECONDS, WHAT, ...]``, in order; INPUT is the number of the last input before it.
"""

import gzip
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from difflib import SequenceMatcher
from itertools import accumulate
from pathlib import Path
from typing import Any

FORMAT = 2
UNIT_NS = 16_000
"""Stamps of edges are whole numbers of this."""
LATE_MS = 1000
"""An outcome may come so much sooner or later."""
KINDS = {one: one.upper() for one in ("result", "wins", "lamps", "void", "lock", "alert")}
KINDS |= {"bonus": "RESULT", "wagers-returned": "VOID"}
"""How differences are named, by what they are of; all others are of the STATE."""
Input = list[Any]
Outcome = list[Any]
_ENCODER = b"ABab"


@dataclass
class Edges:
    """Edges of a sensor head, one letter each, upper case for rising.

    Attributes:
        truth: levels that edges do not tell: when, after how many edges, and the lines, upper case for high.
    """

    letters: bytearray = field(default_factory=bytearray)
    stamps_ns: list[int] = field(default_factory=list)
    seqnos: list[int] = field(default_factory=list)
    truth: list[tuple[int, int, str]] = field(default_factory=list)

    def levels(self, now_ns: int, delivered: int) -> dict[str, bool]:
        """The lines' levels once so many edges are delivered."""
        at, lines = next(((n, lines) for t, n, lines in reversed(self.truth) if t <= now_ns), (0, ""))
        lines += self.letters[at:delivered].decode()
        return {line.upper(): line.isupper() for line in lines}

    def document(self) -> dict[str, object]:
        encoder, others = [0], []  # An encoder's edges are even; of the others, how long after one of those.
        for letter, stamp_ns in zip(self.letters, self.stamps_ns, strict=True):
            stamp = stamp_ns // UNIT_NS
            if letter in _ENCODER:
                encoder.append(stamp)
            else:
                others.append(stamp - encoder[-1])
        gaps = [(n, by) for n, by in enumerate(_deltas(self.seqnos)) if by != 1]
        numbers = {"encoder": _deltas(_deltas(encoder)), "others": others, "gaps": gaps}
        return {**vars(self), "letters": self.letters.decode(), **numbers, "stamps_ns": (), "seqnos": ()}

    @classmethod
    def of(cls, document: dict[str, Any]) -> "Edges":
        letters, gaps, stamps_ns = document["letters"].encode(), dict(document["gaps"]), list[int]()
        encoder, others = accumulate(accumulate(document["encoder"])), iter(document["others"])
        last = next(encoder)
        for letter in letters:
            last = next(encoder) if letter in _ENCODER else last
            stamps_ns.append(UNIT_NS * (last if letter in _ENCODER else last + next(others)))
        seqnos = list(accumulate(gaps.get(n, 1) for n in range(len(letters))))
        return cls(bytearray(letters), stamps_ns, seqnos, document["truth"])


def _deltas(numbers: Sequence[int]) -> list[int]:
    return [one - before for before, one in zip((0, *numbers), numbers, strict=False)]


@dataclass
class Case:
    """One table's history.

    Attributes:
        name: ``GAME/WHAT IT IS ABOUT/NUMBER``.
        table: its file, YAML.
        people: PINs by credential number; None for a table that asks nobody.
        session_s: so long after an act the key alone will do.
    """

    name: str
    game: str
    table: str
    people: dict[str, str] | None
    session_s: int
    inputs: list[Input]
    edges: Edges
    outcomes: list[Outcome]


# -- files -----------------------------------------------------------------------------------------------------


def save(path: Path, cases: Sequence[Case], **made: object) -> int:
    """Write a file; returns its size."""
    names = {text: f"table-{n}" for n, text in enumerate(dict.fromkeys(case.table for case in cases))}
    lines = [{"format": FORMAT, **made, "tables": {name: text for text, name in names.items()}}]
    lines += [{**vars(case), "table": names[case.table], "edges": case.edges.document()} for case in cases]
    text = "".join(json.dumps(line, separators=(",", ":")) + "\n" for line in lines)
    return path.write_bytes(gzip.compress(text.encode(), mtime=0))


def load(path: Path) -> list[Case]:
    """The cases of a file.

    Raises:
        ValueError: it is of another format.
    """
    first, *others = map(json.loads, gzip.decompress(path.read_bytes()).decode().splitlines())
    if first["format"] != FORMAT:
        raise ValueError(f"{path} has format {first['format']}, not {FORMAT}")
    tables = first["tables"]
    return [Case(**{**one, "table": tables[one["table"]], "edges": Edges.of(one["edges"])}) for one in others]


# -- comparison ------------------------------------------------------------------------------------------------


def compare(case: Case, actual: Sequence[Outcome]) -> list[str]:
    """Where other outcomes differ from those of a case, each as ``KIND: where: what``.

    After an input that leaves the table in another state, the rest of the case tells nothing more, and is left out.
    """
    found, states = list[str](), ["", ""]
    for number in range(len(case.inputs)):
        pair = [[one for one in outcomes if one[0] == number] for outcomes in (case.outcomes, actual)]
        found += _differences(case, *pair)
        for side, outcomes in enumerate(pair):
            states[side] = next((one[3] for one in reversed(outcomes) if one[2] == "state"), states[side])
        if states[0] != states[1]:
            break
    return found


def _differences(case: Case, expected: list[Outcome], actual: list[Outcome]) -> Iterator[str]:
    """Of the outcomes of one input, in order where they are of one kind."""
    kinds = dict.fromkeys(one[2] for one in (*expected, *actual))
    if len(kinds) > 1:
        for kind in kinds:
            yield from _differences(case, *([one for one in some if one[2] == kind] for some in (expected, actual)))
        return
    texts = [[json.dumps(one[2:]) for one in outcomes] for outcomes in (expected, actual)]
    for how, i, j, k, m in SequenceMatcher(None, *texts, autojunk=False).get_opcodes():
        if how != "equal":
            yield from (_difference(case, one, "is missing") for one in expected[i:j])
            yield from (_difference(case, one, "is new") for one in actual[k:m])
            continue
        for one, other in zip(expected[i:j], actual[k:m], strict=True):
            if abs(late_ms := other[1] - one[1]) > LATE_MS:
                yield _difference(case, one, f"comes {late_ms / 1000:+.1f} s later")


def _difference(case: Case, outcome: Outcome, how: str) -> str:
    number, at_ms, what, *params = outcome
    after = " ".join(map(str, case.inputs[number][1:]))
    words = " ".join(one if isinstance(one, str) else json.dumps(one) for one in params)
    place = f"{case.game}, {case.name}, input {number} ({after}), {at_ms / 1000:.3f} s"
    return f"{KINDS.get(what, 'STATE')}: {place}: {what} {words} {how}"
