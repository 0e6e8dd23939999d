"""Valid messages of tables for tests of the floor: rounds whose entries are chained as a journal chains them."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

from controller.floor.ingest.validation import Arrived
from controller.journal.chain import GENESIS, chain, utc_text
from controller.messages.models import (
    AlertMessage,
    Message,
    OnlineMessage,
    RecordedEntry,
    RoundClosed,
    SpinResult,
    StateMessage,
    write,
)
from controller.messages.topics import Topic, of_table

BEGUN = datetime(2026, 3, 1, 12, tzinfo=UTC)
NOON_NS = int(BEGUN.timestamp()) * 1_000_000_000
HOUR_NS = 3600 * 1_000_000_000
LATER_NS = NOON_NS + 24 * HOUR_NS
"""When messages arrive, unless a test says otherwise."""
_TOPICS = {
    "OnlineMessage": Topic.ONLINE,
    "StateMessage": Topic.STATE,
    "RoundClosed": Topic.ROUND,
    "AlertMessage": Topic.ALERT,
    "HealthMessage": Topic.HEALTH,
}


def utc(minutes: float) -> str:
    """A time, so many minutes after the record began."""
    moment = BEGUN + timedelta(minutes=minutes)
    return utc_text(int(moment.timestamp() * 1000) * 1_000_000)


def entries(sizes: Sequence[int], salt: str = "", changed_from: int | None = None) -> list[list[RecordedEntry]]:
    """The entries of rounds of so many entries each.

    Args:
        salt: tells records apart.
        changed_from: from this round on, the entries are others.
    """
    head, seq = GENESIS, 0
    rounds: list[list[RecordedEntry]] = []
    for number, size in enumerate(sizes):
        other = "another" if changed_from is not None and number >= changed_from else ""
        rounds.append([])
        for _ in range(size):
            seq += 1
            body = f'{{"fact":"{salt}{other}","n":{seq}}}'
            content = (number, seq * 1_000_000, utc(seq / 60), "press", body, None)
            head = chain(head, seq, *content)
            names = ("round", "at_ns", "utc", "kind", "body", "checkpoint")
            named: dict[str, Any] = dict(zip(names, content, strict=True))
            rounds[-1].append(RecordedEntry(seq=seq, hash=head, **named))
    return rounds


def record(
    sizes: Sequence[int],
    table: str = "big-six-1",
    salt: str = "",
    changed_from: int | None = None,
    **fields: Any,
) -> list[RoundClosed]:
    """The messages of a table's rounds, from the first entry of its record on.

    Args:
        fields: of every round's message.
    """
    rounds = entries(sizes, salt, changed_from)
    previous, made = GENESIS, []
    for number, covered in enumerate(rounds):
        last = covered[-1]
        given: dict[str, Any] = {"game": "big-six", "opened": utc(number), "closed": utc(number + 1), **fields}
        made.append(
            RoundClosed(
                table=table,
                record=rounds[0][0].hash,
                first=covered[0].seq,
                previous=previous,
                seq=last.seq,
                hash=last.hash,
                number=number,
                entries=covered,
                **given,
            )
        )
        previous = last.hash
    return made


def spin(position: int, of: int = 54, direction: Any = "clockwise", label: str = "") -> SpinResult:
    return SpinResult(position=position, of=of, label=label, direction=direction)


def alert_of(message: RoundClosed, part: int = 0, text: str = "the wheel is stuck") -> AlertMessage:
    """An alert of the last entry of a round."""
    place: dict[str, Any] = {"record": message.record, "seq": message.seq, "hash": message.hash, "part": part}
    return AlertMessage(table=message.table, at=message.opened, round=message.number, text=text, **place)


def state_after(message: RoundClosed, handed_over: int | None = None, **fields: Any) -> StateMessage:
    """The table's state after a round."""
    place: dict[str, Any] = {"record": message.record, "seq": message.seq, "hash": message.hash}
    given: dict[str, Any] = {
        "at": message.closed,
        "handed_over": message.seq if handed_over is None else handed_over,
        **fields,
    }
    return StateMessage(
        table=message.table,
        game=message.game,
        state="bets-open",
        round=message.number + 1,
        **place,
        **given,
    )


def online(table: str = "big-six-1", is_online: bool = True) -> OnlineMessage:
    return OnlineMessage(table=table, online=is_online, running=is_online, software="1.0" if is_online else "")


def arrived(message: Message, utc_ns: int = LATER_NS, retained: bool = False) -> Arrived:
    """A message as it comes from the broker."""
    return Arrived(of_table(message.table, _TOPICS[type(message).__name__]), write(message), utc_ns, retained)
