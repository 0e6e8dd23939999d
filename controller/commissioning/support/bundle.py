"""Collects the pieces of a support bundle and packs them into one file.

Each command is a process of its own, so that a piece that fails or hangs costs no other one; what it said of that
is in the bundle.
"""

import io
import os
import subprocess
import sys
import tarfile
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from controller.commissioning.support.masking import masked
from controller.commissioning.support.pieces import Command, KeptFile, Piece

PATIENCE_S = 120.0
"""A command that takes longer is ended: the edges of 1,000 rounds are measured in less on a slow board."""
MOST_BYTES = 16 * 2**20
"""Of a piece; what is beyond the last of them is left out."""
_ENVIRONMENT = {"LC_ALL": "C.UTF-8", "SYSTEMD_COLORS": "0", "PYTHONUTF8": "1"}

Execute = Callable[[Sequence[str]], str]
"""Runs a command; returns what it printed, and how it ended."""


class BundleError(Exception):
    """The bundle could not be written; the message says why and what to do."""


@dataclass(frozen=True, slots=True)
class Collected:
    """A piece.

    Attributes:
        text: without secrets.
        missing: why it is not there; empty if it is.
    """

    name: str
    text: str
    missing: str = ""


def run(words: Sequence[str]) -> str:
    """Run a command of the system.

    Raises:
        OSError: there is no such command, or it may not be run.
    """
    try:
        done = subprocess.run(
            words,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            env={**os.environ, **_ENVIRONMENT},
            timeout=PATIENCE_S,
            check=False,
        )
    except subprocess.TimeoutExpired as error:
        return f"{_text(error.stdout or b'')}\n(ended after {PATIENCE_S:.0f} s)\n"
    ended = "" if done.returncode == 0 else f"\n(exit code {done.returncode})\n"
    return _text(done.stdout) + ended


def _text(data: bytes) -> str:
    return data[-MOST_BYTES:].decode("utf-8", errors="replace").replace("\0", "")


def collect(piece: Piece, execute: Execute = run) -> Collected:
    """Collect a piece; one that is not there says why."""
    try:
        if isinstance(piece, KeptFile):
            return Collected(piece.name, masked(_text(piece.path.read_bytes())))
        return Collected(piece.name, masked(_printed(piece, execute)))
    except OSError as error:
        what = piece.path if isinstance(piece, KeptFile) else piece.words[0]
        return Collected(piece.name, "", f"{what}: {(error.strerror or str(error)).lower()}")


def _printed(piece: Command, execute: Execute) -> str:
    if piece.own:
        return execute([sys.executable, "-m", "controller", *piece.words])
    return f"$ {' '.join(piece.words)}\n{execute(piece.words)}"


def index(head: Mapping[str, str], pieces: Iterable[Collected]) -> str:
    """What the bundle has, and what it lacks."""
    lines = [f"{name}: {value}" for name, value in head.items()]
    lines.append("")
    for piece in pieces:
        lines.append(f"{piece.name:32} {piece.missing or f'{len(piece.text.encode())} bytes'}")
    return "\n".join([*lines, ""])


def write(file: Path, folder: str, head: Mapping[str, str], pieces: Sequence[Collected], at_s: int) -> None:
    """Pack the pieces; nothing is left of a file that could not be finished.

    Args:
        folder: in which they lie in the archive.
        at_s: their time, in seconds since 1970.

    Raises:
        BundleError: the file is there already, or cannot be written.
    """
    texts = [("index.txt", index(head, pieces)), *((one.name, one.text) for one in pieces if not one.missing)]
    with _new(file) as stream, tarfile.open(fileobj=stream, mode="w:gz") as archive:
        for name, text in texts:
            data = text.encode()
            member = tarfile.TarInfo(f"{folder}/{name}")
            member.size, member.mtime, member.mode = len(data), at_s, 0o600
            archive.addfile(member, io.BytesIO(data))


@contextmanager
def _new(file: Path) -> Iterator[IO[bytes]]:
    made = False
    try:
        descriptor = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
        made = True
        with open(descriptor, "wb") as stream:
            yield stream
            stream.flush()
            os.fsync(stream.fileno())
    except FileExistsError as error:
        raise BundleError(f"{file}: there is such a file already; name another (--out)") from error
    except OSError as error:
        if made:
            file.unlink(missing_ok=True)
        why = (error.strerror or str(error)).lower()
        raise BundleError(f"{file}: {why}; name a folder that can be written and has room (--out)") from error
    except BaseException:
        if made:
            file.unlink(missing_ok=True)
        raise
