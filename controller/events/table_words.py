"""Sentences of the table layer, by code: causes, alerts, prompts, the floor menu. A game adds its own table.

``….remedy`` is what to do about an alert or a cause.
"""

from collections.abc import Callable

from controller.events.words import Parameters, Words, remedy

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
    "clock-in-doubt.remedy": "Connect the network, or set the clock.",
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
    "not-counting": "the clapper is struck, but the encoder does not count; or the clapper's line is noisy",
    "too-fast": "strikes come faster than the wheel's pegs",
    "strikes-in-turn": "{strikes} strikes in a turn of {sections} sections",
    "off-peg": "a strike is not at a peg: the encoder slipped, or counts were lost",
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
