"""States, data, texts, void reasons and guards of a round on a wheel with a clapper."""

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from typing import Annotated

from controller.events.effect import Win
from controller.events.event import Event, Health, Press, SensorHealth, WheelRested
from controller.events.health import KEYS, SWITCHES
from controller.games.shared.closing import locked_words
from controller.games.shared.table_data import Closable
from controller.statechart.guards import Guard
from controller.statechart.snapshots import ADDED

REVOLUTIONS = 3
"""Full revolutions of a valid spin (§ 689a.2(b), § 619a.2(b))."""
SPIN_LIMIT = "spin-limit"
FAILED = "controller-failed"
DEALER = "dealer-no-spin"
QUESTIONED = "last-spin-in-question"


class WheelState(Enum):
    """The states of a round on a wheel."""

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
    LATE = "late-no-spin"
    LOCKED = "locked"


@dataclass(frozen=True, slots=True)
class WheelData(Closable):
    """A round's data."""

    round: int = 1
    multiplier: int = 1
    """The product of the multiplier sections of this round."""
    located: bool = False
    """Whether the wheel's position is known."""
    resume: WheelState = WheelState.BETS_OPEN
    """The state to resume after the wheel was located, a void spin ended or the lock was opened."""
    confirm: bool = False
    """A sensor disagreed: the floorperson must confirm the wheel's position before play goes on."""
    void: str = ""
    """Why the last spin was void."""
    section: int | None = None
    """The section at the clapper when the wheel last came to rest."""
    asks: Annotated[bool, ADDED] = False
    """The dealer called no spin, and has not said why."""
    back: Annotated[WheelState | None, ADDED] = None
    """The state of the result after which no spin was called."""
    reason: Annotated[str, ADDED] = ""
    """The button that was pressed to say why."""
    before: Annotated[int, ADDED] = 0
    """The multiplier before the last section that called for another spin; 0 if that is not known."""


@dataclass(frozen=True, slots=True)
class Scored:
    """What a section means: winning areas, none if all wagers lose; or another spin, while wagers stay.

    Attributes:
        multiplier: multiplies the odds of the next spin: 1 leaves them as they are; None if there is no other spin.
    """

    wins: tuple[Win, ...]
    multiplier: int | None = None


SectionScore = Callable[[str, int], Scored]
"""Scores a section, given its name and the round's multiplier."""

S = WheelState
AWAITING = (S.NO_MORE_BETS, S.RESPIN, S.BONUS)
RESULT = (S.RESULT, S.LOSERS_COLLECTED, S.WINNERS_PAID)

REASONS = {
    "wagers-open": "the wheel was thrown while wagers were open",
    "fewer-than-three-revolutions": "the wheel made fewer than three full revolutions",
    "between-sections": "the clapper came to rest between two sections",
    "sensor-fault": "the sensors disagree",
    "stopped-abruptly": "the wheel was held, or the encoder died",
    "touched": "a hand touched the wheel after it was thrown",
    "position-unknown": "the wheel's position is not known",
    "table-locked": "the table was locked when the wheel was spun",
    QUESTIONED: "it was asked whether the last spin was one when the wheel was spun",
    DEALER: "the dealer called no spin",
    "not-at-rest": "the wheel did not come to rest",
    "power-cut": "the power went while the wheel was turning",
    FAILED: "the controller failed while the wheel was turning",
}
"""Why a spin is void, in words."""

WAITING = {
    S.BETS_OPEN: "place wagers; call no more bets and press it",
    S.NO_MORE_BETS: "spin the wheel",
    S.BONUS: "bonus: wagers stay, spin the wheel again",
    S.RESULT: "collect all losing wagers, then press done",
    S.LOSERS_COLLECTED: "pay all winning wagers, then press done",
    S.WINNERS_PAID: "press clear for the next round",
}
"""What the table waits for, where that does not depend on the round."""

