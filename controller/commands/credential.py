"""Add, remove or list floorpersons and dealers.

examples:
  sudo table-controller credential add 4711     # adds a floorperson; asks for the PIN twice
  sudo table-controller credential add 12 --dealer
      adds a dealer with a PIN, for tables with `dealer_pin: true`
  sudo table-controller credential add 13 --dealer --no-pin
      adds a dealer who logs on with the number alone
  sudo table-controller credential remove 4711  # removes 4711
  table-controller credential list --file table.yaml
      lists everybody in the credentials file of table.yaml
"""

import getpass
import sys
from argparse import ArgumentParser, ArgumentTypeError, Namespace
from pathlib import Path

from config.schema import CredentialsSection
from controller.access import credentials
from controller.access.credentials import CredentialError, Role
from controller.commands.arguments import add_json
from controller.commands.output import show
from controller.configuration.shipped import load_table
from controller.errors import UsageError

STANDARD = Path(str(CredentialsSection.model_fields["file"].default))


def configure(parser: ArgumentParser) -> None:
    actions = parser.add_subparsers(dest="action", required=True, metavar="ACTION")
    add = actions.add_parser("add", help="add a person, or set another PIN; asks for the PIN twice")
    remove = actions.add_parser("remove", help="remove a person")
    listed = actions.add_parser("list", help="print numbers and roles; PINs cannot be printed")
    for action, do in ((add, _add), (remove, _remove), (listed, _list)):
        action.set_defaults(do=do)
        words = f"the credentials file, or the YAML file of a table that names one; default {STANDARD}"
        action.add_argument("--file", type=Path, default=STANDARD, metavar="FILE", help=words)
        if action is not listed:
            words = "credential number, 1 to 8 digits"
            action.add_argument("number", type=_number, metavar="NUMBER", help=words)
    add.add_argument("--dealer", action="store_true", help="the person is a dealer; default: a floorperson")
    add.add_argument("--no-pin", action="store_true", help="with --dealer: the number is enough to log on")
    add_json(listed)


def _number(word: str) -> str:
    """The type of an argument: a credential number."""
    try:
        return credentials.check_number(word)
    except CredentialError as error:
        raise ArgumentTypeError(str(error)) from error


def run(arguments: Namespace) -> None:
    file: Path = arguments.file
    if file.suffix in (".yaml", ".yml"):
        section = load_table(file).config.credentials
        if section is None:
            raise CredentialError(f"{file}: the table asks for no credentials; add a section `credentials:`")
        file = Path(section.file)
    arguments.do(file, arguments)


def _add(file: Path, arguments: Namespace) -> None:
    if arguments.no_pin and not arguments.dealer:
        raise UsageError("--no-pin goes with --dealer only: a floorperson needs a PIN")
    role = Role.DEALER if arguments.dealer else Role.FLOORPERSON
    pin = None if arguments.no_pin else _ask("PIN: ")
    if pin is not None and sys.stdin.isatty() and _ask("the same PIN again: ") != pin:
        raise CredentialError("the two PINs differ; nothing was changed")
    new = credentials.add(file, arguments.number, role, pin)
    changed = "has no PIN now" if pin is None else "has another PIN now"
    print(f"{file}: {role.value} {arguments.number} {'added' if new else changed}")


def _ask(prompt: str) -> str:
    """A line without echo from a terminal; from a pipe, its next line."""
    if not sys.stdin.isatty():
        return sys.stdin.readline().rstrip("\n")
    try:
        return getpass.getpass(prompt)
    except EOFError:  # Ctrl+D
        print(file=sys.stderr)
        raise CredentialError("no PIN was keyed in; nothing was changed") from None


def _remove(file: Path, arguments: Namespace) -> None:
    credentials.remove(file, arguments.number)
    print(f"{file}: {arguments.number} removed")


def _list(file: Path, arguments: Namespace) -> None:
    people = [(number, one.role.value, one.pin is not None) for number, one in credentials.load(file).items()]
    lines = [f"{number:8}  {role}{'' if pin else ', no PIN'}" for number, role, pin in people]
    data = {"credentials": [{"number": number, "role": role, "pin": pin} for number, role, pin in people]}
    show(
        arguments.json, data, lines or ["no credentials yet; add one with: table-controller credential add NUMBER"]
    )
