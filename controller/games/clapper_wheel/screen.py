"""A wheel with a clapper on the screens: its rim under the clapper, and the multipliers of a bonus."""

from collections.abc import Callable

from config.schema import TableConfig
from controller.events.effect import Result
from controller.games.clapper_wheel.rules import REVOLUTIONS, VOIDS, WheelData, WheelState
from controller.games.clapper_wheel.words import WORDS
from controller.machine.game import Game
from controller.tracking.clapper_wheel.wheel import WheelTracker
from controller.tracking.tracker import HeadTracker
from controller.viewmodel.documents import Turn, Turned
from controller.viewmodel.screen import (
    NO_MORE,
    OPEN,
    PAID,
    SHUT,
    SOON,
    UNDETERMINED,
    WAGERS_OPEN,
    WAIT,
    GameScreen,
    Headline,
    TableView,
    Tone,
    always,
    called,
    settling,
)

S = WheelState
NO_SPIN = "NO SPIN — WHEEL WILL BE SPUN AGAIN"
_STAY = "wagers stay"
_PLAYERS = {
    **{reason: WORDS[reason] for reason in ("fewer-than-three-revolutions", "power-cut", "wagers-open")},
    "between-sections": "The clapper is between two sections.",
    **dict.fromkeys(VOIDS, "The floorperson called the spin void."),
}
"""Why a spin is void, for the reasons that players can see; the others are about sensors."""


def _and_bonus(scene: TableView, *details: str) -> str:
    """Sentences, and what a bonus does, as a list."""
    multiplier = scene.of(WheelData).multiplier
    bonus = f"bonus: the next result pays {multiplier} times" if multiplier > 1 else ""
    return "; ".join(filter(None, (*details, bonus)))


def _with_bonus(headline: str, tone: Tone, detail: str) -> Callable[[TableView], Headline]:
    return lambda scene: Headline(headline, tone, _and_bonus(scene, detail))


def _void(scene: TableView) -> Headline:
    reason = str(_PLAYERS.get(scene.of(WheelData).void, UNDETERMINED))
    if scene.state == S.VOID_SPIN.value and scene.of(WheelData).resume is S.BETS_OPEN:
        return Headline("NO SPIN — WAGERS STAY OPEN", Tone.VOID, reason)
    return Headline(NO_SPIN, Tone.VOID, _and_bonus(scene, reason, _STAY))


def _bonus_spin(scene: TableView) -> Headline:
    multiplier = scene.of(WheelData).multiplier
    if multiplier == 1:
        return Headline("THE WHEEL IS SPUN AGAIN", Tone.BONUS, _STAY)
    detail = f"wagers stay; the next result pays {multiplier} times"
    return Headline(f"{multiplier}× BONUS SPIN", Tone.BONUS, detail)


def _headline(result: Result) -> str:
    return result.label.upper()


_SAYS = {
    S.CLOSED: always(SHUT, Tone.IDLE, "the floorperson opens it"),
    S.LOCATING: always(WAIT, Tone.IDLE, "the wheel is made ready"),
    S.CONFIRMING: called,
    S.BETS_OPEN: always(OPEN, Tone.OPEN, WAGERS_OPEN),
    S.NO_MORE_BETS: _with_bonus(NO_MORE, Tone.CLOSED, "the wheel is about to be spun"),
    S.SPINNING: _with_bonus("WHEEL IS TURNING", Tone.MOVING, "a valid spin needs three full turns"),
    S.VOID_SPIN: _void,
    S.RESPIN: _void,
    S.BONUS: _bonus_spin,
    S.RESULT: settling("", _headline),
    S.LOSERS_COLLECTED: settling(PAID, _headline),
    S.WINNERS_PAID: settling(SOON, _headline),
}


def _labels(config: TableConfig, game: Game) -> tuple[str, ...]:
    return tuple(config.layout.symbols.get(area, area) for area in game.areas)


def _turn(tracker: HeadTracker | None) -> Turn | None:
    if not isinstance(tracker, WheelTracker) or tracker.position is None:
        return None
    turn = tracker.counts_per_turn
    # A count is an interval: its middle is the best estimate.
    angle = (tracker.position + 0.5) / turn
    return Turn(tracker.travel_counts // turn, REVOLUTIONS, angle, tracker.due_ns is not None)


def _revolutions(scene: TableView) -> Turned | None:
    tracker = scene.tracker
    if scene.state != S.SPINNING.value or not isinstance(tracker, WheelTracker):
        return None
    return Turned(tracker.travel_counts // tracker.counts_per_turn, REVOLUTIONS)


def _waits(scene: TableView) -> str:
    """Nobody is asked to turn a wheel by hand that turns, as after a power cut."""
    turns = isinstance(scene.tracker, WheelTracker) and scene.tracker.moving
    return "let the wheel stand" if turns and scene.state == S.LOCATING.value else ""


SCREEN = GameScreen(
    figure="wheel",
    headlines=_SAYS,
    labels=_labels,
    revolutions=_revolutions,
    turn=_turn,
    waits=_waits,
)
