"""What a table of Casino War waits for, as text for the dealer."""

from collections.abc import Callable

from controller.games.casino_war.play import (
    S,
    WarData,
    WarState,
    chosen,
    direct,
    last_step,
    names,
    step_done,
    wagers_untouched,
)
from controller.games.casino_war.rules import MOST_POSITIONS
from controller.games.shared.closing import closed_words
from controller.games.shared.floor import CORRECTION_WORDS, MENU_PROMPT
from controller.games.shared.settlement import step_text, step_words


def cards_words(seats: tuple[int, ...], cards: tuple[str, ...]) -> str:
    """Cards as keyed: ``1: 5, 3: king, dealer: _``."""
    places = (*map(str, seats), "dealer")
    keyed = (*cards, *"_" * (len(places) - len(cards)))
    return ", ".join(f"{place}: {card}" for place, card in zip(places, keyed, strict=False))


def waiting_for(state: WarState, data: WarData) -> str:
    """What the table waits for, as text for the dealer."""
    return _WORDS[state](data)


def refused_position(key: str, data: WarData, positions: int) -> str:
    """Why a rank's key is refused while positions are keyed; empty if the prompt says it."""
    if data.in_doubt:
        return ""
    if key.isdigit() and positions < int(key) <= MOST_POSITIONS:
        return f"this table has {positions} positions"
    if not data.last_position:
        return f"positions are keyed, not cards: {'press enter first' if data.seats else 'key them first'}"
    return f"positions are keyed from the left, and {data.last_position} was the last one"


def positions_in_doubt(data: WarData) -> str:
    """What is to be done after a card among the positions."""
    wrong = f", so {names(data.seats)} may be wrong" if data.seats else ""
    return f"a card was keyed before enter{wrong}: clear, then key the positions anew"


def _shuffle(data: WarData) -> str:
    if data.retired:
        return "the cards must be changed: the floorperson's key opens the menu"
    if data.inspect:
        batches = ", each batch by itself" if data.shuffler else ""
        return (
            f"inspect the cards, spread them face up for the first player{batches}, then press done; "
            "preinspected and preshuffled cards go on with enter"
        )
    how = f"take batch {2 - data.batch} from the shuffler" if data.shuffler else "shuffle"
    cut = f"offer the cut to {data.cut_offer} first" if data.cut_offer else "have the cards cut"
    return f"{how}, {cut}, put them into the shoe, burn the first card; then press enter"


def _bets_open(data: WarData) -> str:
    again = f"; {names(data.kept)} as in the last round" if data.kept else ""
    return f"{_burn(data)}place wagers; call no more bets and press it{again}"


def _burn(data: WarData) -> str:
    return "a new dealer: burn the first card, then press burn; " if data.burn_due else ""


def _positions(data: WarData) -> str:
    if data.in_doubt:
        return positions_in_doubt(data)
    if not data.seats:
        # Once cards are keyed, wagers stay closed.
        none = "; if there is none, clear opens the wagers again" if wagers_untouched(data) else ""
        again = "; clear begins anew" if data.last_position else none
        return f"key every position with an initial wager, then enter{again}"
    return f"key every position with an initial wager ({names(data.seats)}), then enter; clear begins anew"


def _deal(data: WarData) -> str:
    change = "; clear, if wagers lie at other positions" if direct(data) and not data.cards else ""
    if data.no_card:
        change = f"; clear, if position {data.no_card} was dealt a card"
    return f"{'' if data.cards else _burn(data)}{_dealing(data)}{change}"


def _dealing(data: WarData) -> str:
    seats, cards = data.dealt_to, data.keyed
    if data.alone:
        return f"key the card of {_whose(seats, data.alone - 1)} anew; clear, to key all cards anew"
    keyed = cards_words(seats, cards)
    again = " (correction)" if data.corrects else ""
    if len(cards) > len(seats):
        return f"{keyed}{again}: press enter, or clear to take the last card back"
    return f"deal and key the card of {_whose(seats, len(cards))}{again}; {keyed}"


def _whose(seats: tuple[int, ...], place: int) -> str:
    return f"position {seats[place]}" if place < len(seats) else "the dealer"


def _decision(data: WarData) -> str:
    return f"a tie at position {data.undecided[0]}: ask the player, then choose"


def _war_deal(data: WarData) -> str:
    if data.war_cards or data.alone:
        return _dealing(data)
    back = "clear goes one step back" if step_done(data) else "clear takes the last choice back"
    return f"{step_words(data) if data.steps else _dealing(data)}; {back}"


def area_words(area: str) -> str:
    """A wager at its position: ``initial-3`` as ``position 3's initial wager``."""
    kind, _, position = area.rpartition("-")
    return f"position {position}'s {kind} wager"


def _settling(data: WarData) -> str:
    if chosen(data):
        return f"{step_words(data, area_words)}; clear takes the last choice back"
    if last_step(data):
        return f"{step_text(data, area_words)}, {_COLLECT}, then press clear"
    return step_words(data, area_words)


def _settled(data: WarData) -> str:
    collect = f"{_COLLECT}, then " if data.cards else ""
    return f"the round is over: {collect}press clear" + (", then shuffle" if data.cover else "")


_COLLECT = "collect all cards"
"""Once the wagers of a deal are settled and no war follows, and after a war (§ 651a.9(d), (h))."""


def _correcting(data: WarData) -> str:
    if not direct(data) or not data.keyed:
        return CORRECTION_WORDS
    if data.alone:
        whose = _whose(data.dealt_to, data.alone - 1)
        return f"the floorperson's key allows the correction of the card of {whose}; clear gives it up"
    return "the floorperson's key has all cards keyed anew; if one alone was wrong, choose it first"


_WORDS: dict[WarState, Callable[[WarData], str]] = {
    S.CLOSED: closed_words,
    S.MENU: lambda data: MENU_PROMPT,
    S.SHUFFLE: _shuffle,
    S.BETS_OPEN: _bets_open,
    S.POSITIONS: _positions,
    S.DEAL: _deal,
    S.DECISION: _decision,
    S.WAR_DEAL: _war_deal,
    S.SETTLING: _settling,
    S.SETTLED: _settled,
    S.CORRECTING: _correcting,
}
