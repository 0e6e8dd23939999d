"""Sentences of Three Dice Football, by code."""

from controller.events.words import Parameters, Phrase, Words, spoken

_OF_THE_LAW = {"trips-td": "Trips TD", "quick-strike-td": "Quick Strike TD"}
"""Wagers whose names § 577.3 writes with capitals in a sentence, too."""
_TO_NEXT = ", or NO MORE BETS when wagers are placed"


def area_name(area: str) -> str:
    """The displayed name of an area: ``trips-td`` as ``Trips TD``."""
    return _OF_THE_LAW.get(area) or spoken(area)


def area_words(area: str) -> str:
    """A wager that is settled: ``game-length-2`` as ``game length 2 wagers``."""
    words = area_name(area)
    return f"{words} wagers" if words[-1].isdigit() else words


def situation_words(found: Parameters) -> str:
    """The downs and the distance, as the dealer announces them (§ 577.6(d))."""
    number, yards = ("1st", "2nd", "3rd")[int(found["down"]) - 1], found["yards"]
    what = f"{number} & goal" if found["goal"] else f"{number} down"
    return f"{what}, {yards} yard{'s' if yards != 1 else ''} to go, play {found['play']}"


def _wagers(then: str) -> Phrase:
    return lambda found: f"{situation_words(found)[0].upper()}{situation_words(found)[1:]}. {then}"


def _entry(who: str) -> Phrase:
    def words(found: Parameters) -> str:
        begins = f"Correction of {found['corrects']}" if "corrects" in found else who.format_map(found)
        return f"{begins}. Key the green dice, then the red one: {found['dice']}"

    return words


def _pays(what: str) -> Phrase:
    return lambda found: f"{what} {str(found['wins']).partition(' ')[2]}. Then press DONE."


def _settles(what: str) -> Phrase:
    """A step: collect what loses, and pay the wagers that win."""

    def words(found: Parameters) -> str:
        paid = []
        for win in filter(None, str(found["wins"]).split(",")):
            area, _, odds = win.partition(" ")
            paid.append(f"{area_words(area)} {odds}")
        pay = f"Collect losing {what}. Pay {', '.join(paid)}" if paid else f"Collect all {what}"
        return f"{pay}. Then press DONE{_TO_NEXT if found['next'] else ''}."

    return words


WORDS: Words = {
    # instructions
    "football-closed": "The table is closed. The floorperson's key opens it with new dice.",
    "football-dice-offered": (
        "Offer the dice to position {position}. Press ENTER if it takes them, CLEAR if not. (Or key a position.)"
    ),
    "football-position": "The quarterback is at position {position}. Key the one with the dice. CLEAR cancels.",
    "football-position-keyed": "Position {keyed} takes the dice. Press ENTER. (CLEAR: key it again.)",
    "football-bets-open": _wagers(
        "Place full game and single play wagers. Then press NO MORE BETS. (CORRECT: choose another quarterback.)"
    ),
    "football-bets-open-later": _wagers(
        "Single play wagers may be placed. Then press NO MORE BETS. (CORRECT: key the last dice again.)"
    ),
    "football-throw": _entry("Position {position} throws"),
    "football-extra-point-throw": _entry("Position {position} throws the extra point roll"),
    "football-dice-keyed": "{dice}: press ENTER. (CLEAR: key the dice again.)",
    "football-single-plays": _settles("single play wagers"),
    "football-defense-collected": "Collect all defense wagers. Then press DONE.",
    "football-defense-paid": _pays("Collect all touchdown and extra point wagers. Pay defense wagers"),
    "football-full-game": _settles("other full game wagers"),
    "football-touchdown-paid": _pays("Pay winning touchdown wagers"),
    "football-extra-point": _settles("extra point wagers"),
    "football-extra-point-returned": "Return extra point wagers. Then press DONE: the table closes.",
    "football-settled-next": f"Pass the dice back to position {{position}}. Press CLEAR{_TO_NEXT}.",
    "football-settled-scored": "The game is over. CLEAR opens the next one. (ENTER: position {position} leaves.)",
    "football-settled-over": "The game is over. Press CLEAR for the next one.",
    "football-extra-point-offered": "Is there an extra point wager? Press ENTER to throw it, or CLEAR for none.",
    # refusals
    "football-no-position": "The table has positions 1 to {most}",
    "football-result-is-lit": "The result is lit. The floorperson can correct it",
    "football-settle-first": "settle the result first",
    "football-dice-first": "key and settle the dice that were thrown",
    # voids
    "off-the-table": "A die went off the table (§ 577.5(b)).",
    "on-another-die": "A die came to rest on another (§ 577.5(b)).",
    "not-simultaneous": "The dice did not leave the hand simultaneously (§ 577.5(c)(1)).",
    "end-not-struck": "A die did not strike the far end of the table (§ 577.5(c)(2)).",
    "on-the-bank": "A die came to rest on the bank of chips (§ 577.5(c)(3)).",
    "in-the-cup": "A die came to rest in the dice cup or on a rail (§ 577.5(c)(4)).",
    "crooked": "A crooked device or technique was used (§ 577.5(c)(5)).",
    "improper": "The stickperson considers the throw improper (§ 577.5(c)(6)).",
    "cocked": "A die rests on more than one side, or its face is disputed (§ 577.5(f), (g)).",
    "game-called-off": "The floorperson called the game off.",
    "void-reversed": "The game was called off by mistake. It goes on.",
    # notes and alerts
    "football-quarterback": "The quarterback is at position {position}.",
    "football-renamed": "The quarterback is at position {position}, not at position {before}.",
    "football-corrected": "{before} was corrected to {after}.",
    "football-same-dice": "The dice were keyed again: {dice} as before.",
    "football-extra-taken-back": "The extra point roll was called by mistake.",
    "football-extra-taken-back.remedy": "Check that it has not been thrown.",
    "football-bets-again": '"No more bets" was taken back. Wagers are open again.',
    "football-bets-again.remedy": "Check that the dice have not been thrown.",
    "football-collect-lost": "These wagers have lost: {lost:area}.",
    "football-collect-lost.remedy": "Collect them. Return all other wagers.",
    # how far a result was settled that is withdrawn
    "settled-defense-collected": "defense wagers were collected",
    "settled-defense-paid": "defense wagers were paid",
    "settled-single-plays": "single play wagers were settled",
    "settled-full-game": "full game wagers were settled",
    "settled-touchdown-paid": "touchdown wagers were paid",
    "settled-extra-point": "extra point wagers were settled",
    "settled-extra-point-returned": "extra point wagers were returned",
    # what people choose
    "menu-open": "Open the table with new dice",
    "menu-no-roll": "No roll",
    "menu-void": "Call the game off: return undecided wagers",
    "menu-reverse": "Take back that the game was called off: it goes on",
    "menu-close": "Close the table: return undecided wagers",
    "done-no-roll": "{by:who} called no roll: {argument:code}",
    "throw": "the dice of the last throw",
    "touchdown": "the dice of the touchdown",
    "quarterback": "the position of the quarterback",
    "no-more-bets": '"no more bets"',
    "extra-point-answer": "whether there is an extra point wager",
    "extra-point-roll": "the extra point roll",
}
