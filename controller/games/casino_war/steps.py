"""The actions of Casino War: pure functions of the round's data and an event."""

from collections.abc import Mapping
from dataclasses import replace

from controller.events.effect import Light, Note, Result, RoundOpened, WagersReturned, Win
from controller.events.event import Event, Press
from controller.games.casino_war.play import WarData, cards_of_deal, lamps, names
from controller.games.casino_war.rules import BURNED, CARDS_OF_A_DECK, RANKS, HandOutcome, holds, odds_of
from controller.games.shared.floor import corrected, correction_allowed
from controller.odds.wagers import Payouts, to_one
from controller.statechart.guards import Action, Guard
from controller.statechart.machine import Step

_Step = Step[WarData]


class WarSteps:
    """The actions and guards that depend on the payout odds and the number of cards.

    Args:
        decks: in the shoe.
    """

    def __init__(self, payouts: Payouts, decks: int) -> None:
        self._payouts = payouts
        self._decks = decks

    def may_deal(self, rank: str) -> Guard[WarData]:
        """A card is due, and the shoe can hold one of this rank."""

        def guard(data: WarData, event: Event) -> bool:
            seats = data.war if data.at_war else data.seats
            due = len(cards_of_deal(data)) <= len(seats)
            return due and data.dealt < self._decks * CARDS_OF_A_DECK and holds(rank, data.seen, self._decks)

        return guard

    def may_burn(self, data: WarData, event: Event) -> bool:
        return data.dealt < self._decks * CARDS_OF_A_DECK

    def settle_deal(self, data: WarData, event: Event) -> _Step:
        """All cards of the original deal are dealt (§ 651a.9(a), (b))."""
        wins = (*self._wins("initial", data.outcomes), *self._wins("tie", data.outcomes))
        decided = tuple(f"{kind}-{seat}" for kind in ("initial", "tie") for seat in data.seats)
        return _result(replace(data, wins=wins, steps=_steps("initial and tie wagers", wins)), data.cards, decided)

    def settle_war(self, data: WarData, event: Event) -> _Step:
        """All cards of the war deal are dealt (§ 651a.9(g), (h))."""
        wins = (*self._wins("war", data.war_outcomes), *self._wins("tie", data.war_outcomes))
        decided = tuple(f"war-{seat}" for seat in data.war)
        return _result(replace(data, wins=wins, steps=_steps("war and tie wagers", wins)), data.war_cards, decided)

    def _wins(self, kind: str, outcomes: Mapping[int, HandOutcome]) -> tuple[Win, ...]:
        odds = {seat: odds_of(kind, outcome, self._payouts) for seat, outcome in outcomes.items()}
        return tuple(Win(f"{kind}-{seat}", to_one(paid)) for seat, paid in odds.items() if paid is not None)


def _steps(what: str, wins: tuple[Win, ...]) -> tuple[str, ...]:
    won = ", ".join(f"{win.area} {win.pays}" for win in wins)
    return (f"collect losing {what}", f"pay {won}") if won else (f"collect losing {what}",)


def _result(data: WarData, cards: tuple[str, ...], decided: tuple[str, ...]) -> _Step:
    label, notes = "-".join(cards), corrected(data.corrects, cards, "-".join)
    data = replace(data, corrects=())
    what = "war deal" if data.at_war else "original deal"
    return Step(data, (*notes, Result(f"{label}, {what}", data.wins, decided), Light(lamps(data))))


def new_cards(data: WarData, event: Event) -> _Step:
    """New cards: shuffle them."""
    return Step(replace(_blank(data), cause="", cover=False), (Light(()),))


def reshuffle(data: WarData, event: Event) -> _Step:
    """The floorperson orders a reshuffle (§ 651a.5(g))."""
    return Step(data, (Note("the floorperson ordered a reshuffle"),))


def shuffled(data: WarData, event: Event) -> _Step:
    """A new shoe; its first card is burned (§ 651a.8(b)), and a round opens."""
    batch = 1 - data.batch if data.shuffler else data.batch
    fresh = replace(data, dealt=1, seen=(0,) * len(RANKS), cover=False, batch=batch)
    return opens(fresh, event)


def opens(data: WarData, event: Event) -> _Step:
    """The next round."""
    data = replace(_blank(data), round=data.round + 1)
    return Step(data, (Light(()), RoundOpened(data.round)))


