"""A round on a wheel with a clapper: what Dreamcatcher (ch. 689a) and Big Six (ch. 619a) share.

No more bets comes before the spin; three full revolutions or the spin is void; a clapper between sections means a
respin; losers are collected, then winners paid. Each game gives the meaning of its sections as ``score``.

This module holds the transitions. Their actions are in ``steps.py``; states, data, texts and guards are in
``rules.py``.
"""

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache

from pydantic import TypeAdapter

from controller.events.event import SensorHealth, WheelRested
from controller.games.clapper_wheel import no_spin
from controller.games.clapper_wheel.rules import (
    AWAITING,
    RESULT,
    SPIN_LIMIT,
    S,
    SectionScore,
    WheelData,
    WheelState,
    confirms,
    faulty,
    full_spin,
    knows_position,
    located,
    moving,
    resumes,
    sensor_bad,
    settles,
    voided,
    waiting_for,
)
from controller.games.clapper_wheel.steps import (
    WheelSteps,
    back_to,
    clear,
    confirmed,
    failed,
    faulty_after,
    ignored,
    lock_idle,
    moved_after,
    never_rested,
    opens,
    position_lost,
    power_cut,
    refuse_moving,
    resumed_in,
    say,
    sensor_alert,
    update_position,
    void_rested,
)
from controller.games.shared.closing import LATER, fault, locks, on_lamps_and_locking, stopped_first, unlocked
from controller.games.shared.settlement import settlement
from controller.games.shared.table_data import stops
from controller.statechart.guards import Action, Guard, always, both, keep, unless
from controller.statechart.machine import GameMachine, Transition, on_event
from controller.statechart.menu import MenuEntry

_UNSETTLED = (S.BETS_OPEN, *AWAITING)
_LOCKS: Action[WheelData] = locks("mend the lamp, then turn the key")
_Transition = Transition[WheelState, WheelData]

