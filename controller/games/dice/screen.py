"""Three keyed-in dice on the screens, and the areas in the order in which the layout is printed."""

from itertools import combinations

from config.schema import TableConfig
from controller.events.effect import Result
from controller.games.dice.rules import DICE, DiceState, dice_words, entry_words
from controller.statechart.game import Game
from controller.statechart.registry import find_game
from controller.viewmodel.figures import DiceFigure, Equipment, Row
from controller.viewmodel.screen import (
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
    called,
    closed,
    looked_at,
    settling,
    spoken,
)

S = DiceState
FACES = range(1, 7)
ROWS = (
    ("", ("small", *(f"two-of-a-kind-{n}" for n in FACES), "big")),
    (
        "",
        (
            *(f"three-of-a-kind-{n}" for n in (1, 2, 3)),
            "any-three-of-a-kind",
            *(f"three-of-a-kind-{n}" for n in (4, 5, 6)),
        ),
    ),
    ("total", tuple(f"total-{total}" for total in range(4, 18))),
    ("", tuple(f"two-dice-{a}-{b}" for a, b in combinations(FACES, 2))),
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
    if scene.data.corrects:
        return Headline("RESULT IS CORRECTED", Tone.CLOSED, "the floorperson allowed it; the dice are entered anew")
    return Headline("NO MORE BETS", Tone.CLOSED, "the dealer enters the dice")


_SAYS = {
    S.CLOSED: closed,
    S.MENU: attended,
    S.INSPECTOR: always(SHUT, Tone.IDLE, "the floorperson inspects the table before it opens"),
    S.INSPECTION_ENTRY: always(SHUT, Tone.IDLE, "the lights of the layout are tried before the table opens"),
    S.INSPECTION_LIT: always(SHUT, Tone.IDLE, "the lights of the layout are tried: this is no result"),
    S.INSPECTION_SHAKER: always(SHUT, Tone.IDLE, "the shaker is tried before the table opens"),
    S.DICE_DUE: always(WAIT, Tone.IDLE, "the dice are changed"),
    S.BETS_OPEN: always(OPEN, Tone.OPEN, "wagers are open until the dealer calls no more bets"),
    S.SHAKING: always("NO MORE BETS — DICE ARE SHAKEN", Tone.MOVING, "every area that wins will light up"),
    S.ENTRY: _entry,
    S.RESULT: settling("", _headline),
    S.CORRECTING: looked_at,
    S.LOSERS_COLLECTED: settling("winning wagers are paid", _headline),
    S.WINNERS_PAID: settling("the next round opens soon", _headline),
    S.MALFUNCTION: called,
}
_KEYED = frozenset(s.value for s in (S.INSPECTION_ENTRY, S.SHAKING, S.ENTRY))


def _rows(config: TableConfig) -> Equipment:
    game = find_game(config.game)
    placed = {area for _, areas in ROWS for area in areas}
    rows: list[Row] = [
        {"title": title, "areas": [area for area in areas if area in game.areas]} for title, areas in ROWS
    ]
    # Areas that no row places: a layout with more than Sic Bo's.
    others = [area for area in game.areas if area not in placed]
    return {"rows": [*rows, {"title": "", "areas": others}] if others else rows}


def _live(scene: TableView) -> DiceFigure:
    dice = _dice(scene.result) if scene.result is not None else ()
    return {"dice": list(dice), "total": sum(dice) if dice else None}


def _keyed(scene: TableView) -> str:
    if scene.state == S.INSPECTOR.value:
        return f"{scene.data.number}_"
    if scene.state == S.INSPECTION_LIT.value:
        return dice_words(scene.data.entry)
    return entry_words(scene.data.entry) if scene.state in _KEYED else ""


def _lifetime(config: TableConfig) -> Lifetime | None:
    dice = config.dice
    return Lifetime("dice", dice.warn_ns, dice.retire_ns) if dice is not None else None


_STANDING = (S.RESULT, S.CORRECTING, S.LOSERS_COLLECTED, S.WINNERS_PAID, S.MALFUNCTION)
SCREEN = GameScreen(
    figure="dice",
    says={state.value: says for state, says in _SAYS.items()},
    standing=frozenset(state.value for state in _STANDING),
    past=_past,
    labels=_labels,
    label=_label,
    extras=_rows,
    live=_live,
    blank=lambda config: {"dice": [], "total": None},
    entry=_keyed,
    lifetime=_lifetime,
)