FREE_SPIN = "wagers stay, spin the wheel again"
"""What the table waits for after a section that calls for another spin at the same odds."""


def waiting_for(state: WheelState, data: WheelData, place: Callable[[int | None], str]) -> str:
    """What the table waits for, in words for the dealer; ``place`` names a section of the wheel."""
    if state is S.CONFIRMING:
        return (
            f"floorperson: does the clapper stand at {place(data.section)}? "
            "Turn the key if it does; call the technician if it does not"
        )
    if state is S.LOCKED:
        return locked_words(data)
    if state is S.RESPIN:
        return f"spin the wheel again: {REASONS.get(data.void, data.void)}{_bonus_words(data)}"
    if state is S.VOID_SPIN:
        return f"wait until the wheel stands: {REASONS.get(data.void, data.void)}"
    if state is S.BONUS and data.multiplier == 1:
        return FREE_SPIN
    if state is S.LOCATING:
        turns = "twice" if data.confirm else "once"
        return f"turn the wheel by hand {turns} around and let it stand"
    if state is S.SPINNING:
        return f"the wheel is turning{_bonus_words(data)}: let it rest, or press no spin"
    return WAITING[state] + (_bonus_words(data) if state is S.BONUS else "")


def _bonus_words(data: WheelData) -> str:
    return f" (bonus: pays {data.multiplier} times)" if data.multiplier > 1 else ""


# -- guards ----------------------------------------------------------------------------------------------------


def sensor_bad(data: WheelData, event: Event) -> bool:
    """A sensor of the wheel is silent, stuck or noisy.

    Lost edges do not yet show which sensor is at fault; a head that is gone has an alert in every game.
    """
    if not isinstance(event, SensorHealth) or event.sensor in (SWITCHES, *KEYS):
        return False
    return event.health in (Health.SILENT, Health.STUCK, Health.NOISY)


def faulty(data: WheelData, event: Event) -> bool:
    return isinstance(event, WheelRested) and event.fault is not None


def located(data: WheelData, event: Event) -> bool:
    return isinstance(event, WheelRested) and event.located


def moving(data: WheelData, event: Event) -> bool:
    """The press came while the wheel was moving."""
    return isinstance(event, Press) and event.moving


_TURNS_ON = ("power-cut", DEALER, QUESTIONED, "not-at-rest", FAILED)
"""Voids after which the wheel may still turn from the spin that they are about."""


def full_spin(data: WheelData, event: Event) -> bool:
    """A spin that would have counted has come to rest while the table could not take it, and is not void yet.

    After a fault the wheel is turned by hand to confirm its position, which is no spin.
    """
    if not isinstance(event, WheelRested) or data.confirm:
        return False
    full = event.travel_counts >= REVOLUTIONS * event.counts_per_turn
    return full and data.resume in AWAITING and data.void not in _TURNS_ON


def confirms(data: WheelData, event: Event) -> bool:
    return data.confirm


def knows_position(data: WheelData, event: Event) -> bool:
    return data.located and not data.confirm


def settles(data: WheelData, event: Event) -> bool:
    return data.resume in RESULT


def resumes(state: WheelState) -> Guard[WheelData]:
    return lambda data, event: data.resume is state


def voided(*reasons: str) -> Guard[WheelData]:
    """The spin that has come to rest does not count, for one of these reasons."""
    return lambda data, event: isinstance(event, WheelRested) and void_reason(event) in reasons


def void_reason(rested: WheelRested) -> str:
    """Why a spin that has come to rest does not count; empty if it does."""
    if rested.fault is not None:
        return "sensor-fault"
    few = rested.travel_counts < REVOLUTIONS * rested.counts_per_turn
    if rested.touched:
        return "fewer-than-three-revolutions" if few else "touched"
    if rested.abrupt:
        return "stopped-abruptly"
    if not rested.located:
        return "position-unknown"
    if few:
        return "fewer-than-three-revolutions"
    return "between-sections" if rested.section is None else ""
