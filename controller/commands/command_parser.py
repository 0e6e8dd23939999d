"""The parser of the command line: help with examples, and errors that name what was probably meant.

Each command's module has its ``EXAMPLES``: what is typed behind ``table-controller``, and what that does. They
stand in the command's ``--help``, and in that of the action that they call.
"""

import re
import sys
from argparse import Action, ArgumentError, ArgumentParser, HelpFormatter, _SubParsersAction
from collections.abc import Iterator, Sequence
from typing import NoReturn

from config.problems import did_you_mean
from controller.commands.console import complain
from controller.runtime import exit_codes as exits

PROGRAM = "table-controller"
EXIT_CODES = (
    "exit codes: 0 in order, 1 a check failed, 2 usage, 78 a configuration, scenario or installed file is wrong"
)
Examples = Sequence[tuple[str, str]]
"""Words behind ``table-controller``, and what they do."""

_WIDTH = 80


class HelpText(HelpFormatter):
    """Fills paragraphs; one that has an indented line, such as the examples, stays as it is."""

    def _fill_text(self, text: str, width: int, indent: str) -> str:
        paragraphs = re.split(r"\n\s*\n", text.strip())
        return "\n\n".join(
            one if "\n " in one else super(HelpText, self)._fill_text(one, width, indent) for one in paragraphs
        )


class CommandParser(ArgumentParser):
    """A parser of the command line, or of one command or action."""

    examples: Examples = ()

    def describe(self, text: str, examples: Examples) -> None:
        """Give a command and its actions description and examples.

        Args:
            text: what it does; of a command the docstring of its module.
            examples: of the command, whatever their action.
        """
        self.formatter_class = HelpText
        self.description, self.examples = text, examples
        for name, parser, said in self.actions():
            parser.describe(said, [one for one in examples if name in one[0].split()])

    def format_help(self) -> str:
        """The help. Its text is made for those who ask for it alone."""
        if self.examples:
            self.description, self.epilog = described(self.description or ""), epilog(self.examples)
        return super().format_help()

    def actions(self) -> Iterator[tuple[str, "CommandParser", str]]:
        """The commands or actions of this parser: name, parser, and what is said of each in the list."""
        for group in self._actions:
            if isinstance(group, _SubParsersAction):
                said = {one.dest: one.help or "" for one in group._get_subactions()}
                yield from ((name, parser, said[name]) for name, parser in group.choices.items())

    def refuse(self, unknown: Sequence[str], words: Sequence[str]) -> NoReturn:
        """End with the words that nothing takes, and what was probably meant."""
        parser = next((parser for name, parser, _ in self.actions() if name in words), None)
        if parser is not None:
            parser.refuse(unknown, words)
        options = [option for action in self._actions for option in action.option_strings]
        said = []
        for word in unknown:
            near = did_you_mean(word.partition("=")[0], options) if word.startswith("-") else ""
            said.append(f"'{word}' ({near})" if near else f"'{word}'")
        self.error(f"nothing takes {', '.join(said)}")

    def error(self, message: str) -> NoReturn:
        """Print usage and the message, and end with the exit code of a usage error."""
        self.print_usage(sys.stderr)
        complain(f"{self.prog}: {message}")
        self.exit(exits.USAGE)

    def _check_value(self, action: Action, value: object) -> None:
        choices = action.choices
        if choices is None or value in choices:
            return
        names = [str(one) for one in choices]
        remedy = did_you_mean(str(value), names) or f"use one of: {', '.join(names)}"
        raise ArgumentError(action, f"there is no '{value}'; {remedy}")


def described(module_text: str) -> str:
    """What a command does, from its module's docstring: without the command's name and marks of code."""
    text = re.sub(r"^``[^`]+``: ", "", module_text.strip()).replace("``", "")
    return sentence(text)


def sentence(text: str) -> str:
    """A text as a sentence: with a capital, and a full stop at the end."""
    text = text[:1].upper() + text[1:]
    return text if not text or text.endswith((".", "?")) else f"{text}."


def epilog(examples: Examples) -> str:
    """Examples and exit codes."""
    import textwrap  # As argparse does: only help needs it.

    lines = ["examples:"]
    for words, what in examples:
        lines.append("  " + folded(words, _WIDTH - 4).replace("\n", "\n    "))
        lines += textwrap.wrap(what, _WIDTH - 8, initial_indent=" " * 6, subsequent_indent=" " * 6)
    return "\n".join(lines) + f"\n\n{EXIT_CODES}"


def command_line(words: str) -> list[str]:
    """An example's words as they are typed, each quoted where a shell needs it."""
    import shlex

    given = shlex.split(words)
    before = given[:1] if given[0] == "sudo" else []
    return [shlex.quote(word) for word in (*before, PROGRAM, *given[len(before) :])]


def folded(words: str, width: int) -> str:
    """An example as it is typed, in lines that a shell takes as one."""
    pieces: list[str] = []
    for word in command_line(words):
        if pieces and pieces[-1].startswith("-") and " " not in pieces[-1] and not word.startswith("-"):
            pieces[-1] += f" {word}"  # An option stays with its value.
        else:
            pieces.append(word)
    lines = [pieces[0]]
    for piece in pieces[1:]:
        if len(lines[-1]) + len(piece) + 3 > width:
            lines.append(piece)
        else:
            lines[-1] += f" {piece}"
    return " \\\n".join(lines)
