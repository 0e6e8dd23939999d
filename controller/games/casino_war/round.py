"""The procedure of Casino War (ch. 651a): shuffle, wagers, the original deal, surrender or war, the war deal."""

from collections.abc import Iterator
from dataclasses import replace

from pydantic import TypeAdapter

from controller.games.casino_war import play, steps
from controller.games.casino_war.choices import entries
from controller.games.casino_war.floor import LATER, menu
from controller.games.casino_war.play import IN_ROUND, S, WarData, WarState
from controller.games.casino_war.rules import RANKS
from controller.games.casino_war.shoe import (
    DealingShoe,
    burn,
    cover_card,
    cover_card_in_deal,
    dealer_logged_on,
    inspected,
    shuffled,
)
from controller.games.casino_war.words import refused_position, waiting_for
from controller.games.shared.ageing import Ageing, fresh
from controller.games.shared.closing import fault, fault_closes, on_faults
from controller.games.shared.floor import KEY, correction
from controller.games.shared.settlement import more_steps, next_step
from controller.games.shared.table_data import stops
from controller.statechart.guards import both, dark, keep, once, then
from controller.statechart.machine import GameMachine, Transition
from controller.statechart.menu import MenuEntry

_Transition = Transition[WarState, WarData]

_DATA = TypeAdapter(WarData)


