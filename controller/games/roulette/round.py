"""The procedure of Roulette (§ 617a.5, § 617a.6): wagers, the ball's run, no more bets, the pocket, settlement.

A spin that the sensors call void is so. One that people call void can be taken back by the floorperson until the
next throw, if the sensors saw a valid spin. Nobody else takes away a number that is due, disputed or lit.
"""

from collections.abc import Iterator
from dataclasses import replace

from pydantic import TypeAdapter

from config.schema import NS_PER_S, TableConfig
from controller.events.effect import (
    Alert,
    CancelTimer,
    Effect,
    Light,
    Note,
    Result,
    ResultWithdrawn,
    StartTimer,
    Void,
    WagersReturned,
)
from controller.events.event import Act, BallLeftTrack, BallRevolution, Event, PocketRead, Press, ReaderFault
from controller.events.words import NOTHING, Text, text
from controller.games.roulette import layout
from controller.games.roulette import rules as law
from controller.games.roulette.inspection import Inspection, opens
from controller.games.roulette.rules import (
    DOWN,
    IDLE,
    RUNNING,
    SETTLING,
    RouletteData,
    RouletteRules,
    RouletteState,
    S,
)
from controller.machine.offers import Authority, Device, FaultPolicy, Offer
from controller.machine.round_machine import (
    DIGITS,
    Action,
    Guard,
    RoundMachine,
    Row,
    Step,
    both,
    by,
    key_of,
    locks,
    presses,
    sets,
    then,
    unless,
    where,
)
from controller.odds.wagers import Payouts

_DATA = TypeAdapter(RouletteData)
_Row = Row[RouletteState, RouletteData]
_Step = Step[RouletteData]
_Action = Action[RouletteData]
_Found = str | int
_LEFT, _READ, _THROWN = ((kind, f"locked {kind}") for kind in ("ball-left-track", "pocket-read", "ball-thrown"))
"""Events that are not lost while the table is locked."""


