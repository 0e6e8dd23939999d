"""The command line: ``table-controller COMMAND``. Errors are one line each, with the remedy, and no traceback.

A command is a module: its docstring is its help, the first line that of the list; ``configure`` adds its arguments,
``run`` does it and returns the exit code, or None for 0. Only the given command is loaded, and nothing here imports
more than it needs, so that ``verify-software`` can still name a damaged file that prevents the others from loading.
"""

import errno
import os
import sys
from argparse import Action, ArgumentError, ArgumentParser, Namespace, RawDescriptionHelpFormatter
from collections.abc import Sequence
from contextlib import suppress
from importlib import import_module
from io import TextIOWrapper
from types import ModuleType
from typing import Any, NoReturn

from config.problems import did_you_mean
from controller import __version__, errors
from controller.commands.output import complain, in_local_time
from controller.runtime.uncollected import uncollected

PROGRAM = "table-controller"
COMMANDS = (
    *("run", "bench", "check", "selftest", "calibrate", "wheel-report", "credential", "limits", "odds", "guide"),
    *("simulate", "journal", "replay", "audit", "screens", "publish", "floor", "verify-software", "support-bundle"),
)
_EXIT_CODES = (
    "exit codes: 0 in order, 1 a check failed, 2 usage, 78 a configuration, scenario or installed file is wrong"
)
_DEFECTS = (None, errno.EBADF, errno.EFAULT, errno.EINVAL, errno.ENOTSOCK)
"""Only wrong code causes these. A person can put all other errors of the computer right."""
_INTERRUPTED = 130


class CommandParser(ArgumentParser):
    """A parser whose errors name what was probably meant."""

    def __init__(self, **settings: Any) -> None:
        super().__init__(formatter_class=RawDescriptionHelpFormatter, **settings)

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> tuple[Namespace, list[str]]:  # type: ignore[override]
        found, unknown = super().parse_known_args(args, namespace)
        if unknown:
            options = [option for action in self._actions for option in action.option_strings]
            near = did_you_mean(unknown[0].partition("=")[0], options if unknown[0].startswith("-") else ())
            self.error(f"nothing takes '{unknown[0]}'{near and f' ({near})'}")
        return found, unknown

    def error(self, message: str) -> NoReturn:
        self.print_usage(sys.stderr)
        complain(f"{self.prog}: {message}")
        self.exit(errors.USAGE)

    def _check_value(self, action: Action, value: object) -> None:
        if action.choices is not None and value not in action.choices:
            names = [str(one) for one in action.choices]
            remedy = did_you_mean(str(value), names) or f"use one of: {', '.join(names)}"
            raise ArgumentError(action, f"there is no '{value}'; {remedy}")


def parser(names: Sequence[str] = COMMANDS) -> tuple[CommandParser, dict[str, ModuleType]]:
    """The parser for commands, and each one's module."""
    top = CommandParser(
        prog=PROGRAM,
        description="Firmware for the computer under a casino table.",
        epilog=f"{PROGRAM} COMMAND --help has examples of each\n\n{_EXIT_CODES}",
    )
    top.add_argument("--version", action="version", version=f"{PROGRAM} {__version__}")
    commands = top.add_subparsers(dest="command", required=True, metavar="COMMAND")
    modules = {name: import_module(f"controller.commands.{name.replace('-', '_')}") for name in names}
    for name, module in modules.items():
        text = (module.__doc__ or "").strip()
        first = text.partition("\n")[0].rstrip(".")
        module.configure(commands.add_parser(name, help=first, description=text, epilog=_EXIT_CODES))
    return top, modules


def main(words: Sequence[str] | None = None) -> int:
    """Run a command; returns its exit code (see :mod:`controller.errors`)."""
    # Plugins of pydantic's could change what a file or a record means; the search for them reads all metadata, too.
    os.environ["PYDANTIC_DISABLE_PLUGINS"] = "__all__"
    _open_streams()
    words = sys.argv[1:] if words is None else words
    named = [word for word in words[:1] if word in COMMANDS]
    try:
        with uncollected():
            top, modules = parser(named or COMMANDS)
        arguments = top.parse_args(words)
        code: int = modules[arguments.command].run(arguments) or errors.OK
        sys.stdout.flush()
    except BrokenPipeError:  # The reader of the pipe (head, less) has ended.
        _print_nothing_more()
        return errors.OK
    except KeyboardInterrupt:
        return _INTERRUPTED
    except Exception as error:
        explained = _explained(error, " ".join([PROGRAM, *named]))
        if explained is None:
            raise
        text, code = explained
        complain(in_local_time(text))
    return code


def _open_streams() -> None:
    """Closed streams lead nowhere; the others are UTF-8 in every locale, and no character ends a command."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        stream = getattr(sys, name) or open(os.devnull, mode)  # noqa: SIM115
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")
        setattr(sys, name, stream)


def _print_nothing_more() -> None:
    """Let what is still to be written to standard output go nowhere."""
    with suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _explained(error: Exception, command: str) -> tuple[str, int] | None:
    """The message and exit code of an error that a person can put right; None for a defect."""
    # Their classes may be in a damaged file: none is imported.
    code: int | None = getattr(error, "exit_code", None)
    if code is not None:
        return str(error) if hasattr(error, "problems") else f"{command}: {error}", code
    if isinstance(error, OSError) and error.errno not in _DEFECTS:
        _print_nothing_more()  # It may be standard output that cannot be written.
        if error.errno == errno.ENOENT and error.filename is None:  # All other files have a name.
            return f"{command}: the working folder was deleted; change to another one", errors.FAILED
        place = f"{error.filename}: " if error.filename is not None else ""
        return f"{command}: {place}{(error.strerror or os.strerror(error.errno)).lower()}", errors.FAILED
    if isinstance(error, ModuleNotFoundError):
        from hal.distributions import missing

        if (library := missing(command.rpartition(" ")[2], error)) is not None:
            return f"{PROGRAM}: {library}", errors.FAILED
    return None


if __name__ == "__main__":
    sys.exit(main())
