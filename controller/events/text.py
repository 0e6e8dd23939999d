"""Texts of events and effects, for the journal and for the bench.

A new event or effect that people need to see gets a function here. Texts for readers of the journal alone are in
:mod:`controller.journal.text`.
"""

from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from functools import singledispatch
from types import MappingProxyType

from controller.events.effect import (
    Alert,
    Bonus,
    Effect,
    InspectionLogged,
    Light,
    Lock,
    Note,
    Refused,
    Result,
    ResultWithdrawn,
    RoundOpened,
    Void,
    WagersReturned,
)
from controller.events.event import (
    Act,
    BallLeftTrack,
    BallThrown,
    DealerLoggedOn,
    Event,
    KeyStuck,
    LimitsAnnounced,
    LimitsInEffect,
    LimitsNotice,
    LimitsWithdrawn,
    MachineFailed,
    OddsConfirmed,
    OddsInEffect,
    PanelFault,
    PocketRead,
    PowerRestored,
    ReaderFault,
    RotorTurned,
    RulesChanged,
    RulesConfirmed,
    RulesInEffect,
    ShakerCycled,
    ShakerFailed,
    TableStarted,
    WheelRested,
    WheelThrown,
)
from controller.events.words import Parameters, Text, Words, remedy, say

NO_WORDS: Words = MappingProxyType({})


def text_of(thing: Event | Effect, words: Words = NO_WORDS, name: Callable[[str], str] = str) -> str:
    """The text of an event or effect; empty if people do not need it.

    Args:
        words: sentences for its codes, of the game and the table layer; a code without one stands for itself.
        name: the name of an area or a key, as the game says it.
    """

    def said(code: str, parameters: Parameters) -> str:
        return say(words, Text(code, dict(parameters)), name)

    if isinstance(thing, Note):
        return said(thing.text, thing.parameters)
    if isinstance(thing, Alert):
        todo = remedy_of(thing, words, name)
        return f"ALERT {said(thing.text, thing.parameters)}" + (f" ({todo})" if todo else "")
    if isinstance(thing, Void):
        why = f": {said(thing.reason, thing.parameters)}" if thing.reason in words else ""
        return f"VOID {plain(thing.reason)}{why}"
    if isinstance(thing, Lock):
        return f"LOCKED: {said(thing.cause, thing.parameters)}"
    if isinstance(thing, Refused):
        why = f" ({said(thing.why, thing.parameters)})" if thing.why else ""
        waits = said(thing.waiting_for, thing.parameters)
        return f"REFUSED {plain(thing.control)}{why}: {waits}"
    return _text(thing)


def remedy_of(alert: Alert, words: Words, name: Callable[[str], str] = str) -> str:
    """What to do about an alert; empty if its words have no remedy."""
    code = remedy(alert.text)
    return say(words, Text(code, alert.parameters), name) if code in words else ""


@singledispatch
def _text(thing: Event | Effect) -> str:
    return ""


def fault_text(event: PanelFault | KeyStuck | MachineFailed) -> str:
    """A fault of a device or of the controller, for the journal."""
    if isinstance(event, KeyStuck):
        return f"the key {event.control} is stuck"
    if isinstance(event, MachineFailed):
        return f"the controller failed: {event.cause}"
    parts = [f"no light at {', '.join(event.dark)}"] if event.dark else []
    parts += [f"light that should be out at {', '.join(event.burning)}"] if event.burning else []
    return f"panel: {event.detail or '; '.join(parts)}"


def plain(name: str) -> str:
    """A name of the record as words: ``no-more-bets`` as ``no more bets``."""
    return name.replace("-", " ")


def spoken(name: str) -> str:
    """A recorded name as display text: ``two-dice-1-4`` becomes ``two dice 1-4``."""
    words = ""
    for before, part in zip(("", *name.split("-")), name.split("-"), strict=False):
        words += ("-" if before[-1:].isdigit() and part[:1].isdigit() else " ") + part
    return words[1:]


