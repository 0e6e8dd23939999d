"""The procedure of Casino War (ch. 651a): shuffle, wagers, the original deal, surrender or war, the war deal."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any, Final

from pydantic import TypeAdapter

from controller.events.effect import (
    Alert,
    Effect,
    Light,
    Note,
    Refused,
    Result,
    ResultWithdrawn,
    RoundOpened,
    Void,
    WagersReturned,
    Win,
)
from controller.events.event import Act, DealerLoggedOn, Event, Press
from controller.events.words import NOTHING, Text, text
from controller.games.casino_war import play
from controller.games.casino_war.play import DEALS, IN_ROUND, RESULT, UNSETTLED, DealingShoe, S, WarData
from controller.games.casino_war.rules import BURNED, RANKS, odds_of
from controller.machine.offers import Device, Equipment, FaultPolicy, Offer
from controller.machine.round_machine import (
    Action,
    RoundMachine,
    Row,
    Step,
    both,
    key_of,
    once,
    presses,
    sets,
    then,
    where,
)
from controller.odds.wagers import Payouts, to_one

_Row = Row[S, WarData]
_Step = Step[WarData]
_Action = Action[WarData]
_UNSEEN = (0,) * len(RANKS)
_DATA = TypeAdapter(WarData)


class WarRound(RoundMachine[S, WarData]):
    """A table of Casino War.

    Args:
        cards: their age limits.
        automated: whether the table is set up with an automated shuffler.
    """

    opens_with_new = True
    idle = frozenset({S.CLOSED.value, S.SHUFFLE.value, S.BETS_OPEN.value, S.SETTLED.value})

    def __init__(self, payouts: Payouts, shoe: DealingShoe, cards: Equipment, automated: bool) -> None:
        self._payouts, self._shoe, self._equipment, self._automated = payouts, shoe, cards, automated
        super().__init__(self._all_rows(), S.CLOSED, WarData(shuffler=automated), _DATA)

    # -- what the table layer asks ---------------------------------------------------------------------------

    @property
    def equipment(self) -> tuple[Equipment, ...]:
        return (self._equipment,)

    def on_fault(self, device: Device, state: S) -> FaultPolicy:
        return FaultPolicy.LATER if state in IN_ROUND else FaultPolicy.CLOSE

    def offers(self) -> Iterator[Offer]:
        data, state = self.data, self.state
        if state is S.CLOSED:
            yield Offer("open", expected=True)
        if state in IN_ROUND:
            yield Offer("void")
            yield from (Offer("correct", what, control="correct") for what in self._corrections())
        if data.voided is not None:
            yield Offer("reverse")
        if state in (S.BETS_OPEN, *IN_ROUND):
            yield Offer("recount")
            if data.cover and not data.recounted:
                yield Offer("cover-card-in-shoe")
        if state is not S.CLOSED:
            yield from (Offer("reshuffle"), Offer("close"))
        if self._automated:
            yield Offer("shuffler-out" if data.shuffler else "shuffler-in")

    def _corrections(self) -> Iterator[str]:
        """What may have been keyed wrongly: the card of a position, that of the dealer (0), or everything."""
        if self.data.results and self.state in RESULT:
            yield from (f"card-{seat}" for seat in (*self.data.dealt_to, 0))
            yield "deal"
        elif self.state is S.SETTLED:
            yield "positions"

    def refused_because(self, press: Press) -> Text:
        data, key = self.data, press.control
        if self.state in DEALS and key in RANKS:
            return self._shoe.refused_card(key, data)
        if self.state is S.POSITIONS and key in RANKS and not data.in_doubt:
            return self._shoe.refused_position(key, data)
        return text("shoe-empty") if key == "burn" and not self._shoe.may_burn(data, press) else NOTHING

    def instruction(self) -> Text:
        return play.instruction(self.state, self.data, self._shoe)

    # -- rows ------------------------------------------------------------------------------------------------

    def _all_rows(self) -> Iterator[_Row]:
        yield _Row(S.CLOSED, "table-started", None, sets(Light(())))
        yield _Row(tuple(S), ("dealer-logged-on", "locked dealer-logged-on"), None, _dealer_logged_on)
        yield from self._floor()
        yield from self._before_the_deal()
        yield from self._positions()
        yield from self._cards()
        yield from self._taken_back()
        yield from self._settling()

    def _floor(self) -> Iterator[_Row]:
        """The floorperson's acts. One that ends a round in progress makes it void."""
        new: _Action = sets(cut_offer="first-player", inspect=True)
        forget: _Action = sets(kept=())
        yield _Row(S.CLOSED, "act open", S.SHUFFLE, new)
        yield _Row(S.BETS_OPEN, "reopened", S.SHUFFLE, then(_ends, new))
        paid = then(_ends, forget)
        yield _Row(S.SETTLING, "act close", S.CLOSED, paid, _by_fault, "winners are paid, and a fault waits")
        for act, reason, to, action in (
            ("renew", "new-cards", S.SHUFFLE, new),
            ("reshuffle", "reshuffle", S.SHUFFLE, sets(cut_offer="rightmost")),
            ("close", "table-closed", S.CLOSED, forget),
        ):
            ends: _Action = then(_ends, action)
            yield _Row((S.SHUFFLE, S.SETTLED), f"act {act}", to, ends)
            yield _Row(S.BETS_OPEN, f"act {act}", to, then(_returns(reason), ends))
            yield _Row(UNSETTLED, f"act {act}", to, then(_dead, ends))
        due = self._shoe.shuffle_due
        yield _Row(IN_ROUND, "act void", S.SHUFFLE, _voids(_ends), due, "shuffle due")
        yield _Row(IN_ROUND, "act void", S.BETS_OPEN, _voids(_opens))
        dealt = where(lambda data: data.voided.seated and (data.voided.cards or data.voided.corrects))
        for source, back in ((S.BETS_OPEN, _reversed), (S.SHUFFLE, then(_next_round, _reversed))):
            yield _Row(source, "act reverse", S.DEAL, back, dealt, "cards were keyed")
            yield _Row(source, "act reverse", S.POSITIONS, back)
        yield _Row((S.BETS_OPEN, *IN_ROUND), "act recount", None, _recount)
        in_shoe: _Action = sets(cover=False, cut_offer="")
        yield _Row((S.BETS_OPEN, *IN_ROUND), "act cover-card-in-shoe", None, in_shoe)
        yield _Row(tuple(S), "act shuffler-out", None, sets(shuffler=False))
        yield _Row(tuple(S), "act shuffler-in", None, sets(shuffler=True))
        yield _Row(RESULT, "act correct", S.WAR_DEAL, _correct, where(lambda data: data.at_war), "war deal")
        yield _Row(RESULT, "act correct", S.DEAL, _correct, where(lambda data: data.results), "a result")
        yield _Row(S.SETTLED, "act correct", S.POSITIONS, _as_before)

    def _before_the_deal(self) -> Iterator[_Row]:
        opens: _Action = then(_shuffled, _opens)
        yield _Row(S.SHUFFLE, "press enter", S.BETS_OPEN, opens, self._shoe.may_shuffle, "may be shuffled")
        inspected = sets(Note("cards-inspected"), inspect=False)
        yield _Row(S.SHUFFLE, "press done", None, inspected, where(lambda data: data.inspect), "new cards")
        call = "press no-more-bets"
        yield _Row(S.BETS_OPEN, call, S.DEAL, _as_before, where(lambda data: data.kept), "positions as before")
        yield _Row(S.BETS_OPEN, call, S.POSITIONS, sets(voided=None))
        burns = self._watched(_burn)
        yield _Row((S.BETS_OPEN, *DEALS), "press burn", None, burns, self._shoe.may_burn, "a card is left")
        others = (S.BETS_OPEN, S.POSITIONS, *RESULT)
        yield _Row(others, "press cover-card", None, _COVER_CARD)
        yield _Row(DEALS, "press cover-card", None, _cover_card_in_deal)

    def _positions(self) -> Iterator[_Row]:
        here, keys = S.POSITIONS, presses(map(str, range(1, self._shoe.positions + 1)))
        yield _Row(here, keys, None, _seat, _from_the_left, "from the left")
        among = where(lambda data: data.last_position and not data.in_doubt)
        yield _Row(here, presses(RANKS), None, self._too_early, among, "a card among positions")
        touched = where(lambda data: data.seats or data.last_position or data.in_doubt)
        wipe: _Action = sets(seats=(), last_position=0, in_doubt=False)
        yield _Row(here, "press clear", None, wipe, touched, "a key pressed")
        # Cards may have been dealt, though none is keyed.
        reopened: _Action = sets(Alert("wagers-reopened"))
        untouched = where(lambda data: not data.wagers_closed)
        yield _Row(here, "press clear", S.BETS_OPEN, reopened, untouched, "no card, no correction")
        seated = where(lambda data: data.seats and not data.in_doubt)
        yield _Row(here, "press enter", S.DEAL, _seats_keyed, seated, "a position with a wager")
        yield _Row(S.DEAL, "press no-more-bets", here, _SEATS_AGAIN, once, "not pressed twice")

    def _too_early(self, data: WarData, event: Event) -> _Step:
        """A card is keyed among the positions: keys before it may have been cards, too."""
        why = self._shoe.refused_position(key_of(event), data)
        refused = Refused(key_of(event), "war-positions-in-doubt", why.code, why.parameters)
        return Step(replace(data, in_doubt=True), (refused,))

    def _cards(self) -> Iterator[_Row]:
        deals = self._watched(_deal)
        yield _Row(DEALS, presses(RANKS), None, deals, self._shoe.may_deal, "the shoe can hold it")
        due = where(lambda data: len(data.cards) < len(data.seats) and not data.alone)
        only = both(due, where(lambda data: len(data.seats) == 1))
        none: _Action = then(_no_card, sets(WagersReturned("no-card"), corrects=(), no_card=0))
        yield _Row(S.DEAL, "press void", S.SETTLED, none, only, "the only position")
        yield _Row(S.DEAL, "press void", None, _no_card, due, "a position's card is due")
        complete = where(lambda data: data.complete)
        yield _Row(DEALS, "press enter", S.SETTLING, _settles(self._payouts), complete, "all cards")
        left = where(lambda data: data.steps and not data.war_cards)
        yield _Row(S.WAR_DEAL, "press done", None, _next_step, left, "before the first card")

    def _taken_back(self) -> Iterator[_Row]:
        on = "press clear"
        yield _Row(DEALS, on, None, sets(alone=0), where(lambda data: data.alone), "one card alone")
        yield _Row(S.DEAL, on, None, _a_card_after_all, where(lambda data: data.no_card), "keyed as no card")
        yield _Row(DEALS, on, None, _take_back, where(lambda data: data.keyed), "a card was keyed")
        yield _Row(S.DEAL, on, S.POSITIONS, _SEATS_AGAIN)
        yield _Row(S.WAR_DEAL, on, None, _step_back, where(lambda data: data.step_done), "a step is done")
        chosen = (S.DECISION, S.WAR_DEAL, S.SETTLING)
        yield _Row(chosen, on, S.DECISION, _unchoose, where(lambda data: data.chosen), "a choice was keyed")

    def _settling(self) -> Iterator[_Row]:
        keys, last = presses(("war", "surrender")), where(lambda data: len(data.undecided) == 1)
        to_war: _Action = self._watched(then(_choose, _begin_war))
        yield _Row(S.DECISION, keys, S.WAR_DEAL, to_war, both(last, _to_war), "the last, to war")
        nobody: _Action = then(_choose, sets(steps=("halves",)))
        yield _Row(S.DECISION, keys, S.SETTLING, nobody, last, "the last, nobody to war")
        yield _Row(S.DECISION, keys, None, _choose)
        here, due = S.SETTLING, self._shoe.shuffle_due
        yield _Row(here, "press done", None, _next_step, where(lambda data: len(data.steps) > 1), "more to do")
        yield _Row(here, "press done", S.DECISION, _next_step, where(lambda data: data.undecided), "a tie")
        yield _Row(here, "press done", S.SETTLED, _next_step)
        ends, over = (here, S.SETTLED), where(lambda data: data.last_step or not data.steps)
        yield _Row(ends, "press clear", S.SHUFFLE, _ends, both(over, due), "one step left at most, shuffle due")
        yield _Row(ends, "press clear", S.BETS_OPEN, _opens, over, "one step left at most")

    def _watched(self, action: _Action) -> _Action:
        """An action after which the count may show that the cover card was overlooked."""
        overdue, due = self._shoe.overdue, self._shoe.shuffle_due

        def watch(data: WarData, event: Event) -> _Step:
            after, effects = action(data, event)
            count = overdue(after)
            if count and not overdue(data):
                effects = (*effects, Alert("cover-overlooked", parameters=count))
            elif count and due(after) and not due(data):
                effects = (*effects, Alert("cards-short", parameters=count))
            return Step(after, effects)

        return watch


