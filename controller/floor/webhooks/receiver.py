"""Tells one receiver what happens to alerts: at least once, in order, at a pace that it can bear.

Nothing here keeps the floor waiting: the store is read in a thread of its own, a message is sent within ten seconds
or tried again later, and what waits is in the store, not in memory.
"""

import asyncio
import logging
import ssl
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from typing import TypeVar

from sqlalchemy import Engine
from sqlalchemy.exc import SQLAlchemyError

from config.webhooks import WebhookSection
from controller import __version__
from controller.floor.queries.times import utc_of
from controller.floor.store import webhook_events
from controller.floor.store.engine import WRITING, error_text
from controller.floor.store.webhook_events import PendingEvent
from controller.floor.webhooks.http_post import PostAnswer, PostError, post
from controller.floor.webhooks.message import message_id, message_of
from controller.floor.webhooks.pace import MessagePace, RetryWaits
from controller.floor.webhooks.signature import SecretError, read_key, signature
from controller.messages.models import write
from controller.messages.webhook_models import MOST_EVENTS
from hal.interfaces import Clock

log = logging.getLogger("floor")
T = TypeVar("T")

LOOK_S = 2.0
"""How often the store is looked through for what has happened."""
TRIES = 5
"""A message that is refused (a status that no later attempt changes) is given up after so many."""
_TEMPORARY = frozenset({408, 425, 429})


class Receiver:
    """One receiver. Create and run it inside one event loop.

    Args:
        floor: the floor's name.
        changed: called when :attr:`trouble` changes.

    Attributes:
        trouble: why it is not told now, as text; empty while it is.
    """

    def __init__(
        self, section: WebhookSection, floor: str, engine: Engine, clock: Clock, changed: Callable[[], None]
    ) -> None:
        self._section, self._floor, self._engine, self._clock = section, floor, engine, clock
        self._changed = changed
        self._pace, self._waits = MessagePace(section.per_minute), RetryWaits()
        self._store = ThreadPoolExecutor(1, f"webhook-{section.name}")
        self._names = ThreadPoolExecutor(1, f"webhook-name-{section.name}")
        self._refused = 0
        self.trouble = ""

    async def run(self) -> None:
        """Tell it what happens, until cancelled."""
        try:
            while True:
                try:
                    wait_s = await self._turn()
                except SQLAlchemyError as error:
                    wait_s = self._failed(f"the store cannot be used: {error_text(error)}")
                await asyncio.sleep(wait_s)
        finally:
            self._store.shutdown(wait=False, cancel_futures=True)
            self._names.shutdown(wait=False, cancel_futures=True)

    async def _turn(self) -> float:
        """Send one message if there is one and it may be sent; returns how long to wait then."""
        await self._in_thread(self._look)
        wait_s = self._pace.wait_s(self._now_s())
        if wait_s > 0:
            return min(wait_s, LOOK_S)
        with ExitStack() as stack:
            is_held = await self._in_thread(
                partial(stack.enter_context, webhook_events.held(self._engine, self._section.name))
            )
            try:
                events = await self._in_thread(self._pending) if is_held else []
                if not events:
                    return LOOK_S
                return await self._tell(self._batch(events))
            finally:
                await self._in_thread(stack.close)

    def _batch(self, events: list[PendingEvent]) -> list[PendingEvent]:
        """One event a message; all that wait in one once they are more than the minute's messages can bear."""
        return events if len(events) > self._pace.left(self._now_s()) else events[:1]

    async def _tell(self, events: list[PendingEvent]) -> float:
        self._pace.sent(self._now_s())
        try:
            answer = await self._post(events)
        except (PostError, SecretError) as error:
            return self._failed(str(error))
        if 200 <= answer.status < 300:
            await self._done(events)
            self._succeeded()
            return 0.0
        if answer.status in _TEMPORARY or answer.status >= 500:
            return self._failed(f"it answers {answer.status}", answer.retry_after)
        return await self._refuse(events, answer.status)

    async def _post(self, events: Sequence[PendingEvent]) -> PostAnswer:
        section, now_ms = self._section, self._clock.utc_ns() // 1_000_000
        body = write(message_of(self._floor, events, utc_of(now_ms)))
        headers = {
            "Content-Type": "application/json",
            "User-Agent": f"table-controller/{__version__}",
            "webhook-id": (id_ := message_id(self._floor, events)),
            "webhook-timestamp": str(now_ms // 1000),
        }
        key, tls = await self._in_thread(partial(key_and_tls, section))
        if key is not None:
            headers["webhook-signature"] = signature(key, id_, now_ms // 1000, body)
        return await post(section.url, headers, body, tls, self._names)

    async def _refuse(self, events: list[PendingEvent], status: int) -> float:
        """It will hardly ever take this: tried a few times more, since someone may be mending it."""
        self._refused += 1
        if self._refused < TRIES:
            return self._failed(f"it refuses messages with {status}")
        numbers = ", ".join(f"{one.alert.id} {one.event}" for one in events[:10])
        more = f" and {len(events) - 10} more" if len(events) > 10 else ""
        log.error(
            "webhook %s: given up after %d refusals with %d: alerts %s%s",
            self._section.name,
            TRIES,
            status,
            numbers,
            more,
        )
        await self._done(events)
        return self._failed(f"it refuses messages with {status}")

    async def _done(self, events: list[PendingEvent]) -> None:
        self._refused = 0
        await self._in_thread(partial(self._mark_done, [one.id for one in events]))

    # -- in the thread of the store --------------------------------------------------------------------------

    def _look(self) -> None:
        with self._engine.connect() as db:
            if not webhook_events.is_any_new(db, self._section):
                return
        with self._engine.execution_options(**{WRITING: True}).begin() as db:
            webhook_events.take_up(db, self._section)
            webhook_events.forget_delivered(db, self._section.name)

    def _pending(self) -> list[PendingEvent]:
        with self._engine.connect() as db:
            return webhook_events.pending(db, self._section.name, MOST_EVENTS)

    def _mark_done(self, ids: Sequence[int]) -> None:
        with self._engine.execution_options(**{WRITING: True}).begin() as db:
            webhook_events.mark_done(db, ids, utc_of(self._clock.utc_ns() // 1_000_000))

    # -- what is said of it ----------------------------------------------------------------------------------

    def _failed(self, why: str, requested: str = "") -> float:
        wait_s = self._waits.failed_s(requested)
        if not self.trouble:
            log.error("webhook %s: %s; trying again; what waits is kept in the store", self._section.name, why)
        self._say(f"webhook {self._section.name}: {why}")
        return wait_s

    def _succeeded(self) -> None:
        self._waits.succeeded()
        if self.trouble:
            log.info("webhook %s is told again", self._section.name)
        self._say("")

    def _say(self, trouble: str) -> None:
        if trouble != self.trouble:
            self.trouble = trouble
            self._changed()

    def _now_s(self) -> float:
        return self._clock.now_ns() / 1e9

    async def _in_thread(self, act: Callable[[], T]) -> T:
        return await asyncio.get_running_loop().run_in_executor(self._store, act)


def key_and_tls(section: WebhookSection) -> tuple[bytes | None, ssl.SSLContext | None]:
    """The key of a receiver and how its certificate is verified, read anew: both may be renewed.

    Raises:
        SecretError: the key's file, or that of the authority, cannot be used.
    """
    key = None if section.secret_file is None else read_key(Path(section.secret_file))
    if not section.url.startswith("https:"):
        return key, None
    try:
        return key, ssl.create_default_context(cafile=section.ca)
    except OSError as error:
        raise SecretError(f"{section.ca}: cannot be used as an authority's certificate: {error}") from error
