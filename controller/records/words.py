"""Entries of the journal in plain words, a line each."""

from functools import singledispatch

from controller.facts import (
    BallRevolution,
    Fact,
    Identified,
    IdentityRefused,
    KeyStuck,
    MachineFailed,
    PanelFault,
    PowerRestored,
    Press,
    RevolutionCompleted,
    SensorHealth,
    TableStarted,
    TimerElapsed,
)
from controller.games.words import fault_words
from controller.records.chain import Entry
from controller.records.record import Record
from controller.words import plain, words_of


def entry_line(entry: Entry, record: Record) -> str:
    """An entry: number, wall time, and its record."""
    return f"{entry.seq:>7}  {entry.utc}  {record_line(record)}"


def record_line(record: Record) -> str:
    """A record: what happened, what was decided, and the state after it."""
    decided = "; ".join(filter(None, map(words_of, record.effects)))
    arrow = f" → {decided}" if decided else ""
    return f"{_fact_words(record.fact)}{arrow}  [{record.state}]"


def fact_words(fact: Fact) -> str:
    """What happened; never empty."""
    return _fact_words(fact)


# -- what only a reader of the journal wants to see ----------------------------------------------------------------


@singledispatch
def _fact_words(fact: Fact) -> str:
    """What happened; never empty."""
    return words_of(fact) or plain(fact.kind)


@_fact_words.register(TableStarted)
@_fact_words.register(PowerRestored)
def _started(fact: TableStarted | PowerRestored) -> str:
    software = f", software {_short(fact.software)}" if fact.software else ""
    told = f"{words_of(fact)} (version {fact.version}, configuration {_short(fact.configuration)}{software})"
    replaces = fact.replaces if isinstance(fact, TableStarted) else ""
    return f"{told} in the place of {replaces}" if replaces else told


def _short(digest: str) -> str:
    """The first twelve characters of a digest, after the word that may stand before it."""
    word, dash, hexadecimal = digest.rpartition("-")
    return f"{word}{dash}{hexadecimal[:12]}"


@_fact_words.register
def _press(fact: Press) -> str:
    return f"{fact.control} pressed" + (f" by {fact.by}" if fact.by else "")


@_fact_words.register
def _identified(fact: Identified) -> str:
    return f"floorperson {fact.number} identified"


@_fact_words.register
def _refused_identity(fact: IdentityRefused) -> str:
    if not fact.number:
        return "the floorperson's key turned too early"
    return f"floorperson {fact.number} not identified, {fact.failures} in a row"


@_fact_words.register
def _revolution(fact: RevolutionCompleted) -> str:
    return f"revolution {fact.number}"


@_fact_words.register
def _ball_revolution(fact: BallRevolution) -> str:
    way = {None: "", True: ", against the rotor", False: ", with the rotor"}[fact.against]
    return f"the ball's revolution {fact.number}{way}"


@_fact_words.register
def _timer(fact: TimerElapsed) -> str:
    return f"timer {fact.timer}"


@_fact_words.register
def _health(fact: SensorHealth) -> str:
    return f"{fact.sensor} {fact.health.value}" + (f": {fact.detail}" if fact.detail else "")


@_fact_words.register(PanelFault)
@_fact_words.register(KeyStuck)
@_fact_words.register(MachineFailed)
def _device(fact: PanelFault | KeyStuck | MachineFailed) -> str:
    return fault_words(fact)