class RouletteRound(RoundMachine[RouletteState, RouletteData]):
    """A table of Roulette, with the rules and payout odds of its file."""

    closed = frozenset(state.value for state in (S.CLOSED, S.WITNESS, S.INSPECTING))
    idle = closed | {S.BETS_OPEN.value, S.WINNERS_PAID.value}
    inspecting = frozenset({S.INSPECTING.value})

    def __init__(self, config: TableConfig, rules: RouletteRules, payouts: Payouts) -> None:
        head, rotor = config.devices.rotor, config.rotor
        assert head is not None
        assert rotor is not None
        self._rules, self._payouts = rules, payouts
        self._wheel = rules.type
        self._pockets = frozenset(layout.WHEEL_ORDER[self._wheel])
        self._converted = self._wheel is layout.WheelType.DOUBLE_ZERO_AS_SINGLE
        self._checked = head.pins.ball_2 is not None
        self._spin_limit = StartTimer(law.SPIN_LIMIT, rotor.spin_limit_ns)
        self._call_limit = StartTimer(law.CALL_LIMIT, int(rules.call_alert_s * NS_PER_S))
        self._reader_limit = StartTimer(law.READER_LIMIT, int(rules.reader_s * NS_PER_S))
        self._inspection = Inspection(config.table, self._converted, self._checked)
        super().__init__(self._all_rows(), S.CLOSED, RouletteData(), _DATA)

    # -- what the table layer asks ---------------------------------------------------------------------------

    def instruction(self) -> Text:
        data, state = self.data, self.state
        found: dict[str, str | int] = {"checked": int(self._checked)}
        if state.value in self.closed:
            found |= self._inspection.parameters(data)
        elif state in (*IDLE, S.WINNERS_PAID):
            found |= {"untimely": data.untimely, "void": data.void, "doubted": len(data.doubts)}
        elif state in DOWN:
            found |= {**data.doubt.parameters, "doubt": data.doubt.code, "corrects": data.corrects}
            found |= {"wheel": self._rules.wheel, "source": self._rules.result}
            found |= {"entered": data.keyed, "entry": data.entry}
        elif state is S.RESULT:
            fifths = layout.five_adjacent(self._wheel, data.pocket) if self._rules.five_adjacent else ()
            found |= {"pocket": data.pocket, "fifths": ",".join(fifths)}
        return Text(f"roulette-{state.value}", found)

    def offers(self) -> Iterator[Offer]:
        data, state = self.data, self.state
        if state.value in self.closed:
            yield from self._inspection.offers(state, data)
            return
        if state is S.DISPUTE:
            yield Offer("decide", expected=True)
        if state in SETTLING or (data.void == "double-zero" and not data.untimely):
            yield Offer("correct", control="correct")
        if data.off and data.called and not data.untimely:
            yield Offer("reverse", unavailable=NOTHING if data.off == "down" else text("ball-still-runs"))
        for reason in law.NO_SPINS:
            authority = Authority.DEALER if law.is_dealers(reason, state, data) else Authority.FLOORPERSON
            yield Offer("void", reason, authority, "no-spin", unavailable=Text(law.impossible(reason, state, data)))
        if state is S.RESPIN:
            yield from (Offer("new-ball"), Offer("end-round"))
        first = NOTHING if state in IDLE else text("settle-first" if state in SETTLING else "no-spin-first")
        yield Offer("close", unavailable=first)

    def on_fault(self, device: Device, state: RouletteState) -> FaultPolicy:
        if device is Device.KEYS:
            return FaultPolicy.ALERT
        if device is Device.CONTROLLER:
            return FaultPolicy.VOID if state in RUNNING else FaultPolicy.LOCK
        return FaultPolicy.LATER if state in (*RUNNING, *DOWN, *SETTLING) else FaultPolicy.LOCK

    def refused_because(self, press: Press) -> Text:
        return Text(self.data.untimely) if press.control == "no-more-bets" else NOTHING

    def declined(self, act: Act) -> Text:
        return self._inspection.declined(self.data, act)

    # -- rows ------------------------------------------------------------------------------------------------

    def _all_rows(self) -> Iterator[_Row]:
        yield from self._inspection.rows()
        yield from self._running()
        yield from self._entering()
        yield from self._settling()
        yield from self._no_spins()
        yield from self._respinning()
        yield from self._too_early()

    def _running(self) -> Iterator[_Row]:
        yield _Row(S.RESPIN, "ball-thrown", S.NO_MORE_BETS, self._thrown, _is_called, "no more bets was called")
        yield _Row(IDLE, "ball-thrown", S.BALL_RUNNING, self._thrown)
        if self._checked:
            same = _no_spin("same-direction")
            yield _Row(RUNNING, "ball-revolution", S.RESPIN, same, _with_rotor, "with the wheel")
        yield _Row(RUNNING, "ball-revolution", None, _revolved)
        yield _Row(RUNNING, _LEFT, S.RESPIN, self._ends, self._is_void, "no spin")
        yield _Row(S.BALL_RUNNING, _LEFT, S.LATE_CALL, self._left)
        yield from self._settles(S.NO_MORE_BETS, _LEFT, self._left, S.ENTRY)
        stuck = then(_no_spin("not-at-rest"), sets(*locks("not-at-rest")))
        yield _Row(RUNNING, (f"timer {law.SPIN_LIMIT}", f"locked timer {law.SPIN_LIMIT}"), S.RESPIN, stuck)
        yield _Row(RUNNING, "power-restored", S.RESPIN, _no_spin("power-cut"))
        yield _Row(S.BALL_RUNNING, "press no-more-bets", S.NO_MORE_BETS, sets(called=True))
        yield from self._settles(S.LATE_CALL, "press no-more-bets", _called_late, S.ENTRY)
        missing = sets(Alert("call-missing"), uncalled=True)
        yield _Row((S.BALL_RUNNING, S.LATE_CALL), f"timer {law.CALL_LIMIT}", None, missing)

    def _entering(self) -> Iterator[_Row]:
        """Rows for the reader, the dealer's entry, and the floorperson's decision."""
        if self._rules.reads:
            silent = f"timer {law.READER_LIMIT}", self._silent
            for on, action in (("pocket-read", self._read), ("reader-fault", _reader_fault), silent):
                yield _Row((*RUNNING, S.LATE_CALL), on, None, action)
                yield from self._settles(S.ENTRY, on, action)
            yield _Row((*RUNNING, S.LATE_CALL, S.ENTRY), "locked pocket-read", None, self._read)
        again = ("power-restored", "unlocked")
        yield _Row(S.LATE_CALL, again, None, self._waits)
        yield from self._settles(S.ENTRY, again, self._waits)
        if self._rules.result != "reader":
            yield from self._settles(S.ENTRY, presses(DIGITS), _digit, None, self._may_key)
            yield from self._settles(S.ENTRY, "press enter", _enter, None, self._is_pocket)
        yield _Row(S.DISPUTE, "act decide", S.DECIDING, _wiped)
        yield _Row(S.DECIDING, presses(DIGITS), None, _digit, self._may_key, "leads to a pocket")
        yield from self._settles(S.DECIDING, "press enter", _decided, None, self._is_pocket)
        yield _Row((S.ENTRY, S.DECIDING), "press clear", None, _wiped, _is_keyed, "something was keyed")

    def _settles(
        self,
        source: RouletteState,
        on: str | tuple[str, ...],
        action: _Action,
        to: RouletteState | None = None,
        when: Guard[RouletteData] = lambda data, event: True,
    ) -> Iterator[_Row]:
        """Rows for an action after which the pocket may be known or disputed; else it leads to ``to``."""

        def comes_to(outcome: str) -> Guard[RouletteData]:
            return both(when, lambda data, event: self._outcome(action(data, event).data) == outcome)

        yield _Row(source, on, S.RESULT, then(action, self._result), comes_to("known"), "known")
        if self._rules.reads:
            yield _Row(source, on, S.DISPUTE, then(action, _disputed), comes_to("disputed"), "disputed")
        if self._converted:
            yield _Row(source, on, S.RESPIN, then(action, _no_spin("double-zero")), comes_to("00"), "00")
        yield _Row(source, on, to, action, when)

    def _settling(self) -> Iterator[_Row]:
        yield _Row(S.RESULT, "press done", S.LOSERS_COLLECTED)
        yield _Row(S.LOSERS_COLLECTED, "press done", S.WINNERS_PAID)
        yield _Row((S.LOSERS_COLLECTED, S.WINNERS_PAID), "press clear", S.BETS_OPEN, opens)
        yield _Row(SETTLING, _READ, None, _still_read)
        for state in SETTLING:
            yield _Row(state, "act correct", S.DECIDING, _corrects(state))

    def _no_spins(self) -> Iterator[_Row]:
        # Whose act it is, is judged by the moment of the call, though the reason is given later.
        yield _Row((*IDLE, *RUNNING), "called no-spin", None, sets(called_off=True))
        yield _Row((*DOWN, *SETTLING), "called no-spin", None, sets(called_off=False))
        for state in (*IDLE, *RUNNING, *DOWN, *SETTLING):
            yield _Row(state, "act void", S.RESPIN, _voids(state))

    def _respinning(self) -> Iterator[_Row]:
        """Rows after a void: for its ball, if it runs on, and for the floorperson."""
        yield _Row(S.RESPIN, _LEFT, None, self._left_off, _runs_off, "called void")
        yield _Row(S.RESPIN, "power-restored", None, _off, _runs_off, "called void")
        yield _Row(S.RESPIN, ("act correct", "act reverse"), S.DECIDING, _corrects(S.RESPIN))
        yield _Row(S.RESPIN, "act new-ball")
        yield _Row(S.RESPIN, "act end-round", S.BETS_OPEN, then(sets(WagersReturned("round-ended")), opens))
        yield _Row(IDLE, "act close", S.CLOSED, _closes)

    def _too_early(self) -> Iterator[_Row]:
        """Rows for a ball that is thrown before a spin is due, or while a number is."""
        for on, reason, states in (
            ("ball-thrown", "thrown-before-clear", SETTLING),
            ("locked ball-thrown", "thrown-while-locked", (*IDLE, *SETTLING)),
        ):
            untimely = sets(Void(reason), Alert(reason), untimely=reason)
            yield _Row(states, on, None, untimely, _is_timely, "the first")
            corrected = both(_is_timely, _is_correcting)
            yield _Row(S.DECIDING, on, None, untimely, corrected, "the first, correction")
        yield _Row(S.DECIDING, _THROWN, S.DISPUTE, _thrown_again, unless(_is_correcting), "no correction")
        yield _Row((S.LATE_CALL, S.ENTRY, S.DISPUTE), _THROWN, S.DISPUTE, _thrown_again)

    # -- the run of the ball ---------------------------------------------------------------------------------

    def _thrown(self, data: RouletteData, event: Event) -> _Step:
        return Step(_unspun(data), (self._spin_limit, *self._call_timer(data)))

    def _waits(self, data: RouletteData, event: Event) -> _Step:
        """The ball is down; the reader and the call are waited for."""
        return Step(data, (*self._reader_timer(), *self._call_timer(data)))

    def _call_timer(self, data: RouletteData) -> tuple[Effect, ...]:
        return () if data.called or data.uncalled else (self._call_limit,)

    def _reader_timer(self) -> tuple[Effect, ...]:
        return (self._reader_limit,) if self._rules.reads else ()

    def _is_void(self, data: RouletteData, left: BallLeftTrack) -> bool:
        return bool(law.void_reason(left, self._checked))

    def _ends(self, data: RouletteData, left: BallLeftTrack) -> _Step:
        """The ball has left the track after a run that does not count."""
        reason = law.void_reason(left, self._checked)
        if left.fault is not None:
            found = left.fault.parameters
            return then(_no_spin(reason, **found), sets(*locks(reason, **found)))(data, left)
        few = {"revolutions": left.revolutions, "needed": law.REVOLUTIONS} if reason.startswith("fewer") else {}
        return _no_spin(reason, **few)(data, left)

    def _left(self, data: RouletteData, left: BallLeftTrack) -> _Step:
        """The ball has left the track after a spin that counts."""
        data = replace(data, left_ns=left.left_ns, revolutions=left.revolutions, against=left.against is True)
        if data.reading and data.read_ns <= left.left_ns:
            data = replace(data, reading="", doubt=text("read-too-early", reading=data.reading))
        return Step(data, (CancelTimer(law.SPIN_LIMIT), *self._reader_timer()))

    def _left_off(self, data: RouletteData, left: BallLeftTrack) -> _Step:
        """The same after people called the spin void, which can be taken back if it was valid."""
        if self._is_void(data, left):
            return _off(data, left)
        denies = (Alert("void-denied"),) if data.void == "ball-left-wheel" else ()
        return Step(replace(data, off="down", left_ns=left.left_ns), denies)

    # -- the pocket ------------------------------------------------------------------------------------------

    def _may_key(self, data: RouletteData, event: Event) -> bool:
        """A digit that leads to a pocket of this wheel."""
        entry = data.entry + key_of(event)
        return not data.keyed and any(pocket.startswith(entry) for pocket in self._pockets)

    def _is_pocket(self, data: RouletteData, event: Event) -> bool:
        return data.entry in self._pockets

    def _read(self, data: RouletteData, read: PocketRead) -> _Step:
        """The wheel reader names a pocket."""
        if data.doubt.code == "reader-silent":
            return Step(replace(data, doubt=text("reader-late", reading=read.pocket)))
        if read.pocket not in self._pockets:
            return Step(replace(data, doubt=text("reader-of-another-wheel", reading=read.pocket)))
        if data.reading and data.reading != read.pocket:
            return Step(replace(data, doubt=text("reader-changed", before=data.reading, reading=read.pocket)))
        return Step(replace(data, reading=read.pocket, read_ns=read.at_ns))

    def _silent(self, data: RouletteData, event: Event) -> _Step:
        """The time limit for the reader is over. A reader that spoke is not late: the dealer is."""
        if not data.reading:
            return Step(replace(data, doubt=text("reader-silent")))
        if data.keyed or not data.called:  # Nothing waits for the dealer's entry yet.
            return Step(data)
        seconds = int(self._rules.reader_s)
        doubt = text("dealer-late", begun=data.entry, seconds=seconds, reading=data.reading)
        return Step(replace(data, doubt=doubt))

    def _known(self, data: RouletteData) -> layout.Pocket:
        """The pocket that every source has given; empty if one has not.

        Digits that can only be this pocket need no enter where the reader has named it: both agree. Others do, as
        1 may become 17.
        """
        if self._rules.result == "both":
            keyed = data.keyed or (data.entry if law.is_whole(data.entry, self._pockets) else "")
            return keyed if keyed == data.reading else ""
        return data.reading if self._rules.reads else data.keyed

    def _outcome(self, data: RouletteData) -> str:
        if data.doubt or (data.keyed and data.reading and data.keyed != data.reading):
            return "disputed"
        pocket = self._known(data)
        return pocket and ("known" if layout.playable(self._wheel, pocket) else "00")

    def _result(self, data: RouletteData, event: Event) -> _Step:
        """The winning pocket is known: light it."""
        pocket = self._known(data)
        wins = layout.winning(self._wheel, pocket, self._payouts)
        lamps = (f"straight-{pocket}", *(win.area for win in wins if win.area in layout.OUTSIDE))
        data = replace(data, pocket=pocket, keyed=data.keyed or data.entry, entry="", corrects="")
        timers = (CancelTimer(law.READER_LIMIT), CancelTimer(law.CALL_LIMIT))
        return Step(data, (*timers, Result(law.label(pocket), wins), Light(lamps), *_uncalled(data)))


