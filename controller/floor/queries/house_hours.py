"""Rounds by the hour of the day of the house, by game."""

from collections import Counter, defaultdict
from collections.abc import Iterator
from datetime import datetime
from functools import cache

from sqlalchemy import ColumnElement, Connection, func, select

from controller.floor.queries.period import Period
from controller.floor.queries.period_figures import is_of_days
from controller.floor.queries.scope import HOUR_MS, NAMED
from controller.floor.queries.times import ms_of, utc_of
from controller.floor.store.hour_sums import HOUR_LENGTH
from controller.floor.store.house_days import local_hour
from controller.floor.store.schema import hour_sums, period_sums

HOURS = 24


def rounds_by_hour(connection: Connection, period: Period) -> tuple[dict[str, list[int]], list[float]]:
    """Of each game the rounds in each hour of the day, 0 to 23; and how often each hour came so far.

    A day on which the clock is put forward lacks an hour; one on which it is put back has an hour twice. An hour
    that a period begins or ends in is counted as a whole.
    """
    counts: defaultdict[str, list[int]] = defaultdict(lambda: [0] * HOURS)
    local = cache(lambda hour: local_hour(hour).hour)
    for game, hour, rounds in _hours(connection, period):
        counts[game][local(hour)] += rounds
    return dict(sorted(counts.items())), _lasted(period)


def _hours(connection: Connection, period: Period) -> Iterator[tuple[str, str, int]]:
    scope = period.scope
    since, until = scope.since[:HOUR_LENGTH], utc_of(ms_of(scope.until) + HOUR_MS - 1)[:HOUR_LENGTH]
    where: list[ColumnElement[bool]]
    if is_of_days(connection, period):
        sums = period_sums.c
        where = [
            sums.kind == "game",
            sums.period >= since,
            sums.period < until,
            func.length(sums.period) == HOUR_LENGTH,
        ]
        where += [sums.game == scope.game] if scope.game else []
        query = select(sums.game, sums.period, sums.rounds).where(*where)
    else:
        of = hour_sums.c
        where = [of.hour >= since, of.hour < until]
        where += [of[name] == getattr(scope, name) for name in NAMED if getattr(scope, name)]
        query = select(of.game, of.hour, func.sum(of.rounds)).where(*where).group_by(of.game, of.hour)
    for game, hour, rounds in connection.execute(query):
        yield game, hour, int(rounds)


def _lasted(period: Period) -> list[float]:
    """How many hours of each hour of the day have passed."""
    passed: Counter[int] = Counter()
    at = ms_of(period.scope.since) // HOUR_MS * HOUR_MS
    end = min(-(-ms_of(period.scope.until) // HOUR_MS) * HOUR_MS, period.now_ms)
    while at < end:
        following = min(end, at - at % HOUR_MS + HOUR_MS)
        passed[datetime.fromtimestamp(at // 1000).hour] += following - at
        at = following
    return [passed[hour] / HOUR_MS for hour in range(HOURS)]
