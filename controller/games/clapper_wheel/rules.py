"""States, data and the law of a round on a wheel with a clapper: when a spin counts, and why it is void."""

from dataclasses import dataclass
from enum import Enum

from controller.events.event import WheelRested

REVOLUTIONS = 3
"""Full revolutions of a valid spin (§ 689a.2(b), § 619a.2(b))."""
SPIN_LIMIT = "spin-limit"
CONTROLS = frozenset({"no-more-bets", "done", "clear", "enter", *"0123456789"})
"""The keys that the dealer and the floorperson need."""


class WheelState(Enum):
    CLOSED = "closed"
    LOCATING = "locating"
    CONFIRMING = "confirming"
    BETS_OPEN = "bets-open"
    NO_MORE_BETS = "no-more-bets"
    SPINNING = "spinning"
    VOID_SPIN = "void-spin"
    RESPIN = "respin"
    BONUS = "bonus"
    RESULT = "result"
    LOSERS_COLLECTED = "losers-collected"
    WINNERS_PAID = "winners-paid"


S = WheelState
AWAITING = (S.NO_MORE_BETS, S.RESPIN, S.BONUS)
"""The wheel may be thrown."""
RESULT = (S.RESULT, S.LOSERS_COLLECTED, S.WINNERS_PAID)
RESULT_STATES = frozenset((*(state.value for state in RESULT), "locked"))
"""A result stays while the table is locked."""


@dataclass(frozen=True, slots=True)
class WheelData:
    round: int = 1
    multiplier: int = 1  # the product of the multiplier sections of this round
    before: int = 1  # the multiplier before the last section that called for another spin
    located: bool = False  # whether the wheel's position is known
    # The state that follows once the wheel is located, or a void spin has ended.
    resume: WheelState = WheelState.BETS_OPEN
    # A sensor disagreed: the floorperson must confirm the wheel's position before play goes on.
    confirm: bool = False
    void: str = ""  # why the last spin was void
    section: int | None = None  # the section at the clapper when the wheel last came to rest
    # The section of the last valid spin, until the next throw: a void by the floorperson can be taken back.
    spun: int | None = None
    settled: str = ""  # how far its result was settled: the state; empty if it only was lit
    late: bool = False  # the wheel was thrown before the round was cleared: that spin is void already


VOIDS = ("wheel-hindered", "late-wagers", "spin-called-off")
"""What the floorperson can call a spin void for, until wagers are settled."""
RUNS_ON = ("power-cut", "not-at-rest", "controller-failed", *VOIDS)
"""Voids after which the wheel may still turn from the spin that they are about."""


def is_full(rested: WheelRested) -> bool:
    return rested.travel_counts >= REVOLUTIONS * rested.counts_per_turn


def void_reason(rested: WheelRested) -> str:
    """Why a spin that has come to rest does not count; empty if it does."""
    if rested.fault is not None:
        return "sensor-fault"
    if rested.touched:
        return "touched" if is_full(rested) else "fewer-than-three-revolutions"
    if not rested.located:
        return "position-unknown"
    if not is_full(rested):
        return "fewer-than-three-revolutions"
    return "between-sections" if rested.section is None else ""
