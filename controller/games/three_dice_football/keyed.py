"""What is keyed at a table of Three Dice Football, for the dealer: the dice, and the positions around the table."""

from controller.games.shared.entry import DICE
from controller.games.three_dice_football.game import FootballRules
from controller.games.three_dice_football.play import FootballData, S, dice_words
from controller.viewmodel.dealer_documents import Keyed, KeyedDie, KeyedPosition
from controller.viewmodel.screen import TableView

_COLOURS = ("green", "green", "red")
_POSITIONS = frozenset(state.value for state in (S.OFFER, S.POSITION))


def keyed(view: TableView) -> Keyed | None:
    """Dice and positions; None while the table is closed."""
    data = view.of(FootballData)
    if view.state == S.CLOSED.value:
        return None
    positions = FootballRules.model_validate(view.config.rules).positions
    chosen = data.position if view.state in _POSITIONS else ""
    words = f"{dice_words(data.entry)}, position {chosen or data.quarterback}"
    dice = (*data.entry, *(0,) * (DICE - len(data.entry)))
    return {
        "words": words,
        "dice": [_die(face, colour) for face, colour in zip(dice, _COLOURS, strict=True)],
        "positions": [_position(position, data.quarterback, chosen) for position in range(1, positions + 1)],
    }


def _die(face: int, colour: str) -> KeyedDie:
    return {"face": face, "colour": colour}


def _position(position: int, quarterback: int, chosen: str) -> KeyedPosition:
    return {"position": position, "holds": position == quarterback, "keyed": str(position) == chosen}
