"""A proposal that waits at the table, its outcome, and what the sign needs of its table."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from enum import Enum
from typing import Protocol

from controller.events.event import Event
from controller.limits.amounts import NS_PER_S, Proposal, spoken, time_of_day
from controller.limits.house_rules import odds_text
from controller.limits.notice import Notice
from controller.limits.round_progress import RoundProgress
from controller.limits.table_state import TableState

PATIENCE_S = 60
"""A proposal that is not confirmed within this time expires."""
FILE_PATIENCE_S = 600
"""The same of what the table's file says: people may come to a table a while after its start."""


class ProposalOutcome(Enum):
    """The outcome of a proposal."""

    WAITING = "waiting"
    CONFIRMED = "confirmed"
    DROPPED = "dropped"
    EXPIRED = "expired"
    REFUSED = "refused"


@dataclass(slots=True)
class Proposed:
    """A proposal and its outcome."""

    proposal: Proposal
    at_ns: int
    outcome: ProposalOutcome = ProposalOutcome.WAITING
    words: str = ""

    @property
    def patience_ns(self) -> int:
        """How long it waits for the key."""
        return (FILE_PATIENCE_S if self.proposal.from_file else PATIENCE_S) * NS_PER_S


class TableRecord(Protocol):
    """The recorder of the sign's table (:class:`controller.runtime.recorder.Recorder`)."""

    game: str
    table_state: TableState
    round_progress: RoundProgress
    halted: str
    state_listeners: list[Callable[[], None]]
    with_round: list[Callable[[], list[Event]]]

    @property
    def is_closed(self) -> bool: ...

    @property
    def round(self) -> int: ...

    def take(self, events: Iterable[Event]) -> None: ...


def confirmed_text(proposal: Proposal, currency: str, notice: Notice | None) -> str:
    """What people read once a proposal is confirmed.

    Args:
        currency: that is in effect.
        notice: of what was announced; None if nothing is.
    """
    if proposal.odds is not None:
        return f"from the next round on {odds_text(proposal.odds)}"
    if proposal.rules is not None:
        return "these rules count from the next round on"
    if proposal.amounts is None:
        return "the announcement is withdrawn; the limits stay as they are"
    words = spoken(proposal.amounts, proposal.currency or currency)
    if notice is None:
        return f"{words}, in effect now"
    return f"{words}, announced, in effect from {time_of_day(notice.pending.from_utc_ns)}"
