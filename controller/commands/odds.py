"""Print the exact probability, payout, return and house advantage of every wager.

examples:
  table-controller odds sic-bo
      all wagers at the minimum odds of the regulation
  table-controller odds table.yaml
      all wagers at the odds of a table
  table-controller odds casino-war --rule decks=8 --json
      with another rule; prints JSON
"""

from argparse import ArgumentParser, ArgumentTypeError, Namespace
from fractions import Fraction

from config.schema import Section
from config.validation import validate
from controller.commands.output import columns, print_json
from controller.configuration.shipped import find_table
from controller.errors import OK, UsageError
from controller.machine.game import Game
from controller.machine.registry import find_game
from controller.odds.exact import WagerReturn
from controller.odds.wagers import to_one


def configure(parser: ArgumentParser) -> None:
    parser.add_argument("table", metavar="GAME|FILE", help="a game at the least odds, or a table's file")
    parser.add_argument(
        "--rule",
        action="append",
        default=[],
        type=_rule,
        metavar="KEY=VALUE",
        help="a rule of the game instead of the table's, such as decks=8; may be given several times",
    )
    parser.add_argument("--json", action="store_true", help="print JSON, fractions as text")


def _rule(text: str) -> tuple[str, str]:
    key, equals, value = text.partition("=")
    if not (key and equals and value):
        raise ArgumentTypeError(f"'{text}' is not a rule; write it as KEY=VALUE, such as decks=8")
    return key, value


def run(arguments: Namespace) -> int:
    game, returns = _returns(arguments.table, dict(arguments.rule))
    rows = [
        {
            "wager": item.wager,
            "probability": str(item.probability),
            "pays": ", ".join(map(to_one, item.pays)),
            "return_to_player": str(item.return_to_player),
            "return_percent": _percent(item.return_to_player),
            "house_advantage": str(item.house_advantage),
            "house_advantage_percent": _percent(item.house_advantage),
        }
        for item in returns
    ]
    if arguments.json:
        print_json({"game": game.name, "wagers": rows})
    else:
        headers = ("wager", "probability", "pays", "return", "", "house advantage", "")
        print(f"{game.headed('ch.')}\n")
        print(columns(headers, [tuple(row.values()) for row in rows], right=frozenset({1, 3, 4, 5, 6})))
    return OK


def _returns(name: str, rules: dict[str, str]) -> tuple[Game, list[WagerReturn]]:
    """The returns at a table, or at the least odds of a game, with some rules changed.

    Raises:
        UsageError: the game has no such rules.
    """
    config = find_table(name).config
    game = find_game(config.game)
    changed = {**config.rules, **rules}
    model = game.rules or Section
    if found := validate(changed, model)[1]:
        said = [
            f"--rule {'.'.join(map(str, one.path))}: {'; '.join(filter(None, (one.message, one.remedy)))}"
            for one in found
        ]
        raise UsageError("\n".join(said))
    least = name == game.name
    payouts = game.least_payouts(changed) if least else game.payouts(config.model_copy(update={"rules": changed}))
    return game, game.returns(payouts, changed)


def _percent(value: Fraction) -> str:
    return f"{float(value):.2%}"
