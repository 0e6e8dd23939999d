"""A bench that serves its pages: the command as people start it, in a process of its own."""

import json
import re
import signal
import subprocess
import sys
from contextlib import closing
from http.client import HTTPConnection
from typing import Any

from project import ROOT

_ADDRESS = re.compile(r"bench of (\S+) at (http://127\.0\.0\.1:(\d+))/bench")
_ENDS_S = 180.0


class ServedBench:
    """``table-controller bench GAME --port N``.

    Args:
        port: on which it serves; 0 for any.

    Attributes:
        address: ``http://127.0.0.1:PORT``.
        port: the one that it was given.

    Raises:
        RuntimeError: it did not start; with what it said.
    """

    def __init__(self, game: str, port: int = 0) -> None:
        command = [sys.executable, "-m", "controller", "bench", game, "--port", str(port), "--seed", "1"]
        self._process = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True)
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

    def picture(self) -> dict[str, Any]:
        """The bench's document, with the true state, at this moment."""
        with closing(HTTPConnection("127.0.0.1", self.port, timeout=_ENDS_S)) as connection:
            connection.request("GET", "/bench.events")
            events = connection.getresponse()
            assert events.readline() == b"event: picture\n", "the first event of a stream"
            picture: dict[str, Any] = json.loads(events.readline().removeprefix(b"data: "))
        return picture
