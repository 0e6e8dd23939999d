"""What a table with keyed-in dice waits for, as text for the dealer."""

from collections.abc import Callable

from controller.events.text import spoken
from controller.games.dice.rules import (
    INSPECTED_VALUES,
    NO_ROLLS,
    SHAKER_CYCLES,
    DiceData,
    DiceState,
    S,
    dice_words,
    entry_words,
    undecided,
)
from controller.games.shared.closing import cause_words, closed_words
from controller.games.shared.entry import DICE
from controller.games.shared.floor import CORRECTION_WORDS, MENU_PROMPT

NO_ROLL_PROMPT = "why is the round void? Choose, or clear to leave"


def _menu_prompt(data: DiceData) -> str:
    """What the floorperson does, and why the table is closed."""
    return f"{MENU_PROMPT} (closed: {cause_words(data)})" if data.cause else MENU_PROMPT


def waiting_for(state: DiceState, data: DiceData) -> str:
    """What the table waits for, in words for the dealer."""
    words = _KEYED.get(state)
    if words is not None:
        return words(data)
    return _FIXED[state]


def _entry(data: DiceData) -> str:
    again = f" (correction of {dice_words(data.corrects)})" if data.corrects else ""
    if len(data.entry) == DICE:
        return f"{entry_words(data.entry)}{again}: press enter, or clear to key it again"
    return f"key the three dice, 1 to 6 each: {entry_words(data.entry)}{again}"


def _shaking(data: DiceData) -> str:
    if data.automated:
        return "start the shaker and wait until it has tossed the dice; if it does not, press no roll"
    if data.resumed:
        return (
            "the power went: if the dice lie uncovered, key them, 1 to 6 each, and do not shake again; "
            "if not, shake and uncover"
        )
    return "cover, shake at least three times, uncover; key the three dice, 1 to 6 each, then enter"


def _inspection_entry(data: DiceData) -> str:
    which = f"inspection, value {data.inspected + 1} of {INSPECTED_VALUES}"
    return f"{which}: key three dice, 1 to 6 each, then enter: {entry_words(data.entry)}; clear leaves"


def _inspection_key(data: DiceData) -> str:
    return f"inspection: press {', '.join(map(spoken, data.failed_keys))}, which had failed; clear leaves"


def _inspection_lamps(data: DiceData) -> str:
    had = f"; {', '.join(map(spoken, data.failed_lamps))} had failed" if data.failed_lamps else ""
    if data.trying:
        return f"inspection: every area burns alone, in order: {spoken(data.trying)}{had}; clear refuses"
    return (
        f"inspection: did every area burn alone{had}? The floorperson's key confirms, enter lights them again, "
        "clear refuses"
    )


def _inspection_shaker(data: DiceData) -> str:
    which = f"inspection, cycle {data.cycles + 1} of {SHAKER_CYCLES}"
    if data.cycled:
        return f"{which}: were the dice properly tossed? The floorperson's key confirms, clear refuses"
    return f"{which}: start the shaker"


def _malfunction(data: DiceData) -> str:
    if data.wins:
        won = ", ".join(f"{spoken(win.area)} ({win.pays})" for win in data.wins)
        return (
            f"malfunction ({cause_words(data)}): {dice_words(data.entry)}: collect the losing wagers and pay {won} "
            "before a floorperson, who then turns the key; correct and no roll are still possible"
        )
    again = f" (correction of {dice_words(data.corrects)})" if data.corrects else ""
    words = (
        f"malfunction ({cause_words(data)}): key the three dice, then enter: {entry_words(data.entry)}{again}; if "
        "they cannot be keyed, settle all wagers by the dice before a floorperson, who then turns the key"
    )
    if undecided(data):
        words += "; if the dice were not tossed or do not all lie flat, return the wagers and press no roll"
    return words


def _doubt(data: DiceData) -> str:
    return (
        f"{data.doubt}: the floorperson's key has the dice of the first toss keyed, if they are known; "
        "if not, press no roll"
    )


_KEYED: dict[DiceState, Callable[[DiceData], str]] = {
    S.CLOSED: lambda data: f"{closed_words(data)} for the inspection",
    S.ENTRY: _entry,
    S.SHAKING: _shaking,
    S.MENU: _menu_prompt,
    S.INSPECTION_KEY: _inspection_key,
    S.INSPECTION_ENTRY: _inspection_entry,
    S.INSPECTION_LAMPS: _inspection_lamps,
    S.INSPECTION_SHAKER: _inspection_shaker,
    S.MALFUNCTION: _malfunction,
    S.DOUBT: _doubt,
    S.VOIDING: lambda data: (
        f"the floorperson's key makes the round void ({NO_ROLLS[data.reason].words}); clear leaves the result"
    ),
    S.INSPECTION_LIT: lambda data: (
        f"inspection: does every area that wins on {dice_words(data.entry)} burn, and no other? "
        "The floorperson's key confirms, clear refuses"
    ),
}
_FIXED = {
    S.DICE_DUE: "the dice must be changed: the floorperson's key opens the menu",
    S.BETS_OPEN: "place wagers; call no more bets and press it",
    S.NO_ROLL: NO_ROLL_PROMPT,
    S.RESULT: "collect all losing wagers, then press done",
    S.CORRECTING: CORRECTION_WORDS,
    S.LOSERS_COLLECTED: "pay all winning wagers, then press done, or clear for the next round",
    S.WINNERS_PAID: "press clear for the next round",
}
