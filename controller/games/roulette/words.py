"""Sentences of Roulette, by code."""

from collections.abc import Callable

from controller.events.table_words import TABLE_WORDS
from controller.events.words import Parameters, Text, Words, say
from controller.games.roulette.layout import COLOURS
from controller.games.roulette.rules import PARTS, WORKS, in_words

_Phrase = Callable[[Parameters], str]


def _code(found: Parameters, name: str) -> str:
    """The sentence of a parameter that is a code."""
    code = str(found.get(name, ""))
    return say(WORDS, Text(code, dict(found))) if code else ""


def _sensor_fault(found: Parameters) -> str:
    which = f" {say(TABLE_WORDS, Text('fault', dict(found)))}." if "found" in found else ""
    return f"The sensors cannot be trusted.{which}"


def _pocket(found: Parameters, name: str) -> str:
    pocket = str(found.get(name, ""))
    return in_words(pocket) if pocket in COLOURS else pocket


def _pockets(sentence: str) -> _Phrase:
    """A sentence whose parameters are pockets."""
    return lambda found: sentence.format_map({name: _pocket(found, name) for name in found})


# -- before the number is known --------------------------------------------------------------------------------


def _inspecting(found: Parameters) -> str:
    words = f"Inspection, step {found['number']} of {found['of']}: {_code(found, 'step')}"
    if found["step"] == "trial-spin" and "revolutions" in found:
        words += f" {_seen(found)} If this is wrong, wires are crossed, or rotor.reversed is wrong."
    return f"{words} FLOORPERSON: turn the key. ENTER confirms."


def _seen(found: Parameters) -> str:
    ways = "".join(
        f"the {part} {found[key]}, " for key, part in (("rotor", "wheel"), ("ball", "ball")) if key in found
    )
    return f"Seen: {ways}{found['revolutions']} revolutions."


def _throw(found: Parameters) -> str:
    if found.get("checked"):
        return "Turn the wheel and throw the ball against it."
    return "Throw the ball. (One beam: only the dealer sees whether it runs against the wheel.)"


def _early(found: Parameters) -> str:
    return f"{_code(found, 'untimely')} Take the ball out. " if found.get("untimely") else ""


def _respin(found: Parameters) -> str:
    may_be_damaged = found["void"] in ("fewer-than-four-revolutions", "ball-left-wheel", "ball-lost")
    look = " and check it for damage (the floorperson gives a new one)" if may_be_damaged else ""
    out = _early(found) or f"No spin. {_code(found, 'void')} Take the ball out{look}. "
    twice = " If this is wrong again, wires may be crossed: the floorperson closes and inspects the table."
    return f"{out}Wagers stay. {_throw(found)}{twice * (int(found['doubted']) > 1)}"


def _keying(found: Parameters) -> str:
    pockets = "0 to 36" if found["wheel"] == "single-zero" else "0, 00 or 1 to 36"
    return f"Key the number ({pockets}). Then press ENTER: {found['entry'] or '_'}"


def _entry(found: Parameters) -> str:
    if found["source"] == "reader":
        return "The ball comes to rest. Wait for the wheel reader."
    if found["entered"]:
        return f"{_pocket(found, 'entered')} is entered. Wait for the wheel reader. (CLEAR: key it again.)"
    return f"Announce the number. {_keying(found)}"


def _deciding(found: Parameters) -> str:
    what = f"{_pocket(found, 'corrects')} is corrected." if found["corrects"] else _code(found, "doubt")
    return f"{what} FLOORPERSON: look at the ball. {_keying(found)}".lstrip()


# -- results and voids -----------------------------------------------------------------------------------------


def _result(found: Parameters) -> str:
    centres = str(found["fifths"]).replace(",", ", ")
    moved = f"Move a fifth of each five-number wager on {centres} to {found['pocket']}. " if centres else ""
    place = f"Announce {_pocket(found, 'pocket')} and place the point marker."
    return f"{place} {moved}Collect all losing wagers. Then press DONE."


def _late(found: Parameters) -> str:
    seconds, thousandths = divmod(int(found["late_ms"]), 1000)
    return f'"No more bets" was called late, {seconds}.{thousandths:03} s after the ball last passed a beam.'


