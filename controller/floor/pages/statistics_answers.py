"""Answers of the statistics' pages: documents, charts of the same numbers, and figures as CSV."""

from collections.abc import Callable
from datetime import timedelta
from http import HTTPStatus
from typing import TypeVar

from sqlalchemy import Connection

from controller.floor.exports.csv_export import csv_text
from controller.floor.pages import charts
from controller.floor.pages import statistics_documents as documents
from controller.floor.pages.answers import csv_file
from controller.floor.queries import dealer_spins, listed_rounds
from controller.floor.queries.house_hours import rounds_by_hour
from controller.floor.queries.overview import title_of
from controller.floor.queries.period import DAYWISE, PARAMETERS, Period, compared_period, period_of
from controller.floor.queries.period_figures import period_figures
from controller.floor.queries.query_pool import QueryPool
from controller.floor.queries.state_times import state_times
from controller.floor.queries.statistics import BY, Figures
from controller.floor.store.house_days import local_hour
from controller.floor.store.retention import kept_from
from controller.floor.store.spin_sums import spins_from
from controller.web.http import Request, Response
from controller.web.routes import FRESH, GUARDS, KINDS, as_json

_DRAWN = 30
"""The most dealers whose directions a chart shows legibly."""
_TABLES = "; the numbers are in the table below the picture"
FIGURES = (
    *("rounds", "spins", "an_hour", "an_hour_in_play", "play_ms", "void_rate", "voids", "corrections"),
    *("corrections_per_1000", "phases"),
)
"""The columns of the CSV, as :class:`controller.floor.queries.statistics.Figures` explains them."""
T = TypeVar("T")


