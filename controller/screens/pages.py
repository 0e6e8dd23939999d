"""The pages of a table as a web application: board, dealer's screen, record by round, ``/metrics``.

Pages only look. They load nothing from elsewhere and run no inline script (Content-Security-Policy).
"""

import logging
from collections.abc import Awaitable, Callable, Mapping
from pathlib import Path, PurePath

from pydantic_core import to_jsonable_python
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import FileResponse, Response
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles

from config.schema import TableConfig
from controller.machine.registry import find_game, folders_of
from controller.screens.metrics import TableMetrics
from controller.screens.rounds import Rounds
from controller.screens.streams import Document, Follow, Hub, json_answer
from controller.viewmodel.description import describe
from controller.viewmodel.presenter import closed_board, closed_dealer
from controller.viewmodel.table_counts import TableCounts
from controller.web.serving import Guard
from hal.interfaces import Clock

log = logging.getLogger("table")

HEADERS = {
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
        "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
    "Cache-Control": "no-cache",
}
"""Of each answer; a browser asks whether the file that it has is the present one."""
_ASSETS = Path(__file__).parent / "assets"
_DRAWN = (".js", ".css", ".svg", ".png")
"""What is served of a game's folder."""
_MOST_LOGO = 256 * 1024
Answer = Callable[[Request], Awaitable[Response]]


def closed_views(clock: Clock, why: str) -> dict[str, Document]:
    """The views of a table that cannot be reached."""
    utc_ns = clock.utc_ns()
    return {
        "board": to_jsonable_python(closed_board(utc_ns)),
        "dealer": to_jsonable_python(closed_dealer(why)),
        "counts": TableCounts().document(None, None),
        "clock": {"utc_ahead_ms": (utc_ns - clock.now_ns()) // 1_000_000},
    }


class Pages:
    """The web application of one table.

    Args:
        more: makes what else belongs to the table's description.

    Attributes:
        hub: the views, and those who follow them.
        application: a bench adds its routes.
    """

    def __init__(
        self, config: TableConfig, clock: Clock, rounds: Rounds, more: Callable[[], Mapping[str, object]] = dict
    ) -> None:
        screens = config.screens
        views = {"table": describe(config), **closed_views(clock, "the table has not been reached yet")}
        self.hub = Hub(views)
        self._more = more
        self._own: dict[str, object] = {"bench": False, "house": None, "history": screens.history}
        self._assets = StaticFiles(directory=_ASSETS)
        routes = [
            Route("/", self.page("board")),
            Route("/dealer", self.page("dealer")),
            Route("/rounds", self.page("rounds")),
            Route("/rounds.json", rounds.some),
            Route("/rounds/{number:number}.json", rounds.one),
            Route("/table.json", self._answer_description),
            *(Route(f"/{name}.events", self.followed(name)) for name in self.hub.streams),
            *self._house(config),
            Mount("/assets", self._assets),
            Mount("/game", _GameFiles(config.game)),
        ]
        if screens.metrics:
            routes.append(Route("/metrics", TableMetrics(config, clock, self.hub).answer))
        guard = Middleware(Guard, hosts=screens.hosts, headers=HEADERS)
        self.application = Starlette(routes=routes, middleware=[guard])
        self.application.router.redirect_slashes = False

    def page(self, name: str) -> Answer:
        """What answers a page."""

        async def answer(request: Request) -> Response:
            return await self._assets.get_response(f"{name}.html", request.scope)

        return answer

    def followed(self, name: str) -> Answer:
        """What answers a stream."""

        async def answer(_: Request) -> Response:
            return Follow(self.hub.streams[name])

        return answer

    async def _answer_description(self, _: Request) -> Response:
        return json_answer({**self.hub.views["table"], **self._own, **self._more()})

    def _house(self, config: TableConfig) -> list[Route]:
        """Whose table it is: name and colour for its description, and its logo."""
        house = config.screens.house
        if house is None:
            return []
        logo = _logo(Path(house.logo)) if house.logo else None
        place = "/house/logo" if logo is not None else ""
        self._own["house"] = {"name": house.name, "colour": house.colour, "logo": place}

        async def answer(_: Request) -> Response:
            return FileResponse(str(logo))

        return [Route(place, answer)] if place else []


class _GameFiles(StaticFiles):
    """What draws a game's figure; without a figure its areas are shown."""

    def __init__(self, game: str) -> None:
        super().__init__(directory=_ASSETS / "plain")
        self.all_directories = [*reversed(folders_of(find_game(game))), *self.all_directories]

    def lookup_path(self, path: str):  # type: ignore[no-untyped-def]
        return super().lookup_path(path) if PurePath(path).suffix in _DRAWN else ("", None)


def _logo(file: Path) -> Path | None:
    """The file of a logo; None if it cannot be used, and the pages are served all the same."""
    problem = ""
    try:
        if (size := file.stat().st_size) > _MOST_LOGO:
            problem = f"it has {size} bytes, and may have {_MOST_LOGO}"
    except OSError as error:
        problem = str(error.strerror)
    if problem:
        log.warning("screens: house: logo: %s: %s; the pages show none", file, problem)
    return None if problem else file
