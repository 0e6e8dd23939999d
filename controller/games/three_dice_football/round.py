"""The procedure of Three Dice Football (ch. 577): offer of the dice, wagers, throws, settlement in the legal order.

A round is a game of up to six throws. Single play wagers are settled after each, full game wagers at its end.
"""

from collections.abc import Iterator

from pydantic import TypeAdapter

from controller.events.event import Event
from controller.games.shared.ageing import Ageing, fresh
from controller.games.shared.closing import closed_by_floorperson, fault, fault_closes, on_faults, wagers_back
from controller.games.shared.entry import DIGITS, complete, dice_keys
from controller.games.shared.floor import KEY, correction, leaves, opens_menu
from controller.games.shared.settlement import more_steps, next_step
from controller.games.shared.table_data import remember, returns_to, stops
from controller.games.three_dice_football.choices import entries
from controller.games.three_dice_football.play import (
    NO_ROLLS,
    FootballData,
    FootballState,
    S,
    waiting_for,
)
from controller.games.three_dice_football.steps import (
    FootballSteps,
    begins,
    bets_again,
    blank,
    correct,
    extra,
    first_offer,
    goes_on,
    last_step,
    next_throw,
    no_dice,
    no_extra_answered,
    no_position,
    no_roll,
    not_extra,
    offers_again,
    offers_extra,
    over,
    position_digit,
    position_keyed,
    position_open,
    scored,
    throws_extra,
    uncorrected,
)
from controller.statechart.guards import Action, Guard, always, both, dark, keep, once, then, unless
from controller.statechart.machine import GameMachine, Transition
from controller.statechart.menu import MenuEntry

_THROWS = (S.THROW, S.EXTRA_THROW)
_MENU_FROM = (S.CLOSED, S.OFFER, S.BETS_OPEN, *_THROWS)
_IN_GAME = (*_THROWS, S.NO_ROLL, S.SETTLING, S.SETTLED, S.EXTRA_OFFER, S.CORRECTING)
_Transition = Transition[FootballState, FootballData]
_Action = Action[FootballData]

_DATA = TypeAdapter(FootballData)