def _dealer_late(found: Parameters) -> str:
    entry = f"keyed {found['begun']} without ENTER" if found["begun"] else "entered nothing"
    return f"The dealer {entry} in {found['seconds']} s. {_named(found)}"


def _named(found: Parameters) -> str:
    """What reader and dealer said, and how far a result was settled."""
    said = {"reading": "The reader named", "keyed": "The dealer entered", "result": "The result was"}
    named = (f"{words} {_pocket(found, name)}." for name, words in said.items() if found.get(name))
    late = '"No more bets" was not called.' if found.get("uncalled") else ""
    return " ".join(filter(None, (*named, _code(found, "settled"), late)))


def _called(sentence: str) -> _Phrase:
    """What people say of a spin, with what speaks for and against it."""
    return lambda found: " ".join(filter(None, (sentence, _code(found, "denied"), _named(found))))


WORDS: Words = {
    # instructions
    "roulette-closed": (
        "The table is closed. Lock the cover on the wheel. "
        "Turn the floorperson's key, and choose the inspection in the menu."
    ),
    "roulette-work-witness": (
        "{work:code}, by {worker:who}. The security member who was present turns the key. (CLEAR: log nothing.)"
    ),
    "roulette-inspecting": _inspecting,
    "roulette-bets-open": lambda found: (
        f"{_early(found)}Place wagers. {_throw(found)} (NO SPIN: the table does not see the ball run.)"
    ),
    "roulette-respin": _respin,
    "roulette-ball-running": 'Call "No more bets", then press NO MORE BETS.',
    "roulette-no-more-bets": "The ball is running.",
    "roulette-late-call": 'The ball has left the track. Call "No more bets" now and press NO MORE BETS.',
    "roulette-entry": _entry,
    "roulette-dispute": lambda found: f"{_code(found, 'doubt')} FLOORPERSON: look at the ball, then turn the key.",
    "roulette-deciding": _deciding,
    "roulette-result": _result,
    "roulette-losers-collected": "Pay all lit areas and the wagers listed. Then press DONE. (CLEAR: next round.)",
    "roulette-winners-paid": lambda found: f"{_early(found)}Remove the point marker. Then press CLEAR.",
    # the inspection and its log
    "ball-not-magnetic": "Pass the ball over a magnet or compass: it is not magnetic.",
    "no-contrivance": "Table and wheel have no magnet or contrivance.",
    "trial-spin": "The wheel is level and turns freely and evenly. Turn the wheel and throw the ball against it.",
    "parts-secure": "All parts of the wheel are secure and free from movement.",
    "double-zero-covered": "The 00 area is covered. Signs say: 00 is no wager and no spin, 0 loses outside wagers.",
    "no-trial-spin": "no valid trial spin was seen",
    "inspection-of-another": "{by:who} began this inspection",
    "witness-is-worker": "The witness is another person than {by:who}",
    "trial-seen": _seen,
    "trial-failed": lambda found: f"The trial spin does not count. {_code(found, 'reason')} {_seen(found)}",
    "trial-failed.remedy": "If this is wrong, wires are crossed, or rotor.reversed is wrong. Try again, or refuse.",
    "step-confirmed": "{by:who} confirmed: {step:code}",
    "inspection-dropped": "The inspection was interrupted. Begin again.",
    "log-dropped": "Nothing was logged.",
    **{f"{work}-of-{part}": f"{work} of {part.replace('-', ' ')}" for work in WORKS for part in PARTS},
    # the call, the reader, the dealer's entry
    "call-missing": 'The ball runs, and "No more bets" was not called.',
    "call-missing.remedy": 'Call "No more bets" now and press NO MORE BETS.',
    "not-called": '"No more bets" was not called in this spin.',
    "called-late": _late,
    "called-late.remedy": "Call it while the ball is in the track (§ 617a.5(b)).",
    "disputed": lambda found: f"The result is disputed. {_code(found, 'doubt')}",
    "disputed.remedy": "The floorperson decides.",
    "reader-silent": "The reader is silent.",
    "reader-late": _pockets("The reader was late: it named {reading} only now."),
    "reader-of-another-wheel": "The reader names {reading}, which this wheel does not have.",
    "reader-changed": _pockets("The reader named {before}, then {reading}."),
    "reader-not-understood": "The reader's message is unreadable: {detail}.",
    "read-too-early": _pockets("The reader named {reading} while the ball was in the track."),
    "read-after-result": _pockets("The reader names {reading}. The result is {pocket}."),
    "read-after-result.remedy": "Look at the ball. CORRECT corrects the result.",
    "dealer-late": _dealer_late,
    "entries-differ": _pockets("The dealer entered {keyed}, the reader names {reading}."),
    "number-decided": lambda found: f"{_pocket(found, 'number')} was decided. {_code(found, 'doubt')}",
    "number-corrected": _pockets("{before} was corrected to {number}."),
    "number-confirmed": _pockets("{number} was confirmed."),
    # no spin
    "ball-left-wheel": _called("The ball left the wheel."),
    "foreign-object": _called("A foreign object entered the wheel."),
    "same-direction": _called("The ball ran in the direction of the wheel."),
    "fewer-than-four-revolutions": _called("The ball made fewer than four revolutions."),
    "ball-not-seen": _called("The table did not see the ball run."),
    "ball-not-seen.remedy": "Repair the ball sensors. Then turn the floorperson's key twice.",
    "thrown-again": _called("The ball was thrown again before its number was known."),
    "called-off": _called("The floorperson called the spin off."),
    "ran-against-the-wheel": "The sensors saw it run against the wheel.",
    "revolutions-counted": "The sensors counted {revolutions} revolutions.",
    "ball-still-runs": "It was still running.",
    "ball-was-seen": "the table saw the ball run",
    "not-thrown-again": "the ball was not thrown again",
    "no-spin-runs": "no spin is running",
    "ball-lost": "The ball left the track too fast. It left the wheel, or somebody took it out.",
    "rotor-not-turning": "The wheel did not turn in one direction all the time.",
    "sensor-fault": _sensor_fault,
    "sensor-fault.remedy": "Repair the sensor. Then turn the floorperson's key twice.",
    "double-zero": "The ball rests in 00, which is no wager here.",
    "not-at-rest": "The ball did not leave the track.",
    "not-at-rest.remedy": "Look for noise on the lines of the beams.",
    "thrown-before-clear": "The ball was thrown before the last round was cleared.",
    "thrown-before-clear.remedy": "Take the ball out. Throw it again once wagers are placed.",
    "thrown-while-locked": "The ball was thrown while the table was locked.",
    "thrown-while-locked.remedy": "Take the ball out. Throw it again once the lock is opened.",
    "power-cut": "The power failed while the ball was running.",
    "void-denied": "The ball was called out of the wheel, but it ran on until it came down.",
    "void-denied.remedy": "The floorperson looks at the wheel. The void can be taken back.",
    "result-void": lambda found: f"A result was made void. {_named(found)}",
    "result-void.remedy": "Put back collected wagers and take back payouts. Wagers stay for the next spin.",
    "losers-collected": "Losing wagers were collected on it.",
    "winners-paid": "Winning wagers were paid on it.",
    "no-spin-first": "end the spin first",
    # the floor menu
    "menu-inspect": "Inspect the wheel and open the table",
    "menu-log-adjustment": lambda found: f"Log {_code(found, 'argument') or 'an adjustment'}",
    "menu-log-replacement": lambda found: f"Log {_code(found, 'argument') or 'a replacement'}",
    "menu-witness": "Confirm the log entry as its witness",
    "menu-refuse": "Refuse the inspection at this step",
    "menu-decide": "Decide the number",
    "menu-correct": "Correct the number",
    "menu-reverse": "Take the void back: the spin counts",
    "menu-void": "Call no spin",
    "menu-new-ball": "Record a new ball",
    **{f"done-log-{work}": "{by:who} logs {argument:code}." for work in WORKS},
    "done-refuse": "{by:who} refused the inspection: {argument:code}",
    "done-refuse.remedy": "Repair it. Then inspect again.",
    "done-void": "{by:who} called no spin: {argument:code}",
    "done-new-ball": "{by:who} gave a new ball (§ 617a.6).",
}
