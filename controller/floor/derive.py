"""What a record's entries say: rounds, spins, alerts, and the table as it is now. Pure; used by the store.

Entries are read by the games' own rules. What carries over from earlier rounds is in the checkpoint of the entry
that opened the round: game, rules, dealer, wheel. So a record is read on from the last round that opened.
"""

import json
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, NamedTuple

from controller.events.effect import (
    Alert,
    Bonus,
    Effect,
    Result,
    ResultWithdrawn,
    RoundOpened,
    Void,
    WagersReturned,
    makes_void,
    withdraws,
)
from controller.events.event import (
    BallLeftTrack,
    Direction,
    Limits,
    PowerRestored,
    Press,
    RulesChanged,
    TableStarted,
    WheelRested,
)
from controller.events.record import Outcome, Record
from controller.events.table_words import TABLE_WORDS
from controller.events.words import Text, Words, remedy_of, say
from controller.journal.chain import Entry
from controller.journal.errors import JournalDamagedError
from controller.journal.record import of_entry
from controller.journal.recovery import checkpoint_of_any
from controller.limits.table_state import TableState
from controller.machine.game import Game, in_words, words_of
from controller.machine.registry import UnknownGameError, find_game

Row = dict[str, Any]
TABLE = "table"
"""The kind of an alert that a table raised."""
NO_RESULT: Row = {"position": None, "label": ""}
NO_MEASURE: Row = dict.fromkeys(("loss_permille", "clockwise_mdeg", "counterclockwise_mdeg", "widest_mdeg"))
_BEGINS = (TableStarted, PowerRestored, RulesChanged)
"""Events after which the monotonic clock may be another one."""
_WORD, _SENTENCE = 80, 1000
_MOST_LISTED = 1000
_MOST_MS = 600_000
"""The longest that a round, or a state of it, counts as play."""
CLOSED = "closed"
"""The state of a table that is not played on, in every game that has one."""
_NS_PER_MS = 1_000_000


class Terms(NamedTuple):
    """What a round is read under: its game, and the rules in effect."""

    game: Game
    order: tuple[str, ...]
    """The wheel's sections or pockets, clockwise; empty for a game without a wheel, and if they are not known."""
    words: Words
    in_words: Callable[[str], str]
    """Replaces names of the record in a sentence by the game's words."""


@lru_cache(256)
def _terms(name: str, rules_json: str) -> Terms:
    rules: Mapping[str, object] | None = json.loads(rules_json) if rules_json else None
    try:
        game = find_game(name)
        pockets = tuple(game.pockets(rules)) if game.pockets is not None and rules is not None else ()
        return Terms(game, game.wheel or pockets, words_of(game), in_words(game, rules))
    except UnknownGameError as error:
        raise JournalDamagedError(f"the game '{name[:40]}' is not installed here: {error}") from error
    except (KeyError, ValueError, TypeError, AttributeError) as error:
        raise JournalDamagedError(f"the game '{name[:40]}' has no such rules: {error}") from error


def terms_under(game: str, state: TableState) -> Terms:
    """The terms of a game under the rules of a table.

    Raises:
        JournalDamagedError: the game is not installed here, or has no such rules.
    """
    rules = state.house.rules if state.house is not None else None
    return _terms(game, json.dumps(rules, sort_keys=True) if rules is not None else "")


def word(text: str, most: int = _WORD) -> str:
    """A text as a column takes it: PostgreSQL stores no NUL."""
    return text[:most].replace("\0", "\N{REPLACEMENT CHARACTER}")


def alert(table: str, kind: str, key: str, at: str, text: str, remedy: str, round_: int = 0, code: str = "") -> Row:
    """A row of ``alerts`` that stands; ``code`` is the kind unless it is given."""
    about = {"table": table, "kind": kind, "key": key, "round": round_, "at": at, "code": code or kind}
    return {**about, "text": text, "remedy": remedy, "ended": None}


def _number_opened(effects: Iterable[Effect]) -> int:
    """The number of the round that a decision opens; 0 for none."""
    return next((effect.number for effect in effects if isinstance(effect, RoundOpened)), 0)


@dataclass(slots=True)
class _Round:
    """A round, while its entries are read. ``number`` is 0 for what comes before the first."""

    number: int
    first: int
    opened: str
    state: str
    at_ns: int | None
    result_stands: bool = False
    labels: list[str] = field(default_factory=list)
    spins: list[Row] = field(default_factory=list)
    rotor: Direction | None = None
    voids: list[str] = field(default_factory=list)
    returned: list[str] = field(default_factory=list)
    corrections: int = 0
    phases: Counter[str] = field(default_factory=Counter)
    alerts: list[Row] = field(default_factory=list)


@dataclass(slots=True)
class Found:
    """What was derived since the last call of :meth:`Reader.found`.

    Attributes:
        closed: when the last of the rounds closed; empty if none did. Alerts of the table from before have ended.
        replaces: the damaged journal that this record replaces, as its first entry says.
    """

    rounds: list[Row] = field(default_factory=list)
    spins: list[Row] = field(default_factory=list)
    alerts: list[Row] = field(default_factory=list)
    closed: str = ""
    replaces: str = ""


