"""Event streams to browsers (https://html.spec.whatwg.org, server-sent events), from the views of a table.

A viewer needs the newest picture only: a slow one skips pictures. A picture is made once for all its viewers.
"""

import asyncio
import json
import time
from collections.abc import AsyncIterator, Callable, Mapping
from typing import Any

from starlette.responses import Response, StreamingResponse
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
        self.picture, self.viewers_changed = picture, viewers_changed
        self.viewers: set[Follow] = set()

    def changed(self) -> None:
        """Send the new picture to every viewer."""
        made = event("picture", self.picture()) if self.viewers else b""
        for viewer in self.viewers:
            viewer.show(made)

    def publish(self, name: str, document: Document) -> None:
        """Send a transient event; a viewer that is behind does not get it."""
        made = event(name, document)
        for viewer in self.viewers:
            viewer.show(made, transient=True)

    def end(self) -> None:
        """End the stream of every viewer; a page then opens it anew."""
        for viewer in self.viewers:
            viewer.end()


class Follow(StreamingResponse):
    """The answer to one viewer: a stream until either side ends it."""

    def __init__(self, stream: Stream) -> None:
        super().__init__(self._events(), headers={"Cache-Control": "no-store"}, media_type="text/event-stream")
        self._stream = stream
        self._next, self._ended = b"", False
        self._news = asyncio.Event()

    def show(self, made: bytes, transient: bool = False) -> None:
        """Send an event in place of what has not been sent; a transient one only if nothing else waits."""
        if not (transient and self._next):
            self._next = made
            self._news.set()

    def end(self) -> None:
        self._ended = True
        self._news.set()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        self._stream.viewers.add(self)
        self._stream.viewers_changed()
        try:
            await super().__call__(scope, receive, send)
        finally:
            self._stream.viewers.discard(self)
            self._stream.viewers_changed()

    async def _events(self) -> AsyncIterator[bytes]:
        self.show(event("picture", self._stream.picture()))
        while True:
            try:
                async with asyncio.timeout(KEEPALIVE_S):
                    await self._news.wait()
            except TimeoutError:
                self.show(event("picture", self._stream.picture()))
            self._news.clear()
            if self._ended:
                return
            made, self._next = self._next, b""
            yield made


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

    Attributes:
        views: documents by name.
        viewers_changed: called when a viewer has come or gone.
    """

    def __init__(self, closed: Mapping[str, Document]) -> None:
        self.views: dict[str, Any] = dict(closed)
        self.viewers_changed: list[Callable[[], None]] = []
        self.streams: dict[str, Stream] = {}
        self.add("board", self.board)
        self.add("dealer", self.dealer)

    def add(self, name: str, picture: Callable[[], Document]) -> Stream:
        """Add a stream."""
        self.streams[name] = Stream(picture, self._on_viewers)
        return self.streams[name]

    @property
    def viewers(self) -> int:
        """The number of viewers of all streams."""
        return sum(len(stream.viewers) for stream in self.streams.values())

    @property
    def showing(self) -> int:
        """How many pages show the board, and the limits sign with it."""
        return self.viewers - len(self.streams["dealer"].viewers)

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
        return {**self.board(), "dealer": self.views["dealer"]}

    def _on_viewers(self) -> None:
        for listener in self.viewers_changed:
            listener()


def json_answer(document: Document, status: int = 200) -> Response:
    """A document that is not kept."""
    return Response(as_json(document), status, {"Cache-Control": "no-store"}, "application/json")
