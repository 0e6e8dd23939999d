"""The actions of Casino War: pure functions of the round's data and an event."""

from dataclasses import replace
from typing import Any

from controller.events.effect import (
    Effect,
    Light,
    Note,
    Result,
    ResultWithdrawn,
    RoundOpened,
    Void,
    WagersReturned,
    Win,
)
from controller.events.event import Act, DealerLoggedOn, Event, Press
from controller.games.casino_war.play import WarData, lamps
from controller.games.casino_war.rules import BURNED, RANKS, odds_of
from controller.machine.rows import Action, Step
from controller.odds.wagers import Payouts, to_one

_Step = Step[WarData]
_UNSEEN = (0,) * len(RANKS)


def control(event: Event) -> str:
    """The control of a press, the argument of an act; empty for any other event."""
    return event.control if isinstance(event, Press) else event.argument if isinstance(event, Act) else ""


def sets(*effects: Effect, **changes: Any) -> Action[WarData]:
    """Change these fields of the data, and emit these effects."""
    return lambda data, event: Step(replace(data, **changes), effects)


def ends(data: WarData, event: Event) -> _Step:
    """The round is over, and the next one is not open yet."""
    blank = replace(data, seats=(), cards=(), war=(), surrendered=(), war_cards=(), at_war=False, results=())
    blank = replace(blank, steps=(), corrects=(), alone=0, wins=(), last_position=0, in_doubt=False, no_card=0)
    return Step(blank, (Light(()),))


def opens(data: WarData, event: Event) -> _Step:
    data, dark = ends(data, event)
    data = replace(data, round=data.round + 1)
    return Step(data, (*dark, RoundOpened(data.round)))


def returns(reason: str) -> Action[WarData]:
    """The wagers of a round that has not begun are returned, by the floorperson's act or by a fault."""
    fault = "malfunction"
    return lambda data, event: Step(data, (WagersReturned(fault if control(event) == fault else reason),))


def dead(data: WarData, event: Event) -> _Step:
    """The floorperson makes the round void, whatever is on record of it; all wagers are returned."""
    settled = (data.settled, "wagers-settled")
    withdrawn = (ResultWithdrawn(*one) for one in zip(reversed(data.results), settled, strict=False))
    cards, lit = {"cards": data.cards, "war_cards": data.war_cards}, ",".join(lamps(data))
    found: dict[str, str | int] = {name: "-".join(ranks) for name, ranks in cards.items() if ranks}
    void = Void("dead-round", parameters={**found, "lit": lit} if lit else found)
    return Step(data, (*withdrawn, void, WagersReturned("dead-round")))


def shuffled(data: WarData, event: Event) -> _Step:
    """A new shoe, of the other batch with a shuffler; its first card is burned (§ 651a.8(b)).

    No new cards get into it without a record that they were inspected, here or before they came (§ 651a.4(e)).
    """
    batch = 1 - data.batch if data.shuffler else data.batch
    before = (Note("cards-preinspected"),) if data.inspect else ()
    ready = Note("batch-ready", {"batch": batch + 1}) if data.shuffler else Note("shoe-ready")
    fresh = replace(data, dealt=1, seen=_UNSEEN, cover=False, recounted=False, batch=batch)
    return Step(replace(fresh, cut_offer="", inspect=False, burned_by=data.dealer), (*before, ready))


def burn(data: WarData, event: Event) -> _Step:
    """A card goes into the discard rack unused (§ 651a.8(b), § 651a.11(a))."""
    note = Note("card-burned", {"card": data.dealt + 1})
    return Step(replace(data, dealt=data.dealt + 1, burned_by=data.dealer), (note,))


COVER_CARD = sets(Note("cover-card-out"), cover=True)
"""The cover card came out: the round is finished, then the cards are shuffled (§ 651a.8(d))."""


def cover_card_in_deal(data: WarData, event: Event) -> _Step:
    """The same during a deal: where it appeared determines who is offered the cut (§ 651a.5(b)(2), (3))."""
    place, seats = len(data.keyed), data.dealt_to
    offer = str(seats[place]) if place < len(seats) else "rightmost"
    return COVER_CARD(replace(data, cut_offer=offer), event)


def recount(data: WarData, event: Event) -> _Step:
    """The count is wrong: only the cards on the table are counted, and all are shuffled after this round."""
    fresh = replace(data, dealt=0, seen=_UNSEEN, cover=True, recounted=True)
    return Step(_counted(fresh, (*data.cards, *data.war_cards), 1), (Note("recounted", {"count": data.dealt}),))


def dealer_logged_on(data: WarData, event: Event) -> _Step:
    """Another dealer burns a card (§ 651a.8(b)); one who only logs off does not."""
    return Step(replace(data, dealer=event.number or data.dealer) if isinstance(event, DealerLoggedOn) else data)


def _counted(data: WarData, ranks: tuple[str, ...], sign: int) -> WarData:
    """Cards that are seen leave the shoe, or were keyed wrongly."""
    seen = tuple(max(0, count + sign * ranks.count(rank)) for rank, count in zip(RANKS, data.seen, strict=True))
    return replace(data, seen=seen, dealt=data.dealt + sign * len(ranks))


def seat(data: WarData, event: Event) -> _Step:
    """Select a position with an initial wager, or deselect it."""
    position = int(control(event))
    return Step(replace(data, seats=tuple(sorted({*data.seats} ^ {position})), last_position=position))


