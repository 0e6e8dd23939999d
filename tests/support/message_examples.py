"""An example or two of each message. The hashes of their entries are valid."""

import hashlib
from collections.abc import Mapping, Sequence

from controller.journal.chain import GENESIS, chain
from controller.messages.models import (
    AlertMessage,
    DeviceHealth,
    HealthMessage,
    HouseMessage,
    LimitsState,
    MessagePart,
    OnlineMessage,
    PendingLimits,
    RecordedEntry,
    ResendRequest,
    RoundClosed,
    RoundPart,
    SpinResult,
    StateMessage,
)

_TABLE = "big-six-1"
_BEGUN = "2026-01-01T18:00:00.000Z"
_CLOSED = "2026-01-01T18:00:52.118Z"
_BODY = (
    '{"event":{"at_ns":0,"utc_ns":1767290400000000000,"version":"0.1.0","configuration":"'
    + "0" * 64
    + '","replaces":"","software":"","kind":"table-started"},"outcome":"accepted","state":"locating",'
    '"effects":[{"areas":[],"kind":"light"},{"number":1,"kind":"round-opened"}]}'
)
_CHECKPOINT = (
    '{"data":{"cause":"","confirm":false,"located":false,"multiplier":1,"resume":"bets-open","round":1,'
    '"section":null,"void":""},"game":"big-six","lit":[],"state":"locating"}'
)
_RECORD = chain(GENESIS, 1, 1, 0, _BEGUN, "table-started", _BODY, _CHECKPOINT)
_HEAD = hashlib.sha256(b"the last entry of the example").hexdigest()

_BEGINNING = RoundClosed(
    table=_TABLE,
    game="big-six",
    record=_RECORD,
    first=1,
    previous=GENESIS,
    seq=1,
    hash=_RECORD,
    number=0,
    opened=_BEGUN,
    closed=_BEGUN,
    entries=[
        RecordedEntry(
            seq=1,
            round=1,
            at_ns=0,
            utc=_BEGUN,
            kind="table-started",
            body=_BODY,
            checkpoint=_CHECKPOINT,
            hash=_RECORD,
        )
    ],
)
_ALERT = AlertMessage(
    table=_TABLE,
    record=_RECORD,
    seq=9,
    hash=hashlib.sha256(b"the ninth entry of the example").hexdigest(),
    part=1,
    at="2026-01-01T18:00:31.402Z",
    round=1,
    text="the clapper did not strike a peg that the wheel passed",
    remedy="look at the clapper and its wire, then turn the key",
)
_ROUND = RoundClosed(
    table=_TABLE,
    game="big-six",
    record=_RECORD,
    first=2,
    previous=_RECORD,
    seq=21,
    hash=_HEAD,
    number=1,
    opened=_BEGUN,
    closed=_CLOSED,
    wheel="B6-0417",
    dealer="2204",
    spins=[SpinResult(position=17, of=54, label="$5", direction="clockwise")],
    results=["$5"],
    voids=["the clapper disagrees"],
    phases={"bets-open": 21_000, "spinning": 19_418, "result": 11_700},
    alerts=[_ALERT],
)
_PART = RoundPart(
    table=_TABLE,
    record=_RECORD,
    first=1,
    previous=GENESIS,
    seq=1,
    hash=_RECORD,
    entries=_BEGINNING.entries or [],
)
_STATE = StateMessage(
    table=_TABLE,
    at=_CLOSED,
    game="big-six",
    state="bets-open",
    round=2,
    record=_RECORD,
    seq=21,
    hash=_HEAD,
    handed_over=21,
    length=21,
    dealer="2204",
    wheel="B6-0417",
    limits=LimitsState(
        minimum="5",
        maximum="500",
        payout="50000",
        pending=PendingLimits(minimum="10", maximum="500", payout="50000", effective="2026-01-01T18:45:00.000Z"),
    ),
)
_HEALTH = HealthMessage(
    table=_TABLE,
    at=_CLOSED,
    devices=[
        DeviceHealth(device="encoder", state="ok"),
        DeviceHealth(device="clapper", state="silent", detail="no strike in the last turn"),
    ],
)

EXAMPLES: Mapping[type[MessagePart], Sequence[MessagePart]] = {
    OnlineMessage: [
        OnlineMessage(table=_TABLE, online=True, running=True, software="0.1.0"),
        OnlineMessage(table=_TABLE, online=False, running=False, software="0.1.0"),
    ],
    StateMessage: [_STATE],
    RoundPart: [_PART],
    RoundClosed: [_BEGINNING, _ROUND],
    AlertMessage: [_ALERT],
    HealthMessage: [_HEALTH],
    HouseMessage: [
        HouseMessage(
            house="north",
            store=_HEAD[:32],
            online=True,
            at=_CLOSED,
            floor="main-floor",
            software="0.1.0",
            tables=42,
            waiting=3,
            oldest=_BEGUN,
        ),
        HouseMessage(house="north", store=_HEAD[:32], online=False, at=_BEGUN),
    ],
    ResendRequest: [ResendRequest(record=_RECORD, after=21)],
}
"""Examples by message."""
