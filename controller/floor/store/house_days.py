"""Days of the house: of the time zone of the floor's computer, with its daylight saving time.

A round counts to the day on which the hour began in which it closed, so that sums of hours can be added up to days.
"""

from datetime import UTC, date, datetime, timedelta


def day_of_hour(hour: str) -> str:
    """The day of an hour, UTC: ``2026-11-21T23`` in Vienna is of ``2026-11-22``."""
    return local_hour(hour).date().isoformat()


def local_hour(hour: str) -> datetime:
    """The beginning of an hour, UTC, by the house's clock."""
    return datetime.fromisoformat(f"{hour}:00+00:00").astimezone()


def day_of(ms: int) -> date:
    """The day of a time in milliseconds since 1970."""
    return datetime.fromtimestamp(ms // 1000, UTC).astimezone().date()


def begins_ms(day: date) -> int:
    """When a day begins, in milliseconds since 1970; a day with a change of the clock has 23 or 25 hours."""
    return int(datetime(day.year, day.month, day.day).timestamp()) * 1000


def months_and_days(first: date, end: date) -> list[tuple[str, int]]:
    """The periods that make up the days from one to another that is not included: whole months, and days.

    Returns:
        months and days as the sums have them, each with 1, or with -1 for a day that a month has too much.
    """
    begin_month, end_month = _nearest_month(first), _nearest_month(end)
    if begin_month >= end_month:
        return [(day, 1) for day in _days(first, end)]
    found = [(f"{month:%Y-%m}", 1) for month in _months(begin_month, end_month)]
    found += [(day, 1) for day in _days(first, begin_month)] + [(day, -1) for day in _days(begin_month, first)]
    return found + [(day, 1) for day in _days(end_month, end)] + [(day, -1) for day in _days(end, end_month)]


def years_and_months(first: date, end: date) -> list[tuple[str, int]]:
    """The same of whole months, from one to another that is not included: years, and months."""
    begin_year, end_year = _nearest_year(first), _nearest_year(end)
    if begin_year >= end_year:
        return [(f"{month:%Y-%m}", 1) for month in _months(first, end)]
    found = [(f"{year:04}", 1) for year in range(begin_year.year, end_year.year)]
    found += [(f"{month:%Y-%m}", 1) for month in (*_months(first, begin_year), *_months(end_year, end))]
    return found + [(f"{month:%Y-%m}", -1) for month in (*_months(begin_year, first), *_months(end, end_year))]


def _nearest_year(month: date) -> date:
    return date(month.year + (month.month > 7), 1, 1)


def month_before(day: date) -> date:
    """The first day of the month before that of a day."""
    return (day.replace(day=1) - timedelta(days=1)).replace(day=1)


def month_after(day: date) -> date:
    """The first day of the month after that of a day."""
    return (day.replace(day=1) + timedelta(days=32)).replace(day=1)


def _nearest_month(day: date) -> date:
    """The beginning of a month that is nearest to a day."""
    this, following = day.replace(day=1), month_after(day)
    return this if day - this <= following - day else following


def _months(first: date, end: date) -> list[date]:
    months = []
    while first < end:
        months.append(first)
        first = month_after(first)
    return months


def _days(first: date, end: date) -> list[str]:
    return [(first + timedelta(days=day)).isoformat() for day in range((end - first).days)]
