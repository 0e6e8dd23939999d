"""Texts of events and effects, for the journal and for the bench. Each kind has its words here."""

from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

from controller.events.effect import Alert, Bonus, Result, Void
from controller.events.event import (
    ClockChecked,
    Terms,
    TermsConfirmed,
    WheelRested,
)
from controller.events.frozen import Recorded
from controller.events.words import NO_WORDS, Text, Words, filled, remedy, say


def text_of(thing: Recorded, words: Words = NO_WORDS) -> str:
    """The text of an event or effect; empty if people do not need it.

    Args:
        words: sentences for its codes, of the game and the table layer; a code without one stands for itself.
    """
    phrase = _TEXTS.get(thing.kind, "")
    if not isinstance(phrase, str):
        return phrase(thing)
    said = filled(phrase, vars(thing), words, parameters=vars(thing).get("parameters", {}))
    if isinstance(thing, Alert) and (todo := remedy_of(thing, words)):
        return f"{said} ({todo})"
    if isinstance(thing, Void) and thing.reason in words:
        return f"{said}: {say(words, Text(thing.reason, thing.parameters))}"
    return said


def remedy_of(alert: Alert, words: Words) -> str:
    """What to do about an alert; empty if its words have no remedy."""
    code = remedy(alert.text)
    return say(words, Text(code, alert.parameters)) if code in words else ""


def revolutions(counts: int, counts_per_turn: int) -> str:
    """Revolutions to two decimals, cut rather than rounded: one count less than three is not 3.00."""
    whole, hundredths = divmod(counts * 100 // counts_per_turn, 100)
    return f"{whole}.{hundredths:02}"


# -- kinds whose text depends on more than one value -------------------------------------------------------------


def _rested(rested: WheelRested) -> str:
    if not rested.travel_counts:
        return ""
    return f"at rest after {revolutions(rested.travel_counts, rested.counts_per_turn)} revolutions"


def _clock(clock: ClockChecked) -> str:
    if clock.doubt:
        return "the clock is in doubt"
    moved_s = round(clock.moved_ns / 1e9)
    return f"the clock was set: {abs(moved_s)} s {'earlier' if moved_s < 0 else 'later'} than the table had counted"


def _terms(terms: Terms, changed: tuple[str, ...]) -> str:
    """Limits, and the values of the house's terms that are different."""
    said = [filled(_LIMITS, vars(terms.limits))] if terms.limits is not None else []
    if terms.house is not None:
        for section, _, name in (place.partition(".") for place in changed):
            said.append(f"{section} {name.replace('_', ' ')}: {vars(terms.house)[section].get(name, 'none')}")
    return "; ".join(said) or "as they were"


def _confirmed(event: TermsConfirmed) -> str:
    begin = "the next round on"
    if event.terms.limits is not None:
        begin = datetime.fromtimestamp(event.from_utc_ns // 1_000_000_000, UTC).isoformat().replace("+00:00", "Z")
    if not event.to_patrons:
        begin = "now on, as nobody plays"
    told = ", announced to the patrons" if event.to_patrons else ""
    return filled(f"terms from {begin}: {_terms(event.terms, event.changed)}{told}{_BY}", vars(event))


def _result(result: Result) -> str:
    won = ", ".join(f"{win.area} pays {win.pays}" for win in result.wins)
    return f"RESULT {result.label}: {won or 'no area wins'}"


def _bonus(bonus: Bonus) -> str:
    if bonus.multiplier == 1:
        return f"SPIN AGAIN {bonus.label}: wagers stay"
    return f"BONUS {bonus.label}: the next result pays {bonus.multiplier} times"


_ACT = "{act:plain}{argument:plain if , @}"
_BY = "{by:if ; by @}"
_LIMITS = "{minimum} to {maximum}{payout:if , at most @ paid in a round}{currency:if  (in @)}"
_AGAINST = {None: "", True: ", against the rotor", False: ", with the rotor"}

_TEXTS: dict[str, str | Callable[[Any], str]] = {
    # keys, prompts and people
    "press": "{control} pressed{by:if  by @}",
    "act": lambda act: filled(("{by:who}: " if act.floor else "the dealer: ") + _ACT, vars(act)),
    "pin-prompt": "number and PIN {prompt:plainif asked for: @ else no longer asked for}{how:if , @}",
    "floor-key-turned": "the floorperson's key turned{by:if  by @}",
    "identified": "floorperson {number} identified",
    "identity-refused": "number and PIN refused{number:if : @}, {failures} in a row",
    "dealer-logged-on": "{number:if dealer @ logs on else the dealer logs off}",
    # wheels and dice
    "wheel-thrown": "the wheel turns {direction}",
    "revolution-completed": "revolution {number}",
    "wheel-rested": _rested,
    "rotor-turned": "the rotor turns {direction}",
    "ball-thrown": "the ball runs{direction:if  @}",
    "ball-revolution": lambda ball: f"the ball's revolution {ball.number}{_AGAINST[ball.against]}",
    "ball-left-track": "the ball left the track after {revolutions} revolutions{fault:if , which are in doubt}",
    "pocket-read": "the reader names {pocket}",
    "reader-fault": "the reader cannot be understood: {detail}",
    "shaker-cycled": "the automated shaker has tossed the dice",
    "shaker-failed": "the automated shaker reports a failure",
    # devices
    "sensor-health": "{sensor} {health}{found:if : @}",
    "key-stuck": "the key {control} is stuck",
    "timer-elapsed": "timer {timer}",
    "machine-failed": "the controller failed: {cause}",
    "cabinet-health": "{found}{by:if  (floorperson @ had identified)}",
    "clock-checked": _clock,
    # terms
    "terms-confirmed": _confirmed,
    "terms-in-effect": lambda event: (
        f"terms in effect: {_terms(event.terms, event.changed)}"
        + ("; the table is made ready anew" if event.anew else "")
    ),
    "limits-withdrawn": "the announced limits are withdrawn{by:if  by @}",
    "limits-notice": lambda sign: (
        f"the sign has shown the announced limits for {sign.lit_ns // 60 // 1_000_000_000} min"
    ),
    # starts
    "table-started": "the table starts on an empty journal{replaces:if  in the place of @}",
    "power-restored": "power restored: the table goes on where its journal ends",
    "rules-changed": (
        "the {of_file:if table's file else software} was changed: version {version_before} ("
        "{software_before:.12if software @, }configuration {configuration_before:.12}) decided entry {entry} "
        "otherwise: {what:code}"
    ),
    # effects
    "light": "{areas:if lit: @ else dark}",
    "result": _result,
    "result-withdrawn": "RESULT WITHDRAWN {label}{settled:plain if , @}",
    "bonus": _bonus,
    "void": "VOID {reason:plain}",
    "wagers-returned": "{areas:if wagers on @ else all wagers} go back to the players: {reason:plain}",
    "round-opened": "round {number} opens",
    "note": "{text:code}",
    "alert": "ALERT {text:code}",
    "refused": "REFUSED {control:plain}{why:code if  (@)}: {waiting_for:code}",
    "lock": "LOCKED: {cause:code}",
    "inspection-logged": (
        "inspection log, {table}: {work:plain if @ else nothing adjusted or replaced}; "
        "inspection {inspected:if completed else required}{refused:plain if , refused at: @}; "
        "signed {credential:if @ else the floorperson}{witness:if , before @}"
    ),
}
