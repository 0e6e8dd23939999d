"""States, data, lamps, texts and guards of a round of Casino War."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import Enum

from controller.events.effect import Win
from controller.events.event import Event, Press
from controller.games.casino_war.rules import BURNED, RANKS, HandOutcome, compare
from controller.games.shared.ageing import AgedTable
from controller.games.shared.closing import closed_words
from controller.games.shared.floor import CORRECTION_WORDS
from controller.games.shared.settlement import Stepwise, step_words

_LAMPS = {
    "initial": (HandOutcome.WON, HandOutcome.LOST, HandOutcome.TIED),
    "tie": (HandOutcome.WON, HandOutcome.LOST),
    "war": (HandOutcome.WON, HandOutcome.LOST, HandOutcome.TIED),
}


class WarState(Enum):
    """The states of a table of Casino War."""

    CLOSED = "closed"
    MENU = "floor-menu"
    SHUFFLE = "shuffle"
    BETS_OPEN = "bets-open"
    POSITIONS = "positions"
    DEAL = "deal"
    DECISION = "decision"
    WAR_DEAL = "war-deal"
    SETTLING = "settling"
    SETTLED = "settled"
    CORRECTING = "correcting"


S = WarState


@dataclass(frozen=True, slots=True)
class WarData(AgedTable, Stepwise):
    """The table's data and the round's."""

    round: int = 0
    seats: tuple[int, ...] = ()
    """The positions with an initial wager, from the dealer's left."""
    cards: tuple[str, ...] = ()
    """The ranks dealt in the original deal, in the order of the seats, the dealer's last."""
    war: tuple[int, ...] = ()
    """The positions that go to war."""
    surrendered: tuple[int, ...] = ()
    war_cards: tuple[str, ...] = ()
    """The ranks of the war deal, in the order of ``war``, the dealer's last."""
    at_war: bool = False
    """The war deal has begun."""
    corrects: tuple[str, ...] = ()
    """The cards of the deal that is being corrected."""
    wins: tuple[Win, ...] = ()
    dealt: int = 0
    """Cards that have left the shoe since the shuffle."""
    seen: tuple[int, ...] = (0,) * len(RANKS)
    """How many of each rank have been seen since the shuffle."""
    cover: bool = False
    """The cover card has come out: shuffle after this round."""
    batch: int = 0
    """The batch of cards in the shoe, 0 or 1, with an automated shuffler (§ 651a.3(c))."""
    shuffler: bool = False
    """The automated shuffler is in use."""
    back: WarState = WarState.CLOSED
    """The state to which the menu, or a cancelled correction, returns."""

    @property
    def outcomes(self) -> dict[int, HandOutcome]:
        """The outcome of each seat in the original deal, once all its cards are dealt."""
        if len(self.cards) <= len(self.seats):
            return {}
        return {seat: compare(card, self.cards[-1]) for seat, card in zip(self.seats, self.cards, strict=False)}

    @property
    def war_outcomes(self) -> dict[int, HandOutcome]:
        """The outcome of each position in the war deal, once all its cards are dealt."""
        if not self.war or len(self.war_cards) <= len(self.war):
            return {}
        return {
            seat: compare(card, self.war_cards[-1]) for seat, card in zip(self.war, self.war_cards, strict=False)
        }

    @property
    def undecided(self) -> tuple[int, ...]:
        """The tied positions that have not chosen yet."""
        tied = (seat for seat, outcome in self.outcomes.items() if outcome is HandOutcome.TIED)
        return tuple(seat for seat in tied if seat not in (*self.war, *self.surrendered))


def panel(positions: int) -> tuple[str, ...]:
    """Every lamp of so many positions: ``initial-3-won``."""
    return tuple(
        f"{kind}-{seat}-{outcome.value}"
        for kind, outcomes in _LAMPS.items()
        for seat in range(1, positions + 1)
        for outcome in outcomes
    )


def lamps(data: WarData) -> tuple[str, ...]:
    """Every lit lamp: the outcome of each wager."""
    return tuple(_war_lamps(data) if data.war_outcomes else _deal_lamps(data))


def _deal_lamps(data: WarData) -> Iterator[str]:
    for seat, outcome in data.outcomes.items():
        surrendered = seat in data.surrendered
        yield f"initial-{seat}-{HandOutcome.LOST.value if surrendered else outcome.value}"
        yield _tie_lamp(seat, outcome)


def _war_lamps(data: WarData) -> Iterator[str]:
    for seat, outcome in data.war_outcomes.items():
        yield f"war-{seat}-{outcome.value}"
        yield _tie_lamp(seat, outcome)


