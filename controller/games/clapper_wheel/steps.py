"""The actions of a round on a wheel: pure functions of the round's data and an event.

:class:`WheelSteps` has those that depend on the wheel and on what its sections mean. The transitions are in
``round.py``.
"""

from collections.abc import Mapping
from dataclasses import replace

from controller.events.effect import (
    Alert,
    Bonus,
    CancelTimer,
    Effect,
    Light,
    Note,
    Refused,
    Result,
    RoundOpened,
    StartTimer,
    Void,
)
from controller.events.event import Event, SensorHealth, WheelRested
from controller.games.clapper_wheel.rules import (
    FAILED,
    REASONS,
    REVOLUTIONS,
    SPIN_LIMIT,
    S,
    SectionScore,
    WheelData,
    WheelState,
    void_reason,
)
from controller.games.shared.closing import locks
from controller.games.shared.floor import floorperson
from controller.statechart.guards import Action, then
from controller.statechart.machine import Step

_Action = Action[WheelData]


class WheelSteps:
    """The actions that depend on a game's wheel.

    Args:
        order: the sections clockwise around the rim.
        score: what a section means.
        spin_limit_ns: how long a spin may take.
        symbols: what the wheel shows in place of a section's name.
    """

    def __init__(
        self, order: tuple[str, ...], score: SectionScore, spin_limit_ns: int, symbols: Mapping[str, str]
    ) -> None:
        self._order = order
        self._symbols = dict(symbols)
        self._score = score
        self._spin_limit_ns = spin_limit_ns

    # -- texts ---------------------------------------------------------------------------------------------

    def symbol(self, section: str) -> str:
        """What the wheel shows for a section's name."""
        return self._symbols.get(section, section)

    def place(self, section: int | None) -> str:
        """The text for the wheel's position."""
        if section is None:
            return "no section (between two)"
        return f"{self.symbol(self._order[section])}, section {section + 1} of {len(self._order)}"

    def _void_detail(self, reason: str, rested: WheelRested) -> str:
        if reason == "between-sections" and rested.boundary is not None:
            one, other = self._order[rested.boundary - 1], self._order[rested.boundary]
            return f"between {self.symbol(one)} and {self.symbol(other)}"
        if reason == "fewer-than-three-revolutions":
            return f"{rested.travel_counts} counts of {REVOLUTIONS * rested.counts_per_turn}"
        if reason == "touched":
            return f"{REASONS[reason]}: {rested.touched}"
        return str(rested.fault) if rested.fault is not None else REASONS[reason]

    # -- a spin --------------------------------------------------------------------------------------------

    def thrown_early(self, data: WheelData, event: Event) -> Step[WheelData]:
        data = replace(data, resume=S.BETS_OPEN, void="wagers-open")
        return Step(data, (_voids("wagers-open"), StartTimer(SPIN_LIMIT, self._spin_limit_ns)))

    def spin(self, data: WheelData, event: Event) -> Step[WheelData]:
        return Step(replace(data, void="", asks=False), (StartTimer(SPIN_LIMIT, self._spin_limit_ns),))

    def rest_of_spin(self, data: WheelData, rested: WheelRested) -> Step[WheelData]:
        """The wheel has come to rest after a spin: void, another spin, or a result."""
        data = _positioned(data, rested)
        reason = void_reason(rested)
        if reason:
            detail = self._void_detail(reason, rested)
            data = replace(data, void=reason, resume=S.RESPIN)
            effects: tuple[Effect, ...] = (CancelTimer(SPIN_LIMIT), _voids(reason, detail))
            if reason in ("sensor-fault", "stopped-abruptly"):
                return _locks(data, detail, effects)
            if reason == "touched":
                effects = (*effects, Alert(f"the spin is void: {detail}", "watch the next spins"))
            return Step(data, effects)
        assert rested.section is not None
        name = self._order[rested.section]
        scored = self._score(name, data.multiplier)
        if scored.multiplier is not None:
            data = replace(data, before=data.multiplier, multiplier=data.multiplier * scored.multiplier)
            return Step(data, (CancelTimer(SPIN_LIMIT), Bonus(self.symbol(name), data.multiplier)))
        areas = tuple(win.area for win in scored.wins)
        return Step(data, (CancelTimer(SPIN_LIMIT), Result(self.symbol(name), scored.wins), Light(areas)))

    def multiplies(self, data: WheelData, event: Event) -> bool:
        """Whether the wheel rests on a section that calls for another spin."""
        section = event.section if isinstance(event, WheelRested) else None
        return section is not None and self.multiplier(self._order[section]) is not None

    def multiplier(self, name: str) -> int | None:
        """The multiplier of a section that calls for another spin; None for one that ends the round."""
        return self._score(name, 1).multiplier


def refuse_moving(data: WheelData, event: Event) -> Step[WheelData]:
    """A spin begins with the wheel at rest and the call made."""
    return Step(data, (Refused("no-more-bets", "the wheel to stand: let it rest, then press again"),))


# -- spins that do not count -----------------------------------------------------------------------------------


