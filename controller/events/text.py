"""Texts of events and effects, for the journal and for the bench.

A new event or effect that people need to see gets a function here. Texts for readers of the journal alone are in
:mod:`controller.journal.text`.
"""

from collections.abc import Mapping
from datetime import UTC, datetime
from functools import singledispatch

from controller.events.effect import (
    Alert,
    Bonus,
    Effect,
    InspectionLogged,
    Light,
    Note,
    Refused,
    Result,
    RoundOpened,
    Void,
    WagersReturned,
)
from controller.events.event import (
    BallLeftTrack,
    BallThrown,
    DealerLoggedOn,
    Event,
    LimitsAnnounced,
    LimitsInEffect,
    LimitsNotice,
    LimitsWithdrawn,
    OddsConfirmed,
    OddsInEffect,
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


@singledispatch
def text_of(thing: Event | Effect) -> str:
    """The text of an event or effect; empty if people do not need it."""
    return ""


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


@text_of.register
def _started(event: TableStarted) -> str:
    return "the table starts on an empty journal"


@text_of.register
def _restored(event: PowerRestored) -> str:
    return "power restored: the table goes on where its journal ends"


@text_of.register
def _changed(event: RulesChanged) -> str:
    if event.of_file:
        was = f"under {event.recorded_by} entry {event.entry} was decided otherwise"
        return f"the table's file was changed: {was}"
    return f"the software was changed: version {event.recorded_by} decided entry {event.entry} otherwise"


@text_of.register
def _thrown(event: WheelThrown) -> str:
    return f"the wheel turns {event.direction.value}"


@text_of.register
def _rested(event: WheelRested) -> str:
    if not event.travel_counts:
        return ""
    return f"at rest after {revolutions(event.travel_counts, event.counts_per_turn)} revolutions"


@text_of.register
def _rotor(event: RotorTurned) -> str:
    return f"the rotor turns {event.direction.value}"


@text_of.register
def _ball(event: BallThrown) -> str:
    return "the ball runs" + (f" {event.direction.value}" if event.direction is not None else "")


@text_of.register
def _left(event: BallLeftTrack) -> str:
    if event.fault is not None:
        return "the ball left the track, and how often it ran around is in doubt"
    return f"the ball left the track after {event.revolutions} revolutions"


@text_of.register
def _read(event: PocketRead) -> str:
    return f"the reader names {event.pocket}"


@text_of.register
def _reader(event: ReaderFault) -> str:
    return f"the reader cannot be understood: {event.detail}"


@text_of.register
def _cycled(event: ShakerCycled) -> str:
    return "the automated shaker has tossed the dice"


@text_of.register
def _shaker_failed(event: ShakerFailed) -> str:
    return "the automated shaker reports a failure"


@text_of.register
def _announced(event: LimitsAnnounced) -> str:
    by = f"; by {event.by}" if event.by else ""
    announced = ", announced to the patrons" if event.to_patrons else ""
    words = limits(event.minimum, event.maximum, event.payout, event.currency)
    return f"limits from {_moment(event)}: {words}{announced}{by}"


def _moment(event: LimitsAnnounced) -> str:
    if event.nobody_plays:
        return "now on, as nobody plays"
    return datetime.fromtimestamp(event.from_utc_ns // 1_000_000_000, UTC).isoformat().replace("+00:00", "Z")


@text_of.register
def _withdrawn(event: LimitsWithdrawn) -> str:
    return "the announced limits are withdrawn" + (f" by {event.by}" if event.by else "")


@text_of.register
def _in_effect(event: LimitsInEffect) -> str:
    return f"limits in effect: {limits(event.minimum, event.maximum, event.payout, event.currency)}"


@text_of.register
def _noticed(event: LimitsNotice) -> str:
    return f"the sign has shown the announced limits for {event.lit_ns // 60_000_000_000} min"


@text_of.register
def _odds_confirmed(event: OddsConfirmed) -> str:
    by = f"; by {event.by}" if event.by else ""
    return f"odds from the next round on: {_odds(event.odds)}{by}"


@text_of.register
def _odds_in_effect(event: OddsInEffect) -> str:
    return f"odds in effect: {_odds(event.odds)}"


@text_of.register
def _rules_confirmed(event: RulesConfirmed) -> str:
    by = f"; by {event.by}" if event.by else ""
    return f"rules from the next round on: {event.detail}{by}"


@text_of.register
def _rules_in_effect(event: RulesInEffect) -> str:
    return f"rules in effect: {event.detail}" + ("; the table is made ready anew" if event.anew else "")


def _odds(above: Mapping[str, str]) -> str:
    return ", ".join(f"{area} pays {pays}" for area, pays in above.items()) or "those of the regulation"


def limits(minimum: str, maximum: str, payout: str, currency: str) -> str:
    """Limits as text; the currency is on record where it changed."""
    paid = f", at most {payout} paid in a round" if payout else ""
    return f"{minimum} to {maximum}{paid}" + (f" (in {currency})" if currency else "")


@text_of.register
def _logged_on(event: DealerLoggedOn) -> str:
    return f"dealer {event.number} logs on" if event.number else "the dealer logs off"


# -- effects -------------------------------------------------------------------------------------------------------


@text_of.register
def _light(effect: Light) -> str:
    return f"lit: {', '.join(effect.areas)}" if effect.areas else "dark"


@text_of.register
def _result(effect: Result) -> str:
    won = ", ".join(f"{win.area} pays {win.pays}" for win in effect.wins)
    return f"RESULT {effect.label}: {won or 'no area wins'}"


@text_of.register
def _bonus(effect: Bonus) -> str:
    if effect.multiplier == 1:
        return f"SPIN AGAIN {effect.label}: wagers stay"
    return f"BONUS {effect.label}: the next result pays {effect.multiplier} times"


@text_of.register
def _void(effect: Void) -> str:
    return f"VOID {plain(effect.reason)}" + (f": {effect.detail}" if effect.detail else "")


@text_of.register
def _returned(effect: WagersReturned) -> str:
    return f"all wagers go back to the players: {plain(effect.reason)}"


@text_of.register
def _opened(effect: RoundOpened) -> str:
    return f"round {effect.number} opens"


@text_of.register
def _logged(effect: InspectionLogged) -> str:
    work = ", ".join(effect.work) or "nothing adjusted or replaced"
    done = "inspection completed" if effect.inspected else "inspection required"
    if effect.refused:
        done = f"inspection refused at: {effect.refused}"
    witness = f", before {effect.witness}" if effect.witness else ""
    return f"inspection log, {effect.table}: {work}; {done}; signed {effect.credential}{witness}"


@text_of.register
def _note(effect: Note) -> str:
    return effect.text


@text_of.register
def _alert(effect: Alert) -> str:
    return f"ALERT {effect.text}" + (f" ({effect.remedy})" if effect.remedy else "")


@text_of.register
def _refused(effect: Refused) -> str:
    return f"REFUSED {effect.control}; the table waits: {effect.waiting_for}"
