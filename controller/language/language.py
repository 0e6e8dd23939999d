"""Texts for players in the language of a table's pages; everything else of the project is English.

A message's English text is its name, as gettext has it. A text is translated where the document of a page is
made: the screens say ``with speaking(code)``, and whoever makes a part of it calls :func:`tr` or :func:`plural`.
Outside of that both give the English text: the journal, the log and messages to the floor are in no other language.

``python -m tools.languages`` finds the messages and writes the catalogues, in this folder.
"""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache
from gettext import NullTranslations, translation
from pathlib import Path

ENGLISH = "en"
FOLDER = Path(__file__).parent
DOMAIN = "table"
_NUMBERS = re.compile(r"(?<= )\d[\d-]*$")

_IN_ENGLISH = NullTranslations()
_catalogue: ContextVar[NullTranslations] = ContextVar("catalogue", default=_IN_ENGLISH)


def languages() -> tuple[str, ...]:
    """The codes of all languages that there are, English first."""
    found = sorted(file.parent.parent.name for file in FOLDER.glob(f"*/LC_MESSAGES/{DOMAIN}.mo"))
    return (ENGLISH, *found)


@cache
def catalogue_of(language: str) -> NullTranslations:
    """The messages of a language, read once.

    Raises:
        FileNotFoundError: there is no such language.
    """
    return _IN_ENGLISH if language == ENGLISH else translation(DOMAIN, FOLDER, [language])


@contextmanager
def speaking(language: str) -> Iterator[None]:
    """Texts that are made meanwhile, by this thread or task, are in this language."""
    before = _catalogue.set(catalogue_of(language))
    try:
        yield
    finally:
        _catalogue.reset(before)


def marked(message: str) -> str:
    """The message as it is: marks a text that is translated later, by :func:`tr` or by a script of the pages."""
    return message


def tr(message: str, /, **values: object) -> str:
    """A message in the present language.

    Args:
        values: what stands in the places of its ``{names}``.
    """
    words = _catalogue.get().gettext(message)
    return words.format(**values) if values else words


def plural(one: str, many: str, number: int, /, **values: object) -> str:
    """A message that depends on a number, which stands in the place of ``{n}``.

    Args:
        one: the English text for a single one.
        many: the English text for any other number.
        values: what stands in the places of other ``{names}``.
    """
    return _catalogue.get().ngettext(one, many, number).format(n=number, **values)


def numbered(name: str) -> str:
    """The message of a name of the table that ends with numbers: ``two dice {n}`` of ``two dice 1-4``."""
    return _NUMBERS.sub("{n}", name)


def word(name: str) -> str:
    """A name of the table, as ``big`` or ``two dice 1-4``, in the present language.

    A name that is no message, as a house's own symbol, stays.
    """
    words, numbers = tr(name), _NUMBERS.search(name)
    if words != name or numbers is None:
        return words
    return tr(numbered(name)).replace("{n}", numbers[0])


def odds_shown(pays: str) -> str:
    """Odds of the record, ``4 to 5``, in the present language."""
    gain, _, stake = pays.partition(" to ")
    return tr("{gain} to {stake}", gain=gain, stake=stake) if stake else pays


def pays_shown(wager: str, pays: str) -> str:
    """What a wager pays, ``two dice 1-4 pays 6 to 1``, in the present language."""
    return tr("{wager} pays {odds}", wager=word(wager), odds=odds_shown(pays))
