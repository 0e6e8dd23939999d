"""Fetches the update that the floor offers, beside what is published, and reports what becomes of it.

The floor is not trusted: it may send any offer, any chunk, and as many as the broker lets through. At most one
offer and one chunk wait here, a chunk is written only if it is the very one that was asked for, and no more is
fetched in a day than a few bundles. What was fetched installs nothing: the card's system examines its signature,
and the floorperson's key confirms it at the table.
"""

import asyncio
import base64
import binascii
import logging
from collections.abc import Callable
from contextlib import suppress
from functools import partial

from controller.messages.link import Link, RefusedError
from controller.messages.topics import Topic, chunk_of, of_table, update_of
from controller.messages.update_models import (
    CHUNK_BYTES,
    LARGEST_BUNDLE,
    FetchRequest,
    UpdateChunk,
    UpdateOffer,
    VersionMessage,
)
from controller.publishing.update_report import UpdateProgress, UpdateReports
from controller.publishing.update_store import NoRoomError, UpdateStore
from hal.interfaces import Clock

log = logging.getLogger("floor")

PACE_S = 0.4
"""Between two chunks: at most 0.4 MB in a second, so that a bundle takes some minutes, and rounds wait for none."""
LOOKS_S = 1.0
"""How often offers and the system's files are looked at."""
REPORTS_S = 5.0
"""The least time between two reports that differ in the bytes fetched alone."""
OFFERS_S = 5.0
"""The least time between two offers that are followed: the newest counts."""
ANSWER_S = 60.0
"""A chunk that has not come by then is asked for again; the floor serves many tables in turn."""
RETRY_S = 60.0
"""After so long a full disk is tried again."""
MOST_TRIES = 3
"""So often a bundle is fetched whose digest is wrong each time."""
MOST_A_DAY = 2 << 30
"""Bytes fetched in 24 hours: a floor that offers something else each minute must not wear out the card."""
_DAY_NS = 24 * 3600 * 1_000_000_000
_TOO_LARGE = f"the floor says that it has %d bytes; no bundle of a table has more than {LARGEST_BUNDLE:,}"
_WRONG = "what was fetched is not what the floor announced, and was deleted: its SHA-256 is another"
_NOTHING = UpdateOffer(digest="")