def revolutions(counts: int, counts_per_turn: int) -> str:
    """Revolutions to two decimals, cut rather than rounded: one count less than three is not 3.00."""
    whole, hundredths = divmod(counts * 100 // counts_per_turn, 100)
    return f"{whole}.{hundredths:02}"


# -- events --------------------------------------------------------------------------------------------------------


@_text.register
def _started(event: TableStarted) -> str:
    return "the table starts on an empty journal"


@_text.register
def _restored(event: PowerRestored) -> str:
    return "power restored: the table goes on where its journal ends"


@_text.register
def _changed(event: RulesChanged) -> str:
    changed = "table's file" if event.of_file else "software"
    return f"the {changed} was changed: {event.recorded_by} decided entry {event.entry} otherwise"


@_text.register
def _thrown(event: WheelThrown) -> str:
    return f"the wheel turns {event.direction.value}"


@_text.register
def _rested(event: WheelRested) -> str:
    if not event.travel_counts:
        return ""
    return f"at rest after {revolutions(event.travel_counts, event.counts_per_turn)} revolutions"


@_text.register
def _rotor(event: RotorTurned) -> str:
    return f"the rotor turns {event.direction.value}"


@_text.register
def _ball(event: BallThrown) -> str:
    return "the ball runs" + (f" {event.direction.value}" if event.direction is not None else "")


@_text.register
def _left(event: BallLeftTrack) -> str:
    if event.fault is not None:
        return "the ball left the track, and how often it ran around is in doubt"
    return f"the ball left the track after {event.revolutions} revolutions"


@_text.register
def _read(event: PocketRead) -> str:
    return f"the reader names {event.pocket}"


@_text.register
def _reader(event: ReaderFault) -> str:
    return f"the reader cannot be understood: {event.detail}"


@_text.register
def _cycled(event: ShakerCycled) -> str:
    return "the automated shaker has tossed the dice"


@_text.register
def _shaker_failed(event: ShakerFailed) -> str:
    return "the automated shaker reports a failure"


@_text.register
def _announced(event: LimitsAnnounced) -> str:
    by = f"; by {event.by}" if event.by else ""
    announced = ", announced to the patrons" if event.to_patrons else ""
    words = limits(event.minimum, event.maximum, event.payout, event.currency)
    return f"limits from {_moment(event)}: {words}{announced}{by}"


def _moment(event: LimitsAnnounced) -> str:
    if event.nobody_plays:
        return "now on, as nobody plays"
    return datetime.fromtimestamp(event.from_utc_ns // 1_000_000_000, UTC).isoformat().replace("+00:00", "Z")


@_text.register
def _withdrawn(event: LimitsWithdrawn) -> str:
    return "the announced limits are withdrawn" + (f" by {event.by}" if event.by else "")


@_text.register
def _in_effect(event: LimitsInEffect) -> str:
    return f"limits in effect: {limits(event.minimum, event.maximum, event.payout, event.currency)}"


@_text.register
def _noticed(event: LimitsNotice) -> str:
    return f"the sign has shown the announced limits for {event.lit_ns // 60_000_000_000} min"


@_text.register
def _odds_confirmed(event: OddsConfirmed) -> str:
    by = f"; by {event.by}" if event.by else ""
    return f"odds from the next round on: {_odds(event.odds)}{by}"


@_text.register
def _odds_in_effect(event: OddsInEffect) -> str:
    return f"odds in effect: {_odds(event.odds)}"


@_text.register
def _rules_confirmed(event: RulesConfirmed) -> str:
    by = f"; by {event.by}" if event.by else ""
    return f"rules from the next round on: {event.detail}{by}"


@_text.register
def _rules_in_effect(event: RulesInEffect) -> str:
    return f"rules in effect: {event.detail}" + ("; the table is made ready anew" if event.anew else "")


def _odds(above: Mapping[str, str]) -> str:
    return ", ".join(f"{area} pays {pays}" for area, pays in above.items()) or "those of the regulation"


def limits(minimum: str, maximum: str, payout: str, currency: str) -> str:
    """Limits as text; the currency is on record where it changed."""
    paid = f", at most {payout} paid in a round" if payout else ""
    return f"{minimum} to {maximum}{paid}" + (f" (in {currency})" if currency else "")


@_text.register
def _acted(event: Act) -> str:
    who = f"floorperson {event.by}" if event.by else "the floorperson" if event.floor else "the dealer"
    return f"{who}: {plain(event.act)}" + (f", {plain(event.argument)}" if event.argument else "")


@_text.register
def _logged_on(event: DealerLoggedOn) -> str:
    return f"dealer {event.number} logs on" if event.number else "the dealer logs off"


# -- effects -------------------------------------------------------------------------------------------------------


@_text.register
def _light(effect: Light) -> str:
    return f"lit: {', '.join(effect.areas)}" if effect.areas else "dark"


@_text.register
def _result(effect: Result) -> str:
    won = ", ".join(f"{win.area} pays {win.pays}" for win in effect.wins)
    return f"RESULT {effect.label}: {won or 'no area wins'}"


@_text.register
def _bonus(effect: Bonus) -> str:
    if effect.multiplier == 1:
        return f"SPIN AGAIN {effect.label}: wagers stay"
    return f"BONUS {effect.label}: the next result pays {effect.multiplier} times"


@_text.register
def _returned(effect: WagersReturned) -> str:
    which = f"wagers on {', '.join(effect.areas)}" if effect.areas else "all wagers"
    return f"{which} go back to the players: {plain(effect.reason)}"


@_text.register
def _withdrawn_result(effect: ResultWithdrawn) -> str:
    settled = f", {plain(effect.settled)}" if effect.settled else ""
    return f"RESULT WITHDRAWN {effect.label}{settled}"


@_text.register
def _opened(effect: RoundOpened) -> str:
    return f"round {effect.number} opens"


@_text.register
def _logged(effect: InspectionLogged) -> str:
    work = ", ".join(map(plain, effect.work)) or "nothing adjusted or replaced"
    done = "inspection completed" if effect.inspected else "inspection required"
    if effect.refused:
        done = f"inspection refused at: {plain(effect.refused)}"
    witness = f", before {effect.witness}" if effect.witness else ""
    return (
        f"inspection log, {effect.table}: {work}; {done}; signed {effect.credential or 'the floorperson'}{witness}"
    )
