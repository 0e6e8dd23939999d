"""The messages, field by field.

A message is a JSON object in UTF-8. Unknown fields are refused: a floor of an older version must not take half a
message for a whole one. Places in a table's record are a sequence number and a hash, as in the journal.
"""

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

from config.fields import HOUSE_PATTERN, NAME_PATTERN
from controller.messages.topics import house_itself

MOST_BYTES = 256 * 1024
"""No message is longer."""
MOST_LISTED = 1000
"""No list in a message is longer."""

Hash = Annotated[str, Field(pattern=r"^[0-9a-f]{64}$", description="SHA-256, hexadecimal")]
Utc = Annotated[
    str,
    Field(
        pattern=r"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\.[0-9]{3}Z$",
        description="wall time, ISO 8601, to the millisecond",
    ),
]
TableName = Annotated[str, Field(pattern=NAME_PATTERN, description="the table's name")]
TablePath = Annotated[
    str,
    Field(
        pattern=f"^({HOUSE_PATTERN[1:-1]}/)?{NAME_PATTERN[1:]}",
        description="the table's name; after that of its house and a slash where a house's floor relays it",
    ),
]
Word = Annotated[str, Field(max_length=80)]
Sentence = Annotated[str, Field(max_length=1000)]
Amount = Annotated[str, Field(pattern=r"^[0-9]{1,12}(\.[0-9]{1,4})?$", description="in the currency's unit")]
MaybeAmount = Annotated[str, Field(pattern=r"^([0-9]{1,12}(\.[0-9]{1,4})?)?$", description="empty: none")]
Seq = Annotated[int, Field(ge=1, lt=1 << 53, description="sequence number of an entry of the journal")]
Version = Annotated[int, Field(ge=1, le=1, description="of this format")]
"""A literal would take ``true``, too: it equals 1."""
RoundNumber = Annotated[
    int, Field(ge=0, lt=1 << 53, description="number of a round; 0 is what came before the first")
]


class MessagePart(BaseModel):
    """A part of a message."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)


class Message(MessagePart):
    """The fields of all messages of a table."""

    version: Version = 1
    table: TablePath


class OnlineMessage(Message):
    """Whether the table is online, and whether its process runs."""

    online: bool = Field(
        description="false in the last will, which the broker publishes when the connection is lost"
    )
    running: bool = Field(description="whether the table's own process holds the journal")
    software: Word = Field("", description="version")


class PendingLimits(MessagePart):
    """Limits that were announced and are not in effect yet (§ 521.8(c)(2))."""

    minimum: Amount
    maximum: Amount
    payout: MaybeAmount = ""
    effective: Utc


class LimitsState(MessagePart):
    """The limits on the table's sign (§ 521.7)."""

    minimum: Amount
    maximum: Amount
    payout: MaybeAmount = Field("", description="the most that is paid out in a round; empty: no limit")
    currency: Word = "$"
    pending: PendingLimits | None = None


class StateMessage(Message):
    """The state of a table."""

    at: Utc
    game: TableName
    state: Word = Field(description="the machine's state")
    round: RoundNumber
    record: Hash = Field(description="which record: the hash of its first entry")
    seq: Seq = Field(description="the last entry of the record")
    hash: Hash = Field(description="of the last entry")
    handed_over: Annotated[int, Field(ge=0, lt=1 << 53)] = Field(
        description="the last entry covered by a round's message that the broker has acknowledged"
    )
    length: Seq | None = Field(
        None, description="how many entries the journal has; absent from publishers before 0.2.0"
    )
    dealer: Word = ""
    wheel: Word = Field("", description="serial number of the wheel")
    limits: LimitsState | None = None


class DeviceHealth(MessagePart):
    """A sensor or a device."""

    device: Word
    state: Word = Field(description="ok, silent, stuck, noisy, lossy, open, degraded or gone")
    detail: Sentence = ""


class HealthMessage(Message):
    """The table's sensors and devices."""

    at: Utc
    devices: Annotated[list[DeviceHealth], Field(max_length=100)]


class AlertMessage(Message):
    """Something at the table needs attention."""

    record: Hash
    seq: Seq
    hash: Hash
    part: Annotated[int, Field(ge=0, le=1000)] = Field(
        description="its place among the effects of the entry, from 0"
    )
    at: Utc
    round: RoundNumber
    text: Sentence
    remedy: Sentence = ""


