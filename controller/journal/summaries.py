"""The record by round: what came of each, in a few words, and whether its entries fit one another."""

from datetime import datetime
from itertools import groupby
from typing import Literal, TypedDict

from controller.events.effect import Alert, Result, Void
from controller.journal.chain import GENESIS, Entry, verify
from controller.journal.journal import Journal
from controller.journal.record import of_entry
from controller.journal.text import entry_line

Outcome = Literal["all", "result", "void"]
MOST = 200
"""So many rounds at once."""
_LOOKED_AT = 5000
"""So many rounds are looked through for those that are wanted, before the reader is asked to go on."""


class Paid(TypedDict):
    """A winning area and its odds."""

    area: str
    pays: str


class RoundLine(TypedDict):
    """A round in a few words."""

    round: int
    utc_ms: int
    """When it began."""
    outcome: Literal["result", "void", "open"]
    """Of its last result; ``open`` while there is none."""
    label: str
    """The last result; empty for none."""
    wins: list[Paid]
    voids: list[str]
    """Reasons."""
    entries: tuple[int, int]
    """The first and the last of its entries in the journal."""
    alerts: int


class Fit(TypedDict):
    """Whether entries fit one another."""

    through: int
    """The last entry that was looked at."""
    problem: str
    """Empty for none."""


class RoundLines(TypedDict):
    """Rounds, the newest first."""

    rounds: list[RoundLine]
    more: bool
    """Older ones are on record."""
    next: int
    """What to ask for them with, as ``before``."""
    verified: Fit


class RecordLine(TypedDict):
    """An entry in words."""

    seq: int
    utc_ms: int
    words: str


class WholeRound(TypedDict):
    """Every entry of a round."""

    round: int
    lines: list[RecordLine]
    verified: bool
    problem: str
    """Why it is not verified."""


def round_summaries(journal: Journal, before: int | None, limit: int, outcome: Outcome) -> RoundLines:
    """The last rounds before a number, the newest first.

    Args:
        before: None for the newest.
        limit: how many at most, 1 to 200.
        outcome: only those that came to a result, or in which a spin or a roll was void.

    Raises:
        JournalDamagedError: an entry cannot be read.
    """
    number = journal.last_round() if before is None else min(before - 1, journal.last_round())
    found: list[RoundLine] = []
    lowest = max(-1, number - _LOOKED_AT)
    problem, through = "", 0
    while number > lowest and len(found) < limit:
        first = max(lowest + 1, number - limit + 1)
        entries = list(journal.entries(round_=first, until_round=number))
        problem = problem or chain_verdict(journal, entries)
        through = max(through, entries[-1].seq if entries else 0)
        block = [_summary(n, list(group)) for n, group in groupby(entries, lambda entry: entry.round)]
        found += [summary for summary in reversed(block) if _wanted(summary, outcome)]
        number = first - 1
    shown = found[:limit]
    older = shown[-1]["round"] if len(found) > limit else number + 1
    return {
        "rounds": shown,
        "more": number >= 0 or len(found) > limit,
        "next": older,
        "verified": {"through": through, "problem": problem},
    }


def round_summary(journal: Journal, number: int) -> WholeRound | None:
    """Every entry of a round in words; None if there is no such round."""
    entries = list(journal.entries(round_=number))
    if not entries:
        return None
    problem = chain_verdict(journal, entries)
    lines: list[RecordLine] = [
        {"seq": entry.seq, "utc_ms": _ms(entry), "words": _words(entry)} for entry in entries
    ]
    return {"round": number, "lines": lines, "verified": not problem, "problem": problem}


def chain_verdict(journal: Journal, entries: list[Entry]) -> str:
    """What is wrong with entries that follow one another in the journal, or empty."""
    if not entries:
        return ""
    before = journal.entry(entries[0].seq - 1)
    seq, head = (before.seq, before.hash) if before is not None else (0, GENESIS)
    return verify(iter(entries), seq, head).problem


def _ms(entry: Entry) -> int:
    """Wall time in milliseconds since 1970."""
    return round(datetime.fromisoformat(entry.utc).timestamp() * 1000)


def _words(entry: Entry) -> str:
    return entry_line(entry, of_entry(entry))


def _wanted(summary: RoundLine, outcome: Outcome) -> bool:
    return outcome == "all" or bool(summary["label"] if outcome == "result" else summary["voids"])


def _summary(number: int, entries: list[Entry]) -> RoundLine:
    effects = [effect for entry in entries for effect in of_entry(entry).effects]
    results = [effect for effect in effects if isinstance(effect, Result)]
    last = results[-1] if results else None
    voids = [effect.reason for effect in effects if isinstance(effect, Void)]
    return {
        "round": number,
        "utc_ms": _ms(entries[0]),
        "outcome": "result" if last else "void" if voids else "open",
        "label": last.label if last else "",
        "wins": [{"area": win.area, "pays": win.pays} for win in last.wins] if last else [],
        "voids": voids,
        "entries": (entries[0].seq, entries[-1].seq),
        "alerts": sum(isinstance(effect, Alert) for effect in effects),
    }
