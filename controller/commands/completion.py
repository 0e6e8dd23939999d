"""``completion``: prints the completion of commands, options, games and files for bash or zsh.

The installer places it. Elsewhere: ``table-controller completion bash`` into
``~/.local/share/bash-completion/completions/table-controller``, or ``table-controller completion zsh`` into a file
``_table-controller`` in a folder of ``fpath``.
"""

from argparse import Action, ArgumentParser, Namespace, _SubParsersAction
from collections.abc import Iterator

from controller.commands.command_parser import CommandParser
from controller.runtime import exit_codes as exits
from controller.statechart.registry import game_names

NAME = "completion"
HELP = "print the completion of all commands for bash or zsh"
EXAMPLES = (
    ("completion bash", "for ~/.local/share/bash-completion/completions/table-controller"),
    ("completion zsh", "for a file _table-controller in a folder of fpath"),
)

_FUNCTION = "_table_controller_of_{}"
KINDS = {
    "GAME|FILE": "tables",
    "FILE": "files",
    "JOURNAL|FILE": "journals",
    "FILE.vcd": "recordings",
    "CAP.vcd": "recordings",
    "OUT": "files",
    "PEM": "files",
    "PATH": "files",
    "PLACE": "files",
    "FOLDER|DEVICE": "files",
    "FOLDER": "folders",
    "NAME of name": "accounts",
}
"""What an argument is completed with, by what it is called in the help. Choices complete by themselves."""
_PATTERNS = {"yaml": ("yaml", "yml"), "journals": ("journal", "yaml", "yml"), "recordings": ("vcd",)}
_LIST_ACCOUNTS = 'table-controller account "$word" list 2>/dev/null | cut -d " " -f 1'


def configure(parser: ArgumentParser) -> None:
    parser.add_argument("shell", choices=("bash", "zsh"), metavar="SHELL", help="bash or zsh")


def run(arguments: Namespace) -> int:
    from controller.commands.cli import parser  # It loads this module.

    print(completion(parser()[0], arguments.shell))
    return exits.OK


def completion(top: CommandParser, shell: str) -> str:
    """The completion of a parser, as a shell reads it."""
    import shtab  # Only this command needs it.

    for action in arguments_of(top):
        if kind := kind_of(action):
            # An attribute that shtab looks for, and argparse does not know.
            vars(action)["complete"] = dict.fromkeys(("bash", "zsh"), _FUNCTION.format(kind))
    if shell == "bash":
        return shtab.complete(top, shell, preamble=_bash(game_names()))
    return _counted(top, shtab.complete(top, shell, preamble=_zsh(game_names())))


def _counted(top: CommandParser, text: str) -> str:
    """The zsh completion with the right argument for the action of a command that takes another argument before.

    shtab takes an action for the first argument of its command.
    """
    for name, parser, _ in top.actions():
        before = next(
            (place for place, action in enumerate(_positionals(parser)) if isinstance(action, _SubParsersAction)), 0
        )
        if before:
            head, function, rest = text.partition(f"\n_shtab_table_controller_{name.replace('-', '_')}() {{\n")
            body, end, rest = rest.partition("\n}\n")
            text = head + function + body.replace("$line[1]", f"$line[{before + 1}]") + end + rest
    return text


def _positionals(parser: CommandParser) -> list[Action]:
    return [action for action in parser._actions if not action.option_strings]


def arguments_of(parser: CommandParser) -> Iterator[Action]:
    """Every argument of a parser and of its commands and actions."""
    yield from parser._actions
    for _, one, _ in parser.actions():
        yield from arguments_of(one)


def kind_of(action: Action) -> str:
    """What an argument is completed with; empty if that cannot be known, or its choices say it."""
    if action.choices is not None or not isinstance(action.metavar, str):
        return ""
    if action.metavar == "FILE" and not action.option_strings:
        return "yaml"  # The file that a command is about. Where there is none of its kind, the shells offer all.
    return KINDS.get(action.metavar, "") or KINDS.get(f"{action.metavar} of {action.dest}", "")


def _bash(games: list[str]) -> str:
    lines = [f"{_FUNCTION.format('files')}() {{ compgen -f -- $1; }}"]
    lines.append(f"{_FUNCTION.format('folders')}() {{ compgen -d -- $1; }}")
    for kind, ends in _PATTERNS.items():
        files = " ".join(f"compgen -f -X '!*.{end}' -- $1;" for end in ends)
        lines.append(f"{_FUNCTION.format(kind)}() {{ {files} compgen -d -- $1; }}")
    of_yaml = _FUNCTION.format("yaml")
    lines.append(f"{_FUNCTION.format('tables')}() {{ compgen -W '{' '.join(games)}' -- $1; {of_yaml} $1; }}")
    lines += [
        f"{_FUNCTION.format('accounts')}() {{",
        '  local word; for word in "${COMP_WORDS[@]}"; do',
        f'    [ ! -f "$word" ] || compgen -W "$({_LIST_ACCOUNTS})" -- $1',
        "  done",
        "}",
    ]
    return "\n".join(lines)


def _zsh(games: list[str]) -> str:
    lines = [f"{_FUNCTION.format('files')}() {{ _files }}", f"{_FUNCTION.format('folders')}() {{ _files -/ }}"]
    for kind, ends in _PATTERNS.items():
        pattern = f"*.({'|'.join(ends)})" if ends[1:] else f"*.{ends[0]}"  # One in brackets would be a qualifier.
        lines.append(f"{_FUNCTION.format(kind)}() {{ _files -g '{pattern}' }}")
    lines += [
        f"{_FUNCTION.format('tables')}() {{",
        f"  _alternative 'games:game:({' '.join(games)})' 'files:file:{_FUNCTION.format('yaml')}'",
        "}",
        f"{_FUNCTION.format('accounts')}() {{",
        "  local word; for word in ${(Q)${(z)BUFFER}}; do",
        f"    [[ ! -f $word ]] || compadd -- $({_LIST_ACCOUNTS})",
        "  done",
        "}",
    ]
    return "\n".join(lines)
