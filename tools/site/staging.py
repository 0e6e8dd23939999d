"""Where the pages of the repository stand in the site, and how their links are led there.

The pages of ``docs/`` keep their places. Those beside it (README.md and others) stand in ``project/``. A source
file that a page links to is copied into ``sources/``, so that the site works from a folder of its own.
"""

import re
from collections.abc import Callable
from pathlib import Path, PurePosixPath

ROOT = Path(__file__).parents[2]
PROJECT = ("README.md", "CONTRIBUTING.md", "CHANGELOG.md", "SECURITY.md")
"""Pages beside ``docs/``, each at ``project/`` in small letters."""

_LINK = re.compile(r"(?<=\]\()(?P<target>[^)#:\s]+)(?P<anchor>#[^)\s]*)?(?=\))")
_FENCE = re.compile(r"^ *(```+|~~~+)")
_ENTRY = re.compile(r"^- \[(?P<title>[^\]]+)\]\((?P<page>[^)#:]+)\.md\)", re.MULTILINE)
_FOLDER = re.compile(r"\[(?P<text>[^\]]+)\]\((?P<target>[^)#:\s]+/)\)")


class SiteError(Exception):
    """A page cannot stand in the site: what is wrong, and where."""


def pages() -> list[str]:
    """Every page of the repository that the site has, by its path from the root, in order."""
    return [*PROJECT, *sorted(path.relative_to(ROOT).as_posix() for path in (ROOT / "docs").rglob("*.md"))]


def place(path: str) -> str:
    """Where a file of the repository stands in the site."""
    if path in PROJECT:
        return f"project/{path.lower()}"
    return path.removeprefix("docs/") if path.startswith("docs/") else f"sources/{path}"


def staged(page: str, text: str) -> tuple[str, set[str]]:
    """A page's text with its links led to their places in the site, and which files they name.

    Raises:
        SiteError: a link leads nowhere, or out of the repository.
    """
    files: set[str] = set()

    def led(link: re.Match[str]) -> str:
        path = _resolved(page, link["target"])
        files.add(path)
        return _relative(place(page), place(path)) + (link["anchor"] or "")

    return _outside_code(text, lambda line: _LINK.sub(led, _FOLDER.sub(r"\g<text>", line))), files


def with_menus(text: str) -> str:
    """An index with the menu that its lists of pages make: each second heading with its list is one."""
    parts = re.split(r"(?m)^(?=## )", text)
    return "".join(part + _menu(part) for part in parts)


def _menu(part: str) -> str:
    entries = [f"{found['title']} <{found['page']}>" for found in _ENTRY.finditer(part)]
    if not entries:
        return ""
    caption = f":caption: {part.splitlines()[0].removeprefix('## ')}\n" if part.startswith("## ") else ""
    names = "".join(f"{entry}\n" for entry in entries)
    return f"\n```{{toctree}}\n:hidden:\n{caption}\n{names}```\n\n"


def _resolved(page: str, target: str) -> str:
    """The file that a link of a page names, from the root."""
    path = (ROOT / page).parent.joinpath(target).resolve()
    if not path.is_relative_to(ROOT) or not path.is_file():
        raise SiteError(f"{page}: {target}: there is no such file; correct the link")
    return path.relative_to(ROOT).as_posix()


def _relative(page: str, target: str) -> str:
    up = len(PurePosixPath(page).parent.parts)
    common = 0
    for one, other in zip(PurePosixPath(page).parent.parts, PurePosixPath(target).parts, strict=False):
        if one != other:
            break
        common += 1
    return "../" * (up - common) + "/".join(PurePosixPath(target).parts[common:])


def _outside_code(text: str, change: Callable[[str], str]) -> str:
    """A text with every line changed that stands in no block of code."""
    fence, lines = "", []
    for line in text.splitlines(keepends=True):
        found = _FENCE.match(line)
        if fence:
            fence = "" if found and found[1].startswith(fence) else fence
        elif found:
            fence = found[1]
        else:
            line = change(line)
        lines.append(line)
    return "".join(lines)