# -- conditions --------------------------------------------------------------------------------------------------


def _by_fault(data: WarData, event: Event) -> bool:
    """In place of the press by which winners are paid and the next round would open."""
    return isinstance(event, Act) and not event.floor


def _from_the_left(data: WarData, event: Event) -> bool:
    """Positions are keyed from the dealer's left. Any other order is one of cards, which are keyed too early."""
    return int(key_of(event)) > data.last_position and not data.in_doubt


def _to_war(data: WarData, event: Event) -> bool:
    """After this choice, at least one position goes to war."""
    return bool(data.war) or key_of(event) == "war"


# -- actions -----------------------------------------------------------------------------------------------------

_NO_ROUND: Final[Mapping[str, Any]] = dict.fromkeys(
    ("seats", "cards", "war", "surrendered", "war_cards", "results", "steps", "wins", "corrects", "taken_back"), ()
) | {"alone": 0, "last_position": 0, "in_doubt": False, "no_card": 0, "voided": None}


def _ends(data: WarData, event: Event) -> _Step:
    """The round is over, and the next one is not open yet."""
    return Step(replace(data, **_NO_ROUND), (Light(()),))


def _next_round(data: WarData, event: Event) -> _Step:
    data = replace(data, round=data.round + 1)
    return Step(data, (RoundOpened(data.round),))