def _given(**found: _Found) -> dict[str, _Found]:
    """The parameters that say something."""
    return {name: value for name, value in found.items() if value}


# -- conditions ------------------------------------------------------------------------------------------------


_is_called = where(lambda data: data.called)
_is_keyed = where(lambda data: data.entry or data.keyed)
_is_correcting = where(lambda data: data.corrects)
_is_timely = where(lambda data: not data.untimely)
"""No ball was thrown too early yet."""
_runs_off = where(lambda data: data.off == "runs")
"""The ball of a spin that people called void is in the track."""


def _with_rotor(data: RouletteData, event: BallRevolution) -> bool:
    return event.against is False


# -- the run of the ball ---------------------------------------------------------------------------------------


def _unspun(data: RouletteData) -> RouletteData:
    """The data without anything of the last spin."""
    kept = RouletteData(data.round, data.called)
    return replace(kept, called_off=data.called_off, doubts=data.doubts)


def _revolved(data: RouletteData, event: BallRevolution) -> _Step:
    return Step(replace(data, revolutions=event.number, against=data.against or event.against is True))


def _called_late(data: RouletteData, event: Event) -> _Step:
    """No more bets was called after the ball had left the track (§ 617a.5(b)): recorded, not void."""
    late_ms = max(0, event.at_ns - data.left_ns) // 1_000_000
    return sets(Alert("called-late", parameters={"late_ms": late_ms}), called=True)(data, event)


