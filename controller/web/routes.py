"""Which address shows what, and to whom: pages of this package, what the table tells of itself, and its streams.

Nothing is served that is not in the package or made here. A page may load from here alone and runs no script of its
own text (Content-Security-Policy); a request must name this computer by a name that it has (so that no other site's
name can be made to lead here), and whoever acts must come from a page of this server.
"""

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from hashlib import sha256
from http import HTTPStatus
from importlib.resources import files
from pathlib import Path
from urllib.parse import urlsplit

from controller.web.http import Answer, Follow, Request, Response
from controller.web.sse import Channel

KINDS = {
    "html": "text/html; charset=utf-8",
    "css": "text/css; charset=utf-8",
    "js": "text/javascript; charset=utf-8",
    "svg": "image/svg+xml",
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
HERE = ("localhost", "127.0.0.1", "::1")
_PACKAGES = ("controller.screens",)

Act = Callable[[Request, Mapping[str, object]], Response | None]
"""Does what a page asks; raises ValueError with a sentence if that is not possible."""
Query = Callable[[Request], Answer]


class Asset:
    """A file of the package, read once."""

    def __init__(self, name: str, body: bytes) -> None:
        self.body = body
        self.kind = KINDS[name.rpartition(".")[2]]
        self.tag = f'"{sha256(body).hexdigest()[:16]}"'


class Site:
    """Answers requests.

    Args:
        hosts: names and addresses of this computer, beside its own loopback ones.
        describe: the unchanging description of the table.
        pages: address of each page, with the asset that it is.
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
        pages: Mapping[str, str],
        streams: Mapping[str, Channel],
        acts: Mapping[str, Act],
        queries: Mapping[str, Query],
        packages: Sequence[str] = _PACKAGES,
        game: Mapping[str, Asset] | None = None,
    ) -> None:
        self._hosts = {host.lower() for host in (*HERE, *hosts)}
        self._describe = describe
        self._assets = assets(packages)
        self._game = game or {}
        self._pages = {path: self._assets[name] for path, name in pages.items()}
        self._streams = dict(streams)
        self._acts = dict(acts)
        self._queries = dict(queries)

    def __call__(self, request: Request) -> Answer:
        """Answer a request; what is not there is not found."""
        if _host(request.headers.get("host", "")) not in self._hosts:
            return _plain(HTTPStatus.MISDIRECTED_REQUEST, "this computer is not called that; see screens: hosts")
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
        for beginning, query in self._queries.items():
            if path.startswith(beginning):
                return query(request)
        return _plain(HTTPStatus.NOT_FOUND, "there is nothing here")

    def asset(self, request: Request, name: str) -> Response:
        """An asset by its name, for who answers queries."""
        return asset_of(request, self._assets[name])

    def _act(self, request: Request) -> Response:
        act = self._acts.get(request.path)
        if act is None:
            return _plain(HTTPStatus.NOT_FOUND, "there is nothing to be done here")
        origin = request.headers.get("origin")
        if origin is not None and urlsplit(origin).netloc != request.headers["host"]:
            return _plain(HTTPStatus.FORBIDDEN, "only a page of this table may act on it")
        if request.headers.get("content-type", "").partition(";")[0].strip() != "application/json":
            return _plain(HTTPStatus.UNSUPPORTED_MEDIA_TYPE, "say what to do as application/json")
        try:
            body = json.loads(request.body)
            if not isinstance(body, dict):
                raise ValueError("an object is wanted: say what to do by its name")
            answer = act(request, body)
        except (ValueError, RecursionError) as error:
            return as_json({"error": str(error)}, HTTPStatus.BAD_REQUEST)
        return answer or Response(HTTPStatus.NO_CONTENT, headers=(*GUARDS, FRESH))


def assets(packages: Sequence[str] = _PACKAGES) -> dict[str, Asset]:
    """Every file that pages are made of, by name; packages have no names in common."""
    folders = (files(package).joinpath("assets") for package in packages)
    found = [file for folder in folders for file in folder.iterdir() if file.name.rpartition(".")[2] in KINDS]
    return {file.name: Asset(file.name, file.read_bytes()) for file in sorted(found, key=lambda file: file.name)}


def files_in(folders: Iterable[Path]) -> dict[str, Asset]:
    """The scripts, styles and pictures in folders, by name; a later folder's go before an earlier one's."""
    found = [file for folder in folders for file in sorted(folder.iterdir()) if file.suffix[1:] in KINDS]
    return {file.name: Asset(file.name, file.read_bytes()) for file in found}


def asset_of(request: Request, asset: Asset) -> Response:
    """An asset, unless the browser has it already."""
    headers = (*GUARDS, ("Cache-Control", "no-cache"), ("ETag", asset.tag))
    if request.headers.get("if-none-match") == asset.tag:
        return Response(HTTPStatus.NOT_MODIFIED, b"", asset.kind, headers)
    return Response(HTTPStatus.OK, asset.body, asset.kind, headers)


def as_json(document: object, status: HTTPStatus = HTTPStatus.OK) -> Response:
    """A document as an answer that nobody keeps."""
    body = json.dumps(document, ensure_ascii=False, allow_nan=False).encode()
    return Response(status, body, "application/json", (*GUARDS, FRESH))


def _plain(status: HTTPStatus, words: str, *headers: tuple[str, str]) -> Response:
    return Response(status, f"{words}\n".encode(), headers=(*GUARDS, FRESH, *headers))


def _host(header: str) -> str:
    """The name in a Host header, without its port: ``[::1]:8080`` is ``::1``; empty for what is no host."""
    try:
        return (urlsplit(f"//{header}").hostname or "").lower()
    except ValueError:
        return ""
