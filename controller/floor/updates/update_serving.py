"""Offers the bundle of the floor's folder to its tables, and sends them the chunks that they ask for.

One request of a table waits at most, tables are served in turn, and all of them together get no more in a minute
than the floor's file allows: rounds of other tables wait for no bundle.
"""

import asyncio
import base64
import logging
from contextlib import suppress
from pathlib import Path

from config.floor import FloorConfig, UpdatesSection
from controller.floor.ingest.validation import Accepted, Arrived, receive
from controller.floor.pages.update_documents import OfferedBundle, TableUpdateRow, UpdatesDocument
from controller.floor.updates.bundle_folder import BundleFolder, FoundBundle
from controller.floor.updates.update_offers import TableUpdate, UpdateOffers
from controller.messages.link import Link, RefusedError
from controller.messages.models import OnlineMessage
from controller.messages.topics import Topic, chunk_of, house_of, parse, update_of
from controller.messages.update_models import CHUNK_BYTES, FetchRequest, UpdateChunk, VersionMessage

log = logging.getLogger("floor")

LOOKS_S = 10.0
"""How often the folder is looked at."""
ANNOUNCES_S = 1.0
"""How often what is due is announced."""
_TOPICS = frozenset({Topic.ONLINE, Topic.VERSION, Topic.FETCH})
_NO_SECTION = "the floor's file has no `updates:` with a folder: tables are updated by USB stick"


class UpdateServing:
    """The updates of one floor. Create and use it inside one event loop."""

    def __init__(self, config: FloorConfig) -> None:
        section = config.updates
        self._floor = config.floor
        self._section = section
        self._folder = BundleFolder(Path(section.folder)) if section is not None else None
        self._offers = UpdateOffers(section)
        self._requests: dict[str, FetchRequest] = {}
        """The newest of each table, in the order in which the first of them came."""
        self._news = asyncio.Event()
        self._looks_at = 0.0

    # -- what arrives ------------------------------------------------------------------------------------------

    def heard(self, arrived: Arrived) -> None:
        """Note a message of a table; those that are not valid are refused elsewhere."""
        try:
            table, topic = parse(arrived.topic)
        except ValueError:
            return
        if house_of(table):  # A house's floor offers its own tables what they are to run.
            return
        received = receive(arrived) if topic in _TOPICS else None
        if not isinstance(received, Accepted):
            return
        message = received.message
        if isinstance(message, OnlineMessage):
            self._offers.note_online(message.table, message.online)
        elif isinstance(message, VersionMessage):
            self._offers.note_report(message)
        elif isinstance(message, FetchRequest) and self._may_fetch(message):
            self._requests[message.table] = message
            self._news.set()

    def leave(self, table: str) -> None:
        """Another worker offers this table its update from now on."""
        self._requests.pop(table, None)
        self._offers.note_online(table, False)

    def _may_fetch(self, request: FetchRequest) -> bool:
        offer = self._offers.offered_to(request.table)
        return offer.digest == request.digest and request.offset < offer.size

    # -- a connection ------------------------------------------------------------------------------------------

    async def announce(self, link: Link) -> None:
        """Look at the folder, and send what is offered, for as long as the connection lasts.

        Raises:
            LinkError: it has ended.
        """
        self._offers.connected()
        self._requests.clear()
        while True:
            await self._look()
            for table, offer in list(self._offers.due()):
                try:
                    await link.publish(update_of(table), offer, retain=True)
                except RefusedError as error:
                    log.warning("%s; the floor's certificate must be allowed to write there", error)
                self._offers.sent(table, offer)
            await asyncio.sleep(ANNOUNCES_S)

    async def serve(self, link: Link) -> None:
        """Send the chunks that tables ask for, for as long as the connection lasts.

        Raises:
            LinkError: it has ended.
        """
        while True:
            if not self._requests:
                self._news.clear()
                await self._news.wait()
                continue
            request = self._requests.pop(next(iter(self._requests)))
            if not self._may_fetch(request):
                continue  # What is offered has changed since.
            data = await self._read(request)
            if data:
                chunk = UpdateChunk(
                    digest=request.digest, offset=request.offset, data=base64.b64encode(data).decode()
                )
                with suppress(RefusedError):  # The announcement was refused, too, and said so.
                    await link.publish(chunk_of(request.table), chunk)
                await asyncio.sleep(self._pause_s(len(data)))

    def _pause_s(self, sent: int) -> float:
        section: UpdatesSection | None = self._section
        return sent * 60 / (section.megabytes_per_minute * 1e6) if section is not None else 0.0

    async def _read(self, request: FetchRequest) -> bytes:
        found, folder = self._offers.found, self._folder
        assert folder is not None  # Without one nothing is offered.
        try:
            return await asyncio.to_thread(folder.chunk, found, request.offset, CHUNK_BYTES)
        except OSError as error:
            log.warning("the update for table %s cannot be read: %s", request.table, error)
            self._looks_at = 0.0
            return b""

    async def _look(self) -> None:
        """Look at the folder, if that is due; a bundle that is new there is read once."""
        loop = asyncio.get_running_loop()
        if self._folder is None or loop.time() < self._looks_at:
            return
        found = await asyncio.to_thread(self._folder.look)
        self._looks_at = loop.time() + LOOKS_S
        if found != self._offers.found:
            _log(found)
            self._offers.found = found

    # -- the page ----------------------------------------------------------------------------------------------

    def document(self) -> UpdatesDocument:
        """What is offered, and what each table has made of it."""
        found = self._offers.found
        bundle: OfferedBundle | None = None
        if found.digest:
            bundle = {"name": found.name, "release": found.release, "size": found.size, "digest": found.digest}
        return {
            "floor": self._floor,
            "folder": self._section.folder if self._section is not None else "",
            "problem": found.problem if self._section is not None else _NO_SECTION,
            "bundle": bundle,
            "tables": [self._row(name, one) for name, one in self._offers.tables()],
        }

    def _row(self, name: str, one: TableUpdate) -> TableUpdateRow:
        report, found = one.report, self._offers.found
        current = report is not None and bool(found.digest) and report.digest == found.digest
        return {
            "table": name,
            "online": one.online,
            "takes": report.takes if report is not None else None,
            "running": report.running if report is not None else "",
            "slot": report.slot if report is not None else "",
            "not_offered": self._offers.why_not(name) if found.digest else "",
            "stage": report.stage if report is not None and current else "",
            "received": report.received if report is not None and current else 0,
            "why": report.why if report is not None and current else "",
        }


def _log(found: FoundBundle) -> None:
    if found.problem:
        log.error("no update is offered: %s", found.problem)
    elif found.digest:
        log.info(
            "update %s is offered: %s, %d bytes, sha256 %s", found.release, found.name, found.size, found.digest
        )
    else:
        log.info("no update is offered: the folder is empty")
