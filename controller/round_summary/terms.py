"""What a round is read under: its game, and the rules in effect, both from the record."""

import json
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache

from controller.limits.table_state import TableState
from controller.machine.game import Game, words_of
from controller.machine.registry import UnknownGameError, find_game
from controller.round_summary.errors import SummaryError, UnreadableRoundError
from controller.round_summary.words import in_words


class RoundTerms:
    """A game under the rules of a table.

    Args:
        rules: the section ``rules`` on record; None if none is: then a ball's pockets are not known.

    Raises:
        SummaryError: the game cannot be played under these rules.

    Attributes:
        order: the wheel's sections or pockets, clockwise; empty for a game without a wheel, and if not known.
        pockets: the same for a ball alone.
        words: the sentences of the record's codes.
        in_words: replaces names of the record in a sentence by the game's words.
    """

    def __init__(self, game: Game, rules: Mapping[str, object] | None) -> None:
        self.game, self.words = game, words_of(game)
        try:
            self.pockets: Sequence[str] = (
                game.pockets(rules) if game.pockets is not None and rules is not None else ()
            )
            self.in_words: Callable[[str], str] = in_words(game, rules)
        except (KeyError, ValueError, TypeError, AttributeError) as error:
            raise SummaryError(f"its game {game.name} has no such rules: {error}") from error
        self.order = game.wheel or self.pockets


def terms_under(game: str, state: TableState) -> RoundTerms:
    """The terms of a game under the rules in a table's recorded state.

    Raises:
        UnreadableRoundError: the game is not installed here.
        SummaryError: the game cannot be played under these rules.
    """
    return _of(game, json.dumps(state.rules.rules, sort_keys=True) if state.rules is not None else "")


@lru_cache(256)
def _of(game: str, rules: str) -> RoundTerms:
    return RoundTerms(game_of(game), json.loads(rules) if rules else None)


def game_of(name: str) -> Game:
    """The game of a name on record.

    Raises:
        UnreadableRoundError: it is not installed here.
    """
    try:
        return find_game(name)
    except UnknownGameError as error:
        raise UnreadableRoundError(f"the game '{name[:40]}' is not installed here: {error}") from error
