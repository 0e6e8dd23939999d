"""The bench's logic analyser: what its columns hold is what the edges say.

A power cut is in ``test_page.py``.
"""

import re
from array import array
from collections.abc import Iterable

from hypothesis import example, given
from hypothesis import strategies as st

from controller.bench.signals import COLUMN_NS, COLUMNS, RATE_COLUMNS, STILL_COLUMNS, Signals
from hal.events import LINES, EdgeBatch

LEVELS = {"A": False, "B": True, "Z": False, "C": True}
ZERO_NS = 1403 * COLUMN_NS
Train = list[tuple[str, int]]


def batch(train: Train) -> EdgeBatch:
    stamps = array("q", (at_ns for _, at_ns in train))
    return EdgeBatch("".join(edge for edge, _ in train).encode(), stamps, range(1, len(train) + 1))


@st.composite
def trains(draw: st.DrawFn) -> Train:
    """Edges of four lines, each in turn up and down, some close together and some far apart."""
    levels, train, at_ns = dict(LEVELS), [], ZERO_NS
    pauses = st.one_of(
        st.integers(0, 300_000), st.integers(0, 12_000_000), st.integers(0, 3_000_000_000), st.just(8_000_000_000)
    )
    for letter, pause in draw(st.lists(st.tuples(st.sampled_from("ABZC"), pauses), max_size=120)):
        at_ns += pause
        levels[letter] = not levels[letter]
        train.append((letter if levels[letter] else letter.lower(), at_ns))
    return train


def expanded(runs: str) -> str:
    """A letter for each column."""
    assert re.fullmatch(r"(?:[lhbx](?:[2-9]|[1-9]\d+)?)*", runs), runs
    return "".join(letter * int(length or 1) for letter, length in re.findall(r"([lhbx])(\d*)", runs))


def looked_at(train: Train, letter: str, columns: Iterable[int]) -> str:
    """A line's columns, looked at edge by edge."""
    found = ""
    for column in columns:
        own = [(edge, at_ns // COLUMN_NS) for edge, at_ns in train if edge.upper() == letter]
        before = [edge for edge, at in own if at <= column]
        high = before[-1].isupper() if before else LEVELS[letter]
        level = "h" if high else "l"
        found += "x" if column * COLUMN_NS < ZERO_NS else "b" if column in (at for _, at in own) else level
    return found


@example([("A", ZERO_NS)], [], 900_000_000)
@given(trains(), st.lists(st.integers(1, 40), max_size=8), st.integers(0, 1_000_000_000))
def test_the_columns_are_what_a_look_at_every_edge_finds(train: Train, cuts: list[int], later_ns: int) -> None:
    signals, first = Signals(), 0
    signals.read(LEVELS, ZERO_NS)
    for size in (*cuts, len(train)):
        part = train[first : first + size]
        first += size
        signals(batch(part))
        signals.document(part[-1][1] if part else ZERO_NS)
    last_ns = train[-1][1] if train else ZERO_NS
    now = (last_ns + later_ns) // COLUMN_NS
    end = max(min(last_ns // COLUMN_NS + STILL_COLUMNS, now), last_ns // COLUMN_NS + bool(train))
    for line in signals.document(last_ns + later_ns):
        letter = LINES[line["line"]]
        assert expanded(line["runs"]) == looked_at(train, letter, range(end - COLUMNS, end))
        own = [edge for edge, at_ns in train if edge.upper() == letter]
        recent = [at for edge, at in train if edge.upper() == letter and at // COLUMN_NS >= now - RATE_COLUMNS]
        assert (line["level"], line["rate"]) == (own[-1].isupper() if own else LEVELS[letter], 2 * len(recent))
