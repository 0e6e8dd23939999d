"""States, data, texts and guards of a round of Roulette."""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum
from typing import Annotated

from controller.events.effect import Win
from controller.events.event import BallLeftTrack, BallRevolution, Event
from controller.games.roulette.layout import COLOURS, Pocket, is_outside
from controller.games.shared.table_data import Returning
from controller.statechart.guards import Guard
from controller.statechart.snapshots import ADDED

REVOLUTIONS = 4
"""Complete revolutions of the ball around the track that make a spin (§ 617a.5(a))."""
SPIN_LIMIT, READER_LIMIT = "spin-limit", "reader-limit"


class RouletteState(Enum):
    """The states of a roulette table."""

    CLOSED = "closed"
    MENU = "floor-menu"
    WORK = "work"
    PART = "work-part"
    WORKER = "work-credential"
    WITNESS = "work-witness"
    SIGNING = "work-signature"
    """Only in the record of an older version."""
    INSPECTOR = "inspector"
    INSPECTING = "inspecting"
    BETS_OPEN = "bets-open"
    BALL_RUNNING = "ball-running"
    NO_MORE_BETS = "no-more-bets"
    LATE_CALL = "late-call"
    ENTRY = "entry"
    DISPUTE = "dispute"
    DECIDING = "deciding"
    NO_SPIN = "no-spin"
    RESPIN = "respin"
    RESULT = "result"
    LOSERS_COLLECTED = "losers-collected"
    WINNERS_PAID = "winners-paid"
    CORRECTING = "correcting"
    LOCKED = "locked"


S = RouletteState
RUNNING = (S.BALL_RUNNING, S.NO_MORE_BETS)
"""The ball is in the track."""
IDLE = (S.BETS_OPEN, S.RESPIN)
"""A ball may be thrown."""
DOWN = (S.LATE_CALL, S.ENTRY, S.DISPUTE, S.DECIDING)
"""The ball has left the track, and its pocket is not known."""
SETTLING = (S.RESULT, S.LOSERS_COLLECTED, S.WINNERS_PAID)
"""The winning pocket is lit."""
LOGGING = (S.WORK, S.PART, S.WORKER, S.WITNESS)
"""The floorperson logs an adjustment or a replacement."""


DOUBTS = frozenset({"same-direction", "rotor-not-turning", "sensor-fault"})
"""Reasons of a no spin that crossed wires give to every spin, however the ball runs."""


class NumberSource(Enum):
    """The source of the winning pocket."""

    KEYPAD = "keypad"
    READER = "reader"
    BOTH = "both"
    """They must agree, or the floorperson decides."""


@dataclass(frozen=True, slots=True)
class RouletteData(Returning):
    """The table's data and the round's."""

    number: str = ""
    """The credential number of the person at the key, in menu and inspection; empty if the table asks nobody."""
    round: int = 0
    called: bool = False
    """No more bets was called in this round."""
    entry: str = ""
    """The digits of the pocket that are keyed so far."""
    keyed: str = ""
    """The pocket that the dealer has entered."""
    reading: str = ""
    """The pocket that the reader has named since the ball was thrown."""
    read_ns: int = 0
    """When the reader named it."""
    doubt: str = ""
    """Why the reader is not trusted in this spin, or why its pocket is disputed."""
    left_ns: int = 0
    """When the ball last passed a beam."""
    gone_ns: int = 0
    """When it was certain that the ball had left the track."""
    pocket: str = ""
    """The winning pocket."""
    corrects: str = ""
    """The pocket that is being corrected."""
    wins: tuple[Win, ...] = ()
    void: str = ""
    """Why the last spin was no spin."""
    step: int = 0
    """The number of confirmed steps of the inspection."""
    trial: str = ""
    """What the sensors saw of this inspection's trial spin, in words; empty before it."""
    work: str = ""
    """The adjustment or replacement that is being logged, in words."""
    worker: str = ""
    """Who did it: the credential number of the person who identified."""
    pending: tuple[str, ...] = ()
    """Adjustments and replacements since the last inspection, in words."""
    doubts: Annotated[tuple[str, ...], ADDED] = ()
    """The reason of the last no spins in a row, if they had the same one, and it may be the sensors' own: two at
    most."""
    decides: Annotated[str, ADDED] = ""
    """Credential number of the floorperson whose key lets the number be keyed anew; empty where nobody is asked."""
    resume: RouletteState = RouletteState.BETS_OPEN
    """The state to resume after the lock."""
    back: RouletteState = RouletteState.CLOSED
    """The state that the menu, a cancelled correction, or a no spin that is taken back returns to."""
    revolutions: Annotated[int, ADDED] = 0
    """How often the sensors saw the ball of this spin come round."""
    against: Annotated[bool, ADDED] = False
    """They saw it run against the rotor."""
    reason: Annotated[str, ADDED] = ""
    """The key of the reason that was given for no spin, while it waits for the floorperson."""
    again: Annotated[bool, ADDED] = False
    """The ball was thrown again before its number was known."""
    untimely: Annotated[str, ADDED] = ""
    """Why the ball that was thrown last is no spin of this round: it was thrown before one was due."""
    contradicted: Annotated[bool, ADDED] = False
    """After the spin was called void, the sensors saw what the reason denies; the floor was told."""


