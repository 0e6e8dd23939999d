"""A round on a wheel with a clapper: what Dreamcatcher (ch. 689a) and Big Six (ch. 619a) share.

No more bets comes before the spin; three full revolutions or the spin is void; a clapper between sections means a
respin; losers are collected, then winners paid. What a section means is the game's own: its ``score``.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache

from pydantic import TypeAdapter

from controller.effects import (
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
)
from controller.facts import (
    Fact,
    Health,
    KeyStuck,
    MachineFailed,
    PanelFault,
    SensorHealth,
    WheelRested,
)
from controller.games.machine import GameMachine, Row, Step, on_fact
from controller.games.wheel_rules import (
    AWAITING,
    REASONS,
    RESULT,
    REVOLUTIONS,
    SPIN_LIMIT,
    WAITING,
    S,
    Score,
    WheelData,
    WheelState,
    When,
    always,
    both,
    confirms,
    faulty,
    knows_position,
    located,
    locks_after,
    resumes,
    settles,
    unless,
    void_reason,
    voided,
)
from controller.games.words import fault_words

_UNSETTLED = (S.BETS_OPEN, *AWAITING)
_Row = Row[WheelState, WheelData]
_Do = Callable[[WheelData, Fact], Step[WheelData]]


class WheelRound(GameMachine[WheelState, WheelData]):
    """A game on a wheel with a clapper.

    Args:
        order: the sections clockwise around the rim.
        score: what a section means.
        spin_limit_ns: how long a spin may take.
        bonus: whether any section calls for another spin.
        symbols: what the wheel shows in place of a section's name.
    """

    def __init__(
        self,
        order: Sequence[str],
        score: Score,
        spin_limit_ns: int,
        bonus: bool = False,
        symbols: Mapping[str, str] | None = None,
    ) -> None:
        self.order = tuple(order)
        self._symbols = dict(symbols or {})
        self._score = lru_cache(maxsize=256)(score)
        self._spin_limit_ns = spin_limit_ns
        self._states = {state for state in S if bonus or state is not S.BONUS}
        super().__init__(self._rows(), S.LOCATING, WheelData(), TypeAdapter(WheelData))

    # -- words ---------------------------------------------------------------------------------------------

    def waiting_for(self) -> str:
        data = self.data
        state = self.state
        if state is S.CONFIRMING:
            return (
                f"floorperson: does the clapper stand at {self._place(data.section)}? "
                "Turn the key if it does; call the technician if it does not"
            )
        if state is S.LOCKED:
            return f"the table is locked: {data.cause}; mend it, then turn the floorperson's key"
        if state is S.RESPIN:
            return f"spin the wheel again: {REASONS.get(data.void, data.void)}{self._bonus_words()}"
        if state is S.VOID_SPIN:
            return f"wait until the wheel stands: {REASONS.get(data.void, data.void)}"
        if state is S.LOCATING:
            turns = "twice" if data.confirm else "once"
            return f"turn the wheel by hand {turns} around and let it stand"
        return WAITING[state] + (self._bonus_words() if state in (S.BONUS, S.SPINNING) else "")

    def _bonus_words(self) -> str:
        return f" (bonus: pays {self.data.multiplier} times)" if self.data.multiplier > 1 else ""

    def _place(self, section: int | None) -> str:
        if section is None:
            return "no section (between two)"
        return f"{self.symbol(self.order[section])}, section {section + 1} of {len(self.order)}"

    def symbol(self, section: str) -> str:
        """What the wheel shows for a section's name."""
        return self._symbols.get(section, section)

    # -- the table of rows -----------------------------------------------------------------------------------

    def _rows(self) -> Iterator[_Row]:
        for rows in (
            self._while_locating(),
            self._while_open(),
            self._while_awaiting(),
            self._while_spinning(),
            self._while_void(),
            self._while_settling(),
            self._while_locked(),
            self._everywhere(),
        ):
            yield from (row for row in rows if {row.source, row.to or row.source} <= self._states)

    def _while_locating(self) -> Iterator[_Row]:
        for state in (S.LOCATING, S.CONFIRMING):
            yield _Row(state, "wheel-rested", S.LOCKED, on_fact(WheelRested, self._lock_idle), faulty, "fault")
        yield _Row(S.LOCATING, "wheel-rested", S.CONFIRMING, _stands, both(located, confirms), "after a fault")
        yield from self._resume(S.LOCATING, "wheel-rested", _stands, located, "located", _UNSETTLED)
        yield _Row(S.LOCATING, "wheel-rested", None, _say("not located yet: go on turning"))
        yield _Row(S.CONFIRMING, "wheel-rested", S.LOCATING, _stands, unless(located), "not located")
        yield _Row(S.CONFIRMING, "wheel-rested", None, _stands)
        yield from self._resume(S.CONFIRMING, "press floor-key", _confirmed, always, "", _UNSETTLED)
        for state in (S.LOCATING, S.CONFIRMING):
            yield _Row(state, "panel-fault", S.LOCKED, on_fact(PanelFault, self._lock_panel))

    def _while_open(self) -> Iterator[_Row]:
        yield _Row(S.BETS_OPEN, "press no-more-bets", S.NO_MORE_BETS, _keep)
        yield _Row(S.BETS_OPEN, "wheel-thrown", S.VOID_SPIN, self._thrown_early)
        yield from self._moved_idle(S.BETS_OPEN)

    def _while_awaiting(self) -> Iterator[_Row]:
        for state in AWAITING:
            yield _Row(state, "wheel-thrown", S.SPINNING, self._spin)
            yield from self._moved_idle(state)

    def _moved_idle(self, state: WheelState) -> Iterator[_Row]:
        """A wheel that was moved a little by hand."""

        def stays(data: WheelData, fact: Fact) -> Step[WheelData]:
            return Step(replace(_stand_of(data, fact), resume=state))

        def locks(data: WheelData, fact: WheelRested) -> Step[WheelData]:
            return self._lock_idle(replace(data, resume=state), fact)

        def locks_panel(data: WheelData, fact: PanelFault) -> Step[WheelData]:
            return self._lock_panel(replace(data, resume=state), fact)

        yield _Row(state, "wheel-rested", S.LOCKED, on_fact(WheelRested, locks), faulty, "fault")
        yield _Row(state, "wheel-rested", S.LOCATING, stays, unless(located), "position lost")
        yield _Row(state, "wheel-rested", None, stays)
        yield _Row(state, "panel-fault", S.LOCKED, on_fact(PanelFault, locks_panel))
        yield _Row(state, "power-restored", S.LOCATING, self._restored(state))

    def _while_spinning(self) -> Iterator[_Row]:
        spin, rested = S.SPINNING, on_fact(WheelRested, self._rest_of_spin)
        for reason, to in (
            ("sensor-fault", S.LOCKED),
            ("stopped-abruptly", S.LOCKED),
            ("position-unknown", S.LOCATING),
            ("fewer-than-three-revolutions", S.RESPIN),
            ("between-sections", S.RESPIN),
        ):
            yield _Row(spin, "wheel-rested", to, rested, voided(reason), reason.replace("-", " "))
        yield _Row(spin, "wheel-rested", S.BONUS, rested, self._multiplies, "multiplier")
        yield _Row(spin, "wheel-rested", S.RESULT, rested)
        yield _Row(spin, "revolution-completed", None, _keep)
        yield _Row(spin, "press no-spin", S.VOID_SPIN, self._no_spin)
        yield _Row(spin, f"timer {SPIN_LIMIT}", S.LOCKED, self._never_rested)
        yield _Row(spin, "power-restored", S.LOCATING, self._power_cut)
        yield _Row(spin, "panel-fault", None, on_fact(PanelFault, self._note_panel))

    def _while_void(self) -> Iterator[_Row]:
        void = S.VOID_SPIN
        yield _Row(void, "wheel-rested", S.LOCKED, on_fact(WheelRested, self._lock_idle), faulty, "fault")
        after = (S.BETS_OPEN, S.RESPIN)
        yield from self._resume(void, "wheel-rested", self._void_rested, located, "at rest", after)
        yield _Row(void, "wheel-rested", S.LOCATING, self._void_rested)
        yield _Row(void, f"timer {SPIN_LIMIT}", S.LOCKED, self._never_rested)
        yield _Row(void, "power-restored", S.LOCATING, _lost)
        yield _Row(void, "panel-fault", None, on_fact(PanelFault, self._note_panel))

    def _while_settling(self) -> Iterator[_Row]:
        yield _Row(S.RESULT, "press done", S.LOSERS_COLLECTED, _keep)
        yield _Row(S.LOSERS_COLLECTED, "press done", S.WINNERS_PAID, _keep)
        paid = S.WINNERS_PAID
        yield _Row(paid, "press clear", S.LOCKED, self._clear, locks_after, "fault in this round")
        yield _Row(paid, "press clear", S.BETS_OPEN, self._clear, knows_position, "located")
        yield _Row(paid, "press clear", S.LOCATING, self._clear)
        for state in RESULT:
            yield _Row(state, "wheel-rested", None, on_fact(WheelRested, self._moved_after), faulty, "fault")
            yield _Row(state, "wheel-rested", None, _moved_after)
            yield _Row(state, "panel-fault", None, on_fact(PanelFault, self._note_panel))
            yield _Row(state, "power-restored", None, _lost)

    def _while_locked(self) -> Iterator[_Row]:
        key = "press floor-key"
        lost = both(unless(knows_position), unless(settles))
        yield _Row(S.LOCKED, key, S.LOCATING, self._unlocked, lost, "position unknown")
        yield from self._resume(S.LOCKED, key, self._unlocked, always, "", (*_UNSETTLED, *RESULT))
        yield _Row(S.LOCKED, "wheel-rested", None, _stands)
        yield _Row(S.LOCKED, "power-restored", None, _lost)
        yield _Row(S.LOCKED, "panel-fault", None, on_fact(PanelFault, self._lock_panel))

    def _everywhere(self) -> Iterator[_Row]:
        for state in S:
            yield _Row(state, "sensor-health", None, on_fact(SensorHealth, _sensor_health))
            yield _Row(state, "key-stuck", None, on_fact(KeyStuck, _key_stuck))
            if state is S.LOCKED:
                yield _Row(state, "machine-failed", None, _keep)
            else:
                yield _Row(state, "machine-failed", S.LOCKED, on_fact(MachineFailed, self._failed(state)))
        yield _Row(S.LOCATING, "table-started", None, _opens)
        for state in (S.LOCATING, S.CONFIRMING):
            yield _Row(state, "power-restored", None if state is S.LOCATING else S.LOCATING, _lost)

    def _resume(
        self, source: WheelState, on: str, do: _Do, when: When, why: str, to: tuple[WheelState, ...]
    ) -> Iterator[_Row]:
        """Rows back to wherever the round was."""
        for state in to:
            words = f"{why}, {state.value}" if why else state.value
            yield _Row(source, on, state, do, both(when, resumes(state)), words)

    # -- what rows do --------------------------------------------------------------------------------------

    def _thrown_early(self, data: WheelData, fact: Fact) -> Step[WheelData]:
        data = replace(data, resume=S.BETS_OPEN, void="wagers-open")
        return Step(data, (self._voids("wagers-open"), StartTimer(SPIN_LIMIT, self._spin_limit_ns)))

    def _spin(self, data: WheelData, fact: Fact) -> Step[WheelData]:
        return Step(replace(data, void=""), (StartTimer(SPIN_LIMIT, self._spin_limit_ns),))

    def _no_spin(self, data: WheelData, fact: Fact) -> Step[WheelData]:
        return Step(replace(data, resume=S.RESPIN, void="dealer-no-spin"), (self._voids("dealer-no-spin"),))

    def _never_rested(self, data: WheelData, fact: Fact) -> Step[WheelData]:
        resume = data.resume if data.void else S.RESPIN
        cause = "encoder: the wheel did not come to rest"
        data = replace(data, resume=resume, void="not-at-rest", cause=cause, confirm=True, located=False)
        return Step(data, (self._voids("not-at-rest"), Alert(cause, "look for noise on the encoder's lines")))

    def _power_cut(self, data: WheelData, fact: Fact) -> Step[WheelData]:
        data = replace(data, resume=S.RESPIN, void="power-cut", located=False)
        return Step(data, (self._voids("power-cut"), CancelTimer(SPIN_LIMIT)))

    def _restored(self, state: WheelState) -> _Do:
        def do(data: WheelData, fact: Fact) -> Step[WheelData]:
            return Step(replace(data, located=False, resume=state))

        return do

    def _void_rested(self, data: WheelData, fact: Fact) -> Step[WheelData]:
        return Step(_stand_of(data, fact), (CancelTimer(SPIN_LIMIT),))

    def _voids(self, reason: str, detail: str = "") -> Effect:
        return Void(reason, detail or REASONS[reason])

    def _rest_of_spin(self, data: WheelData, rested: WheelRested) -> Step[WheelData]:
        """The wheel has come to rest after a spin: void, another spin, or a result."""
        data = _stand_of(data, rested)
        reason = void_reason(rested)
        if reason:
            detail = self._void_detail(reason, rested)
            data = replace(data, void=reason, resume=S.RESPIN)
            effects: tuple[Effect, ...] = (CancelTimer(SPIN_LIMIT), self._voids(reason, detail))
            if reason in ("sensor-fault", "stopped-abruptly"):
                return self._locks(data, detail, effects)
            return Step(data, effects)
        assert rested.section is not None
        name = self.order[rested.section]
        scored = self._score(name, data.multiplier)
        if scored.multiplier is not None:
            data = replace(data, multiplier=data.multiplier * scored.multiplier)
            return Step(data, (CancelTimer(SPIN_LIMIT), Bonus(self.symbol(name), data.multiplier)))
        areas = tuple(win.area for win in scored.wins)
        return Step(data, (CancelTimer(SPIN_LIMIT), Result(self.symbol(name), scored.wins), Light(areas)))

    def _void_detail(self, reason: str, rested: WheelRested) -> str:
        if reason == "between-sections" and rested.boundary is not None:
            one, other = self.order[rested.boundary - 1], self.order[rested.boundary]
            return f"between {self.symbol(one)} and {self.symbol(other)}"
        if reason == "fewer-than-three-revolutions":
            return f"{rested.travel_counts} counts of {REVOLUTIONS * rested.counts_per_turn}"
        return str(rested.fault) if rested.fault is not None else REASONS[reason]

    def _locks(self, data: WheelData, cause: str, effects: tuple[Effect, ...] = ()) -> Step[WheelData]:
        data = replace(data, cause=cause, confirm=True, located=False)
        return Step(data, (*effects, Alert(f"table locked: {cause}", "mend the sensor, then turn the key")))

    def _lock_idle(self, data: WheelData, rested: WheelRested) -> Step[WheelData]:
        return self._locks(_stand_of(data, rested), str(rested.fault), (CancelTimer(SPIN_LIMIT),))

    def _lock_panel(self, data: WheelData, fault: PanelFault) -> Step[WheelData]:
        cause = fault_words(fault)
        return Step(
            replace(data, cause=cause), (Alert(f"table locked: {cause}", "mend the lamp, then turn the key"),)
        )

    def _note_panel(self, data: WheelData, fault: PanelFault) -> Step[WheelData]:
        cause = fault_words(fault)
        remedy = "settle by the screen; the table locks after this round"
        return Step(replace(data, cause=cause), (Alert(cause, remedy),))

    def _moved_after(self, data: WheelData, rested: WheelRested) -> Step[WheelData]:
        cause = str(rested.fault)
        data = replace(_stand_of(data, rested), cause=cause, confirm=True)
        return Step(data, (Alert(cause, "the result stands; the table locks after this round"),))

    def _failed(self, state: WheelState) -> Callable[[WheelData, MachineFailed], Step[WheelData]]:
        spins = state in (S.SPINNING, S.VOID_SPIN)
        resume = {S.SPINNING: S.RESPIN, S.VOID_SPIN: None, S.LOCATING: None, S.CONFIRMING: None}.get(state, state)

        def do(data: WheelData, fact: MachineFailed) -> Step[WheelData]:
            cause = fault_words(fact)
            data = replace(data, cause=cause, resume=resume or data.resume, located=False)
            effects: tuple[Effect, ...] = (CancelTimer(SPIN_LIMIT),) if spins else ()
            return Step(data, (*effects, Alert(f"table locked: {cause}", "call the technician")))

        return do

    def _unlocked(self, data: WheelData, fact: Fact) -> Step[WheelData]:
        # Lighting the panel anew also tries whether it was mended.
        return Step(replace(data, cause=""), (Note("the floorperson opened the lock"), Light(self.lit)))

    def _clear(self, data: WheelData, fact: Fact) -> Step[WheelData]:
        opened = WheelData(
            round=data.round + 1,
            located=data.located,
            cause=data.cause,
            confirm=data.confirm,
            section=data.section,
        )
        return Step(opened, (Light(()), RoundOpened(opened.round)))

    def _multiplies(self, data: WheelData, fact: Fact) -> bool:
        section = fact.section if isinstance(fact, WheelRested) else None
        return section is not None and self._score(self.order[section], 1).multiplier is not None


