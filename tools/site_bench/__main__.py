"""Builds the folder in which the bench runs without a server of its own: pages, Python for browsers, and packages.

The table's software is that of this checkout; its libraries are those that are installed, by the locks; Python for
browsers and pydantic's core come from their registries, by their hashes. The same input makes the same bytes.
"""

import json
import shutil
import sys
import zipfile
from argparse import ArgumentParser
from collections.abc import Iterator, Sequence
from importlib.metadata import distribution
from pathlib import Path

from controller.statechart.registry import find_game, game_names

ROOT = Path(__file__).parent.parent.parent
HERE = Path(__file__).parent
OURS = ("config", "controller", "hal")
LIBRARIES = (
    *("annotated-types", "h11", "pydantic", "PyYAML", "rich", "six"),
    *("transitions", "typing-extensions", "typing-inspection"),
)
"""What a bench loads; numpy has no wheel for browsers, and :mod:`tools.site_bench.arrays` stands for it."""
RUNTIME = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "python_stdlib.zip", "pyodide-lock.json")
NOTICES = ("README.md", "package.json")
"""They name its licence, and where its source is."""
PACKAGES = "packages.zip"
_LEFT_OUT = ("__pycache__", "tests", "RECORD", "INSTALLER", "REQUESTED")
"""Folders and files that nobody loads; some differ by who installed."""
_NOT_HERE = (".so", ".pyc", ".pyi")
"""Compiled for this computer, or read by type checkers only."""
_EPOCH = (1980, 1, 1, 0, 0, 0)

Files = Iterator[tuple[str, bytes]]


def files_of(folder: Path, name: str) -> Files:
    """The files of a package of this checkout, below its name."""
    for file in folder.rglob("*"):
        if file.is_file() and _is_shipped(file):
            yield f"{name}/{file.relative_to(folder).as_posix()}", file.read_bytes()


def files_of_library(name: str) -> Files:
    """What is installed of a distribution, with its licence."""
    for file in distribution(name).files or ():
        found = Path(str(file.locate()))
        if ".." not in file.parts and found.is_file() and _is_shipped(Path(*file.parts)):
            yield file.as_posix(), found.read_bytes()


def _is_shipped(file: Path) -> bool:
    return file.suffix not in _NOT_HERE and not set(_LEFT_OUT) & set(file.parts)


def files_of_archive(archive: Path) -> Files:
    """The files of a wheel, or of another archive."""
    with zipfile.ZipFile(archive) as opened:
        yield from ((name, opened.read(name)) for name in opened.namelist() if not name.endswith("/"))


def files_of_numpy() -> Files:
    """What stands for NumPy, under its name."""
    for name, data in files_of(HERE / "arrays", "numpy"):
        yield name.replace("annotations.py", "typing.py"), data


def packages(wheels: Path) -> dict[str, bytes]:
    """Everything that Python loads in the browser, by its place in the archive."""
    found: dict[str, bytes] = {}
    for name in OURS:
        found |= files_of(ROOT / name, name)
    for name in LIBRARIES:
        found |= files_of_library(name)
    for wheel in sorted(wheels.glob("*.whl")):
        found |= files_of_archive(wheel)
    found |= files_of_numpy()
    found["site_table.py"] = (HERE / "table.py").read_bytes()
    return found


def pack(files: dict[str, bytes], archive: Path) -> None:
    """Write an archive whose bytes depend on the files alone."""
    with zipfile.ZipFile(archive, "w") as packed:
        for name in sorted(files):
            packed.writestr(zipfile.ZipInfo(name, _EPOCH), files[name], zipfile.ZIP_DEFLATED, 9)


def build(pyodide: Path, wheels: Path, out: Path) -> None:
    """Make the folder anew.

    Args:
        pyodide: the npm package of that name, unpacked.
        wheels: a folder with the wheels that are compiled for browsers.
    """
    shutil.rmtree(out, ignore_errors=True)
    shutil.copytree(HERE / "web", out)
    (out / "pyodide").mkdir()
    for name in (*RUNTIME, *NOTICES):
        shutil.copyfile(pyodide / name, out / "pyodide" / name)
    shutil.copyfile(ROOT / "LICENSE", out / "LICENSE.txt")
    games = [{"name": name, "title": find_game(name).title} for name in game_names()]
    (out / "games.json").write_text(json.dumps(games, ensure_ascii=False) + "\n")
    pack(packages(wheels), out / PACKAGES)


def main(arguments: Sequence[str] | None = None) -> int:
    """Build, and say where."""
    parser = ArgumentParser(prog="python -m tools.site_bench", description=__doc__)
    parser.add_argument("pyodide", type=Path, help="the npm package, unpacked")
    parser.add_argument("wheels", type=Path, help="a folder with the wheels for browsers")
    parser.add_argument("out", type=Path, help="the folder to make; what is there goes")
    given = parser.parse_args(arguments)
    build(given.pyodide.resolve(), given.wheels, given.out)
    print(f"{given.out}: serve it with any web server; https, or an address of this computer, as browsers demand")
    return 0


if __name__ == "__main__":
    sys.exit(main())
