"""Statistics as the rows of an export. Rounds, spins, alerts and sums: ``controller/floor/exports``."""

from collections.abc import Sequence
from typing import Any

from sqlalchemy import Connection

from controller.floor.queries.scope import Scope
from controller.floor.queries.statistics import statistics

FIGURES = (
    *("name", "rounds", "spins", "an_hour", "an_hour_in_play", "play_ms", "void_rate", "voids", "corrections"),
    *("corrections_per_1000", "phases"),
)
"""Of statistics: as :class:`controller.floor.queries.statistics.Figures` explains them."""


def exported_statistics(connection: Connection, scope: Scope, by: str) -> Sequence[tuple[Any, ...]]:
    """The figures by table, wheel, game or dealer, in the order of the columns."""
    documents = (one.document() for one in statistics(connection, scope, by))
    return [tuple(document[name] for name in FIGURES) for document in documents]  # type: ignore[literal-required]


def columns_of_statistics(by: str) -> tuple[str, ...]:
    """The names of the columns; the first is named after what they are by."""
    return (by, *FIGURES[1:])
