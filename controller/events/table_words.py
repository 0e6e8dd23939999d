"""Sentences of the table layer by code: causes, alerts, prompts, the floor menu; and of what is recorded, by kind.

A game adds its own table of codes. ``….remedy`` is what to do about an alert or a cause.
"""

from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from typing import Any

from controller.events.event import Terms
from controller.events.frozen import Recorded
from controller.events.words import NO_WORDS, Parameters, Words, filled, remedy

_DECIDES = "The floorperson decides: unlock to continue the round, or void it."
_REPAIR = "Repair it. Then turn the floorperson's key twice."
_CHANGE = "The floorperson's key opens the menu: record the new {equipment:code}."


def _shut(parameters: Parameters) -> str:
    names = str(parameters.get("contacts", "")).replace(",", " and the ")
    if names == "supply voltage":
        return "Check the power supply and its cable. The table stays locked until the voltage is in order."
    return f"Look inside and close the {names}. The table stays locked until then."


def _drifted(found: Parameters) -> str:
    off, allowed = int(found["mdeg"]) / 1000, int(found["allowed_mdeg"]) / 1000
    return f"a strike is {off:+.2f} degrees off its place. Beyond {allowed:.2f} degrees, spins are void"


def _again(act: str, before: str = "", after: str = "") -> Callable[[Parameters], str]:
    """What to do after a wrong number or PIN, and after the wait that it brings."""

    def phrase(parameters: Parameters) -> str:
        seconds = int(parameters.get("wait_s", 0))
        wait = f"Wait {seconds} s. Then {act}." if seconds else f"{act[0].upper()}{act[1:]}."
        return f"{before}{wait}{after}"

    return phrase


_TURN, _PRESS = "turn the key again", "press the key LOG-ON again"
_CANCEL = " CLEAR cancels."


