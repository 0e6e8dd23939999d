"""The record by round: what came of each, in a few words, and whether its entries fit one another."""

from datetime import datetime
from itertools import groupby
from typing import Literal

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


def round_summaries(journal: Journal, before: int | None, limit: int, outcome: Outcome) -> dict[str, object]:
    """The last rounds before a number, the newest first.

    Args:
        before: None for the newest.
        limit: how many at most, 1 to 200.
        outcome: only those that came to a result, or in which a spin or a roll was void.

    Raises:
        JournalDamagedError: an entry cannot be read.
    """
    number = journal.last_round() if before is None else min(before - 1, journal.last_round())
    found: list[dict[str, object]] = []
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


def round_summary(journal: Journal, number: int) -> dict[str, object] | None:
    """Every entry of a round in words; None if there is no such round."""
    entries = list(journal.entries(round_=number))
    if not entries:
        return None
    problem = chain_verdict(journal, entries)
    lines = [{"seq": entry.seq, "utc_ms": _ms(entry), "words": _words(entry)} for entry in entries]
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


def _wanted(summary: dict[str, object], outcome: Outcome) -> bool:
    return outcome == "all" or bool(summary["label"] if outcome == "result" else summary["voids"])


def _summary(number: int, entries: list[Entry]) -> dict[str, object]:
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
        "entries": [entries[0].seq, entries[-1].seq],
        "alerts": sum(isinstance(effect, Alert) for effect in effects),
    }
