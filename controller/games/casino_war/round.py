"""The procedure of Casino War (ch. 651a): shuffle, wagers, the original deal, surrender or war, the war deal."""

from collections.abc import Iterator

from pydantic import TypeAdapter

from controller.games.casino_war.play import (
    S,
    WarData,
    WarState,
    at_war,
    choosing_war,
    deal_complete,
    deals_to_seat,
    keyed,
    last_choice,
    last_seat,
    seated,
    shuffle_due,
    ties,
    waiting_for,
    war_complete,
)
from controller.games.casino_war.rules import RANKS
from controller.games.casino_war.steps import (
    WarSteps,
    all_void,
    burn,
    choose,
    correct,
    cover_card,
    deal,
    new_cards,
    no_card,
    no_seats,
    opens,
    over,
    reshuffle,
    seat,
    shuffled,
    shuffler,
    take_back,
    to_surrender,
    to_war,
)
from controller.games.shared.ageing import Ageing, fresh
from controller.games.shared.closing import closes, fault, fault_closes, on_faults, wagers_back_from
from controller.games.shared.floor import KEY, correction, opens_menu
from controller.games.shared.settlement import more_steps, next_step
from controller.games.shared.table_data import returns_to, stops
from controller.statechart.guards import both, dark, keep, then, unless
from controller.statechart.machine import GameMachine, Transition

_IDLE = (S.CLOSED, S.SHUFFLE, S.BETS_OPEN)
_IN_ROUND = (S.POSITIONS, S.DEAL, S.DECISION, S.WAR_DEAL, S.SETTLING, S.SETTLED, S.CORRECTING)
_Transition = Transition[WarState, WarData]


