"""Asks a running table at its socket, for commands and pages that wait for the answer."""

import json
import socket
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from controller.errors import UserError
from controller.journal.chain import Entry
from controller.runtime.socket import MOST_ENTRIES

_TIMEOUT_S = 10.0


class UnreachableError(UserError):
    """The table is not running, cannot be reached, or refuses; the message says what to do."""


class TableClient:
    """A connection to the table's socket.

    Raises:
        UnreachableError: no table runs there.
    """

    def __init__(self, place: Path) -> None:
        self._place = place
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self._socket.settimeout(_TIMEOUT_S)
        try:
            self._socket.connect(str(place))
        except OSError as error:
            self.close()
            raise self._unreachable(error) from error
        self._answers = self._socket.makefile("rb")

    def __enter__(self) -> "TableClient":
        return self

    def __exit__(self, *_: object) -> None:
        self._answers.close()
        self.close()

    def close(self) -> None:
        self._socket.close()

    def ask(self, **request: object) -> Any:
        """The table's answer to a request.

        Raises:
            UnreachableError: it does not answer, or refuses; the message is the table's.
        """
        ((name, _),) = request.items()
        try:
            self._socket.sendall(json.dumps(request).encode() + b"\n")
            answer: Mapping[str, object] = json.loads(self._answers.readline())
        except (OSError, ValueError) as error:
            raise self._unreachable(error) from error
        if "error" in answer:
            raise UnreachableError(str(answer["error"]))
        return answer[name]

    def _unreachable(self, error: Exception) -> UnreachableError:
        why = getattr(error, "strerror", "") or "it does not answer"
        return UnreachableError(f"the table does not run ({self._place}: {why}); start it first")


class RunningJournal:
    """The journal that a running table has in use, entry by entry.

    Raises:
        UnreachableError: the table has none in use. So do the methods, where it does not answer.
    """

    def __init__(self, table: TableClient) -> None:
        self._table = table
        head = table.ask(head=True)
        if head is None:
            raise UnreachableError("the table is closed and has no record in use")
        self._record, self._last = head["record"], int(head["seq"])

    def entries(self, after: int = 0, round_: int | None = None) -> Iterator[Entry]:
        """Entries in order, after a sequence number: of all rounds, or of one."""
        while some := self._some(after, MOST_ENTRIES, round_):
            yield from some
            after = some[-1].seq

    def entry(self, seq: int) -> Entry | None:
        """The entry of this number."""
        return next(iter(self._some(seq - 1, 1)), None) if seq > 0 else None

    def last_round(self) -> int:
        """The round of the last entry; -1 for an empty journal."""
        last = self.entry(self._last)
        return last.round if last is not None else -1

    def _some(self, after: int, limit: int, round_: int | None = None) -> list[Entry]:
        asked = {"record": self._record, "after": after, "limit": limit, "round": round_}
        return [Entry(*row) for row in self._table.ask(entries=asked)]
