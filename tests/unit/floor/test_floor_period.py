"""Which time statistics are of: the house's calendar, and what an address may ask for."""

from collections.abc import Iterator
from datetime import date, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from house_zone import VIENNA, house_in
from hypothesis import given
from hypothesis import strategies as st

from controller.floor.queries.period import Period, compared_period, period_of
from controller.floor.queries.times import ms_of, utc_of
from controller.floor.store.house_days import months_and_days

NOW_MS = ms_of("2026-03-31T22:30:00.000Z")
"""Half past midnight on the first of April in Vienna, where summer time began three days ago."""


@pytest.fixture(autouse=True)
def vienna() -> Iterator[None]:
    with house_in(VIENNA):
        yield


def local(day: str) -> str:
    """When a day of the house begins."""
    at = datetime.fromisoformat(day).replace(tzinfo=ZoneInfo(VIENNA))
    return utc_of(round(at.timestamp() * 1000))


def spoken(period: Period | None) -> tuple[str, str]:
    assert period is not None
    return period.scope.since, period.scope.until


@pytest.mark.parametrize(
    ("name", "first", "end", "before"),
    [
        ("today", "2026-04-01", "2026-04-02", "2026-03-31"),
        ("yesterday", "2026-03-31", "2026-04-01", "2026-03-30"),
        ("this-week", "2026-03-30", "2026-04-02", "2026-03-23"),
        ("last-week", "2026-03-23", "2026-03-30", "2026-03-16"),
        ("this-month", "2026-04-01", "2026-04-02", "2026-03-01"),
        ("last-month", "2026-03-01", "2026-04-01", "2026-02-01"),
        ("this-year", "2026-01-01", "2026-04-02", "2025-01-01"),
        ("last-year", "2025-01-01", "2026-01-01", "2024-01-01"),
    ],
)
def test_periods_are_those_of_the_houses_calendar(name: str, first: str, end: str, before: str) -> None:
    period = period_of({"period": name}, NOW_MS)
    assert spoken(period) == (local(first), local(end))
    compared = compared_period({"period": name, "against": "before"}, period, NOW_MS)
    assert spoken(compared) == (local(before), local(first if not name.startswith("this") else _end_of_last(name)))


def _end_of_last(name: str) -> str:
    return {"this-week": "2026-03-30", "this-month": "2026-04-01", "this-year": "2026-01-01"}[name]


DAYS = st.dates(date(2019, 1, 1), date(2031, 1, 1))


def _days(name: str, sign: int) -> dict[str, int]:
    """The days of a day, month or year, each with its sign."""
    first = date.fromisoformat(f"{name}-01-01"[:10]) if len(name) < 10 else date.fromisoformat(name)
    last = {4: date(first.year, 12, 31), 7: (first + timedelta(days=32)).replace(day=1) - timedelta(days=1)}
    end = last.get(len(name), first)
    return {(first + timedelta(days=at)).isoformat(): sign for at in range((end - first).days + 1)}


@given(DAYS, st.integers(1, 900))
def test_months_and_days_come_to_the_days_of_the_request(first: date, length: int) -> None:
    end = first + timedelta(days=length)
    total: dict[str, int] = {}
    parts = months_and_days(first, end)
    for name, sign in parts:
        for day, of in _days(name, sign).items():
            total[day] = total.get(day, 0) + of
    assert {day: of for day, of in total.items() if of} == {
        (first + timedelta(days=at)).isoformat(): 1 for at in range(length)
    }
    assert len(parts) <= 2 * 16 + length // 28 + 16
