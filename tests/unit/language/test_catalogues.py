"""Every language is complete and current: gathered anew from code, pages and tables, nothing is missing or left."""

import json
import typing

import pytest
from babel.messages.catalog import Catalog, Message

from config.screens import ScreensSection
from controller.language.language import ENGLISH, catalogue_of, languages
from controller.language.pages import page_in, texts_of
from controller.web.routes import assets
from tools.languages.__main__ import catalogues, compiled, file_of, read, updated
from tools.languages.messages import ROOT, problems, template


@pytest.fixture
def messages() -> Catalog:
    return template()


def test_the_languages_are_those_that_a_tables_file_may_name() -> None:
    named = typing.get_args(ScreensSection.model_fields["language"].annotation)
    assert named == languages() == (ENGLISH, *catalogues())


@pytest.mark.parametrize("language", catalogues())
def test_a_language_is_complete(language: str, messages: Catalog) -> None:
    assert problems(read(language), messages) == [], "run: make docs; then translate what it lists"


@pytest.mark.parametrize("language", catalogues())
def test_what_is_made_of_a_catalogue_is_current(language: str, messages: Catalog) -> None:
    made = compiled(language, updated(read(language), messages))
    script = next(place for place in made if place.suffix == ".js")
    assert (ROOT / script).read_bytes() == made[script], "run: make docs"
    found = catalogue_of(language)
    for message in updated(read(language), messages):
        if message.pluralizable:
            one, many = message.id
            forms = [found.ngettext(one, many, number) for number in (1, 2)]
            assert forms == list(message.string), "run: make docs"
        elif message.context:
            assert found.pgettext(message.context, message.id) == message.string, "run: make docs"
        elif message.id:
            assert found.gettext(message.id) == message.string, "run: make docs"


def test_the_languages_files_are_where_they_are_read() -> None:
    for language in catalogues():
        assert f"words.{language}.js" in assets()
        assert file_of(language, ".mo").is_file()


# -- the checks find what they look for ----------------------------------------------------------------------------


def _code(*texts: str | tuple[str, str]) -> Catalog:
    found = Catalog(locale="es")
    for text in texts:
        found.add(text)
    return found


def _wrong(string: typing.Any, text: typing.Any = "from {time}", **more: typing.Any) -> list[str]:
    catalogue = Catalog(locale="es")
    catalogue.add(text, string, **more)
    return problems(catalogue, _code(text))


def test_a_message_that_is_missing_or_not_in_the_code_any_more_is_named() -> None:
    catalogue = Catalog(locale="es")
    catalogue.add("of yesterday", "de ayer")
    assert problems(catalogue, _code("of today")) == [
        "missing: 'of today'",
        "not in the code any more: 'of yesterday'",
    ]


@pytest.mark.parametrize(
    ("string", "says"),
    [
        ("", "not translated"),
        ("desde {hora}", "has other places than ['{time}']"),
        ("desde", "has other places"),
        ("desde las {time} ", "has spaces around it"),
    ],
)
def test_a_message_that_is_wrongly_translated_is_named(string: str, says: str) -> None:
    (found,) = _wrong(string)
    assert says in found


def test_a_fuzzy_message_and_a_missing_form_and_lost_capitals_are_named() -> None:
    assert "fuzzy" in _wrong("desde {time}", flags=["fuzzy"])[0]
    (found,) = _wrong(("{n} resultado",), ("{n} result", "{n} results"))
    assert "not translated" in found or "has 1 forms, and the language 2" in found
    assert "is not in capitals" in _wrong("No va más", "NO MORE BETS")[0]
    assert _wrong("NO VA MÁS", "NO MORE BETS") == _wrong("desde las {time}") == []


def test_a_message_with_a_place_in_a_script_is_found(messages: Catalog) -> None:
    by_text: dict[object, Message] = {message.id: message for message in messages}
    places = by_text["Last {n}"].locations
    assert [file for file, _ in places] == ["controller/screens/assets/past.js"]
    assert ("Today: {n} result", "Today: {n} results") in by_text
    assert "v" in by_text, "of a template in a script"


# -- the page itself -----------------------------------------------------------------------------------------------

PAGE = '<!doctype html>\n<html lang="en">\n<p title="Dealer">Today</p>\n<style>p { color: red }</style></html>\n'


def test_a_page_is_translated_at_its_texts_alone() -> None:
    assert [placed.text for placed in texts_of('<p title="Dealer">\n  Today </p>')] == ["Dealer", "Today"]
    shown = page_in("es", PAGE.replace("<style>p { color: red }</style>", ""))
    assert shown == '<!doctype html>\n<html lang="es">\n<p title="Crupier">Hoy</p>\n</html>\n'
    assert page_in(ENGLISH, PAGE) == PAGE


def test_the_scripts_of_pages_have_every_message(messages: Catalog) -> None:
    text = assets()["words.es.js"].body.decode()
    said = json.loads(text[text.index("messages = ") + len("messages = ") :].rstrip().rstrip(";"))
    assert len(said) == sum(1 for message in messages if message.id)
