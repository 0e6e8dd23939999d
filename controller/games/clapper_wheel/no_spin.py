"""The dealer calls no spin on a wheel with a clapper, and says why.

While the wheel turns the call counts at once; why is asked after it, and until the wheel stands the dealer can take
it back. Once the wheel stands the sensors decide: what they gave becomes void only by the floorperson's key, and
the floor is told who turned it. Each reason has a button that every such table has.
"""

from collections.abc import Iterator
from dataclasses import replace

from controller.events.effect import Alert, Effect, Light, Note, Refused, Void
from controller.events.event import Event, Press, WheelRested
from controller.games.clapper_wheel.rules import (
    DEALER,
    REASONS,
    RESULT,
    S,
    WheelData,
    WheelState,
    faulty,
    knows_position,
)
from controller.games.clapper_wheel.steps import faulty_after, moved_after, position_lost
from controller.games.shared.closing import LATER, fault
from controller.games.shared.entry import pressed
from controller.games.shared.floor import KEY, floorperson
from controller.games.shared.table_data import stops
from controller.statechart.guards import Action, Guard, both
from controller.statechart.machine import Step, Transition, on_event
from controller.statechart.menu import MenuEntry

CALL = "press no-spin"
CAUSES = {
    "no-more-bets": "wagers were placed or moved after no more bets",
    "done": "the wheel was touched or hindered",
    "no-spin": "another cause",
}
"""Why there is no spin, by the button that is pressed for it. The button of the call itself says the least: a call
that is pressed twice puts nothing on record that did not happen."""
_STANDS = "the wheel stands: what the sensors saw counts; after the result no spin needs the floorperson's key"
_BACK = {
    S.RESULT: "all wagers stay",
    S.LOSERS_COLLECTED: "put the losing wagers back",
    S.WINNERS_PAID: "put the losing wagers back, and take back what was paid",
}
"""What becomes of the wagers, by how far the round was settled."""
_Transition = Transition[WheelState, WheelData]


def transitions() -> Iterator[_Transition]:
    """The transitions of both calls."""
    yield _Transition(S.SPINNING, CALL, None, refuse, stands, "the wheel stands")
    yield _Transition(S.SPINNING, CALL, S.VOID_SPIN, called)
    yield _Transition(S.VOID_SPIN, "press clear", None, refuse, both(by_dealer, stands), "the wheel stands")
    yield _Transition(S.VOID_SPIN, "press clear", S.SPINNING, taken_back, by_dealer, "the dealer called it")
    for state in (S.VOID_SPIN, S.RESPIN):
        for control in CAUSES:
            yield _Transition(state, f"press {control}", None, reasoned, asks, "the dealer called it")
    for state in RESULT:
        yield _Transition(state, CALL, S.LATE, after(state))
    yield from _late()


def _late() -> Iterator[_Transition]:
    """No spin is called after a result."""
    for control in CAUSES:
        yield _Transition(S.LATE, f"press {control}", None, chosen)
    yield _Transition(S.LATE, KEY, S.LOCKED, allowed, both(has_reason, stops), "a reason, fault in this round")
    yield _Transition(S.LATE, KEY, S.RESPIN, allowed, both(has_reason, knows_position), "a reason, located")
    yield _Transition(S.LATE, KEY, S.LOCATING, allowed, has_reason, "a reason")
    for state in RESULT:
        yield _Transition(S.LATE, "press clear", state, left, came_from(state), f"from {state.value}")
    yield _Transition(S.LATE, "wheel-rested", None, on_event(WheelRested, faulty_after), faulty, "fault")
    yield _Transition(S.LATE, "wheel-rested", None, moved_after)
    yield _Transition(S.LATE, "panel-fault", None, fault(LATER))
    yield _Transition(S.LATE, "power-restored", None, position_lost)


# -- texts -----------------------------------------------------------------------------------------------------


