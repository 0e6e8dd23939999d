"""The wall time of a table on a computer whose own is wrong: it never runs backwards, and a doubt is said."""

from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from controller.runtime.table_clock import TableClock
from hal.mock.clock import NS_PER_S, VirtualClock
from hal.wall_time import SetBy

RECORD = "2027-03-01T18:00"
"""The newest wall time on record."""
NETWORK, BATTERY, NOBODY = SetBy.NETWORK, SetBy.BATTERY, SetBy.NOBODY


def utc(text: str) -> int:
    """Nanoseconds since 1970 of a time in UTC, such as ``2027-03-01`` or ``2027-03-01T18:00``."""
    return int(datetime.fromisoformat(text).replace(tzinfo=UTC).timestamp()) * NS_PER_S


class Computer(VirtualClock):
    """Its clocks; ``by`` is who set the wall time, as the operating system says."""

    def __init__(self, says: int, by: SetBy = NOBODY) -> None:
        super().__init__(says)
        self.by = by

    def begin(self, newest_ns: int) -> TableClock:
        clock = TableClock(self, lambda: self.by)
        clock.begin(newest_ns)
        return clock

    def does(self, act: str, value: Any) -> None:
        if act == "wait":
            self.advance_to(self._now_ns + round(value * NS_PER_S))
        elif act == "set":
            self._utc_ns = (utc(value) if isinstance(value, str) else value) - self._now_ns
        else:
            self.by = value


JUMPS = {
    "the network has set it": (("2027-03-02T09:00", NETWORK), [("wait", 60)], "2027-03-02T09:01", ""),
    "a battery has kept it": (("2027-03-02T09:00", BATTERY), [("wait", 60)], "2027-03-02T09:01", ""),
    "no battery: it goes on from the record": (
        ("2027-02-20", NOBODY),
        [("wait", 3600)],
        "2027-03-01T19:00",
        "clock-not-as-record",
    ),
    "later than the record, but set by nobody": (("2027-03-02", NOBODY), [], "2027-03-02", "clock-unset"),
    "a person sets it": (("2027-02-20", NOBODY), [("set", "2027-03-02T10:00")], "2027-03-02T10:00", ""),
    "the network sets it": (
        ("2027-02-20", NOBODY),
        [("set", "2027-03-02T10:00"), ("by", NETWORK)],
        "2027-03-02T10:00",
        "",
    ),
    "a battery that jumped ahead": (("2028-12-01", BATTERY), [], RECORD, "clock-not-as-record"),
    "a table that was in store": (("2028-12-01", BATTERY), [("by", NETWORK)], "2028-12-01", ""),
    "a year of no table at the start": (("1970-01-01T00:01", NETWORK), [], RECORD, "clock-of-no-table"),
    "a year in the future at the start": (("2100-01-01", BATTERY), [], RECORD, "clock-of-no-table"),
    "a year in the future while it plays": (
        ("2027-03-02T09:00", NETWORK),
        [("wait", 10), ("set", "2100-01-01"), ("wait", 50)],
        "2027-03-02T09:01",
        "clock-of-no-table",
    ),
    "which is set right": (
        ("2027-03-02T09:00", NETWORK),
        [("set", "2100-01-01"), ("look", None), ("set", "2027-03-02T09:05")],
        "2027-03-02T09:05",
        "",
    ),
    "a little fast: it goes half as fast": (
        ("2027-03-02T09:00", NETWORK),
        [("set", "2027-03-02T08:50"), ("look", None), ("wait", 300)],
        "2027-03-02T09:02:30",
        "",
    ),
    "until the true time has come up": (
        ("2027-03-02T09:00", NETWORK),
        [("set", "2027-03-02T08:50"), ("look", None), ("wait", 900)],
        "2027-03-02T09:05",
        "",
    ),
}


@pytest.mark.clause("539.2(b)")
@pytest.mark.parametrize("jump", JUMPS)
def test_the_tables_time_and_its_doubt(jump: str) -> None:
    (says, by), acts, expected, doubt = JUMPS[jump]
    computer = Computer(utc(says), by)
    clock = computer.begin(utc(RECORD))
    before_ns = clock.utc_ns()
    for act, value in acts:
        clock.look() if act == "look" else computer.does(act, value)
    change = clock.look()
    assert clock.doubt.code == doubt
    assert 0 <= clock.utc_ns() - utc(expected) < NS_PER_S
    if change is not None:
        assert change.doubt or abs(before_ns + change.moved_ns + computer.now_ns() - computer.utc_ns()) < NS_PER_S
    assert clock.look() is None, "said once"


_TIMES = st.integers(utc("1970-01-01"), utc("2110-01-01"))
_ACTS = st.one_of(
    st.tuples(st.just("wait"), st.integers(0, 10**6)),
    st.tuples(st.just("set"), _TIMES),
    st.tuples(st.just("by"), st.sampled_from(SetBy)),
    st.tuples(st.just("look"), st.none()),
    st.tuples(st.just("restart"), _TIMES),
)


@pytest.mark.clause("539.2(b)")
@given(st.lists(_ACTS, max_size=30), _TIMES, st.sampled_from(SetBy))
def test_it_never_runs_backwards_through_whatever_sets_clocks_and_cuts_power(
    acts: list[tuple[str, Any]], says: int, by: SetBy
) -> None:
    """Only a time that the computer says is believed, or one that the table has counted."""
    computer = Computer(says, by)
    clock, last_ns = computer.begin(0), 0
    for act, value in acts:
        if act == "look":
            clock.look()
        elif act == "restart":
            newest_ns, computer = clock.utc_ns(), Computer(value)
            clock = computer.begin(newest_ns)
        else:
            computer.does(act, value)
        now_ns = clock.utc_ns()
        assert now_ns >= last_ns
        assert utc("2026-01-01") <= now_ns < utc("2067-01-01")
        last_ns = now_ns
