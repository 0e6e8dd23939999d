"""A roulette table on the screens: its rim and its layout, the ball, and the number that won."""

import re

from config.schema import TableConfig
from controller.drawing.layouts import Box
from controller.events.effect import Result
from controller.games.roulette.figure import BallState, RouletteFigure
from controller.games.roulette.layout import COLOURS
from controller.games.roulette.no_spins import result_of
from controller.games.roulette.play import LOGGING, REASONS, REVOLUTIONS, RUNNING, RouletteData, RouletteState
from controller.games.roulette.results import area_name, listed
from controller.statechart.game import Game
from controller.statechart.registry import find_game
from controller.tracking.motion import direction_of
from controller.tracking.roulette.wheel import RouletteTracker
from controller.viewmodel.dealer_documents import Keyed, KeyedNumber
from controller.viewmodel.figures import Equipment, RimPocket
from controller.viewmodel.figures import FigureBox as DrawnBox
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
    attended,
    called,
    closed,
    in_review,
    settling,
)

S = RouletteState
NO_SPIN = "NO SPIN — BALL WILL BE SPUN AGAIN"
_HIDDEN = ("ball-not-seen", "rotor-not-turning", "sensor-fault", "not-at-rest", "controller-failed")
"""The reasons for no spin that are about sensors."""
_CLAUSE = re.compile(r" \(§ [\w.]+(\(\w+\))*\)")
_RUNNING = frozenset(state.value for state in RUNNING)
_DOWN = frozenset(s.value for s in (S.LATE_CALL, S.ENTRY, S.DISPUTE, S.DECIDING))
"""The ball has left the track."""


def _words(result: Result) -> str:
    """``17 black`` for the record's ``17, black``."""
    number, _, colour = result.label.partition(", ")
    return f"{number} {colour}".strip()


def _headline(result: Result) -> str:
    return _words(result).upper()


def _past(result: Result) -> ResultLabel:
    pocket = listed(result)
    colour = COLOURS.get(pocket, "")
    return ResultLabel(pocket, colour, (pocket, *_groups(pocket, colour)))


def _groups(pocket: str, colour: str) -> tuple[str, ...]:
    """Zeros are neither red nor black, neither odd nor even."""
    if colour not in ("red", "black"):
        return ("zero",)
    return colour, "odd" if int(pocket) % 2 else "even"


def _labels(config: TableConfig, game: Game) -> tuple[str, ...]:
    """The numbers that wagers may be placed on."""
    straight = (area for area in game.lamps(config.rules) if area.startswith("straight-"))
    return tuple(area.removeprefix("straight-") for area in straight)


# -- what players read -------------------------------------------------------------------------------------------


def _respin(scene: TableView) -> Headline:
    reason = scene.of(RouletteData).void
    words = UNDETERMINED if reason in _HIDDEN else REASONS.get(reason, UNDETERMINED)
    return Headline(NO_SPIN, Tone.VOID, f"{_CLAUSE.sub('', words)}; wagers stay")


def _decides(scene: TableView) -> Headline:
    if scene.of(RouletteData).corrects:
        return Headline(CORRECTED, Tone.CLOSED, "the floorperson names the number anew")
    return Headline(WAIT, Tone.ALARM, "the floorperson decides the number")


def _no_spin(scene: TableView) -> Headline:
    """Until the key is turned, a result that was announced is only looked at again."""
    if result_of(scene.of(RouletteData)):
        return in_review(scene)
    return Headline("NO SPIN", Tone.VOID, "the dealer called no spin; wagers stay")


_LOGGED = always(SHUT, Tone.IDLE, "the wheel is being adjusted")
_INSPECTED = always(SHUT, Tone.IDLE, "the wheel is inspected before the table opens")
_FALLS = always("BALL IS COMING TO REST", Tone.CLOSED, "no more wagers are taken")
_COLLECTED = "losing wagers are collected, then winning wagers are paid"
_SAYS = {
    S.CLOSED: closed,
    S.MENU: attended,
    **dict.fromkeys((*LOGGING, S.SIGNING), _LOGGED),
    S.INSPECTOR: _INSPECTED,
    S.INSPECTING: _INSPECTED,
    S.BETS_OPEN: always(OPEN, Tone.OPEN, WAGERS_OPEN),
    S.BALL_RUNNING: always("BALL IS RUNNING", Tone.MOVING, WAGERS_OPEN),
    S.NO_MORE_BETS: always(NO_MORE, Tone.CLOSED, "the ball is running"),
    S.LATE_CALL: _FALLS,
    S.ENTRY: _FALLS,
    S.DISPUTE: called,
    S.DECIDING: _decides,
    S.NO_SPIN: _no_spin,
    S.RESPIN: _respin,
    S.RESULT: settling(_COLLECTED, _headline),
    S.LOSERS_COLLECTED: settling(PAID, _headline),
    S.WINNERS_PAID: settling(SOON, _headline),
    S.CORRECTING: in_review,
    S.LOCKED: called,
}


