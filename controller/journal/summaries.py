"""The record by round: a summary of each, and whether the hash chain of its entries is valid."""

from datetime import datetime
from typing import Literal, NotRequired, TypedDict

from controller.events.effect import Alert, Result, Void, withdraws
from controller.events.words import NO_WORDS, Words
from controller.journal.chain import GENESIS, Entry, verify
from controller.journal.errors import JournalDamagedError
from controller.journal.journal import Entries
from controller.journal.record import entry_line, of_entry

OutcomeFilter = Literal["all", "result", "void"]
PAGE = 50
"""Rounds in one document."""
_LOOKED_AT = 1000
"""The most rounds that are searched for one document; further ones need another request."""


class Paid(TypedDict):
    """A winning area and its odds."""

    area: str
    pays: str
    label: NotRequired[str]
    """The area in the game's words; whoever knows the game adds it."""


class RoundLine(TypedDict):
    """The summary of a round."""

    round: int
    utc_ms: int
    """When it began."""
    outcome: Literal["result", "void", "open"]
    """Of its last result, ``void`` if that was made void; ``open`` while there is none."""
    label: str
    """The last result; empty for none."""
    wins: list[Paid]
    voids: list[str]
    """Reasons."""
    alerts: int


class RoundLines(TypedDict):
    """Rounds, the newest first."""

    rounds: list[RoundLine]
    more: bool
    """Whether there are older ones."""
    next: int
    """The parameter ``before`` that requests them."""
    problem: str
    """Why the hash chain of their entries is not valid; empty if it is."""


class RecordLine(TypedDict):
    """An entry as text."""

    seq: int
    utc_ms: int
    words: str


class WholeRound(TypedDict):
    """Every entry of a round."""

    round: int
    lines: list[RecordLine]
    problem: str
    """Why the hash chain of the entries is not valid; empty if it is."""


def round_summaries(journal: Entries, before: int | None, outcome: OutcomeFilter) -> RoundLines:
    """The last rounds before a number, the newest first, :data:`PAGE` at most.

    Args:
        before: None for the newest.
        outcome: only rounds with a result, or only those with a void spin or roll.

    Raises:
        JournalDamagedError: an entry cannot be read.
    """
    number = journal.last_round() if before is None else min(before - 1, journal.last_round())
    lowest = max(-1, number - _LOOKED_AT)
    found: list[RoundLine] = []
    problem = ""
    while number > lowest and len(found) <= PAGE:
        if entries := list(journal.entries(round_=number)):
            problem = _chain_problem(journal, entries) or problem
            summary = _summary(number, entries)
            if outcome == "all" or (summary["label"] if outcome == "result" else summary["voids"]):
                found.append(summary)
        number -= 1
    more = len(found) > PAGE
    following = found[PAGE - 1]["round"] if more else number + 1
    return {"rounds": found[:PAGE], "more": more or number >= 0, "next": following, "problem": problem}


def round_summary(journal: Entries, number: int, words: Words = NO_WORDS) -> WholeRound | None:
    """Every entry of a round as text; None if there is no such round.

    Args:
        words: sentences for its codes.
    """
    entries = list(journal.entries(round_=number))
    if not entries:
        return None
    lines: list[RecordLine] = [
        {"seq": entry.seq, "utc_ms": _ms(entry), "words": entry_line(entry, of_entry(entry), words)}
        for entry in entries
    ]
    return {"round": number, "lines": lines, "problem": _chain_problem(journal, entries)}


def _chain_problem(journal: Entries, entries: list[Entry]) -> str:
    """What is wrong with consecutive entries of the journal, or empty."""
    before = journal.entry(entries[0].seq - 1)
    return verify(iter(entries), *((before.seq, before.hash) if before is not None else (0, GENESIS))).problem


def _ms(entry: Entry) -> int:
    """Wall time in milliseconds since 1970.

    Raises:
        JournalDamagedError: it is none.
    """
    try:
        return round(datetime.fromisoformat(entry.utc).timestamp() * 1000)
    except (ValueError, OverflowError) as error:
        raise JournalDamagedError(f"entry {entry.seq} is damaged: {entry.utc!r} is no time") from error


def _summary(number: int, entries: list[Entry]) -> RoundLine:
    last: Result | None = None
    voids: list[str] = []
    alerts = 0
    for entry in entries:
        effects = of_entry(entry).effects
        last = None if withdraws(effects) else last
        last = next((effect for effect in reversed(effects) if isinstance(effect, Result)), last)
        voids += [effect.reason for effect in effects if isinstance(effect, Void)]
        alerts += sum(isinstance(effect, Alert) for effect in effects)
    return {
        "round": number,
        "utc_ms": _ms(entries[0]),
        "outcome": "result" if last else "void" if voids else "open",
        "label": last.label if last else "",
        "wins": [{"area": win.area, "pays": win.pays} for win in last.wins] if last else [],
        "voids": voids,
        "alerts": alerts,
    }
