"""A round on a wheel with a clapper: what Dreamcatcher (ch. 689a) and Big Six (ch. 619a) share.

No more bets comes before the spin; three full revolutions or the spin is void; a clapper between sections means a
respin; losers are collected, then winners paid. Each game gives the meaning of its sections as ``score``. A void by
the sensors is final; the floorperson can void a spin until wagers are settled, and the round until a result is lit.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain
from types import MappingProxyType

from pydantic import TypeAdapter

from config.schema import TableConfig
from controller.events.effect import (
    Alert,
    Bonus,
    CancelTimer,
    Effect,
    Light,
    Note,
    Result,
    RoundOpened,
    StartTimer,
    Void,
    WagersReturned,
    Win,
)
from controller.events.event import KEYS, SWITCHES, Act, Event, Health, Press, SensorHealth, WheelRested
from controller.events.words import NOTHING, Text, text
from controller.games.clapper_wheel import rules as law
from controller.games.clapper_wheel.rules import AWAITING, RESULT, VOIDS, S, WheelData, WheelState
from controller.machine.offers import Device, FaultPolicy, Offer
from controller.machine.round_machine import (
    Action,
    Guard,
    RoundMachine,
    Row,
    Step,
    both,
    locks,
    sets,
    then,
    unless,
    where,
)
from controller.odds.wagers import Payouts, Score, to_one

_DATA = TypeAdapter(WheelData)
_Row = Row[WheelState, WheelData]
_Step = Step[WheelData]
_Guard = Guard[WheelData]
_Action = Action[WheelData]
_VOIDABLE = (S.SPINNING, S.BONUS, S.RESULT, S.LOSERS_COLLECTED)
"""The floorperson can call the spin void."""
_UNDECIDED = (S.LOCATING, S.CONFIRMING, S.BETS_OPEN, S.VOID_SPIN, S.SPINNING, *AWAITING)
"""Wagers lie, or may, and nothing of them is decided."""
_MOVING = (S.SPINNING, S.VOID_SPIN)


class WheelRound(RoundMachine[WheelState, WheelData]):
    """A game on a wheel with a clapper.

    Args:
        order: the sections clockwise around the rim.
        score: which areas win on a section; none if all wagers lose.
        again: the sections that call for another spin while wagers stay, and what each multiplies the odds by.
    """

    opens_itself = True

    def __init__(
        self,
        config: TableConfig,
        payouts: Payouts,
        order: Sequence[str],
        score: Score[str],
        again: Mapping[str, int] = MappingProxyType({}),
    ) -> None:
        assert config.wheel is not None
        self.order = tuple(order)
        self._symbols = config.layout.symbols
        self._score: Callable[[str], tuple[Win, ...]] = lambda section: score(section, payouts)
        self._starts = sets(StartTimer(law.SPIN_LIMIT, config.wheel.spin_limit_ns))
        self.again = again
        super().__init__(self._all_rows(), S.CLOSED, WheelData(), _DATA)

    def symbol(self, section: str) -> str:
        """What the wheel shows for a section's name."""
        return self._symbols.get(section, section)

    # -- what the table layer asks ---------------------------------------------------------------------------

    def instruction(self) -> Text:
        data = self.data
        if self.state is S.CONFIRMING:
            place = "" if data.section is None else self.symbol(self.order[data.section])
            at = 0 if data.section is None else data.section + 1
            return text("wheel-confirming", section=place, number=at, of=len(self.order))
        if self.state is S.LOCATING:
            return text("wheel-locating-twice" if data.confirm else "wheel-locating")
        return text(f"wheel-{self.state.value}", void=data.void, multiplier=data.multiplier)

    def offers(self) -> Iterator[Offer]:
        data, state = self.data, self.state
        if state is S.CONFIRMING:
            yield Offer("confirm", "wheel-position", expected=True)
        if state is S.CLOSED:
            yield Offer("open", expected=True)
            return
        if state in _VOIDABLE:
            yield from (Offer("void", reason) for reason in VOIDS)
        unsettled = text("settle-first") if state in (S.RESULT, S.LOSERS_COLLECTED) else NOTHING
        if self.under_way() and state is not S.WINNERS_PAID:
            yield Offer("end-round", unavailable=unsettled)
        if data.void in VOIDS and (state is S.VOID_SPIN or (state is S.RESPIN and data.spun is not None)):
            yield Offer("reverse")
        yield Offer("close", unavailable=unsettled)

    def on_fault(self, device: Device, state: WheelState) -> FaultPolicy:
        if device is Device.KEYS:
            return FaultPolicy.ALERT
        if device is Device.CONTROLLER:
            return FaultPolicy.VOID if state is S.SPINNING else FaultPolicy.LOCK
        return FaultPolicy.LATER if state in (*_MOVING, *RESULT) else FaultPolicy.LOCK

    def under_way(self) -> bool:
        if self.state in (S.LOCATING, S.CONFIRMING, S.VOID_SPIN):
            return self.data.resume is not S.BETS_OPEN
        return self.state not in (S.CLOSED, S.BETS_OPEN, S.WINNERS_PAID)

    def refused_because(self, press: Press) -> Text:
        return text("wheel-moves") if press.control == "no-more-bets" and press.moving else NOTHING

    # -- rows ------------------------------------------------------------------------------------------------

    def _all_rows(self) -> Iterator[_Row]:
        """The rows; without a section that calls for another spin there is no bonus."""
        parts = (self._opening, self._locating, self._wagers, self._spinning, self._settling, self._floor)
        for row in chain(*(part() for part in parts), self._elsewhere()):
            sources = tuple(one for one in row.sources if self.again or one is not S.BONUS)
            if sources and (self.again or row.to is not S.BONUS):
                yield replace(row, source=sources)

    def _opening(self) -> Iterator[_Row]:
        yield _Row(S.CLOSED, "table-started", S.LOCATING, _opens)
        yield from _if_located(S.CLOSED, "act open", S.BETS_OPEN, _opens_next)

    def _locating(self) -> Iterator[_Row]:
        yield _Row((S.LOCATING, S.CONFIRMING), "wheel-rested", S.LOCATING, _locks, _faulty, "fault")
        ignored = both(_missed, where(lambda data: data.resume in AWAITING and not data.confirm))
        voids = then(_voids("position-unknown"), _positioned)
        yield _Row(S.LOCATING, "wheel-rested", S.RESPIN, voids, both(ignored, _located), "full spin")
        yield _Row(S.LOCATING, "wheel-rested", None, voids, ignored, "full spin, not located")
        yield _Row(
            S.LOCATING, "wheel-rested", S.CONFIRMING, _positioned, both(_located, _confirms), "after a fault"
        )
        yield from _resumes(S.LOCATING, "wheel-rested", _positioned, _located)
        yield _Row(S.LOCATING, "wheel-rested", None, sets(Note("not-located-yet")))
        yield _Row(S.CONFIRMING, "wheel-rested", S.LOCATING, _positioned, unless(_located), "not located")
        yield _Row(S.CONFIRMING, "wheel-rested", None, _positioned)
        yield from _resumes(S.CONFIRMING, "act confirm", _confirmed)

    def _wagers(self) -> Iterator[_Row]:
        yield _Row(S.BETS_OPEN, "press no-more-bets", S.NO_MORE_BETS, sets(), _at_rest, "the wheel is at rest")
        yield _Row(S.NO_MORE_BETS, "press clear", S.BETS_OPEN, sets(Note("wagers-reopened")))
        yield _Row(S.BETS_OPEN, "wheel-thrown", S.VOID_SPIN, then(_voids("wagers-open", S.BETS_OPEN), self._starts))
        yield _Row(AWAITING, "wheel-thrown", S.SPINNING, then(_fresh, self._starts))
        for state in (S.BETS_OPEN, *AWAITING):
            back = sets(resume=state)
            yield _Row(state, "wheel-rested", S.LOCATING, then(back, _locks), _faulty, "fault")
            yield _Row(
                state, "wheel-rested", S.LOCATING, then(back, _positioned), unless(_located), "position lost"
            )
            if state in AWAITING:  # It was thrown while the table was locked.
                yield _Row(state, "wheel-rested", S.RESPIN, _voids_locked, both(_located, _missed), "full spin")
            yield _Row(state, "wheel-rested", None, _positioned)
            yield _Row(state, "power-restored", S.LOCATING, then(back, _lost))
            yield _Row(state, "unlocked", S.LOCATING, back, unless(_knows_position), "position unknown")

    def _spinning(self) -> Iterator[_Row]:
        spin = S.SPINNING
        for to, reasons in (
            (S.LOCATING, ("sensor-fault", "position-unknown")),
            (S.RESPIN, ("touched", "fewer-than-three-revolutions", "between-sections")),
        ):
            yield _Row(spin, "wheel-rested", to, self._rests, _void_by(*reasons), ", ".join(reasons))
        yield _Row(spin, "wheel-rested", S.BONUS, self._rests, self._multiplies, "another spin")
        yield _Row(spin, "wheel-rested", S.RESULT, self._rests)
        yield _Row(spin, "revolution-completed")
        yield _Row(spin, "power-restored", S.LOCATING, then(_voids("power-cut"), _lost))
        yield _Row(spin, "act void", S.VOID_SPIN, _called())
        void = S.VOID_SPIN
        counts = sets(Note("void-reversed"), void="")
        yield _Row(void, "act reverse", S.SPINNING, counts, _by_floorperson, "by the floorperson")
        yield _Row(void, "wheel-rested", S.LOCATING, then(_ends_timer, _locks), _faulty, "fault")
        for state in (S.BETS_OPEN, S.RESPIN):
            here = both(_located, _resume_is(state))
            yield _Row(void, "wheel-rested", state, then(_ends_timer, _remembers), here, f"at rest, {state.value}")
        yield _Row(void, "wheel-rested", S.LOCATING, then(_ends_timer, _positioned))
        yield _Row(void, "power-restored", S.LOCATING, _lost)
        yield _Row(void, "unlocked", S.LOCATING, then(_ends_timer, _lost))
        yield _Row(_MOVING, f"timer {law.SPIN_LIMIT}", S.LOCATING, _never_rested)

    def _settling(self) -> Iterator[_Row]:
        yield _Row(S.RESULT, "press done", S.LOSERS_COLLECTED, sets(settled=S.LOSERS_COLLECTED.value))
        yield _Row(S.LOSERS_COLLECTED, "press done", S.WINNERS_PAID)
        again = sets(*locks("sensor-disagreed"))
        yield _Row(S.WINNERS_PAID, "press clear", S.LOCATING, then(_opens_next, again), _confirms, "fault")
        yield from _if_located(S.WINNERS_PAID, "press clear", S.BETS_OPEN, _opens_next)
        void = sets(Void("thrown-before-clear"), Alert("thrown-before-clear"))
        spun = both(_is_full, where(lambda data: not data.late))
        thrown, rests = (("wheel-thrown", "locked wheel-thrown"), ("wheel-rested", "locked wheel-rested"))
        yield _Row(RESULT, thrown, None, then(sets(late=True), void))
        yield _Row(RESULT, rests, None, _faulty_late, _faulty, "fault")
        yield _Row(RESULT, rests, None, then(void, _moved_late), spun, "a spin")
        yield _Row(RESULT, rests, None, _moved_late)
        yield _Row(RESULT, "power-restored", None, _lost)

    def _floor(self) -> Iterator[_Row]:
        """What the floorperson can do beside a running spin."""
        yield from _if_located(S.BONUS, "act void", S.RESPIN, self._void_bonus)
        yield from _if_located((S.RESULT, S.LOSERS_COLLECTED), "act void", S.RESPIN, self._void_result)
        yield _Row(S.RESPIN, "act reverse", S.BONUS, self._given_back, self._gives_bonus, "another spin")
        for to, when in ((S.LOSERS_COLLECTED, _was_settled), (S.RESULT, _by_floorperson)):
            yield _Row(S.RESPIN, "act reverse", to, self._given_back, when, f"a result, {to.value}")
        returns = sets(WagersReturned("round-ended"))
        ends = then(returns, _opens_next)
        yield from _if_located((S.NO_MORE_BETS, S.RESPIN, S.BONUS), "act end-round", S.BETS_OPEN, ends)
        yield _Row((S.LOCATING, S.CONFIRMING), "act end-round", S.LOCATING, ends)
        yield _Row(_MOVING, "act end-round", S.VOID_SPIN, then(returns, _opens_behind))
        yield _Row(_UNDECIDED, "act close", S.CLOSED, then(sets(WagersReturned("table-closed")), _closed))
        yield _Row(S.WINNERS_PAID, "act close", S.CLOSED, _closed)

    def _elsewhere(self) -> Iterator[_Row]:
        yield _Row(tuple(S), "fault controller", None, _lost)
        yield _Row((S.LOCATING, S.CONFIRMING), "sensor-health", None, _sensor_alert, _sensor_bad, "a sensor fails")
        yield _Row(tuple(S), "locked sensor-health", None, _sensor_alert, _sensor_bad, "a sensor fails")
        yield _Row(AWAITING, "locked wheel-rested", S.RESPIN, _voids_locked, _missed, "full spin")
        yield _Row((*AWAITING, S.LOCATING, S.CONFIRMING, S.BETS_OPEN), "locked wheel-rested", None, _positioned)
        yield _Row(S.CLOSED, ("wheel-rested", "locked wheel-rested"), None, _positioned)
        yield _Row(_MOVING, "locked wheel-rested", None, _positioned)
        yield _Row(S.CLOSED, "power-restored", None, _lost)
        yield _Row((S.LOCATING, S.CONFIRMING), "power-restored", S.LOCATING, _lost)

    # -- a spin ----------------------------------------------------------------------------------------------

    def _rests(self, data: WheelData, rested: WheelRested) -> _Step:
        """The wheel has come to rest after a spin: void, another spin, or a result."""
        data = replace(data, located=rested.located, section=rested.section)
        reason = law.void_reason(rested)
        if reason:
            return self._void_spin(replace(data, void=reason, resume=S.RESPIN), rested, reason)
        assert rested.section is not None
        return self._scored(data, rested.section, CancelTimer(law.SPIN_LIMIT))

    def _scored(self, data: WheelData, section: int, *before: Effect) -> _Step:
        data, name = replace(data, spun=section), self.order[section]
        if name in self.again:
            data = replace(data, before=data.multiplier, multiplier=data.multiplier * self.again[name])
            return Step(data, (*before, Bonus(self.symbol(name), data.multiplier)))
        wins = tuple(Win(win.area, to_one(win.odds * data.multiplier)) for win in self._score(name))
        areas = tuple(win.area for win in wins)
        return Step(data, (*before, Result(self.symbol(name), wins), Light(areas)))

    def _void_spin(self, data: WheelData, rested: WheelRested, reason: str) -> _Step:
        found: dict[str, str | int] = {}
        if reason == "between-sections" and rested.boundary is not None:
            one, other = self.order[rested.boundary - 1], self.order[rested.boundary]
            found = {"one": self.symbol(one), "other": self.symbol(other)}
        elif reason == "fewer-than-three-revolutions":
            found = {"counts": rested.travel_counts, "needed": law.REVOLUTIONS * rested.counts_per_turn}
        elif reason == "touched":
            found = {"hand": rested.touched.code, **rested.touched.parameters}
        elif rested.fault is not None:
            found = rested.fault.parameters
        effects: tuple[Effect, ...] = (CancelTimer(law.SPIN_LIMIT), Void(reason, parameters=found))
        if reason == "sensor-fault":
            return Step(replace(data, confirm=True, located=False), (*effects, *locks(reason, **found)))
        return Step(data, (*effects, Alert("spin-touched", parameters=found)) if reason == "touched" else effects)

    def _multiplies(self, data: WheelData, rested: WheelRested) -> bool:
        return rested.section is not None and self.order[rested.section] in self.again

    def _gives_bonus(self, data: WheelData, event: Event) -> bool:
        return data.spun is not None and self.order[data.spun] in self.again

    def _given_back(self, data: WheelData, event: Event) -> _Step:
        """A void by the floorperson was a mistake: the spin counts as the sensors saw it."""
        assert data.spun is not None
        return self._scored(replace(data, void=""), data.spun)

    def _void_result(self, data: WheelData, event: Event) -> _Step:
        """A result becomes void: its lamps go out, and the wheel is spun again."""
        assert data.spun is not None
        result = self.symbol(self.order[data.spun])
        return then(_called(result=result, settled=data.settled), sets(Light(())))(data, event)

    def _void_bonus(self, data: WheelData, event: Event) -> _Step:
        """A section that called for another spin becomes void, and what it multiplied by."""
        return self._void_result(replace(data, multiplier=data.before), event)


