"""States, data and the law of a round of Roulette: when a run of the ball is a spin, and who may call it none."""

from collections.abc import Iterable
from dataclasses import dataclass
from decimal import Decimal
from enum import Enum
from fractions import Fraction
from typing import Literal

from pydantic import Field

from config.schema import Section
from controller.events.effect import Result
from controller.events.event import BallLeftTrack
from controller.events.words import NOTHING, Text, spoken
from controller.games.roulette.layout import COLOURS, WHEEL_ORDER, Pocket, WheelType, playable, winning
from controller.odds.exact import WagerReturn, from_outcomes
from controller.odds.wagers import Payouts

REVOLUTIONS = 4
"""Complete revolutions of the ball around the track that make a spin (§ 617a.5(a))."""
SPIN_LIMIT, READER_LIMIT, CALL_LIMIT = "spin-limit", "reader-limit", "call-limit"


class RouletteState(Enum):
    CLOSED = "closed"
    WITNESS = "work-witness"
    INSPECTING = "inspecting"
    BETS_OPEN = "bets-open"
    BALL_RUNNING = "ball-running"
    NO_MORE_BETS = "no-more-bets"
    LATE_CALL = "late-call"
    ENTRY = "entry"
    DISPUTE = "dispute"
    DECIDING = "deciding"
    RESPIN = "respin"
    RESULT = "result"
    LOSERS_COLLECTED = "losers-collected"
    WINNERS_PAID = "winners-paid"


S = RouletteState
IDLE = (S.BETS_OPEN, S.RESPIN)
"""A ball may be thrown."""
RUNNING = (S.BALL_RUNNING, S.NO_MORE_BETS)
"""The ball is in the track."""
DOWN = (S.LATE_CALL, S.ENTRY, S.DISPUTE, S.DECIDING)
"""The ball has left the track, and its pocket is not known."""
SETTLING = (S.RESULT, S.LOSERS_COLLECTED, S.WINNERS_PAID)
"""The winning pocket is lit."""
RESULT_STATES = frozenset((*(state.value for state in SETTLING), "locked"))


class RouletteRules(Section):
    """The rules of a table of Roulette."""

    wheel: Literal["single-zero", "double-zero", "double-zero-as-single"] = Field(
        description="the wheel and its layout; double-zero-as-single: 00 is covered, and no spin (§ 617a.1(e))"
    )
    result: Literal["keypad", "reader", "both"] = Field(
        "keypad", description="who names the winning number; both must agree, or the floorperson decides"
    )
    reader_s: Decimal = Field(
        Decimal(30), ge=5, le=120, description="a wheel reader that has said nothing by then is silent"
    )
    call_alert_s: Decimal = Field(
        Decimal(20), ge=5, le=120, description="a ball that runs so long without a call raises an alert"
    )
    five_adjacent: bool = Field(
        False, description="whether the Five Adjacent Number Wager is offered (§ 617a.3(e)(1)(i))"
    )

    @property
    def type(self) -> WheelType:
        return WheelType(self.wheel)

    @property
    def reads(self) -> bool:
        """A wheel reader names the number, alone or beside the dealer."""
        return self.result != "keypad"


@dataclass(frozen=True, slots=True)
class RouletteData:
    """A round's data, and that of an inspection."""

    round: int = 0
    called: bool = False  # no more bets, in this round
    # The spin.
    uncalled: bool = False  # the ball has run for too long without the call
    revolutions: int = 0
    against: bool = False  # the sensors saw the ball run against the rotor
    left_ns: int = 0  # when the ball last passed a beam; 0 while it is in the track
    entry: str = ""  # the digits of the pocket that are keyed so far
    keyed: Pocket = ""  # entered by the dealer
    reading: Pocket = ""  # named by the reader since the ball was thrown
    read_ns: int = 0
    doubt: Text = NOTHING  # why the reader is not trusted in this spin, or why its pocket is disputed
    again: bool = False  # the ball was thrown again before its number was known
    pocket: Pocket = ""  # the winning one
    corrects: Pocket = ""  # the one that is being corrected
    # Spins that do not count.
    called_off: bool = False  # the ball was not down yet when the dealer last called no spin
    void: str = ""  # why the last spin was no spin
    off: str = ""  # the ball of a spin that people called void: "runs"; "down" after a valid spin; else empty
    untimely: str = ""  # why the ball that was thrown last is no spin of this round
    doubts: tuple[
        str, ...
    ] = ()  # the last voids in a row for the same reason, if sensors may err in it; two at most
    # Inspection and log.
    inspector: str = ""
    step: int = 0  # how many are confirmed
    trial: Text = NOTHING  # what the sensors saw of the trial spin
    work: str = ""  # the adjustment or replacement that is being logged
    worker: str = ""


