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


def utc(text: str) -> int:
    """Nanoseconds since 1970 of a time in UTC, such as ``2027-03-01`` or ``2027-03-01T18:00``."""
    return int(datetime.fromisoformat(text).replace(tzinfo=UTC).timestamp()) * NS_PER_S


class Computer(VirtualClock):
    """Its clocks; ``by`` is who set the wall time, as the operating system says."""

    def __init__(self, says: int, by: SetBy = SetBy.NOBODY) -> None:
        super().__init__(says)
        self.by = by

    def begin(self, newest_ns: int) -> TableClock:
        clock = TableClock(self, lambda: self.by)
        clock.begin(newest_ns)
        return clock

    def does(self, act: str, value: Any) -> None:
        if act == "wait":
            self.advance_to(self._now_ns + int(value) * NS_PER_S)
        elif act == "set":
            self._utc_ns = (utc(value) if isinstance(value, str) else value) - self._now_ns
        else:
            self.by = SetBy[value.upper()] if isinstance(value, str) else value


JUMPS = """
the network has set it | 2027-03-02T09:00 network | wait 60 | 2027-03-02T09:01 |
a battery has kept it | 2027-03-02T09:00 battery | wait 60 | 2027-03-02T09:01 |
no battery: it goes on from the record | 2027-02-20 nobody | wait 3600 | 2027-03-01T19:00 | clock-not-as-record
later than the record, set by nobody | 2027-03-02 nobody | | 2027-03-02 | clock-unset
a person sets it | 2027-02-20 nobody | set 2027-03-02T10:00 | 2027-03-02T10:00 |
the network sets it | 2027-02-20 nobody | set 2027-03-02T10:00, by network | 2027-03-02T10:00 |
a battery that jumped ahead | 2028-12-01 battery | | 2027-03-01T18:00 | clock-not-as-record
a table that was in store | 2028-12-01 battery | by network | 2028-12-01 |
a year of no table | 1970-01-01T00:01 network | | 2027-03-01T18:00 | clock-of-no-table
a year in the future | 2100-01-01 battery | wait 60 | 2027-03-01T18:01 | clock-of-no-table
the same while it plays | 2027-03-02 network | set 2100-01-01, wait 60 | 2027-03-02T00:01 | clock-of-no-table
until it is set right | 2027-03-02 network | set 2100-01-01, look, set 2027-03-02T00:05 | 2027-03-02T00:05 |
a little fast: half speed | 2027-03-02T09:00 network | set 2027-03-02T08:50, look, wait 300 | 2027-03-02T09:02:30 |
and then as fast | 2027-03-02T09:00 network | set 2027-03-02T08:50, look, wait 900 | 2027-03-02T09:05 |
"""
CASES = {words: rest for words, *rest in (line.split(" |") for line in JUMPS.strip().splitlines())}


@pytest.mark.clause("539.2(b)")
@pytest.mark.parametrize("case", CASES)
def test_the_tables_time_and_its_doubt(case: str) -> None:
    start, acts, expected, doubt = map(str.strip, CASES[case])
    says, by = start.split()
    computer = Computer(utc(says), SetBy[by.upper()])
    clock = computer.begin(utc(RECORD))
    before_ns = clock.utc_ns()
    for act, _, value in (one.strip().partition(" ") for one in acts.split(",") if one.strip()):
        clock.look() if act == "look" else computer.does(act, value)
    change = clock.look()
    assert clock.doubt.code == doubt
    assert 0 <= clock.utc_ns() - utc(expected) < NS_PER_S
    if change is not None and not change.doubt:
        assert abs(before_ns + change.moved_ns + computer.now_ns() - computer.utc_ns()) < NS_PER_S
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
