"""Which time statistics are of: named by the house's calendar, by its days, by hours, or by two times.

In an address: ``?period=this-week``, ``?first=2026-11-01&last=2026-11-21`` (days of the house, both included),
``?hours=8``, or ``?from=…&to=…`` (UTC). ``against=before``, or ``against_first`` and ``against_last``, name the
period to compare with.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import date, timedelta

from controller.floor.queries.scope import HOUR_MS, TIMES, Scope, scope_of
from controller.floor.queries.times import ms_of, utc_of
from controller.floor.store.house_days import begins_ms, day_of, month_after, month_before

MOST_HOURS = 24 * 366
PARAMETERS = ("period", "first", "last", "hours", "against", "against_first", "against_last")
EXACT_MS = 49 * HOUR_MS
"""Up to so long a period is exact; a longer one is of whole days."""
MOST_DAYS = 20 * 366
DAYWISE = 92
"""Up to so many days a period is of whole days; a longer one is of whole months."""


@dataclass(frozen=True, slots=True)
class Period:
    """Rounds of a time.

    Attributes:
        scope: which rounds; of a period of days or months, all of their time.
        first: the first day; None for a period that is exact.
        end: the day after the last.
        now_ms: what has passed of it when it was asked for.
    """

    scope: Scope
    now_ms: int
    first: date | None = None
    end: date | None = None

    @property
    def days(self) -> "Period":
        """The same as a period of whole days: spins are summed by day."""
        since, until = ms_of(self.scope.since), ms_of(self.scope.until)
        first, end = self.first or day_of(since), self.end or day_of(until - 1) + _DAY
        within = self.scope.between(utc_of(begins_ms(first)), utc_of(begins_ms(end)))
        return Period(within, self.now_ms, first, end)

    @property
    def span_ms(self) -> int:
        """How long it has lasted so far."""
        return max(1, min(ms_of(self.scope.until), self.now_ms) - ms_of(self.scope.since))


def _week(today: date) -> date:
    return today - timedelta(days=today.weekday())


def _year(today: date) -> date:
    return today.replace(month=1, day=1)


_DAY = timedelta(days=1)
_FIRST_YEAR, _LAST_YEAR = "1971", "2971-01-01T00:00:00.000Z"
_NAMED: Mapping[str, Callable[[date], tuple[date, date]]] = {
    "today": lambda today: (today, today + _DAY),
    "yesterday": lambda today: (today - _DAY, today),
    "this-week": lambda today: (_week(today), today + _DAY),
    "last-week": lambda today: (_week(today) - 7 * _DAY, _week(today)),
    "this-month": lambda today: (today.replace(day=1), today + _DAY),
    "last-month": lambda today: (month_before(today), today.replace(day=1)),
    "this-year": lambda today: (_year(today), today + _DAY),
    "last-year": lambda today: (_year(_year(today) - _DAY), _year(today)),
}
PERIODS = tuple(_NAMED)
_BEFORE = {f"this-{unit}": f"last-{unit}" for unit in ("week", "month", "year")} | {"today": "yesterday"}


def period_of(query: Mapping[str, str], now_ms: int, further: tuple[str, ...] = ()) -> Period:
    """The period that an address names; the last 24 hours if it names none.

    Args:
        further: other parameters that the address may have.

    Raises:
        ValueError: a parameter is unknown or has no meaning; the message names it.
    """
    named = [name for name in ("period", "first", "last", "hours") if name in query]
    if {*named} - {"first", "last"} and (len(named) > 1 or any(name in query for name in TIMES)):
        raise ValueError(f"'{named[0]}' is a period by itself, without another one or 'from' and 'to'")
    rest = {name: value for name, value in query.items() if name not in PARAMETERS}
    if "first" in query or "last" in query:
        first, last = _day(query, "first"), _day(query, "last")
        return of_days(scope_of(rest, now_ms, further), first, last + _DAY, now_ms)
    if "period" in query:
        return of_days(scope_of(rest, now_ms, further), *_named(query["period"], now_ms), now_ms)
    if "hours" in query:
        rest["from"] = utc_of(now_ms - _hours(query["hours"]) * HOUR_MS)
    scope = scope_of(rest, now_ms, further)
    return _rounded(scope, now_ms)


def compared_period(query: Mapping[str, str], period: Period, now_ms: int) -> Period | None:
    """The period to compare with; None if the address names none.

    Raises:
        ValueError: a parameter has no meaning; the message names it.
    """
    if "against_first" in query or "against_last" in query:
        first, last = _day(query, "against_first"), _day(query, "against_last")
        return of_days(period.scope, first, last + _DAY, now_ms)
    against = query.get("against", "")
    if not against:
        return None
    if against != "before":
        raise ValueError(
            f"'against' must be before, not '{against[:40]}'; or name 'against_first' and 'against_last'"
        )
    if (earlier := _BEFORE.get(query.get("period", ""))) is not None:
        return of_days(period.scope, *_named(earlier, now_ms), now_ms)
    if period.first is None or period.end is None:
        since, until = ms_of(period.scope.since), ms_of(period.scope.until)
        return Period(period.scope.between(utc_of(2 * since - until), period.scope.since), now_ms)
    return of_days(period.scope, _earlier(period.first, period.end), period.first, now_ms)


def _earlier(first: date, end: date) -> date:
    """The first day of the period before: of as many months if it is of whole ones, else of as many days."""
    if first.day == end.day == 1:
        for _ in range((end.year - first.year) * 12 + end.month - first.month):
            first = month_before(first)
        return first
    return first - (end - first)


def of_days(scope: Scope, first: date, end: date, now_ms: int) -> Period:
    """The period of whole days; of whole months if they are many.

    Raises:
        ValueError: the last day is before the first.
    """
    if end <= first:
        raise ValueError("'first' must not be after 'last'")
    if (end - first).days > MOST_DAYS:
        raise ValueError(f"a period is at most {MOST_DAYS // 366} years long")
    if (end - first).days > DAYWISE:
        first, end = first.replace(day=1), month_after(end - _DAY)
    within = scope.between(utc_of(begins_ms(first)), utc_of(begins_ms(end)))
    if within.span_ms <= EXACT_MS:
        return Period(within, now_ms)
    return Period(within, now_ms, first, end)


def _rounded(scope: Scope, now_ms: int) -> Period:
    """A period as it is answered: exact, or of whole days."""
    if scope.span_ms <= EXACT_MS:
        return Period(scope, now_ms)
    if not _FIRST_YEAR <= scope.since < _LAST_YEAR:
        raise ValueError(f"'from' must be between the years {_FIRST_YEAR} and {_LAST_YEAR[:4]}")
    since, until = ms_of(scope.since), ms_of(min(scope.until, _LAST_YEAR))
    return of_days(scope, day_of(since), day_of(until - 1) + _DAY, now_ms)


def _named(name: str, now_ms: int) -> tuple[date, date]:
    if name not in _NAMED:
        raise ValueError(f"'period' must be one of {', '.join(PERIODS)}, not '{name[:40]}'")
    return _NAMED[name](day_of(now_ms))


def _hours(text: str) -> int:
    if not (text.isascii() and text.isdigit() and 1 <= int(text[:6]) <= MOST_HOURS):
        raise ValueError(f"'hours' must be a whole number from 1 to {MOST_HOURS}, without 'from'")
    return int(text)


def _day(query: Mapping[str, str], name: str) -> date:
    try:
        day = date.fromisoformat(query[name])
        if not _FIRST_YEAR <= str(day.year) < _LAST_YEAR[:4]:
            raise ValueError
    except (KeyError, ValueError):
        raise ValueError(f"'{name}' must be a day as 2026-11-21; the first and the last one are named") from None
    return day
