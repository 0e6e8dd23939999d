"""The players' board in another language: nothing is cut, and nothing is left in English.

The second is seen in a language that nobody speaks: every letter of it has an accent, and every vowel stands twice.
With ``PICTURES`` set a picture of each board is put into that folder.
"""

import re
import shutil
from pathlib import Path
from typing import Any

import pytest
from browser_screens import look
from chromium import BOARD_SIZES, SIZES, resize
from conftest import Open, OpenBench, Serve
from pages import Page
from project import ROOT
from rounds import ROUNDS, play_until

from tools.languages.__main__ import compiled
from tools.languages.messages import pseudo, template

LANGUAGE = "es"
ACCENTED = re.compile("[áéíóúÁÉÍÓÚ]{2}")
FITS_LONGER = ("dreamcatcher", "big-six")
"""Games whose boards have room for words two fifths longer at every size; the others have it for Spanish."""
TIGHT = [BOARD_SIZES[name] for name in ("small", "screen", "upright")]
"""The others are one of these, larger or smaller."""
_UNTRANSLATED = """
const own = new Set(arguments[0]);
const texts = [];
const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
while (walker.nextNode()) {
  const { data, parentElement } = walker.currentNode;
  if (!parentElement.closest("noscript, script, [hidden]")) texts.push(data);
}
for (const node of document.querySelectorAll("[aria-label], [title], [alt]"))
  for (const name of ["aria-label", "title", "alt"]) texts.push(node.getAttribute(name) ?? "");
texts.push(document.title);
const left = (text) => [...own].reduce((rest, word) => rest.replaceAll(word, " "), text);
return [...new Set(texts.filter((text) => /[a-z]{2,}/i.test(left(text))))];
"""


def table_in_language(game: str, folder: Path) -> Path:
    """The shipped table of a game, with its board in the language."""
    file = folder / f"{game}.yaml"
    shipped = (ROOT / "config/tables" / f"{game}.yaml").read_text(encoding="utf-8")
    file.write_text(f"{shipped}\nscreens:\n  language: {LANGUAGE}\n", encoding="utf-8")
    return file


@pytest.fixture(scope="session")
def stretched(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """This software, with a language that nobody speaks in the place of one."""
    root = tmp_path_factory.mktemp("stretched")
    for package in ("controller", "hal", "config"):
        shutil.copytree(ROOT / package, root / package, ignore=shutil.ignore_patterns("__pycache__"))
    for place, data in compiled(LANGUAGE, pseudo(template(), LANGUAGE)).items():
        (root / place).write_bytes(data)
    return root


@pytest.mark.parametrize("game", ROUNDS)
def test_the_spanish_board_fits_through_a_whole_round(
    game: str, bench: Serve, open_bench: OpenBench, open_page: Open, tmp_path: Path
) -> None:
    served = bench(str(table_in_language(game, tmp_path)))
    page, board = open_bench(served), open_page(served, "/")
    assert board.script("return document.documentElement.lang") == LANGUAGE
    wrong: list[str] = []
    for number, state in enumerate(ROUNDS[game](page, served), 1):
        board.wait_for(state)
        wrong += look(board, f"{game}-{LANGUAGE}-{number:02}-{state}", [*TIGHT, SIZES["phone"]])
        resize(page.show().browser, SIZES["screen"])
    assert not wrong, "\n".join(wrong)
    assert board.errors() == []


@pytest.mark.parametrize("game", ROUNDS)
def test_nothing_of_the_board_is_left_in_english(
    game: str, bench: Serve, open_bench: OpenBench, open_page: Open, tmp_path: Path, stretched: Path
) -> None:
    served = bench(str(table_in_language(game, tmp_path)), root=stretched)
    page, board = open_bench(served), open_page(served, "/")
    wrong, left = [], set[Any]()
    for number, state in enumerate(ROUNDS[game](page, served), 1):
        board.wait_for(state)
        left |= set(board.script(_UNTRANSLATED, [game]))
        if game in FITS_LONGER:
            wrong += look(board, f"{game}-stretched-{number:02}-{state}", TIGHT)
            resize(page.show().browser, SIZES["screen"])
    assert sorted(left) == []
    assert not wrong, "\n".join(wrong)


def test_the_other_pages_are_whole_in_english(
    bench: Serve, open_bench: OpenBench, open_page: Open, tmp_path: Path, stretched: Path
) -> None:
    served = bench(str(table_in_language("sic-bo", tmp_path)), root=stretched)
    page = open_bench(served)
    others: list[Page] = [page, open_page(served, "/dealer"), open_page(served, "/rounds")]
    play_until(page, served, "sic-bo", "result")
    for other in others:
        assert other.script("return document.documentElement.lang") == "en"
        assert not ACCENTED.search(other.script("return document.body.innerText")), other.path