TABLE_WORDS: Words = {
    # instructions
    "locked": "Repair the fault. Then turn the floorperson's key twice.",
    "locked-shut": _shut,
    "equipment-due": "The {equipment:code} must be changed. The floorperson's key opens the menu.",
    "settle-by-the-record": (
        "Settle the round as it is lit. Return the wagers that the result does not decide. "
        "Then the floorperson turns the key twice."
    ),
    # faults, as causes and as alerts
    "lamps-dark": "No light at {dark:area}.",
    "lamps-lit": "Light that should be out at {lit:area}.",
    "lamps-wrong": "No light at {dark:area}. Light that should be out at {lit:area}.",
    "panel-failed": "The lamp panel failed: {detail}.",
    "key-stuck": "The key {key:area} is stuck.",
    "keys-gone": "The {sensor} does not respond: {found:code}.",
    "controller-failed": "The controller failed: {error}.",
    "opened-now": "The {contact} is open.",
    "opened-at-start": "The {contact} is open as the table starts.",
    "opened-power-off": "The {contact} was opened while the power was off.",
    "supply-low": "The supply voltage is too low.",
    "long-pause": "The power was off during a round. Nothing was recorded for {minutes} minutes.",
    "pause-unknown": "The power was off during a round, and the clock does not show for how long.",
    "software-changed": "Software version {version} decided entry {entry} differently: {what:code}.",
    "file-changed": "The table's file was changed. Before, entry {entry} was decided differently: {what:code}.",
    **{
        remedy(code): _REPAIR
        for code in (
            *("lamps-dark", "lamps-lit", "lamps-wrong", "panel-failed", "key-stuck", "keys-gone"),
            *("opened-now", "opened-at-start", "opened-power-off"),
        )
    },
    "controller-failed.remedy": "Call the technician.",
    "supply-low.remedy": "Check the power supply and its cable.",
    "long-pause.remedy": _DECIDES,
    "pause-unknown.remedy": _DECIDES,
    "software-changed.remedy": "Settle by the record.",
    "file-changed.remedy": "Settle by the record.",
    "stops-after-this-round": "Settle this round by the screen. Then the table stops.",
    "shut": "The table cannot be opened yet",
    # other devices
    "reader-fault": "The reader's message is unreadable: {detail}.",
    "reader-fault.remedy": "Have the reader repaired.",
    "clock-in-doubt": "The clock may be wrong: {doubt:code}.",
    "clock-in-doubt.remedy": "Connect the network, or set the clock. If the clock is right, change dice and cards "
    "each time the power was off.",
    "clock-set": "The clock is set.",
    "contact-closed": "The {contact} is closed.",
    "supply-ok": "The supply voltage is in order.",
    "supply-was-low": "The supply voltage was too low since the computer was switched on.",
    "supply-was-low.remedy": "Check the power supply and its cable.",
    "battery-low": "The clock's battery is low: {detail}.",
    "battery-low.remedy": "Replace it, or the time is lost when the power goes.",
    "battery-ok": "The clock's battery is in order: {detail}.",
    "medium-ok": "The {sensor} is in order: {found:code}.",
    "medium-failed": "The {sensor} cannot be used: {found:code}.",
    "medium-failed.remedy": "Play continues on the other medium. Repair it, then start the table again.",
    "sensor-ok": "The {sensor} is in order.",
    "fault": "{sensor} {health}: {found:code}",
    "sensor-noted": "The {sensor} is {health}: {found:code}.",
    "sensor-failed": "The {sensor} is {health}: {found:code}.",
    "wheel-drifts": "The leather has moved: {found:code}.",
    "wheel-drifts.remedy": "Look at the leather and its screws after this round. Then calibrate the wheel.",
    "sensor-failed.remedy": "Repair it. Until then the table gets no data from it.",
    "switch-stuck": "A switch is stuck: {found:code}.",
    "switch-stuck.remedy": "Open it, or have it repaired. Until it opens, the table does not notice its next turn.",
    "keys-noisy": "The {sensor} sends more presses than hands can make: {found:code}.",
    "keys-noisy.remedy": "Unplug it, or have it repaired.",
    "tamper-unknown": "The state of the door and cabinet contacts is unknown: {found:code}.",
    "tamper-unknown.remedy": "Have them repaired.",
    "rules-in-effect": "Other rules are in effect. No wagers were placed.",
    "rules-in-effect.remedy": "The floorperson opens the table.",
    # journals
    "journal-replaced": (
        "{file}: {entries} entries that fit, head {head}; {problem}{also:if ; @}"
        "{anchored:if ; it once held entry @}{anchored_hash:if , hash @}"
        "{wrong_pins:if ; wrong PINs while the table was closed: @}{by:if ; decided by floorperson @}"
    ),
    # what differs from a record
    "other-outcome": "it was accepted by one and refused by the other",
    "other-state": "it led to another state",
    "other-effects": "it had other effects",
    "entry-unreadable": "it cannot be read",
    "entry-fails": "this software cannot process it",
    "rules-without-devices": "the devices cannot play its rules",
    "clock-unset": "not set since the computer was switched on",
    "clock-of-no-table": "the computer's clock says {day}",
    "clock-not-as-record": "the computer's clock says {day}, and the record ends on {record}",
    # what is wrong with a device
    "device-gone": "{detail}",
    "medium-gone": "{detail}",
    "journal-recovered": "{file} was made of the {entries} entries of {source}"
    "{kept:if , and @ has what was there before}",
    "entries-copied": "{file}: entries that were missing were copied to it: {entries}",
    "closed-since-start": "closed since the table started: {switches:area}",
    "too-many-presses": "more than {per_s} presses a second; none is taken until it is silent for {calm_s} s",
    "presses-not-taken": "{presses} presses were not taken",
    # what a tracker finds wrong with a sensor
    "edges-lost": "{edges} edges lost in the kernel's buffer",
    "stamps": "time stamps run backwards",
    "unseen-edge": "an edge was never seen",
    "stuck-line": "does not change while the other line does",
    "level": "its level at rest is not what its last edge said",
    "no-index": lambda found: f"no index pulse in {'a full turn' if found['turns'] == 1 else 'two turns'}",
    "astray": "{counts} counts off at the index mark",
    "too-fast": "strikes come faster than the wheel's pegs: its line is noisy, or the encoder does not count",
    "off-peg": "a strike is not at a peg: the encoder slipped, counts were lost, or the contact opened by itself",
    "other-peg": "strikes do not match the travel: the encoder slipped, or counts were lost",
    "no-strike": "the wheel passed a peg without a strike",
    "let-go": "its contact closed where no peg releases the clapper",
    "turned-free": "it turns back where the leather has slipped off: a line is broken",
    "elsewhere": "hangs free where a peg should bend it, or in another section",
    "bent-in-section": "deflected in the middle of a section",
    "stuck-bent": "deflected over more than a section",
    "dead-contact": "its contact is closed where a peg opens it",
    "released-too-soon": "its contact closed before the wheel can have turned back",
    "peg-drifted": _drifted,
    "index-counts": "{counts} counts between two index pulses",
    "crossed-lines": "{line} changes at the index: lines A and B are crossed",
    "beam-edges-lost": "edges lost in the kernel's buffer",
    "beam-dark": "something blocks the beam, or its wire is broken",
    "beam-missed": "the ball passed the other beam twice without passing this one",
    "no-balls-pulses": "pulses that no ball can make",
    "no-balls-pass": "a pass that is not the ball's",
    # what a tracker finds that a hand did to a wheel
    "pushed-again": "pushed again: from {slow} to {fast} degrees/s",
    "uneven": (
        "{braked:if braked, by @ sections}{pushed:if pushed, by @ sections}, "
        "about {turns} turns after it was let go"
    ),
    "stopped-short": "stopped {sections} sections before it would have stopped by itself",
    "stopped-fast": "stopped at {speed} degrees/s",
    "pushed-back": "pushed back after it had stopped",
    "moved-on": "moved on after it had come to rest",
    "gained": "pushed {back:if on after it had turned back, }to {speed} degrees/s in the last sections",
    "turned-at-speed": "turned back without slowing down: by a hand, or the encoder's lines are disturbed",
    "counted-at-once": "two counts at once of a wheel that was slow before and after: edges are missing",
    "gained-under-peg": "pushed on while a peg bent the clapper",
    "weak": "went past a peg without the energy for it: pushed, or the encoder's lines are disturbed",
    # dice and cards
    "age-near": "The {equipment:code} must be changed soon.",
    "age-near.remedy": "No wager is accepted on {equipment:code} older than {hours} h ({clause}).",
    "age-reached": "The {equipment:code} have reached their age of {hours} h ({clause}).",
    "age-reached.remedy": _CHANGE,
    "age-unknown": "The clock was set back: the age of the {equipment:code} is not known.",
    "age-unknown.remedy": _CHANGE,
    "age-uncertain": "The age of the {equipment:code} is not certain: at least {hours} h.",
    "age-uncertain.remedy": "Set the clock, or change them.",
    "renewed": "New {equipment:code} are in use, recorded by {by:who}.",
    "dice": "dice",
    "cards": "cards",
    # people
    "unlocked": "{by:who} opened the lock.",
    "called": "{control:area} was called.",
    "identity-refused": "Credential {number}: number or PIN is wrong.",
    "identity-refused.remedy": _again(_TURN),
    "identity-early": "Number and PIN were keyed too early after a wrong PIN.",
    "identity-early.remedy": _again(_TURN),
    "log-on-refused": "No dealer has the number that was keyed, or the PIN is wrong.",
    "log-on-refused.remedy": _again(_PRESS),
    "log-on-early": "A dealer's PIN was keyed too early after a wrong one.",
    "log-on-early.remedy": _again(_PRESS),
    "prompt-open": "Answer the prompt first, or press CLEAR",
    "pressed-twice": "The key was pressed twice",
    "not-offered": "This is not possible now",
    "settle-first": "settle the result first",
    # prompts
    "key-floorperson-number": "FLOORPERSON: key your credential number. Then press ENTER.",
    "key-floorperson-pin": "FLOORPERSON: key your PIN. Then press ENTER.",
    "key-log-on-number": "DEALER: key your number. Then press ENTER. No number logs off.",
    "key-log-on-pin": "DEALER: key your PIN. Then press ENTER.",
    "entry-discarded": "The entry was interrupted. Press ENTER or CLEAR.",
    "key-the-entry-again": "The entry was discarded. Key it again.",
    "prompt-expired": "The prompt was closed after {seconds} seconds without input.",
    "floorperson-unknown": _again(_TURN, "Number or PIN is wrong. ", _CANCEL),
    "floorperson-too-early": _again(_TURN, "That was too early after a wrong PIN. ", _CANCEL),
    "log-on-unknown": _again(_PRESS, "No dealer has this number, or the PIN is wrong. ", _CANCEL),
    "log-on-too-early": _again(_PRESS, "That was too early after a wrong PIN. ", _CANCEL),
    "changed-meanwhile": "The table changed meanwhile. Choose again.",
    "nothing-chosen": "Nothing was chosen. Press CLEAR. To choose, turn the key again.",
    "turn-the-key": "FLOORPERSON: turn the key to allow this: {act:code}{argument:reason}. CLEAR cancels.",
    "choice": "{act:code}{argument:reason}",
    "confirm": "{act:code}{argument:reason}? Turn the key to confirm. CLEAR cancels.",
    "choose-reason": "{control:area}: choose one.",
    "floor-menu": "FLOOR MENU ({by:who})",
    "menu-other": "identify as another floorperson",
    "menu-leave": "leave",
    "menu-unlock": "Open the lock",
    "menu-renew": "Record new equipment",
    "menu-void": "Void the round",
    "menu-correct": "Correct an entry",
    "menu-end-round": "End the round: return all wagers",
    "menu-close": "Close the table",
    "menu-open": "Open the table",
    "menu-inspect": "Inspect the table",
    "menu-confirm": "Confirm",
    "menu-limits": "Proposed limits or rules",
    "confirm-limits": "confirm",
    "drop-limits": "drop",
    "menu-begin-journal": "Begin a new journal, and keep the old one",
    "dealers-calls": "The dealer called no spin or no roll {calls} times in a row.",
    "dealers-calls.remedy": "Watch the next rounds.",
    "done-void": "{by:who} made the round void: {argument:code}.",
    "done-correct": "{by:who} allowed a correction.",
    "done-reverse": "{by:who} took a void back.",
    "done-reverse.remedy": "Check that all wagers are still on the layout.",
    "done-end-round": "{by:who} ended the round. All wagers are returned.",
    "done-close": "{by:who} closed the table.",
    "done-open": "{by:who} opened the table.",
    "done-renew": "{by:who} recorded new {argument:code}.",
    "done-inspect": "{by:who} began an inspection.",
}

