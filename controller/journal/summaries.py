"""The record by round: a summary of each, and whether the hash chain of its entries is valid."""

from collections.abc import Iterator
from datetime import datetime
from typing import Literal, NotRequired, Protocol, TypedDict

from controller.events.effect import Alert, Effect, Result, Void, withdraws
from controller.events.record import Record
from controller.events.words import NO_WORDS, Words
from controller.journal.chain import GENESIS, Entry, verify
from controller.journal.record import of_entry
from controller.journal.text import entry_line

OutcomeFilter = Literal["all", "result", "void"]
MOST = 200
"""The most rounds in one document."""
_LOOKED_AT = 1000
"""The most rounds that are searched for one document; further ones need another request."""


class ByRound(Protocol):
    """A journal, or one that is read elsewhere."""

    def entries(self, after: int = 0, round_: int | None = None) -> Iterator[Entry]:
        """Entries in order, after a sequence number: of all rounds, or of one."""

    def entry(self, seq: int) -> Entry | None:
        """The entry of this number."""

    def last_round(self) -> int:
        """The round of the last entry; -1 for an empty journal."""


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


def round_summaries(journal: ByRound, before: int | None, limit: int, outcome: OutcomeFilter) -> RoundLines:
    """The last rounds before a number, the newest first.

    Args:
        before: None for the newest.
        limit: the most rounds, 1 to 200.
        outcome: only rounds with a result, or only those with a void spin or roll.

    Raises:
        JournalDamagedError: an entry cannot be read.
    """
    number = journal.last_round() if before is None else min(before - 1, journal.last_round())
    lowest = max(-1, number - _LOOKED_AT)
    found: list[RoundLine] = []
    problem, through = "", 0
    while number > lowest and len(found) <= limit:
        read = _read(journal, number)
        if read:
            entries = [entry for entry, _ in read]
            problem = chain_verdict(journal, entries) or problem
            through = max(through, entries[-1].seq)
            found += [one for one in [_summary(number, read)] if _selected(one, outcome)]
        number -= 1
    more = len(found) > limit
    return {
        "rounds": found[:limit],
        "more": more or number >= 0,
        "next": found[limit - 1]["round"] if more else number + 1,
        "verified": {"through": through, "problem": problem},
    }


def round_summary(journal: ByRound, number: int, words: Words = NO_WORDS) -> WholeRound | None:
    """Every entry of a round as text; None if there is no such round.

    Args:
        words: sentences for its codes.
    """
    read = _read(journal, number)
    if not read:
        return None
    problem = chain_verdict(journal, [entry for entry, _ in read])
    lines: list[RecordLine] = []
    for entry, record in read:
        lines.append({"seq": entry.seq, "utc_ms": _ms(entry), "words": entry_line(entry, record, words)})
    return {"round": number, "lines": lines, "verified": not problem, "problem": problem}


def _read(journal: ByRound, number: int) -> list[tuple[Entry, Record]]:
    """The entries of a round with their records."""
    return [(entry, of_entry(entry)) for entry in journal.entries(round_=number)]


def chain_verdict(journal: ByRound, entries: list[Entry]) -> str:
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


def _summary(number: int, read: list[tuple[Entry, Record]]) -> RoundLine:
    entries, decisions = [entry for entry, _ in read], [record.effects for _, record in read]
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
