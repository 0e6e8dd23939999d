"""HTTP/1.1 for a small number of screens, on the table's own event loop: a connection. Independent of the table.

h11 implements the protocol (https://h11.readthedocs.io, RFC 9112); this module sets the limits. The table's loop
must not wait: a connection that is slow to send or to receive is closed, and no more is read than is needed.
"""

import asyncio
import logging
from http import HTTPStatus
from urllib.parse import parse_qsl, unquote, urlsplit

import h11

from controller.web.exchange import Answer as Answer
from controller.web.exchange import Follow as Follow
from controller.web.exchange import Handler as Handler
from controller.web.exchange import Request as Request
from controller.web.exchange import Response as Response
from controller.web.exchange import Viewer as Viewer
from controller.web.exchange import framed as framed
from controller.web.peers import Slot, client_of
from controller.web.serving import Serving, is_unix, peer_of

log = logging.getLogger("table")

HEAD_BYTES = 8192
"""The longest head and body of a request."""
REQUEST_S, RESPONSE_S, IDLE_S = 10.0, 20.0, 60.0
"""Time limits for a request to arrive, for a response to be received, and between two requests of a connection."""
BACKLOG_BYTES = 256 * 1024
"""Maximum of unsent bytes of a connection."""


class Connection(asyncio.Protocol):
    """One connection: requests one after the other, until one of them requests a stream."""

    def __init__(self, serving: Serving) -> None:
        self._serving = serving
        self._slot: Slot | None = None
        self._peer, self._local = "", False
        self._http = h11.Connection(h11.SERVER, max_incomplete_event_size=HEAD_BYTES)
        self._transport: asyncio.Transport
        self._timer: asyncio.TimerHandle | None = None
        self._head: h11.Request | None = None
        self._body = b""
        self._task: asyncio.Future[Response] | None = None
        self._stream: Follow | None = None

    # -- asyncio.Protocol ----------------------------------------------------------------------------------

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport
        self._peer, self._local = peer_of(transport), is_unix(transport)
        self._serving.connections.add(self)
        self._set_timeout(REQUEST_S)
        self._slot = self._serving.enter(transport)
        if self._slot is None:
            self._refuse(HTTPStatus.SERVICE_UNAVAILABLE)

    def connection_lost(self, exc: Exception | None) -> None:
        self._serving.connections.discard(self)
        self._cancel()
        if self._slot is not None:
            self._slot.leave()
        if self._task is not None:
            self._task.cancel()
        if self._stream is not None:
            stream, self._stream = self._stream, None
            stream.on_leave(self)

    def data_received(self, data: bytes) -> None:
        if self._stream is not None or self._transport.is_closing():
            return  # A viewer of a stream sends nothing more.
        try:
            self._http.receive_data(data)
            self._read()
        except h11.RemoteProtocolError as error:
            self._refuse(HTTPStatus(error.error_status_hint))

    def eof_received(self) -> bool:
        return False

    # -- viewers -------------------------------------------------------------------------------------------

    def send(self, data: bytes) -> None:
        if not self._transport.is_closing():
            self._transport.write(data)

    @property
    def backlog(self) -> int:
        return self._transport.get_write_buffer_size()

    def drop(self) -> None:
        self._transport.abort()

    # -- a request -----------------------------------------------------------------------------------------

    def _read(self) -> None:
        """Take what has arrived, up to the end of one request."""
        while True:
            event = self._http.next_event()
            if isinstance(event, h11.Request):
                self._head = event
                if len(event.target) + sum(len(name) + len(value) for name, value in event.headers) > HEAD_BYTES:
                    self._refuse(HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE)  # h11 limits incomplete heads only.
                    return
            elif isinstance(event, h11.Data):
                self._body += bytes(event.data)
                if len(self._body) > self._serving.body_bytes:
                    self._refuse(HTTPStatus.REQUEST_ENTITY_TOO_LARGE)
                    return
            elif isinstance(event, h11.EndOfMessage):
                self._cancel()
                if self.backlog > BACKLOG_BYTES:
                    self.drop()  # Sends requests and receives no response.
                else:
                    self._answer()
                return
            else:  # The request is incomplete, or the client has closed.
                return

    def _answer(self) -> None:
        try:
            request = self._request()
        except ValueError:  # A malformed address, or too many query fields.
            self._refuse(HTTPStatus.BAD_REQUEST)
            return
        if not self._may_ask(request):
            self._refuse(HTTPStatus.SERVICE_UNAVAILABLE)
            return
        try:
            answer = self._serving.handle(request)
        except Exception:
            log.exception("a screen's request failed")
            self._refuse(HTTPStatus.INTERNAL_SERVER_ERROR)
            return
        if isinstance(answer, Response):
            self._respond(answer)
        elif isinstance(answer, Follow):
            self._follow(answer)
        else:
            self._transport.pause_reading()
            self._task = asyncio.ensure_future(answer)
            self._task.add_done_callback(self._answered)

    def _answered(self, task: asyncio.Future[Response]) -> None:
        self._task = None
        if task.cancelled() or self._transport.is_closing():
            return
        self._transport.resume_reading()
        error = task.exception()
        if error is None:
            self._respond(task.result())
        else:
            log.error("a screen's request failed", exc_info=error)
            self._refuse(HTTPStatus.INTERNAL_SERVER_ERROR)

    def _request(self) -> Request:
        head = self._head
        assert head is not None
        target = urlsplit(head.target.decode("latin-1"))
        headers: dict[str, str] = {}
        for name, value in head.headers:
            # Joined, so that a repeated Host or Origin header matches no allowed value.
            key = name.decode("latin-1")
            headers[key] = (
                f"{headers[key]}, {value.decode('latin-1')}" if key in headers else value.decode("latin-1")
            )
        peer = client_of(self._peer, headers)
        query = dict(parse_qsl(target.query, max_num_fields=16))
        method, path = head.method.decode("latin-1"), unquote(target.path)
        return Request(method, path, query, headers, self._body, peer, self._local)

    def _may_ask(self, request: Request) -> bool:
        """Whether there is room for this request: the last slots are for urgent ones."""
        return self._slot is None or not self._slot.urgent or self._serving.urgent(request.path)

    # -- an answer -----------------------------------------------------------------------------------------

    def _respond(self, response: Response) -> None:
        assert self._head is not None
        headers = [("Content-Type", response.kind), ("Content-Length", str(len(response.body))), *response.headers]
        data = self._http.send(h11.Response(status_code=response.status, headers=headers)) or b""
        if self._head.method != b"HEAD":
            data += self._http.send(h11.Data(data=response.body)) or b""
        self._transport.write(data + (self._http.send(h11.EndOfMessage()) or b""))
        self._head, self._body = None, b""
        self._set_timeout(RESPONSE_S)
        done = self._http.our_state is h11.DONE and self._http.their_state is h11.DONE
        if done and not self._http.trailing_data[0]:
            self._http.start_next_cycle()
        else:  # Pipelined requests are not supported; browsers send none.
            self._transport.close()

    def _follow(self, follow: Follow) -> None:
        assert self._head is not None
        if self._head.http_version < b"1.1":
            self._refuse(HTTPStatus.HTTP_VERSION_NOT_SUPPORTED)
            return
        headers = [
            ("Content-Type", "text/event-stream"),
            ("Transfer-Encoding", "chunked"),
            ("Connection", "close"),
            *follow.headers,
        ]
        self._transport.write(self._http.send(h11.Response(status_code=HTTPStatus.OK, headers=headers)) or b"")
        self._cancel()
        self._stream = follow
        follow.on_join(self)

    def _refuse(self, status: HTTPStatus) -> None:
        """Respond with an error and close: nothing more is read."""
        if self._http.our_state in (h11.IDLE, h11.SEND_RESPONSE):
            body = f"{status.value} {status.phrase}\n".encode()
            headers = [("Content-Type", "text/plain"), ("Content-Length", str(len(body))), ("Connection", "close")]
            self._transport.write(
                (self._http.send(h11.Response(status_code=status, headers=headers)) or b"")
                + (self._http.send(h11.Data(data=body)) or b"")
                + (self._http.send(h11.EndOfMessage()) or b"")
            )
        self._set_timeout(RESPONSE_S)
        self._transport.close()

    # -- time limits ---------------------------------------------------------------------------------------

    def _set_timeout(self, seconds: float) -> None:
        """Close the connection after this time unless the timeout is set again or cancelled."""
        self._cancel()
        self._timer = asyncio.get_running_loop().call_later(seconds, self._on_timeout, seconds)

    def _on_timeout(self, seconds: float) -> None:
        self._timer = None
        if seconds == RESPONSE_S and not self._transport.is_closing() and not self.backlog:
            self._set_timeout(IDLE_S)  # The response was received; another request may follow.
        else:
            self.drop()

    def _cancel(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