class WarRound(GameMachine[WarState, WarData]):
    """A table of Casino War.

    Args:
        steps: the actions.
        aging: the age limits of the cards.
        positions: betting positions at the table.
        automated: whether the table is set up with an automated shuffler.
    """

    def __init__(self, steps: WarSteps, aging: Ageing[WarData], positions: int, automated: bool) -> None:
        self._steps = steps
        self._aging = aging
        self._positions = positions
        self._automated = automated
        super().__init__(self._transitions(), S.CLOSED, WarData(shuffler=automated), TypeAdapter(WarData))

    def _waits_for(self) -> str:
        words = waiting_for(self.state, self.data)
        if self.state is S.MENU and self._automated:
            words += "; 4 shuffler out of order and covered, 6 shuffler in use"
        return words

    def _transitions(self) -> Iterator[_Transition]:
        yield from self._at_the_floor()
        yield from self._before_the_deal()
        yield from self._dealing()
        yield from self._deciding()
        yield from self._settling()
        yield from self._correcting()
        yield from self._everywhere()

    def _at_the_floor(self) -> Iterator[_Transition]:
        menu = S.MENU
        yield _Transition(S.CLOSED, "table-started", None, dark)
        renewed = then(wagers_back_from(S.BETS_OPEN, "new-cards"), self._aging.renew, new_cards)
        opened = unless(returns_to(S.CLOSED))
        yield _Transition(menu, "press 1", S.SHUFFLE, renewed, returns_to(S.CLOSED), "from closed")
        yield _Transition(menu, "press 2", S.SHUFFLE, renewed, opened, "open")
        shuffles = then(wagers_back_from(S.BETS_OPEN, "reshuffle"), reshuffle)
        yield _Transition(menu, "press 3", S.SHUFFLE, shuffles, opened, "open")
        closing = then(over, closes("closed by the floorperson", S.BETS_OPEN))
        yield _Transition(menu, "press 5", S.CLOSED, closing, opened, "open")
        yield from opens_menu(menu, _IDLE)
        for state in _IDLE:
            to, words = returns_to(state), f"from {state.value}"
            if self._automated:
                yield _Transition(menu, "press 4", state, shuffler(False), to, words)
                yield _Transition(menu, "press 6", state, shuffler(True), to, words)
            if state is not S.BETS_OPEN:
                yield _Transition(menu, "press clear", state, keep, to, words)
                yield _Transition(menu, "power-restored", state, self._aging.restore, to, words)
        # If the cards have reached their age limit meanwhile, no round is open.
        for on, action in (("press clear", keep), ("power-restored", self._aging.restore)):
            ends = self._aging.returning(action)
            yield from self._aging.leaves(menu, on, action, S.BETS_OPEN, S.SHUFFLE, ends)

    def _before_the_deal(self) -> Iterator[_Transition]:
        yield _Transition(S.SHUFFLE, "press enter", S.BETS_OPEN, shuffled, fresh, "cards fresh")
        yield _Transition(S.BETS_OPEN, "press no-more-bets", S.POSITIONS, keep)
        for position in range(1, self._positions + 1):
            yield _Transition(S.POSITIONS, f"press {position}", None, seat(position))
        yield _Transition(S.POSITIONS, "press clear", None, no_seats, seated, "a position with a wager")
        yield _Transition(S.POSITIONS, "press clear", S.BETS_OPEN, keep)
        yield _Transition(S.POSITIONS, "press enter", S.DEAL, keep, seated, "a position with a wager")
        for state in (S.BETS_OPEN, S.DEAL, S.WAR_DEAL):
            yield _Transition(state, "press burn", None, burn, self._steps.may_burn, "a card is left")
        for state in (S.BETS_OPEN, *_IN_ROUND):
            yield _Transition(state, "press cover-card", None, cover_card)

    def _dealing(self) -> Iterator[_Transition]:
        for state in (S.DEAL, S.WAR_DEAL):
            for rank in RANKS:
                yield _Transition(
                    state, f"press {rank}", None, deal(rank), self._steps.may_deal(rank), "the shoe can hold it"
                )
            yield _Transition(state, "press clear", None, take_back, keyed, "a card was keyed")
        yield _Transition(S.DEAL, "press void", S.SETTLED, all_void, last_seat, "the only position")
        yield _Transition(S.DEAL, "press void", None, no_card, deals_to_seat, "a position's card is due")
        yield _Transition(S.DEAL, "press enter", S.SETTLING, self._steps.settle_deal, deal_complete, "all cards")
        yield _Transition(S.WAR_DEAL, "press enter", S.SETTLING, self._steps.settle_war, war_complete, "all cards")

    def _deciding(self) -> Iterator[_Transition]:
        for control in ("war", "surrender"):
            on = f"press {control}"
            yield _Transition(
                S.DECISION, on, S.WAR_DEAL, to_war, both(last_choice, choosing_war), "the last, to war"
            )
            yield _Transition(S.DECISION, on, S.SETTLING, to_surrender, last_choice, "the last, nobody to war")
            yield _Transition(S.DECISION, on, None, choose)

    def _settling(self) -> Iterator[_Transition]:
        yield _Transition(S.SETTLING, "press done", None, next_step, more_steps, "more to settle")
        yield _Transition(S.SETTLING, "press done", S.DECISION, next_step, ties, "a tie")
        yield _Transition(S.SETTLING, "press done", S.SETTLED, next_step)
        yield _Transition(S.SETTLED, "press clear", S.CLOSED, then(over, dark), stops, "fault in this round")
        yield _Transition(S.SETTLED, "press clear", S.SHUFFLE, then(over, dark), shuffle_due, "shuffle due")
        yield _Transition(S.SETTLED, "press clear", S.BETS_OPEN, opens)

    def _correcting(self) -> Iterator[_Transition]:
        yield from correction(S.CORRECTING, (S.SETTLING, S.DECISION, S.SETTLED), keyed, "cards were keyed")
        yield _Transition(S.CORRECTING, KEY, S.WAR_DEAL, correct, at_war, "war deal")
        yield _Transition(S.CORRECTING, KEY, S.DEAL, correct)

    def _everywhere(self) -> Iterator[_Transition]:
        later = "settle by the cards and the screen; the table closes after this round"
        yield from on_faults((S.CLOSED, *_IN_ROUND), None, fault(later, first=True))
        for state in (S.MENU, S.SHUFFLE, S.BETS_OPEN):
            closing = fault_closes(state, S.MENU, S.BETS_OPEN, "mend it, then open the table anew")
            yield from on_faults([state], S.CLOSED, then(over, closing))
        yield from self._aging.transitions(WarState, but=S.BETS_OPEN, cut=[S.MENU])
        yield self._aging.retires(S.BETS_OPEN, S.SHUFFLE)
