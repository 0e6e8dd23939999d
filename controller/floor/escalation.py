"""Escalates alerts that nobody acknowledges in time: a line in the log at ``err``, and first place on the pages."""

import asyncio
import logging
from collections.abc import Callable
from concurrent.futures import Executor

from sqlalchemy import Engine
from sqlalchemy.exc import SQLAlchemyError

from config.floor import AlertsSection
from controller.floor.queries.times import utc_of
from controller.floor.store import acknowledgements
from controller.floor.store.engine import WRITING, error_text
from hal.interfaces import Clock

log = logging.getLogger("floor")

EVERY_S = 10.0
"""How often the store is looked through."""
_MOST_LINES = 20
"""How many alerts are named in the log at once; further ones are counted."""
_MIN_MS = 60_000


class Escalation:
    """Looks for alerts that are due.

    Args:
        changed: called after alerts were escalated.
    """

    def __init__(self, engine: Engine, section: AlertsSection, clock: Clock, changed: Callable[[], None]) -> None:
        self._engine, self._clock, self._changed = engine, clock, changed
        self._after_ms = section.escalate_after_min * _MIN_MS
        self._trouble = False

    async def run(self, threads: Executor) -> None:
        """Look again and again, until cancelled."""
        loop = asyncio.get_running_loop()
        while True:
            if await loop.run_in_executor(threads, self.look):
                self._changed()
            await asyncio.sleep(EVERY_S)

    def look(self) -> int:
        """Escalate what is due; returns how many."""
        now_ms = self._clock.utc_ns() // 1_000_000
        before, at = utc_of(now_ms - self._after_ms), utc_of(now_ms)
        try:
            with self._engine.connect() as db:
                if not acknowledgements.is_any_due(db, before):
                    return 0
            with self._engine.execution_options(**{WRITING: True}).begin() as db:
                escalated = acknowledgements.escalate(db, before, at)
        except SQLAlchemyError as error:
            if not self._trouble:
                log.error("alerts cannot be escalated now: %s; trying again", error_text(error))
            self._trouble = True
            return 0
        self._trouble = False
        for alert in escalated[:_MOST_LINES]:
            log.error(
                "nobody has acknowledged an alert of %s since %s: %s", alert.table, alert.received, alert.text
            )
        if len(escalated) > _MOST_LINES:
            log.error("nobody has acknowledged %d further alerts", len(escalated) - _MOST_LINES)
        return len(escalated)