def entries(state: WheelState, data: WheelData) -> tuple[MenuEntry, ...]:
    """What a person may choose in this state."""
    causes = tuple(MenuEntry(control, words) for control, words in CAUSES.items())
    if state is S.LATE:
        key = MenuEntry("floor-key", "makes the spin void", "" if data.reason else "say first why there is no spin")
        return (*causes, key, MenuEntry("clear", "leaves the result"))
    back = (MenuEntry("clear", "takes no spin back"),) if state is S.VOID_SPIN and by_dealer(data) else ()
    return (*(causes if data.asks and state in (S.VOID_SPIN, S.RESPIN) else ()), *back)


def words(state: WheelState, data: WheelData) -> str:
    """The menu of this state as text for the dealer; empty if there is none."""
    if state is S.LATE and data.reason:
        return (
            f"no spin after a result, {CAUSES[data.reason]}; the floorperson's key makes it void, clear leaves it"
        )
    choices = ", ".join(
        f"{entry.control}: {entry.words}" for entry in entries(state, data) if not entry.unavailable
    )
    if state is S.LATE:
        return f"why is there no spin after a result? {choices}"
    question = "; why? " if data.asks else "; "
    return f"{question}{choices}" if choices else ""


# -- guards ----------------------------------------------------------------------------------------------------


def stands(data: WheelData, event: Event) -> bool:
    """The press came when the wheel stood, though its rest was not certain yet."""
    return isinstance(event, Press) and event.stands


def by_dealer(data: WheelData, event: Event | None = None) -> bool:
    """The dealer called no spin."""
    return data.void == DEALER and data.resume is S.RESPIN


def asks(data: WheelData, event: Event) -> bool:
    return data.asks


def came_from(state: WheelState) -> Guard[WheelData]:
    """No spin was called in this state of the result."""
    return lambda data, event: data.back is state


def has_reason(data: WheelData, event: Event) -> bool:
    return bool(data.reason)


# -- actions ---------------------------------------------------------------------------------------------------


def refuse(data: WheelData, event: Event) -> Step[WheelData]:
    return Step(data, (Refused(pressed(event), _STANDS),))


def after(state: WheelState) -> Action[WheelData]:
    """The dealer calls no spin in this state of the result."""
    return lambda data, event: Step(replace(data, back=state, reason=""))


def called(data: WheelData, event: Event) -> Step[WheelData]:
    """The dealer calls no spin while the wheel turns."""
    return Step(replace(data, resume=S.RESPIN, void=DEALER, asks=True), (Void(DEALER, REASONS[DEALER]),))


def taken_back(data: WheelData, event: Event) -> Step[WheelData]:
    note = Note("the dealer took no spin back while the wheel turned: the spin counts")
    return Step(replace(data, void="", asks=False), (note,))


def reasoned(data: WheelData, event: Event) -> Step[WheelData]:
    """The dealer says why."""
    return Step(replace(data, asks=False), (Note(f"no spin was called: {CAUSES[pressed(event)]}"),))


def chosen(data: WheelData, event: Event) -> Step[WheelData]:
    return Step(replace(data, reason=pressed(event)))


def left(data: WheelData, event: Event) -> Step[WheelData]:
    """The result stays."""
    return Step(replace(data, reason="", back=None), (Note("no spin was taken back: the result stands"),))


def allowed(data: WheelData, event: Event) -> Step[WheelData]:
    """The floorperson makes a result void."""
    assert data.back is not None
    who, why = floorperson(event), CAUSES[data.reason]
    effects: tuple[Effect, ...] = (
        Void(DEALER, f"{REASONS[DEALER]} after the result: {why}; by the key of {who}"),
        Light(()),
        Alert(f"a result was made void by {who}: {why}", f"{_BACK[data.back]}; the wheel is spun again"),
    )
    return Step(replace(data, resume=S.RESPIN, void=DEALER, asks=False, reason="", back=None), effects)
