"""The bench within a browser: it answers the requests of its pages, which arrive as messages, not connections.

``web/table-worker.js`` runs this beside the package, in Python compiled for browsers. The answers are those of the
server's bench, for the same object makes them; there are no processes, so the record is read in this one.
"""

import asyncio
import io
import json
import logging
from collections.abc import Callable, Sequence
from contextlib import redirect_stdout
from itertools import count
from pathlib import Path
from tempfile import mkdtemp
from urllib.parse import parse_qsl, unquote, urlsplit

from controller.bench.web.screens import BenchWithScreens
from controller.configuration.shipped import find_table
from controller.screens import rounds
from controller.web.exchange import Answer, Follow, Request, Response

log = logging.getLogger("table")

Post = Callable[[str], object]
"""Sends a message to the page, as JSON text."""
_NAME = "localhost"
"""The name of this computer, by which the pages of a bench may ask."""
_ANCESTORS = ("frame-ancestors 'none'", "frame-ancestors 'self'")
"""The pages stand in a frame of the page that runs Python; no other site may frame them here, either."""


class RoundsReadHere(rounds.Rounds):
    """Reads the record itself: a browser has no processes."""

    async def read(self, arguments: Sequence[str]) -> tuple[int, bytes]:
        with redirect_stdout(io.StringIO()) as out:
            code = rounds.read([str(self.table), str(self.journal), *arguments])
        return code, out.getvalue().encode()


class _Follower:
    """The viewer of an event stream at the other end of a channel of messages."""

    backlog = 0

    def __init__(self, post: Post) -> None:
        self._post = post

    def send(self, data: bytes) -> None:
        # A stream is made in chunks of HTTP/1.1; between the two line ends is the event.
        _, _, chunk = data.partition(b"\r\n")
        self._post(json.dumps({"event": chunk[:-2].decode()}))

    def drop(self) -> None:
        self._post(json.dumps({"end": True}))


class TableInBrowser:
    """A bench with its pages, in the running event loop.

    Args:
        game: one of the games.
        seed: of everything random; None for another one each time.
    """

    def __init__(self, game: str, seed: int | None = None) -> None:
        loaded = find_table(game)
        journal = Path(mkdtemp(prefix="bench-")) / "bench.journal"
        self._shown = BenchWithScreens(loaded, journal, seed, RoundsReadHere(loaded.path, journal))
        self._shown.screens.begin()
        self._leaving: dict[int, Callable[[], None]] = {}
        self._numbers = count(1)
        self._tasks: set[asyncio.Future[Response]] = set()

    def close(self) -> None:
        """End it; every stream ends with it."""
        self._shown.close()

    def ask(self, method: str, target: str, kind: str, body: str, post: Post) -> int:
        """Answer a request of a page.

        Args:
            target: path and query.
            kind: the type of the body; empty for none.
            post: gets one message with ``status``, ``headers`` and ``body``; of a stream, without a body, followed
                by one with ``event`` for each event, and one with ``end`` when it ends.

        Returns:
            the number with which :meth:`leave` ends a stream.
        """
        parts = urlsplit(target)
        headers = {"host": _NAME} | ({"content-type": kind} if kind else {})
        path, query = unquote(parts.path), dict(parse_qsl(parts.query))
        number = next(self._numbers)
        try:
            answer = self._shown.screens.site(Request(method, path, query, headers, body.encode()))
        except Exception:
            log.exception("a page's request failed")
            answer = Response(500)
        self._answer(number, answer, post)
        return number

    def leave(self, number: int) -> None:
        """The page no longer follows that stream."""
        if (leave := self._leaving.pop(number, None)) is not None:
            leave()

    def _answer(self, number: int, answer: Answer, post: Post) -> None:
        if isinstance(answer, Follow):
            viewer = _Follower(post)
            _post_head(post, 200, "text/event-stream", answer.headers)
            self._leaving[number] = lambda: answer.on_leave(viewer)
            answer.on_join(viewer)
        elif isinstance(answer, Response):
            _post_head(post, answer.status, answer.kind, answer.headers, answer.body.decode())
        else:
            task = asyncio.ensure_future(answer)
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)
            task.add_done_callback(lambda done: self._answer(number, _outcome(done), post))


def _outcome(done: "asyncio.Future[Response]") -> Response:
    error = done.exception()
    if error is None:
        return done.result()
    log.error("a page's request failed", exc_info=error)
    return Response(500)


def _post_head(
    post: Post, status: int, kind: str, headers: Sequence[tuple[str, str]], body: str | None = None
) -> None:
    given = [("Content-Type", kind), *((name, value.replace(*_ANCESTORS)) for name, value in headers)]
    post(json.dumps({"status": int(status), "headers": given, "body": body}))