NO_SPIN_REASONS = {
    "1": ("ball-left-wheel", "the ball left the wheel (§ 617a.6(c))"),
    "2": ("foreign-object", "a foreign object entered the wheel (§ 617a.6(d))"),
    "3": ("same-direction", "the ball was spun in the direction of the wheel (§ 617a.6(a))"),
    "4": ("fewer-than-four-revolutions", "the ball made fewer than four revolutions (§ 617a.6(b))"),
    "5": ("ball-not-seen", "the table did not see the ball run"),
    "6": ("thrown-again", "the ball was thrown again before its pocket was known"),
    "7": ("called-off", "the floorperson calls the spin off"),
}
"""The reasons that can be keyed after no spin, by key."""
REASONS = {
    **dict(NO_SPIN_REASONS.values()),
    "ball-lost": "the ball left the track while it was fast: it left the wheel, or was taken out (§ 617a.6(c))",
    "rotor-not-turning": "the wheel was not seen to turn one way all the while",
    "sensor-fault": "the sensors cannot be believed",
    "double-zero": "the ball rests in 00, which is no wager here (§ 617a.4(c)(2))",
    "not-at-rest": "the ball did not leave the track",
    "thrown-before-clear": "the ball was thrown before the last round was cleared",
    "thrown-at-menu": "the ball was thrown while the floorperson's menu was open",
    "thrown-while-locked": "the ball was thrown while the table was locked",
    "power-cut": "the power went while the ball was running",
    "controller-failed": "the controller failed while the ball was running",
}
"""Why a spin is no spin, in words."""
PARTS = {
    "1": "the ball",
    "2": "the rotor",
    "3": "the ball track",
    "4": "the ball deflectors",
    "5": "the pocket separators",
    "6": "the bearing",
    "7": "the level of the wheel",
    "8": "the sensors",
    "9": "another part",
}
"""What is adjusted or replaced (§ 617a.2(b), (d))."""
WORKS = {"1": "adjustment", "2": "replacement"}


def inspection_steps(converted: bool, checks_direction: bool) -> tuple[str, ...]:
    """What the floorperson confirms before the table opens (§ 617a.2(a)(1) to (5)).

    Args:
        converted: a double zero wheel is used as a single zero wheel.
        checks_direction: the sensors measure the direction of the ball.
    """
    against = " against it" if checks_direction else ""
    steps = (
        "the ball was passed over a magnet or compass and is not magnetic",
        "table and wheel bear no magnet or contrivance",
        f"the wheel is level and turns freely and evenly: set it turning and throw the ball{against}",
        "all parts of the wheel are secure and free from movement",
    )
    return (*steps, "layout and signs show that 00 is no wager: its area is covered, and signs tell")[
        : 4 + converted
    ]


TRIAL_STEP = 2
"""The step of the trial spin, counted from 0."""


def in_words(pocket: Pocket) -> str:
    """A pocket as it is called: ``17 black``."""
    return f"{pocket} {COLOURS[pocket]}"


def inside(wins: tuple[Win, ...]) -> tuple[Win, ...]:
    """The winning inside wagers, which the dealer's screen lists."""
    return tuple(win for win in wins if not is_outside(win.area))


def is_whole(pocket: Pocket, pockets: Iterable[Pocket]) -> bool:
    """Whether an entry is a pocket, and no further digit makes another pocket of it."""
    return pocket in pockets and not any(other != pocket and other.startswith(pocket) for other in pockets)


def settled_words(state: RouletteState) -> str:
    """How far a result had been settled, for the record; empty if it only was lit."""
    return {
        S.LOSERS_COLLECTED: "losing wagers had been collected on it, and winners were being paid",
        S.WINNERS_PAID: "winners had been paid on it",
    }.get(state, "")


# -- guards ----------------------------------------------------------------------------------------------------


def against_rotor(data: RouletteData, event: Event) -> bool:
    return isinstance(event, BallRevolution) and event.against is not False


def called(data: RouletteData, event: Event) -> bool:
    return data.called


def keyed(data: RouletteData, event: Event) -> bool:
    return bool(data.entry or data.keyed)


def correcting(data: RouletteData, event: Event) -> bool:
    return bool(data.corrects)


def resumes(state: RouletteState) -> Guard[RouletteData]:
    return lambda data, event: data.resume is state


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


def left_with(*reasons: str, checks_direction: bool) -> Guard[RouletteData]:
    """The ball has left the track, and its run is no spin for one of these reasons; ``""`` is a spin."""
    return lambda data, event: isinstance(event, BallLeftTrack) and void_reason(event, checks_direction) in reasons
