"""``/access``: who logged on, was refused, acknowledged, settled and exported, as the floor's own record has it."""

import asyncio
import json
import logging
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from http import HTTPStatus

from controller.door import access_log
from controller.floor.acknowledgement import RECORDED
from controller.floor.pages.access_documents import AccessDocument, AccessEntry
from controller.floor.queries.times import ms_of
from controller.floor.record.floor_record import FloorRecord
from controller.floor.record.record_reader import RecordReader
from controller.floor.settlement import KINDS
from controller.journal.chain import Entry
from controller.journal.errors import JournalError
from controller.web.exchange import Request, Response
from controller.web.routes import as_json

log = logging.getLogger("floor")

PAGE = 100
"""How many entries are shown at once."""
WAITING = 8
"""How many requests may wait for the record."""
_LONGEST = 500
_OF_ACCESS = (
    *(access_log.LOGGED_ON, access_log.REFUSED_LOG_ON, access_log.LOGGED_OFF, access_log.SESSION_ENDED),
    *(access_log.REFUSED, access_log.EXPORTED, access_log.PAGES_OPENED),
)
SHOWN = (
    *_OF_ACCESS,
    RECORDED,
    *(f"{kind}-settled" for kind in KINDS),
    *("rounds-deleted", "refused-deleted", "alerts-deleted"),
)
"""The kinds of entries that a page chooses by."""
_BUSY = "the floor's record is being read for others; try again"
_BROKEN = "the floor's record cannot be read: {}"


class AccessPage:
    """Answers ``/access.json``.

    Args:
        floor: its name.
        now_ms: the wall time.
    """

    def __init__(self, record: FloorRecord, floor: str, now_ms: Callable[[], int]) -> None:
        self._reader, self._floor, self._now_ms = RecordReader(record), floor, now_ms
        self._thread = ThreadPoolExecutor(1, "access-page")
        self._waiting = 0

    async def answer(self, request: Request) -> Response:
        """Some entries, newest first: ``person=``, ``kind=`` and ``before=`` choose among them."""
        query = request.query
        before, person, kind = query.get("before", "0"), query.get("person", ""), query.get("kind", "")
        if not (before.isascii() and before.isdigit() and len(before) <= 15):
            return as_json({"error": "'before' must be the number of an entry"}, HTTPStatus.BAD_REQUEST)
        if self._waiting >= WAITING:
            return as_json({"error": _BUSY}, HTTPStatus.SERVICE_UNAVAILABLE)
        self._waiting += 1
        try:
            loop = asyncio.get_running_loop()
            made = loop.run_in_executor(self._thread, self._made, int(before), person.strip().lower(), kind)
            return as_json(await made)
        except JournalError as error:
            log.error("the floor's record cannot be read for its page: %s", error)
            return as_json({"error": _BROKEN.format(error)}, HTTPStatus.SERVICE_UNAVAILABLE)
        finally:
            self._waiting -= 1

    def close(self) -> None:
        self._thread.shutdown(wait=False, cancel_futures=True)

    def _made(self, before: int, person: str, kind: str) -> AccessDocument:
        def selected(entry: Entry) -> bool:
            if kind and entry.kind != kind:
                return False
            return not person or person in str(_body(entry).get("person", "")).lower()

        page = self._reader.page(before, PAGE, selected)
        chain = self._reader.verified(self._now_ms())
        return {
            "floor": self._floor,
            "entries": [_shown(entry) for entry in page.entries],
            "before": page.before,
            "kinds": list(SHOWN),
            "chain": {
                "total": chain.total,
                "verified": chain.verified,
                "whole_ms": chain.whole_ms,
                "problem": chain.problem,
            },
            "utc_ms": self._now_ms(),
        }


def _shown(entry: Entry) -> AccessEntry:
    body = dict(_body(entry))
    person, origin = str(body.pop("person", "")), str(body.pop("from", ""))
    return {
        "seq": entry.seq,
        "at_ms": ms_of(entry.utc),
        "kind": entry.kind,
        "person": person,
        "origin": origin,
        "what": {str(name): _text(value) for name, value in body.items()},
    }


def _body(entry: Entry) -> Mapping[str, object]:
    try:
        body = json.loads(entry.body)
    except ValueError:
        body = None
    return body if isinstance(body, dict) else {"body": entry.body}


def _text(value: object) -> str:
    """A value as a page shows it."""
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}…"