class StatisticsAnswers:
    """Answers ``/statistics.json`` and what is below ``/statistics/``.

    Args:
        odds: to 1, against naming a dealer without cause.
    """

    def __init__(self, pool: QueryPool, now_ms: Callable[[], int], odds: int) -> None:
        self._pool = pool
        self._now_ms = now_ms
        self._odds = odds
        self._documents = {
            "/statistics.json": self._figures,
            "/statistics.csv": self._csv,
            "/statistics/hours.json": self._hours,
            "/statistics/hours.svg": self._hours,
            "/statistics/voids.json": self._voids,
            "/statistics/voids.svg": self._voids,
            "/statistics/states.json": self._states,
            "/statistics/phases.svg": self._states,
            "/statistics/dealers.json": self._dealers,
            "/statistics/directions.svg": self._dealers,
            "/statistics/rounds.json": self._rounds,
        }

    async def answer(self, request: Request) -> Response:
        """A document, a chart, or a sentence that names what is wrong with the request."""
        found = self._documents.get(request.path)
        if found is None:
            return as_json({"error": "there is nothing here"}, HTTPStatus.NOT_FOUND)
        further = ("by", "text", "at", *PARAMETERS, *(listed_rounds.PARAMETERS if found == self._rounds else ()))
        try:
            period = period_of(request.query, self._now_ms(), further)
            query = found(request, period)
        except ValueError as error:
            return as_json({"error": str(error)}, HTTPStatus.BAD_REQUEST)
        return await self._pool.ask(query, request.peer)

    def _figures(self, request: Request, period: Period) -> Callable[[Connection], Response]:
        by, text = by_of(request), request.query.get("text", "")
        against = compared_period(request.query, period, self._now_ms())

        def answer(connection: Connection) -> Response:
            found = period_figures(connection, period, by, text)
            before = period_figures(connection, against, by, text) if against is not None else None
            document: documents.Statistics = {
                "by": by,
                "period": period_document(found.period),
                "against": None if before is None else period_document(before.period),
                "kept_from": kept_from(connection),
                "names": found.names,
                "rounds": found.rounds,
                "figures": [one.document() for one in found.figures],
                "before": [] if before is None else [one.document() for one in before.figures],
                "zone": local_hour(found.period.scope.since[:13]).tzname() or "",
            }
            return as_json(document)

        return answer

    def _csv(self, request: Request, period: Period) -> Callable[[Connection], Response]:
        by, text = by_of(request), request.query.get("text", "")

        def answer(connection: Connection) -> Response:
            rows = [dict(one.document()) for one in period_figures(connection, period, by, text).figures]
            cells = [tuple(row[name] for name in ("name", *FIGURES)) for row in rows]
            return csv_file(b"".join(csv_text((by, *FIGURES), [cells])), "statistics")

        return answer

    def _hours(self, request: Request, period: Period) -> Callable[[Connection], Response]:
        def answer(connection: Connection) -> Response:
            rounds, lasted = rounds_by_hour(connection, period)
            totals = [sum(counts) for counts in zip(*rounds.values(), strict=True)] or [0] * len(lasted)
            rates = [_rate(count, hours) for count, hours in zip(totals, lasted, strict=True)]
            if request.path.endswith(".json"):
                document: documents.HoursOfDay = {
                    "rounds": rounds,
                    "lasted_h": [round(hours, 2) for hours in lasted],
                    "an_hour": rates,
                }
                return as_json(document)
            series = {
                game: [_rate(count, hours) for count, hours in zip(counts, lasted, strict=True)]
                for game, counts in rounds.items()
            }
            names = [f"{hour:02}" for hour in range(len(lasted))]
            about = f"Columns of rounds an hour for each hour of the day, by game{_TABLES}"
            return _svg(charts.bars("Rounds an hour, by the hour of the day", about, names, series, "an hour"))

        return answer

    def _voids(self, request: Request, period: Period) -> Callable[[Connection], Response]:
        def answer(connection: Connection) -> Response:
            figures = sorted(period_figures(connection, period, "game").figures, key=lambda one: one.name)
            if request.path.endswith(".json"):
                document: documents.VoidsDocument = {"games": [_void_row(one) for one in figures]}
                return as_json(document)
            rows = [(title_of(one.name), one.voids) for one in figures]
            about = f"For each game the shares of the reasons why spins, rolls or deals were void{_TABLES}"
            return _svg(charts.stacked("Why spins, rolls and deals were void", about, rows))

        return answer

    def _states(self, request: Request, period: Period) -> Callable[[Connection], Response]:
        def answer(connection: Connection) -> Response:
            found = state_times(connection, period)
            if request.path.endswith(".json"):
                document: documents.StatesDocument = {
                    "medians": found.medians,
                    "differences": found.differences,
                    "compared": found.compared,
                    "tables": found.tables,
                }
                return as_json(document)
            rows = [
                (game["title"], {state: round(seconds * 1000) for state, seconds in game["states"].items()})
                for game in found.medians
            ]
            about = f"For each game the shares of the median times of a round in each state{_TABLES}"
            return _svg(charts.stacked("Time of a round in each state, median of the tables", about, rows))

        return answer

    def _dealers(self, request: Request, period: Period) -> Callable[[Connection], Response]:
        days = period.days

        def answer(connection: Connection) -> Response:
            spins = dealer_spins.dealer_spins(connection, days)
            if request.path.endswith(".json"):
                document: documents.DealersDocument = {
                    "findings": dealer_spins.findings(spins, self._odds),
                    "rows": dealer_spins.rows(spins),
                    "dealers": len(spins),
                    "odds": self._odds,
                    "spins_from": spins_from(connection),
                    "period": period_document(days),
                }
                return as_json(document)
            by_way = dealer_spins.spins_by_way(spins)
            rows = [(name or "nobody", ways) for name, ways in list(by_way.items())[:_DRAWN]]
            about = f"For each dealer the shares of throws clockwise and counterclockwise{_TABLES}"
            return _svg(charts.stacked("Directions of throws, by dealer", about, rows))

        return answer

    def _rounds(self, request: Request, period: Period) -> Callable[[Connection], Response]:
        which = listed_rounds.filter_of(request.query)

        def answer(connection: Connection) -> Response:
            rounds, further = listed_rounds.listed_rounds(connection, period.scope, which)
            kept = kept_from(connection)
            document: documents.RoundsDocument = {
                "period": period_document(period),
                "rounds": rounds,
                "further": further,
                "kept_from": kept,
                "gone": period.scope.since < kept,
            }
            return as_json(document)

        return answer


def by_of(request: Request) -> str:
    """What the requested figures are grouped by; by table if the request does not say.

    Raises:
        ValueError: no such grouping exists.
    """
    by = request.query.get("by", BY[0])
    if by not in BY:
        raise ValueError(f"'by' must be one of {', '.join(BY)}, not '{by[:40]}'")
    return by


def period_document(period: Period) -> documents.StatisticsPeriod:
    """A period as it was answered."""
    first, end = period.first, period.end
    if first is None or end is None:
        return {"since": period.scope.since, "until": period.scope.until, "whole": "", "first": "", "last": ""}
    return {
        "since": period.scope.since,
        "until": period.scope.until,
        "whole": "months" if (end - first).days > DAYWISE else "days",
        "first": first.isoformat(),
        "last": (end - timedelta(days=1)).isoformat(),
    }


def _rate(count: int, hours: float) -> float | None:
    return round(count / hours, 1) if hours else None


def _void_row(one: Figures) -> documents.VoidsOfGame:
    document = one.document()
    return {
        "game": one.name,
        "title": title_of(one.name),
        "spins": one.spins,
        "void_rate": document["void_rate"],
        "voids": document["voids"],
    }


def _svg(text: str) -> Response:
    return Response(HTTPStatus.OK, text.encode(), KINDS["svg"], (*GUARDS, FRESH))
