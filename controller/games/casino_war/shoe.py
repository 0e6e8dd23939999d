"""The cards of Casino War: what has left the shoe, the shuffle, the cut, and the count that may be wrong."""

from dataclasses import replace

from controller.events.effect import Alert, Effect, Light, Note
from controller.events.event import DealerLoggedOn, Event
from controller.games.casino_war.play import WarData, WarState
from controller.games.casino_war.rules import BURNED, CARDS_OF_A_DECK, RANKS, SUITS, holds
from controller.games.shared.floor import opener
from controller.statechart.guards import Action, Guard
from controller.statechart.machine import Step
from hal.lazy_dataclass import dataclass

_Step = Step[WarData]
_WAY_OUT = "the floorperson's key opens the menu: 8 counts the cards anew, 7 voids the round"
_FIRST = "the first player at the table"
_RIGHTMOST = "the player farthest to your right"


@dataclass(frozen=True)
class DealingShoe:
    """A dealing shoe.

    Attributes:
        decks: in it.
        positions: at the table.
        by_hand: the numbers of decks that may be shuffled by hand (§ 651a.3(a)).
    """

    decks: int
    positions: int
    by_hand: tuple[int, ...]

    @property
    def cards(self) -> int:
        return self.decks * CARDS_OF_A_DECK

    @property
    def late(self) -> int:
        """Cards dealt by which the cover card must have come out: a quarter lies behind it (§ 651a.5(e))."""
        return self.cards * 3 // 4

    @property
    def last(self) -> int:
        """Cards dealt after which no further round with a war at every position is sure to fit."""
        return self.cards - 2 * (self.positions + 1) - BURNED

    # -- guards ----------------------------------------------------------------------------------------------

    def may_deal(self, rank: str) -> Guard[WarData]:
        """A card is due, and the shoe can hold one of this rank."""

        def guard(data: WarData, event: Event) -> bool:
            due = len(data.keyed) <= len(data.dealt_to)
            return due and data.dealt < self.cards and holds(rank, data.seen, self.decks)

        return guard

    def may_burn(self, data: WarData, event: Event | None = None) -> bool:
        return data.dealt < self.cards

    def may_shuffle(self, data: WarData, event: Event | None = None) -> bool:
        """With the shuffler, or by hand if so many decks may be."""
        return data.shuffler or self.decks in self.by_hand

    def shuffle_due(self, data: WarData, event: Event) -> bool:
        return data.cover or data.retired or data.dealt > self.last

    # -- texts -----------------------------------------------------------------------------------------------

    def refused_card(self, rank: str, data: WarData) -> str:
        """Why a rank is refused while cards are dealt; empty if the count does not exclude it."""
        if len(data.keyed) > len(data.dealt_to):
            return "all cards of this deal are keyed"
        if data.dealt >= self.cards:
            return f"by the count the shoe is empty: {_WAY_OUT}"
        if not holds(rank, data.seen, self.decks):
            return f"by the count all {SUITS * self.decks} cards of rank {rank} are dealt: {_WAY_OUT}"
        return ""

    def refused_burn(self, data: WarData) -> str:
        return "" if self.may_burn(data) else f"by the count the shoe is empty: {_WAY_OUT}"

    def empty(self, state: WarState, data: WarData) -> str:
        """What is to be done if a card is due and the shoe has none by the count; empty if it has."""
        due = data.burn_due if state is WarState.BETS_OPEN else len(data.keyed) <= len(data.dealt_to)
        return self.refused_burn(data) if due else ""

    def refused_shuffle(self, data: WarData) -> str:
        """Why no round opens; empty if one does."""
        if self.may_shuffle(data):
            return ""
        return (
            f"{self.decks} decks are dealt by no hand shuffle (§ 651a.3(a)): have the shuffler repaired, then "
            "floor-key and 6; or floor-key and 5 closes the table"
        )

    def overdue(self, data: WarData) -> str:
        """What the dealer reads when the cover card must have been overlooked; empty before."""
        if data.cover or data.dealt <= self.late:
            return ""
        left = max(0, self.cards - data.dealt)
        return f"no cover card seen, and by the count {left} of {self.cards} cards are left: look for it"

    # -- actions ---------------------------------------------------------------------------------------------

    def watched(self, action: Action[WarData]) -> Action[WarData]:
        """An action after which the count may say that the cover card was overlooked."""

        def watch(data: WarData, event: Event) -> _Step:
            step = action(data, event)
            return Step(step.data, (*step.effects, *self._warnings(data, step.data)))

        return watch

    def _warnings(self, before: WarData, after: WarData) -> tuple[Effect, ...]:
        if not after.cover and before.dealt <= self.late < after.dealt:
            return (Alert(self.overdue(after), "press cover-card if it came out; floor-key and 3 shuffles"),)
        if not after.cover and before.dealt <= self.last < after.dealt:
            left = max(0, self.cards - after.dealt)
            return (Alert(f"by the count {left} cards are left", "the cards are shuffled after this round"),)
        return ()


