"""Sentences of events and effects by kind, for the journal and for the bench."""

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

from controller.events.effect import Alert
from controller.events.event import Terms
from controller.events.frozen import Recorded
from controller.events.words import NO_WORDS, Text, Words, filled, remedy, say

Values = Mapping[str, Any]
"""The fields of an event or an effect."""


def text_of(thing: Recorded, words: Words = NO_WORDS) -> str:
    """The text of an event or effect; empty if people do not need it.

    Args:
        words: sentences for its codes, of the game and the table layer; a code without one stands for itself.
    """
    phrase, values = RECORD_WORDS.get(thing.kind, ""), vars(thing)
    if not isinstance(phrase, str):
        return phrase(values)
    return filled(phrase, values, words, parameters=values.get("parameters", {}))


def remedy_of(alert: Alert, words: Words) -> str:
    """What to do about an alert; empty if its words have no remedy."""
    code = remedy(alert.text)
    return say(words, Text(code, alert.parameters)) if code in words else ""


def revolutions(counts: int, counts_per_turn: int) -> str:
    """Revolutions to two decimals, cut rather than rounded: one count less than three is not 3.00."""
    whole, hundredths = divmod(counts * 100 // counts_per_turn, 100)
    return f"{whole}.{hundredths:02}"


# -- kinds whose text depends on more than one value -------------------------------------------------------------


def _rested(rested: Values) -> str:
    if not rested["travel_counts"]:
        return ""
    return f"at rest after {revolutions(rested['travel_counts'], rested['counts_per_turn'])} revolutions"


def _clock(clock: Values) -> str:
    if clock["doubt"]:
        return "the clock is in doubt"
    moved_s = round(clock["moved_ns"] / 1e9)
    return f"the clock was set: {abs(moved_s)} s {'earlier' if moved_s < 0 else 'later'} than the table had counted"


def _terms(event: Values, limits_from: str = "", house_from: str = "") -> str:
    """Limits, and the values of the house's terms that are different."""
    terms: Terms = event["terms"]
    said = [filled(limits_from + _LIMITS, vars(terms.limits))] if terms.limits is not None else []
    if terms.house is not None:
        places = (place.partition(".") for place in event["changed"])
        values = (
            f"{section} {name.replace('_', ' ')}: {vars(terms.house)[section].get(name, 'none')}"
            for section, _, name in places
        )
        said.append(house_from + (", ".join(values) or "as it was"))
    return "; ".join(said)


def _confirmed(event: Values) -> str:
    if not event["to_patrons"]:
        return filled(f"limits from now on, as nobody plays: {_terms(event)}{_BY}", event)
    at = datetime.fromtimestamp(event["from_utc_ns"] // 1_000_000_000, UTC).isoformat().replace("+00:00", "Z")
    words = _terms(event, f"limits from {at}: ", "rules from the next round on: ")
    return filled(f"{words}, announced to the patrons{_BY}", event)


def _result(result: Values) -> str:
    won = ", ".join(f"{win.area} pays {win.pays}" for win in result["wins"])
    return f"RESULT {result['label']}: {won or 'no area wins'}"


def _bonus(bonus: Values) -> str:
    if bonus["multiplier"] == 1:
        return f"SPIN AGAIN {bonus['label']}: wagers stay"
    return f"BONUS {bonus['label']}: the next result pays {bonus['multiplier']} times"


_ACT = "{act:plain}{argument:plain if , @}"
_BY = "{by:if ; by @}"
_LIMITS = "{minimum} to {maximum}{payout:if , at most @ paid in a round}{currency:if  (in @)}"
_AGAINST = {None: "", True: ", against the rotor", False: ", with the rotor"}

RECORD_WORDS: Words = {
    # keys, prompts and people
    "press": "{control} pressed{by:if  by @}",
    "act": lambda act: filled(("{by:who}: " if act["floor"] else "the dealer: ") + _ACT, act),
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
    "ball-revolution": lambda ball: f"the ball's revolution {ball['number']}{_AGAINST[ball['against']]}",
    "ball-left-track": "the ball left the track after {revolutions} revolutions{fault:if , which are in doubt}",
    "pocket-read": "the reader names {pocket}",
    "reader-fault": "the reader's message is unreadable: {detail}",
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
        f"in effect: {_terms(event)}" + ("; the table is made ready anew" if event["anew"] else "")
    ),
    "limits-withdrawn": "the announced limits are withdrawn{by:if  by @}",
    "limits-notice": lambda sign: (
        f"the sign has shown the announced limits for {sign['lit_ns'] // 60 // 1_000_000_000} min"
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
    "void": "VOID {reason:plain}{reason:because}",
    "wagers-returned": "{areas:if wagers on @ else all wagers} go back to the players: {reason:plain}",
    "round-opened": "round {number} opens",
    "note": "{text:code}",
    "alert": "ALERT {text:code}{text:remedy}",
    "refused": "REFUSED {control:plain}{why:code if  (@)}: {waiting_for:code}",
    "lock": "LOCKED: {cause:code}",
    "inspection-logged": (
        "inspection log, {table}: {work:plain if @ else nothing adjusted or replaced}; "
        "inspection {inspected:if completed else required}{refused:plain if , refused at: @}; "
        "signed {credential:if @ else the floorperson}{witness:if , before @}"
    ),
}
