"""The procedure of Casino War (ch. 651a): shuffle, wagers, the original deal, surrender or war, the war deal."""

from collections.abc import Callable, Iterator
from dataclasses import replace

from pydantic import TypeAdapter

from controller.events.effect import Alert, Light, Note, Refused, WagersReturned
from controller.events.event import Act, Event, Press
from controller.events.words import NOTHING, Text, text
from controller.games.casino_war import steps as do
from controller.games.casino_war.play import DEALS, IN_ROUND, RESULT, UNSETTLED, DealingShoe, S, WarData, listed
from controller.games.casino_war.rules import RANKS
from controller.machine.offers import Device, Equipment, FaultPolicy, Offer
from controller.machine.round_machine import RoundMachine
from controller.machine.rows import Action, Guard, Row, Step, both, emits, presses, then
from controller.odds.wagers import Payouts

_Row = Row[S, WarData]
_Action = Action[WarData]
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
        data, state, shoe = self.data, self.state, self._shoe
        code, found = f"war-{state.value}", dict[str, str | int](clear=self._clear())
        if state is S.SHUFFLE:
            code = "war-inspect" if data.inspect else code if shoe.may_shuffle(data) else "war-no-hand-shuffle"
            batch = 2 - data.batch if data.shuffler else 0
            found = {"batch": batch, "cut": data.cut_offer, "decks": shoe.decks}
        elif state is S.BETS_OPEN:
            code, found = f"{code}-again" if data.kept else code, {"kept": listed(data.kept), **shoe.overdue(data)}
            found |= {"burn": data.burn_due, "empty": data.burn_due and data.dealt >= shoe.cards}
        elif state is S.SETTLED:
            found = shoe.overdue(data)
        elif state is S.POSITIONS:
            code = "war-positions-in-doubt" if data.in_doubt else code
            found["seats"] = listed(data.seats)
        elif state is S.DECISION:
            found["position"] = data.undecided[0]
        elif data.steps and not (state is S.WAR_DEAL and data.keyed):
            wins = ",".join(f"{win.area} {win.pays}" for win in data.wins)
            code, found["wins"], found["last"] = f"war-{data.steps[0]}", wins, data.last_step
            found |= {"war": listed(data.war), "surrendered": listed(data.surrendered)}
            found["wager"] = "war" if data.at_war else "initial"
        elif state in DEALS:
            return self._dealing(found)
        return Text(code, found)

    def _dealing(self, found: dict[str, str | int]) -> Text:
        data = self.data
        code = "war-enter-cards" if data.complete else "war-card-alone" if data.alone else "war-deal"
        found |= {"seats": listed(data.dealt_to), "cards": ",".join(data.keyed), "correction": bool(data.corrects)}
        found |= {"seat": data.due, "position": data.no_card}
        found["burn"] = data.burn_due and not (data.at_war or data.keyed)
        found["empty"] = data.dealt >= self._shoe.cards and not data.complete
        return Text(code, found)

    def _clear(self) -> str:
        """What ``clear`` does, as a code; empty for nothing that people need to know."""
        data, state = self.data, self.state
        if state is S.POSITIONS:
            return "again" if data.seats or data.last_position else "" if data.wagers_closed else "reopen"
        if state in DEALS:
            keyed = "all-cards" if data.alone else "no-card" if data.no_card else "card" if data.keyed else ""
            return keyed or ("positions" if state is S.DEAL else "step" if data.step_done else "choice")
        return "choice" if data.chosen else ""

    # -- rows ------------------------------------------------------------------------------------------------

    def _all_rows(self) -> Iterator[_Row]:
        yield _Row(S.CLOSED, "table-started", None, emits(Light(())))
        yield _Row(tuple(S), ("dealer-logged-on", "locked dealer-logged-on"), None, do.dealer_logged_on)
        yield from self._floor()
        yield from self._before_the_deal()
        yield from self._positions()
        yield from self._cards()
        yield from self._taken_back()
        yield from self._settling()

    def _floor(self) -> Iterator[_Row]:
        """The floorperson's acts. One that ends a round in progress makes it void."""
        new: _Action = do.sets(cut_offer="first-player", inspect=True)
        forget: _Action = do.sets(kept=())
        yield _Row(S.CLOSED, "act open", S.SHUFFLE, new)
        yield _Row(S.BETS_OPEN, "reopened", S.SHUFFLE, then(do.ends, new))
        paid = then(do.ends, forget)
        yield _Row(S.SETTLING, "act close", S.CLOSED, paid, _by_fault, "winners are paid, and a fault waits")
        for act, reason, to, action in (
            ("renew", "new-cards", S.SHUFFLE, new),
            ("reshuffle", "reshuffle", S.SHUFFLE, do.sets(cut_offer="rightmost")),
            ("close", "table-closed", S.CLOSED, forget),
        ):
            ends: _Action = then(do.ends, action)
            yield _Row((S.SHUFFLE, S.SETTLED), f"act {act}", to, ends)
            yield _Row(S.BETS_OPEN, f"act {act}", to, then(do.returns(reason), ends))
            yield _Row(UNSETTLED, f"act {act}", to, then(do.dead, ends))
        due = self._shoe.shuffle_due
        yield _Row(IN_ROUND, "act void", S.SHUFFLE, then(do.dead, do.ends), due, "shuffle due")
        yield _Row(IN_ROUND, "act void", S.BETS_OPEN, then(do.dead, do.opens))
        yield _Row((S.BETS_OPEN, *IN_ROUND), "act recount", None, do.recount)
        in_shoe: _Action = do.sets(cover=False, cut_offer="")
        yield _Row((S.BETS_OPEN, *IN_ROUND), "act cover-card-in-shoe", None, in_shoe)
        yield _Row(tuple(S), "act shuffler-out", None, do.sets(shuffler=False))
        yield _Row(tuple(S), "act shuffler-in", None, do.sets(shuffler=True))
        yield _Row(RESULT, "act correct", S.WAR_DEAL, do.correct, _if(lambda data: data.at_war), "war deal")
        yield _Row(RESULT, "act correct", S.DEAL, do.correct, _if(lambda data: data.results), "a result")
        yield _Row(S.SETTLED, "act correct", S.POSITIONS, do.as_before)

    def _before_the_deal(self) -> Iterator[_Row]:
        opens: _Action = then(do.shuffled, do.opens)
        yield _Row(S.SHUFFLE, "press enter", S.BETS_OPEN, opens, self._shoe.may_shuffle, "may be shuffled")
        inspected = do.sets(Note("cards-inspected"), inspect=False)
        yield _Row(S.SHUFFLE, "press done", None, inspected, _if(lambda data: data.inspect), "new cards")
        call = "press no-more-bets"
        yield _Row(S.BETS_OPEN, call, S.DEAL, do.as_before, _if(lambda data: data.kept), "positions as before")
        yield _Row(S.BETS_OPEN, call, S.POSITIONS)
        burns = self._watched(do.burn)
        yield _Row((S.BETS_OPEN, *DEALS), "press burn", None, burns, self._shoe.may_burn, "a card is left")
        others = (S.BETS_OPEN, S.POSITIONS, *RESULT)
        yield _Row(others, "press cover-card", None, do.COVER_CARD)
        yield _Row(DEALS, "press cover-card", None, do.cover_card_in_deal)

    def _positions(self) -> Iterator[_Row]:
        here, keys = S.POSITIONS, presses(map(str, range(1, self._shoe.positions + 1)))
        yield _Row(here, keys, None, do.seat, _from_the_left, "from the left")
        among = _if(lambda data: data.last_position and not data.in_doubt)
        yield _Row(here, presses(RANKS), None, self._too_early, among, "a card among positions")
        touched = _if(lambda data: data.seats or data.last_position or data.in_doubt)
        wipe: _Action = do.sets(seats=(), last_position=0, in_doubt=False)
        yield _Row(here, "press clear", None, wipe, touched, "a key pressed")
        # Cards may have been dealt, though none is keyed.
        reopened: _Action = emits(Alert("wagers-reopened"))
        untouched = _if(lambda data: not data.wagers_closed)
        yield _Row(here, "press clear", S.BETS_OPEN, reopened, untouched, "no card, no correction")
        seated = _if(lambda data: data.seats and not data.in_doubt)
        yield _Row(here, "press enter", S.DEAL, do.seats_keyed, seated, "a position with a wager")
        yield _Row(S.DEAL, "press no-more-bets", here, do.SEATS_AGAIN, _once, "not pressed twice")

    def _too_early(self, data: WarData, event: Event) -> Step[WarData]:
        """A card is keyed among the positions: keys before it may have been cards, too."""
        why = self._shoe.refused_position(do.control(event), data)
        refused = Refused(do.control(event), "war-positions-in-doubt", why.code, why.parameters)
        return Step(replace(data, in_doubt=True), (refused,))

    def _cards(self) -> Iterator[_Row]:
        deals = self._watched(do.deal)
        yield _Row(DEALS, presses(RANKS), None, deals, self._shoe.may_deal, "the shoe can hold it")
        due = _if(lambda data: len(data.cards) < len(data.seats) and not data.alone)
        only = both(due, _if(lambda data: len(data.seats) == 1))
        none: _Action = then(do.no_card, do.sets(WagersReturned("no-card"), corrects=(), no_card=0))
        yield _Row(S.DEAL, "press void", S.SETTLED, none, only, "the only position")
        yield _Row(S.DEAL, "press void", None, do.no_card, due, "a position's card is due")
        complete = _if(lambda data: data.complete)
        yield _Row(DEALS, "press enter", S.SETTLING, do.settles(self._payouts), complete, "all cards")
        left = _if(lambda data: data.steps and not data.war_cards)
        yield _Row(S.WAR_DEAL, "press done", None, do.next_step, left, "before the first card")

    def _taken_back(self) -> Iterator[_Row]:
        on = "press clear"
        yield _Row(DEALS, on, None, do.sets(alone=0), _if(lambda data: data.alone), "one card alone")
        yield _Row(S.DEAL, on, None, do.a_card_after_all, _if(lambda data: data.no_card), "keyed as no card")
        yield _Row(DEALS, on, None, do.take_back, _if(lambda data: data.keyed), "a card was keyed")
        yield _Row(S.DEAL, on, S.POSITIONS, do.SEATS_AGAIN)
        yield _Row(S.WAR_DEAL, on, None, do.step_back, _if(lambda data: data.step_done), "a step is done")
        chosen = (S.DECISION, S.WAR_DEAL, S.SETTLING)
        yield _Row(chosen, on, S.DECISION, do.unchoose, _if(lambda data: data.chosen), "a choice was keyed")

    def _settling(self) -> Iterator[_Row]:
        keys, last = presses(("war", "surrender")), _if(lambda data: len(data.undecided) == 1)
        to_war: _Action = self._watched(then(do.choose, do.to_war))
        yield _Row(S.DECISION, keys, S.WAR_DEAL, to_war, both(last, _to_war), "the last, to war")
        nobody: _Action = then(do.choose, do.sets(steps=("halves",)))
        yield _Row(S.DECISION, keys, S.SETTLING, nobody, last, "the last, nobody to war")
        yield _Row(S.DECISION, keys, None, do.choose)
        here, due = S.SETTLING, self._shoe.shuffle_due
        yield _Row(here, "press done", None, do.next_step, _if(lambda data: len(data.steps) > 1), "more to do")
        yield _Row(here, "press done", S.DECISION, do.next_step, _if(lambda data: data.tied), "a tie")
        yield _Row(here, "press done", S.SETTLED, do.next_step)
        last = _if(lambda data: data.last_step)
        yield _Row(here, "press clear", S.SHUFFLE, do.ends, both(last, due), "last step, shuffle due")
        yield _Row(here, "press clear", S.BETS_OPEN, do.opens, last, "last step")
        yield _Row(S.SETTLED, "press clear", S.SHUFFLE, do.ends, due, "shuffle due")
        yield _Row(S.SETTLED, "press clear", S.BETS_OPEN, do.opens)

    def _watched(self, action: _Action) -> _Action:
        """An action after which the count may show that the cover card was overlooked."""
        overdue, due = self._shoe.overdue, self._shoe.shuffle_due

        def watch(data: WarData, event: Event) -> Step[WarData]:
            after, effects = action(data, event)
            count = overdue(after)
            if count and not overdue(data):
                effects = (*effects, Alert("cover-overlooked", parameters=count))
            elif count and due(after) and not due(data):
                effects = (*effects, Alert("cards-short", parameters=count))
            return Step(after, effects)

        return watch


def _if(test: Callable[[WarData], object]) -> Guard[WarData]:
    return lambda data, event: bool(test(data))


def _once(data: WarData, event: Event) -> bool:
    return not (isinstance(event, Press) and event.again)


def _by_fault(data: WarData, event: Event) -> bool:
    """In place of the press by which winners are paid and the next round would open."""
    return isinstance(event, Act) and not event.floor


def _from_the_left(data: WarData, event: Event) -> bool:
    """Positions are keyed from the dealer's left. Any other order is one of cards, which are keyed too early."""
    return int(do.control(event)) > data.last_position and not data.in_doubt


def _to_war(data: WarData, event: Event) -> bool:
    """After this choice, at least one position goes to war."""
    return bool(data.war) or do.control(event) == "war"
