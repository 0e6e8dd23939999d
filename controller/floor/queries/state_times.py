"""How long rounds are in each state at each table, against the house's median for the game.

A round counts with the time that it was in the state, at most ten minutes: a table that waits longer waits for
players. Of a table that had a state in fewer than :data:`FEWEST` rounds nothing is said.
"""

import statistics
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from sqlalchemy import Connection, select

from controller.floor.pages.statistics_documents import SlowState, StateMedians
from controller.floor.queries.overview import title_of
from controller.floor.queries.period import Period
from controller.floor.queries.period_figures import MOST_NAMES, PartKey, is_of_days, parts_of, signed_periods
from controller.floor.queries.statistics import statistics_by_table
from controller.floor.store.period_sums import IDLE, STATE
from controller.floor.store.schema import period_sums

FEWEST = 20
LONGER = 1.1
"""So many times the median is worth a line."""
LISTED = 60
"""How many differences are listed."""
_PRINTED_S = 2


@dataclass(frozen=True, slots=True)
class StateTimes:
    """The medians of games, and the tables that differ from them.

    Attributes:
        compared: how many tables they are of.
        tables: how many there are.
    """

    medians: list[StateMedians]
    differences: list[SlowState]
    compared: int
    tables: int


def state_times(connection: Connection, period: Period) -> StateTimes:
    """The times of all tables; of very many, of :data:`MOST_NAMES` that are spread evenly over their names."""
    if is_of_days(connection, period):
        names = _tables(connection, period)
        compared = names[:: -(-len(names) // MOST_NAMES) or 1]
        sums = parts_of(connection, period, "table", STATE, compared)
        tables, count = len(names), len(compared)
    else:
        sums = statistics_by_table(connection, period.scope)
        tables = count = len({name for name, _, _ in sums})
    means = _means(sums)
    medians = _medians(means)
    return StateTimes(_documents(medians, means), _differences(means, medians), count, tables)


_Means = Mapping[tuple[str, str], Sequence[tuple[str, float, int]]]
"""By game and state: tables, seconds of a round, and rounds."""


def _means(sums: Mapping[PartKey, Sequence[int]]) -> _Means:
    means: defaultdict[tuple[str, str], list[tuple[str, float, int]]] = defaultdict(list)
    for (table, game, state), (times, _, capped_ms) in sorted(sums.items()):
        if times >= FEWEST and state not in IDLE:
            means[game, state].append((table, capped_ms / times / 1000, times))
    return means


def _medians(means: _Means) -> dict[tuple[str, str], float]:
    return {key: statistics.median(mean for _, mean, _ in of) for key, of in means.items()}


def _documents(medians: Mapping[tuple[str, str], float], means: _Means) -> list[StateMedians]:
    by_game: defaultdict[str, list[tuple[str, float]]] = defaultdict(list)
    for (game, state), middle in medians.items():
        by_game[game].append((state, middle))
    return [
        {
            "game": game,
            "title": title_of(game),
            "tables": max(len(means[game, state]) for state, _ in states),
            "states": {state: round(middle, _PRINTED_S) for state, middle in sorted(states, key=lambda of: -of[1])},
        }
        for game, states in sorted(by_game.items())
    ]


def _differences(means: _Means, medians: Mapping[tuple[str, str], float]) -> list[SlowState]:
    """Where most time goes beyond the median, over all rounds."""
    found: list[tuple[float, SlowState]] = []
    for (game, state), of in means.items():
        middle = medians[game, state]
        for table, mean, rounds in of:
            if mean < LONGER * middle:
                continue
            row: SlowState = {
                "table": table,
                "game": game,
                "state": state,
                "mean_s": round(mean, _PRINTED_S),
                "median_s": round(middle, _PRINTED_S),
                "rounds": rounds,
                "more_h": round((mean - middle) * rounds / 3600, _PRINTED_S),
            }
            found.append(((mean - middle) * rounds, row))
    found.sort(key=lambda one: (-one[0], one[1]["table"], one[1]["state"]))
    return [row for _, row in found[:LISTED]]


def _tables(connection: Connection, period: Period) -> list[str]:
    """The tables that have sums in the period, in order."""
    sums = period_sums.c
    periods = [name for sign, names in signed_periods(period) for name in names if sign > 0]
    game = [sums.game == period.scope.game] if period.scope.game else []
    where = (sums.kind == "table", sums.period.in_(periods), sums.rounds > 0, *game)
    return list(connection.execute(select(sums.name).where(*where).distinct().order_by(sums.name)).scalars())
