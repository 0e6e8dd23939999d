"""A program: the command line where some libraries are not installed, as after a plain ``pip install``.

On standard input a JSON object: ``refused``, the libraries, and ``commands``, each a list of words. On standard
output a JSON list with code, output and errors of each.
"""

import io
import json
import sys
import traceback
from collections.abc import Sequence
from contextlib import redirect_stderr, redirect_stdout
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec
from types import ModuleType


class Refusing(MetaPathFinder):
    """Finds no module of some libraries, wherever they are installed."""

    def __init__(self, libraries: Sequence[str]) -> None:
        self._libraries = frozenset(libraries)

    def find_spec(
        self, name: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if name.partition(".")[0] in self._libraries:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)
        return None


def ran(words: Sequence[str]) -> dict[str, object]:
    """The result of a command, run as if in a process of its own."""
    from controller.commands.cli import main

    out, err = io.StringIO(), io.StringIO()
    with redirect_stdout(out), redirect_stderr(err):
        try:
            code: object = main(words)
        except SystemExit as ended:
            code = ended.code
        except Exception:  # noqa: BLE001 - the test shall see whatever a user would.
            code = "traceback"
            traceback.print_exc()
    return {"code": code, "out": out.getvalue(), "err": err.getvalue()}


if __name__ == "__main__":
    job = json.load(sys.stdin)
    sys.meta_path.insert(0, Refusing(job["refused"]))
    json.dump([ran(words) for words in job["commands"]], sys.stdout)
