"""The procedure of Roulette (§ 617a.5, § 617a.6): wagers, the ball's run, no more bets, the pocket, settlement."""

from collections.abc import Iterator

from pydantic import TypeAdapter

from controller.events.event import BallLeftTrack, Event, PocketRead, ReaderFault
from controller.games.roulette import menu
from controller.games.roulette.faults import failed, lock, resumed_in, unlock
from controller.games.roulette.inspection import RouletteInspection
from controller.games.roulette.no_spins import NoSpins, entries
from controller.games.roulette.play import (
    DOWN,
    IDLE,
    READER_LIMIT,
    REASONS,
    RUNNING,
    SETTLING,
    SPIN_LIMIT,
    NumberSource,
    RouletteData,
    RouletteState,
    S,
    against_rotor,
    called,
    keyed,
    left_with,
    resumes,
)
from controller.games.roulette.steps import (
    RouletteSteps,
    called_late,
    calls,
    corrects,
    decides,
    digit,
    disputed,
    holds,
    never_left,
    opens,
    opens_locked,
    reader_fault,
    revolved,
    still_read,
    voided,
    wiped,
)
from controller.games.roulette.untimely import again, denied, untimely
from controller.games.roulette.words import RouletteWords
from controller.games.shared.closing import LATER, fault, on_lamps_and_locking, stopped_first
from controller.games.shared.entry import DIGITS
from controller.games.shared.floor import KEY, correction
from controller.games.shared.settlement import settlement
from controller.games.shared.table_data import stops
from controller.statechart.guards import Action, Guard, always, both, dark, keep, then
from controller.statechart.machine import GameMachine, Step, Transition, on_event
from controller.statechart.menu import MenuEntry

_PLAYED = (*DOWN, S.NO_SPIN, *SETTLING, S.CORRECTING)
_NO_SPINS = ("ball-lost", "rotor-not-turning", "same-direction", "fewer-than-four-revolutions")
_Transition = Transition[RouletteState, RouletteData]
_Action = Action[RouletteData]

_DATA = TypeAdapter(RouletteData)


