"""The simulated encoder: out of centre, and an index that is joined with A and B as encoders' are."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hal.events import EdgeBatch
from hal.mock.clock import VirtualClock
from hal.mock.settings import WheelSettings
from hal.mock.world import World

COUNTS = 1440
SECTIONS = 54


def turned(turns: float, **options: object) -> tuple[list[tuple[int, str]], dict[str, bool], dict[str, bool]]:
    """The encoder's edges while a hand turns the wheel, and the levels before and after."""
    clock = VirtualClock()
    chosen = {"sections": SECTIONS, "counts_per_turn": COUNTS, **options}
    head = World.of(clock).fit_wheel(WheelSettings.model_validate(chosen))
    edges: list[tuple[int, str]] = []

    def take(batch: EdgeBatch) -> None:
        edges.extend(zip(batch.timestamps_ns, batch.edges.decode(), strict=True))

    before = head.levels()
    head.start(take)
    head.push(turns * SECTIONS, 10.0)
    clock.advance_to(head.at_rest_ns + 20_000_000)
    return [edge for edge in edges if edge[1] not in "Cc"], before, head.levels()


def levels_at(at_ns: float, edges: list[tuple[int, str]], before: dict[str, bool]) -> dict[str, bool]:
    """The levels of the lines at a moment."""
    return before | {letter.upper(): letter.isupper() for edge_ns, letter in edges if edge_ns <= at_ns}


@given(
    gate=st.sampled_from(["none", "a", "ab"]),
    inverted=st.booleans(),
    mirrored=st.booleans(),
    offset=st.integers(0, COUNTS - 1),
    turns=st.sampled_from([1.3, -1.3]),
    runout_deg=st.sampled_from([0.0, 0.3]),
)
def test_edges_lead_from_the_levels_before_to_the_levels_after_and_the_mark_is_where_it_was_mounted(
    gate: str, inverted: bool, mirrored: bool, offset: int, turns: float, runout_deg: float
) -> None:
    options = {"index_gate": gate, "index_inverted": inverted, "reversed": mirrored, "runout_deg": runout_deg}
    edges, level, after = turned(turns, index_offset_counts=offset, jitter_us=0.0, **options)
    marks = []
    count = round(0.5 * COUNTS / SECTIONS - 0.5 - (1e-9 if not runout_deg else 0))
    start = count
    for _, letter in edges:
        line, rises = letter.upper(), letter.isupper()
        assert level[line] is not rises
        if line == "Z":
            marks.append((count, rises is not inverted))
        else:
            step = 1 if (line == "A") is (rises is not level["B"] if line == "A" else False) else -1
            if line == "B":
                step = 1 if rises is level["A"] else -1
            count += -step if mirrored else step
        level[line] = rises
    assert level == after
    assert abs(abs(count - start) - abs(turns) * COUNTS) < 3
    length = {"none": 1, "a": 2, "ab": 1}[gate]
    for at, begins in marks:
        near = (at - offset if begins is (turns > 0) else at - offset - length) % COUNTS
        assert min(near, COUNTS - near) <= 2


@pytest.mark.parametrize(("gate", "mirrored"), [("a", False), ("a", True), ("ab", False), ("ab", True)])
def test_a_joined_index_is_high_only_with_its_lines_and_its_edges_fall_with_theirs_in_either_order(
    gate: str, mirrored: bool
) -> None:
    edges, before, _ = turned(3.2, index_gate=gate, reversed=mirrored, jitter_us=0.0)
    lines_ns = np.array([at_ns for at_ns, letter in edges if letter not in "Zz"])
    marks_ns = [at_ns for at_ns, letter in edges if letter in "Zz"]
    apart_ns = [int((at_ns - lines_ns)[np.abs(at_ns - lines_ns).argmin()]) for at_ns in marks_ns]
    assert len(apart_ns) >= 6
    assert max(map(abs, apart_ns)) <= 1000
    assert min(apart_ns) < 0 < max(apart_ns)
    for rises_ns, falls_ns in zip(marks_ns[::2], marks_ns[1::2], strict=False):
        for part in (0.1, 0.5, 0.9):
            level = levels_at(rises_ns + part * (falls_ns - rises_ns), edges, before)
            assert level["A"]
            assert level["B"] or gate == "a"
            assert level["Z"]
        for beside_ns in (rises_ns - 5000, falls_ns + 5000):
            level = levels_at(beside_ns, edges, before)
            assert not (level["A"] and (level["B"] or gate == "a"))


def test_an_encoder_out_of_centre_reads_ahead_and_behind_once_a_turn() -> None:
    clock = VirtualClock()
    settings = WheelSettings(sections=SECTIONS, runout_deg=0.25, runout_at_deg=30.0, jitter_us=0.0)
    head = World.of(clock).fit_wheel(settings)
    disc = head._disc
    (_, angles), _ = disc.edges(13.0, 13.0 + 2 * COUNTS, 1)
    # Edge k is where the disc reads count 13 + k + 1 or so: the shaft stands behind by the run-out.
    readings = np.array([disc.reading(float(angle)) for angle in angles])
    assert np.abs(readings - np.round(readings)).max() < 1e-3
    error_deg = (readings - angles) * 360 / COUNTS
    expected_deg = 0.25 * np.sin(angles * 2 * math.pi / COUNTS - math.radians(30))
    assert np.abs(error_deg - expected_deg).max() < 1e-3
    assert error_deg.max() == pytest.approx(0.25, abs=0.01)