# -- conditions ------------------------------------------------------------------------------------------------


def _rested(test: Callable[[WheelRested], bool]) -> _Guard:
    """The wheel has come to rest, and this is true of it."""
    return lambda data, rested: test(rested)


_confirms = where(lambda data: data.confirm)
_knows_position = where(lambda data: data.located and not data.confirm)
_by_floorperson = where(lambda data: data.void in VOIDS)
_was_settled = where(lambda data: data.settled)
_faulty = _rested(lambda rested: rested.fault is not None)
_located = _rested(lambda rested: rested.located)
_is_full = _rested(law.is_full)
_missed = both(_is_full, where(lambda data: data.void not in law.RUNS_ON))
"""A spin that would have counted has come to rest while the table could not take it, and is not void yet."""


def _resume_is(state: WheelState) -> _Guard:
    return where(lambda data: data.resume is state)


def _void_by(*reasons: str) -> _Guard:
    return _rested(lambda rested: law.void_reason(rested) in reasons)


def _at_rest(data: WheelData, press: Press) -> bool:
    return not press.moving


def _sensor_bad(data: WheelData, event: SensorHealth) -> bool:
    """A sensor of the wheel is silent, stuck or noisy. Lost edges do not show yet which one is at fault."""
    of_wheel = event.sensor not in (SWITCHES, *KEYS)
    return of_wheel and event.health in (Health.SILENT, Health.STUCK, Health.NOISY)


