"""Makes messages from journal entries: one for every alert as it is recorded, one for every closed round.

Pure except for the screens' labels of results. It takes every entry once, in order, starting at one at which a
round opens, so that a restarted process starts there too and makes the same messages.
"""

import json
from collections import deque
from collections.abc import Iterator
from dataclasses import asdict, dataclass

from config.schema import TableConfig
from controller.events.effect import Alert as AlertEffect
from controller.events.record import Record
from controller.journal.chain import GENESIS, Entry, utc_text
from controller.journal.record import RecordedDecision, of_entry
from controller.journal.recovery import NO_TABLE_STATE, table_state_at
from controller.limits.amounts import currency_of
from controller.messages import models
from controller.messages.topics import Topic
from controller.publishing.round_message import PublishedWheel, RoundTally, opens, word
from controller.viewmodel.history import TableHistory
from hal.interfaces import Clock

_SENTENCE = 1000
_OVERHEAD = 200
"""Bytes of an entry in a message, beyond its texts."""


@dataclass(frozen=True, slots=True)
class JournalPlace:
    """How far a record is published: all messages of entries before ``seq``, and ``part`` of those of ``seq``."""

    seq: int
    part: int

    def __lt__(self, other: "JournalPlace") -> bool:
        return (self.seq, self.part) < (other.seq, other.part)


@dataclass(frozen=True, slots=True)
class Due:
    """A message that is to be published at least once."""

    place: JournalPlace
    topic: Topic
    message: models.RoundClosed | models.AlertMessage


@dataclass(frozen=True, slots=True)
class Reached:
    """The state of the record after an entry."""

    seq: int
    hash: str
    utc: str
    state: str
    round: int


