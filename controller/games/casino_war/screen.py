"""Casino War on the screens: every position's cards against the dealer's, and the shoe."""

from collections.abc import Callable

from config.schema import TableConfig
from controller.events.effect import Result
from controller.games.casino_war.figure import WarFigure, WarPosition
from controller.games.casino_war.game import WarRules
from controller.games.casino_war.keyed import keyed
from controller.games.casino_war.play import WarData, WarState, names
from controller.games.casino_war.results import RESULT_STATES, dealt, listed, of_war, short
from controller.games.casino_war.rules import CARDS_OF_A_DECK
from controller.games.casino_war.words import cards_words
from controller.games.shared.ageing import Ageing
from controller.statechart.game import Game
from controller.viewmodel.screen import (
    CORRECTED,
    NO_MORE,
    OPEN,
    SHUT,
    SOON,
    WAIT,
    GameScreen,
    Headline,
    Lifetime,
    ResultLabel,
    TableView,
    Tone,
    always,
    attended,
    in_review,
    settling,
)

S = WarState
WON, LOST, TIED = "player won", "dealer won", "tie"
"""The outcomes of positions that are counted."""


# -- a result ----------------------------------------------------------------------------------------------------


def _past(result: Result) -> ResultLabel:
    return ResultLabel(listed(result), counted=_counted(result))


def _counted(result: Result) -> tuple[str, ...]:
    """The outcome of each position."""
    won = {win.area for win in result.wins}
    kind = "war" if of_war(result) else "initial"
    seats = [area.removeprefix(f"{kind}-") for area in result.decided if area.startswith(f"{kind}-")]
    return tuple(TIED if f"tie-{seat}" in won else WON if f"{kind}-{seat}" in won else LOST for seat in seats)


def _headline(result: Result) -> str:
    card = dealt(result)[-1]
    return f"WAR: DEALER HAS {card}" if of_war(result) else f"DEALER HAS {card}"


def _words(result: Result) -> str:
    *cards, dealer = dealt(result)
    return f"{'war: ' if of_war(result) else ''}{' '.join(cards)} against {dealer}"


# -- what players read -------------------------------------------------------------------------------------------


def _shuffles(scene: TableView) -> Headline:
    if scene.of(WarData).retired:
        return Headline(WAIT, Tone.IDLE, "the cards are changed")
    return Headline("CARDS ARE SHUFFLED", Tone.IDLE, "the next round opens when the shoe is ready")


def _deals(headline: str, detail: str) -> Callable[[TableView], Headline]:
    def says(scene: TableView) -> Headline:
        if scene.of(WarData).corrects:
            anew = "the floorperson allowed it; the cards are entered anew"
            return Headline(CORRECTED, Tone.CLOSED, anew)
        return Headline(headline, Tone.MOVING, detail)

    return says


def _decides(scene: TableView) -> Headline:
    undecided = scene.of(WarData).undecided
    chose = "the tied positions have chosen"
    whose = f"position {undecided[0]} chooses" if undecided else chose
    return Headline("TIE — WAR OR SURRENDER?", Tone.BONUS, whose)


_WAGERS = "initial and tie wagers are open until the dealer calls no more bets"
_BURNED = "three cards are burned; another card to each at war"
_SAYS = {
    S.CLOSED: always(SHUT, Tone.IDLE, "it opens with new cards"),
    S.MENU: attended,
    S.SHUFFLE: _shuffles,
    S.BETS_OPEN: always(OPEN, Tone.OPEN, _WAGERS),
    S.POSITIONS: always(NO_MORE, Tone.CLOSED, "the dealer looks where wagers lie"),
    S.DEAL: _deals("CARDS ARE DEALT", "a card to each position, and one to the dealer"),
    S.DECISION: _decides,
    S.WAR_DEAL: _deals("WAR — CARDS ARE DEALT", _BURNED),
    S.SETTLING: settling("", _headline),
    S.SETTLED: settling(SOON, _headline),
    S.CORRECTING: in_review,
}


# -- what is drawn -----------------------------------------------------------------------------------------------


def _live(scene: TableView) -> WarFigure:
    data = scene.of(WarData)
    assert isinstance(data, WarData)
    return {
        "positions": [_position(data, seat, scene.state) for seat in data.seats],
        "dealer": _card(data.cards, len(data.seats)),
        "dealer_war": _card(data.war_cards, len(data.war)) if data.at_war else "",
        "deck": {"used": data.dealt, "of": _shoe(scene.config)} if data.dealt else None,
    }


def _position(data: WarData, seat: int, state: str) -> WarPosition:
    at_war = data.at_war and seat in data.war
    return {
        "position": seat,
        "card": _card(data.cards, data.seats.index(seat)),
        "war_card": _card(data.war_cards, data.war.index(seat)) if at_war else "",
        "outcome": _outcome(data, seat, state),
    }


def _card(cards: tuple[str, ...], place: int) -> str:
    return short(cards[place]) if place < len(cards) else ""


def _outcome(data: WarData, seat: int, state: str) -> str:
    """The outcome of a position; empty until its deal is entered."""
    if seat in data.surrendered:
        return "surrendered"
    entered = state in RESULT_STATES
    if seat in data.war:
        outcome = data.war_outcomes.get(seat) if entered else None
        return outcome.value if outcome is not None else "war"
    outcome = data.outcomes.get(seat) if entered or data.at_war else None
    return outcome.value if outcome is not None else ""


def _shoe(config: TableConfig) -> int:
    """Cards in the shoe."""
    return WarRules.model_validate(config.rules).shoe * CARDS_OF_A_DECK


def _entry(scene: TableView) -> str:
    data = scene.of(WarData)
    if scene.state == S.POSITIONS.value:
        return names(data.seats) if data.seats else "_"
    if scene.state == S.DEAL.value:
        return cards_words(data.seats, data.cards)
    return cards_words(data.war, data.war_cards) if scene.state == S.WAR_DEAL.value else ""


def _lifetime(config: TableConfig) -> Lifetime:
    aging: Ageing[WarData] = WarRules.model_validate(config.rules).aging("the cards", "cards", "")
    return Lifetime("cards", aging.warn_ns, aging.retire_ns)


def _offers(config: TableConfig, area: str) -> bool:
    """The table has the position of a wager."""
    return int(area.rpartition("-")[2]) <= WarRules.model_validate(config.rules).positions


def _labels(config: TableConfig, game: Game) -> tuple[str, ...]:
    return WON, LOST, TIED


SCREEN = GameScreen(
    figure="war",
    headlines={state.value: says for state, says in _SAYS.items()},
    offers=_offers,
    past=_past,
    labels=_labels,
    words=_words,
    live=_live,
    blank=lambda config: {"positions": [], "dealer": "", "dealer_war": "", "deck": None},
    entry=_entry,
    keyed=keyed,
    wager=lambda area: "position {2}: {0}".format(*area.rpartition("-")),
    lifetime=_lifetime,
)
