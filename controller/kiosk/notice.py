"""What stands at the display while the table's page cannot: sentences, to be read from the dealer's seat.

A file without scripts, which the browser reads again every few seconds: its sentences may change.
"""

import os
from collections.abc import Sequence
from html import escape
from pathlib import Path

AGAIN_S = 3
"""How often the browser reads it."""
_MOST = 12
"""Sentences; more do not fit."""
_LONG = 160
"""Characters of all sentences from which the letters are smaller."""

_PAGE = """<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta http-equiv="refresh" content="{again}">
<title>Table</title>
<style>
html, body {{ height: 100%; margin: 0; overflow: hidden; cursor: none; }}
body {{ background: #101418; color: #f4f4f0; font-family: "DejaVu Sans", sans-serif; }}
main {{ box-sizing: border-box; height: 100%; padding: 6vmin; }}
main {{ display: flex; flex-direction: column; justify-content: center; }}
h1 {{ font-size: 8vmin; margin: 0 0 4vmin; }}
p {{ font-size: {size}vmin; line-height: 1.3; margin: 0 0 2vmin; overflow-wrap: anywhere; }}
</style>
<main>
<h1>{first}</h1>
{rest}
</main>
</html>
"""


def page_of(sentences: Sequence[str]) -> str:
    """The page with these sentences, the first as its heading."""
    first, *rest = sentences or ("The table does not answer.",)
    more = len(rest) - _MOST
    shown = [*rest[:_MOST], *([f"... and {more} more"] if more > 0 else [])]
    size = 5 if sum(map(len, shown)) < _LONG else 3.2
    lines = "\n".join(f"<p>{escape(line)}</p>" for line in shown)
    return _PAGE.format(again=AGAIN_S, size=size, first=escape(first), rest=lines)


class NoticePage:
    """The page's file, written only when its sentences change.

    Args:
        file: where only the kiosk writes.
    """

    def __init__(self, file: Path) -> None:
        self._file = file
        self._sentences: tuple[str, ...] | None = None

    @property
    def url(self) -> str:
        """Its address for the browser."""
        return self._file.as_uri()

    def show(self, sentences: Sequence[str]) -> bool:
        """Write the sentences; whether they are others than before."""
        if tuple(sentences) == self._sentences:
            return False
        self._sentences = tuple(sentences)
        beside = self._file.with_name(f".{self._file.name}")
        beside.write_text(page_of(sentences), "utf-8")
        os.replace(beside, self._file)
        return True
