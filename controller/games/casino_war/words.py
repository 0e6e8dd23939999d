"""Sentences of Casino War by code, and its cards, positions and results in words."""

from controller.events.effect import Result
from controller.events.words import Parameters, Phrase, Words
from controller.games.casino_war.rules import MOST_POSITIONS

_SHORT = {"jack": "J", "queen": "Q", "king": "K", "ace": "A"}
_CUT = {"first-player": "the first player", "rightmost": "the player farthest to your right"}
_CLEAR = {
    "": "",
    "again": " CLEAR starts again.",
    "reopen": " Without any wager, CLEAR opens the wagers again.",
    "positions": " CLEAR changes the positions.",
    "card": " CLEAR takes the last card back.",
    "all-cards": " CLEAR: key all cards again.",
    "no-card": " CLEAR: a card was dealt to position {position}.",
    "step": " CLEAR goes one step back.",
    "choice": " CLEAR takes the last choice back.",
}


def short(card: str) -> str:
    """A rank as lists show it."""
    return _SHORT.get(card, card)


def dealt(result: Result) -> list[str]:
    """The cards of a deal, the dealer's last."""
    return [short(card) for card in result.label.partition(",")[0].split("-")]


def of_war(result: Result) -> bool:
    """Whether it is the deal after a tie."""
    return result.label.endswith("war deal")


def result_words(result: Result) -> str:
    """``K 4 against 7``."""
    *cards, dealer = dealt(result)
    return f"{'war: ' if of_war(result) else ''}{' '.join(cards)} against {dealer}"


def names(seats: str) -> str:
    """Positions as text: ``position 3``, ``positions 1, 4``."""
    return f"position{'s' if ',' in seats else ''} {seats.replace(',', ', ')}" if seats else "no position"


def cards_words(seats: str, cards: str) -> str:
    """Cards as keyed: ``1: 5, 3: king, dealer: _``."""
    places, keyed = (*filter(None, seats.split(",")), "dealer"), [card for card in cards.split(",") if card]
    return ", ".join(f"{at}: {card}" for at, card in zip(places, (*keyed, *"_" * len(places)), strict=False))


def area_words(area: str) -> str:
    """A wager at its position: ``initial-3`` as ``position 3's initial wager``."""
    kind, _, position = area.rpartition("-")
    return f"position {position}'s {kind} wager"


# -- instructions ------------------------------------------------------------------------------------------------


def _asks(act: Phrase) -> Phrase:
    """What is done first, what is done now, what ``clear`` does, and the count of the shoe."""

    def said(found: Parameters) -> str:
        burn = "New dealer: burn the first card, then press BURN. " if found.get("burn") else ""
        empty = f"{_EMPTY} " if found.get("empty") else ""
        clear = _CLEAR[str(found.get("clear", ""))].format(position=found.get("position"))
        left = " No cover card was seen. By the count {left} of {of} cards are left." if "left" in found else ""
        named = {key: names(str(found.get(key, ""))) for key in ("seats", "war", "surrendered")}
        named["kept"] = names(str(found.get("kept", ""))).capitalize()
        now = act.format_map({**found, **named}) if isinstance(act, str) else act(found)
        return burn + empty + now + clear + left.format_map(found)

    return said


def _inspect(found: Parameters) -> str:
    each = ", each batch separately" if found.get("batch") else ""
    return (
        f"Inspect the cards. Spread them face up for the first player{each}. Then press DONE. "
        "If the cards are preinspected and preshuffled, press ENTER once they are in the shoe."
    )


def _shuffle(found: Parameters) -> str:
    batch, cut = found.get("batch"), str(found.get("cut", ""))
    first = f"Take batch {batch} from the shuffler" if batch else "Shuffle the cards"
    offer = f"Offer the cut to {_CUT.get(cut, f'the player at position {cut}')}" if cut else "Have the cards cut"
    return f"{first}. {offer}. Put the cards into the shoe and burn the first one. Then press ENTER."


def _deal(sentence: str) -> Phrase:
    def said(found: Parameters) -> str:
        act = "Correction: key" if found.get("correction") else "Deal and key"
        whose = f"position {found['seat']}" if found.get("seat") else "the dealer"
        keyed = cards_words(str(found.get("seats", "")), str(found.get("cards", "")))
        return sentence.format(act=act, whose=whose, keyed=keyed)

    return _asks(said)


def _pay(found: Parameters) -> str:
    wins = (win.partition(" ") for win in str(found.get("wins", "")).split(",") if win)
    paid = ", ".join(f"{area_words(area)} {odds}" for area, _, odds in wins)
    return f"Pay {paid}. {'Collect all cards. Then press CLEAR.' if found.get('last') else 'Then press DONE.'}"


def _positions_changed(found: Parameters) -> str:
    before, now = names(str(found["before"])), names(str(found["seats"]))
    return f"Positions with a wager were changed after cards were keyed ({found['cards']}): {now}, before {before}."