class RouletteRound(GameMachine[RouletteState, RouletteData]):
    """A table of Roulette.

    Args:
        steps: actions and guards.
        words: texts of what the table waits for.
        inspection: menu, log and inspection.
        source: where the winning pocket comes from.
        checks_direction: the sensors measure the direction of the ball.
        converted: a double zero wheel is used as a single zero wheel.
    """

    inspecting = frozenset({S.INSPECTING.value})
    identifying = frozenset(state.value for state in (S.CLOSED, S.WORKER, S.WITNESS, S.INSPECTOR))

    def __init__(
        self,
        steps: RouletteSteps,
        words: RouletteWords,
        inspection: RouletteInspection,
        source: NumberSource,
        checks_direction: bool,
        converted: bool,
    ) -> None:
        self._steps = steps
        self._words = words
        self._inspection = inspection
        self._reads = source is not NumberSource.KEYPAD
        self._keys = source is not NumberSource.READER
        self._checks_direction = checks_direction
        self._converted = converted
        super().__init__(self._transitions(), S.CLOSED, RouletteData(), _DATA)

    def _waits_for(self) -> str:
        return self._words.waiting_for(self.state, self.data)

    def _menu_entries(self) -> tuple[MenuEntry, ...]:
        if self.state is S.MENU:
            return self._offered(menu.menu(self.data))
        if self.state is S.NO_SPIN:
            return self._offered(entries(self.data))
        return {S.WORK: menu.works, S.PART: menu.parts}.get(self.state, tuple)()

    def _refused_because(self, control: str) -> str:
        if control == "no-more-bets" and self.data.untimely:
            return f"no spin runs: {REASONS[self.data.untimely]}"
        if control != "floor-key":
            return ""
        if self.state is S.WITNESS:
            return "the witness is another person than the one who made it"
        return self._inspection.refused_because(self.data) if self.state is S.INSPECTING else ""

    def _transitions(self) -> Iterator[_Transition]:
        return stopped_first(self._unstopped(), (*RUNNING, *DOWN, S.NO_SPIN), IDLE, S.LOCKED, resumed_in)

    def _unstopped(self) -> Iterator[_Transition]:
        yield from menu.transitions()
        yield from self._inspection.transitions()
        for transition in self._sensed():
            if S.ENTRY in (transition.source, transition.to):
                yield from self._settled(transition)
            else:
                yield transition
        yield denied()
        yield from self._called()
        yield from self._entering()
        yield from self._deciding()
        yield from NoSpins(self._settles, self._steps.reader_timer).transitions(self._behind_a_no_spin())
        yield from self._settling()
        yield from untimely()
        yield from self._failing()
        yield from self._everywhere()

    # -- the run of the ball ---------------------------------------------------------------------------------

    def _sensed(self) -> Iterator[_Transition]:
        """Transitions for what sensors and reader say of a spin, before it is asked whether the pocket is known."""
        thrown = self._steps.thrown
        yield _Transition(S.BETS_OPEN, "ball-thrown", S.BALL_RUNNING, thrown)
        yield _Transition(S.RESPIN, "ball-thrown", S.NO_MORE_BETS, thrown, called, "no more bets was called")
        yield _Transition(S.RESPIN, "ball-thrown", S.BALL_RUNNING, thrown)
        yield from self._running()
        yield from self._reading()
        yield from again()

    def _behind_a_no_spin(self) -> Iterator[_Transition]:
        """Transitions that go on while it is asked why there is no spin."""
        yield from self._sensed()
        yield from self._still_reading()
        yield from (transition for transition in untimely() if transition.source in (*SETTLING, S.DECIDING))

    def _running(self) -> Iterator[_Transition]:
        left = on_event(BallLeftTrack, self._steps.left)
        no_spin = on_event(BallLeftTrack, self._steps.no_spin)
        for state in RUNNING:
            if self._checks_direction:
                yield _Transition(state, "ball-revolution", None, revolved, against_rotor, "not with the rotor")
                yield _Transition(state, "ball-revolution", S.RESPIN, voided("same-direction"))
            else:
                yield _Transition(state, "ball-revolution", None, revolved)
            yield _Transition(state, "ball-left-track", S.LOCKED, no_spin, self._left_with("sensor-fault"), "fault")
            for reason in _NO_SPINS if self._checks_direction else ("ball-lost", "fewer-than-four-revolutions"):
                words = reason.replace("-", " ")
                yield _Transition(state, "ball-left-track", S.RESPIN, no_spin, self._left_with(reason), words)
            yield _Transition(state, f"timer {SPIN_LIMIT}", S.LOCKED, never_left)
            yield _Transition(state, "power-restored", S.RESPIN, voided("power-cut"))
        yield _Transition(S.BALL_RUNNING, "ball-left-track", S.LATE_CALL, left)
        yield _Transition(S.NO_MORE_BETS, "ball-left-track", S.ENTRY, left)

    def _called(self) -> Iterator[_Transition]:
        yield _Transition(S.BALL_RUNNING, "press no-more-bets", S.NO_MORE_BETS, calls)
        yield from self._settles(S.LATE_CALL, "press no-more-bets", called_late, S.ENTRY)

    def _left_with(self, reason: str) -> Guard[RouletteData]:
        return left_with(reason, checks_direction=self._checks_direction)

    # -- the pocket ------------------------------------------------------------------------------------------

    def _reading(self) -> Iterator[_Transition]:
        """Transitions for the wheel reader."""
        if not self._reads:
            return
        read, fault = on_event(PocketRead, self._steps.read), on_event(ReaderFault, reader_fault)
        for state in (*RUNNING, S.LATE_CALL, S.ENTRY):
            yield _Transition(state, "pocket-read", None, read)
            yield _Transition(state, "reader-fault", None, fault)
        for state in (S.LATE_CALL, S.ENTRY):
            yield _Transition(state, f"timer {READER_LIMIT}", None, self._steps.silent)

    def _entering(self) -> Iterator[_Transition]:
        """Transitions for the dealer's entry."""
        yield _Transition(S.ENTRY, "power-restored", None, self._waits_for_reader)
        yield _Transition(S.LATE_CALL, "power-restored", None, self._waits_for_reader)
        if self._keys:
            if self._reads:  # Digits with which both agree.
                for key in DIGITS:
                    yield from self._agreed(f"press {key}")
            yield from self._digits(S.ENTRY)
            yield _Transition(S.ENTRY, "press clear", None, wiped, keyed, "something was keyed")
            yield from self._settles(
                S.ENTRY, "press enter", self._steps.enter, None, self._steps.is_pocket, "a pocket"
            )

    def _deciding(self) -> Iterator[_Transition]:
        """Transitions for the floorperson's decision."""
        yield _Transition(S.DISPUTE, KEY, S.DECIDING, decides)
        yield from self._digits(S.DECIDING)
        yield _Transition(S.DECIDING, "press clear", None, wiped, keyed, "something was keyed")
        yield from self._settles(
            S.DECIDING, "press enter", self._steps.decide, None, self._steps.is_pocket, "a pocket"
        )
        yield from correction(S.CORRECTING, SETTLING)
        yield _Transition(S.CORRECTING, KEY, S.DECIDING, corrects)

    def _digits(self, state: RouletteState) -> Iterator[_Transition]:
        for key in DIGITS:
            yield _Transition(state, f"press {key}", None, digit, self._steps.may_key, "leads to a pocket")

    def _agreed(self, on: str) -> Iterator[_Transition]:
        known = both(self._steps.may_key, holds(self._steps.is_known, digit))
        played = both(known, holds(self._steps.is_playable, digit)) if self._converted else known
        yield _Transition(S.ENTRY, on, S.RESULT, then(digit, self._steps.result), played, "the reader named it")
        if self._converted:
            yield _Transition(S.ENTRY, on, S.RESPIN, then(digit, self._steps.double_zero), known, "both say 00")

    def _settled(self, sensed: _Transition) -> Iterator[_Transition]:
        guard = sensed.guard or always
        yield from self._settles(sensed.source, sensed.on, sensed.action, sensed.to, guard, sensed.why)

    def _settles(
        self,
        state: RouletteState,
        on: str,
        action: _Action,
        to: RouletteState | None,
        guard: Guard[RouletteData] = always,
        why: str = "",
    ) -> Iterator[_Transition]:
        """Transitions for an action after which the pocket may be known, or disputed; else it leads to ``to``."""
        steps, words = self._steps, f"{why}, " if why else ""
        known = both(guard, holds(steps.is_known, action))
        played = both(known, holds(steps.is_playable, action)) if self._converted else known
        if self._reads and state is not S.DECIDING:
            questioned = both(guard, holds(steps.is_disputed, action))
            yield _Transition(state, on, S.DISPUTE, then(action, disputed), questioned, f"{words}disputed")
        yield _Transition(state, on, S.RESULT, then(action, steps.result), played, f"{words}known")
        if self._converted:
            yield _Transition(state, on, S.RESPIN, then(action, steps.double_zero), known, f"{words}00")
        if state is not S.DECIDING:
            yield _Transition(state, on, to, action, guard, why)

    def _waits_for_reader(self, data: RouletteData, event: Event) -> Step[RouletteData]:
        return Step(data, self._steps.reader_timer())

    # -- settlement ------------------------------------------------------------------------------------------

    def _settling(self) -> Iterator[_Transition]:
        yield from settlement(S.RESULT, S.LOSERS_COLLECTED, S.WINNERS_PAID)
        for state in (S.LOSERS_COLLECTED, S.WINNERS_PAID):
            yield _Transition(state, "press clear", S.LOCKED, opens_locked, stops, "fault in this round")
            yield _Transition(state, "press clear", S.BETS_OPEN, opens)
        yield from self._still_reading()

    def _still_reading(self) -> Iterator[_Transition]:
        """Transitions for what the reader names after the result."""
        for state in SETTLING if self._reads else ():
            yield _Transition(state, "pocket-read", None, on_event(PocketRead, still_read))

    # -- faults ----------------------------------------------------------------------------------------------

    def _failing(self) -> Iterator[_Transition]:
        for state in IDLE:
            yield from on_lamps_and_locking(state, S.LOCKED, lock(state))
        for state in (*RUNNING, *_PLAYED):
            yield from on_lamps_and_locking(state, None, fault(LATER))
        for state in (S.CLOSED, S.LOCKED):
            yield from on_lamps_and_locking(state, None, fault("mend it"))
            yield _Transition(state, "machine-failed", None, fault("mend it"))
        for state in (*IDLE, *RUNNING, *_PLAYED):  # After what a no spin makes of it.
            yield _Transition(state, "machine-failed", S.LOCKED, failed(state))
        unlocks = unlock(lambda: self.lit, self._steps.reader_timer)
        for state in (*IDLE, *_PLAYED):
            yield _Transition(S.LOCKED, KEY, state, unlocks, resumes(state), state.value)
        for state in (S.LATE_CALL, S.ENTRY) if self._reads else ():
            read = on_event(PocketRead, self._steps.read)
            yield _Transition(S.LOCKED, "pocket-read", None, read, resumes(state), f"{state.value} due")

    def _everywhere(self) -> Iterator[_Transition]:
        yield _Transition(S.CLOSED, "table-started", None, dark)
        for state in RouletteState:
            if state not in (*menu.FLOOR, S.SIGNING, *RUNNING, S.ENTRY, S.LATE_CALL):
                yield _Transition(state, "power-restored", None, keep)