class SpinResult(MessagePart):
    """Where a wheel stopped in a spin that counts."""

    position: Annotated[int, Field(ge=0, lt=100)] = Field(
        description="index into the wheel's order, clockwise around the rim"
    )
    of: Annotated[int, Field(ge=2, le=100)] = Field(description="sections or pockets of the wheel")
    label: Word
    direction: Literal["clockwise", "counterclockwise", ""] = Field(description="of the wheel; empty: not known")


class RecordedEntry(MessagePart):
    """A complete entry of the journal: its recomputed hash must equal its hash."""

    seq: Seq
    round: RoundNumber
    at_ns: Annotated[int, Field(ge=-(1 << 63), lt=1 << 63)]
    utc: Word
    kind: Word
    body: str
    checkpoint: str | None
    hash: Hash


class RoundClosed(Message):
    """A round that is over, and the part of the record since the round's message before."""

    game: TableName
    record: Hash
    first: Seq = Field(description="the first entry that this message covers")
    previous: Hash = Field(description="the hash of the entry before it; zeros before the first")
    seq: Seq = Field(description="the last entry: it opens the next round")
    hash: Hash
    number: RoundNumber
    opened: Utc
    closed: Utc
    wheel: Word = Field("", description="serial number; empty: the wheel has none on record")
    dealer: Word = Field("", description="logged on when the round closed; empty: none")
    spins: Annotated[list[SpinResult], Field(max_length=MOST_LISTED)] = []
    results: Annotated[list[Word], Field(max_length=MOST_LISTED)] = []
    voids: Annotated[list[Word], Field(max_length=MOST_LISTED)] = Field(
        [], description="the reason of each void spin or roll"
    )
    returned: Annotated[list[Word], Field(max_length=100)] = Field(
        [], description="why wagers went back to the players"
    )
    corrections: Annotated[int, Field(ge=0, lt=1 << 31)] = Field(0, description="entries that were corrected")
    phases: dict[Word, Annotated[int, Field(ge=0, lt=1 << 53)]] = Field(
        {}, description="milliseconds in each state"
    )
    alerts: Annotated[list[AlertMessage], Field(max_length=MOST_LISTED)] = []
    replaces: Sentence = Field("", description="the damaged journal that this record replaces, as text")
    opening: RecordedEntry | None = Field(
        None, description="the entry before first, which opened the round; absent where first is 1"
    )
    before: Hash | None = Field(None, description="the hash of the entry before that; zeros if it is the first")
    entries: list[RecordedEntry] | None = Field(
        None,
        description="all entries from first to seq; of a round in parts those after the last part; absent where a "
        "single entry is too long for any message",
    )


class RoundPart(Message):
    """The first entries of a round, or further ones, where a message cannot hold them all.

    The message of the round follows once it is over, with the rest of them.
    """

    record: Hash
    first: Seq
    previous: Hash = Field(description="the hash of the entry before the first one here")
    seq: Seq = Field(description="the last entry here")
    hash: Hash
    entries: list[RecordedEntry]


class HouseMessage(MessagePart):
    """A house's floor of itself, to a group's floor: that it is there, and what it still has to relay."""

    version: Version = 1
    house: Annotated[str, Field(pattern=HOUSE_PATTERN, description="the house's name")]
    store: Annotated[
        str,
        Field(pattern=r"^[0-9a-f]{32}$", description="drawn once for the floor's store, hexadecimal"),
    ]
    online: bool = Field(
        description="false in the last will, which the broker publishes when the connection is lost"
    )
    at: Utc = Field(description="by the clock of the house's floor; in the last will, when it connected")
    floor: Word = Field("", description="what the house calls its floor")
    software: Word = Field("", description="version")
    tables: Annotated[int, Field(ge=0, lt=1 << 31)] = Field(0, description="how many tables it has")
    waiting: Annotated[int, Field(ge=0, lt=1 << 53)] = Field(0, description="rounds that are still to be relayed")
    oldest: Utc | None = Field(None, description="when the oldest of them closed")

    @property
    def table(self) -> str:
        """What the house itself is called among tables."""
        return house_itself(self.house)


class ResendRequest(MessagePart):
    """The floor's request to a table: resend the rounds of a record after an entry."""

    version: Version = 1
    record: Hash
    after: Annotated[int, Field(ge=0, lt=1 << 53)]


def write(message: MessagePart) -> bytes:
    """The bytes of a message."""
    return message.model_dump_json().encode()
