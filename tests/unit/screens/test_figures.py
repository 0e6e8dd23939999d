"""The figure of a table's game is served from the game's folder, whatever game it is."""

import re

import pytest

from controller.screens.game_files import game_files
from controller.statechart.registry import find_game, folder_of, game_names
from controller.web.http import Request, Response
from controller.web.routes import Site, assets

_IMPORT = re.compile(r'from "(/[^"]+)"')


def site(game: str) -> Site:
    return Site([], dict, {"/": "board.html"}, {}, {}, {}, game=game_files(game))


def got(game: str, path: str) -> Response:
    answer = site(game)(Request("GET", path, headers={"host": "localhost"}))
    assert isinstance(answer, Response)
    return answer


@pytest.mark.parametrize("game", game_names())
def test_every_script_that_a_figure_imports_is_served(game: str) -> None:
    scripts = {f"/assets/{name}": asset for name, asset in assets().items() if name.endswith(".js")}
    scripts |= {f"/game/{name}": asset for name, asset in game_files(game).items() if name.endswith(".js")}
    for path, asset in scripts.items():
        assert got(game, path).body == asset.body
        for imported in _IMPORT.findall(asset.body.decode()):
            assert imported in scripts, f"{path} imports {imported}"
    assert b"export function build(" in got(game, "/game/figure.js").body
    assert got(game, "/game/figure.css").kind.startswith("text/css")


@pytest.mark.parametrize("game", game_names())
def test_a_folders_own_figure_goes_before_that_of_its_kind(game: str) -> None:
    own = folder_of(game) / "figure.js"
    kind = folder_of(game).parent / find_game(game).equipment / "figure.js"
    expected = next(file for file in (own, kind) if file.is_file())
    assert got(game, "/game/figure.js").body == expected.read_bytes()


@pytest.mark.parametrize(
    "path", ["/game/", "/game/game.py", "/game/../game/figure.js", "/game/figure.js/", "/game"]
)
def test_nothing_else_of_a_games_folder_is_served(path: str) -> None:
    assert got("sic-bo", path).status == 404


def test_no_page_and_no_script_of_the_screens_names_a_game() -> None:
    names = {name.replace("-", "") for name in game_names()}
    for name, asset in assets().items():
        if name.startswith("words."):
            continue  # A catalogue has the titles of the games, and what is said of them.
        text = re.sub(r"[-_\s]", "", asset.body.decode().lower())
        # A rotor's pockets and a wheel's sections are equipment, of which a bench shows the truth.
        assert not [game for game in names - {"roulette"} if game in text], name