def _uncalled(data: RouletteData) -> tuple[Effect, ...]:
    """A spin ends, and no more bets was not called in time: that is recorded with the round."""
    return (Note("not-called"),) if not data.called and (data.uncalled or data.left_ns) else ()


# -- the reader and the dealer ---------------------------------------------------------------------------------


def _reader_fault(data: RouletteData, event: ReaderFault) -> _Step:
    return Step(replace(data, doubt=text("reader-not-understood", detail=event.detail)))


def _still_read(data: RouletteData, event: PocketRead) -> _Step:
    """The reader names a pocket after the result is known."""
    found: dict[str, _Found] = {"reading": event.pocket, "pocket": data.pocket}
    return Step(data, (Alert("read-after-result", parameters=found),) if event.pocket != data.pocket else ())


def _digit(data: RouletteData, event: Event) -> _Step:
    return Step(replace(data, entry=data.entry + key_of(event)))


_wiped = sets(entry="", keyed="")


def _enter(data: RouletteData, event: Event) -> _Step:
    return Step(replace(data, keyed=data.entry, entry=""))


def _disputed(data: RouletteData, event: Event) -> _Step:
    """The floorperson has to decide."""
    doubt = data.doubt or text("entries-differ", keyed=data.keyed, reading=data.reading)
    alert = Alert("disputed", parameters={**doubt.parameters, "doubt": doubt.code})
    return Step(replace(data, doubt=doubt, entry=""), (CancelTimer(law.READER_LIMIT), alert))


