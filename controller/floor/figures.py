"""Figures of a period and the rounds behind them; both pages take the same query.

Figures are those of whole hours (UTC) in which rounds closed. A day is one of the floor's own time zone.
"""

import json
import re
from collections import Counter, defaultdict
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from itertools import starmap
from typing import Any, NamedTuple

from sqlalchemy import ColumnElement, Connection, Text, cast, func, select, tuple_

from controller.floor.schema import rounds, sums
from controller.web.serving import DIGITS

BY = ("table", "game", "dealer", "wheel")
PERIODS = ("today", "yesterday", "7-days", "month")
MOST_DAYS = 1830
MOST_ROUNDS = 100
"""Of one page of the list."""
_HOURLY = timedelta(days=2)
"""Up to this span a chart has a column for each hour, beyond it one for each day."""
_LAST = timedelta(minutes=59)
"""Where a zone is off by a part of an hour, an hour (UTC) belongs to the hour and the day in which it ends."""
_YEARS = range(2000, 3000)
_PLACE = re.compile(rf"(.*)_({DIGITS})_({DIGITS})")
_HOUR = "%Y-%m-%dT%H"


class QueryError(ValueError):
    """A query of an address cannot be answered; the text says why."""


class Period(NamedTuple):
    """From one moment up to another, both in the floor's time zone."""

    since: datetime
    until: datetime
    name: str
    """One of ``PERIODS``; empty for any other."""


class Scope(NamedTuple):
    """The rounds that a page is about. ``named`` has the required values of some of ``BY``."""

    period: Period
    named: Mapping[str, str]


def utc_text(moment: datetime) -> str:
    """As the times of the database."""
    return moment.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def midnight(now: datetime) -> datetime:
    """Of the present day."""
    return now.replace(hour=0, minute=0, second=0, microsecond=0)


def scope_of(query: Mapping[str, str], now: datetime) -> Scope:
    """The scope that a query asks for; today if it names no period.

    Args:
        query: ``period``, or ``from`` and ``to`` (a day, or an hour as in 2026-11-21T17; both belong to the
            period), and any of ``BY``.
        now: in the floor's time zone.

    Raises:
        QueryError: it asks for no period.
    """
    return Scope(_period_of(query, now), {name: query[name] for name in BY if query.get(name)})


def _period_of(query: Mapping[str, str], now: datetime) -> Period:
    name, first, last = (query.get(key, "") for key in ("period", "from", "to"))
    if name and (first or last):
        raise QueryError("Use either period or from and to, not both.")
    if first or last:
        since, until = _moment(first or last, now)[0], _moment(last or first, now)[1]
        if since >= until:
            raise QueryError(f"The period ends before it begins: from {first} to {last}.")
        if until - since > timedelta(days=MOST_DAYS):
            raise QueryError("The period is longer than five years.")
        return Period(since, until, "")
    today, name = midnight(now), name or PERIODS[0]
    if name not in PERIODS:
        raise QueryError(f"There is no period '{name}'. Use {', '.join(PERIODS)}.")
    since = {
        "today": today,
        "yesterday": today - timedelta(days=1),
        "7-days": today - timedelta(days=6),
        "month": today.replace(day=1),
    }[name]
    return Period(since, today if name == "yesterday" else today + timedelta(days=1), name)


def _moment(text: str, now: datetime) -> tuple[datetime, datetime]:
    """Beginning and end of a day or an hour."""
    length = timedelta(hours=1) if "T" in text else timedelta(days=1)
    try:
        begin = datetime.strptime(text, _HOUR if "T" in text else "%Y-%m-%d").replace(tzinfo=now.tzinfo)
        if begin.year in _YEARS:
            return begin, begin + length
    except ValueError:
        pass
    raise QueryError(f"'{text}' is not a day. Use a date such as {now:%Y-%m-%d}, or an hour such as {now:{_HOUR}}.")