def as_before(data: WarData, event: Event) -> _Step:
    """The positions are those of the last round, or those that were keyed first in this one."""
    return Step(replace(data, seats=data.kept, last_position=0))


SEATS_AGAIN = sets(last_position=0, in_doubt=False, alone=0, no_card=0)
"""The positions are keyed again; the cards stay in the order in which they were dealt."""


def seats_keyed(data: WarData, event: Event) -> _Step:
    """The positions are entered. Cards for which there is no position any more are taken back."""
    surplus = data.cards[len(data.seats) + 1 :]
    data = _counted(replace(data, cards=data.cards[: len(data.seats) + 1]), surplus, -1)
    return Step(replace(data, last_position=0, kept=data.seats))


def deal(data: WarData, event: Event) -> _Step:
    rank = control(event)
    if not data.alone:
        return Step(_counted(_with_cards(data, (*data.keyed, rank)), (rank,), 1))
    cards = (*data.corrects[: data.alone - 1], rank, *data.corrects[data.alone :])
    return Step(_counted(replace(_with_cards(data, cards), alone=0), cards, 1))


def take_back(data: WarData, event: Event) -> _Step:
    return Step(_counted(_with_cards(data, data.keyed[:-1]), data.keyed[-1:], -1))


def _with_cards(data: WarData, cards: tuple[str, ...]) -> WarData:
    data = replace(data, no_card=0)
    return replace(data, war_cards=cards) if data.at_war else replace(data, cards=cards)


def no_card(data: WarData, event: Event) -> _Step:
    """A position was not dealt a card: its wagers are void and returned (§ 651a.11(c))."""
    position = data.seats[len(data.cards)]
    left = tuple(seat for seat in data.seats if seat != position)
    return Step(replace(data, seats=left, no_card=position), (Note("no-card", {"position": position}),))


def a_card_after_all(data: WarData, event: Event) -> _Step:
    note = Note("no-card-taken-back", {"position": data.no_card})
    return Step(replace(data, seats=tuple(sorted((*data.seats, data.no_card))), no_card=0), (note,))


def settles(payouts: Payouts) -> Action[WarData]:
    """All cards of a deal are keyed (§ 651a.9(a), (b), (g), (h))."""

    def action(data: WarData, event: Event) -> _Step:
        label = f"{'-'.join(data.keyed)}, {'war' if data.at_war else 'original'} deal"
        data = replace(data, results=(*data.results, label), corrects=(), alone=0)
        kinds, deal = (("war",), data.war_outcomes) if data.at_war else (("initial", "tie"), data.outcomes)
        paid = {f"{one}-{at}": odds_of(one, how, payouts) for one in (kinds[0], "tie") for at, how in deal.items()}
        wins = tuple(Win(area, to_one(odds)) for area, odds in paid.items() if odds is not None)
        data = replace(data, wins=wins, steps=("collect", "pay") if wins else ("collect",))
        decided = tuple(f"{kind}-{at}" for kind in kinds for at in deal)
        return Step(data, (Result(label, wins, decided), Light(lamps(data))))

    return action


def correct(data: WarData, event: Event) -> _Step:
    """Cards of the last deal are keyed again: one, or all. Both results stay on record."""
    cards, what = data.keyed, control(event).partition("-")[2]
    alone = 0 if not what else len(cards) if what == "0" else data.dealt_to.index(int(what)) + 1
    withdrawn = ResultWithdrawn(data.results[-1], data.settled)
    data = _counted(_with_cards(data, ()), cards, -1)
    if not data.at_war:
        data = replace(data, war=(), surrendered=())
    data = replace(data, corrects=cards, alone=alone, steps=(), wins=(), results=data.results[:-1])
    return Step(data, (withdrawn, Light(lamps(data))))


def choose(data: WarData, event: Event) -> _Step:
    """A tied position surrenders or goes to war (§ 651a.9(c))."""
    position, choice = data.undecided[0], control(event)
    if choice == "war":
        data = replace(data, war=(*data.war, position))
    else:
        data = replace(data, surrendered=(*data.surrendered, position))
    return Step(data, (Note("chosen", {"position": position, "choice": choice}),))


def to_war(data: WarData, event: Event) -> _Step:
    """The war deal begins: three cards are burned (§ 651a.9(d) to (f))."""
    burned: dict[str, str | int] = {"first": data.dealt + 1, "last": data.dealt + BURNED}
    data = replace(data, at_war=True, dealt=data.dealt + BURNED, wins=(), steps=data.war_steps)
    return Step(data, (Note("cards-to-burn", burned),))


def next_step(data: WarData, event: Event) -> _Step:
    return Step(replace(data, steps=data.steps[1:]))


def step_back(data: WarData, event: Event) -> _Step:
    return Step(replace(data, steps=data.war_steps[-len(data.steps) - 1 :]))


def unchoose(data: WarData, event: Event) -> _Step:
    """The last choice was keyed wrongly. A war deal that the floorperson was about to correct is void with it."""
    position = max((*data.war, *data.surrendered))
    effects: tuple[Effect, ...] = (Note("choice-taken-back", {"position": position}),)
    if data.at_war and data.corrects:
        effects = (*effects, Void("war-taken-back", parameters={"war_cards": "-".join(data.corrects)}))
    if data.at_war:
        data = replace(data, at_war=False, dealt=data.dealt - BURNED, corrects=())
    war, surrendered = (tuple(at for at in seats if at != position) for seats in (data.war, data.surrendered))
    return Step(replace(data, war=war, surrendered=surrendered, steps=(), alone=0), effects)
