"""The wheel's pace from one edge of the clapper's contact to the next."""

from controller.tracking.clapper_wheel.clapper import ContactPace

LATE_NS = 10**12
"""A stamp as a table's clock has it after a while: far more than any count of edges."""


def test_the_pace_is_the_counts_and_the_time_since_the_edge_before() -> None:
    pace = ContactPace()
    assert pace.at(100, LATE_NS) is None, "the first edge has none before"
    assert pace.at(103, LATE_NS + 7) == (3, 7)
    assert pace.at(105, LATE_NS + 9) is None, "too few counts"
    assert pace.at(130, LATE_NS + 20) == (25, 11), "counted from the edge before, also if that gave no pace"
