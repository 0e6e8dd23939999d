"""What a floor posts to the receivers of its webhooks. Its JSON Schema is made from these models (docs/floor/)."""

from typing import Annotated, Literal

from pydantic import Field

from controller.messages.models import MessagePart, RoundNumber, TableName, Utc, Version, Word

MOST_EVENTS = 100
"""No message has more."""

EventName = Literal["raised", "acknowledged", "escalated", "ended"]


class ReportedAlert(MessagePart):
    """An alert as the floor has it. Who acknowledged it, and why, is on the floor's pages alone."""

    number: Annotated[int, Field(ge=1, lt=1 << 53, description="of the alert on this floor: its page is /alerts/N")]
    table: Annotated[str, Field(max_length=80, description="the table's name")]
    kind: Word = Field(description="table, gap, fork, record, fairness, quota, false, unproven, wheel or software")
    round: RoundNumber
    text: str = Field(max_length=4000, description="what is wrong")
    remedy: str = Field(max_length=4000, description="what to do; empty: nothing is known")
    at: Utc
    received: Utc = Field(description="when the floor learned of it")
    ended: Utc | None = Field(description="when it ended; null while it is active")


class AlertEvent(MessagePart):
    """Something that happened to an alert."""

    id: Annotated[
        str,
        Field(max_length=120, description="the same each time this is told: drop what has come before"),
    ]
    event: EventName
    at: Utc
    alert: ReportedAlert


class WebhookMessage(MessagePart):
    """A message to a receiver."""

    version: Version = 1
    floor: TableName = Field(description="the floor's name")
    sent: Utc
    events: Annotated[list[AlertEvent], Field(min_length=1, max_length=MOST_EVENTS)]
