"""Relays what a house's floor has stored to a group's floor, over MQTT. Nothing of the house waits for it.

The store is the queue (:mod:`controller.floor.relay.relay_source`): rounds go out one by one, in the order of each
record, the tables in turn, and how far they are out is kept once the group's broker has acknowledged them. What the
group's floor requests is relayed again when nothing is new. Of states only the latest is relayed.
"""

import asyncio
import logging
import random
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from typing import Any, TypeVar

import aiomqtt

from config.floor import FloorConfig, GroupSection
from controller import __version__
from controller.floor.relay.pace import RelayPace
from controller.floor.relay.relay_source import DueRound, RelaySource
from controller.floor.relay.relayed_again import RelayedAgain
from controller.floor.relay.table_states import TableStates
from controller.floor.store.store import Store, StoreAwayError
from controller.journal.chain import utc_text
from controller.messages.link import Link, LinkError, connected, end, raise_error_of
from controller.messages.models import HouseMessage, MessagePart, ResendRequest, write
from controller.messages.topics import Topic, house_itself, house_of, is_name, of_table, requests_of_house
from hal.interfaces import Clock

log = logging.getLogger("floor")
T = TypeVar("T")

POLL_S = 0.5
"""How often the store is looked at while nothing is due."""
AT_ONCE = 50
"""Rounds, and states, that are relayed before alerts are looked at again."""
SAYS_S = 30.0
"""How often the house says of itself that it is there."""
FIRST_WAIT_S, LONGEST_WAIT_S = 1.0, 30.0
"""How long until it reconnects; the interval doubles each time, with random jitter."""
MOST_REQUESTED = 5_000
"""Tables whose requests are noted."""


