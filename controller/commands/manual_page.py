"""Manual pages in the form of man(7), made from the parser: one of the program and one of each command.

Own text rather than a library's: of what there is, nothing escapes a line that begins with a quotation mark, keeps
the lines of examples, or knows exit codes.
"""

import re
from argparse import SUPPRESS, Action, HelpFormatter, _HelpAction, _SubParsersAction
from collections.abc import Iterable, Iterator, Mapping

from controller import __version__
from controller.commands.command_parser import PROGRAM, CommandParser, Examples, described, folded

EXIT_STATUS = {
    "0": "All is in order.",
    "1": "A check failed, or what was asked for could not be done.",
    "2": "Usage: a word of the command line is wrong.",
    "78": "A configuration, a scenario or an installed file is wrong.",
}
ENVIRONMENT = {
    "NO_COLOR": "If it is set, nothing is coloured.",
    "FORCE_COLOR, CLICOLOR_FORCE": "Colours even if no terminal reads, unless NO_COLOR is set. JSON never has any.",
    "TZ": "The time zone of the times that are printed for people. JSON and the record have UTC.",
}
FILES = {
    "/etc/table-controller/table.yaml": "The table's file.",
    "/etc/table-controller-floor/floor.yaml": "The floor's file.",
    "/var/lib/table-controller": "The journal.",
}
_ESCAPES = {"\\": r"\e", "-": r"\-", "'": r"\(aq", "`": r"\(ga", "^": r"\(ha", "~": r"\(ti"}
_EXAMPLE_COLUMNS = 70


def escaped(text: str) -> str:
    """A text that roff prints as it stands, wherever it is in a line."""
    plain = "".join(_ESCAPES.get(one, one if one.isascii() else f"\\[u{ord(one):04X}]") for one in text)
    return re.sub(r"(?m)^(?=\.)", r"\\&", plain)


def pages(top: CommandParser) -> Iterator[tuple[str, str]]:
    """Every page: the name of its file, and its text."""
    commands = [(name, parser, said) for name, parser, said in top.actions()]
    listed = {f"{PROGRAM}-{name}(1)": said for name, _, said in commands}
    yield f"{PROGRAM}.1", _page(PROGRAM, "firmware for the computer under a casino table", _whole(top, listed))
    for name, parser, said in commands:
        yield f"{PROGRAM}-{name}.1", _page(f"{PROGRAM}-{name}", said, _command(parser))


def _page(name: str, said: str, lines: Iterable[str]) -> str:
    head = f'.TH {escaped(name.upper())} 1 "" "{PROGRAM} {__version__}" "Table controller"'
    return "\n".join([head, ".nh", ".ad l", ".SH NAME", f"{escaped(name)} \\- {escaped(said)}", *lines]) + "\n"


def _whole(top: CommandParser, listed: Mapping[str, str]) -> Iterator[str]:
    yield from (".SH SYNOPSIS", *_synopsis(top), ".SH DESCRIPTION", escaped(top.description or ""))
    yield from (".SH COMMANDS", *_terms(listed))
    yield from _arguments(top, ".SH")
    yield from _closing()


def _command(parser: CommandParser) -> Iterator[str]:
    yield from (".SH SYNOPSIS", *_synopsis(parser))
    yield from (".SH DESCRIPTION", *_paragraphs(described(parser.description or "")))
    yield from _arguments(parser, ".SH")
    for name, action, said in parser.actions():
        yield from (f".SH {escaped(name.upper())}", *_synopsis(action), ".PP", escaped(described(said)))
        yield from _arguments(action, ".SS")
    yield from (".SH EXAMPLES", *_examples(parser.examples), *_closing())
    yield from (".SH SEE ALSO", f"{escaped(PROGRAM)}(1)")


def _synopsis(parser: CommandParser) -> Iterator[str]:
    words = parser.format_usage().split()[1:]
    named = parser.prog.split()
    yield f".B {escaped(parser.prog)}"
    yield escaped(" ".join(words[len(named) :]))


def _arguments(parser: CommandParser, heading: str) -> Iterator[str]:
    formatter = HelpFormatter(parser.prog)
    for group in parser._action_groups:
        shown = [
            action
            for action in group._group_actions
            if action.help != SUPPRESS and not isinstance(action, _HelpAction | _SubParsersAction)
        ]
        if shown:
            title = "arguments" if group.title == "positional arguments" else group.title or ""
            yield f"{heading} {escaped(title.upper() if heading == '.SH' else title.capitalize())}"
        for action in shown:
            yield from (".TP", _invocation(action), escaped(formatter._expand_help(action)))


def _invocation(action: Action) -> str:
    value = action.metavar if isinstance(action.metavar, str) else "|".join(map(str, action.choices or ()))
    value = f"\\fI{escaped(value or action.dest.upper())}\\fR"
    if not action.option_strings:
        return value
    names = ", ".join(f"\\fB{escaped(one)}\\fR" for one in action.option_strings)
    return names if action.nargs == 0 else f"{names} {value}"


def _examples(examples: Examples) -> Iterator[str]:
    for words, what in examples:
        yield from (".PP", f"{escaped(what[:1].upper() + what[1:])}:", ".PP", ".RS 4", ".nf", "\\fB")
        yield from (escaped(line) for line in folded(words, _EXAMPLE_COLUMNS).split("\n"))
        yield from ("\\fR", ".fi", ".RE")


def _closing() -> Iterator[str]:
    yield from (".SH EXIT STATUS", *_terms(EXIT_STATUS))
    yield from (".SH ENVIRONMENT", *_terms(ENVIRONMENT))
    yield from (".SH FILES", *_terms(FILES))


def _terms(terms: Mapping[str, str]) -> Iterator[str]:
    for term, text in terms.items():
        yield from (".TP", f".B {escaped(term)}", escaped(text))


def _paragraphs(text: str) -> Iterator[str]:
    for number, paragraph in enumerate(re.split(r"\n\s*\n", text)):
        if number:
            yield ".PP"
        yield escaped(" ".join(paragraph.split()))
