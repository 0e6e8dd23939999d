"""The routes: pages of this package, the table's description, its streams, actions and queries.

Only files of the package and generated documents are served. A page loads only from this server and runs no inline
script (Content-Security-Policy). The Host header must be a known name of this computer (against DNS rebinding), and
an action must come from a page of this server (against cross-site requests).
"""

import json
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from functools import cache, cached_property
from hashlib import sha256
from http import HTTPStatus
from importlib import import_module
from pathlib import Path
from urllib.parse import urlsplit

from controller.web.exchange import Answer, Follow, Request, Response
from controller.web.sse import Channel

KINDS = {
    "html": "text/html; charset=utf-8",
    "css": "text/css; charset=utf-8",
    "js": "text/javascript; charset=utf-8",
    "svg": "image/svg+xml",
    "png": "image/png",
}
_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
GUARDS = (
    ("Content-Security-Policy", _POLICY),
    ("X-Content-Type-Options", "nosniff"),
    ("Referrer-Policy", "no-referrer"),
    ("Cross-Origin-Opener-Policy", "same-origin"),
    ("Cross-Origin-Resource-Policy", "same-origin"),
    ("Permissions-Policy", "camera=(), geolocation=(), microphone=()"),
)
"""Headers of every answer."""
FRESH = ("Cache-Control", "no-store")
PACKAGES = ("controller.screens",)
LOOPBACK = ("localhost", "127.0.0.1", "::1")
"""The names of this computer for itself."""

Act = Callable[[Request, Mapping[str, object]], Response | Awaitable[Response] | None]
"""Carries out an action; raises ValueError with a sentence if that is not possible."""
Query = Callable[[Request], Answer]


class Asset:
    """A file of the package, read once."""

    def __init__(self, name: str, body: bytes) -> None:
        self.body = body
        self.kind = KINDS[name.rpartition(".")[2]]

    @cached_property
    def tag(self) -> str:
        """Names its contents; computed when a browser first asks."""
        return f'"{sha256(self.body).hexdigest()[:16]}"'


class Site:
    """Answers requests.

    Args:
        hosts: names and addresses of this computer, beside its own loopback ones.
        describe: the unchanging description of the table.
        pages: address of each page, with the name of the asset that it is, or one that was made of it.
        streams: address of each stream.
        acts: address of each place where something can be done.
        queries: beginning of an address, with who answers below it.
        packages: whose assets are served.
        game: the files of the table's game, by their name below ``/game/``.
    """

    def __init__(
        self,
        hosts: Iterable[str],
        describe: Callable[[], Mapping[str, object]],
        pages: Mapping[str, str | Asset],
        streams: Mapping[str, Channel],
        acts: Mapping[str, Act],
        queries: Mapping[str, Query],
        packages: Sequence[str] = PACKAGES,
        game: Mapping[str, Asset] | None = None,
    ) -> None:
        self._hosts = {host.lower() for host in (*LOOPBACK, *hosts)}
        self._describe = describe
        self._assets = assets(tuple(packages))
        self._game = game or {}
        self._pages = {path: self._assets[page] if isinstance(page, str) else page for path, page in pages.items()}
        self._streams = dict(streams)
        self._acts = dict(acts)
        self._queries = dict(queries)

    def __call__(self, request: Request) -> Answer:
        """Answer a request; an unknown address gives status 404."""
        if host_of(request.headers.get("host", "")) not in self._hosts:
            return _plain(
                HTTPStatus.MISDIRECTED_REQUEST, "this computer does not have that name; see screens: hosts"
            )
        if request.method == "POST":
            return self._act(request)
        if request.method not in ("GET", "HEAD"):
            return _plain(HTTPStatus.METHOD_NOT_ALLOWED, "only GET, HEAD and POST", ("Allow", "GET, HEAD, POST"))
        return self._get(request)

    def _get(self, request: Request) -> Answer:
        path = request.path
        if path in self._pages:
            return asset_of(request, self._pages[path])
        folder, _, name = path.rpartition("/")
        if folder == "/assets" and name in self._assets:
            return self.asset(request, name)
        if folder == "/game" and name in self._game:
            return asset_of(request, self._game[name])
        if path in self._streams and request.method == "GET":
            channel = self._streams[path]
            return Follow(channel.join, channel.leave, (*GUARDS, FRESH))
        if path == "/table.json":
            return as_json(self._describe())
        for prefix, query in self._queries.items():
            if path.startswith(prefix):
                return query(request)
        return _plain(HTTPStatus.NOT_FOUND, "there is nothing here")

    def asset(self, request: Request, name: str) -> Response:
        """An asset by its name, for handlers of queries."""
        return asset_of(request, self._assets[name])

    def _act(self, request: Request) -> Response | Awaitable[Response]:
        act = self._acts.get(request.path)
        if act is None:
            return _plain(HTTPStatus.NOT_FOUND, "there is no action at this address")
        origin = request.headers.get("origin")
        if origin is not None and urlsplit(origin).netloc != request.headers["host"]:
            return _plain(HTTPStatus.FORBIDDEN, "only a page of this table may act on it")
        if request.headers.get("content-type", "").partition(";")[0].strip() != "application/json":
            return _plain(HTTPStatus.UNSUPPORTED_MEDIA_TYPE, "send the action as application/json")
        try:
            body = json.loads(request.body)
            if not isinstance(body, dict):
                raise ValueError("the body must be a JSON object that names the action")
            answer = act(request, body)
        except (ValueError, RecursionError) as error:
            return as_json({"error": str(error)}, HTTPStatus.BAD_REQUEST)
        if isinstance(answer, Awaitable):
            return _later(answer)
        return answer or Response(HTTPStatus.NO_CONTENT, headers=(*GUARDS, FRESH))


