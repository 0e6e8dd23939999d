"""Casino War on the screens: every position's cards against the dealer's, the shoe, and what is keyed."""

from collections.abc import Callable, Iterator

from controller.events.effect import Result
from controller.games.casino_war.game import WarRules
from controller.games.casino_war.play import WarData, WarState, listed
from controller.games.casino_war.rules import CARDS_OF_A_DECK, HandOutcome
from controller.games.casino_war.words import cards_words, dealt, names, of_war, result_words, short
from controller.viewmodel.documents import Keyed, KeyedSeat, SeatWager
from controller.viewmodel.screen import (
    CORRECTED,
    NO_MORE,
    OPEN,
    SHUT,
    SOON,
    GameScreen,
    Headline,
    ResultLabel,
    TableView,
    Tone,
    always,
    settling,
)

S = WarState
WON, LOST, TIED = "player won", "dealer won", "tie"
"""The outcomes of positions that are counted."""


# -- what players read -------------------------------------------------------------------------------------------


def _counted(result: Result) -> tuple[str, ...]:
    """The outcome of each position."""
    won = {win.area for win in result.wins}
    kind = "war" if of_war(result) else "initial"
    seats = [area.removeprefix(f"{kind}-") for area in result.decided if area.startswith(f"{kind}-")]
    return tuple(TIED if f"tie-{seat}" in won else WON if f"{kind}-{seat}" in won else LOST for seat in seats)


def _headline(result: Result) -> str:
    return f"{'WAR: ' if of_war(result) else ''}DEALER HAS {dealt(result)[-1]}"


def _deals(headline: str, detail: str) -> Callable[[TableView], Headline]:
    def says(scene: TableView) -> Headline:
        if scene.of(WarData).corrects:
            anew = "the floorperson allowed it; the cards are entered again"
            return Headline(CORRECTED, Tone.CLOSED, anew)
        return Headline(headline, Tone.MOVING, detail)

    return says


def _decides(scene: TableView) -> Headline:
    return Headline("TIE — WAR OR SURRENDER?", Tone.BONUS, f"position {scene.of(WarData).undecided[0]} chooses")


_WAGERS = "initial and tie wagers are open until the dealer calls no more bets"
_SAYS = {
    S.CLOSED: always(SHUT, Tone.IDLE, "it opens with new cards"),
    S.SHUFFLE: always("CARDS ARE SHUFFLED", Tone.IDLE, "the next round opens when the shoe is ready"),
    S.BETS_OPEN: always(OPEN, Tone.OPEN, _WAGERS),
    S.POSITIONS: always(NO_MORE, Tone.CLOSED, "the dealer enters the positions with wagers"),
    S.DEAL: _deals("CARDS ARE DEALT", "a card to each position, and one to the dealer"),
    S.DECISION: _decides,
    S.WAR_DEAL: _deals("WAR — CARDS ARE DEALT", "three cards are burned; each position at war gets a card"),
    S.SETTLING: settling("", _headline),
    S.SETTLED: settling(SOON, _headline),
}


# -- what is drawn -----------------------------------------------------------------------------------------------


def _live(scene: TableView) -> dict[str, object]:
    """What ``figure.js`` draws: the dealer's seat and those that play, and the deck once a card is dealt."""
    data = scene.of(WarData)
    shoe = WarRules.model_validate(scene.config.rules).shoe * CARDS_OF_A_DECK
    deck = {"used": data.dealt, "of": shoe} if data.dealt else None
    return {"seats": [_seat(scene, data, seat) for seat in (0, *data.seats)], "deck": deck}


def _cards(data: WarData, seat: int) -> list[str]:
    """The cards dealt to a position or the dealer (0), the war card last; an empty one is not keyed yet."""
    deals = ((data.seats, data.cards), (data.war, data.war_cards))[: 1 + data.at_war]
    places = (((*dealt_to, 0), cards) for dealt_to, cards in deals)
    found = (dict(zip(seats, cards, strict=False)).get(seat, "") for seats, cards in places if seat in seats)
    return [short(card) for card in found]


def _entry(scene: TableView) -> str:
    data = scene.of(WarData)
    if scene.state in (S.DEAL.value, S.WAR_DEAL.value):
        return cards_words(listed(data.dealt_to), ",".join(data.keyed))
    return names(listed(data.seats)) if scene.state == S.POSITIONS.value else ""


# -- what is keyed -----------------------------------------------------------------------------------------------


def _keyed(view: TableView) -> Keyed | None:
    """Cards, choices and results by seat, the dealer (0) first; None while no round is played."""
    data = view.of(WarData)
    if not data.seats and view.state not in (S.BETS_OPEN.value, S.POSITIONS.value, S.SETTLED.value):
        return None
    positions = range(1, WarRules.model_validate(view.config.rules).positions + 1)
    return Keyed(_words(view.state, data), [_seat(view, data, seat) for seat in (0, *positions)])


def _seat(view: TableView, data: WarData, seat: int) -> KeyedSeat:
    name, plays = (str(seat), seat in data.seats) if seat else ("dealer", True)
    wagers = list(_wagers(view, data, seat))
    return KeyedSeat(name, plays, _is_due(view.state, data, seat), _cards(data, seat), wagers)


def _words(state: str, data: WarData) -> str:
    if state == S.POSITIONS.value or not data.seats:
        return names(listed(data.seats))
    war = f"; war: {cards_words(listed(data.war), ','.join(data.war_cards))}" if data.at_war else ""
    return cards_words(listed(data.seats), ",".join(data.cards)) + war


def _is_due(state: str, data: WarData, seat: int) -> bool:
    """Its card or choice is keyed next; not while there is something to do first."""
    if state == S.DECISION.value:
        return seat == data.undecided[0]
    dealing = state in (S.DEAL.value, S.WAR_DEAL.value) and not data.complete
    return dealing and seat == data.due and not (data.steps and not data.keyed)


def _wagers(view: TableView, data: WarData, seat: int) -> Iterator[SeatWager]:
    """The wagers of a position that are decided; none before the deal is entered."""
    first, last = data.outcomes.get(seat), data.war_outcomes.get(seat)
    pays = {win.area: win.pays for win in view.result.wins} if view.result is not None else {}
    if first is not None:
        chosen = "war" if seat in data.war else "surrendered" if seat in data.surrendered else first.value
        yield SeatWager("initial", chosen, pays.get(f"initial-{seat}", ""))
        won = (last or first) is HandOutcome.TIED
        yield SeatWager("tie", "won" if won else "lost", pays.get(f"tie-{seat}", ""))
    if last is not None:
        yield SeatWager("war", last.value, pays.get(f"war-{seat}", ""))


SCREEN = GameScreen(
    figure="war",
    headlines=_SAYS,
    offers=lambda config, area: int(area.rpartition("-")[2]) <= WarRules.model_validate(config.rules).positions,
    past=lambda result: ResultLabel(result_words(result), counted=_counted(result)),
    labels=lambda config, game: (WON, LOST, TIED),
    words=result_words,
    live=_live,
    entry=_entry,
    keyed=_keyed,
    wager=lambda area: "position {2}: {0}".format(*area.rpartition("-")),
)
