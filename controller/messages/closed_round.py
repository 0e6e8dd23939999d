"""The message of a round, made from its summary: all that it says of the round is in the round's entries."""

from typing import NamedTuple

from controller.journal.chain import GENESIS, Entry
from controller.messages.models import AlertMessage, RecordedEntry, RoundClosed, SpinResult
from controller.round_summary.summary import RoundAlert, RoundSummary


class RoundOpening(NamedTuple):
    """The entry that opened a round, and the hash of the one before it."""

    entry: Entry
    before: str


class Whose(NamedTuple):
    """A table, and the hash of its record's first entry."""

    table: str
    record: str


def alert_message(whose: Whose, alert: RoundAlert) -> AlertMessage:
    """The message of an alert."""
    return AlertMessage(table=whose.table, record=whose.record, **alert._asdict())


def closed_round(
    whose: Whose, summary: RoundSummary, opening: RoundOpening | None, entries: list[RecordedEntry] | None
) -> RoundClosed:
    """The message of a round.

    Args:
        opening: None for what comes before the first round.
        entries: those that the message is to hold.

    Raises:
        ValueError: a value does not fit into a message, which no table's record has: pydantic's error.
    """
    first, previous = (opening.entry.seq + 1, opening.entry.hash) if opening is not None else (1, GENESIS)
    said = {name: getattr(summary, name) for name in _SAID}
    return RoundClosed(
        table=whose.table,
        record=whose.record,
        first=first,
        previous=previous,
        spins=[SpinResult(**stop._asdict()) for stop in summary.spins],
        alerts=[alert_message(whose, alert) for alert in summary.alerts],
        opening=RecordedEntry(**opening.entry._asdict()) if opening is not None else None,
        before=opening.before if opening is not None else None,
        entries=entries,
        **said,
    )


_SAID = (
    *("game", "seq", "hash", "number", "opened", "closed", "wheel", "dealer", "results", "voids", "returned"),
    *("corrections", "phases", "replaces"),
)
"""Fields that the message and the summary have alike."""