def _thrown_again(data: RouletteData, event: Event) -> _Step:
    """The ball was thrown while its number was due: nothing is void by that alone."""
    known = _given(reading=data.reading, keyed=data.keyed, uncalled=int(not data.called))
    return _disputed(replace(data, doubt=Text("thrown-again", known), again=True), event)


def _decided(data: RouletteData, event: Event) -> _Step:
    """The number that the floorperson had keyed anew counts."""
    note = Note("number-decided", {**data.doubt.parameters, "doubt": data.doubt.code, "number": data.entry})
    if data.corrects:
        code = "number-confirmed" if data.corrects == data.entry else "number-corrected"
        note = Note(code, {"before": data.corrects, "number": data.entry})
    return Step(replace(data, keyed=data.entry, reading=data.entry, entry="", doubt=NOTHING), (note,))


def _corrects(state: RouletteState) -> _Action:
    """The number is keyed anew: a wrong result is withdrawn, with how far it was settled; or a void is."""

    def action(data: RouletteData, event: Event) -> _Step:
        wrong = data.pocket or data.corrects or "00" * (data.void == "double-zero")
        withdrawn = (ResultWithdrawn(law.label(data.pocket), _settled(state)), Light(())) if data.pocket else ()
        anew = replace(_unspun(data), corrects=wrong, left_ns=data.left_ns, untimely=data.untimely)
        return Step(anew, withdrawn)

    return action


