"""Makes messages from journal entries: one for every alert as it is recorded, one for every closed round.

Pure. It takes every entry once, in order, starting at one at which a round opens, so that a restarted process
starts there too and makes the same messages. What a round's message says of the round is its summary, which the
floor makes anew from the entries (:mod:`controller.round_summary`).
"""

from collections.abc import Iterator
from dataclasses import asdict, dataclass

from config.schema import TableConfig
from controller.events.record import Record
from controller.journal.chain import GENESIS, Entry, utc_text
from controller.journal.errors import JournalDamagedError
from controller.journal.record import RecordedDecision, of_entry
from controller.limits.terms import currency_of
from controller.messages import models
from controller.messages.closed_round import RoundOpening, Whose, alert_message, closed_round
from controller.messages.held_entries import HeldEntries
from controller.messages.topics import Topic
from controller.round_summary.errors import SummaryError, UnreadableRoundError
from controller.round_summary.tally import RoundTally, opens, word
from controller.viewmodel.history import TableHistory
from hal.interfaces import Clock

DueMessage = models.RoundPart | models.RoundClosed | models.AlertMessage
_SENTENCE = 1000


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
    message: DueMessage


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

    Raises:
        JournalDamagedError: this software cannot read ``begin``.
    """

    def __init__(self, config: TableConfig, clock: Clock, record: str, begin: RoundOpening | None) -> None:
        self._config = config
        self._whose = Whose(config.table, record)
        self._watch = TableHistory(config, clock)
        self._begin_after(begin)
        self._last = begin.entry.hash if begin is not None else GENESIS
        """The hash of the last entry."""
        self.reached: Reached | None = None
        if begin is not None:
            opening = of_entry(begin.entry)
            self._watch(RecordedDecision(begin.entry, opening))
            self._note_reached(begin.entry, opening)

    def take(self, entry: Entry) -> Iterator[Due]:
        """Take the next entry; yields the messages that it makes due, in order.

        Raises:
            JournalDamagedError: this software cannot read the entry.
        """
        record = of_entry(entry)
        self._watch(RecordedDecision(entry, record))
        try:
            alerts = self._tally.take(entry, record)
        except (SummaryError, UnreadableRoundError) as error:
            raise JournalDamagedError(f"entry {entry.seq} ({entry.kind}) cannot be published: {error}") from error
        self._note_reached(entry, record)
        messages: list[tuple[Topic, DueMessage]] = []
        part = self._held.add(entry)
        if part is not None:
            messages.append((Topic.PART, part))
        messages += [(Topic.ALERT, alert_message(self._whose, alert)) for alert in alerts]
        if opens(record):
            message = closed_round(self._whose, self._tally.closed(entry), self._opening, self._held.rest())
            messages.append((Topic.ROUND, message))
            self._begin_after(RoundOpening(entry, self._last))
        self._last = entry.hash
        for number, (topic, said) in enumerate(messages, 1):
            yield Due(JournalPlace(entry.seq, number), topic, said)

    def _begin_after(self, opening: RoundOpening | None) -> None:
        entry = opening.entry if opening is not None else None
        try:
            self._tally = RoundTally(self._config.game, entry)
        except (SummaryError, UnreadableRoundError) as error:
            raise JournalDamagedError(f"the round cannot be published: {error}") from error
        self._opening = opening
        self._held = HeldEntries(self._whose, entry)

    def _note_reached(self, entry: Entry, record: Record) -> None:
        self.reached = Reached(entry.seq, entry.hash, entry.utc, record.state, opens(record) or entry.round)

    def state(self, handed_over: int, length: int) -> models.StateMessage | None:
        """The table's state message; None before its first entry.

        Args:
            handed_over: the last entry covered by a round's message that the broker has acknowledged.
            length: how many entries the journal has.
        """
        if self.reached is None:
            return None
        return models.StateMessage(
            table=self._config.table,
            at=self.reached.utc,
            game=self._config.game,
            state=word(self.reached.state),
            round=self.reached.round,
            record=self._whose.record,
            seq=self.reached.seq,
            hash=self.reached.hash,
            handed_over=handed_over,
            length=max(length, self.reached.seq),
            dealer=word(self._tally.table_state.dealer),
            wheel=word(self._tally.table_state.wheel or self._config.wheel_serial),
            limits=self._limits(),
        )

    def _limits(self) -> models.LimitsState | None:
        limits, pending = self._tally.table_state.limits, self._tally.table_state.pending
        if limits is None:  # Limits were announced, and the table's file has none: nothing is in effect yet.
            return None
        announced = None
        if pending is not None:
            announced = models.PendingLimits(**asdict(pending.amounts), effective=utc_text(pending.from_utc_ns))
        currency = self._tally.table_state.currency or currency_of(self._config.limits)
        return models.LimitsState(**asdict(limits), currency=currency, pending=announced)

    def health(self, utc: str) -> models.HealthMessage:
        """The table's sensors and devices."""
        listed = self._watch.devices.listed()
        devices = [
            models.DeviceHealth(device=word(line["device"]), state=line["state"], detail=line["detail"][:_SENTENCE])
            for line in listed[:100]
        ]
        return models.HealthMessage(table=self._config.table, at=utc, devices=devices)


def significant_part(state: models.StateMessage | None) -> dict[str, object]:
    """The part of a state whose change is published: not that the record has one more entry."""
    return {} if state is None else state.model_dump(exclude={"at", "seq", "hash", "length"})
