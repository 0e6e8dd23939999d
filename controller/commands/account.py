"""``account``: adds, resets, removes and lists the local accounts with which people open the pages."""

from argparse import ArgumentParser, Namespace
from pathlib import Path

from controller.access import accounts, one_time
from controller.access.roles import Role
from controller.commands.columns import as_json
from controller.commands.keyed_secret import keyed_secret
from controller.runtime import exit_codes as exits
from controller.runtime.log_format import complain

NAME = "account"
HELP = "add, reset, remove or list the accounts that open the pages of a floor or a table"
EXAMPLES = (
    (
        "sudo account accounts.json add maria --role look",
        "asks for a password, twice, and prints the second factor",
    ),
    ("sudo account accounts.json reset maria", "another password and second factor"),
    ("sudo account accounts.json remove maria", "ends her sessions, too"),
    ("account accounts.json list", "names and roles"),
)

_ISSUER = "Casino floor"


def configure(parser: ArgumentParser) -> None:
    parser.add_argument("file", metavar="FILE", type=Path, help="the file of accounts that log_on: accounts: names")
    actions = parser.add_subparsers(dest="action", required=True, metavar="ACTION")
    add = actions.add_parser("add", help="add an account; the password is asked for, twice")
    reset = actions.add_parser("reset", help="give an account another password and second factor")
    remove = actions.add_parser("remove", help="take an account out; its sessions end within seconds")
    show = actions.add_parser("list", help="print the names and roles; nobody can print a password")
    roles = [role.value for role in Role]
    for action in (add, reset, remove):
        action.add_argument("name", metavar="NAME", help="small letters, digits, '.', '_' and '-', at most 40")
    add.add_argument("--role", required=True, choices=roles, help="what the person may do")
    reset.add_argument("--role", choices=roles, help="another role than before")
    show.add_argument("--json", action="store_true", help="print JSON")


def run(arguments: Namespace) -> int:
    actions = {"add": _add, "reset": _reset, "remove": _remove, "list": _list}
    try:
        return actions[arguments.action](arguments)
    except accounts.AccountError as error:
        complain(f"table-controller account: {error}")
        return exits.FAILED


def _add(arguments: Namespace) -> int:
    new = accounts.add(arguments.file, arguments.name, Role(arguments.role), _password())
    return _shown(arguments, f"added, may {arguments.role}", new)


def _reset(arguments: Namespace) -> int:
    role = Role(arguments.role) if arguments.role else None
    new = accounts.reset(arguments.file, arguments.name, role, _password())
    return _shown(arguments, "has another password and second factor now", new)


def _remove(arguments: Namespace) -> int:
    accounts.remove(arguments.file, arguments.name)
    print(f"{arguments.file}: account {arguments.name} removed")
    return exits.OK


def _list(arguments: Namespace) -> int:
    found = accounts.load(arguments.file)
    if arguments.json:
        rows = [
            {"name": name, "role": one.role, "recovery_codes": len(one.recovery)} for name, one in found.items()
        ]
        print(as_json({"accounts": rows}))
        return exits.OK
    for name, one in found.items():
        print(f"{name}  {one.role}  {len(one.recovery)} recovery codes left")
    if not found:
        print("no accounts yet; add one with: add NAME --role ROLE")
    return exits.OK


def _password() -> str:
    """The password as it was typed, twice at a terminal.

    Raises:
        AccountError: none was typed, or the two differ.
    """
    typed = keyed_secret("password: ", "the same password again: ")
    if typed is None:
        raise accounts.AccountError("no password was typed, or the two differ; nothing was changed")
    return typed


def _shown(arguments: Namespace, what: str, new: accounts.NewAccount) -> int:
    """Print the second factor, which is shown this once."""
    print(f"{arguments.file}: account {arguments.name} {what}")
    print("For the person's authenticator, shown this once: the address as a QR code, or the secret by hand")
    print(f"  {one_time.uri(new.one_time, arguments.name, _ISSUER)}")
    print(f"  secret {new.one_time}")
    print("Recovery codes, each of which works once in the place of a code; to be kept on paper:")
    for code in new.recovery:
        print(f"  {code}")
    return exits.OK