# -- what is drawn -----------------------------------------------------------------------------------------------


def _drawn(config: TableConfig) -> Equipment:
    """The pockets clockwise, and the boxes of the layout, each with the lamp behind it."""
    game = find_game(config.game)
    assert game.drawing is not None
    drawing, lamps = game.drawing(config.rules), game.lamps(config.rules)
    rim: list[RimPocket] = [{"label": label, "colour": colour} for label, colour in drawing.rim]
    return {"rim": rim, "boxes": [_box(box, lamps) for box in drawing.boxes]}


def _box(box: Box, lamps: tuple[str, ...]) -> DrawnBox:
    area = next((area for area in (f"straight-{box.label}", box.label) if area in lamps), "")
    return {
        "area": area,
        "label": area_name(box.label),
        "left": box.left,
        "bottom": box.bottom,
        "right": box.right,
        "top": box.top,
        "colour": box.colour,
    }


def _revolutions(scene: TableView) -> tuple[int, int] | None:
    tracker = scene.tracker
    if scene.state not in _RUNNING or not isinstance(tracker, RouletteTracker):
        return None
    return tracker.ball.revolutions, REVOLUTIONS


def _live(scene: TableView) -> RouletteFigure:
    shown = _ball_and_pocket(scene)
    tracker = scene.tracker
    if not isinstance(tracker, RouletteTracker):
        return shown
    turning, ball = tracker.rotor.turning(scene.now_ns), tracker.ball
    if turning and tracker.rotor.turn_ns > 0:
        shown["rotor_turn_ms"] = turning * (tracker.rotor.turn_ns // 1_000_000)
    if shown["ball"] == "running" and ball.direction and ball.turn_ns:
        shown["ball_turn_ms"] = ball.direction * (ball.turn_ns // 1_000_000)
    return shown


def _ball_and_pocket(scene: TableView) -> RouletteFigure:
    if scene.result is not None:
        pocket = listed(scene.result)
        return {"pocket": pocket, "colour": COLOURS.get(pocket, ""), "ball": "left", "direction": ""}
    ball: BallState = "running" if scene.state in _RUNNING else "left" if scene.state in _DOWN else "none"
    return {"pocket": "", "colour": "", "ball": ball, "direction": _direction(scene) if ball == "running" else ""}


def _direction(scene: TableView) -> str:
    """The ball's direction; empty if unknown."""
    tracker = scene.tracker
    if not isinstance(tracker, RouletteTracker) or not tracker.ball.direction:
        return ""
    return direction_of(tracker.ball.direction).value


_BLANK: RouletteFigure = {"pocket": "", "colour": "", "ball": "none", "direction": ""}
_POCKETS = frozenset(s.value for s in (S.ENTRY, S.DECIDING))


def _entry(scene: TableView) -> str:
    if scene.state not in _POCKETS:
        return ""
    return scene.of(RouletteData).keyed or f"{scene.of(RouletteData).entry}_"


_CLOSED = frozenset(s.value for s in (S.CLOSED, *LOGGING, S.SIGNING, S.INSPECTOR, S.INSPECTING, S.LOCKED))


def _keyed(scene: TableView) -> Keyed | None:
    """The number, as it is keyed or as it won; None while no round is played."""
    if scene.state in _CLOSED:
        return None
    data = scene.of(RouletteData)
    won = listed(scene.result) if scene.result is not None else ""
    entered = won or (data.keyed if scene.state in _POCKETS else "")
    number = entered or (data.entry if scene.state in _POCKETS else "")
    words = f"{number} {COLOURS.get(number, '')}".strip() or "no number"
    shown: KeyedNumber = {"number": number, "colour": COLOURS.get(number, ""), "entered": bool(entered)}
    return {"words": words, "number": shown}


SCREEN = GameScreen(
    figure="roulette",
    headlines={state.value: says for state, says in _SAYS.items()},
    disputes=frozenset(state.value for state in (S.DISPUTE, S.DECIDING, S.NO_SPIN)),
    past=_past,
    labels=_labels,
    shares=(("red", "zero", "black"), ("odd", "zero", "even")),
    words=_words,
    extras=_drawn,
    live=_live,
    blank=lambda config: _BLANK.copy(),
    entry=_entry,
    keyed=_keyed,
    revolutions=_revolutions,
)