class FootballRound(GameMachine[FootballState, FootballData]):
    """A table of Three Dice Football.

    Args:
        steps: the actions.
        aging: the age limits of a set of dice.
    """

    def __init__(self, steps: FootballSteps, aging: Ageing[FootballData]) -> None:
        self._steps = steps
        self._aging = aging
        super().__init__(self._transitions(), S.CLOSED, FootballData(), _DATA)

    def _waits_for(self) -> str:
        return waiting_for(self.state, self.data)

    def _menu_entries(self) -> tuple[MenuEntry, ...]:
        return self._offered(entries(self.state, self.data))

    def _transitions(self) -> Iterator[_Transition]:
        yield from self._at_the_floor()
        yield from self._before_a_throw()
        yield from self._throwing()
        yield from self._settling()
        yield from self._extra_point()
        yield from self._correcting()
        yield from self._everywhere()

    def _at_the_floor(self) -> Iterator[_Transition]:
        yield _Transition(S.CLOSED, "table-started", None, dark)
        for state in _MENU_FROM:
            yield from opens_menu(S.MENU, [state])
            yield _Transition(S.MENU, "press 2", state, self._aging.renew, returns_to(state), f"from {state.value}")
            if state is S.BETS_OPEN:
                continue
            yield _Transition(S.MENU, "press clear", state, keep, returns_to(state), f"from {state.value}")
            yield _Transition(
                S.MENU, "power-restored", state, self._aging.restore, returns_to(state), f"from {state.value}"
            )
        # A game that has begun is played to its end with them.
        for on, action in (("press clear", keep), ("power-restored", self._aging.restore)):
            begun: Guard[FootballData] = both(returns_to(S.BETS_OPEN), unless(begins))
            yield _Transition(S.MENU, on, S.BETS_OPEN, action, begun, "game in progress")
        # If the dice have reached their age limit meanwhile, no game has begun.
        for on, action in (("press clear", keep), ("power-restored", self._aging.restore)):
            yield from self._aging.leaves(S.MENU, on, action, S.BETS_OPEN, S.OFFER, self._returning(action))
        opens = then(self._aging.renew, first_offer)
        yield _Transition(S.MENU, "press 1", S.OFFER, opens, returns_to(S.CLOSED), "from closed")
        in_game = then(uncorrected, over, wagers_back("table-closed"), closed_by_floorperson(S.BETS_OPEN))
        for state in _THROWS:
            yield _Transition(S.MENU, "press 5", S.CLOSED, in_game, returns_to(state), f"from {state.value}")
        close = then(over, closed_by_floorperson(S.BETS_OPEN))
        yield _Transition(S.MENU, "press 5", S.CLOSED, close, unless(returns_to(S.CLOSED)), "open")

    def _before_a_throw(self) -> Iterator[_Transition]:
        steps = self._steps
        takes = then(steps.taken, steps.begin)
        chosen = both(steps.at_the_table, fresh)
        yield _Transition(S.OFFER, "press enter", S.BETS_OPEN, takes, chosen, "a position, dice fresh")
        offered = both(unless(position_keyed), fresh)
        yield _Transition(S.OFFER, "press enter", S.BETS_OPEN, steps.begin, offered, "dice fresh")
        yield from _keys_position(S.OFFER)
        yield _Transition(S.OFFER, "press clear", None, steps.decline, once, "not pressed twice")
        yield _Transition(S.BETS_OPEN, "press correct", S.POSITION, keep, begins, "no throw yet")
        yield _Transition(S.POSITION, "press enter", S.BETS_OPEN, steps.renamed, steps.at_the_table, "a position")
        yield from _keys_position(S.POSITION)
        yield _Transition(S.POSITION, "press clear", S.BETS_OPEN, keep)
        yield _Transition(
            S.BETS_OPEN, "press no-more-bets", S.THROW, keep, self._may_throw, "dice fresh or game begun"
        )

    def _throwing(self) -> Iterator[_Transition]:
        for state in _THROWS:
            yield from dice_keys(state)
            yield _Transition(state, "press no-roll", S.NO_ROLL, remember(state))
            yield from leaves(S.NO_ROLL, "press clear", [state])
            for key, (reason, words) in NO_ROLLS.items():
                action = no_roll(reason, words)
                yield _Transition(
                    S.NO_ROLL, f"press {key}", state, action, returns_to(state), f"from {state.value}"
                )
        yield _Transition(S.THROW, "press correct", S.BETS_OPEN, bets_again, no_dice, "no dice yet")
        yield _Transition(S.EXTRA_THROW, "press correct", S.EXTRA_OFFER, not_extra, no_dice, "no dice yet")
        yield _Transition(S.THROW, "press enter", S.SETTLING, self._steps.thrown, complete, "three dice")
        yield _Transition(
            S.EXTRA_THROW, "press enter", S.SETTLING, self._steps.extra_thrown, complete, "three dice"
        )

    def _settling(self) -> Iterator[_Transition]:
        yield _Transition(S.SETTLING, "press done", None, next_step, more_steps, "more to settle")
        yield _Transition(S.SETTLING, "press done", S.EXTRA_OFFER, next_step, offers_extra, "touchdown")
        yield _Transition(S.SETTLING, "press done", S.SETTLED, next_step, last_step, "settled")
        yield _Transition(S.SETTLED, "press clear", S.BETS_OPEN, next_throw, goes_on, "the game goes on")
        yield _Transition(S.SETTLED, "press clear", S.CLOSED, then(over, dark), stops, "fault in this game")
        yield _Transition(
            S.SETTLED, "press clear", S.BETS_OPEN, self._steps.again, both(scored, fresh), "touchdown"
        )
        yield _Transition(S.SETTLED, "press clear", S.OFFER, self._steps.passed_on)
        leaves_play: Guard[FootballData] = both(scored, unless(stops))
        yield _Transition(S.SETTLED, "press enter", S.OFFER, self._steps.left, leaves_play, "touchdown, no fault")
        # One press does for the settlement, the pass of the dice and the call: a game has up to six throws.
        for state, last in ((S.SETTLING, last_step), (S.SETTLED, always)):
            may: Guard[FootballData] = both(goes_on, last)
            yield _Transition(state, "press no-more-bets", S.THROW, next_throw, may, "the game goes on")

    def _extra_point(self) -> Iterator[_Transition]:
        yield _Transition(S.EXTRA_OFFER, "press enter", S.EXTRA_THROW, throws_extra)
        yield _Transition(S.EXTRA_OFFER, "press clear", S.SETTLING, self._steps.no_extra)

    def _correcting(self) -> Iterator[_Transition]:
        yield from correction(S.CORRECTING, (S.SETTLING, S.SETTLED, S.EXTRA_OFFER), _keyed, "dice were keyed")
        yield from correction(S.CORRECTING, (S.BETS_OPEN,), _thrown, "a throw of this game")
        answered = "no extra point roll"
        yield _Transition(S.CORRECTING, KEY, S.EXTRA_OFFER, offers_again, no_extra_answered, answered)
        yield _Transition(S.CORRECTING, KEY, S.EXTRA_THROW, correct, extra, "extra point roll")
        yield _Transition(S.CORRECTING, KEY, S.THROW, correct)

    def _everywhere(self) -> Iterator[_Transition]:
        later = "settle by the dice and the screen; the table closes after this game"
        in_game: Guard[FootballData] = unless(between_games)
        yield from on_faults([S.MENU], None, fault(later, first=True), in_game, "game in progress")
        for state in (S.MENU, S.OFFER, S.POSITION, S.BETS_OPEN):
            opened = S.POSITION if state is S.POSITION else S.BETS_OPEN
            closing = then(blank, fault_closes(state, S.MENU, opened, "mend it, then open the table anew"))
            no_game = (begins, "no game in progress") if state is S.BETS_OPEN else ()
            yield from on_faults([state], S.CLOSED, closing, *no_game)
        yield from on_faults((S.CLOSED, S.BETS_OPEN, *_IN_GAME), None, fault(later, first=True))
        retired, ends = f"timer {self._aging.retirement}", self._returning(self._aging.retire)
        for state in (S.POSITION, S.BETS_OPEN):
            yield _Transition(state, retired, S.OFFER, ends, begins, "no game in progress")
        yield from self._aging.transitions(FootballState, but=S.BETS_OPEN, cut=[S.MENU])
        yield _Transition(S.BETS_OPEN, retired, None, self._aging.retire)

    # -- the age of the dice ---------------------------------------------------------------------------------

    def _returning(self, action: _Action) -> _Action:
        """The same action for a game that has not begun: it does not begin with retired dice."""
        return then(self._aging.returning(action), blank, dark)

    def _may_throw(self, data: FootballData, event: Event) -> bool:
        return not data.begins or fresh(data, event)


def between_games(data: FootballData, event: Event) -> bool:
    """The menu was opened with no game in progress."""
    return data.back not in _THROWS and not (data.back is S.BETS_OPEN and not data.begins)


def _keys_position(state: FootballState) -> Iterator[_Transition]:
    """A position is keyed digit by digit; clear wipes it."""
    for digit in DIGITS:
        yield _Transition(state, f"press {digit}", None, position_digit, position_open, "up to two digits")
    yield _Transition(state, "press clear", None, no_position, position_keyed, "a position")


def _thrown(data: FootballData, event: Event) -> bool:
    return bool(data.last)


def _keyed(data: FootballData, event: Event) -> bool:
    return bool(data.entry)
