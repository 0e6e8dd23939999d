"""The command line: ``table-controller COMMAND``. Errors are one line each, with the remedy, and no traceback."""

import sys
from argparse import ArgumentParser
from collections.abc import Sequence
from importlib import import_module
from types import ModuleType

from config.problems import ConfigError
from controller import __version__, exits
from controller.games.game import UnknownGameError
from controller.records.journal import JournalError
from hal.errors import HalError

COMMANDS = (
    "run",
    "bench",
    "check",
    "selftest",
    "calibrate",
    "schema",
    "odds",
    "guide",
    "simulate",
    "journal",
    "replay",
)
_EPILOG = "exit codes: 0 in order, 1 a check failed, 2 usage, 78 a configuration or scenario is wrong"


def parser() -> tuple[ArgumentParser, dict[str, ModuleType]]:
    """The parser, and each command's module."""
    top = ArgumentParser(
        prog="table-controller", description="Firmware for the computer under a casino table.", epilog=_EPILOG
    )
    top.add_argument("--version", action="version", version=f"table-controller {__version__}")
    commands = top.add_subparsers(dest="command", required=True, metavar="COMMAND")
    modules = {name: import_module(f"controller.commands.{name}") for name in COMMANDS}
    for name, module in modules.items():
        module.configure(commands.add_parser(name, help=module.HELP, description=module.__doc__, epilog=_EPILOG))
    return top, modules


def main(words: Sequence[str] | None = None) -> int:
    """Run a command; returns its exit code (see :mod:`controller.exits`)."""
    top, modules = parser()
    arguments = top.parse_args(words)
    try:
        code: int = modules[arguments.command].run(arguments)
    except ConfigError as error:
        print(error, file=sys.stderr)
        return exits.CONFIGURATION
    except UnknownGameError as error:
        print(f"table-controller: {error}", file=sys.stderr)
        return exits.USAGE
    except (HalError, JournalError) as error:
        print(f"table-controller: {error}", file=sys.stderr)
        return exits.FAILED
    except BrokenPipeError:
        # The reader (head, less) has seen enough.
        sys.stderr.close()
        return exits.OK
    except KeyboardInterrupt:
        return 130
    return code


if __name__ == "__main__":
    sys.exit(main())
