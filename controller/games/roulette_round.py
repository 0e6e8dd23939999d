"""The procedure of Roulette (§ 617a.5, § 617a.6): wagers, the ball's run, no more bets, the pocket, settlement."""

from collections.abc import Callable, Iterator

from pydantic import TypeAdapter

from controller.facts import BallLeftTrack, Fact, PocketRead, ReaderFault
from controller.games.machine import GameMachine, Row, Step, on_fact
from controller.games.roulette_faults import failed, fault_noted, lock, lock_later, unlocked
from controller.games.roulette_inspection import DIGITS, FLOOR, KEY, Inspection
from controller.games.roulette_play import (
    NO_SPIN_REASONS,
    READER_LIMIT,
    RUNNING,
    SPIN_LIMIT,
    RouletteData,
    RouletteState,
    S,
    Source,
    against_rotor,
    called,
    correcting,
    keyed,
    left_with,
    locks_after,
    resumes,
    returns_to,
)
from controller.games.roulette_steps import (
    RouletteSteps,
    called_late,
    calls,
    corrects,
    digit,
    disputed,
    holds,
    never_left,
    new_ball,
    opens,
    opens_locked,
    reader_fault,
    reader_silent,
    reason_keyed,
    still_read,
    to_correction,
    voided,
    wiped,
)
from controller.games.roulette_words import RouletteWords
from controller.games.rows import Do, When, always, both, dark, keep, unless

_IDLE = (S.BETS_OPEN, S.RESPIN)
_DOWN = (S.LATE_CALL, S.ENTRY, S.DISPUTE, S.DECIDING)
"""The ball has left the track, and its pocket is not known."""
_SETTLING = (S.RESULT, S.LOSERS_COLLECTED, S.WINNERS_PAID)
_PLAYED = (*_DOWN, S.NO_SPIN, *_SETTLING, S.CORRECTING)
_NO_SPINS = (
    "ball-lost",
    "rotor-not-turning",
    "same-direction",
    "fewer-than-four-revolutions",
)
_Row = Row[RouletteState, RouletteData]
_Do = Do[RouletteData]