def _settled(state: RouletteState) -> str:
    """Code: how far a result was settled; empty if it only was lit."""
    return state.value if state in SETTLING[1:] else ""


# -- no spin ---------------------------------------------------------------------------------------------------


def _no_spin(reason: str, **found: _Found) -> _Action:
    """A spin does not count; wagers stay."""

    def action(data: RouletteData, event: Event) -> _Step:
        timers = tuple(map(CancelTimer, (law.SPIN_LIMIT, law.READER_LIMIT, law.CALL_LIMIT)))
        doubts = tuple(one for one in (*data.doubts, reason) if one == reason and one in law.DOUBTS)[-2:]
        void = Void(reason, parameters=_given(**found))
        return Step(replace(_unspun(data), void=reason, doubts=doubts), (*timers, void, *_uncalled(data)))

    return action


def _voids(state: RouletteState) -> _Action:
    """People call the spin void. What was seen and read of it is on record."""

    def action(data: RouletteData, event: Event) -> _Step:
        spin, reason = _unspun(data) if state in IDLE else data, key_of(event)
        result = spin.pocket or spin.corrects
        named = _given(result=result, settled=_settled(state), keyed=spin.keyed, reading=spin.reading)
        seen = _given(denied=law.denied(reason, state, spin), revolutions=spin.revolutions)
        step = _no_spin(reason, by=by(event), **named, **seen)(spin, event)
        effects = step.effects
        if result:
            effects = (*effects, Light(()), Alert("result-void", parameters=named))
        if reason == "ball-not-seen":
            effects = (*effects, *locks(reason))
        off = "" if state in IDLE or reason not in law.NO_SPINS else "runs" if state in RUNNING else "down"
        void = replace(step.data, untimely=data.untimely, off=off, corrects=result)
        if state in IDLE and reason != "ball-not-seen":  # No other ball was thrown: the way back stays.
            reason = data.void if data.void == "double-zero" else reason
            void = replace(data, void=reason, doubts=step.data.doubts)
        return Step(void, effects)

    return action


_off = sets(off="")
"""It is not known where the ball is."""


def _closes(data: RouletteData, event: Event) -> _Step:
    return Step(RouletteData(data.round), (WagersReturned("table-closed"), Light(())))
