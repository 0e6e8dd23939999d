"""The messages of the pages, as the code has them, and what is wrong with a language's catalogue of them."""

import re
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path

from babel.messages.catalog import Catalog, Message
from babel.messages.extract import extract

from controller.configuration.shipped import load_table, shipped_tables
from controller.language.language import numbered
from controller.language.pages import texts_of
from controller.screens.languages import PLAYERS
from controller.statechart.registry import find_game, folder_of
from controller.viewmodel.presenter import describe
from controller.viewmodel.registry import screen_of

ROOT = Path(__file__).parent.parent.parent
_KEYWORDS = {"tr": None, "marked": None, "plural": (1, 2), "trIn": ((1, "c"), 2)}
"""The functions that have a message, its forms for one and for more, or a context and a message."""
_SCRIPTS = ("controller/screens/assets/*.js", "controller/games/*/*.js")
_PLACE = re.compile(r"\{\w+\}")
_WORD = re.compile(r"[^\W\d_]")


Placed = tuple[Path, int, str | tuple[str, ...], str | None]
"""A message with its file and line, and its context if it has one."""


def template() -> Catalog:
    """Every message of the code and of the shipped games' tables, in the order of files, without translations."""
    found = Catalog(charset="utf-8")
    for file, line, message, context in _messages():
        found.add(message, locations=[(file.relative_to(ROOT).as_posix(), line)], context=context)
    whole = {message.id for message in found}
    for game, path in shipped_tables().items():
        place = (folder_of(game).relative_to(ROOT).as_posix(), 1)
        for name in _of_table(path):
            if _WORD.search(name) and name not in whole:
                found.add(numbered(name), locations=[place])
    return found


def _of_table(path: Path) -> Iterator[str]:
    """The names of a table, of its wagers and its results, and how its game is played."""
    config = load_table(path).config
    game, screen, described = find_game(config.game), screen_of(config.game), describe(config, None)
    yield game.title
    yield from (one["label"] for one in described["areas"])
    yield from (one["label"] for one in described["wheel"] or ())
    yield from (one["label"] for one in described["boxes"] or ())
    yield from (row["title"] for row in described["rows"] or ())
    yield from map(game.area_name, game.areas)
    yield from screen.labels(config, game)
    yield from (label for group in screen.shares for label in group)
    yield from game.guide


def _messages() -> Iterator[Placed]:
    for file in sorted((ROOT / "controller").rglob("*.py")):
        yield from _of_code(file, "python")
    for name in sorted(PLAYERS.values()):
        page = ROOT / "controller/screens/assets" / name
        yield from ((page, placed.line, placed.text, None) for placed in texts_of(page.read_text(encoding="utf-8")))
    for pattern in _SCRIPTS:
        for file in sorted(ROOT.glob(pattern)):
            if not file.name.startswith("words."):
                yield from _of_code(file, "javascript")


def _of_code(file: Path, method: str) -> Iterator[Placed]:
    code = BytesIO(file.read_bytes())
    for line, message, _, context in extract(method, code, _KEYWORDS, options={"parse_template_string": True}):
        yield file, line, message, context


# -- checks --------------------------------------------------------------------------------------------------------


def problems(catalogue: Catalog, messages: Catalog) -> list[str]:
    """What is wrong with a catalogue, a line each; empty if it is complete.

    Args:
        messages: those of the code.
    """
    present = {key(message) for message in messages if message.id}
    translated = {key(message) for message in catalogue if message.id}
    found = [f"missing: {text!r}" for text in sorted(present - translated)]
    found += [f"not in the code any more: {text!r}" for text in sorted(translated - present)]
    for message in catalogue:
        if message.id:
            found += [f"{english(message)[0]!r}: {wrong}" for wrong in _wrong(message, catalogue.num_plurals)]
    return found


def _wrong(message: Message, forms: int) -> Iterator[str]:
    of_code, translated = english(message), words(message)
    if message.fuzzy:
        yield "marked as fuzzy: look at it, and take the mark away"
    if not all(translated):
        yield "not translated"
        return
    if message.pluralizable and len(translated) != forms:
        yield f"has {len(translated)} forms, and the language {forms}"
    places = {place for text in of_code for place in _PLACE.findall(text)}
    for text in translated:
        if set(_PLACE.findall(text)) != places:
            yield f"{text!r} has other places than {sorted(places)}"
        if text != text.strip():
            yield f"{text!r} has spaces around it"
        if _in_capitals(of_code[0]) and not _in_capitals(text):
            yield f"{text!r} is not in capitals"


def key(message: Message) -> str:
    """What a message is found by: its English text, after its context if it has one."""
    return "\x04".join(filter(None, (message.context, english(message)[0])))


def english(message: Message) -> tuple[str, ...]:
    """A message's English text; two for one that depends on a number."""
    return (message.id,) if isinstance(message.id, str) else tuple(message.id)


def words(message: Message) -> tuple[str, ...]:
    """Its translation, in as many forms as the language has for one that depends on a number."""
    string = message.string
    return (string or "",) if string is None or isinstance(string, str) else tuple(form or "" for form in string)


def _in_capitals(text: str) -> bool:
    """Whether it is more than one letter, all of them capitals."""
    fixed = _PLACE.sub("", text)
    return len(_WORD.findall(fixed)) > 1 and fixed == fixed.upper()


# -- a language that nobody speaks ---------------------------------------------------------------------------------

_ACCENTED = str.maketrans(
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ",
    "áḃćďéḟğĥíĵķĺṁńóṗɋŕśťúṽŵẋýźÁḂĆĎÉḞĞĤÍĴĶĹṀŃÓṖɊŔŚŤÚṼŴẊÝŹ",
)
_VOWEL = re.compile(r"([aeiou])", re.IGNORECASE)


def pseudo(messages: Catalog, locale: str) -> Catalog:
    """A catalogue in which every letter has an accent and every vowel stands twice: some two fifths longer.

    What is not translated has no accents; what stands in a message's places has them only if it is translated, too.
    """
    found = Catalog(locale=locale, charset="utf-8")
    for message in messages:
        if message.id:
            forms = tuple(_accented(text) for text in english(message))
            found.add(message.id, forms if message.pluralizable else forms[0], context=message.context)
    return found


def _accented(text: str) -> str:
    parts = re.split(rf"({_PLACE.pattern})", text)
    longer = (part if _PLACE.fullmatch(part) else _VOWEL.sub(r"\1\1", part).translate(_ACCENTED) for part in parts)
    return "".join(longer)