class RouletteRound(GameMachine[RouletteState, RouletteData]):
    """A table of Roulette.

    Args:
        steps: what the rows do.
        words: what the table waits for.
        inspection: menu, log and inspection.
        source: where the winning pocket comes from.
        checks_direction: the sensors tell which way the ball runs.
        converted: a double zero wheel is used as a single zero wheel.
    """

    def __init__(
        self,
        steps: RouletteSteps,
        words: RouletteWords,
        inspection: Inspection,
        source: Source,
        checks_direction: bool,
        converted: bool,
    ) -> None:
        self._steps = steps
        self._words = words
        self._inspection = inspection
        self._reads = source is not Source.KEYPAD
        self._keys = source is not Source.READER
        self._checks_direction = checks_direction
        self._converted = converted
        super().__init__(self._rows(), S.CLOSED, RouletteData(), TypeAdapter(RouletteData))

    def waiting_for(self) -> str:
        return self._words.waiting_for(self.state, self.data)

    def _rows(self) -> Iterator[_Row]:
        for rows in (
            self._inspection.rows(),
            self._throwing(),
            self._running(),
            self._reading(),
            self._entering(),
            self._deciding(),
            self._calling_no_spin(),
            self._settling(),
            self._failing(),
            self._everywhere(),
        ):
            # Nobody disputes a pocket that only the dealer names.
            yield from (row for row in rows if self._reads or S.DISPUTE not in (row.source, row.to))

    # -- the run of the ball ---------------------------------------------------------------------------------

    def _throwing(self) -> Iterator[_Row]:
        thrown = self._steps.thrown
        yield _Row(S.BETS_OPEN, "ball-thrown", S.BALL_RUNNING, thrown)
        yield _Row(S.RESPIN, "ball-thrown", S.NO_MORE_BETS, thrown, called, "no more bets was called")
        yield _Row(S.RESPIN, "ball-thrown", S.BALL_RUNNING, thrown)
        yield _Row(S.RESPIN, KEY, None, new_ball)
        for state in _DOWN:
            again = unless(correcting) if state is S.DECIDING else always
            words = "no correction" if state is S.DECIDING else ""
            yield _Row(state, "ball-thrown", S.RESPIN, voided("thrown-again"), again, words)

    def _running(self) -> Iterator[_Row]:
        yield _Row(S.BALL_RUNNING, "press no-more-bets", S.NO_MORE_BETS, calls)
        left = on_fact(BallLeftTrack, self._steps.left)
        no_spin = on_fact(BallLeftTrack, self._steps.no_spin)
        for state in RUNNING:
            if self._checks_direction:
                yield _Row(state, "ball-revolution", None, keep, against_rotor, "not with the rotor")
                yield _Row(state, "ball-revolution", S.RESPIN, voided("same-direction"))
            else:
                yield _Row(state, "ball-revolution", None, keep)
            yield _Row(state, "ball-left-track", S.LOCKED, no_spin, self._left_with("sensor-fault"), "fault")
            for reason in _NO_SPINS if self._checks_direction else ("ball-lost", "fewer-than-four-revolutions"):
                words = reason.replace("-", " ")
                yield _Row(state, "ball-left-track", S.RESPIN, no_spin, self._left_with(reason), words)
            yield _Row(state, f"timer {SPIN_LIMIT}", S.LOCKED, never_left)
            yield _Row(state, "power-restored", S.RESPIN, voided("power-cut"))
        yield _Row(S.BALL_RUNNING, "ball-left-track", S.LATE_CALL, left)
        yield from self._settles(S.NO_MORE_BETS, "ball-left-track", left, S.ENTRY)
        yield from self._settles(S.LATE_CALL, "press no-more-bets", called_late, S.ENTRY)

    def _left_with(self, reason: str) -> When[RouletteData]:
        return left_with(reason, checks_direction=self._checks_direction)

    # -- the pocket ------------------------------------------------------------------------------------------

    def _reading(self) -> Iterator[_Row]:
        """What the wheel reader says."""
        if not self._reads:
            return
        read, fault = on_fact(PocketRead, self._steps.read), on_fact(ReaderFault, reader_fault)
        for state in (*RUNNING, S.LATE_CALL):
            yield _Row(state, "pocket-read", None, read)
            yield _Row(state, "reader-fault", None, fault)
        yield _Row(S.LATE_CALL, f"timer {READER_LIMIT}", None, reader_silent)
        yield from self._settles(S.ENTRY, "pocket-read", read, None)
        yield from self._settles(S.ENTRY, "reader-fault", fault, None)
        yield from self._settles(S.ENTRY, f"timer {READER_LIMIT}", reader_silent, None)
        for state in _SETTLING:
            yield _Row(state, "pocket-read", None, on_fact(PocketRead, still_read))

    def _entering(self) -> Iterator[_Row]:
        """What the dealer keys."""
        yield _Row(S.ENTRY, "power-restored", None, self._waits_for_reader)
        yield _Row(S.LATE_CALL, "power-restored", None, self._waits_for_reader)
        if self._keys:
            yield from self._digits(S.ENTRY)
            yield _Row(S.ENTRY, "press clear", None, wiped, keyed, "something was keyed")
            yield from self._settles(
                S.ENTRY, "press enter", self._steps.enter, None, self._steps.is_pocket, "a pocket"
            )

    def _deciding(self) -> Iterator[_Row]:
        """What the floorperson decides."""
        yield _Row(S.DISPUTE, KEY, S.DECIDING, wiped)
        yield from self._digits(S.DECIDING)
        yield _Row(S.DECIDING, "press clear", None, wiped, keyed, "something was keyed")
        yield from self._settles(
            S.DECIDING, "press enter", self._steps.decide, None, self._steps.is_pocket, "a pocket"
        )
        for state in (S.RESULT, S.LOSERS_COLLECTED):
            yield _Row(state, "press correct", S.CORRECTING, to_correction(state))
            yield _Row(S.CORRECTING, "press clear", state, keep, returns_to(state), f"from {state.value}")
        yield _Row(S.CORRECTING, KEY, S.DECIDING, corrects)

    def _digits(self, state: RouletteState) -> Iterator[_Row]:
        for key in DIGITS:
            yield _Row(state, f"press {key}", None, digit, self._steps.may_key, "leads to a pocket")

    def _settles(
        self,
        state: RouletteState,
        on: str,
        do: _Do,
        to: RouletteState | None,
        when: When[RouletteData] = always,
        why: str = "",
    ) -> Iterator[_Row]:
        """Rows for a step after which the pocket may be known, or disputed; else it leads to ``to``."""
        steps, words = self._steps, f"{why}, " if why else ""

        def then(more: Callable[[RouletteData], Step[RouletteData]]) -> _Do:
            def both_steps(data: RouletteData, fact: Fact) -> Step[RouletteData]:
                first = do(data, fact)
                second = more(first.data)
                return Step(second.data, (*first.effects, *second.effects))

            return both_steps

        known = both(when, holds(steps.is_known, do))
        played = both(known, holds(steps.is_playable, do)) if self._converted else known
        if state is not S.DECIDING:
            questioned = both(when, holds(steps.is_disputed, do))
            yield _Row(state, on, S.DISPUTE, then(disputed), questioned, f"{words}disputed")
        yield _Row(state, on, S.RESULT, then(steps.result), played, f"{words}known")
        if self._converted:
            yield _Row(state, on, S.RESPIN, then(steps.double_zero), known, f"{words}00")
        if state is not S.DECIDING:
            yield _Row(state, on, to, do, when, why)

    def _waits_for_reader(self, data: RouletteData, fact: Fact) -> Step[RouletteData]:
        return Step(data, self._steps.reader_timer())

    # -- no spin, settlement ---------------------------------------------------------------------------------

    def _calling_no_spin(self) -> Iterator[_Row]:
        for state in (*_IDLE, *RUNNING, *_DOWN):
            no_correction = state is S.DECIDING
            when, words = (unless(correcting), "no correction") if no_correction else (always, "")
            yield _Row(state, "press no-spin", S.NO_SPIN, keep, when, words)
        for key, (reason, _) in NO_SPIN_REASONS.items():
            to = S.LOCKED if reason == "ball-not-seen" else S.RESPIN
            yield _Row(S.NO_SPIN, f"press {key}", to, reason_keyed(key))

    def _settling(self) -> Iterator[_Row]:
        yield _Row(S.RESULT, "press done", S.LOSERS_COLLECTED, keep)
        yield _Row(S.LOSERS_COLLECTED, "press done", S.WINNERS_PAID, keep)
        yield _Row(S.WINNERS_PAID, "press clear", S.LOCKED, opens_locked, locks_after, "fault in this round")
        yield _Row(S.WINNERS_PAID, "press clear", S.BETS_OPEN, lambda data, fact: opens(data))

    # -- faults ----------------------------------------------------------------------------------------------

    def _failing(self) -> Iterator[_Row]:
        for state in _IDLE:
            yield _Row(state, "panel-fault", S.LOCKED, lock(state))
        for state in (*RUNNING, *_PLAYED):
            yield _Row(state, "panel-fault", None, lock_later)
        for state in (S.CLOSED, S.LOCKED):
            yield _Row(state, "panel-fault", None, fault_noted)
            yield _Row(state, "machine-failed", None, fault_noted)
        for state in (*_IDLE, *RUNNING, *_PLAYED):
            yield _Row(state, "machine-failed", S.LOCKED, failed(state))
        unlock = unlocked(lambda: self.lit, self._steps.reader_timer)
        for state in (*_IDLE, *_PLAYED):
            yield _Row(S.LOCKED, KEY, state, unlock, resumes(state), state.value)

    def _everywhere(self) -> Iterator[_Row]:
        yield _Row(S.CLOSED, "table-started", None, dark)
        for state in RouletteState:
            if state not in (*FLOOR, *RUNNING, S.ENTRY, S.LATE_CALL):
                yield _Row(state, "power-restored", None, keep)
