"""The texts of a page's own HTML: where they stand, for those who gather messages, and the page in a language.

The screens translate a page once, when they start. What its scripts write, they translate themselves.
"""

from dataclasses import dataclass
from html import escape
from html.parser import HTMLParser

from controller.language.language import ENGLISH, speaking, tr

_SPOKEN = ("aria-label", "alt", "title", "placeholder")
"""Attributes that people read or hear."""
_LANGUAGE = f'<html lang="{ENGLISH}">'


@dataclass(frozen=True, slots=True)
class PlacedText:
    """A text of a page, in English, and where it stands."""

    text: str
    start: int
    end: int
    line: int
    """From 1."""


class _Texts(HTMLParser):
    """Finds the texts of a page, in their order."""

    def __init__(self, page: str) -> None:
        super().__init__(convert_charrefs=True)
        self.found: list[PlacedText] = []
        self._page = page
        lines = page.splitlines(keepends=True)
        self._starts = [sum(map(len, lines[:number])) for number in range(len(lines) + 1)]
        self.feed(page)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        for name, value in attrs:
            if name in _SPOKEN and value and value.strip():
                self._keep(value, f'{name}="{value}"', len(name) + 2)

    def handle_data(self, data: str) -> None:
        if words := data.strip():
            self._keep(words, words, 0)

    def _keep(self, words: str, written: str, ahead: int) -> None:
        line, column = self.getpos()
        start = self._page.index(written, self._starts[line - 1] + column) + ahead
        self.found.append(PlacedText(words, start, start + len(words), line))


def texts_of(page: str) -> list[PlacedText]:
    """The texts of a page.

    Args:
        page: HTML without references to characters, as ``&amp;``, in its texts.
    """
    return _Texts(page).found


def page_in(language: str, page: str) -> str:
    """A page in a language; its ``<html lang>`` says so."""
    with speaking(language):
        for placed in reversed(texts_of(page)):
            page = page[: placed.start] + escape(tr(placed.text)) + page[placed.end :]
    return page.replace(_LANGUAGE, _LANGUAGE.replace(ENGLISH, language), 1)