NO_SPINS = (
    "ball-left-wheel",
    "foreign-object",
    "same-direction",
    "fewer-than-four-revolutions",
    "ball-not-seen",
    "thrown-again",
    "called-off",
)
"""The reasons that people can give for no spin, in the order of their digits."""
DOUBTS = frozenset({"same-direction", "rotor-not-turning", "sensor-fault"})
"""Reasons that crossed wires give to every spin, however the ball runs."""

WORKS = ("adjustment", "replacement")
PARTS = (
    *("the-ball", "the-rotor", "the-ball-track", "the-ball-deflectors", "the-pocket-separators", "the-bearing"),
    *("the-level-of-the-wheel", "the-sensors", "another-part"),
)
"""What is adjusted or replaced (§ 617a.2(b), (d))."""
TRIAL = "trial-spin"
STEPS = ("ball-not-magnetic", "no-contrivance", TRIAL, "parts-secure", "double-zero-covered")
"""What is confirmed before the table opens (§ 617a.2(a)(1) to (5)); the last one at a converted wheel only."""


def void_reason(left: BallLeftTrack, checks_direction: bool) -> str:
    """Why a ball that has left the track made no spin; empty if it made one (§ 617a.5(a), § 617a.6)."""
    if left.fault is not None:
        return "sensor-fault"
    if left.early:
        return "ball-lost"
    if checks_direction and left.against is None:
        return "rotor-not-turning"
    if checks_direction and not left.against:
        return "same-direction"
    return "fewer-than-four-revolutions" if left.revolutions < REVOLUTIONS else ""


def impossible(reason: str, state: RouletteState, data: RouletteData) -> str:
    """Code: why a reason for no spin cannot be true; empty if it can."""
    if reason == "ball-not-seen" and (state not in IDLE or data.untimely):
        return "ball-was-seen"
    if reason == "thrown-again" and not data.again:
        return "not-thrown-again"
    return "no-spin-runs" if reason == "called-off" and state in IDLE else ""


def denied(reason: str, state: RouletteState, data: RouletteData) -> str:
    """Code: what the sensors saw against a reason for no spin; empty for nothing."""
    if state in IDLE:
        return ""
    if reason == "same-direction" and data.against:
        return "ran-against-the-wheel"
    if reason != "fewer-than-four-revolutions":
        return ""
    if data.revolutions >= REVOLUTIONS:
        return "revolutions-counted"
    return "ball-still-runs" if state in RUNNING else ""


def is_dealers(reason: str, state: RouletteState, data: RouletteData) -> bool:
    """Whether the dealer alone may give a reason: until a number is known, for a call before the ball was down."""
    if reason in ("thrown-again", "called-off") or denied(reason, state, data):
        return False
    if state in (S.LATE_CALL, S.ENTRY):
        return data.called_off and not (data.keyed or data.reading)
    return state in (*IDLE, *RUNNING)


def in_words(pocket: Pocket) -> str:
    """A pocket as it is called: ``17 black``."""
    return f"{pocket} {COLOURS[pocket]}"


def label(pocket: Pocket) -> str:
    """A pocket as the record has it: ``17, black``."""
    return f"{pocket}, {COLOURS[pocket]}"


def listed(result: Result) -> str:
    """The number, without its colour."""
    return result.label.partition(",")[0]


def is_whole(pocket: Pocket, pockets: Iterable[Pocket]) -> bool:
    """Whether an entry is a pocket, and no further digit makes another pocket of it."""
    return pocket in pockets and not any(other != pocket and other.startswith(pocket) for other in pockets)


_DOZENS = {f"dozen-{n}": f"{nth} 12" for n, nth in enumerate(("1st", "2nd", "3rd"), 1)}


def area_name(area: str) -> str:
    """The displayed name of an area."""
    return _DOZENS.get(area) or spoken(area.removeprefix("straight-"))


def five_adjacent_return(wheel: WheelType, payouts: Payouts) -> WagerReturn:
    """The return of a Five Adjacent Number Wager, which is five straight wagers (§ 617a.3(e)(1)(iii)).

    Of five equal parts one wins and four lose. Parts with different odds count with their mean.
    """
    pockets = [pocket for pocket in WHEEL_ORDER[wheel] if playable(wheel, pocket)]
    odds = [payouts.odds(f"straight-{pocket}") for pocket in pockets]
    chance, paid = Fraction(5, len(pockets)), Fraction(sum(odds), len(odds))
    pays = tuple(sorted({(one - 4) / 5 for one in odds}))
    return WagerReturn("five-adjacent", chance, pays, chance * (1 + paid) / 5, counted=())


def returns(wheel: WheelType, payouts: Payouts) -> list[WagerReturn]:
    """The exact return of every wager. The chance of a pocket that is no spin is shared by the others."""
    pockets = [pocket for pocket in WHEEL_ORDER[wheel] if playable(wheel, pocket)]
    share = Fraction(1, len(pockets))
    return from_outcomes(payouts, ((share, winning(wheel, pocket, payouts)) for pocket in pockets))