def _blank(data: WarData) -> WarData:
    blank = replace(data, seats=(), cards=(), war=(), surrendered=(), war_cards=(), at_war=False)
    return replace(blank, corrects=(), steps=(), wins=())


def burn(data: WarData, event: Event) -> _Step:
    """A card goes into the discard rack unused (§ 651a.8(b), § 651a.11(a))."""
    return Step(replace(data, dealt=data.dealt + 1), (Note("a card was burned"),))


def cover_card(data: WarData, event: Event) -> _Step:
    """The cover card came out: the round is finished, then the cards are shuffled (§ 651a.8(d))."""
    return Step(replace(data, cover=True), (Note("the cover card came out: reshuffle after this round"),))


def seat(position: int) -> Action[WarData]:
    """Select a position with an initial wager, or deselect it."""

    def action(data: WarData, event: Event) -> _Step:
        seats = set(data.seats) ^ {position}
        return Step(replace(data, seats=tuple(sorted(seats))))

    return action


def no_seats(data: WarData, event: Event) -> _Step:
    return Step(replace(data, seats=()))


def deal(rank: str) -> Action[WarData]:
    """A card, face up."""

    def action(data: WarData, event: Event) -> _Step:
        return Step(_counted(_with_cards(data, (*cards_of_deal(data), rank)), (rank,), 1))

    return action


def take_back(data: WarData, event: Event) -> _Step:
    """The last card was keyed wrongly."""
    cards = cards_of_deal(data)
    return Step(_counted(_with_cards(data, cards[:-1]), cards[-1:], -1))


def _with_cards(data: WarData, cards: tuple[str, ...]) -> WarData:
    return replace(data, war_cards=cards) if data.at_war else replace(data, cards=cards)


def _counted(data: WarData, ranks: tuple[str, ...], sign: int) -> WarData:
    seen = tuple(count + sign * ranks.count(rank) for rank, count in zip(RANKS, data.seen, strict=True))
    return replace(data, seen=seen, dealt=data.dealt + sign * len(ranks))


def no_card(data: WarData, event: Event) -> _Step:
    """A position was not dealt a card: its wagers are void and go back (§ 651a.11(c))."""
    position = data.seats[len(data.cards)]
    left = tuple(seat for seat in data.seats if seat != position)
    note = Note(f"position {position} was dealt no card: its wagers are void and go back")
    return Step(replace(data, seats=left), (note,))


def all_void(data: WarData, event: Event) -> _Step:
    """No position is left."""
    step = no_card(data, event)
    return Step(step.data, (*step.effects, WagersReturned("no-card")))


def choose(data: WarData, event: Event) -> _Step:
    """A tied position surrenders or goes to war (§ 651a.9(c))."""
    assert isinstance(event, Press)
    position = data.undecided[0]
    if event.control == "war":
        data = replace(data, war=(*data.war, position))
    else:
        data = replace(data, surrendered=(*data.surrendered, position))
    return Step(data, (Note(f"position {position}: {event.control}"), Light(lamps(data))))


def to_war(data: WarData, event: Event) -> _Step:
    """The last choice, with at least one war: three cards are burned (§ 651a.9(e), (f))."""
    step = choose(data, event)
    return Step(replace(step.data, at_war=True, dealt=step.data.dealt + BURNED, wins=()), step.effects)


def to_surrender(data: WarData, event: Event) -> _Step:
    """The last choice, without a war."""
    step = choose(data, event)
    words = f"take half the initial wager at {names(step.data.surrendered)}, and give the other half back"
    return Step(replace(step.data, steps=(words,)), step.effects)


def correct(data: WarData, event: Event) -> _Step:
    """The cards of the last deal are keyed again; both entries stay on record."""
    cards = cards_of_deal(data)
    note = correction_allowed("-".join(cards))
    data = _counted(_with_cards(data, ()), cards, -1)
    if not data.at_war:
        data = replace(data, war=(), surrendered=())
    data = replace(data, corrects=cards, steps=(), wins=())
    return Step(data, (note, Light(lamps(data))))


def over(data: WarData, event: Event) -> _Step:
    """The round is over, and the next one is not open yet."""
    return Step(_blank(data))


def shuffler(works: bool) -> Action[WarData]:
    """The automated shuffler is covered as out of order, or in use again (§ 651a.11(d), (e))."""
    note = Note(
        "the automated shuffler is in use" if works else "the automated shuffler is out of order and covered"
    )
    return lambda data, event: Step(replace(data, shuffler=works), (note,))
