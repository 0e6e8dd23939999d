"""Makes a stored round's messages anew from its entries: those of the table's publisher, under the house's name.

Pure. Nothing is said of a round that its entries do not say: the group's floor derives it as this one did.
"""

from collections.abc import Sequence
from typing import TypeAlias

from pydantic import ValidationError

from controller.journal.chain import Entry
from controller.messages.closed_round import RoundOpening, Whose, closed_round
from controller.messages.held_entries import HeldEntries
from controller.messages.models import RoundClosed, RoundPart
from controller.messages.topics import Topic
from controller.round_summary.errors import SummaryError, UnreadableRoundError
from controller.round_summary.tally import summarize

RoundMessage: TypeAlias = RoundPart | RoundClosed


class LostRoundError(ValueError):
    """A stored round cannot be relayed; the message says why."""


def round_messages(
    whose: Whose, game: str, first: int, opening: RoundOpening | None, entries: Sequence[Entry]
) -> list[tuple[Topic, RoundMessage]]:
    """The messages of a round, in order: parts before it, if it is too long for one.

    Args:
        first: its first entry.
        opening: the entry that opened it; None for the record's beginning, or where it is not stored.
        entries: all of them; none where it was stored without.

    Raises:
        LostRoundError: its entries are not here, or this software cannot read them.
    """
    if not entries:
        raise LostRoundError("it was stored without its entries, by a floor before 0.2.0")
    if first > 1 and opening is None:
        raise LostRoundError("the entry that opened it is not stored")
    held = HeldEntries(whose, opening.entry if opening is not None else None)
    try:
        summary = summarize(opening.entry if opening is not None else None, entries, game)
        parts = [part for entry in entries if (part := held.add(entry)) is not None]
        message = closed_round(whose, summary, opening, held.rest())
    except (SummaryError, UnreadableRoundError, ValidationError) as error:
        raise LostRoundError(f"its entries cannot be read: {error}") from error
    return [*((Topic.PART, part) for part in parts), (Topic.ROUND, message)]
