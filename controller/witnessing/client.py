"""Asks a witness to sign a record's newest checkpoint (C2SP tlog-witness, add-checkpoint)."""

import asyncio
from collections.abc import Callable
from http.client import HTTPConnection, HTTPException, HTTPResponse, HTTPSConnection
from urllib.parse import urlsplit

from config.signing import WitnessOfTable
from controller.transparency.checkpoint import Checkpoint
from controller.transparency.note import NoteError, Signature, SignedNote, VerifierKey
from controller.transparency.notice import SignerNotice
from controller.transparency.witness_request import WitnessRequest

PATIENCE_S = 10.0
_MOST_BYTES = 64 * 1024

MakeProof = Callable[[int], list[bytes]]
"""Proves that the checkpoint extends the record of a number of entries."""


class WitnessRefusedError(Exception):
    """A witness cannot be reached, or does not sign; the message gives the reason."""


class WitnessAheadError(WitnessRefusedError):
    """The witness has signed more of this record than there is, or another one: the record was cut or rewritten."""


class WitnessClient:
    """One witness, and up to which size it has signed each record, as far as is known.

    Args:
        witness: its section of the table's file.
    """

    def __init__(self, witness: WitnessOfTable) -> None:
        self.key = VerifierKey.parse(witness.key)
        self._url = urlsplit(witness.url)
        self._sizes: dict[str, int] = {}
        self._last: dict[str, Checkpoint] = {}

    def signed(self, checkpoint: Checkpoint) -> bool:
        """Whether it has signed this checkpoint last, since it was asked first."""
        return self._last.get(checkpoint.origin) == checkpoint

    async def ask(self, checkpoint: Checkpoint, note: SignedNote, prove: MakeProof) -> Signature:
        """The witness's signature of a checkpoint, verified.

        Args:
            prove: called in this thread.

        Raises:
            WitnessAheadError: what the witness has signed contradicts it.
            WitnessRefusedError: the witness cannot be reached, or refuses.
        """
        origin, size = checkpoint.origin, checkpoint.size
        for _ in range(2):
            old = self._sizes.get(origin, 0)
            status, body = await self._post("add-checkpoint", WitnessRequest(old, tuple(prove(old)), note).body())
            if status == 200:
                signature = self._signature(note, body)
                self._sizes[origin], self._last[origin] = size, checkpoint
                return signature
            if status == 422:
                raise WitnessAheadError(f"{self.key.name} does not sign entry {size}: {_line(body)}")
            if status != 409:
                break
            known = _size(body)
            if known > size or (known == old == size):
                words = f"{self.key.name} has signed entry {known} of this record"
                raise WitnessAheadError(f"{words}, and the journal's entry {size} does not extend it")
            self._sizes[origin] = known
        raise WitnessRefusedError(f"{self.key.name} does not sign: HTTP status {status}, {_line(body)}")

    def _signature(self, note: SignedNote, body: bytes) -> Signature:
        try:
            signed = SignedNote.parse(f"{note}{body.decode()}")
            signed.verify(self.key)
        except (NoteError, UnicodeDecodeError) as error:
            raise WitnessRefusedError(f"the answer of {self.key.name} cannot be used: {error}") from error
        return next(one for one in signed.signatures if (one.name, one.id) == (self.key.name, self.key.id))

    async def notify(self, notice: SignerNotice) -> None:
        """Tell the witness that the record was rewritten. A witness that is not the floor's does not know the
        address.

        Raises:
            WitnessRefusedError: it cannot be reached.
        """
        await self._post("notice", str(notice.note).encode())

    async def _post(self, name: str, body: bytes) -> tuple[int, bytes]:
        return await post(self._url.geturl(), name, body, "text/plain; charset=utf-8", self.key.name)


async def post(url: str, name: str, body: bytes, kind: str, who: str) -> tuple[int, bytes]:
    """Send a request and return status and body.

    Args:
        url: to which the name is appended, if there is one.
        kind: the body's media type.
        who: the other side, for the message of an error.

    Raises:
        WitnessRefusedError: the other side does not answer as HTTP does.
    """
    try:
        return await asyncio.to_thread(_post, url, name, body, kind)
    except (OSError, HTTPException, ValueError) as error:
        words = getattr(error, "strerror", None) or str(error) or type(error).__name__
        raise WitnessRefusedError(f"{who} cannot be reached at {url}: {words}") from error


def _post(url: str, name: str, body: bytes, kind: str) -> tuple[int, bytes]:
    parts = urlsplit(url)
    make = HTTPSConnection if parts.scheme == "https" else HTTPConnection
    connection = make(parts.hostname or "", parts.port, timeout=PATIENCE_S)
    try:
        path = f"{parts.path.rstrip('/')}/{name}" if name else parts.path or "/"
        connection.request("POST", path, body, {"Content-Type": kind})
        answer: HTTPResponse = connection.getresponse()
        return answer.status, answer.read(_MOST_BYTES)
    finally:
        connection.close()


def _size(body: bytes) -> int:
    text = body.strip()
    if not (text.isdigit() and len(text) <= 18):
        raise WitnessRefusedError(f"the witness answers a conflict without a size: {_line(body)}")
    return int(text)


def _line(body: bytes) -> str:
    return " ".join(body[:200].decode(errors="replace").split())