def never_rested(data: WheelData, event: Event) -> Step[WheelData]:
    resume = data.resume if data.void else S.RESPIN
    cause = "encoder: the wheel did not come to rest"
    data = replace(data, resume=resume, void="not-at-rest", cause=cause, confirm=True, located=False)
    return Step(data, (_voids("not-at-rest"), Alert(cause, "look for noise on the encoder's lines")))


def power_cut(data: WheelData, event: Event) -> Step[WheelData]:
    data = replace(data, resume=S.RESPIN, void="power-cut", located=False)
    return Step(data, (_voids("power-cut"), CancelTimer(SPIN_LIMIT)))


def void_rested(data: WheelData, event: Event) -> Step[WheelData]:
    return Step(_positioned(data, event), (CancelTimer(SPIN_LIMIT),))


def _voids(reason: str, detail: str = "") -> Effect:
    return Void(reason, detail or REASONS[reason])


# -- the wheel's position --------------------------------------------------------------------------------------


def update_position(data: WheelData, event: Event) -> Step[WheelData]:
    return Step(_positioned(data, event))


def confirmed(data: WheelData, event: Event) -> Step[WheelData]:
    return Step(replace(data, confirm=False), (Note(f"{floorperson(event)} confirmed the wheel's position"),))


def position_lost(data: WheelData, event: Event) -> Step[WheelData]:
    """The power was off: the wheel may have been turned meanwhile."""
    return Step(replace(data, located=False))


def ignored(reason: str, action: _Action) -> _Action:
    """A full spin that the table could not take is void, and says why; then the action."""

    def voided(data: WheelData, event: Event) -> Step[WheelData]:
        return Step(replace(data, void=reason, resume=S.RESPIN), (_voids(reason),))

    return then(voided, action)


def moved_after(data: WheelData, event: Event) -> Step[WheelData]:
    return Step(_positioned(data, event), (Note("the wheel was moved after its result; the result stands"),))


def faulty_after(data: WheelData, rested: WheelRested) -> Step[WheelData]:
    cause = str(rested.fault)
    data = replace(_positioned(data, rested), cause=cause, confirm=True)
    return Step(data, (Alert(cause, "the result stands; the table locks after this round"),))


def _positioned(data: WheelData, event: Event) -> WheelData:
    """The data with the wheel's present position."""
    if not isinstance(event, WheelRested):
        return data
    return replace(data, located=event.located, section=event.section)


# -- faults and the lock ---------------------------------------------------------------------------------------


def sensor_alert(data: WheelData, event: SensorHealth) -> Step[WheelData]:
    """Alert at once: with a bad sensor the wheel may never be seen at rest, and then the table would not lock."""
    return Step(
        data,
        (Alert(f"{event.sensor} {event.health.value}: {event.detail}", "let the wheel rest, or mend the sensor"),),
    )


def lock_idle(data: WheelData, rested: WheelRested) -> Step[WheelData]:
    return _locks(_positioned(data, rested), str(rested.fault), (CancelTimer(SPIN_LIMIT),))


def _locks(data: WheelData, cause: str, effects: tuple[Effect, ...]) -> Step[WheelData]:
    data = replace(data, cause=cause, confirm=True, located=False)
    return Step(data, (*effects, Alert(f"table locked: {cause}", "mend the sensor, then turn the key")))


def failed(state: WheelState) -> _Action:
    """The controller's own code failed in this state: the table locks, and a spin is void."""
    spins = state in (S.SPINNING, S.VOID_SPIN)
    resume = {S.SPINNING: S.RESPIN, S.VOID_SPIN: None, S.LOCATING: None, S.CONFIRMING: None}.get(state, state)

    def stopped(data: WheelData, event: Event) -> Step[WheelData]:
        back = data.back if state is S.LATE else resume
        data = replace(data, resume=back or data.resume, located=False, reason="", back=None)
        effects: tuple[Effect, ...] = (CancelTimer(SPIN_LIMIT),) if spins else ()
        if state is S.SPINNING:
            data = replace(data, void=FAILED)
            effects = (_voids(FAILED), *effects)
        return Step(data, effects)

    return then(stopped, locks("call the technician"))


# -- the round -------------------------------------------------------------------------------------------------


def opens(data: WheelData, event: Event) -> Step[WheelData]:
    return Step(data, (Light(()), RoundOpened(data.round)))


def clear(data: WheelData, event: Event) -> Step[WheelData]:
    opened = WheelData(
        round=data.round + 1,
        located=data.located,
        cause=data.cause,
        confirm=data.confirm,
        section=data.section,
    )
    return Step(opened, (Light(()), RoundOpened(opened.round)))


def say(text: str) -> _Action:
    return lambda data, event: Step(data, (Note(text),))


def back_to(state: WheelState, action: _Action) -> _Action:
    """The action; after it the round will be resumed in this state."""
    return lambda data, event: action(replace(data, resume=state), event)


def resumed_in(state: WheelState) -> _Action:
    """Once the lock is opened, the round goes on in this state; a wheel is located first."""
    if state is WheelState.LOCATING:
        return lambda data, event: Step(data)
    return lambda data, event: Step(replace(data, resume=state))
