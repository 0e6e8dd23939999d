"""Sic Bo on the screens: three keyed-in dice, and the areas in the order in which its layout is printed."""

from itertools import combinations

from config.schema import TableConfig
from controller.events.effect import Result
from controller.games.shared.dice_entry import DICE
from controller.games.sic_bo.game import BIG, FACES, SMALL
from controller.games.sic_bo.inspection import STATES as INSPECTION
from controller.games.sic_bo.rules import DiceData, DiceState, dice_words
from controller.machine.game import Game
from controller.viewmodel.dealer_documents import Keyed
from controller.viewmodel.figures import Equipment, GameFigure
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
    Tone,
    always,
    called,
    closed,
    settling,
    spoken,
)

S = DiceState
_ROWS = (
    ("two and three alike", ("small", *(f"two-of-a-kind-{n}" for n in FACES), "big")),
    (
        "three alike",
        (
            *(f"three-of-a-kind-{n}" for n in (1, 2, 3)),
            "any-three-of-a-kind",
            *(f"three-of-a-kind-{n}" for n in (4, 5, 6)),
        ),
    ),
    ("total", tuple(f"total-{total}" for total in range(4, 18))),
    ("two dice", tuple(f"two-dice-{a}-{b}" for a, b in combinations(FACES, 2))),
    ("one of a kind", tuple(f"one-of-a-kind-{n}" for n in FACES)),
)
"""Areas beside one another, each row with its title."""
_OF_A_KIND = {"one-of-a-kind-": 1, "two-of-a-kind-": 2, "three-of-a-kind-": 3}


def _label(area: str) -> str:
    """What is printed on an area."""
    for prefix, dice in _OF_A_KIND.items():
        if area.startswith(prefix):
            return "-".join([area.removeprefix(prefix)] * dice)
    if area == "any-three-of-a-kind":
        return "any triple"
    return spoken(area.removeprefix("total-").removeprefix("two-dice-"))


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
        return Headline(CORRECTED, Tone.CLOSED, "the floorperson allowed it; the dice are entered anew")
    return Headline(NO_MORE, Tone.CLOSED, "the dealer enters the dice")


_SHAKEN = "NO MORE BETS — DICE ARE SHAKEN"
_SAYS = {
    S.CLOSED: closed,
    **dict.fromkeys(INSPECTION, always(SHUT, Tone.IDLE, "the table is inspected: lights are no result")),
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


def _equipment(config: TableConfig) -> Equipment:
    return {"rows": [{"title": title, "areas": list(areas)} for title, areas in _ROWS]}


def _live(scene: TableView) -> GameFigure:
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
    faces = (*entry, *(0,) * (DICE - len(entry)))
    return {"words": dice_words(entry), "dice": [{"face": face, "colour": ""} for face in faces]}


SCREEN = GameScreen(
    figure="dice",
    headlines={state.value: says for state, says in _SAYS.items()},
    past=_past,
    labels=_labels,
    label=_label,
    ranges={"small": f"{SMALL[0]}–{SMALL[-1]}", "big": f"{BIG[0]}–{BIG[-1]}"},
    extras=_equipment,
    live=_live,
    blank=lambda config: {"dice": [], "total": None},
    entry=_keyed,
    keyed=_picture,
)