class WarRound(GameMachine[WarState, WarData]):
    """A table of Casino War.

    Args:
        wagers: the actions that depend on the odds.
        shoe: how many cards are dealt from.
        aging: the age limits of the cards.
        automated: whether the table is set up with an automated shuffler.
    """

    def __init__(self, wagers: steps.WarSteps, shoe: DealingShoe, aging: Ageing[WarData], automated: bool) -> None:
        self._wagers = wagers
        self._shoe = shoe
        self._aging = aging
        self._automated = automated
        super().__init__(self._transitions(), S.CLOSED, WarData(shuffler=automated), _DATA)

    def _waits_for(self) -> str:
        words = waiting_for(self.state, self.data)
        if self.state in (S.BETS_OPEN, S.DEAL, S.WAR_DEAL) and (empty := self._shoe.empty(self.state, self.data)):
            unburned = replace(self.data, burned_by=self.data.dealer)  # No card is left to burn.
            return f"{waiting_for(self.state, unburned)}; {empty}"
        if self.state is S.SHUFFLE and not self.data.retired:
            return self._shoe.refused_shuffle(self.data) or words
        if self.state in (S.BETS_OPEN, S.SETTLED) and (overdue := self._shoe.overdue(self.data)):
            return f"{words}; {overdue}"
        return words

    def _menu_entries(self) -> tuple[MenuEntry, ...]:
        return self._offered(entries(self.state, self.data, self._shoe.positions, self._automated))

    def _refused_because(self, control: str) -> str:
        if self.state in (S.DEAL, S.WAR_DEAL) and control in RANKS:
            return self._shoe.refused_card(control, self.data)
        if self.state is S.POSITIONS and control in RANKS:
            return refused_position(control, self.data, self._shoe.positions)
        return self._shoe.refused_burn(self.data) if control == "burn" else ""

    def _transitions(self) -> Iterator[_Transition]:
        yield _Transition(S.CLOSED, "table-started", None, dark)
        yield from menu(self._shoe, self._aging, self._automated)
        yield from self._before_the_deal()
        yield from self._positions()
        yield from self._dealing()
        yield from self._deciding()
        yield from self._settling()
        yield from self._correcting()
        yield from self._everywhere()

    def _before_the_deal(self) -> Iterator[_Transition]:
        opens = then(shuffled, steps.opens)
        fit = both(fresh, self._shoe.may_shuffle)
        yield _Transition(S.SHUFFLE, "press enter", S.BETS_OPEN, opens, fit, "cards fresh")
        yield _Transition(S.SHUFFLE, "press done", None, inspected, play.to_inspect, "new cards")
        yield _Transition(
            S.BETS_OPEN, "press no-more-bets", S.DEAL, steps.as_before, play.kept_positions, "positions as before"
        )
        yield _Transition(S.BETS_OPEN, "press no-more-bets", S.POSITIONS, keep)
        burns = self._shoe.watched(burn)
        for state in (S.BETS_OPEN, S.DEAL, S.WAR_DEAL):
            yield _Transition(state, "press burn", None, burns, self._shoe.may_burn, "a card is left")
        for state in (S.BETS_OPEN, *IN_ROUND, S.CORRECTING):
            dealing = state in (S.DEAL, S.WAR_DEAL)
            yield _Transition(state, "press cover-card", None, cover_card_in_deal if dealing else cover_card)

    def _positions(self) -> Iterator[_Transition]:
        for position in range(1, self._shoe.positions + 1):
            on, guard = f"press {position}", play.in_order(position)
            yield _Transition(S.POSITIONS, on, None, steps.seat(position), guard, "from the left")
        early = steps.card_too_early(self._shoe.positions)
        for rank in RANKS:
            on, among = f"press {rank}", play.card_among_positions
            yield _Transition(S.POSITIONS, on, None, early, among, "a card among positions")
        yield _Transition(S.POSITIONS, "press clear", None, steps.no_seats, play.some_key, "a key pressed")
        yield _Transition(
            S.POSITIONS, "press clear", S.BETS_OPEN, keep, play.wagers_untouched, "no card, no correction"
        )
        yield _Transition(
            S.POSITIONS, "press enter", S.DEAL, steps.seats_keyed, play.seated, "a position with a wager"
        )
        yield _Transition(S.DEAL, "press no-more-bets", S.POSITIONS, steps.to_positions, once, "not pressed twice")

    def _dealing(self) -> Iterator[_Transition]:
        for state in (S.DEAL, S.WAR_DEAL):
            for rank in RANKS:
                deal = self._shoe.watched(steps.deal(rank))
                guard = self._shoe.may_deal(rank)
                yield _Transition(state, f"press {rank}", None, deal, guard, "the shoe can hold it")
            yield _Transition(state, "press clear", None, steps.all_cards, play.one_card, "one card alone")
            if state is S.DEAL:
                back, why = play.was_voided, "a position without a card"
                yield _Transition(state, "press clear", None, steps.a_card_after_all, back, why)
            yield _Transition(state, "press clear", None, steps.take_back, play.keyed, "a card was keyed")
        yield _Transition(S.DEAL, "press clear", S.POSITIONS, steps.to_positions, play.direct, "no card")
        yield _Transition(
            S.WAR_DEAL, "press clear", None, steps.step_back, play.step_done, "a step is done, no card"
        )
        yield _Transition(S.WAR_DEAL, "press clear", S.DECISION, steps.unchoose, play.chosen, "no card")
        yield _Transition(S.WAR_DEAL, "press done", None, next_step, play.war_prepared, "before the first card")
        yield _Transition(S.DEAL, "press void", S.SETTLED, steps.all_void, play.last_seat, "the only position")
        yield _Transition(S.DEAL, "press void", None, steps.no_card, play.deals_to_seat, "a position's card is due")
        deal, war = self._wagers.settle_deal, self._wagers.settle_war
        yield _Transition(S.DEAL, "press enter", S.SETTLING, deal, play.deal_complete, "all cards")
        yield _Transition(S.WAR_DEAL, "press enter", S.SETTLING, war, play.war_complete, "all cards")

    def _deciding(self) -> Iterator[_Transition]:
        to_war = self._shoe.watched(steps.to_war)
        for control in ("war", "surrender"):
            on = f"press {control}"
            last = both(play.last_choice, play.choosing_war)
            yield _Transition(S.DECISION, on, S.WAR_DEAL, to_war, last, "the last, to war")
            yield _Transition(
                S.DECISION, on, S.SETTLING, steps.to_surrender, play.last_choice, "the last, nobody to war"
            )
            yield _Transition(S.DECISION, on, None, steps.choose)
        yield _Transition(S.DECISION, "press clear", None, steps.unchoose, play.chosen, "a choice was keyed")
        yield _Transition(S.SETTLING, "press clear", S.DECISION, steps.unchoose, play.chosen, "a choice was keyed")

    def _settling(self) -> Iterator[_Transition]:
        yield _Transition(S.SETTLING, "press done", None, next_step, more_steps, "more to settle")
        yield _Transition(S.SETTLING, "press done", S.DECISION, next_step, play.ties, "a tie")
        yield _Transition(S.SETTLING, "press done", S.SETTLED, next_step)
        fails, due = both(play.last_step, stops), both(play.last_step, self._shoe.shuffle_due)
        over = then(steps.over, dark)
        yield _Transition(S.SETTLING, "press clear", S.CLOSED, over, fails, "last step, fault in this round")
        yield _Transition(S.SETTLING, "press clear", S.SHUFFLE, over, due, "last step, shuffle due")
        yield _Transition(S.SETTLING, "press clear", S.BETS_OPEN, steps.opens, play.last_step, "last step")
        yield _Transition(S.SETTLED, "press clear", S.CLOSED, over, stops, "fault in this round")
        yield _Transition(S.SETTLED, "press clear", S.SHUFFLE, over, self._shoe.shuffle_due, "shuffle due")
        yield _Transition(S.SETTLED, "press clear", S.BETS_OPEN, steps.opens)

    def _correcting(self) -> Iterator[_Transition]:
        yield from correction(S.CORRECTING, (S.SETTLING, S.DECISION), play.keyed, "cards were keyed")
        yield from correction(S.CORRECTING, (S.SETTLED,))
        for place in range(self._shoe.positions + 1):
            action, guard = steps.this_card(place), steps.was_dealt(place)
            yield _Transition(S.CORRECTING, f"press {place}", None, action, guard, "a card of this deal")
        yield _Transition(S.CORRECTING, KEY, S.WAR_DEAL, steps.correct, play.at_war, "war deal")
        yield _Transition(S.CORRECTING, KEY, S.DEAL, steps.correct, play.keyed, "cards were keyed")
        yield _Transition(S.CORRECTING, KEY, S.POSITIONS, steps.positions_play)

    def _everywhere(self) -> Iterator[_Transition]:
        in_round = (S.CLOSED, *IN_ROUND, S.CORRECTING)
        yield from on_faults(in_round, None, fault(LATER, first=True))
        for state in (S.SHUFFLE, S.BETS_OPEN):
            closing = fault_closes(state, S.MENU, S.BETS_OPEN, "mend it, then open the table anew")
            yield from on_faults([state], S.CLOSED, then(steps.over, closing))
        yield from self._aging.transitions(WarState, but=S.BETS_OPEN, cut=[S.MENU])
        yield self._aging.retires(S.BETS_OPEN, S.SHUFFLE)
        for state in WarState:
            yield _Transition(state, "dealer-logged-on", None, dealer_logged_on)
