"""How many rooms the house has and how many arrows lead between them: ``python -m tools.rooms [FOLDER]``.

A room is a folder with modules; an arrow leads from a room to another if any of its modules imports one there. The
imports are those that the import checker sees (grimp, which import-linter rests on).
"""

import sys
from argparse import ArgumentParser
from pathlib import Path

import grimp

PACKAGES = ("controller", "hal", "config")


def rooms_and_arrows(folder: Path) -> tuple[int, int, int]:
    """Of a checkout: its rooms, the arrows between them, and its modules."""
    sys.path.insert(0, str(folder))
    graph = grimp.build_graph(*PACKAGES, cache_dir=None)
    packages = {module for module in graph.modules if graph.find_children(module)}

    def room(module: str) -> str:
        return module if module in packages else module.rpartition(".")[0]

    imports = (
        (module, there) for module in graph.modules for there in graph.find_modules_directly_imported_by(module)
    )
    arrows = {(room(module), room(there)) for module, there in imports if room(module) != room(there)}
    return len({room(module) for module in graph.modules}), len(arrows), len(graph.modules)


def main() -> None:
    parser = ArgumentParser(prog="python -m tools.rooms", description=__doc__)
    parser.add_argument(
        "folder", type=Path, nargs="?", default=Path(), help="a checkout; this one if none is named"
    )
    folder: Path = parser.parse_args().folder
    if not (folder / "controller").is_dir():
        parser.error(f"{folder} is no checkout: it has no folder controller")
    rooms, arrows, modules = rooms_and_arrows(folder.resolve())
    print(f"{rooms} rooms, {arrows} arrows between them, {modules} modules")


if __name__ == "__main__":
    main()
