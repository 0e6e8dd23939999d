"""The figure of a table's game is served from the game's folder, whatever game it is."""

import re

import pytest

from controller.machine.registry import game_names
from controller.screens.game_files import game_files
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


@pytest.mark.parametrize(
    "path", ["/game/", "/game/game.py", "/game/../game/figure.js", "/game/figure.js/", "/game"]
)
def test_nothing_else_of_a_games_folder_is_served(path: str) -> None:
    assert got("sic-bo", path).status == 404
