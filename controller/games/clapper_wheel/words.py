"""Sentences of the games on a wheel with a clapper, by code."""

from controller.events.words import Parameters, Phrase, Words

_SPIN = "Spin the wheel again."


def _bonus(parameters: Parameters) -> str:
    by = int(parameters.get("multiplier", 1))
    return f" The next result pays {by} times." if by > 1 else ""


def _respin(parameters: Parameters) -> str:
    reason = WORDS.get(str(parameters["void"]), "")
    said = reason if isinstance(reason, str) else reason({})
    return f"{_SPIN} {said if '{' not in said else ''}".rstrip() + _bonus(parameters)


def _void(sentence: str) -> Phrase:
    """Why the floorperson made a spin void, with the result that this takes back, if there was one."""

    def said(parameters: Parameters) -> str:
        result = f" The result was {parameters['result']}." if parameters.get("result") else ""
        return sentence + result + (" Losing wagers were collected." if parameters.get("settled") else "")

    return said


def _free(parameters: Parameters) -> str:
    return f"All wagers stay. {_SPIN}{_bonus(parameters)}"


WORDS: Words = {
    "wheel-closed": "The table is closed. The floorperson's key opens it.",
    "wheel-locating": "Turn the wheel by hand, once around. Then let it rest.",
    "wheel-locating-twice": "Turn the wheel by hand, twice around. Then let it rest.",
    "wheel-confirming": (
        "FLOORPERSON: is the clapper in section {number} of {of} ({section})? If it is, turn the key twice. "
        "If not, call the technician."
    ),
    "wheel-bets-open": 'Call "No more bets", then press NO MORE BETS.',
    "wheel-no-more-bets": "Spin the wheel. (CLEAR: wagers are open again.)",
    "wheel-spinning": lambda found: f"The wheel is turning. Let it rest.{_bonus(found)}",
    "wheel-void-spin": "This spin is void. Let the wheel rest.",
    "wheel-respin": _respin,
    "wheel-bonus": _free,
    "wheel-result": "Collect all losing wagers. Then press DONE.",
    "wheel-losers-collected": "Pay all winning wagers. Then press DONE.",
    "wheel-winners-paid": "Press CLEAR for the next round.",
    "wheel-moves": "The wheel is moving. Let it come to rest. Then press again.",
    "settle-first": "settle the result first, or make the spin void",
    # voids
    "wagers-open": "The wheel was thrown while wagers were open.",
    "thrown-before-clear": "The wheel was thrown before the round was cleared. That spin is void.",
    "thrown-before-clear.remedy": "Let it rest. Press CLEAR, then take wagers for the next spin.",
    "fewer-than-three-revolutions": "The wheel made fewer than three full revolutions.",
    "between-sections": "The clapper is at the peg between {one} and {other}.",
    "sensor-fault": "The sensors disagree: {sensor} {health}: {found:code}.",
    "sensor-fault.remedy": "Repair the sensor. Then turn the floorperson's key twice.",
    "touched": "A hand touched the wheel: {hand:code}.",
    "spin-touched": "A hand touched the wheel: {hand:code}.",
    "spin-touched.remedy": "Watch the next spins.",
    "position-unknown": "The position of the wheel is not known.",
    "table-locked": "The wheel was spun while the table was locked.",
    "not-at-rest": "The wheel did not come to rest.",
    "not-at-rest.remedy": "Look for noise on the encoder's lines.",
    "power-cut": "The power failed while the wheel was turning.",
    "wheel-hindered": _void("The wheel was touched or hindered."),
    "late-wagers": _void('Wagers were placed or moved after "No more bets".'),
    "spin-called-off": _void("The floorperson called the spin off."),
    # notes, alerts and acts
    "sensor-fault-late": "The result is valid. A sensor disagrees after it: {sensor} {health}: {found:code}.",
    "sensor-fault-late.remedy": "Settle this round. Then the table locks.",
    "sensor-disagreed": "A sensor disagreed after the last result.",
    "sensor-disagreed.remedy": "Repair the fault. Then turn the floorperson's key twice.",
    "not-located-yet": "The wheel is not located yet. Keep turning it.",
    "moved-after-result": "The wheel was moved after its result. The result is valid.",
    "wagers-reopened": '"No more bets" was taken back. Wagers are open again.',
    "position-confirmed": "{by:who} confirmed the wheel's position.",
    "wheel-position": "the wheel's position",
    "void-reversed": "The spin counts: the void was a mistake.",
    "menu-void": "Make the spin void: spin again",
    "menu-reverse": "Take the void back: the spin counts",
}
