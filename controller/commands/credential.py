"""``credential``: adds, removes and lists the people whom a table knows: floorpersons and dealers."""

import getpass
import sys
from argparse import ArgumentParser, Namespace
from pathlib import Path

from config.schema import CredentialsSection as Section
from controller.access import credentials
from controller.access.credentials import Role
from controller.commands.columns import as_json
from controller.commands.console import complain
from controller.configuration.shipped import load_table
from controller.runtime import exit_codes as exits

NAME = "credential"
HELP = "add, remove or list floorpersons and dealers"
EXAMPLES = (
    ("sudo credential add 4711", "a floorperson; asks for the PIN twice"),
    ("sudo credential add 12 --dealer", "a dealer with a PIN, for tables with `dealer_pin: true`"),
    ("sudo credential add 13 --dealer --no-pin", "a dealer whose number is enough"),
    ("sudo credential remove 4711", "refuses 4711 from now on"),
    ("credential list --file table.yaml", "the people in the file that table.yaml names"),
)
STANDARD = Path(str(Section.model_fields["file"].default))


def configure(parser: ArgumentParser) -> None:
    actions = parser.add_subparsers(dest="action", required=True, metavar="ACTION")
    add = actions.add_parser("add", help="add a person, or set another PIN; asks for the PIN twice")
    remove = actions.add_parser("remove", help="remove a person")
    show = actions.add_parser("list", help="print numbers and roles; PINs cannot be printed")
    for action in (add, remove):
        action.add_argument("number", metavar="NUMBER", help="credential number, 1 to 8 digits")
    add.add_argument("--dealer", action="store_true", help="the person is a dealer; default: a floorperson")
    add.add_argument("--no-pin", action="store_true", help="with --dealer: the number is enough to log on")
    for action in (add, remove, show):
        action.add_argument(
            "--file",
            type=Path,
            default=STANDARD,
            metavar="FILE",
            help=f"the credentials file, or the YAML file of a table that names one; default {STANDARD}",
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
            f"{given}: the table asks for no credentials; add a section `credentials:`"
        )
    return Path(section.file)


def _add(arguments: Namespace) -> int:
    file, number = _file(arguments), arguments.number
    role = Role.DEALER if arguments.dealer else Role.FLOORPERSON
    pin = None if arguments.no_pin else _ask("PIN: ")
    if pin is not None and sys.stdin.isatty() and _ask("the same PIN again: ") != pin:
        raise credentials.CredentialError("the two PINs differ; nothing was changed")
    new = credentials.add(file, number, role, pin)
    changed = "has no PIN now" if pin is None else "has another PIN now"
    print(f"{file}: {role.value} {number} {'added' if new else changed}")
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
    print(f"{file}: {arguments.number} removed")
    return exits.OK


def _list(arguments: Namespace) -> int:
    people = credentials.load(_file(arguments))
    if arguments.json:
        found = [
            {"number": number, "role": person.role.value, "pin": person.pin is not None}
            for number, person in people.items()
        ]
        print(as_json({"credentials": found}))
    elif people:
        for number, person in people.items():
            print(f"{number:8}  {person.role.value}{'' if person.pin is not None else ', no PIN'}")
    else:
        print("no credentials yet; add one with: table-controller credential add NUMBER")
    return exits.OK
