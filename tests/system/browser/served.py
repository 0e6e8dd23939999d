"""A bench that serves its pages: the command as people start it, in a process of its own."""

import http.client
import json
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

from project import ROOT

_ADDRESS = re.compile(r"bench of (\S+) at (http://127\.0\.0\.1:(\d+))/bench")
_ENDS_S = 180.0


class ServedBench:
    """``table-controller bench GAME --port N``.

    Args:
        game: a game, or a table's file.
        journal: the journal's file, or None to keep it in memory.
        port: on which it serves; 0 for any.
        root: the folder of the software.

    Attributes:
        address: ``http://127.0.0.1:PORT``.
        port: the one that it was given.

    Raises:
        RuntimeError: it did not start; with what it said.
    """

    def __init__(
        self, game: str, seed: int = 1, journal: Path | None = None, port: int = 0, root: Path = ROOT
    ) -> None:
        command = [sys.executable, "-m", "controller", "bench", game, "--port", str(port), "--seed", str(seed)]
        if journal is not None:
            command += ["--journal", str(journal)]
        self._process = subprocess.Popen(command, cwd=root, stdout=subprocess.PIPE, text=True)
        assert self._process.stdout is not None
        first = self._process.stdout.readline()
        found = _ADDRESS.match(first)
        if found is None:
            self.close()
            raise RuntimeError(f"the bench of {game} does not say where it is, but: {first!r}")
        self.address, self.port = found[2], int(found[3])

    def close(self) -> int:
        """End it as a service manager does; returns its exit code."""
        assert self._process.stdout is not None
        if self._process.poll() is None:
            self._process.send_signal(signal.SIGTERM)
        try:
            return self._process.wait(_ENDS_S)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
            raise
        finally:
            self._process.stdout.close()

    def table(self) -> dict[str, Any]:
        """The static description of the table."""
        with self._get("/table.json") as answer:
            description: dict[str, Any] = json.load(answer)
        return description

    def picture(self) -> dict[str, Any]:
        """The bench's document, with the true state, at this moment."""
        with self._get("/bench.events") as answer:
            return next(_pictures(answer))

    @contextmanager
    def _get(self, path: str) -> Iterator[http.client.HTTPResponse]:
        with closing(http.client.HTTPConnection("127.0.0.1", self.port, timeout=_ENDS_S)) as connection:
            connection.request("GET", path)
            with connection.getresponse() as answer:
                assert answer.status == 200, f"{path}: {answer.status}"
                yield answer


def _pictures(answer: http.client.HTTPResponse) -> Iterator[dict[str, Any]]:
    """The pictures of an event stream."""
    event, data = "", ""
    for raw in answer:
        line = raw.decode().rstrip("\r\n")
        name, _, value = line.partition(":")
        if name == "event":
            event = value.strip()
        elif name == "data":
            data += value
        elif not line:
            if event == "picture":
                yield json.loads(data)
            event, data = "", ""
