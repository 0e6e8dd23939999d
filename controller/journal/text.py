"""Entries of the journal in plain words, a line each."""

from functools import singledispatch

from controller.events.event import (
    BallRevolution,
    Event,
    Identified,
    IdentityRefused,
    KeyStuck,
    MachineFailed,
    PanelFault,
    PowerRestored,
    Press,
    RevolutionCompleted,
    RulesChanged,
    SensorHealth,
    TableStarted,
    TimerElapsed,
)
from controller.events.record import Record
from controller.events.text import plain, text_of
from controller.journal.chain import Entry
from controller.statechart.device_text import fault_text


def entry_line(entry: Entry, record: Record) -> str:
    """An entry: number, wall time, and its record."""
    return f"{entry.seq:>7}  {entry.utc}  {record_line(record)}"


def record_line(record: Record) -> str:
    """A record: what happened, what was decided, and the state after it."""
    decided = "; ".join(filter(None, map(text_of, record.effects)))
    arrow = f" → {decided}" if decided else ""
    return f"{_event_words(record.event)}{arrow}  [{record.state}]"


def event_words(event: Event) -> str:
    """What happened; never empty."""
    return _event_words(event)


# -- what only a reader of the journal wants to see ----------------------------------------------------------------


@singledispatch
def _event_words(event: Event) -> str:
    """What happened; never empty."""
    return text_of(event) or plain(event.kind)


@_event_words.register(TableStarted)
@_event_words.register(PowerRestored)
def _started(event: TableStarted | PowerRestored) -> str:
    software = f", software {short_digest(event.software)}" if event.software else ""
    told = (
        f"{text_of(event)} (version {event.version}, configuration {short_digest(event.configuration)}{software})"
    )
    replaces = event.replaces if isinstance(event, TableStarted) else ""
    return f"{told} in the place of {replaces}" if replaces else told


@_event_words.register
def _changed(event: RulesChanged) -> str:
    software = f", software {short_digest(event.software)}" if event.software else ""
    return f"{text_of(event)} than version {event.version}{software}: {event.detail}"


def short_digest(digest: str) -> str:
    """The first twelve characters of a digest, after the word that may stand before it."""
    word, dash, hexadecimal = digest.rpartition("-")
    return f"{word}{dash}{hexadecimal[:12]}"


@_event_words.register
def _press(event: Press) -> str:
    return f"{event.control} pressed" + (f" by {event.by}" if event.by else "")


@_event_words.register
def _identified(event: Identified) -> str:
    return f"floorperson {event.number} identified"


@_event_words.register
def _refused_identity(event: IdentityRefused) -> str:
    if not event.number:
        return "the floorperson's key turned too early"
    return f"floorperson {event.number} not identified, {event.failures} in a row"


@_event_words.register
def _revolution(event: RevolutionCompleted) -> str:
    return f"revolution {event.number}"


@_event_words.register
def _ball_revolution(event: BallRevolution) -> str:
    way = {None: "", True: ", against the rotor", False: ", with the rotor"}[event.against]
    return f"the ball's revolution {event.number}{way}"


@_event_words.register
def _timer(event: TimerElapsed) -> str:
    return f"timer {event.timer}"


@_event_words.register
def _health(event: SensorHealth) -> str:
    return f"{event.sensor} {event.health.value}" + (f": {event.detail}" if event.detail else "")


@_event_words.register(PanelFault)
@_event_words.register(KeyStuck)
@_event_words.register(MachineFailed)
def _device(event: PanelFault | KeyStuck | MachineFailed) -> str:
    return fault_text(event)
