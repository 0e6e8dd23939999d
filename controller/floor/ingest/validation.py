"""Validates what arrived: a message is read and checked, or refused with a reason.

Pure. A client with a table's certificate can send any bytes: nothing here raises because of them, and what
passes can be stored in SQLite and PostgreSQL alike.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple

from pydantic import ValidationError

from controller.floor.ingest.chain import own_contradiction, part_contradiction
from controller.floor.ingest.derivation import difference, lacking, whole
from controller.journal.chain import utc_text
from controller.messages.models import (
    MOST_BYTES,
    AlertMessage,
    HealthMessage,
    HouseMessage,
    RoundClosed,
    RoundPart,
    StateMessage,
)
from controller.messages.reading import ReceivedMessage, read
from controller.messages.topics import Topic, house_itself, is_name, parse
from controller.round_summary.errors import UnreadableRoundError

MOST_AHEAD_NS = 5 * 60 * 1_000_000_000
"""How far a table's clock may be ahead of the floor's."""

FORGED = ("chain", "contradiction")
"""The reasons of a refusal that no honest publisher causes: its entries, or what is said of them, were changed."""
_EXCERPT = 200
_MOST_WORDS = 1000
_UTC_LENGTH = 24
_NUL = b"\\u0000"
_MOST_COUNT = 1 << 31
_MOST_NUMBER = 1 << 63


class Arrived(NamedTuple):
    """A message as it came from the broker.

    Attributes:
        utc_ns: the floor's wall time at which it arrived.
        retained: whether it is a retained message, published before the subscription.
    """

    topic: str
    payload: bytes
    utc_ns: int
    retained: bool = False

    @property
    def utc(self) -> str:
        """The time at which it arrived, in the format of messages."""
        return utc_text(self.utc_ns)


@dataclass(frozen=True, slots=True)
class Accepted:
    """A valid message that contradicts neither its topic nor itself.

    Attributes:
        unproven: why a round cannot be derived from its entries, as text; empty if it was, or waits for its parts.
    """

    arrived: Arrived
    table: str
    message: ReceivedMessage
    unproven: str = ""


@dataclass(frozen=True, slots=True)
class Refusal:
    """A message that is not valid.

    Attributes:
        table: the table's name as the topic gives it; empty if no table can have that name.
        reason: not-json, schema, huge, future, topic, table, chain or contradiction.
        detail: what is wrong, as text, and the beginning of the message.
        why: what is wrong, as text.
        until: when it would be accepted, UTC; empty if that is not known.
    """

    arrived: Arrived
    table: str
    reason: str
    detail: str
    why: str = ""
    until: str = ""


class _RefusedError(Exception):
    def __init__(self, reason: str, words: str, until: str = "") -> None:
        super().__init__(words)
        self.reason = reason
        self.until = until


def receive(arrived: Arrived) -> Accepted | Refusal:
    """Read and check a message."""
    try:
        table, topic = _topic(arrived.topic)
        message = _read(topic, arrived.payload)
        _check(table, message, arrived)
        unproven = _derived(message) if isinstance(message, RoundClosed) else ""
    except _RefusedError as error:
        return refusal(arrived, error.reason, str(error), error.until)
    return Accepted(arrived, table, message, unproven)


def refusal(arrived: Arrived, reason: str, words: str, until: str = "") -> Refusal:
    """The refusal of a message."""
    why = plain(words)
    return Refusal(arrived, named(arrived.topic), reason, f"{why}: {excerpt(arrived.payload)}", why, until)


def named(topic: str) -> str:
    """The table that a topic names; empty for a name that no table can have, which bounds the number of names."""
    match topic.split("/", 4):
        case ["tables", name, *_]:
            table = name
        case ["houses", house, "tables", name, *_]:
            table = f"{house}/{name}"
        case ["houses", house, *_]:
            table = house_itself(house)
        case _:
            return ""
    return table if is_name(table) else ""


def plain(text: str, most: int = _MOST_WORDS) -> str:
    """Text that every database can hold: truncated, without NUL and surrogates."""
    return text[:most].encode(errors="replace").decode().replace("\0", "�")


def excerpt(payload: bytes) -> str:
    """The beginning of a message, on one line."""
    text = payload[:_EXCERPT].decode(errors="replace")
    shown = "".join(letter if letter.isprintable() else "�" for letter in text)
    return shown + ("…" if len(payload) > _EXCERPT else "")


def _topic(text: str) -> tuple[str, Topic]:
    try:
        table, topic = parse(text)
    except ValueError:
        raise _RefusedError("topic", "no topic of a table") from None
    if not named(text):
        raise _RefusedError("topic", "no name of a table")
    return table, topic


def _read(topic: Topic, payload: bytes) -> ReceivedMessage:
    if len(payload) > MOST_BYTES:
        raise _RefusedError("huge", f"{len(payload)} bytes; {MOST_BYTES} are allowed")
    try:
        return read(topic, payload)
    except ValidationError as error:
        wrong = error.errors(include_url=False, include_context=False, include_input=False)
        reason = "not-json" if wrong[0]["type"] == "json_invalid" else "schema"
        words = [f"{'.'.join(map(str, one['loc']))} {one['msg']}".strip() for one in wrong[:3]]
        raise _RefusedError(reason, "; ".join(words)) from None
    except (ValueError, RecursionError) as error:
        raise _RefusedError("not-json", str(error)) from None


def _check(table: str, message: ReceivedMessage, arrived: Arrived) -> None:
    """Check a message against its topic, the clock, the store and itself."""
    alerts = message.alerts if isinstance(message, RoundClosed) else []
    if any(name != table for name in (message.table, *(alert.table for alert in alerts))):
        raise _RefusedError("table", f"it speaks of another table than {table}, at whose topic it came")
    unacceptable = _unacceptable(message, arrived.payload)
    if unacceptable:
        raise _RefusedError("schema", unacceptable)
    newest = max(_past_times(message), default="")
    if newest > utc_text(arrived.utc_ns + MOST_AHEAD_NS):
        raise _future(newest, arrived)
    if isinstance(message, RoundClosed | RoundPart):
        wrong = own_contradiction(message) if isinstance(message, RoundClosed) else part_contradiction(message)
        if wrong:
            raise _RefusedError("chain", wrong)


def _future(newest: str, arrived: Arrived) -> _RefusedError:
    at_ns = round(datetime.fromisoformat(newest).timestamp() * 1000) * 1_000_000
    minutes = (at_ns - arrived.utc_ns) // 60_000_000_000
    words = f"the table's clock is {minutes} minutes ahead: it is of {newest}, and it is {arrived.utc} here"
    return _RefusedError("future", f"{words}; correct one of the clocks", utc_text(at_ns - MOST_AHEAD_NS))


def _derived(message: RoundClosed) -> str:
    """Why a round cannot be derived from its entries; empty if what it says is true, or its parts are needed."""
    unproven = lacking(message)
    if unproven or not whole(message):
        return unproven
    try:
        wrong = difference(message, message.entries or [])
    except UnreadableRoundError as error:
        return str(error)
    if wrong:
        raise _RefusedError("contradiction", wrong)
    return ""


def _unacceptable(message: ReceivedMessage, payload: bytes) -> str:
    """What is meaningless or cannot be stored in a message that passes its schema; empty for nothing."""
    if _NUL in payload and any("\0" in text for text in _texts(message.model_dump())):
        return "it holds a NUL character"
    wrong = next((utc for utc in (*_past_times(message), *_other_times(message)) if not _is_time(utc)), None)
    if wrong is not None:
        return f"{wrong} is no time"
    entries = (message.entries or ()) if isinstance(message, RoundClosed | RoundPart) else ()
    odd = next((entry for entry in entries if len(entry.utc) != _UTC_LENGTH or not _is_time(entry.utc)), None)
    if odd is not None:
        return f"{plain(odd.utc)} is no time, of entry {odd.seq}"
    if isinstance(message, RoundClosed):
        if message.corrections >= _MOST_COUNT or any(ms >= _MOST_NUMBER for ms in message.phases.values()):
            return "a number is too large"
        if any(spin.position >= spin.of for spin in message.spins):
            return "a spin's position is not on its wheel"
    return ""


def _texts(value: object) -> Iterator[str]:
    """Every text in plain data."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for key, part in value.items():
            yield from _texts(key)
            yield from _texts(part)
    elif isinstance(value, list):
        for part in value:
            yield from _texts(part)


def _past_times(message: ReceivedMessage) -> Iterator[str]:
    """The times of a message that cannot be in the future."""
    if isinstance(message, StateMessage | HealthMessage | AlertMessage):
        yield message.at
    elif isinstance(message, RoundClosed):
        yield message.closed
        yield from (alert.at for alert in message.alerts)


def _other_times(message: ReceivedMessage) -> Iterator[str]:
    """Its other times. A round opens before it closes, unless the clock was set in between."""
    if isinstance(message, RoundClosed):
        yield message.opened
    elif isinstance(message, HouseMessage):  # Its clock may be any: the floor compares it.
        yield message.at
        yield from (message.oldest,) if message.oldest is not None else ()
    elif isinstance(message, StateMessage) and message.limits is not None and message.limits.pending is not None:
        yield message.limits.pending.effective


def _is_time(utc: str) -> bool:
    """Whether text that has the format of a time is a valid time: the format allows a 31st of February."""
    try:
        datetime.fromisoformat(utc)
    except ValueError:
        return False
    return True
