"""The house on the pages of its table: name, colour, logo."""

import logging
from http import HTTPStatus
from pathlib import Path

from config.screens import HouseSection, ScreensSection
from controller.viewmodel.documents import House
from controller.web.exchange import Request, Response
from controller.web.routes import Asset, asset_of

log = logging.getLogger("table")

PLACE = "/house/"
MOST_BYTES = 256 * 1024


def house_of(screens: ScreensSection) -> "HouseOnPages | None":
    """The house of a table's file; None if it names none."""
    return HouseOnPages(screens.house) if screens.house is not None else None


class HouseOnPages:
    """What the pages show of a house. Its logo is read once, at the start.

    Args:
        section: of the table's file.
    """

    def __init__(self, section: HouseSection) -> None:
        self._section = section
        self._logo = _read(Path(section.logo)) if section.logo else None

    def document(self) -> House:
        """For the description of the table."""
        logo = f"{PLACE}logo" if self._logo is not None else ""
        return {"name": self._section.name, "colour": self._section.colour, "logo": logo}

    def answer(self, request: Request) -> Response:
        """The logo."""
        if self._logo is None or request.path != f"{PLACE}logo":
            return Response(HTTPStatus.NOT_FOUND)
        return asset_of(request, self._logo)


def _read(file: Path) -> Asset | None:
    """The logo; without one the pages are served all the same."""
    try:
        body = file.read_bytes()
    except OSError as error:
        log.warning("screens: house: logo: %s: %s; the pages show none", file, error.strerror)
        return None
    if len(body) > MOST_BYTES:
        words = "screens: house: logo: %s has %d bytes, and may have %d; the pages show none"
        log.warning(words, file, len(body), MOST_BYTES)
        return None
    return Asset(file.name.lower(), body)
