"""The reference of every command, made from the parser, as ``table-controller manual`` makes its pages."""

import re
from argparse import SUPPRESS, Action, HelpFormatter, _HelpAction, _SubParsersAction
from collections.abc import Iterator, Mapping

from controller.commands.cli import parser
from controller.commands.command_parser import PROGRAM, CommandParser, described, folded
from controller.commands.manual_page import ENVIRONMENT, EXIT_STATUS, FILES
from tools.site.markdown import plain, table

_COLUMNS = 88
_PIECE = re.compile(r"[\[(][^\])]*[\])]|\S+")
"""An option with its value, or a word, of a usage line."""


def pages() -> Mapping[str, str]:
    """Each command's page by the command's name; ``index`` lists them."""
    top, _ = parser()
    commands = list(top.actions())
    listed = "".join(f"- [{name}]({name}.md): {plain(said)}\n" for name, _, said in commands)
    index = (
        "# Commands\n\nMade from the parser: what `--help` and the manual pages say.\n\n"
        f"{listed}\n### Of every command\n\n{_arguments(top)}{_closing()}"
    )
    return {"index": index, **{name: _page(name, command) for name, command, _ in commands}}


def _page(name: str, command: CommandParser) -> str:
    text = f"# {PROGRAM} {name}\n\n{plain(described(command.description or ''))}\n\n"
    text += _usage(command) + _arguments(command)
    for word, action, said in command.actions():
        text += f"## {name} {word}\n\n{plain(described(said))}\n\n{_usage(action)}{_arguments(action)}"
    return f"{text}## Examples\n\n{''.join(_examples(command))}"


def _usage(command: CommandParser) -> str:
    lines = [""]
    for piece in _PIECE.findall(" ".join(command.format_usage().split()[1:])):
        if len(lines[-1]) + len(piece) >= _COLUMNS:
            lines.append("   ")
        lines[-1] += f" {piece}" if lines[-1] else piece
    return "```text\n" + "\n".join(lines) + "\n```\n\n"


def _arguments(command: CommandParser) -> str:
    formatter = HelpFormatter(command.prog)
    shown = [
        action
        for group in command._action_groups
        for action in group._group_actions
        if action.help != SUPPRESS and not isinstance(action, _HelpAction | _SubParsersAction)
    ]
    return table(("argument", "what it is"), ((_named(one), plain(formatter._expand_help(one))) for one in shown))


def _named(action: Action) -> str:
    value = action.metavar if isinstance(action.metavar, str) else "|".join(map(str, action.choices or ()))
    value = value or action.dest.upper()
    if not action.option_strings:
        return f"`{value}`"
    given = "" if action.nargs == 0 else f" {value}"
    return ", ".join(f"`{option}{given}`" for option in action.option_strings)


def _examples(command: CommandParser) -> Iterator[str]:
    for words, what in command.examples:
        yield f"{plain(what[:1].upper() + what[1:])}:\n\n```sh\n{folded(words, _COLUMNS)}\n```\n\n"


def _closing() -> str:
    text = ""
    for title, terms in (("Exit codes", EXIT_STATUS), ("Environment", ENVIRONMENT), ("Files", FILES)):
        text += f"### {title}\n\n" + table(("", ""), ((f"`{term}`", plain(said)) for term, said in terms.items()))
    return text
