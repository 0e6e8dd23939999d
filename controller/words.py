"""Facts and effects in plain words: the one place that words them, for the journal and for the bench.

A new fact or effect that people want to know of gets a function here. What only a reader of the journal wants to
see has its words in :mod:`controller.records.words`.
"""

from datetime import UTC, datetime
from functools import singledispatch

from controller.effects import (
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
from controller.facts import (
    BallLeftTrack,
    BallThrown,
    DealerLoggedOn,
    Fact,
    LimitsAnnounced,
    LimitsInEffect,
    LimitsWithdrawn,
    PocketRead,
    PowerRestored,
    ReaderFault,
    RotorTurned,
    ShakerCycled,
    ShakerFailed,
    TableStarted,
    WheelRested,
    WheelThrown,
)


@singledispatch
def words_of(thing: Fact | Effect) -> str:
    """What happened or was decided; empty for what is of no interest to people."""
    return ""


def plain(name: str) -> str:
    """A name of the record as words: ``no-more-bets`` as ``no more bets``."""
    return name.replace("-", " ")


def revolutions(counts: int, counts_per_turn: int) -> str:
    """Revolutions to two decimals, cut rather than rounded: one count less than three is not 3.00."""
    whole, hundredths = divmod(counts * 100 // counts_per_turn, 100)
    return f"{whole}.{hundredths:02}"


# -- facts ---------------------------------------------------------------------------------------------------------


@words_of.register
def _started(fact: TableStarted) -> str:
    return "the table starts on an empty journal"


@words_of.register
def _restored(fact: PowerRestored) -> str:
    return "power restored: the table goes on where its journal ends"


@words_of.register
def _thrown(fact: WheelThrown) -> str:
    return f"the wheel turns {fact.direction.value}"


@words_of.register
def _rested(fact: WheelRested) -> str:
    if not fact.travel_counts:
        return ""
    return f"at rest after {revolutions(fact.travel_counts, fact.counts_per_turn)} revolutions"


@words_of.register
def _rotor(fact: RotorTurned) -> str:
    return f"the rotor turns {fact.direction.value}"


@words_of.register
def _ball(fact: BallThrown) -> str:
    return "the ball runs" + (f" {fact.direction.value}" if fact.direction is not None else "")


@words_of.register
def _left(fact: BallLeftTrack) -> str:
    if fact.fault is not None:
        return "the ball left the track, and how often it ran around is in doubt"
    return f"the ball left the track after {fact.revolutions} revolutions"


@words_of.register
def _read(fact: PocketRead) -> str:
    return f"the reader names {fact.pocket}"


@words_of.register
def _reader(fact: ReaderFault) -> str:
    return f"the reader cannot be understood: {fact.detail}"


@words_of.register
def _cycled(fact: ShakerCycled) -> str:
    return "the automated shaker has tossed the dice"


@words_of.register
def _shaker_failed(fact: ShakerFailed) -> str:
    return "the automated shaker reports a failure"


@words_of.register
def _announced(fact: LimitsAnnounced) -> str:
    by = f"; by {fact.by}" if fact.by else ""
    return f"limits from {_moment(fact)}: {limits(fact.minimum, fact.maximum, fact.payout)}{by}"


def _moment(fact: LimitsAnnounced) -> str:
    if fact.nobody_plays:
        return "now on, as nobody plays"
    return datetime.fromtimestamp(fact.from_utc_ns // 1_000_000_000, UTC).isoformat().replace("+00:00", "Z")


@words_of.register
def _withdrawn(fact: LimitsWithdrawn) -> str:
    return "the announced limits are withdrawn" + (f" by {fact.by}" if fact.by else "")


@words_of.register
def _in_effect(fact: LimitsInEffect) -> str:
    return f"limits in effect: {limits(fact.minimum, fact.maximum, fact.payout)}"


def limits(minimum: str, maximum: str, payout: str) -> str:
    """Limits in words; no currency, for the record knows of none."""
    return f"{minimum} to {maximum}" + (f", at most {payout} paid in a round" if payout else "")


@words_of.register
def _logged_on(fact: DealerLoggedOn) -> str:
    return f"dealer {fact.number} logs on" if fact.number else "the dealer logs off"


# -- effects -------------------------------------------------------------------------------------------------------


@words_of.register
def _light(effect: Light) -> str:
    return f"lit: {', '.join(effect.areas)}" if effect.areas else "dark"


@words_of.register
def _result(effect: Result) -> str:
    won = ", ".join(f"{win.area} pays {win.pays}" for win in effect.wins)
    return f"RESULT {effect.label}: {won or 'no area wins'}"


@words_of.register
def _bonus(effect: Bonus) -> str:
    return f"BONUS {effect.label}: the next result pays {effect.multiplier} times"


@words_of.register
def _void(effect: Void) -> str:
    return f"VOID {plain(effect.reason)}" + (f": {effect.detail}" if effect.detail else "")


@words_of.register
def _returned(effect: WagersReturned) -> str:
    return f"all wagers go back to the players: {plain(effect.reason)}"


@words_of.register
def _opened(effect: RoundOpened) -> str:
    return f"round {effect.number} opens"


@words_of.register
def _logged(effect: InspectionLogged) -> str:
    work = ", ".join(effect.work) or "nothing adjusted or replaced"
    done = "inspection completed" if effect.inspected else "inspection required"
    witness = f", before {effect.witness}" if effect.witness else ""
    return f"inspection log, {effect.table}: {work}; {done}; signed {effect.credential}{witness}"


@words_of.register
def _note(effect: Note) -> str:
    return effect.text


@words_of.register
def _alert(effect: Alert) -> str:
    return f"ALERT {effect.text}" + (f" ({effect.remedy})" if effect.remedy else "")


@words_of.register
def _refused(effect: Refused) -> str:
    return f"REFUSED {effect.control}; the table waits: {effect.waiting_for}"