_opens: _Action = then(_ends, _next_round)


def _returns(reason: str) -> _Action:
    """The wagers of a round that has not begun are returned, by the floorperson's act or by a fault."""
    fault = "malfunction"
    return lambda data, event: Step(data, (WagersReturned(fault if key_of(event) == fault else reason),))


def _dead(data: WarData, event: Event) -> _Step:
    """The floorperson makes the round void, whatever is on record of it; all wagers are returned."""
    settled = (data.settled, "wagers-settled")
    withdrawn = (ResultWithdrawn(*one) for one in zip(reversed(data.results), settled, strict=False))
    cards, lit = {"cards": data.cards, "war_cards": data.war_cards}, ",".join(play.lamps(data))
    found: dict[str, str | int] = {name: "-".join(ranks) for name, ranks in cards.items() if ranks}
    void = Void("dead-round", parameters={**found, "lit": lit} if lit else found)
    return Step(data, (*withdrawn, void, WagersReturned("dead-round")))


def _voids(ends: _Action) -> _Action:
    """The round is void, and is kept until the next call."""

    def action(data: WarData, event: Event) -> _Step:
        after, effects = then(_dead, ends)(data, event)
        return Step(replace(after, voided=replace(data, voided=None)), effects)

    return action


def _reversed(data: WarData, act: Act) -> _Step:
    """The void was a mistake: positions and cards are as keyed, and ENTER gives their result again.

    A war is chosen and keyed again: its cards, and those burned for it, are not counted twice.
    """
    assert data.voided is not None
    was = data.voided
    back = replace(data, seats=was.seats, last_position=was.last_position, in_doubt=was.in_doubt)
    back = replace(back, cards=was.cards, voided=None)
    if was.at_war:
        back = _counted(replace(back, dealt=back.dealt - BURNED), (), was.war_cards)
    else:
        back = replace(back, corrects=was.corrects, taken_back=was.taken_back)
    return Step(back, (Note("void-reversed", {"by": act.by}),))


