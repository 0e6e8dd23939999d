"""What is keyed at a table of Casino War, for the dealer: the dealer's place and every position, side by side."""

from collections.abc import Iterator

from controller.games.casino_war.game import WarRules
from controller.games.casino_war.play import S, WarData, WarState, names
from controller.games.casino_war.results import RESULT_STATES, short
from controller.games.casino_war.rules import HandOutcome
from controller.games.casino_war.words import cards_words
from controller.viewmodel.dealer_documents import Keyed, KeyedSeat, SeatWager
from controller.viewmodel.screen import TableView

_DEALER = 0
"""The dealer's place beside the positions."""
_SHOWN = frozenset(
    s.value
    for s in (S.BETS_OPEN, S.POSITIONS, S.DEAL, S.DECISION, S.WAR_DEAL, S.SETTLING, S.SETTLED, S.CORRECTING, S.MENU)
)


def keyed(view: TableView) -> Keyed | None:
    """Cards, choices and results by seat; None while no round is played."""
    data = view.of(WarData)
    if view.state not in _SHOWN or (view.state == S.MENU.value and not data.seats):
        return None
    positions = range(1, WarRules.model_validate(view.config.rules).positions + 1)
    return {"words": _words(view.state, data), "seats": [_seat(view, data, seat) for seat in (_DEALER, *positions)]}


def _words(state: str, data: WarData) -> str:
    if state == S.POSITIONS.value:
        return names(data.seats) if data.seats else "no position"
    war = f"; war: {cards_words(data.war, data.war_cards)}" if data.at_war else ""
    return f"{cards_words(data.seats, data.cards)}{war}" if data.seats else "no position"


def _seat(view: TableView, data: WarData, seat: int) -> KeyedSeat:
    return {
        "seat": str(seat) if seat else "dealer",
        "plays": seat == _DEALER or seat in data.seats,
        "due": seat in _due(WarState(view.state), data),
        "cards": list(_cards(data, seat)),
        "wagers": list(_wagers(view, data, seat)),
    }


def _due(state: WarState, data: WarData) -> tuple[int, ...]:
    """Whose card or choice is keyed next; nobody's while there is something to do first."""
    if state is S.DECISION:
        return data.undecided[:1]
    if state not in (S.DEAL, S.WAR_DEAL) or data.steps:
        return ()
    at = data.alone - 1 if data.alone else len(data.keyed)
    return (*data.dealt_to, _DEALER)[at : at + 1]


def _cards(data: WarData, seat: int) -> Iterator[str]:
    for dealt_to, cards in ((data.seats, data.cards), *([(data.war, data.war_cards)] if data.at_war else [])):
        places = (*dealt_to, _DEALER)
        if seat in places:
            at = places.index(seat)
            yield short(cards[at]) if at < len(cards) else ""


def _wagers(view: TableView, data: WarData, seat: int) -> Iterator[SeatWager]:
    """The wagers of a position that are decided; none before the deal is entered."""
    entered = view.state in RESULT_STATES
    first = data.outcomes.get(seat) if entered or data.at_war else None
    last = data.war_outcomes.get(seat) if entered else None
    pays = {win.area: win.pays for win in view.result.wins} if view.result is not None else {}
    if first is not None:
        chosen: SeatWager = {"wager": "initial", "outcome": first.value, "pays": pays.get(f"initial-{seat}", "")}
        if seat in (*data.war, *data.surrendered):
            chosen["outcome"] = "war" if seat in data.war else "surrendered"
        yield chosen
        on_tie = last or first
        won = on_tie is HandOutcome.TIED
        yield {"wager": "tie", "outcome": "won" if won else "lost", "pays": pays.get(f"tie-{seat}", "")}
    if last is not None:
        yield {"wager": "war", "outcome": last.value, "pays": pays.get(f"war-{seat}", "")}