# -- what is recorded, by kind -------------------------------------------------------------------------------------

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


def _rested(rested: Values) -> str:
    """Revolutions to two decimals, cut rather than rounded: one count less than three is not 3.00."""
    whole, hundredths = divmod(rested["travel_counts"] * 100 // rested["counts_per_turn"], 100)
    return f"at rest after {whole}.{hundredths:02} revolutions" if rested["travel_counts"] else ""


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


_ACT = "{act:plain}{argument:plain if , @}"
_BY = "{by:if ; by @}"
_LIMITS = "{minimum} to {maximum}{payout:if , at most @ paid in a round}{currency:if  (in @)}"
_AGAINST = {None: "", True: ", against the rotor", False: ", with the rotor"}

RECORD_WORDS: Words = {
    # keys, prompts and people
    "press": "{control} pressed",
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
    "table-started": "table {table} starts on an empty journal{replaces:if  in the place of @}",
    "power-restored": "power restored: the table goes on where its journal ends",
    "rules-changed": (
        "the {of_file:if table's file else software} was changed: version {version_before} ("
        "{software_before:.12if software @, }configuration {configuration_before:.12}) decided entry {entry} "
        "otherwise: {what:code}"
    ),
    # effects
    "light": "{areas:if lit: @ else dark}",
    "result": lambda result: (
        f"RESULT {result['label']}: "
        + (", ".join(f"{win.area} pays {win.pays}" for win in result["wins"]) or "no area wins")
    ),
    "result-withdrawn": "RESULT WITHDRAWN {label}{settled:plain if , @}",
    "bonus": lambda bonus: (
        f"SPIN AGAIN {bonus['label']}: wagers stay"
        if bonus["multiplier"] == 1
        else f"BONUS {bonus['label']}: the next result pays {bonus['multiplier']} times"
    ),
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
