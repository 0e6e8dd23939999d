"""Writes the pages of the site into a folder, for Sphinx to build: ``python -m tools.site FOLDER``."""

import shutil
import sys
from argparse import ArgumentParser
from pathlib import Path

from tools.site.reference import files, listed
from tools.site.staging import ROOT, SiteError, pages, place, staged, with_menus


def write(folder: Path) -> int:
    """Write every page, and the files that they name.

    Returns:
        How many pages there are.

    Raises:
        SiteError: a link of a page leads nowhere.
    """
    made = {place(page): "" for page in pages()}
    named: set[str] = set()
    for page in pages():
        text, more = staged(page, (ROOT / page).read_text(encoding="utf-8"))
        made[place(page)] = text
        named |= more
    made |= files()
    made["index.md"] = listed(made["index.md"])
    for name, text in made.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(with_menus(text) if path.name == "index.md" else text, encoding="utf-8")
    for file in named - set(pages()):
        (folder / place(file)).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(ROOT / file, folder / place(file))
    return len(made)


def main() -> int:
    """The command; 1 if a link leads nowhere."""
    parser = ArgumentParser(prog="python -m tools.site", description=__doc__)
    parser.add_argument("folder", type=Path, help="where to write them; it is made if needed")
    folder: Path = parser.parse_args().folder
    try:
        count = write(folder)
    except SiteError as error:
        print(error, file=sys.stderr)
        return 1
    print(f"{folder}: {count} pages")
    return 0


if __name__ == "__main__":
    sys.exit(main())
