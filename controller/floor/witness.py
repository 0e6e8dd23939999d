"""The floor as a witness of its tables: it signs what extends their records, and every refusal is an alert at
once."""

import asyncio
import hashlib
import logging
import re
import sqlite3
from collections import deque
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import NamedTuple

from sqlalchemy import Engine, select, update
from sqlalchemy.exc import SQLAlchemyError

from config.floor import FloorConfig
from config.signing import WitnessSection
from controller.floor.signed_entries import SignedEntries
from controller.floor.store import schema
from controller.floor.store.alerts import FORK, raise_alert
from controller.floor.store.engine import WRITING, error_text
from controller.journal.chain import utc_text
from controller.transparency.leaves import record_of
from controller.transparency.notice import SignerNotice
from controller.transparency.witness import WitnessAnswer
from controller.web.opening import keep_open
from controller.web.server import HttpServer
from controller.witnessing.opening import open_witness
from controller.witnessing.site import BODY_BYTES, WitnessSite

log = logging.getLogger("floor")

_MOST_WAITING = 1000
"""Alerts that wait for a store that is away."""
_REMEDY = (
    "keep the table from playing on; compare its journal with what was signed: "
    "table-controller journal verify, and audit of an export"
)
_HASH = re.compile(r"[0-9a-f]{64}")
_alerts, _records = schema.alerts.c, schema.records.c


def floor_witness_name(floor: str) -> str:
    """The name of a floor's key."""
    return f"table-controller-floor/{floor}"


class _Alert(NamedTuple):
    table: str
    key: str
    text: str
    utc: str


class FloorWitness:
    """A witness that shows what it refuses. Use it inside one event loop.

    Args:
        engine: the floor's store.
        changed: called after an alert was stored.

    Raises:
        NoteError: a key cannot be used.
        WitnessError: the witness's file cannot be used.
    """

    def __init__(
        self, config: FloorConfig, section: WitnessSection, engine: Engine, changed: Callable[[], None]
    ) -> None:
        self._section = section
        self._reading, self._engine = engine, engine.execution_options(**{WRITING: True})
        self._changed, self._loop = changed, asyncio.get_running_loop()
        self._waiting: deque[_Alert] = deque(maxlen=_MOST_WAITING)
        self._thread = ThreadPoolExecutor(1, "floor-witness")
        self._witness = open_witness(section, floor_witness_name(config.floor))
        self._entries = SignedEntries(Path(f"{section.file}.compared"))
        self._site = WitnessSite(self._witness, self)
        self._server = HttpServer(self._site, body_bytes=BODY_BYTES)
        self._opening: asyncio.Task[None] | None = None

    async def open(self) -> None:
        """Be asked; if the address is not free, that is retried."""
        served = "the floor is a witness at %s, port %d"
        away = "%s, port %d: the floor cannot be asked as a witness: %s; retrying"
        log.info("the floor signs as %s", self._witness.key)
        self._opening = await keep_open(
            self._server.open, self._section.address, self._section.port, log, served, away
        )

    # -- what is answered; in the site's thread, so that what follows is done in another ---------------------------

    def answered(self, answer: WitnessAnswer, seconds: int) -> None:
        if answer.table:
            self._thread.submit(self._logged, self._after, answer, utc_text(seconds * 1_000_000_000))

    def noticed(self, table: str, notice: SignerNotice, seconds: int) -> None:
        key = f"{_name(notice.origin)}:noticed"
        text = f"the table's signer found its record rewritten and signs nothing more: {notice.words}"
        self._thread.submit(self._logged, self._raise, _Alert(table, key, text, utc_text(seconds * 1_000_000_000)))

    def _logged(self, action: Callable[..., None], *arguments: object) -> None:
        try:
            action(*arguments)
        except (SQLAlchemyError, sqlite3.Error) as error:
            log.error("what a witness has to say cannot be stored: %s; it is tried again", error_text(error))

    def _after(self, answer: WitnessAnswer, utc: str) -> None:
        checkpoint = answer.checkpoint
        if answer.alarm:
            key = f"{_name(checkpoint.origin)}:{answer.status}" if checkpoint is not None else f"{answer.status}"
            self._raise(_Alert(answer.table, key, answer.alarm, utc))
        if answer.status != 200 or checkpoint is None:
            return
        if answer.before == 0:
            self._on_new_record(answer.table, checkpoint.origin, utc)
        self._entries.add(checkpoint)
        with self._reading.connect() as db:
            difference = self._entries.compare(db, answer.table, checkpoint.origin)
        self._end_if_replaced(answer.table, checkpoint.origin, utc)
        if difference is not None:
            signed = f"the record that the table had signed up to entry {difference.size}"
            text, key = f"{signed} is not the one that it published", f"{_name(checkpoint.origin)}:published"
            self._raise(_Alert(answer.table, key, text, utc))

    def _on_new_record(self, table: str, origin: str, utc: str) -> None:
        """A table that had another record signed begins a new one: it must say what that replaces."""
        if len(self._witness.origins(table)) > 1:
            text = "the table has a new record signed, and has not said yet what it replaces"
            self._raise(_Alert(table, f"{_name(origin)}:begun-signed", text, utc))

    def _end_if_replaced(self, table: str, origin: str, utc: str) -> None:
        """The alert of a new record ends once its first round says what it replaces."""
        key = f"{_name(origin)}:begun-signed"
        said = select(_records.replaces).where(_records.table == table, _records.record == record_of(origin))
        with self._engine.begin() as db:
            if db.execute(said).scalar():
                place = (_alerts.table == table, _alerts.kind == FORK, _alerts.key == key, _alerts.ended.is_(None))
                db.execute(update(schema.alerts).where(*place).values(ended=utc))

    def _raise(self, alert: _Alert) -> None:
        """Store an alert, and those that could not be stored before."""
        log.error("table %s: %s", alert.table, alert.text)
        self._waiting.append(alert)
        while self._waiting:
            one = self._waiting[0]
            with self._engine.begin() as db:
                raise_alert(db, one.table, FORK, one.key, one.utc, one.text, one.utc, _REMEDY)
            self._waiting.popleft()
        self._loop.call_soon_threadsafe(self._changed)

    def close(self) -> None:
        """Stop answering; what was answered is stored."""
        if self._opening is not None:
            self._opening.cancel()
        self._server.close()
        self._site.close()
        self._thread.shutdown()
        self._witness.close()
        self._entries.close()


def _name(origin: str) -> str:
    """What names a record in an alert's key: the hash of its first entry, if the origin ends with one."""
    record = record_of(origin)
    return record if _HASH.fullmatch(record) else hashlib.sha256(origin.encode()).hexdigest()