# -- what rows do, without the game ------------------------------------------------------------------------------


def _keep(data: WheelData, fact: Fact) -> Step[WheelData]:
    return Step(data)


def _opens(data: WheelData, fact: Fact) -> Step[WheelData]:
    return Step(data, (Light(()), RoundOpened(data.round)))


def _say(text: str) -> _Do:
    return lambda data, fact: Step(data, (Note(text),))


def _stand_of(data: WheelData, fact: Fact) -> WheelData:
    """The data with where the wheel now stands."""
    if not isinstance(fact, WheelRested):
        return data
    return replace(data, located=fact.located, section=fact.section)


def _stands(data: WheelData, fact: Fact) -> Step[WheelData]:
    return Step(_stand_of(data, fact))


def _moved_after(data: WheelData, fact: Fact) -> Step[WheelData]:
    return Step(_stand_of(data, fact), (Note("the wheel was moved after its result; the result stands"),))


def _confirmed(data: WheelData, fact: Fact) -> Step[WheelData]:
    return Step(replace(data, confirm=False), (Note("the floorperson confirmed the wheel's position"),))


def _lost(data: WheelData, fact: Fact) -> Step[WheelData]:
    """The power was away: the wheel may have been turned since."""
    return Step(replace(data, located=False))


def _sensor_health(data: WheelData, fact: SensorHealth) -> Step[WheelData]:
    if fact.health is Health.OK:
        return Step(data, (Note(f"{fact.sensor} is in order"),))
    return Step(data, (Note(f"{fact.sensor} {fact.health.value}: {fact.detail}"),))


def _key_stuck(data: WheelData, fact: KeyStuck) -> Step[WheelData]:
    return Step(data, (Alert(fault_words(fact), "free the key, or have it mended"),))
