"""The dealer calls no spin on a wheel with a clapper, and says why.

While the wheel turns the call counts at once; why is asked after it, and until the wheel stands the dealer can take
it back. Once the wheel stands the sensors decide: what they gave, a result or a call for another spin, becomes void
only by the floorperson's key, and the floor is told who turned it. Each reason has a button that every such table
has.
"""

from collections.abc import Iterator
from dataclasses import replace

from controller.events.effect import Alert, Effect, Light, Note, Refused, Void
from controller.events.event import Event, Press, WheelRested
from controller.games.clapper_wheel.rules import (
    DEALER,
    QUESTIONED,
    REASONS,
    RESULT,
    S,
    WheelData,
    WheelState,
    faulty,
    knows_position,
)
from controller.games.clapper_wheel.steps import (
    back_to,
    faulty_after,
    lock_idle,
    moved_after,
    position_lost,
    update_position,
)
from controller.games.shared.closing import LATER, fault, locks, on_lamps_and_locking
from controller.games.shared.entry import pressed
from controller.games.shared.floor import KEY, floorperson
from controller.games.shared.table_data import stops
from controller.statechart.guards import Action, Guard, both, then
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
_STANDS = (
    "the wheel stands: what the sensors saw counts; let it rest, and after the result no spin needs the "
    "floorperson's key"
)
_BACK = {
    S.BONUS: "all wagers stay",
    S.RESULT: "all wagers stay",
    S.LOSERS_COLLECTED: "put the losing wagers back",
    S.WINNERS_PAID: "put the losing wagers back, and take back what was paid",
}
"""What becomes of the wagers, by how far the round was settled."""
_A = {"the result": "a result", "the bonus": "a bonus", "the free spin": "a free spin"}
_Transition = Transition[WheelState, WheelData]


def transitions(bonus: bool) -> Iterator[_Transition]:
    """The transitions of both calls.

    Args:
        bonus: whether any section calls for another spin.
    """
    yield _Transition(S.SPINNING, CALL, None, refuse, stands, "the wheel stands")
    yield _Transition(S.SPINNING, CALL, S.VOID_SPIN, called)
    yield _Transition(S.VOID_SPIN, "press clear", None, refuse, both(by_dealer, stands), "the wheel stands")
    yield _Transition(S.VOID_SPIN, "press clear", S.SPINNING, taken_back, by_dealer, "the dealer called it")
    for state in (S.VOID_SPIN, S.RESPIN):
        for control in CAUSES:
            yield _Transition(state, f"press {control}", None, reasoned, asks, "the dealer called it")
    for state in RESULT:
        yield _Transition(state, CALL, S.LATE, after(state))
    if bonus:
        yield _Transition(S.BONUS, CALL, S.LATE, after(S.BONUS), knows_before, "the multiplier before it is known")
        yield from _late_bonus()
    yield from _late()


def _late_bonus() -> Iterator[_Transition]:
    """No spin is called after a section that calls for another spin: the wheel is not to be thrown meanwhile."""
    here = came_from(S.BONUS)
    yield _Transition(S.LATE, "wheel-thrown", None, thrown, here, "from bonus")
    locked = then(forgotten, back_to(S.BONUS, on_event(WheelRested, lock_idle)))
    yield _Transition(S.LATE, "wheel-rested", S.LOCKED, locked, both(here, faulty), "fault, from bonus")
    yield _Transition(S.LATE, "wheel-rested", None, update_position, here, "from bonus")
    lamps = then(forgotten, back_to(S.BONUS, locks("mend the lamp, then turn the key")))
    yield from on_lamps_and_locking(S.LATE, S.LOCKED, lamps, here, "from bonus")
    locates = back_to(S.BONUS, left)
    yield _Transition(S.LATE, "press clear", S.BONUS, left, both(here, knows_position), "from bonus, located")
    yield _Transition(S.LATE, "press clear", S.LOCATING, locates, here, "from bonus")


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
    yield from on_lamps_and_locking(S.LATE, None, fault(LATER))
    yield _Transition(S.LATE, "power-restored", None, position_lost)


# -- texts -----------------------------------------------------------------------------------------------------


def entries(state: WheelState, data: WheelData) -> tuple[MenuEntry, ...]:
    """What a person may choose in this state."""
    causes = tuple(MenuEntry(control, words) for control, words in CAUSES.items())
    if state is S.LATE:
        return (*causes, MenuEntry("clear", f"leaves {_given(data)}"))
    back = (MenuEntry("clear", "takes no spin back"),) if state is S.VOID_SPIN and by_dealer(data) else ()
    return (*(causes if data.asks and state in (S.VOID_SPIN, S.RESPIN) else ()), *back)


def words(state: WheelState, data: WheelData) -> str:
    """What a menu of this state asks; empty if it asks nothing."""
    if state is S.LATE and data.reason:
        why = f"{_given(data)} is questioned, {CAUSES[data.reason]}"
        return f"{why}; the floorperson's key makes it void, clear leaves it"
    if state is S.LATE:
        return f"why is there no spin after {_given(data)}? Choose, or clear to leave it"
    return "; why? Choose" if data.asks and state in (S.VOID_SPIN, S.RESPIN) else ""


def refused(state: WheelState, data: WheelData, control: str) -> str:
    """Why a press is refused, if the prompt does not say it; empty otherwise."""
    if state is S.LATE and control == "floor-key":
        return "say first why there is no spin"
    if state is S.BONUS and control == "no-spin":
        return "what the round paid before this section is not on record"
    return ""


def _given(data: WheelData) -> str:
    """What the spin gave that is to become void."""
    if data.back is not S.BONUS:
        return "the result"
    return "the bonus" if data.multiplier > data.before else "the free spin"


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


def knows_before(data: WheelData, event: Event) -> bool:
    """What the round paid before this section is on record."""
    return data.before > 0


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
    note = Note(f"no spin was taken back: {_given(data)} stands")
    return Step(replace(data, reason="", back=None), (note,))


def forgotten(data: WheelData, event: Event) -> Step[WheelData]:
    """A fault ends the question."""
    return Step(replace(data, reason="", back=None))


def thrown(data: WheelData, event: Event) -> Step[WheelData]:
    """The wheel is thrown while it is asked whether the last spin was one: nobody knows what this one is to pay."""
    return Step(replace(data, void=QUESTIONED), (Void(QUESTIONED, REASONS[QUESTIONED]),))


def allowed(data: WheelData, event: Event) -> Step[WheelData]:
    """The floorperson makes a result void, or a section that called for another spin."""
    assert data.back is not None
    who, why, given = floorperson(event), CAUSES[data.reason], _given(data)
    pays = "" if given == "the result" else f"; the next result pays {data.before} times, not {data.multiplier}"
    effects: tuple[Effect, ...] = (
        Void(DEALER, f"{REASONS[DEALER]} after {given}: {why}; by the key of {who}{pays}"),
        Light(()),
        Alert(f"{_A[given]} was made void by {who}: {why}", f"{_BACK[data.back]}; the wheel is spun again"),
    )
    if data.back is S.BONUS:
        data = replace(data, multiplier=data.before, before=0)
    return Step(replace(data, resume=S.RESPIN, void=DEALER, asks=False, reason="", back=None), effects)