class Relay:
    """Relays one floor's store. Create it inside the running event loop.

    Args:
        changed: called when the connection opens or closes.

    Attributes:
        connected: whether the group's broker has this house's connection.
        since_ns: since when that is so, wall time.
        detail: why not, as text.
        waiting: rounds that were still to be relayed when the house last said so.
    """

    def __init__(
        self, config: FloorConfig, group: GroupSection, store: Store, clock: Clock, changed: Callable[[], None]
    ) -> None:
        self._group, self._house, self._floor = group, config.house, config.floor
        self._store, self._clock, self._changed = store, clock, changed
        self._thread = ThreadPoolExecutor(1, "floor-relay")
        self._pace = RelayPace(group.messages_per_s)
        self._states = TableStates(self._house)
        self._source: RelaySource | None = None
        self._again: RelayedAgain | None = None
        self._requested = asyncio.Event()
        self._ready = False
        self._said_s = 0.0
        self.connected, self.since_ns, self.detail, self.waiting = False, clock.utc_ns(), "connecting", 0

    async def run(self) -> None:
        """Relay until cancelled. Whatever fails is logged and retried: the house's floor goes on without it."""
        wait_s = FIRST_WAIT_S
        while True:
            self._ready = False
            try:
                await self._connect()
            except (LinkError, StoreAwayError) as error:
                self._on_disconnected(str(error))
            except Exception as error:  # A defect of the relay must not end what the house's tables need.
                log.error("the relay to the group has failed", exc_info=error)
                self._on_disconnected(f"{type(error).__name__}: {error}")
            wait_s = FIRST_WAIT_S if self._ready else min(LONGEST_WAIT_S, 2 * wait_s)
            await asyncio.sleep(wait_s * random.uniform(0.5, 1.0))

    def close(self) -> None:
        """After :meth:`run`: wait for what its thread does now."""
        self._thread.shutdown(cancel_futures=True)

    # -- the connection ----------------------------------------------------------------------------------------

    async def _connect(self) -> None:
        """Relay for as long as the connection lasts.

        Raises:
            LinkError: the connection cannot be opened, or has ended.
            StoreAwayError: the store is unavailable.
        """
        source, again = await self._opened()
        gone = self._of_house(source, online=False)
        topic = of_table(gone.table, Topic.HOUSE)
        will = aiomqtt.Will(topic, write(gone), qos=1, retain=True)
        async with connected(self._group, f"house-{self._house}", will) as link:
            await link.subscribe(requests_of_house(self._house))
            again.connected()
            self._states.connected()
            await self._say(link, source)
            self._on_connected()
            tasks = [
                asyncio.create_task(one) for one in (self._relay(link, source, again), self._listen(link, again))
            ]
            try:
                await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
            except asyncio.CancelledError:
                with suppress(LinkError):
                    await link.publish(topic, gone, retain=True)
                raise
            finally:
                await end(tasks)
            raise_error_of(tasks)

    async def _opened(self) -> tuple[RelaySource, RelayedAgain]:
        if self._source is None or self._again is None:
            self._source = await self._in_thread(RelaySource, self._store, self._house)
            self._again = RelayedAgain(self._source)
        return self._source, self._again

    async def _listen(self, link: Link, again: RelayedAgain) -> None:
        """Note what the group's floor requests."""
        noted: set[str] = set()
        async for message in link.messages():
            _, _, path = message.topic.value.partition("/")
            path, _, _ = path.rpartition("/")
            payload = message.payload if isinstance(message.payload, bytes) else b""
            try:
                request = ResendRequest.model_validate_json(payload)
            except ValueError:
                log.warning("the group's resend request cannot be read: %.200r", payload)
                continue
            table = path.removeprefix(house_itself(self._house))
            if house_of(path) == self._house and is_name(table) and (table in noted or len(noted) < MOST_REQUESTED):
                noted.add(table)
                again.note(table, request)
                self._requested.set()

    # -- what is due -------------------------------------------------------------------------------------------

    async def _relay(self, link: Link, source: RelaySource, again: RelayedAgain) -> None:
        """Relay what is due, and look for more."""
        while True:
            if asyncio.get_running_loop().time() - self._said_s > SAYS_S:
                await self._say(link, source)
            self._requested.clear()
            any_due = await self._relay_alerts(link, source)
            any_due |= await self._relay_states(link, source)
            any_due |= await self._relay_rounds(link, source, await self._in_thread(source.due, AT_ONCE))
            if not any_due and again:
                now_ns, utc = self._clock.now_ns(), self._utc()
                any_due = await self._publish_all(link, await self._in_thread(again.due, AT_ONCE, now_ns, utc))
            if not any_due:
                with suppress(TimeoutError):
                    async with asyncio.timeout(POLL_S):
                        await self._requested.wait()

    async def _relay_alerts(self, link: Link, source: RelaySource) -> bool:
        due = await self._in_thread(source.alerts)
        for one in due:
            await self._publish(link, of_table(one.message.table, Topic.ALERT), one.message)
        if due:
            await self._in_thread(source.keep_alerts, due[-1].id)
        return bool(due)

    async def _relay_states(self, link: Link, source: RelaySource) -> bool:
        """What tables are now, where that is news; some at a time, so that rounds have their turn, too."""
        rows = await self._in_thread(source.tables)
        due = self._states.due(rows, source.done, self._clock.now_ns(), AT_ONCE)
        for one in due:
            await self._publish(link, of_table(one.message.table, one.topic), one.message, retain=True)
            self._states.published(one, self._clock.now_ns())
        return bool(due)

    async def _relay_rounds(self, link: Link, source: RelaySource, due: list[DueRound]) -> bool:
        """Relay rounds, at most one of each table, and keep that they are out."""
        out: list[DueRound] = []
        try:
            for one in due:
                await self._publish_all(link, [one])
                out.append(one)
        finally:
            if out:
                await self._in_thread(source.keep, out, self._utc())
        return bool(due)

    async def _publish_all(self, link: Link, due: list[DueRound]) -> bool:
        for one in due:
            if one.lost:
                log.error(
                    "a round of table %s up to entry %d is not relayed: %s", one.place.table, one.seq, one.lost
                )
            for topic, message in one.messages:
                await self._publish(link, of_table(message.table, topic), message)
        return bool(due)

    async def _say(self, link: Link, source: RelaySource) -> None:
        """Say of the house that it is there, and how far it is behind."""
        waiting = await self._in_thread(source.waiting)
        count = len(await self._in_thread(source.tables))
        self.waiting = waiting.rounds
        said = self._of_house(source, tables=count, waiting=waiting.rounds, oldest=waiting.oldest)
        await link.publish(of_table(said.table, Topic.HOUSE), said, retain=True)
        self._said_s = asyncio.get_running_loop().time()

    def _of_house(self, source: RelaySource, online: bool = True, **said: Any) -> HouseMessage:
        return HouseMessage(
            house=self._house,
            store=source.identity,
            online=online,
            at=self._utc(),
            floor=self._floor,
            software=__version__,
            **said,
        )

    async def _publish(self, link: Link, topic: str, message: MessagePart, retain: bool = False) -> None:
        await self._pace.wait()
        await link.publish(topic, message, retain=retain)

    async def _in_thread(self, action: Callable[..., T], *given: Any) -> T:
        return await asyncio.get_running_loop().run_in_executor(self._thread, action, *given)

    def _utc(self) -> str:
        return utc_text(self._clock.utc_ns())

    def _on_connected(self) -> None:
        log.info(
            "relaying to the group's broker at %s:%d, as house %s", self._group.host, self._group.port, self._house
        )
        self._ready = True
        self._set(True, "")

    def _on_disconnected(self, why: str) -> None:
        if why != self.detail:
            log.warning("not relaying to the group: %s; retrying; nothing of this house waits for it", why)
        self._set(False, why)

    def _set(self, is_connected: bool, detail: str) -> None:
        if is_connected != self.connected:
            self.connected, self.since_ns = is_connected, self._clock.utc_ns()
        self.detail = detail
        self._changed()
