"""Three Dice Football on the screens: the field, the throws of the game, and what each one settles."""

from collections.abc import Callable

from controller.events.effect import Result, Win
from controller.games.shared.dice_entry import DICE
from controller.games.three_dice_football.game import FootballRules
from controller.games.three_dice_football.play import (
    SINGLE_PLAY,
    FootballData,
    FootballState,
    dice_words,
    listed,
    paid,
    parts,
    situation,
    yards_at_end,
)
from controller.games.three_dice_football.rules import Drive
from controller.games.three_dice_football.words import area_words, situation_words
from controller.viewmodel.documents import Keyed
from controller.viewmodel.screen import (
    CORRECTED,
    NO_MORE,
    OPEN,
    SHUT,
    GameScreen,
    Headline,
    ResultLabel,
    TableView,
    Tone,
    always,
    settled,
)

S = FootballState
_KINDS = ("gain", "no gain", "penalty", "turnover", "touchdown", "Trips TD", "out of downs", "extra point")
_COLOURS = ("green", "green", "red")
_THROWS = frozenset(state.value for state in (S.THROW, S.EXTRA_THROW))


# -- a result ----------------------------------------------------------------------------------------------------


def _past(result: Result) -> ResultLabel | None:
    label = listed(result)
    return ResultLabel(label, counted=(parts(result)[1],)) if label else None


def _headline(result: Result) -> str:
    return " ".join(parts(result)).strip().upper()


def _order(result: Result) -> tuple[Win, ...]:
    """Defense first, then the single play wagers, then those of the full game (§ 577.6(d), (f))."""
    return tuple(sorted(result.wins, key=lambda win: (win.area != "defense", win.area not in SINGLE_PLAY)))


# -- what players read -------------------------------------------------------------------------------------------


def _drive(scene: TableView) -> Drive | None:
    """The present drive; None once the game has ended."""
    data = scene.of(FootballData)
    return None if data.ending is not None else data.following or data.drive


def _open(scene: TableView) -> Headline:
    data = scene.of(FootballData)
    wagers = "full game and single play wagers" if data.begins else "single play wagers"
    return Headline(OPEN, Tone.OPEN, f"{situation_words(situation(data.drive))}; {wagers} may be placed")


def _of_quarterback(headline: str, tone: Tone, does: str) -> Callable[[TableView], Headline]:
    def says(scene: TableView) -> Headline:
        if scene.of(FootballData).corrects:
            return Headline(CORRECTED, Tone.CLOSED, "the floorperson allowed it; the dice are entered again")
        return Headline(headline, tone, f"position {scene.of(FootballData).quarterback} {does}")

    return says


def _settles(scene: TableView) -> Headline:
    drive = _drive(scene)
    then = f"; then {situation_words(situation(drive))}" if drive is not None else ""
    return settled(scene, f"wagers are settled{then}", _headline)


_SAYS = {
    S.CLOSED: always(SHUT, Tone.IDLE, "the table opens with a new set of dice"),
    S.OFFER: _of_quarterback("DICE ARE OFFERED", Tone.IDLE, "is offered the dice"),
    S.POSITION: _open,
    S.BETS_OPEN: _open,
    S.THROW: _of_quarterback(NO_MORE, Tone.MOVING, "throws the dice"),
    S.SETTLING: _settles,
    S.SETTLED: _settles,
    S.EXTRA_OFFER: always(
        "TOUCHDOWN — EXTRA POINT?", Tone.BONUS, "the extra point is thrown if there is a wager on it"
    ),
    S.EXTRA_THROW: _of_quarterback("EXTRA POINT ROLL", Tone.MOVING, "throws the dice"),
}


# -- what is drawn and keyed -------------------------------------------------------------------------------------


def _live(scene: TableView) -> dict[str, object]:
    """The yards to the end zone, and the dice: green, green, red; none while there is no result."""
    data, drive = scene.of(FootballData), _drive(scene)
    to_goal = 0 if data.scored else yards_at_end(data) if drive is None else drive.yards
    dice = parts(scene.result)[0] if scene.result else ""
    return {"to_goal": to_goal, "dice": [int(face) for face in dice if face.isdigit()]}


def _entry(scene: TableView) -> str:
    data = scene.of(FootballData)
    return dice_words(data.entry) if scene.state in _THROWS else data.position


def _keyed(view: TableView) -> Keyed | None:
    """Dice and positions; None while the table is closed."""
    data = view.of(FootballData)
    if view.state == S.CLOSED.value:
        return None
    return Keyed(
        f"{dice_words(data.entry)}, position {data.position or data.quarterback}",
        dice=(*data.entry, *(0,) * (DICE - len(data.entry))),
        colours=_COLOURS,
        positions=FootballRules.model_validate(view.config.rules).positions,
        holds=data.quarterback,
        position=data.position,
    )


SCREEN = GameScreen(
    figure="football",
    headlines=_SAYS,
    past=_past,
    labels=lambda config, game: _KINDS,
    words=lambda result: result.label.replace(",", ""),
    order=_order,
    due=lambda scene: paid(scene.of(FootballData)),
    live=_live,
    entry=_entry,
    keyed=_keyed,
    wager=area_words,
)
