"""Hears all tables over MQTT, and asks them for what is lacking.

What the broker promises is not what the floor rests on: it begins with a clean session each time, and what is lost
on the way is seen by the chain of each table's record and asked for again.
"""

import asyncio
import logging
import random
from collections.abc import Callable
from contextlib import suppress

from config.floor import FloorConfig
from controller.floor.ingest.resend_requests import ResendRequests
from controller.floor.ingest.validation import Arrived
from controller.floor.ingest.writer import StoreWriter
from controller.messages.link import Link, LinkError, RefusedError, connected, end
from controller.messages.topics import OF_ALL_TABLES, wanted_of
from hal.interfaces import Clock

log = logging.getLogger("floor")

FIRST_WAIT_S, LONGEST_WAIT_S = 1.0, 30.0
"""How long until it connects anew; twice as long each time, with some chance in it."""
_ASK_S = 1.0
"""How often it is looked what is to be asked."""


class Subscriber:
    """The floor's connection to the broker. Create it inside the running event loop.

    Args:
        keeper: takes what arrives.
        requests: what is to be asked.
        changed: called when the connection comes or goes.

    Attributes:
        connected: whether the tables can be heard.
        since_ns: since when that is so, wall time.
        detail: why not, in words.
        messages: how many have arrived.
    """

    def __init__(
        self,
        config: FloorConfig,
        keeper: StoreWriter,
        requests: ResendRequests,
        clock: Clock,
        changed: Callable[[], None],
    ) -> None:
        self._broker = config.broker
        self._name = f"floor-{config.floor}"
        self._keeper = keeper
        self._requests = requests
        self._clock = clock
        self._changed = changed
        self.connected = False
        self.since_ns = clock.utc_ns()
        self.detail = "connecting"
        self.messages = 0

    async def run(self) -> None:
        """Listen until cancelled, whatever becomes of the broker."""
        wait_s = FIRST_WAIT_S
        while True:
            heard = self.messages
            try:
                await self._connect()
            except LinkError as error:
                self._lost(str(error))
            await self._keeper.room()
            wait_s = FIRST_WAIT_S if self.messages > heard else min(LONGEST_WAIT_S, 2 * wait_s)
            await asyncio.sleep(wait_s * random.uniform(0.5, 1.0))

    async def _connect(self) -> None:
        """Listen and ask for as long as the connection lasts.

        Raises:
            LinkError: it cannot be had, or has ended.
        """
        async with connected(self._broker, self._name) as link:
            await link.subscribe(OF_ALL_TABLES)
            self._found()
            tasks = [asyncio.create_task(self._listen(link)), asyncio.create_task(self._keep_asking(link))]
            try:
                await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
            finally:
                await end(tasks)
            for error in [task.exception() for task in tasks if not task.cancelled()]:
                if error is not None:
                    raise error

    async def _listen(self, link: Link) -> None:
        async for message in link.messages():
            self.messages += 1
            payload = message.payload if isinstance(message.payload, bytes) else b""
            now_ns = self._clock.utc_ns()
            if not self._keeper.add(Arrived(message.topic.value, payload, now_ns, bool(message.retain))):
                # Connected anew it hears again how every table stands, and so what it has missed meanwhile.
                raise LinkError("the store does not take what arrives; the floor stops listening until it does")

    async def _keep_asking(self, link: Link) -> None:
        while True:
            for table, wanted in self._requests.due(self._clock.now_ns()):
                log.info("table %s is asked for what follows entry %d", table, wanted.after)
                try:
                    await link.publish(wanted_of(table), wanted)
                except RefusedError as error:
                    log.warning("%s; the floor's certificate must be allowed to write there", error)
            self._keeper.asked.clear()
            with suppress(TimeoutError):
                # wait_for would swallow a cancellation that comes together with something to ask.
                async with asyncio.timeout(_ASK_S):
                    await self._keeper.asked.wait()

    def _found(self) -> None:
        log.info("the tables are heard at %s:%d", self._broker.host, self._broker.port)
        self._requests.connected(self._clock.now_ns())
        self._set(True, "")

    def _lost(self, why: str) -> None:
        if why != self.detail:
            log.warning("the tables are not heard: %s; it is tried again", why)
        self._set(False, why)

    def _set(self, is_connected: bool, detail: str) -> None:
        if is_connected != self.connected:
            self.connected, self.since_ns = is_connected, self._clock.utc_ns()
        self.detail = detail
        self._changed()
