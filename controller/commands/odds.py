"""``odds``: the exact probability, payout, return and house advantage of every wager."""

from argparse import ArgumentParser, Namespace
from fractions import Fraction

from controller import exits
from controller.games.game import Game, UnknownGameError, find_game
from controller.odds.exact import WagerReturn
from controller.odds.wagers import to_one
from controller.tables import load_table, table_path
from controller.text import as_json, columns

NAME = "odds"
HELP = "print the exact odds and returns of every wager"


def configure(parser: ArgumentParser) -> None:
    parser.add_argument("table", metavar="GAME|FILE", help="a game at the least odds, or a table's file")
    parser.add_argument("--json", action="store_true", help="print JSON, fractions as text")


def run(arguments: Namespace) -> int:
    game, returns = _returns(arguments.table)
    if arguments.json:
        print(as_json({"game": game.name, "wagers": [_wager(item) for item in returns]}))
        return exits.OK
    rows = [
        (
            item.wager,
            str(item.probability),
            _pays(item),
            *(str(item.return_to_player), _percent(item.return_to_player)),
            *(str(item.house_advantage), _percent(item.house_advantage)),
        )
        for item in returns
    ]
    headers = ("wager", "probability", "pays", "return", "", "house advantage", "")
    print(f"{game.title} (58 Pa. Code ch. {game.chapter})\n")
    print(columns(headers, rows, right=frozenset({1, 3, 4, 5, 6})))
    return exits.OK


def _returns(name: str) -> tuple[Game, list[WagerReturn]]:
    try:
        game = find_game(name)
        return game, game.returns(game.payouts())
    except UnknownGameError:
        if not table_path(name).is_file():
            raise
    config = load_table(table_path(name)).config
    game = find_game(config.game)
    return game, game.returns(game.payouts(config))


def _pays(item: WagerReturn) -> str:
    return ", ".join(map(to_one, item.pays))


def _percent(value: Fraction) -> str:
    return f"{float(value):.2%}"


def _wager(item: WagerReturn) -> dict[str, str]:
    return {
        "wager": item.wager,
        "probability": str(item.probability),
        "pays": _pays(item),
        "return_to_player": str(item.return_to_player),
        "house_advantage": str(item.house_advantage),
        "return_percent": _percent(item.return_to_player),
        "house_advantage_percent": _percent(item.house_advantage),
    }
