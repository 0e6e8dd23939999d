"""The floorperson's menu of Casino War. The key opens it in every state, and it has a way out of every round."""

from collections.abc import Iterator

from controller.games.casino_war.play import IDLE, IN_ROUND, S, WarData, WarState, cover_keyed, dealing, in_round
from controller.games.casino_war.shoe import DealingShoe, new_cards, no_cover_card, recount, reshuffle
from controller.games.casino_war.steps import dead, forget_positions, opens, over, shuffler
from controller.games.shared.ageing import Ageing
from controller.games.shared.closing import closed_by_floorperson, fault, fault_closes, on_faults, wagers_back_from
from controller.games.shared.floor import opens_menu
from controller.games.shared.table_data import returns_to, stops
from controller.statechart.guards import Action, both, keep, then, unless
from controller.statechart.machine import Transition

_Transition = Transition[WarState, WarData]
LATER = "settle by the cards and the screen; the table closes after this round"
_MENDED = "mend it, then open the table anew"


def menu(shoe: DealingShoe, aging: Ageing[WarData], automated: bool) -> Iterator[_Transition]:
    """Transitions to the menu, within it, and back.

    Args:
        automated: whether the table is set up with an automated shuffler.
    """
    yield from opens_menu(S.MENU, (*IDLE, *IN_ROUND))
    yield from _ends(shoe, aging)
    yield from _leaves(aging)
    for state in (S.DEAL, S.WAR_DEAL):
        guard, words = both(dealing, returns_to(state)), f"from {state.value}"
        yield _Transition(S.MENU, "press 8", state, recount, guard, words)
    for state in (S.BETS_OPEN, *IN_ROUND):
        guard, words = both(cover_keyed, returns_to(state)), f"cover card keyed, from {state.value}"
        yield _Transition(S.MENU, "press 9", state, no_cover_card, guard, words)
    if automated:
        for state in (*IDLE, *IN_ROUND):
            to, words = returns_to(state), f"from {state.value}"
            yield _Transition(S.MENU, "press 4", state, shuffler(False), to, words)
            yield _Transition(S.MENU, "press 6", state, shuffler(True), to, words)
    yield from on_faults([S.MENU], None, fault(LATER, first=True), in_round, "within a round")
    yield from on_faults([S.MENU], S.CLOSED, then(over, fault_closes(S.MENU, S.MENU, S.BETS_OPEN, _MENDED)))


def _ends(shoe: DealingShoe, aging: Ageing[WarData]) -> Iterator[_Transition]:
    """New cards, a reshuffle or the end of play; a round in progress is void."""
    opened = unless(returns_to(S.CLOSED))
    renewed = then(dead, _back("new-cards"), aging.renew, over, new_cards)
    shuffles = then(dead, _back("reshuffle"), reshuffle, over)
    closing = then(dead, over, forget_positions, closed_by_floorperson(S.BETS_OPEN))
    fails = both(in_round, stops)
    yield _Transition(S.MENU, "press 1", S.SHUFFLE, renewed, returns_to(S.CLOSED), "from closed")
    for control in ("2", "3", "7"):
        # A fault within the round closes the table, as it does when a round is played to its end.
        yield _Transition(S.MENU, f"press {control}", S.CLOSED, then(dead, over), fails, "fault in this round")
    yield _Transition(S.MENU, "press 2", S.SHUFFLE, renewed, opened, "open")
    yield _Transition(S.MENU, "press 3", S.SHUFFLE, shuffles, opened, "open")
    yield _Transition(S.MENU, "press 5", S.CLOSED, closing, opened, "open")
    due = both(in_round, shoe.shuffle_due)
    yield _Transition(S.MENU, "press 7", S.SHUFFLE, then(dead, over), due, "shuffle due")
    yield _Transition(S.MENU, "press 7", S.BETS_OPEN, then(dead, opens), in_round, "within a round")


def _back(reason: str) -> Action[WarData]:
    back: Action[WarData] = wagers_back_from(S.BETS_OPEN, reason)
    return back


def _leaves(aging: Ageing[WarData]) -> Iterator[_Transition]:
    for state in (*IDLE, *IN_ROUND):
        if state is not S.BETS_OPEN:
            to, words = returns_to(state), f"from {state.value}"
            yield _Transition(S.MENU, "press clear", state, keep, to, words)
            yield _Transition(S.MENU, "power-restored", state, aging.restore, to, words)
    # If the cards have reached their age limit meanwhile, no round is open.
    for on, action in (("press clear", keep), ("power-restored", aging.restore)):
        ends = aging.returning(action)
        yield from aging.leaves(S.MENU, on, action, S.BETS_OPEN, S.SHUFFLE, ends)
