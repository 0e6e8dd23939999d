"""Entries of the journal as text, a line each."""

from collections.abc import Iterable
from functools import singledispatch

from controller.events.effect import Effect
from controller.events.event import (
    BallRevolution,
    ClockBattery,
    ClockChecked,
    Event,
    FloorKeyTurned,
    Identified,
    IdentityRefused,
    KeyStuck,
    MachineFailed,
    PanelFault,
    PowerRestored,
    Press,
    PromptClosed,
    PromptOpened,
    RevolutionCompleted,
    RulesChanged,
    SensorHealth,
    SupplyVoltage,
    TableStarted,
    TamperClosed,
    TamperOpened,
    TimerElapsed,
)
from controller.events.record import Record
from controller.events.tamper import Guarding, guarding_text
from controller.events.text import NO_WORDS, fault_text, plain, text_of
from controller.events.words import Words
from controller.journal.chain import Entry


def entry_line(entry: Entry, record: Record, words: Words = NO_WORDS) -> str:
    """An entry: its number, its wall time, and its record.

    Args:
        words: sentences for its codes.
    """
    return f"{entry.seq:>7}  {entry.utc}  {record_line(record, words)}"


def record_line(record: Record, words: Words = NO_WORDS) -> str:
    """A record: what happened, what was decided, and the state after it.

    Args:
        words: sentences for its codes.
    """
    decided = "; ".join(filter(None, (text_of(effect, words) for effect in record.effects)))
    arrow = f" → {decided}" if decided else ""
    return f"{event_words(record.event)}{arrow}  [{record.state}]"


def quoted(effects: Iterable[Effect]) -> str:
    """Effects in quotation marks, for a comparison; ``nothing`` if there are none."""
    words = "; ".join(text_of(effect) or plain(effect.kind) for effect in effects)
    return f"'{words}'" if words else "nothing"


def short_digest(digest: str) -> str:
    """A digest cut to twelve hexadecimal characters."""
    return digest[:12]


def _software(digest: str) -> str:
    return f", software {short_digest(digest)}" if digest else ""


# -- events that only the journal shows, or shows with more detail -------------------------------------------------


@singledispatch
def event_words(event: Event) -> str:
    """What happened; never empty."""
    return text_of(event) or plain(event.kind)


@event_words.register(TableStarted)
@event_words.register(PowerRestored)
def _started(event: TableStarted | PowerRestored) -> str:
    configuration, software = short_digest(event.configuration), _software(event.software)
    words = f"{text_of(event)} (version {event.version}, configuration {configuration}{software})"
    replaces = event.replaces if isinstance(event, TableStarted) else ""
    return f"{words} in the place of {replaces}" if replaces else words


@event_words.register
def _changed(event: RulesChanged) -> str:
    return f"{text_of(event)}: {event.detail}"


@event_words.register
def _press(event: Press) -> str:
    return f"{event.control} pressed" + (f" by {event.by}" if event.by else "")


@event_words.register
def _turned(event: FloorKeyTurned) -> str:
    return "the floorperson's key turned" + (f" by {event.by}" if event.by else "")


@event_words.register
def _identified(event: Identified) -> str:
    return f"floorperson {event.number} identified"


@event_words.register
def _refused_identity(event: IdentityRefused) -> str:
    who = "dealer" if event.log_on else "floorperson"
    if not event.number:
        return f"the {who}'s number and PIN keyed too early"
    return f"{who} {event.number} not identified, {event.failures} in a row"


@event_words.register
def _asked(event: PromptOpened) -> str:
    return f"number and PIN asked for: {plain(event.prompt)}"


@event_words.register
def _no_longer_asked(event: PromptClosed) -> str:
    return f"number and PIN no longer asked for, {event.how}: {plain(event.prompt)}"


@event_words.register
def _revolution(event: RevolutionCompleted) -> str:
    return f"revolution {event.number}"


@event_words.register
def _ball_revolution(event: BallRevolution) -> str:
    way = {None: "", True: ", against the rotor", False: ", with the rotor"}[event.against]
    return f"the ball's revolution {event.number}{way}"


@event_words.register
def _timer(event: TimerElapsed) -> str:
    return f"timer {event.timer}"


@event_words.register
def _health(event: SensorHealth) -> str:
    return f"{event.sensor} {event.health.value}" + (f": {event.detail}" if event.detail else "")


@event_words.register
def _clock(event: ClockChecked) -> str:
    if event.doubt:
        return "the clock is in doubt"
    moved_s = round(event.moved_ns / 1e9)
    return f"the clock was set: {abs(moved_s)} s {'earlier' if moved_s < 0 else 'later'} than the table had counted"


@event_words.register(TamperOpened)
@event_words.register(TamperClosed)
@event_words.register(SupplyVoltage)
@event_words.register(ClockBattery)
def _guarding(event: Guarding) -> str:
    return guarding_text(event)


@event_words.register(PanelFault)
@event_words.register(KeyStuck)
@event_words.register(MachineFailed)
def _device(event: PanelFault | KeyStuck | MachineFailed) -> str:
    return fault_text(event)
