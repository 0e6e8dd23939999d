"""What the tables of :mod:`benchmarks.group_of_houses` play: few tables' rounds, for each house, over a day.

A table is played once, on simulated hardware. Each house has it with a wheel of its own, so with a record of its
own, and its time is stretched over a day.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

from benchmarks.floor_tables import Seat, played
from controller.configuration.shipped import shipped_tables
from controller.floor.ingest.validation import Arrived
from controller.floor.relay.round_messages import round_messages
from controller.journal.chain import GENESIS, Entry, chain, utc_text
from controller.journal.record import of_entry
from controller.messages.closed_round import RoundOpening, Whose
from controller.messages.models import Message, RoundClosed, StateMessage, write
from controller.messages.topics import Topic, of_table
from controller.round_summary.tally import opens

DAY_NS = 86_400 * 1_000_000_000
BEGAN_NS = int(datetime(2026, 3, 1, tzinfo=UTC).timestamp()) * 1_000_000_000
GAMES = tuple(sorted(shipped_tables()))


@dataclass(frozen=True, slots=True)
class PlayPlan:
    """What is played.

    Attributes:
        tables: of each house.
        minutes: how long each of them is played; that is stretched over a day.
    """

    tables: int
    minutes: float
    seed: int
    folder: Path

    def seats(self) -> list[Seat]:
        """The tables that are played."""
        plays = self.folder / "plays"
        plays.mkdir(exist_ok=True)
        return [self._seat(number, plays / f"{number}.jsonl") for number in range(self.tables)]

    def _seat(self, number: int, play: Path) -> Seat:
        game = GAMES[number % len(GAMES)]
        return Seat(number, f"{game}-{number}", game, self.seed + number, self.minutes * 60, self.folder, play)


class DatedMessage(NamedTuple):
    """A message of a table, and when it arrives at its house, nanoseconds since the day began."""

    at_ns: int
    arrived: Arrived


def messages_of(seat: Seat, house: int) -> Iterator[DatedMessage]:
    """What a table of a house sends in the day: its rounds, and its state with the last of them."""
    record, opening, held, before = "", None, list[Entry](), GENESIS
    for entry in _entries(seat, house):
        record = record or entry.hash
        held.append(entry)
        if opens(of_entry(entry)):
            whose = Whose(seat.name, record)
            for topic, message in round_messages(whose, seat.game, held[0].seq, opening, held):
                yield _dated(entry, topic, message)
                if isinstance(message, RoundClosed):
                    yield _dated(entry, Topic.STATE, _state(seat, message))
            before = held[-2].hash if len(held) > 1 else opening.entry.hash if opening is not None else GENESIS
            opening, held = RoundOpening(entry, before), []


def _dated(entry: Entry, topic: Topic, message: Message) -> DatedMessage:
    at_ns = BEGAN_NS + entry.at_ns
    return DatedMessage(entry.at_ns, Arrived(of_table(message.table, topic), write(message), at_ns))


def _state(seat: Seat, message: RoundClosed) -> StateMessage:
    return StateMessage(
        table=seat.name,
        at=message.closed,
        game=seat.game,
        state="bets-open",
        round=message.number + 1,
        record=message.record,
        seq=message.seq,
        hash=message.hash,
        handed_over=message.seq,
        dealer=message.dealer,
        wheel=message.wheel,
    )


def _entries(seat: Seat, house: int) -> Iterator[Entry]:
    """The table's record as that of one house, over a day."""
    head, stretch = GENESIS, DAY_NS / (seat.seconds * 1e9)
    for seq, one in enumerate(played(seat), 1):
        at_ns = int(one.at_ns * stretch)
        if at_ns >= DAY_NS:
            return
        texts = [
            text and text.replace(f'"W-{seat.number}"', f'"W-{house}-{seat.number}"')
            for text in (one.body, one.checkpoint)
        ]
        content = (one.round, at_ns, utc_text(BEGAN_NS + at_ns), one.kind, texts[0] or "", texts[1])
        head = chain(head, seq, *content)
        yield Entry(seq, *content, head)
