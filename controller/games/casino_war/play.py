"""States, data and guards of a round of Casino War."""

from enum import Enum
from typing import Annotated

from controller.events.effect import Win
from controller.events.event import Event, Press
from controller.games.casino_war.rules import RANKS, HandOutcome, compare
from controller.games.shared.ageing import AgedTable
from controller.games.shared.settlement import Stepwise
from controller.statechart.guards import Guard
from controller.statechart.snapshots import ADDED
from hal.lazy_dataclass import dataclass

_WAR_STEPS = 5
"""Before the first war card, one more where a position surrendered (§ 651a.9(d) to (f))."""


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
IDLE = (S.CLOSED, S.SHUFFLE, S.BETS_OPEN)
"""The states between two rounds."""
IN_ROUND = (S.POSITIONS, S.DEAL, S.DECISION, S.WAR_DEAL, S.SETTLING, S.SETTLED)
"""The states from the call of no more bets to the end of the round, beside a correction."""


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
    keeps: Annotated[bool, ADDED] = False
    """The round begins from the positions of the last one; not so a round that 0.1.0 opened."""
    kept: Annotated[tuple[int, ...], ADDED] = ()
    """The positions of the last round."""
    last_position: Annotated[int, ADDED] = 0
    """The position that was keyed last, while positions are keyed."""
    in_doubt: Annotated[bool, ADDED] = False
    """A card was keyed among the positions: ``enter`` was forgotten, and a position may have been a card."""
    alone: Annotated[int, ADDED] = 0
    """The one card that is being corrected, by its number in the deal; 0 if all are keyed anew."""
    dealer: Annotated[str, ADDED] = ""
    """The number of the dealer who logged on last."""
    burned_by: Annotated[str, ADDED] = ""
    """The number of the dealer at the last card that was burned outside a war."""
    cut_offer: Annotated[str, ADDED] = ""
    """To whom the next cut is offered first; empty if that is not known."""
    no_card: Annotated[int, ADDED] = 0
    """The position that was keyed last as dealt no card, until the next card."""
    recounted: Annotated[bool, ADDED] = False
    """The floorperson found the count of the cards wrong: it is true again after the shuffle."""
    inspect: Annotated[bool, ADDED] = False
    """New cards are not recorded as inspected yet."""

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
    def tied(self) -> tuple[int, ...]:
        """The positions with a tie in the original deal."""
        return tuple(seat for seat, outcome in self.outcomes.items() if outcome is HandOutcome.TIED)

    @property
    def undecided(self) -> tuple[int, ...]:
        """The tied positions that have not chosen yet."""
        return tuple(seat for seat in self.tied if seat not in (*self.war, *self.surrendered))

    @property
    def dealt_to(self) -> tuple[int, ...]:
        """The positions of the present deal."""
        return self.war if self.at_war else self.seats

    @property
    def keyed(self) -> tuple[str, ...]:
        """The cards of the present deal that are keyed."""
        return self.war_cards if self.at_war else self.cards

    @property
    def burn_due(self) -> bool:
        """A new dealer has come, and no card was burned since (§ 651a.8(b))."""
        return bool(self.dealer) and self.dealer != self.burned_by


def names(seats: tuple[int, ...]) -> str:
    """Positions as text: ``position 3``, ``positions 1, 4``."""
    return f"position{'s' if len(seats) != 1 else ''} {', '.join(map(str, seats))}"


def halves(data: WarData) -> str:
    """What is done with the wagers that were surrendered (§ 651a.9(c)(1))."""
    return f"take half the initial wager at {names(data.surrendered)}, and give the other half back"


# -- guards ----------------------------------------------------------------------------------------------------


def deal_complete(data: WarData, event: Event) -> bool:
    return bool(data.outcomes)


def war_complete(data: WarData, event: Event) -> bool:
    return bool(data.war_outcomes)