# -- rows ------------------------------------------------------------------------------------------------------


def _if_located(
    source: WheelState | tuple[WheelState, ...], on: str, to: WheelState, action: _Action
) -> Iterator[_Row]:
    """Rows to a state in which the wheel's position is known; where it is not, the wheel is located first."""
    yield _Row(source, on, to, action, _knows_position, "located")
    yield _Row(source, on, S.LOCATING, action)


def _resumes(source: WheelState, on: str, action: _Action, *when: _Guard) -> Iterator[_Row]:
    """Rows back to the state in which the round was interrupted."""
    for state in (S.BETS_OPEN, *AWAITING):
        yield _Row(source, on, state, action, both(*when, _resume_is(state)), state.value)


# -- actions ---------------------------------------------------------------------------------------------------


def _anew(data: WheelData, number: int) -> WheelData:
    """The data of a round, and what is known of the wheel."""
    return WheelData(number, located=data.located, confirm=data.confirm, section=data.section)


def _opens(data: WheelData, event: Event) -> _Step:
    return Step(data, (Light(()), RoundOpened(data.round)))


def _opens_next(data: WheelData, event: Event) -> _Step:
    return _opens(_anew(data, data.round + 1), event)


def _opens_behind(data: WheelData, event: Event) -> _Step:
    """The next round opens once the wheel, which still turns, is at rest."""
    return _opens(WheelData(data.round + 1, void="round-ended"), event)


