"""Which documents of a table are in the language of its file: those of the players' board, and no others."""

import json
from pathlib import Path
from typing import Any

import pytest
from pydantic import ValidationError

from config.schema import ScreensSection
from controller.configuration.shipped import LoadedTable, load_table, table_path
from controller.screens.rounds import Rounds
from controller.screens.server import ScreenServer
from controller.web.http import Request, Response
from hal.mock.clock import VirtualClock


@pytest.fixture
def screens(tmp_path: Path) -> Any:
    """The screens of a table in a language; they are closed after the test."""
    opened: list[ScreenServer] = []

    def of(language: str) -> ScreenServer:
        loaded = load_table(table_path("roulette"))
        section = ScreensSection.model_validate({"language": language})
        config = loaded.config.model_copy(update={"screens": section})
        table = LoadedTable(loaded.path, config, "0" * 64)
        opened.append(ScreenServer(table, VirtualClock(), Rounds(tmp_path, tmp_path)))
        return opened[-1]

    yield of
    for one in opened:
        one.close()


def _page(served: ScreenServer, path: str) -> str:
    answer = served.site(Request("GET", path, headers={"host": "localhost"}))
    assert isinstance(answer, Response)
    assert answer.status == 200
    return answer.body.decode()


def test_the_board_is_in_the_language_of_the_tables_file(screens: Any) -> None:
    served = screens("es")
    page = _page(served, "/")
    assert '<html lang="es">' in page
    assert 'aria-label="hora"' in page
    assert "Esta pantalla necesita JavaScript." in page
    assert served._players_board()["headline"] == "MESA CERRADA"
    assert _page(served, "/assets/words.es.js").startswith("// @ts-check")


def test_the_other_pages_and_their_documents_are_in_english(screens: Any) -> None:
    served = screens("es")
    for path in ("/dealer", "/rounds"):
        assert '<html lang="en">' in _page(served, path)
    assert served._dealer()["headline"] == "TABLE IS CLOSED"
    assert json.loads(_page(served, "/table.json"))["title"] == "Roulette"


def test_a_board_in_english_is_the_page_as_it_is_written(screens: Any) -> None:
    served = screens("en")
    assert '<html lang="en">' in _page(served, "/")
    assert served._players_board()["headline"] == "TABLE IS CLOSED"


def test_an_unknown_language_is_an_error_that_lists_those_that_there_are(tmp_path: Path) -> None:
    with pytest.raises(ValidationError, match="Input should be 'en' or 'es'"):
        ScreensSection.model_validate({"language": "fr"})