def _shuffled(data: WarData, event: Event) -> _Step:
    """A new shoe, of the other batch with a shuffler; its first card is burned (§ 651a.8(b)).

    No new cards get into it without a record that they were inspected, here or before they came (§ 651a.4(e)).
    """
    batch = 1 - data.batch if data.shuffler else data.batch
    before = (Note("cards-preinspected"),) if data.inspect else ()
    ready = Note("batch-ready", {"batch": batch + 1}) if data.shuffler else Note("shoe-ready")
    fresh = replace(data, dealt=1, seen=_UNSEEN, cover=False, recounted=False, batch=batch)
    return Step(replace(fresh, cut_offer="", inspect=False, burned_by=data.dealer), (*before, ready))


def _burn(data: WarData, event: Event) -> _Step:
    """A card goes into the discard rack unused (§ 651a.8(b), § 651a.11(a))."""
    note = Note("card-burned", {"card": data.dealt + 1})
    return Step(replace(data, dealt=data.dealt + 1, burned_by=data.dealer), (note,))


_COVER_CARD = sets(Note("cover-card-out"), cover=True)
"""The cover card came out: the round is finished, then the cards are shuffled (§ 651a.8(d))."""


def _cover_card_in_deal(data: WarData, event: Event) -> _Step:
    """The same during a deal: where it appeared determines who is offered the cut (§ 651a.5(b)(2), (3))."""
    place, seats = len(data.keyed), data.dealt_to
    offer = str(seats[place]) if place < len(seats) else "rightmost"
    return _COVER_CARD(replace(data, cut_offer=offer), event)


