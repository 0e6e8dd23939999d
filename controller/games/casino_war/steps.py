"""The actions of Casino War: pure functions of the round's data and an event."""

from collections.abc import Iterator, Mapping
from dataclasses import replace

from controller.events.effect import Effect, Light, Note, Refused, Result, RoundOpened, Void, WagersReturned, Win
from controller.events.event import Event, Press
from controller.games.casino_war.lamps import lamps
from controller.games.casino_war.play import WarData, direct, halves, in_round, names
from controller.games.casino_war.rules import BURNED, HandOutcome, odds_of
from controller.games.casino_war.shoe import counted
from controller.games.casino_war.words import positions_in_doubt, refused_position
from controller.games.shared.floor import corrected, correction_allowed, floorperson, opener
from controller.odds.wagers import Payouts, to_one
from controller.statechart.guards import Action, Guard
from controller.statechart.machine import Step

_Step = Step[WarData]


class WarSteps:
    """The actions that depend on the payout odds."""

    def __init__(self, payouts: Payouts) -> None:
        self._payouts = payouts

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
    data = replace(data, corrects=(), alone=0)
    what = "war deal" if data.at_war else "original deal"
    return Step(data, (*notes, Result(f"{label}, {what}", data.wins, decided), Light(lamps(data))))


def opens(data: WarData, event: Event) -> _Step:
    """The next round."""
    kept = data.kept if data.keeps else data.seats
    data = replace(_blank(data), round=data.round + 1, keeps=True, kept=kept)
    return Step(data, (Light(()), RoundOpened(data.round)))


def _blank(data: WarData) -> WarData:
    blank = replace(data, seats=(), cards=(), war=(), surrendered=(), war_cards=(), at_war=False)
    return replace(blank, corrects=(), steps=(), wins=(), alone=0, last_position=0, in_doubt=False, no_card=0)


# -- positions ---------------------------------------------------------------------------------------------------


def as_before(data: WarData, event: Event) -> _Step:
    """The positions are those of the last round."""
    return Step(replace(data, seats=data.kept))


def seat(position: int) -> Action[WarData]:
    """Select a position with an initial wager, or deselect it."""

    def action(data: WarData, event: Event) -> _Step:
        seats = set(data.seats) ^ {position}
        last = position if direct(data) else 0
        return Step(replace(data, seats=tuple(sorted(seats)), last_position=last))

    return action


def card_too_early(positions: int) -> Action[WarData]:
    """A card is keyed among the positions: what was keyed before may have been cards, too."""

    def action(data: WarData, event: Event) -> _Step:
        assert isinstance(event, Press)
        words = f"{refused_position(event.control, data, positions)}; {positions_in_doubt(data)}"
        return Step(replace(data, in_doubt=True), (Refused(event.control, words),))

    return action


def no_seats(data: WarData, event: Event) -> _Step:
    return Step(replace(data, seats=(), last_position=0, in_doubt=False))


def to_positions(data: WarData, event: Event) -> _Step:
    """The positions are keyed again; the cards stay in the order in which they were dealt."""
    return Step(replace(data, last_position=0, in_doubt=False, alone=0, no_card=0))


def seats_keyed(data: WarData, event: Event) -> _Step:
    """The positions are entered. Cards for which there is no position any more are taken back."""
    surplus = data.cards[len(data.seats) + 1 :]
    data = counted(replace(data, cards=data.cards[: len(data.seats) + 1]), surplus, -1)
    return Step(replace(data, last_position=0, kept=data.seats if data.keeps else ()))


# -- cards -------------------------------------------------------------------------------------------------------


def deal(rank: str) -> Action[WarData]:
    """A card, face up."""

    def action(data: WarData, event: Event) -> _Step:
        if not data.alone:
            return Step(counted(_with_cards(data, (*data.keyed, rank)), (rank,), 1))
        cards = (*data.corrects[: data.alone - 1], rank, *data.corrects[data.alone :])
        return Step(counted(replace(_with_cards(data, cards), alone=0), cards, 1))

    return action


def take_back(data: WarData, event: Event) -> _Step:
    """The last card was keyed wrongly."""
    cards = data.keyed
    return Step(counted(_with_cards(data, cards[:-1]), cards[-1:], -1))


def _with_cards(data: WarData, cards: tuple[str, ...]) -> WarData:
    data = replace(data, no_card=0)
    return replace(data, war_cards=cards) if data.at_war else replace(data, cards=cards)


# -- what goes back ----------------------------------------------------------------------------------------------


def no_card(data: WarData, event: Event) -> _Step:
    """A position was not dealt a card: its wagers are void and go back (§ 651a.11(c))."""
    position = data.seats[len(data.cards)]
    left = tuple(seat for seat in data.seats if seat != position)
    note = Note(f"position {position} was dealt no card: its wagers are void and go back")
    return Step(replace(data, seats=left, no_card=position if direct(data) else 0), (note,))


def a_card_after_all(data: WarData, event: Event) -> _Step:
    """That a position was dealt no card was keyed by mistake."""
    note = Note(f"position {data.no_card}: no card was taken back; its wagers play")
    return Step(replace(data, seats=tuple(sorted((*data.seats, data.no_card))), no_card=0), (note,))


def all_void(data: WarData, event: Event) -> _Step:
    """No position is left."""
    step = no_card(data, event)
    wrong = (Note(f"{'-'.join(data.corrects)} was wrong: no card was dealt"),) if data.corrects else ()
    return Step(replace(step.data, corrects=(), no_card=0), (*step.effects, *wrong, WagersReturned("no-card")))


