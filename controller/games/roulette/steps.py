"""The actions of Roulette's transitions: pure functions of the round's data and an event."""

from collections.abc import Callable
from dataclasses import replace

from config.schema import NS_PER_S
from controller.events.effect import (
    Alert,
    CancelTimer,
    Effect,
    Light,
    Note,
    Result,
    RoundOpened,
    StartTimer,
    Void,
)
from controller.events.event import BallLeftTrack, BallRevolution, Event, PocketRead, ReaderFault
from controller.games.roulette.layout import WHEEL_ORDER, Pocket, WheelType, is_outside, playable, winning
from controller.games.roulette.play import (
    DOUBTS,
    READER_LIMIT,
    REASONS,
    REVOLUTIONS,
    SPIN_LIMIT,
    NumberSource,
    RouletteData,
    S,
    in_words,
    is_whole,
    settled_words,
    void_reason,
)
from controller.games.shared.entry import pressed
from controller.games.shared.floor import correction_allowed, identified
from controller.odds.wagers import Payouts
from controller.statechart.guards import Action, Guard
from controller.statechart.machine import Step

SILENT = "the reader is silent"
_Step = Step[RouletteData]
_Action = Action[RouletteData]


class RouletteSteps:
    """The actions and guards that depend on the wheel, the payout odds and the source of results."""

    def __init__(
        self,
        wheel: WheelType,
        payouts: Payouts,
        source: NumberSource,
        checks_direction: bool,
        spin_limit_ns: int,
        reader_limit_ns: int,
    ) -> None:
        self._wheel = wheel
        self._payouts = payouts
        self._source = source
        self._checks_direction = checks_direction
        self._spin_limit_ns = spin_limit_ns
        self._reader_limit_ns = reader_limit_ns
        self._pockets = frozenset(WHEEL_ORDER[wheel])

    # -- the run of the ball ---------------------------------------------------------------------------------

    def thrown(self, data: RouletteData, event: Event) -> _Step:
        """The ball runs: the data of the spin before are cleared."""
        return Step(unspun(data), (StartTimer(SPIN_LIMIT, self._spin_limit_ns),))

    def no_spin(self, data: RouletteData, left: BallLeftTrack) -> _Step:
        """The ball has left the track after a run that does not count."""
        reason = void_reason(left, self._checks_direction)
        detail = REASONS[reason]
        if reason == "fewer-than-four-revolutions":
            detail = f"{left.revolutions} of {REVOLUTIONS} revolutions"
        if left.fault is None:
            return voided(reason, detail)(data, left)
        cause = str(left.fault)
        return locked(voided(reason, cause)(data, left), cause, "mend the sensor, then turn the key")

    def left(self, data: RouletteData, left: BallLeftTrack) -> _Step:
        """The ball has left the track after a spin that counts."""
        data = replace(data, left_ns=left.left_ns, gone_ns=left.at_ns)
        data = replace(data, revolutions=left.revolutions, against=left.against is True)
        if data.reading and data.read_ns <= left.left_ns:
            doubt = f"the reader named {data.reading} while the ball was in the track"
            data = replace(data, reading="", doubt=doubt)
        return Step(data, (CancelTimer(SPIN_LIMIT), *self.reader_timer()))

    def reader_timer(self) -> tuple[Effect, ...]:
        """Starts the time limit for the reader, if there is one."""
        if self._source is NumberSource.KEYPAD:
            return ()
        return (StartTimer(READER_LIMIT, self._reader_limit_ns),)

    # -- entries ---------------------------------------------------------------------------------------------

    def may_key(self, data: RouletteData, event: Event) -> bool:
        """A digit that leads to a pocket of this wheel."""
        entered = data.entry + pressed(event)
        return not data.keyed and any(pocket.startswith(entered) for pocket in self._pockets)

    def is_pocket(self, data: RouletteData, event: Event) -> bool:
        """What is keyed is a pocket of this wheel."""
        return data.entry in self._pockets

    def enter(self, data: RouletteData, event: Event) -> _Step:
        """The dealer enters the pocket."""
        return Step(replace(data, keyed=data.entry, entry=""))

    def decide(self, data: RouletteData, event: Event) -> _Step:
        """The floorperson's entry decides."""
        who = f"floorperson {data.decides}" if data.decides else "the floorperson"
        text = f"{who} decided {in_words(data.entry)}"
        if data.corrects:
            text = f"{in_words(data.corrects)} was corrected to {in_words(data.entry)}"
        elif data.doubt:
            text += f" ({data.doubt})"
        decided = replace(data, keyed=data.entry, reading=data.entry, entry="", doubt="", decides="")
        return Step(decided, (Note(text),))

    def read(self, data: RouletteData, read: PocketRead) -> _Step:
        """The wheel reader names a pocket."""
        if data.doubt == SILENT:
            return Step(replace(data, doubt=f"the reader was late: it named {read.pocket} only now"))
        if read.pocket not in self._pockets:
            return Step(replace(data, doubt=f"the reader names {read.pocket}, which this wheel does not have"))
        if data.reading and data.reading != read.pocket:
            return Step(replace(data, doubt=f"the reader named {data.reading}, then {read.pocket}"))
        return Step(replace(data, reading=read.pocket, read_ns=read.at_ns))

    # -- the pocket is known ---------------------------------------------------------------------------------

    def result(self, data: RouletteData, event: Event) -> _Step:
        """The winning pocket is known: light it."""
        pocket = self._known(data)
        wins = winning(self._wheel, pocket, self._payouts)
        lamps = (f"straight-{pocket}", *(win.area for win in wins if is_outside(win.area)))
        data = replace(data, pocket=pocket, wins=wins, keyed=data.keyed or data.entry, entry="", corrects="")
        return Step(
            data, (CancelTimer(READER_LIMIT), Result(in_words(pocket).replace(" ", ", "), wins), Light(lamps))
        )

    def double_zero(self, data: RouletteData, event: Event) -> _Step:
        """The ball rests in the 00 that is no wager (§ 617a.4(c)(2))."""
        step = voided("double-zero")(data, event)
        return Step(step.data, (CancelTimer(READER_LIMIT), *step.effects, Light(())))

    def silent(self, data: RouletteData, event: Event) -> _Step:
        """The time limit for the reader is over. A reader that spoke is not late: the dealer is."""
        if not data.reading:
            return Step(replace(data, doubt=SILENT))
        if data.keyed or not data.called:  # Nothing waits for the dealer's entry yet.
            return Step(data)
        entry = f"keyed {data.entry} and did not enter it" if data.entry else "entered nothing"
        seconds = self._reader_limit_ns // NS_PER_S
        doubt = f"the dealer {entry} in {seconds} s; the reader named {in_words(data.reading)}"
        return Step(replace(data, doubt=doubt))

    def _known(self, data: RouletteData) -> Pocket:
        return data.keyed if self._source is NumberSource.KEYPAD else data.reading

    def is_known(self, data: RouletteData) -> bool:
        """Every source has given the pocket, and they agree; :meth:`is_disputed` is checked first.

        Digits that can only be this pocket need no enter where the reader has named it: both agree. Others do, as
        1 may become 17.
        """
        if self._source is NumberSource.BOTH:
            keyed = data.keyed or (data.entry if is_whole(data.entry, self._pockets) else "")
            return bool(keyed) and keyed == data.reading
        return bool(self._known(data))

    def is_playable(self, data: RouletteData) -> bool:
        """The pocket is a number that wagers may be placed on."""
        return playable(self._wheel, self._known(data))

    def is_disputed(self, data: RouletteData) -> bool:
        """The reader is in doubt, or contradicts the dealer."""
        return bool(data.doubt) or bool(data.keyed and data.reading and data.keyed != data.reading)


