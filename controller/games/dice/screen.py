"""Three keyed-in dice on the screens, and the areas of the layout in rows."""

from collections.abc import Callable, Mapping
from types import MappingProxyType

from config.schema import TableConfig
from controller.events.effect import Result
from controller.games.dice.inspection import STATES as INSPECTION
from controller.games.dice.rules import DiceData, DiceState, dice_words
from controller.games.shared.dice_entry import DICE
from controller.machine.game import Game
from controller.viewmodel.documents import Keyed
from controller.viewmodel.screen import (
    CORRECTED,
    NO_MORE,
    OPEN,
    PAID,
    SHUT,
    SOON,
    WAGERS_OPEN,
    GameScreen,
    Headline,
    ResultLabel,
    TableView,
    TitledRows,
    Tone,
    always,
    called,
    closed,
    settling,
    spoken,
)

S = DiceState
FACES = range(1, 7)


def _dice(result: Result) -> tuple[int, ...]:
    return tuple(map(int, result.label.split("-")))


def _headline(result: Result) -> str:
    return f"{result.label} TOTAL {sum(_dice(result))}"


def _past(result: Result) -> ResultLabel:
    return ResultLabel(result.label, counted=(str(sum(_dice(result))),))


def _labels(config: TableConfig, game: Game) -> tuple[str, ...]:
    return tuple(str(total) for total in range(DICE * FACES[0], DICE * FACES[-1] + 1))


def _entry(scene: TableView) -> Headline:
    if scene.of(DiceData).corrects:
        return Headline(CORRECTED, Tone.CLOSED, "the floorperson allowed it; the dice are entered again")
    return Headline(NO_MORE, Tone.CLOSED, "the dealer enters the dice")


_SHAKEN = "NO MORE BETS — DICE ARE SHAKEN"
_SAYS = {
    S.CLOSED: closed,
    **dict.fromkeys(INSPECTION, always(SHUT, Tone.IDLE, "the table is inspected: the lights are not a result")),
    S.BETS_OPEN: always(OPEN, Tone.OPEN, WAGERS_OPEN),
    S.SHAKING: always(_SHAKEN, Tone.MOVING, "every area that wins will light up"),
    S.ENTRY: _entry,
    S.DOUBT: called,
    S.RESULT: settling("", _headline),
    S.LOSERS_COLLECTED: settling(PAID, _headline),
    S.WINNERS_PAID: settling(SOON, _headline),
    S.MALFUNCTION: called,
}
_KEYED = frozenset(s.value for s in (S.INSPECTION_ENTRY, S.INSPECTION_LIT, S.SHAKING, S.ENTRY, S.MALFUNCTION))


def _live(scene: TableView) -> dict[str, object]:
    """The dice, and their total, which ``figure.js`` draws; none while no result stands."""
    dice = _dice(scene.result) if scene.result is not None else ()
    return {"dice": list(dice), "total": sum(dice) if dice else None}


def _keyed(scene: TableView) -> str:
    return dice_words(scene.of(DiceData).entry) if scene.state in _KEYED else ""


def _picture(scene: TableView) -> Keyed | None:
    """The dice, as keyed or as they won; None while the table is closed."""
    if scene.state == S.CLOSED.value:
        return None
    entry = scene.of(DiceData).entry
    return Keyed(dice_words(entry), dice=(*entry, *(0,) * (DICE - len(entry))))


def dice_screen(
    rows: TitledRows = (), label: Callable[[str], str] = spoken, ranges: Mapping[str, str] = MappingProxyType({})
) -> GameScreen:
    """A game with three keyed-in dice.

    Args:
        rows: the areas as the layout is printed; those that no row places follow in the order of the layout.
        label: what is printed on an area.
        ranges: the totals on which an area wins, where its name does not say them.
    """
    return GameScreen(
        figure="dice",
        headlines=_SAYS,
        past=_past,
        labels=_labels,
        label=label,
        ranges=ranges,
        rows=rows,
        live=_live,
        entry=_keyed,
        keyed=_picture,
    )


SCREEN = dice_screen()
