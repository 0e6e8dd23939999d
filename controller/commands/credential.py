"""``credential``: adds, removes and lists the credential numbers of a table's floorpersons."""

import getpass
import sys
from argparse import ArgumentParser, Namespace
from pathlib import Path

from config.schema import CredentialsSection as Section
from controller.access import credentials
from controller.commands.columns import as_json
from controller.configuration.shipped import load_table
from controller.runtime import exit_codes as exits
from controller.runtime.log_format import complain

NAME = "credential"
HELP = "add, remove or list the floorpersons' credential numbers"
EXAMPLES = (
    ("sudo credential add 4711", "asks for the PIN of credential 4711, twice"),
    ("sudo credential remove 4711", "from now on 4711 opens nothing"),
    ("credential list --file table.yaml", "the numbers that this table's file names"),
)
STANDARD = Path(str(Section.model_fields["file"].default))


def configure(parser: ArgumentParser) -> None:
    actions = parser.add_subparsers(dest="action", required=True, metavar="ACTION")
    add = actions.add_parser("add", help="give a number a PIN, or another PIN; the PIN is asked for, twice")
    remove = actions.add_parser("remove", help="take a number out")
    show = actions.add_parser("list", help="print the numbers; nobody can print a PIN")
    for action in (add, remove):
        action.add_argument("number", metavar="NUMBER", help="credential number, 1 to 8 digits")
    for action in (add, remove, show):
        action.add_argument(
            "--file",
            type=Path,
            default=STANDARD,
            metavar="FILE",
            help=f"the credentials' file, or the YAML file of a table that names one; default {STANDARD}",
        )
    show.add_argument("--json", action="store_true", help="print JSON")


def run(arguments: Namespace) -> int:
    try:
        return {"add": _add, "remove": _remove, "list": _list}[arguments.action](arguments)
    except credentials.CredentialError as error:
        complain(f"table-controller credential: {error}")
        return exits.FAILED


def _file(arguments: Namespace) -> Path:
    """The credentials' file of the arguments.

    Raises:
        CredentialError: the table's file names none.
    """
    given: Path = arguments.file
    if given.suffix not in (".yaml", ".yml"):
        return given
    section = load_table(given).config.credentials
    if section is None:
        raise credentials.CredentialError(
            f"{given}: the table asks for no credentials; give it a section `credentials:`"
        )
    return Path(section.file)


def _add(arguments: Namespace) -> int:
    file = _file(arguments)
    pin = _ask("PIN: ")
    if sys.stdin.isatty() and _ask("the same PIN again: ") != pin:
        raise credentials.CredentialError("the two PINs differ; nothing was changed")
    new = credentials.add(file, arguments.number, pin)
    print(f"{file}: credential {arguments.number} {'added' if new else 'has another PIN now'}")
    return exits.OK


def _ask(prompt: str) -> str:
    """A line without echo from a terminal; from a pipe, its next line."""
    if sys.stdin.isatty():
        try:
            return getpass.getpass(prompt)
        except EOFError:  # Ctrl+D
            print(file=sys.stderr)
            raise credentials.CredentialError("no PIN was keyed in; nothing was changed") from None
    return sys.stdin.readline().rstrip("\n")


def _remove(arguments: Namespace) -> int:
    file = _file(arguments)
    credentials.remove(file, arguments.number)
    print(f"{file}: credential {arguments.number} removed")
    return exits.OK


def _list(arguments: Namespace) -> int:
    numbers = credentials.load(_file(arguments)).numbers
    if arguments.json:
        print(as_json({"credentials": list(numbers)}))
    else:
        print(
            "\n".join(numbers) if numbers else "no credentials yet; add one with: table-controller credential add"
        )
    return exits.OK
