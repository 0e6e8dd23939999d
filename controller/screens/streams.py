"""Event streams to browsers (https://html.spec.whatwg.org, server-sent events), from the views of a table.

A viewer needs the newest picture only: a slow one skips pictures. A picture is made once for all its viewers.
"""

import asyncio
import json
import time
from collections.abc import Callable, Mapping
from typing import Any

from starlette.responses import Response
from starlette.types import Receive, Scope, Send

KEEPALIVE_S = 15.0
"""How often an unchanged picture is sent again, so that a page knows that its stream is alive."""

Document = Mapping[str, object]


class Stream:
    """One stream and its viewers.

    Args:
        picture: makes the present picture. Called only while there are viewers.
        viewers_changed: called when a viewer comes or goes.
    """

    def __init__(self, picture: Callable[[], Document], viewers_changed: Callable[[], None]) -> None:
        self._picture = picture
        self._viewers_changed = viewers_changed
        self._viewers: set[Follow] = set()
        self._timer: asyncio.TimerHandle | None = None

    @property
    def viewers(self) -> int:
        """The number of viewers."""
        return len(self._viewers)

    def join(self, viewer: "Follow") -> None:
        """Add a viewer, which gets the present picture at once."""
        self._viewers.add(viewer)
        viewer.show(event("picture", self._picture()))
        self._keep_alive()
        self._viewers_changed()

    def leave(self, viewer: "Follow") -> None:
        """Remove a viewer."""
        self._viewers.discard(viewer)
        self._viewers_changed()

    def changed(self) -> None:
        """Send the new picture to every viewer."""
        if self._viewers:
            made = event("picture", self._picture())
            for viewer in self._viewers:
                viewer.show(made)
            self._keep_alive()

    def publish(self, name: str, document: Document) -> None:
        """Send a transient event; a viewer that is behind does not get it."""
        made = event(name, document)
        for viewer in self._viewers:
            viewer.add(made)

    def end(self) -> None:
        """End the stream of every viewer; a page then opens it anew."""
        for viewer in self._viewers:
            viewer.end()

    def _keep_alive(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
        self._timer = asyncio.get_running_loop().call_later(KEEPALIVE_S, self.changed)


class Follow(Response):
    """The answer to one viewer: a stream until either side ends it."""

    def __init__(self, stream: Stream) -> None:
        self._stream = stream
        self._next, self._ended = b"", False
        self._news = asyncio.Event()
        self.background = None

    def show(self, picture: bytes) -> None:
        """Send a picture, in place of what has not been sent."""
        self._next = picture
        self._news.set()

    def add(self, transient: bytes) -> None:
        """Send an event, if nothing else waits to be sent."""
        if not self._next:
            self.show(transient)

    def end(self) -> None:
        """Send nothing more."""
        self._ended = True
        self._news.set()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        headers = [(b"content-type", b"text/event-stream"), (b"cache-control", b"no-store")]
        await send({"type": "http.response.start", "status": 200, "headers": headers})
        self._stream.join(self)
        tasks = [asyncio.create_task(one) for one in (self._send(send), _gone(receive))]
        try:
            await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        finally:
            self._stream.leave(self)
            for task in tasks:
                task.cancel()

    async def _send(self, send: Send) -> None:
        while True:
            await self._news.wait()
            self._news.clear()
            if self._ended:
                return await send({"type": "http.response.body", "body": b""})
            data, self._next = self._next, b""
            await send({"type": "http.response.body", "body": data, "more_body": True})


async def _gone(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass


def event(name: str, document: Document) -> bytes:
    """One event."""
    return f"event: {name}\ndata: {as_json(document)}\n\n".encode()


def as_json(document: object) -> str:
    """A document as strict JSON."""
    return json.dumps(document, ensure_ascii=False, allow_nan=False, separators=(",", ":"))


class Hub:
    """The newest views of a table, and the streams that show them.

    Args:
        closed: the views while the table cannot be reached.
        of_dealer: what a page adds to the dealer's part.

    Attributes:
        views: documents by name.
        viewers_changed: called when a viewer has come or gone.
    """

    def __init__(self, closed: Mapping[str, Document], of_dealer: Callable[[], Document]) -> None:
        self.views: dict[str, Any] = dict(closed)
        self.viewers_changed: list[Callable[[], None]] = []
        self._of_dealer = of_dealer
        self.streams = {"board": self._stream(self.board), "dealer": self._stream(self.dealer)}

    def _stream(self, picture: Callable[[], Document]) -> Stream:
        return Stream(picture, self._on_viewers)

    def add(self, name: str, picture: Callable[[], Document]) -> Stream:
        """Add a stream."""
        self.streams[name] = self._stream(picture)
        return self.streams[name]

    @property
    def viewers(self) -> int:
        """The number of viewers of all streams."""
        return sum(stream.viewers for stream in self.streams.values())

    @property
    def showing(self) -> int:
        """How many pages show the board, and the limits sign with it."""
        return self.viewers - self.streams["dealer"].viewers

    def end(self) -> None:
        """End every stream."""
        for stream in self.streams.values():
            stream.end()

    def take(self, views: Mapping[str, Document]) -> None:
        """Take documents that may have changed, and show them."""
        before = self.views["table"]
        self.views |= views
        if self.views["table"] != before:
            self.end()  # Pages that show other odds or rules are to fetch the description again.
        for stream in self.streams.values():
            stream.changed()

    def turn(self, position: Document) -> None:
        """Show a turning wheel."""
        for stream in self.streams.values():
            stream.publish("turn", position)

    def board(self) -> Document:
        """The picture of the board."""
        now_ms = time.monotonic_ns() // 1_000_000
        ahead_ms: int = self.views["clock"]["utc_ahead_ms"]
        return {"clock_ms": now_ms, "utc_ms": now_ms + ahead_ms, **self.views["board"]}

    def dealer(self) -> Document:
        """The picture of the dealer's screen."""
        return {**self.board(), "dealer": {**self.views["dealer"], **self._of_dealer()}}

    def _on_viewers(self) -> None:
        for listener in self.viewers_changed:
            listener()


def json_answer(document: Document, status: int = 200) -> Response:
    """A document that is not kept."""
    return Response(as_json(document), status, {"Cache-Control": "no-store"}, "application/json")
