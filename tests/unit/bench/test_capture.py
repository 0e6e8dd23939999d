"""Recordings of a logic analyser: what ``journal export --trace`` writes is what ``bench --capture`` plays.

That a played round is decided as it was is in ``tests/unit/journal/test_replay.py``.
"""

from array import array
from io import StringIO

import pytest
from hypothesis import given
from hypothesis import strategies as st

from controller.journal.replay.trace import EdgeStretch
from controller.journal.replay.vcd import write_vcd
from hal.capture import captured
from hal.events import LINES

LEVELS = {"A": True, "B": False, "Z": True, "C": False}


@given(st.lists(st.tuples(st.sampled_from("ABZC"), st.integers(0, 2)), min_size=1))
def test_edges_of_the_same_moment_keep_their_order(
    tmp_path_factory: pytest.TempPathFactory, moves: list[tuple[str, int]]
) -> None:
    levels, edges, stamps = dict(LEVELS), "", array("q", [10**9])
    for letter, later_ns in moves:
        levels[letter] = not levels[letter]
        edges += letter if levels[letter] else letter.lower()
        stamps.append(stamps[-1] + later_ns)
    file, out = tmp_path_factory.mktemp("vcd") / "round.vcd", StringIO()
    write_vcd([EdgeStretch(LEVELS, edges.encode(), stamps[1:])], [], "", out)
    file.write_text(out.getvalue())
    wiring = [(name, 1) for name, letter in LINES.items() if letter in LEVELS]
    first, batch = captured(wiring, str(file))
    assert (first, batch.edges.decode()) == (LEVELS, edges)
