"""A witness's side of C2SP tlog-witness: ``POST /add-checkpoint``, and ``POST /notice`` for a signer that found a
rewritten record. Whoever asks needs no log-on: what is asked for is signed by a table's key, or refused.
"""

import asyncio
import time
from collections import OrderedDict
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from http import HTTPStatus
from typing import Protocol

from controller.transparency.note import MOST_BYTES, NoteError
from controller.transparency.notice import SignerNotice
from controller.transparency.witness import PLAIN_TYPE, Witness, WitnessAnswer
from controller.web.exchange import Answer, Request, Response

BODY_BYTES = MOST_BYTES + 8 * 1024
"""A note and a proof of 63 lines."""
BURST, PER_S = 40.0, 10.0
"""Requests of one address at once, and in a second after that. A table asks once a round."""
_PEERS = 4096
"""Addresses of which the rate is kept."""


class WitnessListener(Protocol):
    """Who is to know what a witness answered. Called in the witness's own thread."""

    def answered(self, answer: WitnessAnswer, seconds: int) -> None:
        """A request was answered, or refused."""

    def noticed(self, table: str, notice: SignerNotice, seconds: int) -> None:
        """A table's signer says that it found its record rewritten."""


class WitnessSite:
    """Answers the requests to a witness, one after the other in a thread of its own: each waits for the disk.

    Args:
        seconds: the wall time, since 1970.
    """

    def __init__(
        self,
        witness: Witness,
        listener: WitnessListener | None = None,
        seconds: Callable[[], int] = lambda: int(time.time()),
    ) -> None:
        self._witness, self._listener, self._seconds = witness, listener, seconds
        self._thread = ThreadPoolExecutor(1, "witness")
        self._rates = _PeerRates()

    def __call__(self, request: Request) -> Answer:
        """Answer a request."""
        actions = {"/add-checkpoint": self._add_checkpoint, "/notice": self._notice}
        action = actions.get(request.path)
        if action is None:
            return _plain(HTTPStatus.NOT_FOUND, "a witness is asked at /add-checkpoint")
        if request.method != "POST":
            return _plain(HTTPStatus.METHOD_NOT_ALLOWED, "POST a checkpoint", ("Allow", "POST"))
        if not self._rates.admits(request.peer, time.monotonic()):
            return _plain(
                HTTPStatus.TOO_MANY_REQUESTS, "too many requests; wait some seconds", ("Retry-After", "5")
            )
        return self._in_thread(action, request.body)

    async def _in_thread(self, action: Callable[[bytes], Response], body: bytes) -> Response:
        return await asyncio.get_running_loop().run_in_executor(self._thread, action, body)

    def _add_checkpoint(self, body: bytes) -> Response:
        seconds = self._seconds()
        answer = self._witness.add_checkpoint(body, seconds)
        if self._listener is not None:
            self._listener.answered(answer, seconds)
        return Response(answer.status, answer.body.encode(), answer.type)

    def _notice(self, body: bytes) -> Response:
        try:
            notice = SignerNotice.parse(body)
        except NoteError as error:
            return _plain(HTTPStatus.BAD_REQUEST, str(error))
        table = self._witness.table_of(notice.note, notice.origin)
        if not table:
            return _plain(HTTPStatus.FORBIDDEN, "no table that this witness knows has signed this")
        if self._listener is not None:
            self._listener.noticed(table, notice, self._seconds())
        return Response(HTTPStatus.NO_CONTENT)

    def close(self) -> None:
        """Wait for the request that is being answered."""
        self._thread.shutdown()


class _PeerRates:
    """How many requests each address may still make: a bucket that fills steadily."""

    def __init__(self) -> None:
        self._left: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def admits(self, peer: str, now_s: float) -> bool:
        left, at_s = self._left.pop(peer, (BURST, now_s))
        left = min(BURST, left + (now_s - at_s) * PER_S)
        admitted = left >= 1
        self._left[peer] = (left - admitted, now_s)
        if len(self._left) > _PEERS:
            self._left.popitem(last=False)
        return admitted


def _plain(status: HTTPStatus, text: str, *headers: tuple[str, str]) -> Response:
    return Response(status, f"{text}\n".encode(), PLAIN_TYPE, headers)
