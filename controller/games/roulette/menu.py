"""The floorperson's menu of a roulette table: from the closed table, with open wagers, and after a no spin."""

from collections.abc import Iterator
from dataclasses import replace

from controller.events.effect import Note, WagersReturned
from controller.events.event import Event
from controller.games.roulette.play import (
    IDLE,
    LOGGING,
    PARTS,
    WORKS,
    RouletteData,
    RouletteState,
    S,
)
from controller.games.roulette.steps import opens
from controller.games.shared.closing import closes, fault, on_faults, wagers_back_from
from controller.games.shared.floor import KEY, identified, leaves
from controller.games.shared.table_data import remember, returns_to
from controller.statechart.guards import Action, Guard, dark, then, unless
from controller.statechart.machine import Step, Transition
from controller.statechart.menu import MenuEntry

FLOOR = (S.MENU, *LOGGING, S.INSPECTOR, S.INSPECTING)
"""The floorperson is at the keypad, and no round is played."""
INSPECT, LOG, NEW_BALL, RETURN, CLOSE = "1", "2", "3", "4", "5"
_Transition = Transition[RouletteState, RouletteData]
_Action = Action[RouletteData]
_FROM = (S.CLOSED, *IDLE)
_RESPIN: Guard[RouletteData] = returns_to(S.RESPIN)


def transitions() -> Iterator[_Transition]:
    """The transitions of the menu."""
    for state in _FROM:
        yield _Transition(state, KEY, S.MENU, then(remember(state), _opened))
    yield from leaves(S.MENU, "press clear", _FROM, _left)
    yield from leaves(S.MENU, "power-restored", _FROM, _left)
    closed: Guard[RouletteData] = unless(returns_to(S.BETS_OPEN))
    inspects = then(_returned, _begin)
    yield _Transition(S.MENU, f"press {INSPECT}", S.INSPECTOR, inspects, closed, "wagers are not open")
    yield _Transition(S.MENU, f"press {LOG}", S.WORK, _closed("wheel is being adjusted"))
    yield _Transition(S.MENU, f"press {NEW_BALL}", S.RESPIN, _new_ball, _RESPIN, "after a no spin")
    yield _Transition(S.MENU, f"press {RETURN}", S.BETS_OPEN, _round_over, _RESPIN, "after a no spin")
    is_open: Guard[RouletteData] = unless(returns_to(S.CLOSED))
    yield _Transition(S.MENU, f"press {CLOSE}", S.CLOSED, _closed_by_floorperson, is_open, "open")
    faulty: _Action = fault("mend it, then inspect anew", "table closed: ")
    yield from on_faults(FLOOR, S.CLOSED, then(_returned, dark, faulty, _left, remember(S.CLOSED)))


def menu(data: RouletteData) -> tuple[MenuEntry, ...]:
    """What the floorperson may choose."""
    is_open = "the table is open: close it first" if data.back is S.BETS_OPEN else ""
    no_spin = "" if data.back is S.RESPIN else "only after a no spin"
    return (
        MenuEntry(INSPECT, "inspect the wheel and open the table", is_open),
        MenuEntry(LOG, "log an adjustment or replacement; closes the table"),
        MenuEntry(NEW_BALL, "give a new ball for a damaged one", no_spin),
        MenuEntry(RETURN, "return the wagers and open the next round", no_spin),
        MenuEntry(CLOSE, "close the table", "the table is closed" if data.back is S.CLOSED else ""),
        MenuEntry("clear", "leave"),
    )


def works() -> tuple[MenuEntry, ...]:
    """What can be made of a part."""
    return (*(MenuEntry(key, name) for key, name in WORKS.items()), MenuEntry("clear", "leave"))


def parts() -> tuple[MenuEntry, ...]:
    """What can be adjusted or replaced."""
    return (*(MenuEntry(key, name) for key, name in PARTS.items()), MenuEntry("clear", "leave"))


# -- actions ---------------------------------------------------------------------------------------------------


def _opened(data: RouletteData, event: Event) -> Step[RouletteData]:
    return Step(replace(data, number=identified(event)))


def _returned(data: RouletteData, event: Event) -> Step[RouletteData]:
    """The wagers of a round that was open go back."""
    actions: list[_Action] = [wagers_back_from(state, "table-closed") for state in IDLE]
    return then(*actions)(data, event)


def _begin(data: RouletteData, event: Event) -> Step[RouletteData]:
    return dark(replace(data, number="", step=0, trial="", back=S.CLOSED), event)


def _closed(cause: str) -> _Action:
    after: _Action = wagers_back_from(S.RESPIN, "table-closed")
    return then(after, closes(cause, S.BETS_OPEN), remember(S.CLOSED), _left)


def _closed_by_floorperson(data: RouletteData, event: Event) -> Step[RouletteData]:
    return _closed(f"closed by {_who(data)}")(data, event)


def _who(data: RouletteData) -> str:
    return f"floorperson {data.number}" if data.number else "the floorperson"


def _new_ball(data: RouletteData, event: Event) -> Step[RouletteData]:
    """A ball that was damaged is replaced (§ 617a.6(b), (c))."""
    return Step(replace(data, number=""), (Note(f"{_who(data)} gave a new ball (§ 617a.6)"),))


def _round_over(data: RouletteData, event: Event) -> Step[RouletteData]:
    """The round ends without a result."""
    returned = WagersReturned("no-spin")
    return opens(data, event, (returned,))


def _left(data: RouletteData, event: Event) -> Step[RouletteData]:
    """The floorperson leaves the keypad."""
    return Step(replace(data, number=""))