_DONE = " Then press DONE."
_EMPTY = "By the count the shoe is empty. The floorperson's key opens the menu."
WORDS: Words = {
    # instructions
    "war-closed": "The table is closed. The floorperson's key opens it with new cards.",
    "war-inspect": _inspect,
    "war-shuffle": _shuffle,
    "war-no-hand-shuffle": (
        "{decks} decks must not be shuffled by hand (§ 651a.3(a)). Have the shuffler repaired. "
        "Then the floorperson's key opens the menu."
    ),
    "war-bets-open": _asks('Call "No more bets", then press NO MORE BETS.'),
    "war-bets-open-again": _asks('Call "No more bets", then press NO MORE BETS. {kept} as in the last round.'),
    "war-positions": _asks("Key every position with an initial wager ({seats}). Then press ENTER."),
    "war-positions-in-doubt": "A card was keyed before ENTER. Press CLEAR, then key the positions again.",
    "war-deal": _deal("{act} the card of {whose} ({keyed})."),
    "war-card-alone": _deal("Key the card of {whose} again."),
    "war-enter-cards": _deal("Press ENTER ({keyed})."),
    "war-decision": _asks("A tie at position {position}. Ask the player, then press WAR or SURRENDER."),
    "war-halves": _asks(f"Take half the initial wager at {{surrendered}}. Return the other half.{_DONE}"),
    "war-collect-cards": _asks(f"Collect the cards of all positions except {{war}}.{_DONE}"),
    "war-war-wagers": _asks(f"Have equal war wagers placed at {{war}}.{_DONE}"),
    "war-initial-wagers": _asks(f"Collect the whole initial wagers at {{war}}.{_DONE}"),
    "war-tie-wagers": _asks(f"Offer a tie wager at {{war}}.{_DONE}"),
    "war-burn": _asks(f"Burn three cards.{_DONE}"),
    "war-collect": f"Collect losing {{wager}} and tie wagers.{_DONE}",
    "war-pay": _pay,
    "war-settled": _asks("The round is over. Collect all cards. Then press CLEAR."),
    # refusals
    "all-cards-keyed": "All cards of this deal are keyed",
    "shoe-empty": _EMPTY,
    "rank-dealt": "By the count all {cards} cards of rank {rank} are dealt. The floorperson's key opens the menu",
    "no-position": "This table has {positions} positions",
    "positions-first": "Key the positions first, then press ENTER",
    "from-the-left": "Positions are keyed from the left, and {last} was the last one",
    # notes and alerts
    "wagers-reopened": "Wagers are open again after no more bets.",
    "wagers-reopened.remedy": "Make sure that no card was dealt.",
    "cover-overlooked": "No cover card was seen. By the count {left} of {of} cards are left.",
    "cover-overlooked.remedy": "Look for it. Press COVER CARD if it came out.",
    "cards-short": "By the count {left} cards are left.",
    "cards-short.remedy": "The cards are shuffled after this round.",
    "cover-card-out": "The cover card came out. The cards are shuffled after this round.",
    "card-burned": "Card {card} of the shoe was burned.",
    "cards-to-burn": "Burn cards {first} to {last} of the shoe.",
    "cards-inspected": "The dealer inspected the cards and spread them face up.",
    "cards-preinspected": "The cards were preinspected and preshuffled (§ 651a.4(e)).",
    "shoe-ready": "The cards are in the shoe. The first card is burned.",
    "batch-ready": "Batch {batch} is in the shoe. The first card is burned.",
    "recounted": "The count of {count} cards was wrong. The cards are shuffled after this round.",
    "no-card": "Position {position} was dealt no card. Its wagers are void and returned.",
    "no-card-taken-back": "Position {position} was dealt a card after all. Its wagers are valid.",
    "chosen": "Position {position} chose {choice}.",
    "choice-taken-back": "The choice of position {position} was taken back.",
    "choice-taken-back-late": "Position {position}'s choice was taken back after cards were keyed: {war_cards}.",
    "choice-taken-back-late.remedy": "Make sure that the player chose before the cards of the war were dealt.",
    "positions-changed-late": _positions_changed,
    "positions-changed-late.remedy": "Make sure that no wager was placed or withdrawn after a card was dealt.",
    # voids
    "dead-round": "The floorperson made the round void. All wagers are returned.",
    "war-taken-back": "There was no war deal: the choice was wrong.",
    "void-reversed": "The void was a mistake. The round goes on with its positions and cards.",
    # the floor menu
    "menu-void": "Make this round void",
    "menu-reverse": "Take the void back: the cards count",
    "menu-reshuffle": "Shuffle the cards now. A round in progress becomes void",
    "menu-renew": "Use new cards. A round in progress becomes void",
    "menu-recount": "The count of the cards is wrong",
    "menu-cover-card-in-shoe": "The cover card is still in the shoe",
    "menu-close": "Close the table. A round in progress becomes void",
    "menu-shuffler-out": "The shuffler is out of order and covered",
    "menu-shuffler-in": "The shuffler is in use",
    "choose-reason": "Which card is wrong?",
    "deal": "all cards of the deal",
    "positions": "positions with a wager were dealt cards",
    "card-0": "the dealer's card",
    **{f"card-{seat}": f"the card of position {seat}" for seat in range(1, MOST_POSITIONS + 1)},
    "done-void": "{by:who} made the round void.",
    "done-reshuffle": "{by:who} ordered a reshuffle.",
    "done-recount": "{by:who} found the count of the cards wrong.",
    "done-cover-card-in-shoe": "{by:who} found the cover card in the shoe.",
    "done-shuffler-out": "{by:who} recorded that the shuffler is out of order and covered.",
    "done-shuffler-in": "{by:who} recorded that the shuffler is in use.",
}