def counted(data: WarData, ranks: tuple[str, ...], sign: int) -> WarData:
    """Cards that are seen leave the shoe, or were keyed wrongly."""
    seen = tuple(max(0, count + sign * ranks.count(rank)) for rank, count in zip(RANKS, data.seen, strict=True))
    return replace(data, seen=seen, dealt=data.dealt + sign * len(ranks))


def burn(data: WarData, event: Event) -> _Step:
    """A card goes into the discard rack unused (§ 651a.8(b), § 651a.11(a))."""
    note = Note(f"card {data.dealt + 1} of the shoe was burned")
    return Step(replace(data, dealt=data.dealt + 1, burned_by=data.dealer), (note,))


def cover_card(data: WarData, event: Event) -> _Step:
    """The cover card came out: the round is finished, then the cards are shuffled (§ 651a.8(d))."""
    return Step(replace(data, cover=True), (Note("the cover card came out: reshuffle after this round"),))


def no_cover_card(data: WarData, event: Event) -> _Step:
    """The cover card was keyed by mistake: it is still in the shoe."""
    note = Note(f"{opener(data)} found the cover card in the shoe: it was keyed by mistake")
    return Step(replace(data, cover=False, cut_offer=""), (note,))


def cover_card_in_deal(data: WarData, event: Event) -> _Step:
    """The same during a deal: where it appeared says to whom the cut is offered (§ 651a.5(b)(2), (3))."""
    place, seats = len(data.keyed), data.dealt_to
    offer = _RIGHTMOST if place >= len(seats) else f"the player at position {seats[place]}"
    step = cover_card(data, event)
    return Step(replace(step.data, cut_offer=offer), step.effects)


def recount(data: WarData, event: Event) -> _Step:
    """The count is not what lies on the table: the cards of this round are counted anew, and shuffled after it."""
    on_table = (*data.cards, *data.war_cards)
    note = Note(f"{opener(data)} found the count of {data.dealt} cards wrong: reshuffle after this round")
    fresh = replace(data, dealt=0, seen=(0,) * len(RANKS), cover=True, recounted=True)
    return Step(counted(fresh, on_table, 1), (note,))


def new_cards(data: WarData, event: Event) -> _Step:
    """New cards: they are inspected (§ 651a.4), then shuffled."""
    offer = replace(data, cause="", cover=False, cut_offer=_FIRST, inspect=True)
    return Step(offer, (Light(()),))


def inspected(data: WarData, event: Event) -> _Step:
    """The dealer has inspected the cards, and spread them for the first player (§ 651a.4(a), (b))."""
    return Step(replace(data, inspect=False), (Note("the dealer inspected the cards and spread them face up"),))


def reshuffle(data: WarData, event: Event) -> _Step:
    """The floorperson orders a reshuffle (§ 651a.5(g)); who has the cut: § 651a.5(b)(4)."""
    return Step(replace(data, cut_offer=_RIGHTMOST), (Note(f"{opener(data)} ordered a reshuffle"),))


def shuffled(data: WarData, event: Event) -> _Step:
    """A new shoe, of the other batch with a shuffler; its first card is burned (§ 651a.8(b))."""
    batch = 1 - data.batch if data.shuffler else data.batch
    fresh = replace(data, dealt=1, seen=(0,) * len(RANKS), cover=False, recounted=False, batch=batch)
    what = f"batch {batch + 1} is" if data.shuffler else "the cards are"
    uninspected = (Note("no inspection of these cards was keyed"),) if data.inspect else ()
    effects = (*uninspected, Note(f"{what} in the shoe, the first card burned"))
    return Step(replace(fresh, cut_offer="", inspect=False, burned_by=data.dealer), effects)


def dealer_logged_on(data: WarData, event: Event) -> _Step:
    """Another dealer burns a card (§ 651a.8(b)); one who only logs off does not."""
    assert isinstance(event, DealerLoggedOn)
    return Step(replace(data, dealer=event.number or data.dealer))