def _recount(data: WarData, event: Event) -> _Step:
    """The count is wrong: only the cards on the table are counted, and all are shuffled after this round."""
    fresh = replace(data, dealt=0, seen=_UNSEEN, cover=True, recounted=True, voided=None)
    return Step(_counted(fresh, (*data.cards, *data.war_cards)), (Note("recounted", {"count": data.dealt}),))


def _dealer_logged_on(data: WarData, event: Event) -> _Step:
    """Another dealer burns a card (§ 651a.8(b)); one who only logs off does not."""
    return Step(replace(data, dealer=event.number or data.dealer) if isinstance(event, DealerLoggedOn) else data)


def _counted(data: WarData, cards: tuple[str, ...], before: tuple[str, ...] = (), /, **changes: Any) -> WarData:
    """Cards that are seen have left the shoe; those before them were keyed wrongly."""
    change = ((count, cards.count(rank) - before.count(rank)) for rank, count in zip(RANKS, data.seen, strict=True))
    seen = tuple([max(0, count + more) for count, more in change])
    return replace(data, seen=seen, dealt=data.dealt + len(cards) - len(before), **changes)


def _keys(data: WarData, cards: tuple[str, ...], **changes: Any) -> WarData:
    """The cards of the present deal."""
    changes["war_cards" if data.at_war else "cards"] = cards
    return _counted(data, cards, data.keyed, no_card=0, **changes)


def _seat(data: WarData, event: Event) -> _Step:
    """Select a position with an initial wager, or deselect it."""
    position = int(key_of(event))
    return Step(replace(data, seats=tuple(sorted({*data.seats} ^ {position})), last_position=position))


def _as_before(data: WarData, event: Event) -> _Step:
    """The positions are those of the last round, or those that were keyed first in this one."""
    return Step(replace(data, seats=data.kept, last_position=0, voided=None))


_SEATS_AGAIN = sets(last_position=0, in_doubt=False, alone=0, no_card=0)
"""The positions are keyed again; the cards stay in the order in which they were dealt."""


def _seats_keyed(data: WarData, event: Event) -> _Step:
    """The positions are entered. Cards for which there is no position any more are taken back."""
    late, seats, before = "-".join(data.shown), data.seats, data.kept
    data = _keys(data, data.cards[: len(seats) + 1], last_position=0, kept=seats)
    if not late or seats == before:
        return Step(data)
    found: dict[str, str | int] = {"seats": play.listed(seats), "before": play.listed(before), "cards": late}
    return Step(data, (Alert("positions-changed-late", parameters=found),))


def _deal(data: WarData, event: Event) -> _Step:
    cards = (*data.keyed, key_of(event))
    if data.alone:
        cards = (*data.corrects[: data.alone - 1], key_of(event), *data.corrects[data.alone :])
    return Step(_keys(data, cards, alone=0))


def _take_back(data: WarData, event: Event) -> _Step:
    """A card was keyed wrongly, or too early. People have seen it."""
    before = data.keyed if len(data.keyed) >= len(data.taken_back) else data.taken_back
    return Step(_keys(data, data.keyed[:-1], taken_back=before))