class UpdateFetching:
    """The update of one table. Create and use it inside one event loop.

    Args:
        store: where bundles are kept; nothing is written where no card's image runs.
    """

    def __init__(self, table: str, store: UpdateStore, reports: UpdateReports, clock: Clock) -> None:
        self._table = table
        self._store = store
        self._reports = reports
        self._clock = clock
        self._announced: UpdateOffer | None = None
        """The newest that has arrived; None while the floor has announced nothing, and is told nothing."""
        self._offer = _NOTHING
        """The one that is fetched, or was."""
        self._awaited: tuple[str, int] | None = None
        """Digest and offset of the chunk that was asked for."""
        self._chunk: bytes | None = None
        self._news = asyncio.Event()
        self._progress = UpdateProgress("")
        self._reported: VersionMessage | None = None
        self._reported_ns, self._followed_ns = 0, clock.now_ns() - int(OFFERS_S * 1e9)
        self._tries, self._wait_until_ns = 0, clock.now_ns()
        self._looked_ns = self._day_ns = clock.now_ns()
        self._fetched_today = 0

    # -- what arrives ------------------------------------------------------------------------------------------

    def topics(self) -> tuple[str, str]:
        """What to subscribe to."""
        return update_of(self._table), chunk_of(self._table)

    def take(self, topic: str, payload: bytes) -> None:
        """Note a message of the floor's; what cannot be read is logged and left alone."""
        try:
            if topic == update_of(self._table):
                self._announced = UpdateOffer.model_validate_json(payload)
                self._news.set()
            else:
                self._take_chunk(UpdateChunk.model_validate_json(payload))
        except ValueError:
            log.warning("the floor's update cannot be read: %.100r", payload)

    def _take_chunk(self, chunk: UpdateChunk) -> None:
        if self._awaited != (chunk.digest, chunk.offset):
            return  # Nobody asked for it, or it came late, after another request.
        try:
            data = base64.b64decode(chunk.data, validate=True)
        except binascii.Error:
            log.warning("a chunk of the floor's update is no base64")
            return
        if len(data) != min(CHUNK_BYTES, self._offer.size - chunk.offset):
            log.warning("a chunk of the floor's update has %d bytes, which it should not have", len(data))
            return
        self._awaited, self._chunk = None, data
        self._news.set()

    # -- a connection ------------------------------------------------------------------------------------------

    async def run(self, link: Link) -> None:
        """Fetch and report for as long as the connection lasts.

        Raises:
            LinkError: it has ended.
        """
        self._reported, self._awaited, self._chunk = None, None, None
        self._looked_ns = self._clock.now_ns() - int(LOOKS_S * 1e9)
        try:
            while True:
                await self._follow_announced()
                await self._report(link)
                if self._fetches():
                    await self._fetch_next(link)
                else:
                    await self._wait(LOOKS_S)
        except RefusedError as error:
            # Rounds are published all the same.
            log.warning("no update can be fetched: %s; the broker's list of access must allow it", error)
            await asyncio.Event().wait()

    def _fetches(self) -> bool:
        now_ns = self._clock.now_ns()
        if now_ns - self._day_ns >= _DAY_NS:
            self._day_ns, self._fetched_today = now_ns, 0
        if self._offer != self._announced or now_ns < self._wait_until_ns:
            return False
        return self._progress.stage in ("fetching", "waiting")

    async def _wait(self, seconds: float) -> None:
        self._news.clear()
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await self._news.wait()

    # -- an offer ----------------------------------------------------------------------------------------------

    async def _follow_announced(self) -> None:
        """Begin with what was announced, if that is something else."""
        offer = self._announced
        now_ns = self._clock.now_ns()
        if offer is None or offer == self._offer or now_ns - self._followed_ns < OFFERS_S * 1e9:
            return
        self._offer, self._awaited, self._tries = offer, None, 0
        self._wait_until_ns = self._followed_ns = now_ns
        self._progress, self._looked_ns = UpdateProgress(""), now_ns - int(LOOKS_S * 1e9)
        if not await asyncio.to_thread(self._reports.takes):
            return
        await self._on_disk(partial(self._begin, offer))
        if offer.digest:
            log.info("the floor offers update %r: %s", offer.release, self._progress.why or self._progress.stage)
        else:
            log.info("the floor offers no update")

    def _begin(self, offer: UpdateOffer) -> UpdateProgress:
        """On the disk: what there is of an offer."""
        handed = self._store.handed()
        if not offer.digest or handed not in ("", offer.digest):
            self._store.withdraw()
        if not offer.digest:
            return UpdateProgress("")
        if not 0 < offer.size <= LARGEST_BUNDLE:
            return UpdateProgress("refused", 0, _TOO_LARGE % offer.size)
        if self._reports.runs(offer.digest):
            return UpdateProgress("installed", offer.size)
        there = self._store.begin(offer.digest)
        if handed == offer.digest and not there:
            return UpdateProgress("examined", offer.size)
        if there > offer.size:
            self._store.withdraw()
            there = 0
        return self._finished(offer) if there == offer.size else UpdateProgress("fetching", there)

    def _finished(self, offer: UpdateOffer) -> UpdateProgress:
        """On the disk: all bytes are there."""
        if self._store.finish(offer.digest):
            return UpdateProgress("examined", offer.size)
        self._tries += 1
        log.error("update %r: %s", offer.release, _WRONG)
        return UpdateProgress("failed" if self._tries >= MOST_TRIES else "fetching", 0, _WRONG)

    async def _fetch_next(self, link: Link) -> None:
        """Fetch one chunk, at the pace of :data:`PACE_S`; returns without one if it does not come."""
        offer = self._offer
        if self._progress.stage == "waiting" and not await self._on_disk(partial(self._begin, offer)):
            return
        if self._progress.stage != "fetching":
            return
        at = self._progress.received
        length = min(CHUNK_BYTES, offer.size - at)
        if self._fetched_today + length > MOST_A_DAY:
            self._hold(f"{MOST_A_DAY >> 20} MiB were fetched today; it goes on within a day")
            return
        if not await self._on_disk(partial(self._reserve, offer.size - at)):
            return
        data = await self._chunk_of(link, offer, at)
        if data is None or offer != self._announced:
            return
        self._fetched_today += len(data)
        if await self._on_disk(partial(self._append, offer, at, data)):
            await asyncio.sleep(PACE_S)

    async def _chunk_of(self, link: Link, offer: UpdateOffer, at: int) -> bytes | None:
        """Ask for a chunk; None if it does not come in time, or something else is announced meanwhile."""
        self._awaited, self._chunk = (offer.digest, at), None
        request = FetchRequest(table=self._table, digest=offer.digest, offset=at)
        await link.publish(of_table(self._table, Topic.FETCH), request)
        with suppress(TimeoutError):
            async with asyncio.timeout(ANSWER_S):
                while self._chunk is None and self._announced == offer:
                    self._news.clear()
                    await self._news.wait()
        data, self._chunk = self._chunk, None
        return data

    def _reserve(self, bytes_left: int) -> UpdateProgress:
        self._store.reserve(bytes_left)
        return UpdateProgress("fetching", self._progress.received, self._progress.why if self._tries else "")

    def _append(self, offer: UpdateOffer, at: int, data: bytes) -> UpdateProgress:
        self._store.append(offer.digest, at, data)
        there = at + len(data)
        return self._finished(offer) if there == offer.size else UpdateProgress("fetching", there)

    async def _on_disk(self, work: Callable[[], UpdateProgress]) -> bool:
        """Do something on the disk outside of the event loop; a disk that does not take it is tried again later."""
        try:
            self._progress = await asyncio.to_thread(work)
        except NoRoomError as error:
            self._hold(str(error))
        except OSError as error:
            self._hold(f"the data partition takes nothing: {error.strerror}; call the technician")
        else:
            return True
        return False

    def _hold(self, why: str) -> None:
        if why != self._progress.why:
            log.warning("update %r waits: %s", self._offer.release, why)
        self._progress = UpdateProgress("waiting", self._progress.received, why)
        self._wait_until_ns = self._clock.now_ns() + int(RETRY_S * 1e9)

    # -- the report --------------------------------------------------------------------------------------------

    async def _report(self, link: Link) -> None:
        """Publish what has become of the offer, if that is news."""
        now_ns = self._clock.now_ns()
        if self._announced is None or now_ns - self._looked_ns < LOOKS_S * 1e9:
            return
        self._looked_ns = now_ns
        message = await asyncio.to_thread(self._reports.message, self._table, self._offer.digest, self._progress)
        if not self._is_news(message, now_ns):
            return
        await link.publish(of_table(self._table, Topic.VERSION), message, retain=True)
        self._reported, self._reported_ns = message, now_ns

    def _is_news(self, message: VersionMessage, now_ns: int) -> bool:
        before = self._reported
        if before is None:
            return True
        if now_ns - self._reported_ns < REPORTS_S * 1e9:
            message = message.model_copy(update={"received": before.received})
        return message != before
