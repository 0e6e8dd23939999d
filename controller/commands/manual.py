"""``manual``: writes manual pages of the program and of every command, for man(1), into a folder.

The installer places them; ``man table-controller-journal`` shows one.
"""

from argparse import ArgumentParser, Namespace
from pathlib import Path

from controller.commands.manual_page import pages
from controller.runtime import exit_codes as exits
from controller.runtime.log_format import complain

NAME = "manual"
HELP = "write manual pages of all commands, for man(1)"
EXAMPLES = (("manual man", "makes a folder man of pages; man -l man/table-controller-journal.1 shows one"),)


def configure(parser: ArgumentParser) -> None:
    parser.add_argument("folder", type=Path, metavar="FOLDER", help="where to write them; it is made if needed")


def run(arguments: Namespace) -> int:
    from controller.commands.cli import parser  # It loads this module.

    folder: Path = arguments.folder
    count = 0
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for name, text in pages(parser()[0]):
            (folder / name).write_text(text, encoding="utf-8")
            count += 1
    except OSError as error:
        complain(f"table-controller manual: {folder}: {error.strerror}; name another folder")
        return exits.FAILED
    print(f"{folder}: {count} manual pages")
    return exits.OK