def _no_card(data: WarData, event: Event) -> _Step:
    """A position was not dealt a card: its wagers are void and returned (§ 651a.11(c))."""
    position = data.seats[len(data.cards)]
    left = tuple(seat for seat in data.seats if seat != position)
    return Step(replace(data, seats=left, no_card=position), (Note("no-card", {"position": position}),))


def _a_card_after_all(data: WarData, event: Event) -> _Step:
    note = Note("no-card-taken-back", {"position": data.no_card})
    return Step(replace(data, seats=tuple(sorted((*data.seats, data.no_card))), no_card=0), (note,))


def _settles(payouts: Payouts) -> _Action:
    """All cards of a deal are keyed (§ 651a.9(a), (b), (g), (h))."""

    def action(data: WarData, event: Event) -> _Step:
        label = f"{'-'.join(data.keyed)}, {'war' if data.at_war else 'original'} deal"
        data = replace(data, results=(*data.results, label), corrects=(), taken_back=(), alone=0)
        kinds, deal = (("war",), data.war_outcomes) if data.at_war else (("initial", "tie"), data.outcomes)
        paid = {f"{one}-{at}": odds_of(one, how, payouts) for one in (kinds[0], "tie") for at, how in deal.items()}
        wins = tuple(Win(area, to_one(odds)) for area, odds in paid.items() if odds is not None)
        data = replace(data, wins=wins, steps=("collect", "pay") if wins else ("collect",))
        decided = tuple(f"{kind}-{at}" for kind in kinds for at in deal)
        return Step(data, (Result(label, wins, decided), Light(play.lamps(data))))

    return action


def _correct(data: WarData, event: Event) -> _Step:
    """Cards of the last deal are keyed again: one, or all. Both results stay on record."""
    cards, what = data.keyed, key_of(event).partition("-")[2]
    alone = 0 if not what else len(cards) if what == "0" else data.dealt_to.index(int(what)) + 1
    withdrawn = ResultWithdrawn(data.results[-1], data.settled)
    chosen = (data.war, data.surrendered) if data.at_war else ((), ())
    data = _keys(data, (), war=chosen[0], surrendered=chosen[1], corrects=cards, taken_back=(), alone=alone)
    data = replace(data, steps=(), wins=(), results=data.results[:-1])
    return Step(data, (withdrawn, Light(play.lamps(data))))


def _choose(data: WarData, event: Event) -> _Step:
    """A tied position surrenders or goes to war (§ 651a.9(c))."""
    position, choice = data.undecided[0], key_of(event)
    if choice == "war":
        data = replace(data, war=(*data.war, position))
    else:
        data = replace(data, surrendered=(*data.surrendered, position))
    return Step(data, (Note("chosen", {"position": position, "choice": choice}),))


def _begin_war(data: WarData, event: Event) -> _Step:
    """The war deal begins: three cards are burned (§ 651a.9(d) to (f))."""
    burned: dict[str, str | int] = {"first": data.dealt + 1, "last": data.dealt + BURNED}
    data = replace(data, dealt=data.dealt + BURNED, wins=(), steps=data.war_steps)
    return Step(data, (Note("cards-to-burn", burned),))


def _next_step(data: WarData, event: Event) -> _Step:
    return Step(replace(data, steps=data.steps[1:]))


def _step_back(data: WarData, event: Event) -> _Step:
    return Step(replace(data, steps=data.war_steps[-len(data.steps) - 1 :]))


def _unchoose(data: WarData, event: Event) -> _Step:
    """The last choice was keyed wrongly. A war deal that the floorperson was about to correct is void with it."""
    position = max((*data.war, *data.surrendered))
    effects: tuple[Effect, ...] = (Note("choice-taken-back", {"position": position}),)
    if data.taken_back:
        late: dict[str, str | int] = {"position": position, "war_cards": "-".join(data.taken_back)}
        effects = (*effects, Alert("choice-taken-back-late", parameters=late))
    if data.at_war and data.corrects:
        effects = (*effects, Void("war-taken-back", parameters={"war_cards": "-".join(data.corrects)}))
    if data.at_war:
        data = replace(data, dealt=data.dealt - BURNED, corrects=())
    war, surrendered = (tuple(at for at in seats if at != position) for seats in (data.war, data.surrendered))
    return Step(replace(data, war=war, surrendered=surrendered, steps=(), alone=0), effects)
