"""The command line: ``table-controller COMMAND``. Errors are one line each, with the remedy, and no traceback.

Only the given command is loaded, and nothing here imports more than it needs, so that ``verify-software`` can still
name a damaged file that prevents the other commands from loading.
"""

import os
import sys
from collections.abc import Sequence
from importlib import import_module
from types import ModuleType

from controller import __version__
from controller.commands.command_parser import EXIT_CODES, PROGRAM, CommandParser, HelpText
from controller.commands.console import complain
from controller.runtime import exit_codes as exits
from controller.runtime.uncollected import uncollected

COMMANDS = (
    "run",
    "bench",
    "check",
    "selftest",
    "calibrate",
    "wheel-report",
    "credential",
    "limits",
    "schema",
    "odds",
    "guide",
    "simulate",
    "journal",
    "verify-software",
    "replay",
    "support-bundle",
    "screens",
    "publish",
    "audit",
    "floor",
)


def parser(names: Sequence[str] = COMMANDS) -> tuple[CommandParser, dict[str, ModuleType]]:
    """The parser for commands, and each one's module."""
    top = CommandParser(
        prog=PROGRAM,
        description="Firmware for the computer under a casino table.",
        epilog=f"{PROGRAM} COMMAND --help has examples of each\n\n{EXIT_CODES}",
        formatter_class=HelpText,
    )
    top.add_argument("--version", action="version", version=f"table-controller {__version__}")
    commands = top.add_subparsers(dest="command", required=True, metavar="COMMAND")
    modules = {name: import_module(f"controller.commands.{name.replace('-', '_')}") for name in names}
    for name, module in modules.items():
        command = commands.add_parser(name, help=module.HELP)
        module.configure(command)
        command.describe(module.__doc__ or "", module.EXAMPLES)
    return top, modules


def main(words: Sequence[str] | None = None) -> int:
    """Run a command; returns its exit code (see :mod:`controller.runtime.exit_codes`)."""
    # Plugins of pydantic's could change what a file or a record means; the search for them reads all metadata, too.
    os.environ["PYDANTIC_DISABLE_PLUGINS"] = "__all__"
    words = sys.argv[1:] if words is None else words
    named = [word for word in words[:1] if word in COMMANDS]
    try:
        with uncollected():
            top, modules = parser(named or COMMANDS)
        arguments, unknown = top.parse_known_args(words)
        if unknown:
            top.refuse(unknown, words)
        code: int = modules[arguments.command].run(arguments)
    except BrokenPipeError:
        # The reader of the pipe (head, less) has ended.
        sys.stderr.close()
        return exits.OK
    except KeyboardInterrupt:
        return 130
    except Exception as error:
        message = _message(error, named[0] if named else "table-controller")
        if message is None:
            raise
        text, failed = message
        from controller.commands.local_time import in_local_time

        complain(in_local_time(text))
        return failed
    return code


def _message(error: Exception, command: str) -> tuple[str, int] | None:
    """The message and exit code of an expected error; None for a defect."""
    if isinstance(error, ModuleNotFoundError):
        # Checked first, because the imports below may need the missing library.
        from hal.libraries import missing

        library = missing(command, error)
        return None if library is None else (f"table-controller: {library}", exits.FAILED)
    from config.problems import ConfigError
    from controller.journal.errors import JournalError
    from controller.machine.registry import UnknownGameError, UnusableGameError
    from hal.errors import HalError

    if isinstance(error, ConfigError):
        return str(error), exits.CONFIGURATION
    if isinstance(error, UnusableGameError):
        return f"table-controller: {error}", exits.CONFIGURATION
    if isinstance(error, UnknownGameError):
        return f"table-controller: {error}", exits.USAGE
    if isinstance(error, HalError | JournalError):
        return f"table-controller: {error}", exits.FAILED
    return None


if __name__ == "__main__":
    sys.exit(main())
