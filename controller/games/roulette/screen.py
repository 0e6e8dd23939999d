"""A roulette table on the screens: its rim and its layout, the ball, and the number that won."""

from config.schema import TableConfig
from controller.events.effect import Result
from controller.events.words import Text, say
from controller.games.roulette.layout import COLOURS
from controller.games.roulette.rules import DOWN, REVOLUTIONS, RUNNING, RouletteData, S, listed
from controller.games.roulette.words import WORDS
from controller.machine.game import Game
from controller.tracking.motion import direction_of
from controller.tracking.roulette.wheel import RouletteTracker
from controller.viewmodel.documents import Keyed, KeyedNumber, Turned
from controller.viewmodel.screen import (
    CORRECTED,
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
    ResultLabel,
    TableView,
    Tone,
    always,
    called,
    closed,
    settling,
)

NO_SPIN = "NO SPIN — BALL WILL BE SPUN AGAIN"
_HIDDEN = ("ball-not-seen", "rotor-not-turning", "sensor-fault", "not-at-rest", "controller-failed")
"""The reasons for no spin that are about sensors."""
_RUNNING, _DOWN = ({state.value for state in states} for states in (RUNNING, DOWN))
_KEYED = {S.ENTRY.value, S.DECIDING.value}
_CLOSED = {state.value for state in (S.CLOSED, S.WITNESS, S.INSPECTING)} | {"locked"}


# -- what players read -----------------------------------------------------------------------------------------


def _words(result: Result) -> str:
    """``17 black`` for the record's ``17, black``."""
    return result.label.replace(",", "")


def _headline(result: Result) -> str:
    return _words(result).upper()


def _past(result: Result) -> ResultLabel:
    """Zeros are neither red nor black, neither odd nor even."""
    pocket = listed(result)
    colour = COLOURS.get(pocket, "")
    groups = (colour, "odd" if int(pocket) % 2 else "even") if colour in ("red", "black") else ("zero",)
    return ResultLabel(pocket, colour, (pocket, *groups))


def _labels(config: TableConfig, game: Game) -> tuple[str, ...]:
    """The numbers that wagers may be placed on."""
    straight = (area for area in game.lamps(config.rules) if area.startswith("straight-"))
    return tuple(area.removeprefix("straight-") for area in straight)


def _respin(scene: TableView) -> Headline:
    reason = scene.of(RouletteData).void
    words = say(WORDS, Text(reason)).removesuffix(".")
    return Headline(NO_SPIN, Tone.VOID, f"{UNDETERMINED if reason in _HIDDEN else words}; wagers stay")


def _decides(scene: TableView) -> Headline:
    if scene.of(RouletteData).corrects:
        return Headline(CORRECTED, Tone.CLOSED, "the floorperson enters the number again")
    return Headline(WAIT, Tone.ALARM, "the floorperson decides the number")


_FALLS = always("BALL IS COMING TO REST", Tone.CLOSED, "no more wagers are taken")
_SAYS = {
    S.CLOSED: closed,
    S.WITNESS: always(SHUT, Tone.IDLE, "the wheel is being adjusted"),
    S.INSPECTING: always(SHUT, Tone.IDLE, "the wheel is inspected before the table opens"),
    S.BETS_OPEN: always(OPEN, Tone.OPEN, WAGERS_OPEN),
    S.BALL_RUNNING: always("BALL IS RUNNING", Tone.MOVING, WAGERS_OPEN),
    S.NO_MORE_BETS: always(NO_MORE, Tone.CLOSED, "the ball is running"),
    S.LATE_CALL: _FALLS,
    S.ENTRY: _FALLS,
    S.DISPUTE: called,
    S.DECIDING: _decides,
    S.RESPIN: _respin,
    S.RESULT: settling("losing wagers are collected, then winning wagers are paid", _headline),
    S.LOSERS_COLLECTED: settling(PAID, _headline),
    S.WINNERS_PAID: settling(SOON, _headline),
}


# -- what is drawn ---------------------------------------------------------------------------------------------


def _revolutions(scene: TableView) -> Turned | None:
    tracker = scene.tracker
    if scene.state not in _RUNNING or not isinstance(tracker, RouletteTracker):
        return None
    return Turned(tracker.ball.revolutions, REVOLUTIONS)


def _live(scene: TableView) -> dict[str, object]:
    """The ball (``none``, ``running`` or ``left`` the track), and the pocket once it is known.

    Times for a turn are positive counterclockwise, and left out while they are in doubt; a direction is empty then.
    """
    pocket = listed(scene.result) if scene.result is not None else ""
    ball = "running" if scene.state in _RUNNING else "left" if pocket or scene.state in _DOWN else "none"
    shown: dict[str, object] = {"pocket": pocket, "colour": COLOURS.get(pocket, ""), "ball": ball, "direction": ""}
    tracker = scene.tracker
    if not isinstance(tracker, RouletteTracker):
        return shown
    turning, run = tracker.rotor.turning(scene.now_ns), tracker.ball
    if turning and tracker.rotor.turn_ns > 0:
        shown["rotor_turn_ms"] = turning * (tracker.rotor.turn_ns // 1_000_000)
    if ball == "running" and run.direction:
        shown["direction"] = direction_of(run.direction).value
        if run.turn_ns:
            shown["ball_turn_ms"] = run.direction * (run.turn_ns // 1_000_000)
    return shown


def _entry(scene: TableView) -> str:
    if scene.state not in _KEYED:
        return ""
    return scene.of(RouletteData).keyed or f"{scene.of(RouletteData).entry}_"


def _keyed(scene: TableView) -> Keyed | None:
    """The number, as it is keyed or as it won; None while no round is played."""
    if scene.state in _CLOSED:
        return None
    data = scene.of(RouletteData) if scene.state in _KEYED else RouletteData()
    entered = listed(scene.result) if scene.result is not None else data.keyed
    number = entered or data.entry
    words = f"{number} {COLOURS.get(number, '')}".strip() or "no number"
    return Keyed(words, number=KeyedNumber(number, COLOURS.get(number, ""), bool(entered)))


SCREEN = GameScreen(
    figure="roulette",
    headlines=_SAYS,
    disputes=frozenset(state.value for state in (S.DISPUTE, S.DECIDING)),
    past=_past,
    labels=_labels,
    shares=(("red", "zero", "black"), ("odd", "zero", "even")),
    words=_words,
    live=_live,
    entry=_entry,
    keyed=_keyed,
    revolutions=_revolutions,
)
