"""Three Dice Football on the screens: the field, the throws of the game, and what each one settles."""

from collections.abc import Callable

from config.schema import TableConfig
from controller.events.effect import Result, Win
from controller.games.shared.ageing import Ageing
from controller.games.three_dice_football.figure import Down, FootballFigure
from controller.games.three_dice_football.game import FootballRules
from controller.games.three_dice_football.keyed import keyed
from controller.games.three_dice_football.play import (
    FootballData,
    FootballState,
    area_words,
    dice_words,
    yards_at_end,
)
from controller.games.three_dice_football.results import NO_EXTRA, listed, parts
from controller.games.three_dice_football.rules import START_YARDS, Drive, throw
from controller.games.three_dice_football.steps import SINGLE_PLAY
from controller.statechart.game import Game
from controller.viewmodel.screen import (
    CORRECTED,
    NO_MORE,
    OPEN,
    SHUT,
    WAIT,
    GameScreen,
    Headline,
    Lifetime,
    ResultLabel,
    TableView,
    Tone,
    always,
    attended,
    in_review,
    settled,
)

S = FootballState
_KINDS = ("gain", "no gain", "penalty", "turnover", "touchdown", "Trips TD", "out of downs", "extra point")


# -- a result ----------------------------------------------------------------------------------------------------


def _past(result: Result) -> ResultLabel | None:
    label = listed(result)
    return ResultLabel(label, counted=(parts(result)[1],)) if label else None


def _headline(result: Result) -> str:
    return _thrown(result).upper()


def _thrown(result: Result) -> str:
    """The dice, and the kind of the throw; of a settlement without a throw the dice alone."""
    dice, what = parts(result)
    green, _, red = dice.partition(" red ")
    if what == NO_EXTRA:
        return f"{green} red {red}"
    return f"{green} red {red} {what}"


def _words(result: Result) -> str:
    """The dice, and what the record calls the throw."""
    dice, _, what = result.label.partition(", ")
    green, _, red = dice.partition(" red ")
    return f"{green} red {red} {what.replace(',', '')}"


def _order(result: Result) -> tuple[Win, ...]:
    """Defense first, then the single play wagers, then those of the full game (§ 577.6(d), (f))."""

    def rank(win: Win) -> int:
        return 0 if win.area == "defense" else 1 if win.area in SINGLE_PLAY else 2

    return tuple(sorted(result.wins, key=rank))


# -- what players read -------------------------------------------------------------------------------------------


def _drive(scene: TableView) -> Drive | None:
    """The present drive; None between two games."""
    data = scene.of(FootballData)
    if data.following is not None:
        return data.following
    return None if data.ending is not None or scene.state in _BETWEEN else data.drive


def _situation(drive: Drive) -> str:
    """The downs and the distance, as the dealer announces them (§ 577.6(d))."""
    down = ("1st", "2nd", "3rd")[drive.down - 1]
    yards = "1 yard" if drive.yards == 1 else f"{drive.yards} yards"
    return f"{down} {'& goal' if drive.goal else 'down'}, {yards} to the end zone, play {drive.play}"


def _offered(scene: TableView) -> Headline:
    if scene.of(FootballData).retired:
        return Headline(WAIT, Tone.IDLE, "the dice are changed")
    offered = f"position {scene.of(FootballData).quarterback} is offered the dice"
    return Headline("DICE ARE OFFERED", Tone.IDLE, offered)


def _open(scene: TableView) -> Headline:
    data = scene.of(FootballData)
    single = "single play wagers may be placed"
    wagers = "full game and single play wagers may be placed" if data.begins else single
    return Headline(OPEN, Tone.OPEN, f"{_situation(data.drive)}; {wagers}")


def _throws(headline: str) -> Callable[[TableView], Headline]:
    def says(scene: TableView) -> Headline:
        if scene.of(FootballData).corrects:
            anew = "the floorperson allowed it; the dice are entered anew"
            return Headline(CORRECTED, Tone.CLOSED, anew)
        throws = f"position {scene.of(FootballData).quarterback} throws the dice"
        return Headline(headline, Tone.MOVING, throws)

    return says


