"""Derives a round from its entries, and compares what its message says: nothing of a message is believed otherwise.

Pure. The code that derives is the publisher's own (:mod:`controller.round_summary`).
"""

from collections.abc import Iterable

from pydantic import ValidationError

from controller.floor.ingest.chain import in_parts
from controller.journal.chain import Entry
from controller.messages.closed_round import RoundOpening, Whose, closed_round
from controller.messages.models import RecordedEntry, RoundClosed
from controller.round_summary.errors import SummaryError, UnreadableRoundError
from controller.round_summary.tally import summarize

_LONGEST = 200
_STRIPPED = "it came without its entries"
_EARLIER = "the publisher at the table is of a version before 0.2.0; update it, and the round is requested again"


def lacking(message: RoundClosed) -> str:
    """What a round's message lacks to be derived, whatever else arrives, as text; empty for nothing."""
    if message.entries is None:
        return _STRIPPED
    if message.first > 1 and message.opening is None:
        return f"it came without the entry that opened it: {_EARLIER}"
    return ""


def difference(message: RoundClosed, entries: Iterable[RecordedEntry]) -> str:
    """Where a round's message says other than its entries, as text; empty if it is true.

    Args:
        message: :func:`lacking` finds nothing lacking.
        entries: all of the round, whose hashes are verified.

    Raises:
        UnreadableRoundError: this software cannot read the entries; the message gives the reason and the remedy.
    """
    opened = Entry(**message.opening.model_dump()) if message.opening is not None else None
    opening = RoundOpening(opened, message.before or "") if opened is not None else None
    try:
        summary = summarize(opened, (_entry(entry) for entry in entries), message.game)
        derived = closed_round(Whose(message.table, message.record), summary, opening, message.entries)
    except UnreadableRoundError as error:
        raise UnreadableRoundError(f"{error}; this floor must be of the table's version, or a later one") from error
    except ValidationError as error:
        return f"its entries make no round: {error.errors(include_url=False)[0]['msg']}"
    except SummaryError as error:
        return f"its entries are not those of a round: {error}"
    for name in RoundClosed.model_fields:
        said, is_so = getattr(message, name), getattr(derived, name)
        if said != is_so:
            return f"{name} is said to be {_short(said)}, and is {_short(is_so)} by its entries"
    return ""


def whole(message: RoundClosed) -> bool:
    """Whether a message has all that its round is derived from."""
    return not lacking(message) and not in_parts(message)


def _entry(entry: RecordedEntry) -> Entry:
    return Entry(
        entry.seq, entry.round, entry.at_ns, entry.utc, entry.kind, entry.body, entry.checkpoint, entry.hash
    )


def _short(value: object) -> str:
    text = repr(value)
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}…"
