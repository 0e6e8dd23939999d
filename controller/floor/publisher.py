"""Sends one table's record to the floor, over MQTT, for as long as it runs. The table does not depend on it.

There is no cursor: the floor says how far it has the record (*have*), and the publisher goes on from there, one
batch at a time. A batch for which no have comes is sent again. A have counts only if its hash is that of the
publisher's own entry. Otherwise one of the two records was changed: that is a problem for people, and the record is
sent from its first entry on, so that the floor sees where they differ.
"""

import asyncio
import logging
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING

import aiomqtt

from config.schema import BrokerSection
from controller import __version__
from controller.floor.link import Link, LinkError, Pauses, connected, end, not_connected
from controller.floor.source import Head, SocketRecords
from controller.floor.wire import (
    LARGEST_BYTES,
    MOST_ENTRIES,
    Batch,
    Have,
    Online,
    WireError,
    entries_topic,
    have_topic,
    online_topic,
    read,
    write,
)
from controller.journal.chain import GENESIS, Entry, verify
from controller.journal.errors import JournalDamagedError
from controller.runtime.table_client import UnreachableError

if TYPE_CHECKING:
    from controller.signing.receipts import SignedRecord

log = logging.getLogger("floor")


@dataclass(frozen=True, slots=True)
class Pace:
    """How long the publisher waits, in seconds.

    Attributes:
        retained: for the have that the broker kept.
        look: for further entries, before the table is asked again.
        answer, longest_answer: for a have, or after one without progress, before a batch is sent again; it doubles
            each time.
        connect, longest_connect: before the broker is tried again.
        anew: before a record that differs from the floor's is sent once more.
    """

    retained: float = 3.0
    look: float = 1.0
    answer: float = 3.0
    longest_answer: float = 120.0
    anew: float = 600.0
    connect: float = 1.0
    longest_connect: float = 30.0


@dataclass(frozen=True, slots=True)
class _Place:
    """After which entry is sent next: its record, number and hash."""

    record: str
    seq: int = 0
    hash: str = GENESIS


