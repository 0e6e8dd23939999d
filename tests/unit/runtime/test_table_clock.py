"""The wall time of a table on a computer whose own is wrong: it never runs backwards, and a doubt is said."""

from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from controller.events.words import NOTHING, text
from controller.runtime.table_clock import ClockChange, TableClock
from hal.mock.clock import NS_PER_S, VirtualClock
from hal.wall_time import SetBy


def utc(text: str) -> int:
    """Nanoseconds since 1970 of a time in UTC, such as ``2027-03-01`` or ``2027-03-01T18:00``."""
    return int(datetime.fromisoformat(text).replace(tzinfo=UTC).timestamp()) * NS_PER_S


class Computer(VirtualClock):
    """Its clocks; ``by`` is who set the wall time, as the operating system says."""

    def __init__(self, says: str, by: SetBy = SetBy.NOBODY) -> None:
        super().__init__(utc(says))
        self.by = by

    def set_to(self, utc_ns: int) -> None:
        self._utc_ns = utc_ns - self._now_ns

    def wait(self, seconds: float) -> None:
        self.advance_to(self._now_ns + round(seconds * NS_PER_S))


HOUR_S = 3600
RECORD = utc("2027-03-01T18:00")
"""The newest wall time on record."""


def begun(computer: Computer, newest_ns: int = RECORD) -> TableClock:
    clock = TableClock(computer, lambda: computer.by)
    clock.begin(newest_ns)
    return clock


@pytest.mark.parametrize("by", [SetBy.NETWORK, SetBy.BATTERY])
def test_a_time_that_was_set_is_the_tables(by: SetBy) -> None:
    computer = Computer("2027-03-02T09:00", by)
    clock = begun(computer)
    assert (clock.doubt, clock.utc_ns()) == (NOTHING, utc("2027-03-02T09:00"))
    computer.wait(60)
    assert clock.utc_ns() == utc("2027-03-02T09:01")
    assert clock.look() is None


@pytest.mark.parametrize("by", [SetBy.NETWORK, SetBy.NOBODY])
def test_without_a_battery_the_time_goes_on_from_the_record_in_doubt_until_it_is_set(by: SetBy) -> None:
    """By the network, or by a person."""
    computer = Computer("2027-02-20T00:00")
    clock = begun(computer)
    assert clock.doubt == text("clock-not-as-record", day="2027-02-20", record="2027-03-01")
    assert 0 < clock.utc_ns() - RECORD < NS_PER_S
    computer.wait(HOUR_S)
    assert HOUR_S * NS_PER_S < clock.utc_ns() - RECORD < (HOUR_S + 1) * NS_PER_S
    assert clock.look() is None, "nothing changed"
    before_ns = clock.utc_ns()
    computer.set_to(utc("2027-03-02T10:00"))
    computer.by = by
    assert clock.look() == ClockChange(utc("2027-03-02T10:00") - before_ns)
    assert (clock.doubt, clock.utc_ns()) == (NOTHING, utc("2027-03-02T10:00"))
    assert clock.look() is None, "it is said once"


@pytest.mark.clause("539.2(b)")
@pytest.mark.parametrize("says", ["1970-01-01T00:01", "2100-01-01", "2025-12-31"])
@pytest.mark.parametrize("by", SetBy)
@pytest.mark.parametrize("newest_ns", [0, RECORD])
def test_a_year_in_which_no_table_runs_is_not_believed(says: str, by: SetBy, newest_ns: int) -> None:
    computer = Computer(says, by)
    clock = begun(computer, newest_ns)
    assert clock.doubt == text("clock-of-no-table", day=says[:10])
    from_ns = newest_ns or utc("2026-01-01")
    computer.wait(HOUR_S)
    assert HOUR_S * NS_PER_S <= clock.utc_ns() - from_ns < (HOUR_S + 1) * NS_PER_S


def test_a_battery_that_jumped_ahead_is_not_believed_and_a_network_is() -> None:
    ahead = "2028-12-01"
    computer = Computer(ahead, SetBy.BATTERY)
    clock = begun(computer)
    assert clock.doubt.parameters["day"] == "2028-12-01"
    assert clock.utc_ns() - RECORD < NS_PER_S
    computer.by = SetBy.NETWORK
    assert clock.look() is not None
    assert (clock.doubt, clock.utc_ns()) == (NOTHING, utc(ahead)), "the table was in store"


def test_a_year_in_the_future_that_comes_while_the_table_plays_is_never_believed() -> None:
    computer = Computer("2027-03-02T09:00", SetBy.NETWORK)
    clock = begun(computer)
    computer.wait(10)
    computer.set_to(utc("2100-01-01"))
    computer.wait(10)
    assert clock.utc_ns() == utc("2027-03-02T09:00:20")
    change = clock.look()
    assert change is not None
    assert change.doubt.code == "clock-of-no-table"
    computer.set_to(utc("2027-03-02T09:05"))
    change = clock.look()
    assert change is not None
    assert (change.doubt, clock.utc_ns()) == (NOTHING, utc("2027-03-02T09:05"))


def test_a_clock_that_was_a_little_fast_goes_half_as_fast_until_the_true_time_has_come_up() -> None:
    computer = Computer("2027-03-02T09:00", SetBy.NETWORK)
    clock = begun(computer)
    computer.set_to(utc("2027-03-02T08:50"))
    change = clock.look()
    assert change is not None
    assert (change.doubt, change.moved_ns) == (NOTHING, -600 * NS_PER_S)
    computer.wait(300)
    assert clock.utc_ns() == utc("2027-03-02T09:02:30")
    computer.wait(600)
    assert clock.utc_ns() == utc("2027-03-02T09:05")


_TIMES = st.integers(utc("1970-01-01"), utc("2110-01-01"))
_ACTS = st.one_of(
    st.tuples(st.just("wait"), st.integers(0, 10**6)),
    st.tuples(st.just("set"), _TIMES),
    st.tuples(st.just("step"), st.integers(-(10**5), 10**5)),
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
    computer = Computer("2027-01-01", by)
    computer.set_to(says)
    clock, last_ns = begun(computer, 0), 0
    for act, value in acts:
        if act == "wait":
            computer.wait(value)
        elif act == "set":
            computer.set_to(value)
        elif act == "step":
            computer.set_to(computer.utc_ns() + value * NS_PER_S)
        elif act == "by":
            computer.by = value
        elif act == "look":
            clock.look()
        else:
            newest_ns, computer = clock.utc_ns(), Computer("2027-01-01")
            computer.set_to(value)
            clock = begun(computer, newest_ns)
        now_ns = clock.utc_ns()
        assert now_ns >= last_ns
        assert utc("2026-01-01") <= now_ns < utc("2067-01-01")
        last_ns = now_ns
