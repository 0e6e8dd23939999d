"""The record by round: a summary of each, what its lines did, whether the hash chain of its entries is valid."""

from datetime import datetime
from itertools import groupby
from typing import Literal, NotRequired, TypedDict

from controller.events.effect import Alert, Effect, Result, Void, withdraws
from controller.events.words import NO_WORDS, Words
from controller.journal.chain import GENESIS, Entry, verify
from controller.journal.journal import Journal
from controller.journal.record import of_entry
from controller.journal.text import entry_line

OutcomeFilter = Literal["all", "result", "void"]
MOST = 200
"""The most rounds in one document."""
_LOOKED_AT = 5000
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
    entries: tuple[int, int]
    """The first and the last of its entries in the journal."""
    alerts: int


class Fit(TypedDict):
    """Whether the hash chain of the entries is valid."""

    through: int
    """The last entry that was verified."""
    problem: str
    """Empty for none."""


class RoundLines(TypedDict):
    """Rounds, the newest first."""

    rounds: list[RoundLine]
    more: bool
    """Whether there are older ones."""
    next: int
    """The parameter ``before`` that requests them."""
    verified: Fit


class RecordLine(TypedDict):
    """An entry as text."""

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


def round_summaries(journal: Journal, before: int | None, limit: int, outcome: OutcomeFilter) -> RoundLines:
    """The last rounds before a number, the newest first.

    Args:
        before: None for the newest.
        limit: the most rounds, 1 to 200.
        outcome: only rounds with a result, or only those with a void spin or roll.

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
        found += [summary for summary in reversed(block) if _selected(summary, outcome)]
        number = first - 1
    shown = found[:limit]
    older = shown[-1]["round"] if len(found) > limit else number + 1
    return {
        "rounds": shown,
        "more": number >= 0 or len(found) > limit,
        "next": older,
        "verified": {"through": through, "problem": problem},
    }


def round_summary(journal: Journal, number: int, words: Words = NO_WORDS) -> WholeRound | None:
    """Every entry of a round as text; None if there is no such round.

    Args:
        words: sentences for its codes.
    """
    entries = list(journal.entries(round_=number))
    if not entries:
        return None
    problem = chain_verdict(journal, entries)
    lines: list[RecordLine] = [
        {"seq": entry.seq, "utc_ms": _ms(entry), "words": entry_line(entry, of_entry(entry), words)}
        for entry in entries
    ]
    return {"round": number, "lines": lines, "verified": not problem, "problem": problem}


def chain_verdict(journal: Journal, entries: list[Entry]) -> str:
    """What is wrong with consecutive entries of the journal, or empty."""
    if not entries:
        return ""
    before = journal.entry(entries[0].seq - 1)
    seq, head = (before.seq, before.hash) if before is not None else (0, GENESIS)
    return verify(iter(entries), seq, head).problem


def _ms(entry: Entry) -> int:
    """Wall time in milliseconds since 1970."""
    return round(datetime.fromisoformat(entry.utc).timestamp() * 1000)


def _selected(summary: RoundLine, outcome: OutcomeFilter) -> bool:
    return outcome == "all" or bool(summary["label"] if outcome == "result" else summary["voids"])


def _last_result(decisions: list[tuple[Effect, ...]]) -> Result | None:
    """The last result, unless it was made void."""
    last: Result | None = None
    for effects in decisions:
        last = None if withdraws(effects) else last
        last = next((effect for effect in reversed(effects) if isinstance(effect, Result)), last)
    return last


def _summary(number: int, entries: list[Entry]) -> RoundLine:
    decisions = [of_entry(entry).effects for entry in entries]
    effects = [effect for made in decisions for effect in made]
    last = _last_result(decisions)
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