class Publisher:
    """Sends one table's record.

    Args:
        table: its name, as in its certificate.
        signed: signs batches, and keeps each have that counts as a receipt; None for unsigned ones.
    """

    def __init__(
        self,
        table: str,
        broker: BrokerSection,
        source: SocketRecords,
        signed: "SignedRecord | None" = None,
        pace: Pace | None = None,
    ) -> None:
        self._table, self._broker, self._source = table, broker, source
        self._signed, self._pace = signed, pace or Pace()
        self._reconnect = Pauses(self._pace.connect, self._pace.longest_connect)
        self._again = Pauses(self._pace.answer, self._pace.longest_answer)
        self._head: Head | None = None
        """Where the table's record ends; None while the table does not run."""
        self._have: Have | None = None
        self._news = asyncio.Event()
        self._place: _Place | None = None
        self._differs: Have | None = None
        """The floor's have that is another entry than the table's: the whole record is sent, up to there."""
        self._online: Online | None = None
        self._problem = self._difference = ""
        """The present problem; and how the records differ, until the floor has every entry."""
        self._all_sent = False
        """The floor had every entry, and nothing was wrong since."""

    async def run(self) -> None:
        """Publish until cancelled."""
        while True:
            try:
                await self._connect()
            except LinkError as error:
                self._note(not_connected(error))
            await asyncio.sleep(self._reconnect.next_s())

    async def _connect(self) -> None:
        """Publish for as long as the connection lasts.

        Raises:
            LinkError: it cannot be opened, or has ended.
        """
        gone = write(Online(online=False, version=__version__))
        topic = online_topic(self._table)
        will = aiomqtt.Will(topic, gone, qos=1, retain=True)
        async with connected(self._broker, self._table, will) as link:
            self._online, self._place, self._differs = None, None, None
            self._news.clear()
            await link.subscribe(have_topic(self._table))
            tasks = [asyncio.create_task(self._listen(link)), asyncio.create_task(self._send(link))]
            try:
                await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
            except asyncio.CancelledError:
                with suppress(LinkError):
                    await link.publish(topic, gone, retain=True)
                raise
            finally:
                await end(*tasks)
            for task in tasks:
                if not task.cancelled():
                    task.result()

    async def _listen(self, link: Link) -> None:
        async for message in link.messages():
            payload = message.payload if isinstance(message.payload, bytes) else b""
            try:
                self._have = read(Have, payload) if payload else None
            except WireError as error:
                self._note(f"the floor's answer is no message of this version: {error}")
                continue
            self._news.set()

    async def _send(self, link: Link) -> None:
        log.info("connected to the broker at %s:%d", self._broker.host, self._broker.port)
        await self._heard_within(self._pace.retained)
        while True:
            try:
                self._head = await self._source.head()
                await self._publish_online(link)
                batch = await self._next_batch()
                if batch is not None:
                    await self._hand_over(link, *batch)
                    continue
                self._nothing_to_send()
            except (UnreachableError, JournalDamagedError) as error:  # Damaged: not even its name can be read.
                self._head = None
                self._note(str(error))
                await self._publish_online(link)
            await asyncio.sleep(self._pace.look)

    async def _publish_online(self, link: Link) -> None:
        online = Online(online=True, running=self._head is not None, version=__version__)
        if online != self._online:
            await link.publish(online_topic(self._table), write(online), retain=True)
            self._online = online

    # -- what is sent --------------------------------------------------------------------------------------

    async def _next_batch(self) -> tuple[Batch, Entry] | None:
        """The next entries that the floor does not have, and the last of them; None if it has all.

        Raises:
            UnreachableError: the table does not answer.
        """
        if self._news.is_set() or self._place is None:
            await self._look_at_have()
        while (place := self._place) is not None and self._waiting():
            entries = await self._sound_entries(place)
            if entries:
                last = entries[-1]
                signed = self._signed
                signature = signed.sign(place.record, last.seq, last.hash) if signed is not None else None
                return Batch.of(place.record, entries, signature), last
            records = await self._source.records()
            at = records.index(place.record) + 1 if place.record in records else 0
            if at == len(records):
                return None
            self._place = _Place(records[at])
        return None

    async def _sound_entries(self, place: _Place) -> list[Entry]:
        """Entries that follow a place; of a damaged record, up to the damage."""
        entries = await self._own(place.record, place.seq, MOST_ENTRIES)
        verdict = verify(iter(entries), place.seq, place.hash)
        if verdict.problem:
            self._note(f"the table's record is damaged: {verdict.problem}")
        return entries[: verdict.entries - place.seq]

    async def _own(self, record: str, after: int, limit: int) -> list[Entry]:
        """Entries of the table after a number; none where they are damaged."""
        try:
            return await self._source.entries(record, after, limit)
        except JournalDamagedError as error:
            self._note(f"record {record[:16]}, after entry {after}: {error}")
            return []

    async def _hand_over(self, link: Link, batch: Batch, last: Entry) -> None:
        """Send a batch, and wait until the floor says that it has it, or does not take it.

        Raises:
            LinkError: the broker does not take it.
        """
        payload = write(batch)
        if len(payload) > LARGEST_BYTES:
            self._note(f"entry {batch.first} of the record has {len(payload)} bytes, and a message {LARGEST_BYTES}")
            await asyncio.sleep(self._pace.longest_answer)
            return
        self._news.clear()
        await link.publish(entries_topic(self._table), payload)
        self._reconnect.begin_anew()
        pause_s = self._again.next_s()
        if not await self._heard_within(pause_s):
            self._note("the floor has not answered; entries are kept and sent again")
            return
        await self._look_at_have()
        place = self._place
        if place is not None and place.record == batch.record and place.seq >= last.seq:
            self._again.begin_anew()
            self._problem = ""
        elif self._differs is not None:
            self._again.begin_anew()
            await self._walk_on(batch, last)
        else:
            await asyncio.sleep(pause_s)

    async def _walk_on(self, batch: Batch, last: Entry) -> None:
        """The records differ, and the floor has seen a batch of the table's: the next, up to where they must."""
        assert self._differs is not None
        if batch.record != self._differs.record or last.seq < self._differs.seq:
            self._place = _Place(batch.record, last.seq, last.hash)
            return
        await self._heard_within(self._pace.anew)
        self._place = self._differs = None  # From the floor's have again.
        self._news.set()

    # -- what the floor has --------------------------------------------------------------------------------

    async def _heard_within(self, seconds: float) -> bool:
        """Wait for a have."""
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await self._news.wait()
        return self._news.is_set()

    async def _look_at_have(self) -> None:
        """Go to where the floor says that it is, or to the oldest record's beginning.

        Raises:
            UnreachableError: the table does not answer.
        """
        self._news.clear()
        have, records = self._have, await self._source.records()
        if have is None or have.record not in records:
            if self._place is None or have is None or self._place.record not in records:
                self._place = _Place(records[0]) if records else None
            return
        own = await self._own(have.record, have.seq - 1, 1)
        if own and own[0].hash == have.hash:
            self._place, self._differs = _Place(have.record, have.seq, have.hash), None
            if self._signed is not None:
                self._signed.receive(have.record, have.seq, have.hash, have.signature)
            return
        is_new = self._differs is None or self._differs.record != have.record
        self._differs, self._all_sent = have, False
        if is_new:
            mine = f"the table's is {own[0].hash[:16]}" if own else "the table has no such entry"
            difference = (
                f"the floor has another entry {have.seq} ({have.hash[:16]}; {mine}): one of the records was "
                "changed, or somebody forges the floor's answers; the whole record is sent, so that the floor sees "
                "where they differ"
            )
            if difference != self._difference:
                log.error("%s", difference)
            self._difference = difference
            if self._place is None:
                self._place = _Place(records[0])  # The floor may also lack earlier records.
            elif self._place.record == have.record:
                self._place = _Place(have.record)

    # -- how it fares ------------------------------------------------------------------------------------------

    def _waiting(self) -> int:
        """How many entries of the record in use the floor does not have; 0 if the table does not run."""
        head, place = self._head, self._place
        done = place.seq if place is not None and head is not None and place.record == head.record else 0
        return max(0, head.seq - done) if head is not None else 0

    def _nothing_to_send(self) -> None:
        self._reconnect.begin_anew()
        if self._differs is None and self._head is not None and self._have is not None and not self._waiting():
            if not self._all_sent:
                log.info("the floor has every entry")
            self._all_sent, self._problem, self._difference = True, "", ""

    def _note(self, problem: str) -> None:
        if problem != self._problem:
            log.error("%s", problem)
        self._problem, self._all_sent = problem, False
