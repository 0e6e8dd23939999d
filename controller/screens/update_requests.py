"""Answers to ``table-controller update``: the table asks its floorperson again, or says whether it does.

Requests are POST to ``/update`` over this computer's own socket only: ``{"ask": DIGEST}`` asks again for the update
that is offered, ``{"show": true}`` returns what is asked. Nothing is confirmed here: that is the floorperson's key.
"""

from collections.abc import Callable, Mapping
from http import HTTPStatus

from controller.runtime.table import Table
from controller.updating.prompt import PATIENCE_S
from controller.web.exchange import Request, Response
from controller.web.routes import as_json


class UpdateRequests:
    """Answers for ``/update``.

    Args:
        table: returns the table that is running; None if none is.
    """

    def __init__(self, table: Callable[[], Table | None]) -> None:
        self._table = table

    def act(self, request: Request, body: Mapping[str, object]) -> Response:
        """Answer a request.

        Raises:
            ValueError: the request is malformed, or not possible now.
        """
        if not request.local:
            error = "updates are asked for at the table's own computer, with table-controller update"
            return as_json({"error": error}, HTTPStatus.FORBIDDEN)
        table = self._table()
        if "show" in body:
            asks = table is not None and table.update.asks
            return as_json({"asks": asks, "prompt": table.update.prompt() if table is not None else ""})
        digest = body.get("ask")
        if not isinstance(digest, str):
            raise ValueError("send ask with the digest of the update, or show")
        if table is None:
            raise ValueError("no table plays now: its dealer's screen says why")
        return self._ask(table, digest)

    def _ask(self, table: Table, digest: str) -> Response:
        update = table.update
        update.look()
        if update.offer is not None and update.offer.digest != digest:
            raise ValueError("the table sees another update than this one; take the stick out, and try again")
        if why := update.ask_again():
            raise ValueError(why)
        table.router.look_at_prompt()
        return as_json({"waits_s": PATIENCE_S, "prompt": update.prompt()})