def _closed(data: WheelData, event: Event) -> _Step:
    return Step(_anew(data, data.round), (CancelTimer(law.SPIN_LIMIT), Light(())))


def _positioned(data: WheelData, rested: WheelRested) -> _Step:
    return Step(replace(data, located=rested.located, section=rested.section))


_fresh = sets(void="", spun=None, settled="")
_lost = sets(located=False)
"""The wheel may have been turned meanwhile."""
_ends_timer = sets(CancelTimer(law.SPIN_LIMIT))


def _confirmed(data: WheelData, act: Act) -> _Step:
    return Step(replace(data, confirm=False), (Note("position-confirmed", {"by": act.by}),))


def _voids(reason: str, resume: WheelState = S.RESPIN) -> _Action:
    return sets(Void(reason), void=reason, resume=resume)


_voids_locked = then(_voids("table-locked"), _positioned)


def _locks(data: WheelData, rested: WheelRested) -> _Step:
    """Sensors disagree while the wheel comes to rest."""
    assert rested.fault is not None
    effects = (CancelTimer(law.SPIN_LIMIT), *locks("sensor-fault", **rested.fault.parameters))
    return Step(replace(data, confirm=True, located=False), effects)


def _sensor_alert(data: WheelData, event: SensorHealth) -> _Step:
    """At once: with a bad sensor the wheel may never be seen at rest."""
    return Step(data, (Alert("sensor-failed", parameters=event.parameters),))


