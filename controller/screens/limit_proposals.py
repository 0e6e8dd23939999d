"""``/limits``: other limits are proposed to the table from this computer; its floorperson's key decides.

What is sent is one of ``{"show": true}``, ``{"set": {"minimum": "10", "maximum": "500"}}`` with ``minutes``,
``from_utc_ms`` or ``nobody_plays`` beside it, ``{"withdraw": true}`` and ``{"ask": TICKET}``. Without ``payout`` in
``set`` the payout limit stays as it is; an empty one takes it away.
"""

import secrets
from collections.abc import Callable, Mapping
from http import HTTPStatus
from typing import TypeGuard

from controller.limits.amounts import FARTHEST_MIN, NOTICE_MIN, Proposal, amounts_of
from controller.limits.sign import PATIENCE_S, Proposed
from controller.limits.table_state import Amounts
from controller.runtime.table import Table
from controller.screens.touch import is_here
from controller.viewmodel.sign import limits_of
from controller.web.http import Request, Response
from controller.web.routes import as_json

_KEPT = 16
"""Proposals of which it is remembered what became of them."""
_LATEST_MS = 1 << 53


class Proposals:
    """Answers for ``/limits``.

    Args:
        own: the address at which the pages are served: whoever asks from it is on this computer, too.
        name: the table's.
        table: the one that plays now; None if none does.
    """

    def __init__(self, own: str, name: str, table: Callable[[], Table | None]) -> None:
        self._own = own
        self._name = name
        self._table = table
        self._proposed: dict[str, Proposed] = {}

    def act(self, request: Request, body: Mapping[str, object]) -> Response:
        """Do what is asked.

        Raises:
            ValueError: it cannot be meant, or is not possible now.
        """
        if not is_here(request.peer) and request.peer != self._own:
            words = "limits are proposed at the table's own computer"
            return as_json({"error": words}, HTTPStatus.FORBIDDEN)
        if "ask" in body:
            return self._became(body["ask"])
        table = self._table()
        if table is None:
            raise ValueError("no table plays now: its dealer's screen says why")
        if "show" in body:
            return as_json({"table": self._name, "limits": limits_of(table)})
        return self._propose(table, _proposal(body, table.table_state.limits))

    def _propose(self, table: Table, proposal: Proposal) -> Response:
        proposed, ticket = table.sign.propose(proposal), secrets.token_hex(8)
        self._proposed[ticket] = proposed
        for old in list(self._proposed)[:-_KEPT]:
            del self._proposed[old]
        return as_json({"ticket": ticket, "waits_s": PATIENCE_S, "asks": table.sign.prompt()})

    def _became(self, ticket: object) -> Response:
        proposed = self._proposed.get(ticket) if isinstance(ticket, str) else None
        if proposed is None:
            raise ValueError("there is no such proposal; it may have been lost with a restart of the table")
        return as_json({"outcome": proposed.outcome.value, "words": proposed.words})


def _proposal(body: Mapping[str, object], present: Amounts | None) -> Proposal:
    """What is proposed."""
    if body.get("withdraw") is True:
        return Proposal(None)
    given = body.get("set")
    if not isinstance(given, dict) or not all(isinstance(value, str) for value in given.values()):
        raise ValueError("say set with minimum and maximum as texts, or withdraw, show or ask")
    payout = given.get("payout", present.payout if present is not None else "")
    amounts = amounts_of(given.get("minimum", ""), given.get("maximum", ""), payout)
    times = [name for name in ("minutes", "from_utc_ms", "nobody_plays") if name in body]
    if len(times) != 1:
        raise ValueError("say when: one of minutes, from_utc_ms and nobody_plays")
    value = body[times[0]]
    if times[0] == "nobody_plays":
        if value is not True:
            raise ValueError("nobody_plays can only be true")
        return Proposal(amounts, nobody_plays=True)
    if times[0] == "minutes":
        if not _whole(value) or not NOTICE_MIN <= value <= FARTHEST_MIN:
            raise ValueError(f"minutes are a whole number from {NOTICE_MIN} to {FARTHEST_MIN}")
        return Proposal(amounts, minutes=value)
    if not _whole(value) or not 0 <= value < _LATEST_MS:
        raise ValueError("from_utc_ms are the milliseconds since 1970 began, UTC")
    return Proposal(amounts, from_utc_ns=value * 1_000_000)


def _whole(value: object) -> TypeGuard[int]:
    return isinstance(value, int) and not isinstance(value, bool)