def disputed(data: RouletteData, event: Event) -> _Step:
    """The floorperson has to decide."""
    doubt = data.doubt or f"the dealer entered {in_words(data.keyed)}, the reader names {in_words(data.reading)}"
    alert = Alert(f"the result is disputed: {doubt}", "the floorperson decides")
    return Step(replace(data, doubt=doubt, entry=""), (CancelTimer(READER_LIMIT), alert))


def reader_fault(data: RouletteData, fault: ReaderFault) -> _Step:
    return Step(replace(data, doubt=f"the reader cannot be understood: {fault.detail}"))


def still_read(data: RouletteData, read: PocketRead) -> _Step:
    """The reader names a pocket after the result is known."""
    if data.pocket and read.pocket != data.pocket:
        text = f"the reader names {read.pocket}, the result is {in_words(data.pocket)}"
        return Step(data, (Alert(text, "look at the wheel; correct the result with the floorperson, or go on"),))
    return Step(data)


# -- no spin ---------------------------------------------------------------------------------------------------


def unspun(data: RouletteData) -> RouletteData:
    """The data without anything of the last spin."""
    cleared = replace(data, entry="", keyed="", reading="", read_ns=0, doubt="", left_ns=0, gone_ns=0)
    cleared = replace(cleared, pocket="", corrects="", wins=(), void="", revolutions=0, against=False)
    return replace(cleared, reason="", again=False, untimely="", contradicted=False, decides="")