class Formatter:
    """Makes the messages of one record.

    Args:
        record: the hash of the record's first entry.
        begin: the entry that opened the first round to publish; None to start at the record's first entry.
    """

    def __init__(self, config: TableConfig, clock: Clock, record: str, begin: Entry | None) -> None:
        self._config = config
        self._record = record
        self._wheel = PublishedWheel(config)
        self._watch = TableHistory(config, clock)
        self._first = 0
        self._entries: list[Entry] = []
        self._bytes = 0
        self._alerts: deque[models.AlertMessage] = deque(maxlen=models.MOST_LISTED)
        self._table_state = NO_TABLE_STATE
        self._previous = begin.hash if begin is not None else GENESIS
        self._tally = RoundTally(self._wheel, "")
        self.reached: Reached | None = None
        if begin is not None:
            opening = of_entry(begin)
            self._watch(RecordedDecision(begin, opening))
            self._table_state = table_state_at(begin.seq, json.loads(begin.checkpoint or "{}"))
            self._tally = self._tally.next(begin, opening)
            self._note_reached(begin, opening)

    def take(self, entry: Entry) -> Iterator[Due]:
        """Take the next entry; yields the messages that it makes due, in order.

        Raises:
            JournalDamagedError: this software cannot read the entry.
        """
        record = of_entry(entry)
        self._watch(RecordedDecision(entry, record))
        self._tally.take(entry, record)
        self._table_state = self._table_state.take(record.event)
        self._keep_entry(entry)
        self._note_reached(entry, record)
        part = 0
        for number, effect in enumerate(record.effects):
            if isinstance(effect, AlertEffect):
                part += 1
                alert = self._alert(entry, number, effect)
                self._alerts.append(alert)
                yield Due(JournalPlace(entry.seq, part), Topic.ALERT, alert)
        opened = opens(record)
        if opened:
            yield Due(JournalPlace(entry.seq, part + 1), Topic.ROUND, self._closed(entry, opened - 1))
            self._tally = self._tally.next(entry, record)
            self._begin_after(entry)

    def _keep_entry(self, entry: Entry) -> None:
        """Keep an entry, unless the message becomes too long: a round may last for days."""
        self._first = self._first or entry.seq
        self._bytes += len(json.dumps(entry.body)) + len(json.dumps(entry.checkpoint)) + _OVERHEAD
        if self._bytes <= models.MOST_BYTES:
            self._entries.append(entry)
        else:
            self._entries.clear()

    def _begin_after(self, entry: Entry) -> None:
        self._first, self._bytes, self._previous = 0, 0, entry.hash
        self._entries.clear()
        self._alerts.clear()

    def _note_reached(self, entry: Entry, record: Record) -> None:
        self.reached = Reached(entry.seq, entry.hash, entry.utc, record.state, opens(record) or entry.round)

    def _alert(self, entry: Entry, number: int, effect: AlertEffect) -> models.AlertMessage:
        return models.AlertMessage(
            table=self._config.table,
            record=self._record,
            seq=entry.seq,
            hash=entry.hash,
            part=number,
            at=entry.utc,
            round=entry.round,
            text=self._watch.in_words(effect.text)[:_SENTENCE],
            remedy=self._watch.in_words(effect.remedy)[:_SENTENCE],
        )

    def _closed(self, entry: Entry, number: int) -> models.RoundClosed:
        tally, results = self._tally, [word(past.label) for past in self._watch.of_round(number)]
        message = models.RoundClosed(
            table=self._config.table,
            game=self._config.game,
            record=self._record,
            first=self._first,
            previous=self._previous,
            seq=entry.seq,
            hash=entry.hash,
            number=number,
            opened=tally.opened,
            closed=entry.utc,
            wheel=self._wheel.serial,
            dealer=word(self._table_state.dealer),
            spins=tally.stops(results),
            results=results,
            voids=tally.voids[-models.MOST_LISTED :],
            returned=tally.returned[-100:],
            corrections=tally.corrections,
            phases=tally.milliseconds(),
            alerts=list(self._alerts),
            replaces=tally.replaces[:_SENTENCE],
        )
        return self._with_entries(message)

    def _with_entries(self, message: models.RoundClosed) -> models.RoundClosed:
        """The message with its entries if they fit; never longer than the limit."""
        if self._bytes <= models.MOST_BYTES:
            entries = [models.RecordedEntry(**entry._asdict()) for entry in self._entries]
            whole = message.model_copy(update={"entries": entries})
            if len(models.write(whole)) <= models.MOST_BYTES:
                return whole
        if len(models.write(message)) > models.MOST_BYTES:  # Every alert has its own message, too.
            return message.model_copy(update={"alerts": []})
        return message

    def state(self, handed_over: int) -> models.StateMessage | None:
        """The table's state message; None before its first entry.

        Args:
            handed_over: the last entry covered by a round's message that the broker has acknowledged.
        """
        if self.reached is None:
            return None
        return models.StateMessage(
            table=self._config.table,
            at=self.reached.utc,
            game=self._config.game,
            state=word(self.reached.state),
            round=self.reached.round,
            record=self._record,
            seq=self.reached.seq,
            hash=self.reached.hash,
            handed_over=handed_over,
            dealer=word(self._table_state.dealer),
            wheel=self._wheel.serial,
            limits=self._limits(),
        )

    def _limits(self) -> models.LimitsState | None:
        limits, pending = self._table_state.limits, self._table_state.pending
        if limits is None:  # Limits were announced, and the table's file has none: nothing is in effect yet.
            return None
        announced = None
        if pending is not None:
            announced = models.PendingLimits(**asdict(pending.amounts), effective=utc_text(pending.from_utc_ns))
        currency = self._table_state.currency or currency_of(self._config.limits)
        return models.LimitsState(**asdict(limits), currency=currency, pending=announced)

    def health(self, utc: str) -> models.HealthMessage:
        """The table's sensors and devices."""
        listed = self._watch.devices.listed()
        devices = [
            models.DeviceHealth(device=word(line["device"]), state=line["state"], detail=line["detail"][:_SENTENCE])
            for line in listed[:100]
        ]
        return models.HealthMessage(table=self._config.table, at=utc, devices=devices)
