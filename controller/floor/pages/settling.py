"""``/alerts/NUMBER``: what there is to settle of an alert; ``/alerts/settle``: a person settles it, with a reason.

It is asked for as the command ``settle`` asks; the floor's own writer puts it on record and lets it take effect.
"""

import asyncio
import logging
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from http import HTTPStatus

from sqlalchemy import Engine
from sqlalchemy.exc import SQLAlchemyError

from controller.floor.pages.acknowledging import alert_id
from controller.floor.queries.settling import alert_document, choices_of
from controller.floor.queries.times import utc_of
from controller.floor.settlement import Settlement, outcome, settle
from controller.floor.store.engine import StoreAwayError, error_text
from controller.web.exchange import Request, Response
from controller.web.routes import as_json

log = logging.getLogger("floor")

PATIENCE_S, ASK_S = 5.0, 0.1
"""How long the floor's writer is waited for by default, and how often one looks whether it took a settlement up."""
_NO_PERSON = (
    "alerts are settled by a person: give the floor's file `screens: log_on:` (docs/floor.md), or use the command "
    "table-controller settle"
)
_OVER = "this alert is over, or a person does not settle it; load the page again"
_CHANGED = "what is to be settled has changed since this page was loaded; look at it again"
_LATER = "it is asked for; the floor takes it up once its record and its store can be written"
_AWAY = "the store cannot be written, and nothing was settled; see the floor's log, and try again"


class Settling:
    """Answers the action.

    Args:
        asks: whether people log on to these pages.
        now_ms: the wall time.
        changed: called after something was settled.

    Attributes:
        patience_s: how long the floor's writer is waited for.
    """

    def __init__(self, engine: Engine, asks: bool, now_ms: Callable[[], int], changed: Callable[[], None]) -> None:
        self._engine, self._asks, self._now_ms, self._changed = engine, asks, now_ms, changed
        self.patience_s = PATIENCE_S
        self._thread = ThreadPoolExecutor(1, "settling")

    async def act(self, request: Request, body: Mapping[str, object]) -> Response:
        """Settle an alert.

        Raises:
            ValueError: the request is malformed, or nobody has logged on.
        """
        if not self._asks or not request.person:
            raise ValueError(_NO_PERSON)
        id_, choice, seen, reason = (
            alert_id(body.get("id")),
            body.get("choice"),
            body.get("seen"),
            body.get("reason"),
        )
        if not isinstance(choice, str) or not isinstance(seen, str) or not isinstance(reason, str):
            raise ValueError("send choice, seen and reason as texts")
        loop = asyncio.get_running_loop()
        ask = partial(self._ask, request, id_, choice, seen, reason)
        try:
            number = await loop.run_in_executor(self._thread, ask)
            if isinstance(number, str):
                return as_json({"error": number}, HTTPStatus.CONFLICT)
            led_to = await self._led_to(number)
        except (StoreAwayError, SQLAlchemyError) as error:
            log.error("alert %d cannot be settled: %s", id_, error_text(error))
            return as_json({"error": _AWAY}, HTTPStatus.SERVICE_UNAVAILABLE)
        self._changed()
        if led_to is None:
            return as_json({"outcome": _LATER}, HTTPStatus.ACCEPTED)
        return as_json({"outcome": led_to})

    def close(self) -> None:
        """Finish what is under way."""
        self._thread.shutdown(wait=True)

    def _ask(self, request: Request, id_: int, choice: str, seen: str, reason: str) -> int | str:
        """Ask for it; returns its number, or why that is not possible now.

        Raises:
            SettlementError: a part is missing, or cannot be kept.
        """
        with self._engine.connect() as db:
            document = alert_document(db, id_, "", 0)
            chosen = {one.value: one for one in choices_of(db, id_)}
        if document is None or not chosen:
            return _OVER
        if choice not in chosen:
            raise ValueError(f"choose one of: {', '.join(chosen)}")
        if seen != document["seen"]:
            return _CHANGED
        one, kind = chosen[choice], document["alert"]["kind"]
        said = Settlement(kind, one.table, request.person, reason, one.what, request.peer[:80])
        return settle(self._engine, said, utc_of(self._now_ms()))

    async def _led_to(self, number: int) -> str | None:
        loop, waited_s = asyncio.get_running_loop(), 0.0
        while True:
            led_to = await loop.run_in_executor(self._thread, outcome, self._engine, number)
            if led_to is not None or waited_s >= self.patience_s:
                return led_to
            await asyncio.sleep(ASK_S)
            waited_s += ASK_S