def voided(reason: str, detail: str = "") -> _Action:
    """A spin does not count; wagers stay."""

    def action(data: RouletteData, event: Event) -> _Step:
        effects = (CancelTimer(SPIN_LIMIT), CancelTimer(READER_LIMIT), Void(reason, detail or REASONS[reason]))
        doubts = tuple(one for one in (*data.doubts, reason) if one == reason and one in DOUBTS)[-2:]
        return Step(replace(unspun(data), void=reason, doubts=doubts), effects)

    return action


def locked(step: _Step, cause: str, remedy: str) -> _Step:
    """The step of a void spin, after which the table is locked."""
    alert = Alert(f"table locked: {cause}", remedy)
    return Step(replace(step.data, cause=cause, resume=S.RESPIN), (*step.effects, alert))


def never_left(data: RouletteData, event: Event) -> _Step:
    """Something still passes the beams at the time limit."""
    cause = "the ball sensors: the ball did not leave the track"
    return locked(voided("not-at-rest")(data, event), cause, "look for noise on the lines of the beams")


def revolved(data: RouletteData, event: Event) -> _Step:
    """The ball came round, and not with the rotor."""
    assert isinstance(event, BallRevolution)
    return Step(replace(data, revolutions=event.number, against=data.against or event.against is True))


def called_late(data: RouletteData, event: Event) -> _Step:
    """No more bets was called after the ball had left the track (§ 617a.5(b)): recorded, not void."""
    late_ms = max(0, event.at_ns - data.left_ns) // 1_000_000
    seconds, thousandths = divmod(late_ms, 1000)
    words = f"no more bets was called late: {seconds}.{thousandths:03} s after the ball last passed a beam"
    return Step(replace(data, called=True), (Alert(words, "call it while the ball is in the track (§ 617a.5(b))"),))


# -- the round -------------------------------------------------------------------------------------------------


def opens(data: RouletteData, event: Event, effects: tuple[Effect, ...] = ()) -> _Step:
    """The next round. A ball that was thrown too early for it stays so."""
    untimely = data.untimely
    data = replace(unspun(data), round=data.round + 1, called=False, number="", trial="", step=0, doubts=())
    data = replace(data, untimely=untimely)
    return Step(data, (Light(()), *effects, RoundOpened(data.round)))


def opens_locked(data: RouletteData, event: Event) -> _Step:
    """The next round, once a fault of this one is repaired."""
    step = opens(data, event)
    return Step(replace(step.data, resume=S.BETS_OPEN), step.effects)


# -- keys ------------------------------------------------------------------------------------------------------


def calls(data: RouletteData, event: Event) -> _Step:
    """No more bets."""
    return Step(replace(data, called=True))


def digit(data: RouletteData, event: Event) -> _Step:
    return Step(replace(data, entry=data.entry + pressed(event)))


def decides(data: RouletteData, event: Event) -> _Step:
    """The floorperson's key: the number is keyed anew, by who turned it."""
    return Step(replace(data, entry="", keyed="", decides=identified(event)))


def wiped(data: RouletteData, event: Event) -> _Step:
    """The entry is cleared."""
    return Step(replace(data, entry="", keyed=""))


def corrects(data: RouletteData, event: Event) -> _Step:
    """The floorperson allows a correction: the wrong result is no longer lit, and is on record as taken back."""
    note = correction_allowed(event, "; ".join(filter(None, (in_words(data.pocket), settled_words(data.back)))))
    again = replace(data, corrects=data.pocket, pocket="", wins=(), entry="", keyed="", reading="", doubt="")
    return Step(replace(again, decides=identified(event)), (note, Light(())))


def holds(condition: Callable[[RouletteData], bool], after: _Action) -> Guard[RouletteData]:
    """Whether a condition holds after an action."""

    return lambda data, event: condition(after(data, event).data)
