"""Requests of ``table-controller limits``: limits are proposed, and the floorperson's key confirms them.

A request is one of ``{"show": true}``, ``{"set": {"minimum": "10", "maximum": "500"}}`` with ``minutes``,
``from_utc_ms`` or ``nobody_plays`` beside it, ``{"withdraw": true}``, ``{"file": true}`` for what the table's file
says, and ``{"ask": TICKET}``. Without ``payout`` in
``set`` the payout limit stays as it is; an empty one removes it.
"""

import secrets
from collections.abc import Mapping
from typing import TypeGuard

from pydantic_core import to_jsonable_python

from controller.events.event import Limits, Terms
from controller.limits.proposals import Proposal
from controller.limits.terms import FARTHEST_MIN, NOTICE_MIN, limits_from
from controller.runtime.table import Table
from controller.viewmodel.presenter import limits_of

_MAX_TICKETS = 16
"""Number of proposals whose outcome is remembered."""
_LATEST_MS = 1 << 53


class LimitRequests:
    """Answers requests about a table's limits.

    Args:
        name: of the table.
    """

    def __init__(self, name: str) -> None:
        self._name = name
        self._proposed: dict[str, Proposal] = {}

    def answer(self, table: Table | None, body: Mapping[str, object]) -> dict[str, object]:
        """Answer a request.

        Args:
            table: the one that is running; None if none is.

        Raises:
            ValueError: the request is malformed, or not possible now.
        """
        if "ask" in body:
            return self._outcome(body["ask"])
        if table is None:
            raise ValueError("no table plays now: its dealer's screen says why")
        if "show" in body:
            return {"table": self._name, "limits": to_jsonable_python(limits_of(table))}
        if body.get("file") is True:
            return self._waiting(table, table.sign.propose_file())
        other = _proposal(body, table.table_state.limits, table.sign.currency)
        return self._waiting(table, table.sign.propose(other))

    def _waiting(self, table: Table, proposed: Proposal) -> dict[str, object]:
        ticket = secrets.token_hex(8)
        self._proposed[ticket] = proposed
        for old in list(self._proposed)[:-_MAX_TICKETS]:
            del self._proposed[old]
        return {"ticket": ticket, "waits_s": proposed.patience_s, "asks": table.sign.prompt()}

    def _outcome(self, ticket: object) -> dict[str, object]:
        proposed = self._proposed.get(ticket) if isinstance(ticket, str) else None
        if proposed is None:
            raise ValueError("there is no such proposal; it may have been lost with a restart of the table")
        return {"outcome": proposed.outcome.value, "words": proposed.words}


def _proposal(body: Mapping[str, object], present: Limits | None, currency: str) -> Proposal:
    """The proposal in the body of a request."""
    if body.get("withdraw") is True:
        return Proposal(None)
    limits = body.get("set")
    if not isinstance(limits, dict) or not all(isinstance(value, str) for value in limits.values()):
        raise ValueError("send set with minimum and maximum as strings, or withdraw, file, show or ask")
    payout = limits.get("payout", present.payout if present is not None else "")
    other = Terms(limits_from(limits.get("minimum", ""), limits.get("maximum", ""), payout, currency))
    times = [name for name in ("minutes", "from_utc_ms", "nobody_plays") if name in body]
    if len(times) != 1:
        raise ValueError("send exactly one of minutes, from_utc_ms and nobody_plays")
    value = body[times[0]]
    if times[0] == "nobody_plays":
        if value is not True:
            raise ValueError("nobody_plays can only be true")
        return Proposal(other, nobody_plays=True)
    if times[0] == "minutes":
        if not _is_int(value) or not NOTICE_MIN <= value <= FARTHEST_MIN:
            raise ValueError(f"minutes are a whole number from {NOTICE_MIN} to {FARTHEST_MIN}")
        return Proposal(other, minutes=value)
    if not _is_int(value) or not 0 <= value < _LATEST_MS:
        raise ValueError("from_utc_ms are the milliseconds since 1970 began, UTC")
    return Proposal(other, from_utc_ns=value * 1_000_000)


def _is_int(value: object) -> TypeGuard[int]:
    return isinstance(value, int) and not isinstance(value, bool)
