"""What tables and floor say to one another over MQTT, version 1. JSON, UTF-8.

A table sends its journal's entries, in order, one batch at a time, and waits for the floor's *have*: how far it has
them. The floor keeps it retained, and repeats it after each commit and for each batch that does not follow. Nobody
relies on a broker's queues: what is lost is sent again, because no *have* came for it.

``tables/T/entries``
    a :class:`Batch`, QoS 1.
``tables/T/online``
    an :class:`Online`, retained, and the last will of the table's publisher.
``floor/T/have``
    a :class:`Have`, retained; an empty message (nothing is retained) if the floor has nothing of the table.
"""

import re
from collections.abc import Iterable
from datetime import datetime
from typing import Annotated, Final, Literal, TypeVar

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, ValidationError

from controller.journal.chain import Entry

FORMAT: Final = 1
MOST_ENTRIES = 200
"""Entries of one batch."""
MOST_BYTES = 256 * 1024
"""Of a batch, about. A longer entry is a batch of its own."""
LARGEST_BYTES = 1024 * 1024
"""Of a message; Mosquitto's ``message_size_limit`` is the same. A checkpoint has the rules of its table."""

_TABLE = re.compile(r"tables/([^/+#\x00]{1,80})/(entries|online)")


def _time(text: str) -> str:
    """A time that exists: pages show it, figures count by its hour. A clock that was never set begins in 1970."""
    datetime.fromisoformat(text)
    return text


Name = Annotated[str, Field(min_length=1, max_length=80)]
Hash = Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]
Seq = Annotated[int, Field(ge=1, le=1 << 62)]
Signature = Annotated[str, Field(pattern=r"^[A-Za-z0-9+/]{86}==$")]
"""Ed25519, base64."""
Int = Annotated[int, Field(ge=-(1 << 63), le=(1 << 63) - 1)]
Utc = Annotated[
    str,
    Field(pattern=r"^(19[7-9]|2[0-9]{2})[0-9]-[0-9]{2}-[0-9]{2}T([01][0-9]|2[0-3])(:[0-5][0-9]){2}\.[0-9]{3}Z$"),
    AfterValidator(_time),
]
Body = Annotated[str, Field(pattern=r"^[^\x00]*$")]
"""PostgreSQL stores no NUL; JSON escapes it."""
Kind = Annotated[str, Field(pattern=r"^[^\x00]{1,80}$")]
Row = tuple[Int, Int, Utc, Kind, Body, Body | None, Hash]
"""An entry without its number: round, at_ns, utc, kind, body, checkpoint, hash."""


class WireError(ValueError):
    """A message is refused; the text says what is wrong with it.

    Attributes:
        reason: a code for ``refused``.
    """

    def __init__(self, words: str, reason: str = "malformed") -> None:
        super().__init__(words)
        self.reason = reason


class _Message(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)

    format: Literal[1] = FORMAT


class Batch(_Message):
    """Consecutive entries of one record."""

    record: Hash
    """The hash of the record's first entry."""
    first: Seq
    entries: Annotated[list[Row], Field(min_length=1, max_length=MOST_ENTRIES)]
    signature: Signature | None = None
    """By the publisher's key, of the last entry: see :mod:`controller.signing`."""

    @classmethod
    def of(cls, record: str, entries: Iterable[Entry], signature: str | None = None) -> "Batch":
        """The batch of consecutive entries."""
        listed = list(entries)
        return cls(record=record, first=listed[0].seq, entries=[entry[1:] for entry in listed], signature=signature)

    def journal_entries(self) -> list[Entry]:
        return [Entry(self.first + i, *row) for i, row in enumerate(self.entries)]


class Have(_Message):
    """How far the floor has a record. An empty message instead: it has nothing of the table."""

    record: Hash
    seq: Seq
    hash: Hash
    signature: Signature | None = None
    """The floor's receipt: see :mod:`controller.signing`."""


class Online(_Message):
    """Whether a publisher is connected, and whether its table runs."""

    online: bool
    running: bool = False
    version: Annotated[str, Field(max_length=80)] = ""


AnyMessage = TypeVar("AnyMessage", bound=_Message)


def read(kind: type[AnyMessage], payload: bytes) -> AnyMessage:
    """A message of this kind.

    Raises:
        WireError: it is none.
    """
    if len(payload) > LARGEST_BYTES:
        raise WireError(f"{len(payload)} bytes are more than a message has")
    try:
        return kind.model_validate_json(payload)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        place = ".".join(map(str, first["loc"]))
        raise WireError(f"{place}: {first['msg']}" if place else first["msg"]) from error


def write(message: _Message) -> bytes:
    return message.model_dump_json(exclude_none=True).encode()


def entries_topic(table: str) -> str:
    return f"tables/{table}/entries"


def online_topic(table: str) -> str:
    return f"tables/{table}/online"


def have_topic(table: str) -> str:
    return f"floor/{table}/have"


def table_of(topic: str) -> tuple[str, type[Batch] | type[Online]] | None:
    """The table that a topic belongs to, and the kind of its messages; None for another topic."""
    found = _TABLE.fullmatch(topic)
    return (found[1], Batch if found[2] == "entries" else Online) if found else None
