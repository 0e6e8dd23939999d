"""The games and the backend of CONTRIBUTING.md, installed as small distributions in a folder of their own."""

import json
import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path

from project import ROOT

from controller.runtime.manifest import installed, sums

_BLOCK = re.compile(
    r"^`([\w./]+\.\w+)`(?:[^\n]*\n)(?:(?!```)[^\n]+\n)*\n```\w+\n(.*?)^```", re.MULTILINE | re.DOTALL
)
GAMES = {"high-dice": "high_dice", "spin-again": "spin_again"}
PATIENCE_S = 300
"""After so long a command that hangs is given up."""
_ONE_BY_ONE = """
import json, sys
from controller.commands.cli import main
sys.exit(max([main(words) for words in json.loads(sys.argv[1])]))
"""


def documented() -> dict[str, str]:
    """The files that CONTRIBUTING.md writes out, by name."""
    return dict(_BLOCK.findall((ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")))


def lay_out(site: Path, package: str) -> None:
    """The files of a package, as the document has them."""
    for name, text in documented().items():
        if name.startswith(f"{package}/"):
            (site / name).parent.mkdir(parents=True, exist_ok=True)
            (site / name).write_text(text, encoding="utf-8")
    (site / package / "__init__.py").write_text("", encoding="utf-8")


def register(site: Path, package: str, points: dict[str, dict[str, str]]) -> None:
    """The metadata that pip writes beside a package."""
    folder = site / f"{package}-1.0.dist-info"
    folder.mkdir(parents=True)
    (folder / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {package}\nVersion: 1.0\n", encoding="utf-8")
    groups = [f"[{group}]\n" + "".join(f"{k} = {v}\n" for k, v in named.items()) for group, named in points.items()]
    (folder / "entry_points.txt").write_text("".join(groups), encoding="utf-8")


def install_game(site: Path, game: str) -> Path:
    """Install a documented game; returns its folder."""
    package = GAMES[game]
    text = documented()["pyproject.toml"].replace("high-dice", game).replace("high_dice", package)
    lay_out(site, package)
    register(site, package, tomllib.loads(text)["project"]["entry-points"])
    return site / package


def install_broken(site: Path, game: str, text: str | None, package: str = "broken_game") -> None:
    """Install a distribution that offers a game by a ``game.py`` with this text; None for no package at all."""
    register(site, package, {"table_controller.games": {game: package}})
    if text is not None:
        (site / package).mkdir()
        (site / package / "__init__.py").write_text("", encoding="utf-8")
        (site / package / "game.py").write_text(text, encoding="utf-8")


def environment(site: Path) -> dict[str, str]:
    paths = os.pathsep.join((str(site), str(ROOT)))
    return {**os.environ, "PYTHONPATH": paths, "PYTHONDONTWRITEBYTECODE": "1", "PYTHONUNBUFFERED": "1"}


def command(site: Path, *words: str | Path) -> subprocess.CompletedProcess[str]:
    """The real command line, with what is installed in a folder; without a terminal."""
    return _python(site, "-m", "controller", *map(str, words))


def _python(site: Path, *words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, *words],
        cwd=site,
        env=environment(site),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=PATIENCE_S,
        check=False,
    )


def answered(site: Path, *words: str | Path) -> str:
    """The output of a command that succeeds."""
    done = command(site, *words)
    assert done.returncode == 0, f"{words}: {done.stdout}{done.stderr}"
    return done.stdout


def answered_in_one_process(site: Path, commands: list[list[str]]) -> None:
    """Several commands that succeed, one after another: a process for each costs more than what they do."""
    done = _python(site, "-c", _ONE_BY_ONE, json.dumps(commands))
    assert done.returncode == 0, f"{commands}: {done.stdout}{done.stderr}"


def refused(site: Path, *words: str | Path) -> tuple[int, str]:
    """The exit code and the one sentence of a command that is refused."""
    done = command(site, *words)
    assert done.returncode
    assert "Traceback" not in done.stderr, done.stderr
    output = done.stderr or done.stdout
    return done.returncode, output.strip()


def files_of_the_checkout() -> dict[str, str]:
    """The SHA-256 of every file of this software."""
    return sums(installed())