_DATA = TypeAdapter(WheelData)


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
        score: SectionScore,
        spin_limit_ns: int,
        bonus: bool = False,
        symbols: Mapping[str, str] | None = None,
    ) -> None:
        self.order = tuple(order)
        self._steps = WheelSteps(self.order, lru_cache(maxsize=256)(score), spin_limit_ns, symbols or {})
        self._states = {state for state in S if bonus or state is not S.BONUS}
        super().__init__(self._transitions(), S.LOCATING, WheelData(), _DATA)

    def _waits_for(self) -> str:
        if self.state is S.LATE:
            return no_spin.words(self.state, self.data)
        return waiting_for(self.state, self.data, self._steps.place) + no_spin.words(self.state, self.data)

    def _menu_entries(self) -> tuple[MenuEntry, ...]:
        return self._offered(no_spin.entries(self.state, self.data))

    def _refused_because(self, control: str) -> str:
        return no_spin.refused(self.state, self.data, control)

    @property
    def again(self) -> dict[str, int]:
        """The sections that call for another spin, and what each multiplies by."""
        found = {name: self._steps.multiplier(name) for name in self.order}
        return {name: multiplier for name, multiplier in found.items() if multiplier is not None}

    def symbol(self, section: str) -> str:
        """What the wheel shows for a section's name."""
        return self._steps.symbol(section)

    # -- transitions -----------------------------------------------------------------------------------------

    def _transitions(self) -> Iterator[_Transition]:
        for transitions in (
            self._while_locating(),
            self._while_open(),
            self._while_awaiting(),
            self._while_spinning(),
            self._while_void(),
            self._while_settling(),
            no_spin.transitions(S.BONUS in self._states),
            self._while_locked(),
            self._everywhere(),
        ):
            under_way, waiting = (S.SPINNING, S.VOID_SPIN), (S.RESPIN, S.BONUS, S.BETS_OPEN, S.LOCATING)
            yield from (
                transition
                for transition in stopped_first(transitions, under_way, waiting, S.LOCKED, resumed_in)
                if {transition.source, transition.to or transition.source} <= self._states
            )

    def _while_locating(self) -> Iterator[_Transition]:
        for state in (S.LOCATING, S.CONFIRMING):
            yield _Transition(state, "wheel-rested", S.LOCKED, on_event(WheelRested, lock_idle), faulty, "fault")
        yield from self._ignored_spin()
        yield _Transition(
            S.LOCATING, "wheel-rested", S.CONFIRMING, update_position, both(located, confirms), "after a fault"
        )
        yield from self._resume(S.LOCATING, "wheel-rested", update_position, located, "located", _UNSETTLED)
        yield _Transition(S.LOCATING, "wheel-rested", None, say("not located yet: go on turning"))
        yield _Transition(S.CONFIRMING, "wheel-rested", S.LOCATING, update_position, unless(located), "not located")
        yield _Transition(S.CONFIRMING, "wheel-rested", None, update_position)
        yield from self._resume(S.CONFIRMING, "press floor-key", confirmed, always, "", _UNSETTLED)
        for state in (S.LOCATING, S.CONFIRMING):
            yield from on_lamps_and_locking(state, S.LOCKED, _LOCKS)

    def _ignored_spin(self) -> Iterator[_Transition]:
        """A full spin while the wheel's position is not known is void, and says so."""
        void = ignored("position-unknown", update_position)
        yield _Transition(S.LOCATING, "wheel-rested", S.RESPIN, void, both(full_spin, located), "full spin")
        yield _Transition(S.LOCATING, "wheel-rested", None, void, full_spin, "full spin, not located")

    def _while_open(self) -> Iterator[_Transition]:
        yield _Transition(S.BETS_OPEN, "press no-more-bets", None, refuse_moving, moving, "the wheel moves")
        yield _Transition(S.BETS_OPEN, "press no-more-bets", S.NO_MORE_BETS, keep)
        yield _Transition(S.BETS_OPEN, "wheel-thrown", S.VOID_SPIN, self._steps.thrown_early)
        yield from self._moved_idle(S.BETS_OPEN)

    def _while_awaiting(self) -> Iterator[_Transition]:
        for state in AWAITING:
            yield _Transition(state, "wheel-thrown", S.SPINNING, self._steps.spin)
            yield from self._moved_idle(state)

    def _moved_idle(self, state: WheelState) -> Iterator[_Transition]:
        """Transitions for a wheel that is moved a little by hand."""
        moved = back_to(state, update_position)
        locks = back_to(state, on_event(WheelRested, lock_idle))
        yield _Transition(state, "wheel-rested", S.LOCKED, locks, faulty, "fault")
        yield _Transition(state, "wheel-rested", S.LOCATING, moved, unless(located), "position lost")
        yield _Transition(state, "wheel-rested", None, moved)
        yield from on_lamps_and_locking(state, S.LOCKED, back_to(state, _LOCKS))
        yield _Transition(state, "power-restored", S.LOCATING, back_to(state, position_lost))

    def _while_spinning(self) -> Iterator[_Transition]:
        spin, rested = S.SPINNING, on_event(WheelRested, self._steps.rest_of_spin)
        for reason, to in (
            ("sensor-fault", S.LOCKED),
            ("touched", S.RESPIN),
            ("stopped-abruptly", S.LOCKED),
            ("position-unknown", S.LOCATING),
            ("fewer-than-three-revolutions", S.RESPIN),
            ("between-sections", S.RESPIN),
        ):
            yield _Transition(spin, "wheel-rested", to, rested, voided(reason), reason.replace("-", " "))
        yield _Transition(spin, "wheel-rested", S.BONUS, rested, self._steps.multiplies, "multiplier")
        yield _Transition(spin, "wheel-rested", S.RESULT, rested)
        yield _Transition(spin, "revolution-completed", None, keep)
        yield _Transition(spin, f"timer {SPIN_LIMIT}", S.LOCKED, never_rested)
        yield _Transition(spin, "power-restored", S.LOCATING, power_cut)
        yield from on_lamps_and_locking(spin, None, fault(LATER))

    def _while_void(self) -> Iterator[_Transition]:
        void = S.VOID_SPIN
        yield _Transition(void, "wheel-rested", S.LOCKED, on_event(WheelRested, lock_idle), faulty, "fault")
        after = (S.BETS_OPEN, S.RESPIN)
        yield from self._resume(void, "wheel-rested", void_rested, located, "at rest", after)
        yield _Transition(void, "wheel-rested", S.LOCATING, void_rested)
        yield _Transition(void, f"timer {SPIN_LIMIT}", S.LOCKED, never_rested)
        yield _Transition(void, "power-restored", S.LOCATING, position_lost)
        yield from on_lamps_and_locking(void, None, fault(LATER))

    def _while_settling(self) -> Iterator[_Transition]:
        yield from settlement(S.RESULT, S.LOSERS_COLLECTED, S.WINNERS_PAID)
        paid = S.WINNERS_PAID
        yield _Transition(paid, "press clear", S.LOCKED, clear, stops, "fault in this round")
        yield _Transition(paid, "press clear", S.BETS_OPEN, clear, knows_position, "located")
        yield _Transition(paid, "press clear", S.LOCATING, clear)
        for state in RESULT:
            yield _Transition(state, "wheel-rested", None, on_event(WheelRested, faulty_after), faulty, "fault")
            yield _Transition(state, "wheel-rested", None, moved_after)
            yield from on_lamps_and_locking(state, None, fault(LATER))
            yield _Transition(state, "power-restored", None, position_lost)

    def _while_locked(self) -> Iterator[_Transition]:
        key = "press floor-key"
        unknown = both(unless(knows_position), unless(settles))
        unlock: Action[WheelData] = unlocked(lambda: self.lit)
        yield _Transition(S.LOCKED, key, S.LOCATING, unlock, unknown, "position unknown")
        yield from self._resume(S.LOCKED, key, unlock, always, "", (*_UNSETTLED, *RESULT))
        void = ignored("table-locked", update_position)
        yield _Transition(S.LOCKED, "wheel-rested", None, void, full_spin, "full spin")
        yield _Transition(S.LOCKED, "wheel-rested", None, update_position)
        yield _Transition(S.LOCKED, "power-restored", None, position_lost)
        yield from on_lamps_and_locking(S.LOCKED, None, _LOCKS)

    def _everywhere(self) -> Iterator[_Transition]:
        for state in S:
            if state is S.LOCKED:
                yield _Transition(state, "machine-failed", None, keep)
            else:
                yield _Transition(state, "machine-failed", S.LOCKED, failed(state))
        yield _Transition(S.LOCATING, "table-started", None, opens)
        for state in (S.LOCATING, S.CONFIRMING, S.LOCKED):
            yield _Transition(
                state, "sensor-health", None, on_event(SensorHealth, sensor_alert), sensor_bad, "fault"
            )
        for state in (S.LOCATING, S.CONFIRMING):
            yield _Transition(state, "power-restored", None if state is S.LOCATING else S.LOCATING, position_lost)

    def _resume(
        self,
        source: WheelState,
        on: str,
        action: Action[WheelData],
        guard: Guard[WheelData],
        why: str,
        to: tuple[WheelState, ...],
    ) -> Iterator[_Transition]:
        """Transitions back to the state in which the round was interrupted."""
        for state in to:
            words = f"{why}, {state.value}" if why else state.value
            yield _Transition(source, on, state, action, both(guard, resumes(state)), words)