class Reader:
    """Reads one record, entry by entry.

    Args:
        opening: the entry that opened the present round; None to begin with the record's first entry.

    Raises:
        JournalDamagedError: this software cannot read ``opening``.

    Attributes:
        opening: the number of the entry that opened the present round; None before the first.
        version: of the table's software, at its last start; empty if no start was read.
    """

    def __init__(self, table: str, record_id: int, opening: Entry | None = None) -> None:
        self._table, self._id = table, record_id
        self._game = ""
        self._standing = TableState()
        self._terms: Terms | None = None
        self._round = _Round(0, 1, "", "", None)
        self._found = Found()
        self._last_utc = ""
        self.opening: int | None = None
        self.version = ""
        if opening is not None:
            record = of_entry(opening)
            self._game, kept = checkpoint_of_any(opening)
            self._standing = kept.table_state
            self._terms = terms_under(self._game, self._standing)
            self._open(opening, record, _number_opened(record.effects))

    def take(self, entry: Entry) -> None:
        """Read the next entry.

        Raises:
            JournalDamagedError: this software cannot read it; the reader is of no further use.
        """
        record = of_entry(entry)
        event, round_ = record.event, self._round
        if not self._game:
            self._game, kept = checkpoint_of_any(entry)
            self._standing = kept.table_state
        state = self._standing.take(event)
        if self._terms is None or state is not self._standing:
            self._standing, self._terms = state, terms_under(self._game, state)
        if isinstance(event, TableStarted | PowerRestored):
            self.version = word(event.version)
        if isinstance(event, TableStarted):
            self._found.replaces = word("; ".join(say(TABLE_WORDS, one) for one in event.replaces), _SENTENCE)
        round_.opened = round_.opened or entry.utc
        if round_.at_ns is not None and round_.state and not isinstance(event, _BEGINS):
            round_.phases[word(round_.state)] += max(0, entry.at_ns - round_.at_ns)
        round_.at_ns = entry.at_ns
        self._results(entry, record)
        self._effects(entry, record)
        round_.state, self._last_utc = record.state, entry.utc
        if number := _number_opened(record.effects):
            self._close(entry)
            if checkpoint_of_any(entry)[0] != self._game:
                raise JournalDamagedError(f"entry {entry.seq} opens a round of another game")
            self._open(entry, record, number)

    def found(self) -> Found:
        """What was derived since the last call."""
        found, self._found = self._found, Found()
        found.alerts += self._round.alerts
        self._round.alerts = []
        return found

    def table_now(self) -> Row:
        """The table after the last entry, as a row of ``tables`` has it."""
        state, round_, limits = self._standing, self._round, self._standing.limits or Limits("", "")
        now: Row = {"game": word(self._game), "state": word(round_.state), "round": round_.number}
        now |= {
            "entry_utc": self._last_utc or round_.opened,
            "dealer": word(state.dealer),
            "wheel": word(state.wheel),
        }
        minimum, maximum = word(limits.minimum, 24), word(limits.maximum, 24)
        return now | {"currency": word(limits.currency, 8), "minimum": minimum, "maximum": maximum}

    # -- the round -----------------------------------------------------------------------------------------

    def _open(self, entry: Entry, record: Record, number: int) -> None:
        if not self._round.number < number < 1 << 62:
            raise JournalDamagedError(f"entry {entry.seq} opens round {number} after round {self._round.number}")
        self._round = _Round(number, entry.seq + 1, entry.utc, record.state, entry.at_ns)
        self.opening = entry.seq

    def _results(self, entry: Entry, record: Record) -> None:
        """Results and spins: what is made void or corrected is none."""
        assert self._terms is not None
        game, round_, event = self._terms.game, self._round, record.event
        if isinstance(event, BallLeftTrack):
            round_.rotor = event.rotor
        if game.wheel and withdraws(record.effects):
            self._spin_is_void()
        self._end_result(record, game.result_states)
        for effect in record.effects:
            if isinstance(effect, ResultWithdrawn):
                round_.result_stands = False
                if game.listed(Result(effect.label, ())):
                    self._withdraw(corrected=True)
            elif isinstance(effect, Result):
                round_.result_stands = True
                if label := game.listed(effect):
                    round_.labels.append(word(label))
                    if game.pockets is not None and label in self._terms.order:
                        self._add_spin(entry, self._terms.order.index(label), round_.rotor)
        if isinstance(event, WheelRested):
            counts, measure = any(isinstance(effect, Result | Bonus) for effect in record.effects), event.measure
            if counts or measure is not None or any(isinstance(one, Void) for one in record.effects):
                row = NO_MEASURE if measure is None else {name: getattr(measure, name) for name in NO_MEASURE}
                self._add_spin(entry, event.section if counts else None, event.direction, row)
        elif isinstance(event, BallLeftTrack) and any(isinstance(effect, Void) for effect in record.effects):
            self._add_spin(entry, None, event.rotor)

    def _end_result(self, record: Record, states: frozenset[str] | None) -> None:
        """A result ends with the states in which it stands."""
        round_ = self._round
        if states is None or (record.state in states and not makes_void(record.effects)):
            return
        if round_.result_stands and any(isinstance(effect, Void) for effect in record.effects):
            self._withdraw(corrected=False)
        round_.result_stands = False

    def _withdraw(self, corrected: bool) -> None:
        """The last result is none. A number that is corrected was no spin of its own."""
        assert self._terms is not None
        label = self._round.labels.pop() if self._round.labels else None
        spins = self._round.spins
        if self._terms.game.pockets is not None and spins and label is not None and spins[-1]["label"] == label:
            if corrected:
                spins.pop()
            else:
                self._spin_is_void()

    def _spin_is_void(self) -> None:
        last = next((spin for spin in reversed(self._round.spins) if spin["position"] is not None), None)
        if last is not None:
            last.update(NO_RESULT)

    def _add_spin(
        self, entry: Entry, position: int | None, direction: Direction | None, measure: Row = NO_MEASURE
    ) -> None:
        assert self._terms is not None
        order, state = self._terms.order, self._standing
        if position is not None and not 0 <= position < len(order):
            raise JournalDamagedError(f"entry {entry.seq}: there is no section {position} of {len(order)}")
        here: Row = {"record_id": self._id, "seq": entry.seq, "round": self._round.number, "table": self._table}
        here |= {"wheel": word(state.wheel) or self._table, "utc": entry.utc, "dealer": word(state.dealer)}
        label = word(order[position]) if position is not None else ""
        turned = direction.value if direction is not None else ""
        found = {"sections": len(order), "position": position, "label": label, "direction": turned}
        self._round.spins.append(here | found | measure)

    def _effects(self, entry: Entry, record: Record) -> None:
        assert self._terms is not None
        round_, words = self._round, self._terms.words
        if isinstance(record.event, Press) and record.event.control == "correct":
            round_.corrections += record.outcome == Outcome.ACCEPTED.value
        void = any(isinstance(effect, Void) for effect in record.effects)
        for part, effect in enumerate(record.effects):
            if isinstance(effect, ResultWithdrawn):
                round_.corrections += not void
            elif isinstance(effect, Void) and len(round_.voids) < _MOST_LISTED:
                round_.voids.append(word(effect.reason))
            elif isinstance(effect, WagersReturned) and len(round_.returned) < _MOST_LISTED:
                round_.returned.append(word(effect.reason))
            elif isinstance(effect, Alert):
                said = say(words, Text(effect.text, effect.parameters)), remedy_of(effect, words)
                text, remedy = (word(self._terms.in_words(one), _SENTENCE) for one in said)
                about = (self._table, TABLE, f"{self._id}:{entry.seq}:{part}", entry.utc)
                round_.alerts.append(alert(*about, text, remedy, entry.round, word(effect.text)))

    def _close(self, entry: Entry) -> None:
        round_, found = self._round, self._found
        row: Row = {"record_id": self._id, "number": round_.number, "table": self._table, "game": word(self._game)}
        row |= {"first": round_.first, "last": entry.seq, "opened": round_.opened, "closed": entry.utc}
        row |= {"wheel": word(self._standing.wheel), "dealer": word(self._standing.dealer)}
        row |= {"results": round_.labels[-_MOST_LISTED:], "voids": round_.voids, "returned": round_.returned}
        row["corrections"] = round_.corrections
        row["phases"] = {state: ns // _NS_PER_MS for state, ns in sorted(round_.phases.items())}
        found.rounds.append(row)
        found.spins += round_.spins
        found.alerts += [{**alert, "ended": entry.utc} for alert in round_.alerts]
        found.closed = entry.utc
        round_.alerts = []


Sum = tuple[str, str, str, str, str, str, str]
"""A key of ``sums``, in the order of its columns."""


def add_to_sums(sums: dict[Sum, list[int]], round_: Row, spins: Iterable[Row], sign: int = 1) -> None:
    """Add a round to sums of count and milliseconds; what came before the first round is none.

    Args:
        round_: as a row of ``rounds`` has it.
        spins: its spins, as rows of ``spins``.
        sign: -1 to take it out.
    """
    if not round_["number"]:
        return
    hour, table, game, dealer, wheel = (
        str(round_[name]) for name in ("closed", "table", "game", "dealer", "wheel")
    )
    play_ms = sum(ms for state, ms in round_["phases"].items() if state != CLOSED)
    counted = [("round", dealer, "", 1, min(play_ms, _MOST_MS))]
    counted += [("correction", dealer, "", round_["corrections"], 0)]
    counted += [("result", dealer, label, 1, 0) for label in round_["results"]]
    counted += [("void", dealer, reason, 1, 0) for reason in round_["voids"]]
    counted += [("throw", spin["dealer"], spin["direction"], 1, 0) for spin in spins]
    counted += [("phase", dealer, state, 1, min(ms, _MOST_MS)) for state, ms in round_["phases"].items()]
    for what, who, name, count, ms in counted:
        if count:
            total = sums.setdefault((what, hour[:13], table, game, who, wheel, name), [0, 0])
            total[0] += sign * count
            total[1] += sign * ms