def seated(data: WarData, event: Event) -> bool:
    """Positions are keyed, and all of them are positions."""
    return bool(data.seats) and not data.in_doubt


def some_key(data: WarData, event: Event) -> bool:
    """Something was keyed since the positions were asked for, if only to be taken back."""
    return bool(data.seats or data.last_position or data.in_doubt)


def card_among_positions(data: WarData, event: Event) -> bool:
    """A rank that is no position, or not the next one, follows positions: it is a card."""
    return direct(data) and bool(data.last_position) and not data.in_doubt


def last_seat(data: WarData, event: Event) -> bool:
    """There is one position with a wager, and it has no card yet."""
    return len(data.seats) == 1 and not data.cards and not data.alone


def deals_to_seat(data: WarData, event: Event) -> bool:
    return len(data.cards) < len(data.seats) and not data.alone


def keyed(data: WarData, event: Event) -> bool:
    return bool(data.keyed)


def direct(data: WarData, event: Event | None = None) -> bool:
    """The round begins from the positions of the last one; not so a round that 0.1.0 opened."""
    return data.keeps


def kept_positions(data: WarData, event: Event) -> bool:
    return bool(data.kept)


def in_order(position: int) -> Guard[WarData]:
    """Positions are keyed from the dealer's left. Any other order is one of cards, which are keyed too early."""
    return lambda data, event: not direct(data) or (position > data.last_position and not data.in_doubt)


def wagers_untouched(data: WarData, event: Event | None = None) -> bool:
    """Nothing is keyed and nothing on record that the wagers were closed for."""
    return not data.keyed and not data.corrects


def chosen(data: WarData, event: Event | None = None) -> bool:
    """A tied position has chosen, and no war card is keyed."""
    return bool(data.war or data.surrendered) and not data.war_cards


def one_card(data: WarData, event: Event) -> bool:
    """A single card is being corrected, and not keyed yet."""
    return bool(data.alone)


def to_inspect(data: WarData, event: Event) -> bool:
    return data.inspect and not data.retired


def was_voided(data: WarData, event: Event | None = None) -> bool:
    """The last key said that a position was dealt no card."""
    return bool(data.no_card)


def war_prepared(data: WarData, event: Event) -> bool:
    """A step before the first war card is done."""
    return bool(data.steps) and not data.war_cards


def step_done(data: WarData, event: Event | None = None) -> bool:
    """A step before the first war card is keyed as done, and no card."""
    left = _WAR_STEPS + bool(data.surrendered) - len(data.steps)
    return direct(data) and data.at_war and not (data.war_cards or data.corrects) and left > 0


def last_step(data: WarData, event: Event | None = None) -> bool:
    """The last step of a settlement after which the round is over: the losers are collected, the winners are paid.

    Without a winner there is one step, and a ``clear`` by mistake would end the round as soon as it is lit.
    """
    return direct(data) and bool(data.wins) and len(data.steps) <= 1 and not ties(data) and not chosen(data)


def ties(data: WarData, event: Event | None = None) -> bool:
    """A position has to choose between surrender and war."""
    return not data.at_war and bool(data.undecided)


def last_choice(data: WarData, event: Event) -> bool:
    return len(data.undecided) == 1


def choosing_war(data: WarData, event: Event) -> bool:
    """After this choice, at least one position goes to war."""
    return bool(data.war) or (isinstance(event, Press) and event.control == "war")


def at_war(data: WarData, event: Event) -> bool:
    return data.at_war


def in_round(data: WarData, event: Event | None = None) -> bool:
    """The menu was opened within a round."""
    return data.back in IN_ROUND


def cover_keyed(data: WarData, event: Event | None = None) -> bool:
    """The cover card was keyed, and nothing else asks for the shuffle after this round."""
    return data.cover and not data.recounted


def dealing(data: WarData, event: Event | None = None) -> bool:
    """The menu was opened while cards are dealt."""
    return data.back in (S.DEAL, S.WAR_DEAL)
