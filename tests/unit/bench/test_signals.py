"""The bench's logic analyser: what its columns hold is what the edges say, and a table at rest says nothing new."""

import re
from array import array
from collections.abc import Callable, Iterable

import pytest
from bench_page import Page
from hypothesis import given
from hypothesis import strategies as st

from controller.bench.signals import COLUMN_NS, COLUMNS, STILL_COLUMNS, SignalWindow
from hal.events import LINES, EdgeBatch

LEVELS = {"A": False, "B": True, "Z": False, "C": True}
ZERO_NS = 7_000_000_123
WINDOW_NS = COLUMNS * COLUMN_NS
Train = list[tuple[str, int]]


def batch(train: Train) -> EdgeBatch:
    stamps = array("q", (at_ns for _, at_ns in train))
    return EdgeBatch("".join(edge for edge, _ in train).encode(), stamps, range(1, len(train) + 1))


@st.composite
def trains(draw: st.DrawFn) -> Train:
    """Edges of four lines, each in turn up and down, some close together and some far apart."""
    levels, train, at_ns = dict(LEVELS), [], ZERO_NS
    across = (COLUMNS - STILL_COLUMNS) * COLUMN_NS  # From the first column of a window to its last with an edge.
    pauses = st.one_of(
        st.integers(0, 300_000), st.integers(0, 12_000_000), st.integers(0, 3_000_000_000), st.just(across)
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


def looked_at(train: Train, letter: str, columns: Iterable[tuple[int, int]]) -> str:
    """A line's columns, each given by when it begins and ends, looked at edge by edge."""
    own = [(edge, at_ns) for edge, at_ns in train if edge.upper() == letter]
    found = []
    for begin_ns, end_ns in columns:
        before = [edge for edge, at_ns in own if at_ns < end_ns]
        high = before[-1].isupper() if before else LEVELS[letter]
        changes = any(begin_ns <= at_ns < end_ns for _, at_ns in own)
        found.append("b" if changes else "h" if high else "l")
    return "".join(found)


@given(trains(), st.lists(st.integers(1, 40), max_size=8), st.integers(0, 1_000_000_000))
def test_the_columns_are_what_a_look_at_every_edge_finds(train: Train, cuts: list[int], later_ns: int) -> None:
    window, first = SignalWindow(ZERO_NS), 0
    window.restart(LEVELS, ZERO_NS)
    for size in (*cuts, len(train)):
        part = train[first : first + size]
        first += size
        window(batch(part))
        if part:
            window.advance(part[-1][1])
    last_ns = train[-1][1] if train else ZERO_NS
    window.advance(last_ns + later_ns)
    document = window.document()
    assert document is not None
    end = (last_ns - ZERO_NS) // COLUMN_NS + STILL_COLUMNS
    end = min(end, (last_ns + later_ns - ZERO_NS) // COLUMN_NS)
    assert document["end_s"] == pytest.approx(end * COLUMN_NS / 1e9)
    unknown = max(0, COLUMNS - end)
    begins = [ZERO_NS + column * COLUMN_NS for column in range(end - COLUMNS + unknown, end)]
    for line in document["lines"]:
        letter = LINES[line["line"]]
        columns = [(begin, begin + COLUMN_NS) for begin in begins]
        assert expanded(line["runs"]) == "x" * unknown + looked_at(train, letter, columns)
        until_ns = ZERO_NS + end * COLUMN_NS
        within = [edge for edge, at in train if edge.upper() == letter and until_ns - WINDOW_NS <= at < until_ns]
        assert (line["edges"], line["rises"]) == (len(within), sum(edge.isupper() for edge in within))


# -- on a bench ----------------------------------------------------------------------------------------------------


def lines_of(page: Page) -> dict[str, str]:
    return {line["line"]: expanded(line["runs"]) for line in page.picture["signals"]["lines"]}


def levels_of(page: Page) -> dict[str, str]:
    """The present level of each line as the page's other table has it."""
    return {line["line"]: "h" if line["level"] else "l" for line in page.picture["lines"]}


@pytest.mark.parametrize("in_motion", [False, True])
def test_after_a_power_cut_the_lines_have_their_true_levels(page: Callable[..., Page], in_motion: bool) -> None:
    bench = page("dreamcatcher")
    bench.act(1, throw=3)
    bench.wait(0 if in_motion else 60)
    assert bench.picture["powered"]
    bench.act(1, cut=True)
    dark = bench.picture["signals"]
    bench.wait(1)
    assert bench.picture["signals"] == dark, "nobody looks"
    bench.wait(60)
    assert bench.picture["powered"]
    assert {name: columns[-1] for name, columns in lines_of(bench).items()} == levels_of(bench)
    if not in_motion:
        dark = {columns.count("x") for columns in lines_of(bench).values()}
        assert dark == {3 * 200 - 1}, "three seconds without power, but for the column in which it went off"
