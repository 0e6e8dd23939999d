"""Sentences of the games with three keyed-in dice, by code."""

from controller.events.words import Parameters, Phrase, Words, spoken

_KEY = "Key the three dice, 1 to 6 each, then press ENTER: {entry}."
_SETTLED = "FLOORPERSON: when all wagers are settled, turn the key twice."
_IF_SO = "FLOORPERSON: if so, turn the key twice."


def void(reason: str) -> Phrase:
    """A reason for a void, with the result that it takes back, if there was one."""

    def said(parameters: Parameters) -> str:
        dice, settled = parameters.get("dice", ""), str(parameters.get("settled", "")).replace("-", " ")
        return reason + (f"; {dice} was on record" if dice else "") + (f", {settled}" if settled else "")

    return said


def _key(parameters: Parameters) -> str:
    corrects = parameters["corrects"]
    return _KEY.format(**parameters) + (f" Correction of {corrects}." if corrects else "")


def _unkeyed(parameters: Parameters) -> str:
    return f"MALFUNCTION. {_key(parameters)} If the keys fail, settle all wagers by the dice. {_SETTLED}"


def _lit(parameters: Parameters) -> str:
    pairs = (one.partition(" ") for one in str(parameters["wins"]).split(",") if one)
    wins = ", ".join(f"{spoken(area)} ({pays})" for area, _, pays in pairs)
    return f"MALFUNCTION. The dice are {parameters['dice']}. Collect losing wagers. Pay {wins}. {_SETTLED}"


WORDS: Words = {
    # instructions
    "dice-closed": "The table is closed. FLOORPERSON: turn the key twice to inspect it.",
    "dice-inspection-key": "Inspection: press the keys that had failed: {keys:area}. (CLEAR: stop.)",
    "dice-inspection-entry": f"Inspection, value {{number}} of {{of}}. {_KEY} (CLEAR: stop.)",
    "dice-inspection-lit": (
        f"Inspection of {{dice}}: is each winning area lit, and no other? {_IF_SO} (CLEAR: it is not.)"
    ),
    "dice-inspection-lamp": "Inspection: watch each area light up alone: {area:area}. (CLEAR: a lamp is wrong.)",
    "dice-inspection-lamps": (
        f"Inspection: did each area light up alone? {_IF_SO} (ENTER: once more. CLEAR: a lamp is wrong.)"
    ),
    "dice-inspection-failed": (
        f"Inspection: did each area light up alone, {{failed:area}} too? {_IF_SO} "
        "(ENTER: once more. CLEAR: a lamp is wrong.)"
    ),
    "dice-inspection-shaker": "Inspection, cycle {number} of {of}. Start the shaker. (CLEAR: it does not work.)",
    "dice-inspection-cycled": (
        f"Inspection, cycle {{number}} of {{of}}: were the dice tossed properly? {_IF_SO} (CLEAR: they were not.)"
    ),
    "dice-bets-open": 'Call "No more bets", then press NO MORE BETS.',
    "dice-shaking": "Cover the shaker. Shake it at least three times. Uncover it and key the three dice.",
    "dice-shaking-automated": "Start the shaker. Wait for the toss. If it fails, call the floorperson.",
    "dice-shaking-resumed": "If the dice are uncovered, key them: do not shake again. If not, shake and uncover.",
    "dice-entry": _key,
    "dice-toss-in-doubt": (
        "{doubt:code} FLOORPERSON: if the dice of the first toss are known, turn the key twice. "
        "If not, void the round in the floor menu."
    ),
    "dice-result": "Collect all losing wagers. Then press DONE.",
    "dice-losers-collected": "Pay all winning wagers. Then press DONE, or CLEAR for the next round.",
    "dice-winners-paid": "Press CLEAR for the next round.",
    "dice-malfunction": _unkeyed,
    "dice-malfunction-lit": _lit,
    "dice-malfunction-paid": f"MALFUNCTION. The dice are {{dice}}. {_SETTLED}",
    # voids
    "dice-not-flat": void("the dice are not flat"),
    "shaker-failed": void("the automated shaker failed"),
    "not-tossed": void("the dice were not tossed"),
    "second-toss": void("the dice were tossed twice"),
    "die-lost": void("a die was lost or moved"),
    "toss-seen": "the shaker signalled a toss",
    "no-toss-seen": "the shaker signalled no toss",
    "no-second-toss": "the shaker signalled no second toss",
    "dice-may-be-seen": "People may have seen the dice",
    "settle-first": "settle the round first, or void it",
    "lamps-are-tried": "the areas still light up one by one",
    # the shaker
    "toss-late": "The automated shaker has not tossed the dice.",
    "toss-late.remedy": "Start it. If it fails, the floorperson voids the round.",
    "tossed-early": "The shaker ran while wagers were open.",
    "tossed-early.remedy": 'This is no toss. Call "No more bets", then start the shaker again.',
    "toss-power": "The power failed during the toss.",
    "toss-again": "The shaker ran a second time.",
    "toss-again.remedy": "{counts:code}",
    "shaker-failed-late": "The shaker reported a failure after its toss.",
    "shaker-failed-late.remedy": "{counts:code}",
    "toss-seen-late": "The shaker signalled a toss.",
    "toss-seen-late.remedy": "{counts:code}",
    "floor-decides": "The floorperson decides if the dice of the first toss are known.",
    "first-toss-counts": "The dice on record count.",
    "first-toss-keyed": "{doubt:code} {by:who} has the dice of the first toss keyed.",
    "shaker-dice": "dice of the automated shaker",
    # the inspection
    "inspection-begins": "{by:who} began the inspection.",
    "inspection-cut": "The power failed during the inspection. Inspect the table again.",
    "inspection-not-passed": "The inspection was not passed: {why:code}.",
    "inspection-not-passed.remedy": "Repair the table if necessary. Then inspect it again.",
    "given-up": "it was stopped",
    "panel-wrong": "the panel does not light the winning areas",
    "lamp-wrong": "a lamp is dark, or not lit alone",
    "toss-wrong": "the dice were not tossed properly",
    "key-tried": "Inspection: the key {key:area} had failed and works.",
    "inspected-value": "Exactly the winning areas are lit",
    "inspected-value.confirmed": "{by:who} confirmed the lit areas of {dice}.",
    "inspected-lamps": "Each area was lit alone",
    "inspected-lamps.confirmed": "{by:who} confirmed that each area was lit alone{failed:area if : @}.",
    "inspected-cycle": "The dice were tossed properly",
    "inspected-cycle.confirmed": "{by:who} confirmed a cycle of the shaker.",
    "inspection-passed": "{by:who} passed the inspection.",
    # people
    "wagers-reopened": '"No more bets" was taken back. Wagers are open again.',
    "wagers-reopened.remedy": "Check that the dice are still covered.",
    "corrected": "{before} was corrected to {after}.",
    "void-reversed": "The void was a mistake. The round goes on with the dice as they are.",
    "settled": "{dice} was settled in the presence of {by:who}.",
    "settled-unkeyed": "The wagers were settled in the presence of {by:who}. The dice were not keyed.",
    "menu-confirm": "{argument:code}",
    "menu-first-toss": "Key the dice of the first toss",
    "menu-settled": "All wagers are settled: close the table",
    "menu-reverse": "Take the void back: key the dice",
    "menu-shaker-removed": "The automated shaker was removed",
    "menu-shaker-installed": "An automated shaker was installed",
    "done-shaker-removed": "{by:who} recorded that the automated shaker was removed.",
    "done-shaker-installed": "{by:who} recorded that an automated shaker was installed.",
}
