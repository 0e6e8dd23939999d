"""Writes requirements.txt: each package that is ever installed, with its version and the hashes of its files.

``make lock`` after a change to setup.py or pyproject.toml keeps the versions that still fit.
``make lock UPGRADE=1`` takes the newest ones: run the tests then. One resolution by uv is valid for Linux and for
Python 3.11 and newer. A comment before each package names the groups that need it: ``base``, the extras ``pi``,
``floor`` and ``dev`` (each with the base), ``build`` (the build back-end) and ``lock`` (uv).
"""

import os
import re
import runpy
import subprocess
import tomllib
from collections.abc import Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from unittest import mock

ROOT = Path(__file__).parents[1]
LOCK = ROOT / "requirements.txt"
ALONE = ("build", "lock")
"""The groups that do not need the base."""
HEAD = "# Each package with its version and hashes, after the names of its groups. `make lock` writes this file.\n"
OPTIONS = (
    *("--universal", "--python-version", "3.11", "--generate-hashes", "--annotation-style", "split"),
    *("--no-header", "--no-emit-index-url", "--no-emit-find-links", "--quiet"),
)


def groups() -> dict[str, list[str]]:
    """The requirements of each group, without those of the base."""
    with mock.patch("setuptools.setup") as setup:
        runpy.run_path(str(ROOT / "setup.py"))
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    known = setup.call_args.kwargs
    base = {"base": known["install_requires"], **known["extras_require"]}
    return {**base, "build": project["build-system"]["requires"], "lock": ["uv"]}


def resolved(requirements: Mapping[str, Sequence[str]], upgrade: bool) -> str:
    """uv's output for all groups together."""
    with TemporaryDirectory() as folder:
        work = Path(folder)
        for name, lines in requirements.items():
            (work / f"{name}.in").write_text("\n".join(lines) + "\n", encoding="utf-8")
        if LOCK.exists() and not upgrade:  # uv keeps the versions of its output file.
            (work / "all.txt").write_text(LOCK.read_text(encoding="utf-8"), encoding="utf-8")
        files = [f"{name}.in" for name in requirements]
        command = [os.environ.get("UV", "uv"), "pip", "compile", *OPTIONS, "--output-file", "all.txt", *files]
        subprocess.run(command, cwd=work, check=True, stdout=subprocess.DEVNULL)
        return (work / "all.txt").read_text(encoding="utf-8")


def labelled(output: str, names: Sequence[str]) -> str:
    """uv's output with a line of groups before each package, in place of the list of parents after it."""
    blocks = re.findall(r"^\S.*\n(?:    .*\n)*", output, re.MULTILINE)
    needed_by: dict[str, set[str]] = {}
    for block in blocks:
        parents = re.findall(r"^    # +(?:via +)?(?:-r )?(\S+)$", block, re.MULTILINE)
        needed_by.setdefault(_name(block), set()).update(map(_name, parents))
    members = {}
    for group in names:
        found = {f"{group}.in"} if group in ALONE else {f"{group}.in", "base.in"}
        while more := {name for name, parents in needed_by.items() if parents & found} - found:
            found |= more
        members[group] = found
    text = ""
    for block in blocks:
        lines = [line.removesuffix(" \\") for line in block.splitlines() if not line.startswith("    #")]
        text += f"# {' '.join(group for group in names if _name(block) in members[group])}\n"
        text += " \\\n".join(lines) + "\n"
    return text


def _name(text: str) -> str:
    """The package's name, without version and extras."""
    return re.split(r"==|\[", text)[0]


def main() -> None:
    requirements = groups()
    output = resolved(requirements, bool(os.environ.get("UPGRADE")))
    LOCK.write_text(f"{HEAD}\n{labelled(output, list(requirements))}", encoding="utf-8")


if __name__ == "__main__":
    main()
