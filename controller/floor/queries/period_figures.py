"""Figures of a period: up to two days exactly, from the sums of hours; longer ones from those of days and months.

A period of one table, dealer or wheel is always read from the sums of hours, as days are not summed by two names.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from heapq import nsmallest
from typing import Any

from sqlalchemy import ColumnElement, Connection, func, select

from controller.floor.queries.period import DAYWISE, Period
from controller.floor.queries.statistics import Figures, kept_scope, statistics
from controller.floor.store.house_days import day_of, months_and_days, years_and_months
from controller.floor.store.period_sums import STATE, VOID, days_are_complete
from controller.floor.store.schema import period_parts, period_sums

MOST_NAMES = 500
"""Of more tables, dealers or wheels the figures of those with the most rounds are given."""
_sums, _parts = period_sums.c, period_parts.c
_NUMBERS = ("rounds", "spins", "corrections", "voids", "play_ms")


@dataclass(frozen=True, slots=True)
class PeriodFigures:
    """The figures of a period.

    Attributes:
        period: as it was answered.
        figures: the most rounds first; at most :data:`MOST_NAMES`.
        names: how many there are.
        rounds: of all of them.
    """

    period: Period
    figures: list[Figures]
    names: int
    rounds: int


def is_of_days(connection: Connection, period: Period) -> bool:
    """Whether a period is read from the sums of days."""
    scope = period.scope
    return (
        period.first is not None
        and not (scope.table or scope.dealer or scope.wheel)
        and days_are_complete(connection)
    )


def period_figures(connection: Connection, period: Period, by: str, text: str = "") -> PeriodFigures:
    """The figures by table, wheel, dealer or game.

    Args:
        text: a part of the names that are asked for; all if it is empty.
    """
    if is_of_days(connection, period):
        return _of_days(connection, period, by, text)
    scope = kept_scope(connection, period.scope)
    period = Period(scope, period.now_ms, period.first, period.end)
    found = [one for one in statistics(connection, scope, by) if text.casefold() in one.name.casefold()]
    for one in found:
        one.span_ms = period.span_ms
    most = nsmallest(MOST_NAMES, found, key=lambda one: (-one.rounds, one.name))
    return PeriodFigures(period, most, len(found), sum(one.rounds for one in found))


def signed_periods(period: Period, years: bool = False) -> list[tuple[int, list[str]]]:
    """The days and months that a period is made of: those that are added, and those that are taken out.

    Args:
        years: there are sums of years, too.
    """
    assert period.first is not None
    assert period.end is not None
    first, end = period.first, period.end
    if years and (end - first).days > DAYWISE:
        # A year that is not over has nothing after today.
        begun = day_of(period.now_ms)
        parts = years_and_months(first, date(end.year + 1, 1, 1) if end > begun and end.month > 1 else end)
    else:
        parts = months_and_days(first, end)
    by_sign = ((sign, [name for name, of in parts if of == sign]) for sign in (1, -1))
    return [(sign, names) for sign, names in by_sign if names]


def _of_days(connection: Connection, period: Period, by: str, text: str) -> PeriodFigures:
    totals = {name: total for name, total in _totals(connection, period, by, text).items() if total[0] > 0}
    span_ms, figures = period.span_ms, []
    # Of tens of thousands of names, objects are made of those alone that are shown.
    for name in nsmallest(MOST_NAMES, totals, key=lambda name: (-totals[name][0], name)):
        rounds, spins, corrections, voids, play_ms = totals[name]
        figures.append(Figures(name, span_ms, rounds, spins, corrections, play_ms=play_ms, void_spins=voids))
    _add_parts(connection, period, by, figures)
    return PeriodFigures(period, figures, len(totals), sum(total[0] for total in totals.values()))


def _totals(connection: Connection, period: Period, by: str, text: str) -> dict[str, list[int]]:
    """The numbers of each name, in the order of ``_NUMBERS``."""
    totals: dict[str, list[int]] = {}
    game = [_sums.game == period.scope.game] if period.scope.game else []
    named = [_sums.name.icontains(text, autoescape=True)] if text else []
    columns = [func.sum(_sums[number]) for number in _NUMBERS]
    for sign, names in signed_periods(period, years=True):
        where = (_sums.kind == by, _sums.period.in_(names), *game, *named)
        for name, *numbers in connection.execute(select(_sums.name, *columns).where(*where).group_by(_sums.name)):
            signed = [sign * int(number) for number in numbers]
            total = totals.get(name)
            totals[name] = (
                signed if total is None else [one + more for one, more in zip(total, signed, strict=True)]
            )
    return totals


def _add_parts(connection: Connection, period: Period, by: str, figures: Sequence[Figures]) -> None:
    """Add reasons, and times in states as far as they are summed, to the figures of days."""
    named = {one.name: one for one in figures}
    for (name, _, reason), (times, _, _) in parts_of(connection, period, by, VOID, named).items():
        if times:
            named[name].voids[reason] += times
    for (name, _, state), (times, ms, _) in parts_of(connection, period, by, STATE, named).items():
        if times:
            named[name].phases[state] = named[name].phases.get(state, 0) + ms
    for one in figures:
        one.phases = dict(sorted(one.phases.items(), key=lambda phase: (-phase[1], phase[0])))


PartKey = tuple[str, str, str]
"""A name, a game, and a state or reason."""


def parts_of(
    connection: Connection, period: Period, by: str, of: str, names: Iterable[str]
) -> Mapping[PartKey, Sequence[int]]:
    """Of a period of days: times, milliseconds, and those of at most ten minutes a round.

    Args:
        of: states or reasons.
        names: at most :data:`MOST_NAMES`.
    """
    totals: defaultdict[PartKey, list[int]] = defaultdict(lambda: [0] * 3)
    columns: list[ColumnElement[Any]] = [func.sum(_parts[number]) for number in ("times", "ms", "capped_ms")]
    key = (_parts.name, _parts.game, _parts.part)
    game = [_parts.game == period.scope.game] if period.scope.game else []
    for sign, periods in signed_periods(period):
        where = (
            _parts.kind == by,
            _parts.of == of,
            _parts.period.in_(periods),
            _parts.name.in_(list(names)),
            *game,
        )
        for name, its_game, part, *numbers in connection.execute(
            select(*key, *columns).where(*where).group_by(*key)
        ):
            total = totals[name, its_game, part]
            for place, number in enumerate(numbers):
                total[place] += sign * int(number)
    return totals
