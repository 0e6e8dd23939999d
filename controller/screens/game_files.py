"""The files with which a game draws its part of the pages."""

from controller.machine.registry import find_game, folders_of
from controller.web.routes import Asset, assets, files_in


def game_files(game: str) -> dict[str, Asset]:
    """What draws a game's figure, below ``/game/``; without a figure its areas are shown."""
    plain = {
        "figure.js": assets()["plain.js"],
        "figure.css": Asset("figure.css", b""),
    }
    return {**plain, **files_in(folders_of(find_game(game)))}
