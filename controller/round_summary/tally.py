"""Reads a round's entries, one after the other, to its summary. Pure.

What carries over from the rounds before is in the checkpoint of the entry that opened the round: game, rules,
dealer, wheel. So a round's summary depends on that entry and on its own entries, and on nothing else.
"""

import json
from collections import Counter, deque
from collections.abc import Iterable

from controller.events.effect import Alert, ResultWithdrawn, RoundOpened, Void, WagersReturned
from controller.events.event import PowerRestored, Press, RulesChanged, TableStarted
from controller.events.record import Outcome, Record
from controller.events.text import remedy_of
from controller.events.words import Text, say
from controller.journal.chain import Entry
from controller.journal.errors import JournalDamagedError
from controller.journal.record import of_entry
from controller.limits.table_state import TableState, restored
from controller.round_summary.errors import SummaryError, UnreadableRoundError
from controller.round_summary.results import RoundResults
from controller.round_summary.summary import RoundAlert, RoundSummary
from controller.round_summary.terms import terms_under

_NS_PER_MS = 1_000_000
_WORD, _SENTENCE = 80, 1000
_MOST_LISTED, _MOST_RETURNED = 1000, 100
_MOST_ALERT_BYTES = 32 * 1024
"""Of the alerts that a summary lists, the latest: each has a message of its own, too."""


def opens(record: Record) -> int:
    """The number of the round that opens, so that the one before is over; 0 for none."""
    return next((effect.number for effect in record.effects if isinstance(effect, RoundOpened)), 0)


def word(text: str) -> str:
    """A text truncated to the length of a message's field."""
    return text[:_WORD]


def read(entry: Entry) -> Record:
    """The record in an entry.

    Raises:
        UnreadableRoundError: this software cannot read it.
    """
    try:
        return of_entry(entry)
    except JournalDamagedError as error:
        raise UnreadableRoundError(str(error)) from error


