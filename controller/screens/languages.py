"""Which pages of a table are in the language of its file, and these pages."""

from controller.language.language import ENGLISH
from controller.language.pages import page_in
from controller.web.routes import Asset, assets

PLAYERS = {"/": "board.html"}
"""Pages that players read. Those of dealer and floorperson, of the record and of the bench are English."""


def players_pages(language: str) -> dict[str, Asset]:
    """The pages for players, by address."""
    found = {path: assets()[name] for path, name in PLAYERS.items()}
    if language == ENGLISH:
        return found
    return {
        path: Asset("page.html", page_in(language, page.body.decode()).encode()) for path, page in found.items()
    }
