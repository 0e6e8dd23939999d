"""Whether a built site needs nothing from elsewhere: ``python -m tools.site.offline FOLDER``.

Links that a reader may follow can lead anywhere; what a page loads by itself cannot.
"""

import re
import sys
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path

_LOADED = {
    ("script", "src"),
    ("img", "src"),
    ("iframe", "src"),
    ("source", "src"),
    ("object", "data"),
    ("link", "href"),
}
_IN_STYLES = re.compile(r"(?:url\(|@import)\s*[\"']?((?:https?:)?//[^\"')\s;]+)")
_NOT_LOADED = {"canonical", "alternate", "license", "author"}


class _Loads(HTMLParser):
    """Collects what a page loads from another server."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag == "link" and dict(attrs).get("rel") in _NOT_LOADED:
            return
        for name, value in attrs:
            if (tag, name) in _LOADED and re.match(r"(https?:)?//", value or ""):
                self.found.append(value or "")


def loaded_from_elsewhere(folder: Path) -> Iterator[str]:
    """What pages and style sheets load from another server, each with the file that does."""
    for file in sorted(folder.rglob("*.html")):
        page = _Loads()
        page.feed(file.read_text(encoding="utf-8"))
        yield from (f"{file.relative_to(folder)}: {address}" for address in page.found)
    for file in sorted(folder.rglob("*.css")):
        for address in _IN_STYLES.findall(file.read_text(encoding="utf-8")):
            yield f"{file.relative_to(folder)}: {address}"


def main(folder: Path) -> int:
    """The command; 1 if a page needs a network."""
    found = list(loaded_from_elsewhere(folder))
    for one in found:
        print(f"{one}: a page of the site may load nothing from elsewhere", file=sys.stderr)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
