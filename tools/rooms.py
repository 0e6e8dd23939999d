"""Counts the rooms of each package and the dependencies between them: ``python -m tools.rooms [FOLDER]``.

A room is a folder or a file at the top level of a package. An arrow leads from one room to another if any of its
modules imports one there. The imports are those that
the import checker sees (grimp, on which import-linter rests).
"""

import sys
from argparse import ArgumentParser
from pathlib import Path

import grimp

PACKAGES = ("controller", "hal", "config")


def rooms_and_arrows(folder: Path, package: str) -> tuple[int, int]:
    """The number of a package's rooms, and of the arrows between them."""
    if str(folder) not in sys.path:
        sys.path.insert(0, str(folder))
    graph = grimp.build_graph(package, cache_dir=None)
    inner = graph.modules - {package}

    def room(module: str) -> str:
        return ".".join(module.split(".")[:2])

    imports = (
        (module, there) for module in inner for there in graph.find_modules_directly_imported_by(module) & inner
    )
    arrows = {(room(module), room(there)) for module, there in imports if room(module) != room(there)}
    return len({room(module) for module in inner}), len(arrows)


def main() -> None:
    parser = ArgumentParser(prog="python -m tools.rooms", description=__doc__)
    parser.add_argument(
        "folder", type=Path, nargs="?", default=Path(), help="a checkout; this one if none is named"
    )
    folder: Path = parser.parse_args().folder
    if not (folder / "controller").is_dir():
        parser.error(f"{folder} is no checkout: it has no folder controller")
    for package in PACKAGES:
        rooms, arrows = rooms_and_arrows(folder.resolve(), package)
        print(f"{package}: {rooms} rooms, {arrows} arrows between them")


if __name__ == "__main__":
    main()
