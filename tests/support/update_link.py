"""A table that fetches the floor's update over a connection that the test controls, and its folders."""

import asyncio
import base64
import hashlib
import json
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import cast

from contracts.loop import PATIENCE_S

from controller.messages.link import Link
from controller.messages.models import MessagePart, write
from controller.messages.topics import chunk_of, update_of
from controller.messages.update_models import FetchRequest, UpdateChunk, UpdateOffer, VersionMessage
from controller.publishing import update_fetching
from controller.publishing.update_fetching import UpdateFetching
from controller.publishing.update_report import UpdateReports
from controller.publishing.update_store import UpdateStore
from hal.interfaces import Clock

TABLE = "big-six-1"
CHUNK = 1000
Answer = Callable[[FetchRequest], UpdateChunk | bytes | None]
"""What the floor sends for a request: a chunk, any bytes, or nothing."""


def offer_of(content: bytes, release: str = "0.6.0", **fields: object) -> UpdateOffer:
    """The honest offer of a bundle, but for the given fields."""
    honest = {"digest": hashlib.sha256(content).hexdigest(), "size": len(content), "release": release}
    return UpdateOffer.model_validate(honest | fields)


def chunk_at(content: bytes, request: FetchRequest) -> UpdateChunk:
    """What an honest floor answers."""
    data = content[request.offset : request.offset + CHUNK]
    return UpdateChunk(digest=request.digest, offset=request.offset, data=base64.b64encode(data).decode())


class _Monotonic:
    """A clock that needs no event loop."""

    def now_ns(self) -> int:
        return time.monotonic_ns()


class FetchingTable:
    """A table with a card's image, unless ``image`` is false; and the floor that it hears.

    Attributes:
        answer: what the floor does with a request.
        requests: what it was asked for.
    """

    def __init__(self, folder: Path, answer: Answer, image: bool = True, reserve_bytes: int = 0) -> None:
        self.answer = answer
        self.requests: list[FetchRequest] = []
        self.reports: list[VersionMessage] = []
        self.folder, self.system = folder / "update", folder / "run"
        if image:
            self.system.mkdir(exist_ok=True)
        store, reports = UpdateStore(self.folder, reserve_bytes), UpdateReports(self.system)
        self.fetching = UpdateFetching(TABLE, store, reports, cast(Clock, _Monotonic()))

    @property
    def handed_over(self) -> Path:
        return self.folder / "handover/table.raucb"

    async def publish(self, topic: str, message: MessagePart, retain: bool = False) -> None:
        await asyncio.sleep(0)
        if isinstance(message, VersionMessage):
            assert (topic, retain) == (f"tables/{TABLE}/version", True)
            self.reports.append(message)
        elif isinstance(message, FetchRequest):
            assert (topic, retain) == (f"tables/{TABLE}/fetch", False)
            self.requests.append(message)
            self.send(self.answer(message))

    def send(self, chunk: UpdateChunk | bytes | None) -> None:
        if chunk is not None:
            self.fetching.take(chunk_of(TABLE), chunk if isinstance(chunk, bytes) else write(chunk))

    def offer(self, offer: UpdateOffer | bytes) -> None:
        self.fetching.take(update_of(TABLE), offer if isinstance(offer, bytes) else write(offer))

    def system_says(self, name: str, **document: object) -> None:
        """As root writes it."""
        (self.system / f"{name}.json").write_text(json.dumps(document))

    async def until(self, stage: str) -> VersionMessage:
        """The report of a stage."""
        async with asyncio.timeout(PATIENCE_S):
            while not self.reports or self.reports[-1].stage != stage:
                await asyncio.sleep(0.001)
        return self.reports[-1]

    def written(self) -> int:
        """Bytes in all files of its folder."""
        return sum(file.stat().st_size for file in self.folder.rglob("*") if file.is_file())


def play(table: FetchingTable, *acts: Callable[[FetchingTable], object]) -> None:
    """Run the table's connection while the acts are done one after the other."""

    async def run() -> None:
        task = asyncio.create_task(table.fetching.run(cast(Link, table)))
        try:
            for act in acts:
                done = act(table)
                if asyncio.iscoroutine(done):
                    await asyncio.wait_for(done, PATIENCE_S)
                assert not task.done(), task.exception()
        finally:
            task.cancel()
            with suppress(asyncio.CancelledError):
                await task

    asyncio.run(run())


def hasty(setattr_: Callable[[object, str, object], None]) -> None:
    """Small chunks, and no pauses."""
    pauses = {"PACE_S": 0.0, "LOOKS_S": 0.0, "REPORTS_S": 0.0, "OFFERS_S": 0.0, "RETRY_S": 0.01}
    for name, value in {**pauses, "CHUNK_BYTES": CHUNK}.items():
        setattr_(update_fetching, name, value)
