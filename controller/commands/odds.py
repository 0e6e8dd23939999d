"""Print the exact probability, payout, return and house advantage of every wager.

examples:
  table-controller odds sic-bo             # all wagers at the minimum odds of the regulation
  table-controller odds table.yaml         # all wagers at the odds of a table
  table-controller odds casino-war --json  # prints JSON
"""

from argparse import ArgumentParser, Namespace
from fractions import Fraction

from controller.commands.arguments import add_game_or_file, add_json
from controller.commands.output import columns, show
from controller.configuration.shipped import find_table
from controller.machine.registry import find_game
from controller.odds.wagers import to_one

_HEADERS = ("wager", "probability", "pays", "return", "", "house advantage", "")


def configure(parser: ArgumentParser) -> None:
    add_game_or_file(parser, "a game, with the least odds that its rules allow, or a table's file, with its own")
    add_json(parser, "print JSON, fractions as text")


def run(arguments: Namespace) -> None:
    config = find_table(arguments.table).config
    game = find_game(config.game)
    least = arguments.table == game.name
    payouts = game.least_payouts(config.rules) if least else game.payouts(config)
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
        for item in game.returns(payouts, config.rules)
    ]
    table = columns(_HEADERS, [tuple(row.values()) for row in rows], right=frozenset({1, 3, 4, 5, 6}))
    show(arguments.json, {"game": game.name, "wagers": rows}, (f"{game.headed('ch.')}\n", table))


def _percent(value: Fraction) -> str:
    return f"{float(value):.2%}"