def _settles(scene: TableView) -> Headline:
    drive = _drive(scene)
    if drive is None:
        return settled(scene, "wagers are settled", _headline)
    then = f"wagers are settled; then {_situation(drive)}"
    return settled(scene, then, _headline)


def _settled(scene: TableView) -> Headline:
    drive = _drive(scene)
    return settled(scene, _situation(drive) if drive is not None else _OVER, _headline)


_OVER = "the game is over"
_AGAIN = "NO ROLL — DICE ARE THROWN AGAIN"
_EXTRA = "TOUCHDOWN — EXTRA POINT?"
_SAYS = {
    S.CLOSED: always(SHUT, Tone.IDLE, "it opens with a new set of dice"),
    S.MENU: attended,
    S.OFFER: _offered,
    S.POSITION: _open,
    S.BETS_OPEN: _open,
    S.THROW: _throws(NO_MORE),
    S.NO_ROLL: always(_AGAIN, Tone.VOID, "the throw does not count; wagers stay"),
    S.SETTLING: _settles,
    S.SETTLED: _settled,
    S.EXTRA_OFFER: always(_EXTRA, Tone.BONUS, "if an extra point wager stands, it is thrown"),
    S.EXTRA_THROW: _throws("EXTRA POINT ROLL"),
    S.CORRECTING: in_review,
}
_BETWEEN = frozenset(s.value for s in (S.CLOSED, S.MENU, S.OFFER))


# -- what is drawn -----------------------------------------------------------------------------------------------


def _live(scene: TableView) -> FootballFigure:
    data, drive, ending = scene.of(FootballData), _drive(scene), scene.of(FootballData).ending
    scored = ending is not None and ending.scored
    to_goal = 0 if scored else yards_at_end(data) if drive is None else drive.yards
    return {
        "yard": max(0, min(100, 100 - 100 * to_goal // START_YARDS)),
        "to_goal": to_goal,
        "down": drive.down if drive is not None else 0,
        "goal": drive is not None and drive.goal,
        "play": data.drive.play if drive is None else drive.play,
        "quarterback": data.quarterback,
        "dice": _dice(scene.result),
        "downs": [_down(past) for past in scene.past if "extra point" not in past.counted],
        "phase": _phase(scene, drive),
    }


def _dice(result: Result | None) -> list[int]:
    return [int(word) for word in parts(result)[0].replace("-", " ").split() if word.isdigit()] if result else []


def _down(past: ResultLabel) -> Down:
    """A throw of this game: its words, and the yards that it gained."""
    green, other, red = (int(word) for word in past.label.replace("-", " ").split()[:4] if word.isdigit())
    return {"label": past.label, "yards": throw(Drive(), (green, other, red)).yards}


def _phase(scene: TableView, drive: Drive | None) -> str:
    if drive is not None:
        return _situation(drive)
    return _OVER if scene.of(FootballData).ending is not None else "no game in progress"


_BLANK: FootballFigure = {
    "yard": 0,
    "to_goal": START_YARDS,
    "down": 0,
    "goal": False,
    "play": 0,
    "quarterback": 0,
    "dice": [],
    "downs": [],
    "phase": "",
}
_THROWS = frozenset(s.value for s in (S.THROW, S.EXTRA_THROW))


def _entry(scene: TableView) -> str:
    data = scene.of(FootballData)
    return dice_words(data.entry) if scene.state in _THROWS else data.position


def _lifetime(config: TableConfig) -> Lifetime:
    aging: Ageing[FootballData] = FootballRules.model_validate(config.rules).aging("the dice", "dice", "")
    return Lifetime("dice", aging.warn_ns, aging.retire_ns)


def _labels(config: TableConfig, game: Game) -> tuple[str, ...]:
    return _KINDS


SCREEN = GameScreen(
    figure="football",
    headlines={state.value: says for state, says in _SAYS.items()},
    past=_past,
    labels=_labels,
    words=_words,
    order=_order,
    live=_live,
    blank=lambda config: _BLANK.copy(),
    entry=_entry,
    keyed=keyed,
    wager=area_words,
    lifetime=_lifetime,
)
