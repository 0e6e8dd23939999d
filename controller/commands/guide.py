"""Write the gaming guide and the odds sheet of a game as one HTML page that prints well.

examples:
  table-controller guide casino-war --out guide.html  # the guide of a game at the minimum odds
  table-controller guide table.yaml  # prints the guide of a table, with its odds and limits
"""

from argparse import ArgumentParser, Namespace
from pathlib import Path

from controller.commands.arguments import add_game_or_file
from controller.commands.output import write_text
from controller.configuration.shipped import find_table
from controller.machine.registry import find_game


def configure(parser: ArgumentParser) -> None:
    add_game_or_file(parser, "a game, with the least odds that its rules allow, or a table's file, with its own")
    parser.add_argument("--out", type=Path, metavar="FILE", help="where to write it (default: standard output)")


def run(arguments: Namespace) -> None:
    from controller.guide.page import page  # Only this command needs it.

    loaded = find_table(arguments.table)
    game = find_game(loaded.config.game)
    least = arguments.table == game.name
    source = f"the table {loaded.config.table}, configuration {loaded.digest[:12]}"
    if least:
        source = f"the least odds of the {'regulation' if game.chapter else 'game'}"
    text = page(game, loaded.config, source, least)
    if arguments.out is None:
        print(text, end="")
    else:
        write_text(arguments.out, text)
