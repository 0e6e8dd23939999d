"""``/alerts/acknowledge``: a person acknowledges an alert, with a reason. It is on record, then in the store."""

import asyncio
import logging
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from http import HTTPStatus

from sqlalchemy import Engine
from sqlalchemy.exc import SQLAlchemyError

from controller.door.access_log import PersonalRecord
from controller.floor.acknowledgement import Acknowledgement, acknowledge, check_reason
from controller.floor.queries.times import utc_of
from controller.floor.store.engine import WRITING, error_text
from controller.journal.errors import JournalError
from controller.web.exchange import Request, Response
from controller.web.routes import FRESH, GUARDS, as_json

log = logging.getLogger("floor")

_NO_PERSON = "alerts are acknowledged by a person: give the floor's file `screens: log_on:` (docs/floor.md)"
_GONE = "this alert was acknowledged meanwhile, or there is none of this number"
_NOT_DONE = "this could not be kept, and nothing was acknowledged; see the floor's log, and try again"


class Acknowledging:
    """Answers the action.

    Args:
        record: the floor's own; None if nobody can log on, and so nobody can acknowledge.
        now_ms: the wall time.
        changed: called after an alert was acknowledged.
    """

    def __init__(
        self, engine: Engine, record: PersonalRecord | None, now_ms: Callable[[], int], changed: Callable[[], None]
    ) -> None:
        self._engine, self._record, self._now_ms, self._changed = engine, record, now_ms, changed
        self._thread = ThreadPoolExecutor(1, "acknowledging")

    async def act(self, request: Request, body: Mapping[str, object]) -> Response:
        """Acknowledge an alert.

        Raises:
            ValueError: the request is malformed, or nobody has logged on.
        """
        if self._record is None or not request.person:
            raise ValueError(_NO_PERSON)
        id_, reason = alert_id(body.get("id")), check_reason(body.get("reason"))
        loop = asyncio.get_running_loop()
        try:
            kept = await loop.run_in_executor(
                self._thread, self._keep, self._record, id_, request.person, request.peer, reason
            )
        except (JournalError, SQLAlchemyError) as error:
            log.error("alert %d cannot be acknowledged: %s", id_, error_text(error))
            return as_json({"error": _NOT_DONE}, HTTPStatus.SERVICE_UNAVAILABLE)
        if not kept:
            return as_json({"error": _GONE}, HTTPStatus.CONFLICT)
        self._changed()
        return Response(HTTPStatus.NO_CONTENT, headers=(*GUARDS, FRESH))

    def close(self) -> None:
        """Finish what is under way."""
        self._thread.shutdown(wait=True)

    def _keep(self, record: PersonalRecord, id_: int, person: str, peer: str, reason: str) -> bool:
        """Put it on record, and in the store; returns whether the alert was there to be acknowledged."""
        by = Acknowledgement(person, reason, peer, utc_of(self._now_ms()))
        with self._engine.execution_options(**{WRITING: True}).begin() as db:
            return acknowledge(db, record, id_, by)


def alert_id(value: object) -> int:
    """The number of an alert, as a page sends it.

    Raises:
        ValueError: it is none.
    """
    if not isinstance(value, int) or isinstance(value, bool) or not 0 < value < 1 << 53:
        raise ValueError("send id with the number of the alert")
    return value