def _never_rested(data: WheelData, event: Event) -> _Step:
    resume = data.resume if data.void else S.RESPIN
    data = replace(data, resume=resume, void="not-at-rest", confirm=True, located=False)
    return Step(data, (Void("not-at-rest"), *locks("not-at-rest")))


def _remembers(data: WheelData, rested: WheelRested) -> _Step:
    """A spin that the floorperson made void has come to rest: what it gave can be given back."""
    counts = data.void in VOIDS and not law.void_reason(rested)
    return _positioned(replace(data, spun=rested.section if counts else None), rested)


def _called(**taken_back: str) -> _Action:
    """The floorperson calls a spin void."""

    def action(data: WheelData, act: Act) -> _Step:
        void = Void(act.argument, parameters={"by": act.by, **taken_back})
        return Step(replace(data, void=act.argument, resume=S.RESPIN), (void,))

    return action


def _moved_late(data: WheelData, rested: WheelRested) -> _Step:
    step = _positioned(replace(data, late=False), rested)
    return Step(step.data, () if data.late else (Note("moved-after-result"),))


def _faulty_late(data: WheelData, rested: WheelRested) -> _Step:
    assert rested.fault is not None
    alert = Alert("sensor-fault-late", parameters=rested.fault.parameters)
    return then(_positioned, sets(alert, confirm=True))(data, rested)