def _tie_lamp(seat: int, outcome: HandOutcome) -> str:
    return f"tie-{seat}-{'won' if outcome is HandOutcome.TIED else 'lost'}"


def names(seats: tuple[int, ...]) -> str:
    """Positions as text: ``position 3``, ``positions 1, 4``."""
    return f"position{'s' if len(seats) != 1 else ''} {', '.join(map(str, seats))}"


def cards_words(seats: tuple[int, ...], cards: tuple[str, ...]) -> str:
    """Cards as keyed: ``1: 5, 3: king, dealer: _``."""
    places = (*map(str, seats), "dealer")
    keyed = (*cards, *"_" * (len(places) - len(cards)))
    return ", ".join(f"{place}: {card}" for place, card in zip(places, keyed, strict=True))


def waiting_for(state: WarState, data: WarData) -> str:
    """What the table waits for, as text for the dealer."""
    return _WORDS[state](data)


def _shuffle(data: WarData) -> str:
    if data.retired:
        return "the cards must be changed: the floorperson's key opens the menu"
    how = "take the other batch from the shuffler" if data.shuffler else "shuffle"
    return f"{how}, have the cards cut, put them into the shoe, burn the first card; then press enter"


def _positions(data: WarData) -> str:
    if not data.seats:
        return (
            "key every position with an initial wager, then enter; if there is none, clear opens the wagers again"
        )
    return f"key every position with an initial wager ({names(data.seats)}), then enter; clear begins anew"


def _dealing(seats: tuple[int, ...], cards: tuple[str, ...], data: WarData) -> str:
    keyed = cards_words(seats, cards)
    again = " (correction)" if data.corrects else ""
    if len(cards) > len(seats):
        return f"{keyed}{again}: press enter, or clear to take the last card back"
    whose = f"position {seats[len(cards)]}" if len(cards) < len(seats) else "the dealer"
    return f"deal and key the card of {whose}{again}; {keyed}"


def _war_deal(data: WarData) -> str:
    if not data.war_cards:
        settle = f"; take half the initial wager at {names(data.surrendered)}" if data.surrendered else ""
        first = f"collect the initial wagers at {names(data.war)}, have war wagers placed{settle}"
        return f"{first}; burn {BURNED} cards; " + _dealing(data.war, data.war_cards, data)
    return _dealing(data.war, data.war_cards, data)


def _settled(data: WarData) -> str:
    return "the round is over: press clear" + (", then shuffle" if data.cover else "")


_WORDS: dict[WarState, Callable[[WarData], str]] = {
    S.CLOSED: closed_words,
    S.MENU: lambda data: (
        "1 open the table with new cards, 2 new cards, 3 reshuffle, 5 close the table, clear leaves"
    ),
    S.SHUFFLE: _shuffle,
    S.BETS_OPEN: lambda data: "place wagers; call no more bets and press it",
    S.POSITIONS: _positions,
    S.DEAL: lambda data: _dealing(data.seats, data.cards, data),
    S.DECISION: lambda data: f"a tie at position {data.undecided[0]}: press war, or surrender for half the wager",
    S.WAR_DEAL: _war_deal,
    S.SETTLING: step_words,
    S.SETTLED: _settled,
    S.CORRECTING: lambda data: CORRECTION_WORDS,
}


# -- guards ----------------------------------------------------------------------------------------------------


def deal_complete(data: WarData, event: Event) -> bool:
    return bool(data.outcomes)


def war_complete(data: WarData, event: Event) -> bool:
    return bool(data.war_outcomes)


def seated(data: WarData, event: Event) -> bool:
    return bool(data.seats)


def last_seat(data: WarData, event: Event) -> bool:
    """There is one position with a wager, and it has no card yet."""
    return len(data.seats) == 1 and not data.cards


def deals_to_seat(data: WarData, event: Event) -> bool:
    return len(data.cards) < len(data.seats)


def keyed(data: WarData, event: Event) -> bool:
    return bool(cards_of_deal(data))


def ties(data: WarData, event: Event) -> bool:
    """A position has to choose between surrender and war."""
    return not data.at_war and bool(data.undecided)


def last_choice(data: WarData, event: Event) -> bool:
    return len(data.undecided) == 1


def choosing_war(data: WarData, event: Event) -> bool:
    """After this choice, at least one position goes to war."""
    return bool(data.war) or (isinstance(event, Press) and event.control == "war")


def shuffle_due(data: WarData, event: Event) -> bool:
    return data.cover or data.retired


def at_war(data: WarData, event: Event) -> bool:
    return data.at_war


def cards_of_deal(data: WarData) -> tuple[str, ...]:
    """The cards of the present deal."""
    return data.war_cards if data.at_war else data.cards
