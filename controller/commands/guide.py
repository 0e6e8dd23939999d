"""``guide``: the patron's gaming guide and the odds sheet of a game, as one HTML page that prints well."""

from argparse import ArgumentParser, Namespace
from pathlib import Path

from controller.commands.console import complain
from controller.configuration.shipped import find_table
from controller.machine.registry import find_game
from controller.runtime import exit_codes as exits

NAME = "guide"
HELP = "write the gaming guide and the odds sheet of a game as HTML"
EXAMPLES = (
    ("guide casino-war --out guide.html", "the guide of a game"),
    ("guide table.yaml", "that of a table with its own odds and limits, to standard output"),
)


def configure(parser: ArgumentParser) -> None:
    parser.add_argument("table", metavar="GAME|FILE", help="a game at the least odds, or a table's file")
    parser.add_argument("--out", type=Path, metavar="FILE", help="where to write it (default: standard output)")


def run(arguments: Namespace) -> int:
    loaded = find_table(arguments.table)
    game = find_game(loaded.config.game)
    least = arguments.table == game.name
    from controller.guide.page import page  # Only this command needs it.

    source = (
        f"the least odds of the {'regulation' if game.chapter else 'game'}"
        if least
        else f"the table {loaded.config.table}, configuration {loaded.digest[:12]}"
    )
    text = page(game, loaded.config, source, least)
    if arguments.out is None:
        print(text, end="")
        return exits.OK
    try:
        arguments.out.write_text(text, encoding="utf-8")
    except OSError as error:
        complain(f"table-controller guide: {arguments.out}: {error.strerror}; name another file")
        return exits.FAILED
    print(f"{arguments.out} written")
    return exits.OK