# -- surrender or war --------------------------------------------------------------------------------------------


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
    """The last choice, with at least one war: three cards are burned (§ 651a.9(d) to (f))."""
    step = choose(data, event)
    first, data = step.data.dealt + 1, replace(step.data, at_war=True, dealt=step.data.dealt + BURNED, wins=())
    # 0.1.0 did not say which; its rounds are decided to their end as they began.
    burns = (Note(f"cards {first} to {data.dealt} of the shoe are to be burned"),) if direct(data) else ()
    return Step(replace(data, steps=tuple(_war_steps(data))), (*step.effects, *burns))


def _war_steps(data: WarData) -> Iterator[str]:
    """What is done before the first war card, one thing after the other."""
    if data.surrendered:
        yield halves(data)
    yield f"collect the cards of all positions but {names(data.war)}"
    yield f"have war wagers of the same amount placed at {names(data.war)}"
    yield f"collect the whole initial wagers at {names(data.war)}"
    yield f"offer a tie wager at {names(data.war)}"
    yield f"burn {BURNED} cards"


def step_back(data: WarData, event: Event) -> _Step:
    """A step before the first war card was keyed as done by mistake."""
    steps = tuple(_war_steps(data))
    return Step(replace(data, steps=steps[-len(data.steps) - 1 :]))


def to_surrender(data: WarData, event: Event) -> _Step:
    """The last choice, without a war."""
    step = choose(data, event)
    return Step(replace(step.data, steps=(halves(step.data),)), step.effects)


def unchoose(data: WarData, event: Event) -> _Step:
    """The last choice was keyed wrongly. A war deal that the floorperson was about to correct is void with it."""
    position = max((*data.war, *data.surrendered))
    word = "war" if position in data.war else "surrender"
    effects: tuple[Effect, ...] = (Note(f"position {position}: {word} was taken back"),)
    if data.at_war and data.corrects:
        label = "-".join(data.corrects)
        effects = (*effects, Void("war-taken-back", f"the war deal {label} was corrected: it was not to be dealt"))
        data = replace(data, corrects=())
    if data.at_war:
        data = replace(data, at_war=False, dealt=data.dealt - BURNED)
    war = tuple(seat for seat in data.war if seat != position)
    surrendered = tuple(seat for seat in data.surrendered if seat != position)
    data = replace(data, war=war, surrendered=surrendered, steps=(), alone=0)
    return Step(data, (*effects, Light(lamps(data))))


# -- corrections -------------------------------------------------------------------------------------------------


def this_card(place: int) -> Action[WarData]:
    """Only the card of this position, or of the dealer (0), was keyed wrongly."""

    def action(data: WarData, event: Event) -> _Step:
        at = data.dealt_to.index(place) if place else len(data.dealt_to)
        return Step(replace(data, alone=at + 1))

    return action


def was_dealt(place: int) -> Guard[WarData]:
    """The position has a card of the present deal; 0 is the dealer."""
    return lambda data, event: direct(data) and bool(data.keyed) and place in (0, *data.dealt_to)


def all_cards(data: WarData, event: Event) -> _Step:
    """All cards are keyed again, and not one alone."""
    return Step(replace(data, alone=0))


def correct(data: WarData, event: Event) -> _Step:
    """The cards of the last deal are keyed again; both entries stay on record."""
    cards = data.keyed
    note = correction_allowed(event, "-".join(cards))
    data = counted(_with_cards(data, ()), cards, -1)
    if not data.at_war:
        data = replace(data, war=(), surrendered=())
    data = replace(data, corrects=cards, steps=(), wins=())
    return Step(data, (note, Light(lamps(data))))


def positions_play(data: WarData, event: Event) -> _Step:
    """A round in which no position was dealt a card by mistake: its positions are keyed again."""
    note = Note(f"{floorperson(event)} allowed a correction: positions with a wager were dealt cards")
    return Step(replace(data, seats=data.kept, last_position=0), (note,))


# -- the end of a round ------------------------------------------------------------------------------------------


def dead(data: WarData, event: Event) -> _Step:
    """The floorperson voids the round, whatever is on record of it; all wagers go back."""
    if not in_round(data):
        return Step(data)
    deals = [f"{what} {'-'.join(cards)}" for what, cards in _deals(data) if cards]
    detail = f"{opener(data)} voided the round; keyed of it: {', '.join(deals) or 'no card'}"
    return Step(data, (Void("dead-round", detail), WagersReturned("dead-round"), Light(())))


def _deals(data: WarData) -> Iterator[tuple[str, tuple[str, ...]]]:
    yield "original deal", data.cards
    yield "war deal", data.war_cards or (data.corrects if data.at_war else ())


def over(data: WarData, event: Event) -> _Step:
    """The round is over, and the next one is not open yet."""
    return Step(_blank(data))


def forget_positions(data: WarData, event: Event) -> _Step:
    """The next round begins without positions."""
    return Step(replace(data, kept=()))


def shuffler(works: bool) -> Action[WarData]:
    """The automated shuffler is covered as out of order, or in use again (§ 651a.11(d), (e))."""
    note = Note(
        "the automated shuffler is in use" if works else "the automated shuffler is out of order and covered"
    )
    return lambda data, event: Step(replace(data, shuffler=works), (note,))