def host_of(header: str) -> str:
    """The name in a Host header, without its port: ``[::1]:8080`` gives ``::1``; empty if it is malformed."""
    try:
        return (urlsplit(f"//{header}").hostname or "").lower()
    except ValueError:
        return ""


async def _later(answer: Awaitable[Response]) -> Response:
    """An action that takes its time."""
    try:
        return await answer
    except ValueError as error:
        return as_json({"error": str(error)}, HTTPStatus.BAD_REQUEST)


@cache
def assets(packages: tuple[str, ...] = PACKAGES) -> Mapping[str, Asset]:
    """Every file of the pages, by name; names are unique over the packages."""
    folders = (Path(import_module(package).__path__[0]) / "assets" for package in packages)
    assets_found = [
        file for folder in folders for file in folder.iterdir() if file.name.rpartition(".")[2] in KINDS
    ]
    return {
        file.name: Asset(file.name, file.read_bytes()) for file in sorted(assets_found, key=lambda file: file.name)
    }


def files_in(folders: Iterable[Path]) -> dict[str, Asset]:
    """The scripts, styles and pictures in folders, by name; a later folder's go before an earlier one's."""
    found = [file for folder in folders for file in sorted(folder.iterdir()) if file.suffix[1:] in KINDS]
    return {file.name: Asset(file.name, file.read_bytes()) for file in found}


def asset_of(request: Request, asset: Asset) -> Response:
    """An asset; status 304 if the browser has the present version."""
    headers = (*GUARDS, ("Cache-Control", "no-cache"), ("ETag", asset.tag))
    if request.headers.get("if-none-match") == asset.tag:
        return Response(HTTPStatus.NOT_MODIFIED, b"", asset.kind, headers)
    return Response(HTTPStatus.OK, asset.body, asset.kind, headers)


def as_json(document: object, status: HTTPStatus = HTTPStatus.OK) -> Response:
    """A document as a response that is not cached."""
    body = json.dumps(document, ensure_ascii=False, allow_nan=False).encode()
    return Response(status, body, "application/json", (*GUARDS, FRESH))


def _plain(status: HTTPStatus, text: str, *headers: tuple[str, str]) -> Response:
    return Response(status, f"{text}\n".encode(), headers=(*GUARDS, FRESH, *headers))
