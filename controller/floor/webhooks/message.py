"""The message that tells a receiver what has happened to alerts."""

from collections.abc import Sequence
from hashlib import sha256

from controller.floor.store.webhook_events import PendingEvent
from controller.messages.webhook_models import AlertEvent, ReportedAlert, WebhookMessage

MOST_TEXT = 4_000
"""Of an alert's text and remedy, in characters; what is longer is cut."""


def message_of(floor: str, events: Sequence[PendingEvent], utc: str) -> WebhookMessage:
    """The message."""
    reported = [
        AlertEvent(
            id=event_id(floor, one),
            event=one.event,  # type: ignore[arg-type]  # One of webhook_events.EVENTS, which a test compares.
            at=one.at,
            alert=_alert(one),
        )
        for one in events
    ]
    return WebhookMessage(floor=floor, sent=utc, events=reported)


def event_id(floor: str, event: PendingEvent) -> str:
    """The same each time that this event is told, and of no other event of any floor of another name."""
    return f"{floor}/{event.alert.id}/{event.event}"


def message_id(floor: str, events: Sequence[PendingEvent]) -> str:
    """The same for each attempt with the same events."""
    return "msg_" + sha256("\n".join(event_id(floor, one) for one in events).encode()).hexdigest()[:32]


def _alert(event: PendingEvent) -> ReportedAlert:
    row = event.alert
    return ReportedAlert(
        number=row.id,
        table=row.table,
        kind=row.kind,
        round=row.round,
        text=row.text[:MOST_TEXT],
        remedy=row.remedy[:MOST_TEXT],
        at=row.at,
        received=row.received,
        ended=row.ended,
    )