def figures(connection: Connection, scope: Scope, by: str) -> list[dict[str, Any]]:
    """The figures by one of ``BY``, the most rounds first."""
    key = (sums.c[by], sums.c.what, sums.c.name)
    query = select(*key, func.sum(sums.c["count"]), func.sum(sums.c.ms)).group_by(*key)
    counts: defaultdict[str, Counter[tuple[str, str]]] = defaultdict(Counter)
    query = query.where(*_hours(scope, "round", "void", "correction"))
    for name, what, reason, count, ms in connection.execute(query):
        counts[name][what, reason] = int(count)
        counts[name]["ms", what] = int(ms)
    return sorted(starmap(_row, counts.items()), key=lambda row: (-row["rounds"], row["name"]))


def _row(name: str, counts: Counter[tuple[str, str]]) -> dict[str, Any]:
    rounds, hours = counts["round", ""], counts["ms", "round"] / 3_600_000
    voids = {reason: count for (what, reason), count in counts.most_common() if what == "void"}
    return {
        "name": name,
        "rounds": rounds,
        "hours_of_play": round(hours, 1),
        "rounds_per_hour": round(rounds / hours, 1) if hours else None,
        "voids": voids,
        "voids_per_100_rounds": round(100 * sum(voids.values()) / rounds, 1) if rounds else None,
        "corrections": counts["correction", ""],
    }


def rounds_by_time(connection: Connection, scope: Scope) -> dict[str, int]:
    """Rounds by hour or day, in the floor's time zone; hours and days without any have 0."""
    since, until, _ = scope.period
    form = _HOUR if until - since <= _HOURLY else "%Y-%m-%d"

    def column(hour: datetime) -> str:
        return (hour + _LAST).astimezone(since.tzinfo).strftime(form)

    hour, end = (moment.astimezone(UTC).replace(minute=0) for moment in (since, until))
    found: dict[str, int] = {}
    while hour < end:
        found[column(hour)] = 0
        hour += timedelta(hours=1)
    query = select(sums.c.hour, func.sum(sums.c["count"])).group_by(sums.c.hour)
    for text, count in connection.execute(query.where(*_hours(scope, "round"))):
        found[column(datetime.strptime(text, _HOUR).replace(tzinfo=UTC))] += int(count)
    return found


def _hours(scope: Scope, *whats: str) -> list[ColumnElement[bool]]:
    since, until, _ = scope.period
    hours = (sums.c.hour >= utc_text(since)[:13], sums.c.hour < utc_text(until)[:13])
    return [sums.c.what.in_(whats), *hours, *(sums.c[name] == value for name, value in scope.named.items())]


def listed_rounds(connection: Connection, scope: Scope, void: str = "", before: str = "") -> list[dict[str, Any]]:
    """Rounds, the newest first; at most ``MOST_ROUNDS``.

    Args:
        void: a reason, or ``any``: only rounds with such a void spin or roll.
        before: the :func:`place_of` a round; only those that are listed after it.

    Raises:
        QueryError: ``before`` is none.
    """
    since, until, _ = scope.period
    columns = rounds.c
    wanted = [columns.closed >= utc_text(since), columns.closed < utc_text(until)]
    wanted += [columns[name] == value for name, value in scope.named.items()]
    if void == "any":
        wanted.append(cast(columns.voids, Text) != "[]")
    elif void:
        wanted.append(cast(columns.voids, Text).contains(json.dumps(void), autoescape=True))
    place = (columns.closed, columns.record_id, columns.number)
    if before:
        found = _PLACE.fullmatch(before)
        if found is None:
            raise QueryError(f"before={before} is not the place of a round.")
        wanted.append(tuple_(*place) < tuple_(found[1], int(found[2]), int(found[3])))
    query = select(rounds).where(*wanted).order_by(*(column.desc() for column in place)).limit(MOST_ROUNDS)
    return [dict(row) for row in connection.execute(query).mappings()]


def place_of(row: Mapping[str, Any]) -> str:
    """The place of a round in the list."""
    return f"{row['closed']}_{row['record_id']}_{row['number']}"
