"""The rounds that a figure is made of: of a period, by table, dealer, wheel and game; void ones, corrected ones."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from sqlalchemy import ColumnElement, Connection, Row, Text, and_, cast, or_, select

from controller.floor.pages.statistics_documents import ListedRound
from controller.floor.queries.scope import Scope
from controller.floor.queries.times import ms_of
from controller.floor.store.schema import rounds

LISTED = 100
"""How many are listed at once."""
PARAMETERS = ("reason", "state", "corrected", "before")
_READ = (
    *("id", "table", "game", "number", "opened", "closed"),
    *("dealer", "wheel", "results", "voids", "corrections"),
)
_EMPTY = "[]"
_ANY = "any"


@dataclass(frozen=True, slots=True)
class RoundFilter:
    """Which rounds of a scope.

    Attributes:
        reason: with a spin that was void for it; ``any`` for any reason, empty for all rounds.
        state: that had the state; empty for all.
        corrected: with corrected entries.
        before: those after the one with this id, in the list's order; 0 for the first ones.
    """

    reason: str = ""
    state: str = ""
    corrected: bool = False
    before: int = 0


def filter_of(query: Mapping[str, str]) -> RoundFilter:
    """What an address asks for.

    Raises:
        ValueError: a parameter has no meaning; the message names it.
    """
    corrected, before = query.get("corrected", ""), query.get("before", "0")
    if corrected not in ("", "yes"):
        raise ValueError("'corrected' must be yes")
    if not (before.isascii() and before.isdigit() and len(before) < 16):
        raise ValueError("'before' must be the number of a listed round")
    return RoundFilter(query.get("reason", ""), query.get("state", ""), bool(corrected), int(before))


def listed_rounds(connection: Connection, scope: Scope, which: RoundFilter) -> tuple[list[ListedRound], int]:
    """Rounds, the newest first; and the number to ask for the next ones with, 0 for none."""
    where = [*scope.conditions(connection), *_conditions(which), *_after(connection, which.before)]
    query = select(*(rounds.c[name] for name in _READ)).where(*where)
    rows = connection.execute(query.order_by(rounds.c.closed.desc(), rounds.c.id.desc()).limit(LISTED + 1)).all()
    shown = rows[:LISTED]
    return [_listed(row) for row in shown], shown[-1].id if len(rows) > LISTED else 0


def _conditions(which: RoundFilter) -> list[ColumnElement[bool]]:
    found: list[ColumnElement[bool]] = []
    if which.reason == _ANY:
        found.append(cast(rounds.c.voids, Text) != _EMPTY)
    elif which.reason:
        found.append(cast(rounds.c.voids, Text).contains(json.dumps(which.reason), autoescape=True))
    if which.state:
        found.append(cast(rounds.c.phases, Text).contains(f"{json.dumps(which.state)}:", autoescape=True))
    if which.corrected:
        found.append(rounds.c.corrections > 0)
    return found


def _after(connection: Connection, id_: int) -> list[ColumnElement[bool]]:
    closed = connection.execute(select(rounds.c.closed).where(rounds.c.id == id_)).scalar() if id_ else None
    if closed is None:
        return []
    return [or_(rounds.c.closed < closed, and_(rounds.c.closed == closed, rounds.c.id < id_))]


def _listed(row: Row[Any]) -> ListedRound:
    closed_ms = ms_of(row.closed)
    return {
        "id": row.id,
        "table": row.table,
        "game": row.game,
        "number": row.number,
        "closed_ms": closed_ms,
        "dealer": row.dealer,
        "wheel": row.wheel,
        "results": row.results,
        "voids": row.voids,
        "corrections": row.corrections,
        "took_ms": max(0, closed_ms - ms_of(row.opened)),
    }