class RoundTally:
    """A round, so far.

    Args:
        game: the table's game.
        opening: the entry that opened the round; None for what comes before the first.

    Raises:
        SummaryError: ``opening`` opens no round, or is of another game.
        UnreadableRoundError: this software cannot read it.
    """

    def __init__(self, game: str, opening: Entry | None) -> None:
        self._game = game
        self._state, self._opened = "", ""
        self._at_ns: int | None = None
        self.table_state = TableState()
        if opening is not None:
            record = read(opening)
            if not opens(record):
                raise SummaryError(f"entry {opening.seq} opens no round")
            if game_in(opening) != game:
                raise SummaryError(f"entry {opening.seq} opens a round of another game")
            self._state, self._at_ns, self._opened = record.state, opening.at_ns, opening.utc
            self.table_state = _table_state_in(opening)
        self._terms = terms_under(game, self.table_state)
        self._results = RoundResults(self._state)
        self._phases: Counter[str] = Counter()
        self._voids: deque[str] = deque(maxlen=_MOST_LISTED)
        self._returned: deque[str] = deque(maxlen=_MOST_RETURNED)
        self._alerts: deque[RoundAlert] = deque(maxlen=_MOST_LISTED)
        self._corrections, self._replaces, self._number = 0, "", -1

    def take(self, entry: Entry, record: Record) -> list[RoundAlert]:
        """Take the next entry; returns its alerts.

        Raises:
            SummaryError: it does not belong to the round, or names what the game does not have.
            UnreadableRoundError: its game or rules are not known here.
        """
        if self._number >= 0:
            raise SummaryError(f"entry {entry.seq} follows the one that closes the round")
        event = record.event
        self._opened = self._opened or entry.utc
        state = self.table_state.take(event)
        if state is not self.table_state:
            self.table_state, self._terms = state, terms_under(self._game, state)
        if isinstance(event, TableStarted | PowerRestored | RulesChanged):
            self._at_ns = None  # The monotonic clocks of two starts are unrelated.
        if isinstance(event, TableStarted):
            self._replaces = event.replaces
        self._add_time(record.state, entry.at_ns)
        if isinstance(event, Press) and event.control == "correct" and record.outcome == Outcome.ACCEPTED.value:
            self._corrections += 1
        self._results.take(record, self._terms)
        alerts = self._effects(entry, record)
        if number := opens(record):
            self._number = number - 1
        return alerts

    def _add_time(self, state: str, at_ns: int) -> None:
        """Add the time spent in the state before."""
        if self._at_ns is not None and self._state:
            self._phases[self._state] += max(0, at_ns - self._at_ns)
        self._state, self._at_ns = state, at_ns

    def _effects(self, entry: Entry, record: Record) -> list[RoundAlert]:
        alerts, void = [], any(isinstance(effect, Void) for effect in record.effects)
        for part, effect in enumerate(record.effects):
            if isinstance(effect, ResultWithdrawn):
                self._corrections += not void
            elif isinstance(effect, Void):
                self._voids.append(word(effect.reason))
            elif isinstance(effect, WagersReturned):
                self._returned.append(word(effect.reason))
            elif isinstance(effect, Alert):
                words, in_words = self._terms.words, self._terms.in_words
                said, remedy = say(words, Text(effect.text, effect.parameters)), remedy_of(effect, words)
                texts = (in_words(said)[:_SENTENCE], in_words(remedy)[:_SENTENCE])
                alerts.append(RoundAlert(entry.seq, entry.hash, part, entry.utc, entry.round, *texts))
        self._alerts.extend(alerts)
        return alerts

    def closed(self, entry: Entry) -> RoundSummary:
        """The summary, once the last entry, which opens the next round, was taken.

        Raises:
            SummaryError: that entry opens none.
        """
        if self._number < 0:
            raise SummaryError(f"entry {entry.seq} does not close the round")
        return RoundSummary(
            game=self._game,
            seq=entry.seq,
            hash=entry.hash,
            number=self._number,
            opened=self._opened,
            closed=entry.utc,
            wheel=word(self.table_state.wheel),
            dealer=word(self.table_state.dealer),
            spins=self._results.stops(self._terms),
            results=[word(label) for label in self._results.labels()],
            voids=list(self._voids),
            returned=list(self._returned),
            corrections=self._corrections,
            phases={word(state): ns // _NS_PER_MS for state, ns in sorted(self._phases.items())},
            alerts=_latest(self._alerts),
            replaces=self._replaces[:_SENTENCE],
        )


def summarize(opening: Entry | None, entries: Iterable[Entry], game: str) -> RoundSummary:
    """The summary of a round.

    Args:
        opening: the entry that opened it; None for what comes before the first.
        entries: those after it, up to the one that opens the next round.

    Raises:
        SummaryError: these are not the entries of a round of this game.
        UnreadableRoundError: this software cannot read them.
    """
    tally, last = RoundTally(game, opening), None
    for entry in entries:
        tally.take(entry, read(entry))
        last = entry
    if last is None:
        raise SummaryError("it has no entries")
    if game_in(last) != game:
        raise SummaryError(f"entry {last.seq} opens a round of another game")
    return tally.closed(last)


def game_in(entry: Entry) -> str:
    """The game in the checkpoint of an entry that opens a round.

    Raises:
        SummaryError: it has none.
    """
    game = _checkpoint(entry).get("game")
    if not isinstance(game, str):
        raise SummaryError(f"the checkpoint of entry {entry.seq} names no game")
    return game


def _checkpoint(entry: Entry) -> dict[str, object]:
    try:
        kept = json.loads(entry.checkpoint or "")
    except (ValueError, RecursionError) as error:
        raise SummaryError(f"entry {entry.seq} has no checkpoint that can be read: {error}") from error
    if not isinstance(kept, dict):
        raise SummaryError(f"the checkpoint of entry {entry.seq} is none")
    return kept


def _table_state_in(entry: Entry) -> TableState:
    """The table's state in a checkpoint."""
    kept = _checkpoint(entry)
    try:
        return restored(kept.get("standing"))
    except (ValueError, RecursionError) as error:
        raise UnreadableRoundError(f"the checkpoint of entry {entry.seq} cannot be read: {error}") from error


def _latest(alerts: Iterable[RoundAlert]) -> list[RoundAlert]:
    """The latest alerts, as many as fit into a message beside the entries."""
    found: list[RoundAlert] = []
    size = 0
    for alert in reversed(list(alerts)):
        size += len(json.dumps([alert.text, alert.remedy])) + 400
        if size > _MOST_ALERT_BYTES:
            break
        found.append(alert)
    return found[::-1]
