"""Asks a running table at its socket, for commands and pages that wait for the answer."""

import json
import socket
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from functools import lru_cache
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from controller.errors import UserError
from controller.journal.chain import Entry
from controller.journal.errors import JournalDamagedError, JournalInUseError
from controller.journal.head_anchor import anchored_head
from controller.journal.journal import Entries, Journal
from controller.journal.journal_file import holder, in_use
from controller.journal.reading import copied, copy_of
from controller.journal.replay.trace import Traces, trace_file
from controller.runtime.socket import MOST_ENTRIES, reached_at

_TIMEOUT_S = 10.0
_BLOCKS = 64
"""Blocks of entries that are kept: a search for each of some rounds asks for most of them again."""


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
        self._answers = self._socket.makefile("rb")
        self._socket.settimeout(_TIMEOUT_S)
        try:
            self._socket.connect(str(place))
        except OSError as error:
            self.close()
            raise self._unreachable(error) from error

    def __enter__(self) -> "TableClient":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        self._answers.close()
        self._socket.close()

    def ask(self, **request: object) -> Any:
        """The table's answer to a request.

        Raises:
            UnreachableError: it does not answer, or refuses; the message is the table's.
            JournalDamagedError: the entries asked for are damaged.
        """
        ((name, _),) = request.items()
        try:
            self._socket.sendall(json.dumps(request).encode() + b"\n")
            answer: Mapping[str, object] = json.loads(self._answers.readline())
        except (OSError, ValueError) as error:
            raise self._unreachable(error) from error
        if "damaged" in answer:
            raise JournalDamagedError(str(answer["damaged"]))
        if "error" in answer:
            raise UnreachableError(str(answer["error"]))
        return answer[name]

    def _unreachable(self, error: Exception) -> UnreachableError:
        why = getattr(error, "strerror", "") or "it does not answer"
        return UnreachableError(f"the table does not run ({self._place}: {why}); start it first")


class RunningJournal(Entries):
    """The journal that a running table has in use, read in blocks.

    Raises:
        UnreachableError: the table has none in use. So do the methods, where it does not answer.
    """

    def __init__(self, table: TableClient) -> None:
        self._table = table
        head = table.ask(head=True)
        if head is None:
            raise UnreachableError("the table is closed and has no record in use")
        self._record, self._last = head["record"], int(head["seq"])
        self._block = lru_cache(_BLOCKS)(self._read)

    def __len__(self) -> int:
        return self._last

    def entry(self, seq: int) -> Entry | None:
        return next(self._after(seq - 1), None) if 1 <= seq <= self._last else None

    def _after(self, seq: int) -> Iterator[Entry]:
        for number in range(seq // MOST_ENTRIES, -(-self._last // MOST_ENTRIES)):
            yield from (entry for entry in self._block(number) if entry.seq > seq)

    def _read(self, number: int) -> list[Entry]:
        first, found = number * MOST_ENTRIES, list[Entry]()
        while len(found) < MOST_ENTRIES:
            asked = {"record": self._record, "after": first + len(found), "limit": MOST_ENTRIES - len(found)}
            if not (some := self._table.ask(entries=asked)):
                break
            found += [Entry(*row) for row in some]
        return found


# -- whether it runs or not ----------------------------------------------------------------------------------------


@contextmanager
def opened(file: Path) -> Iterator[Journal]:
    """A copy of a journal; of one that a running table has open, the entries that it sends.

    Raises:
        JournalInUseError: it is in use, and no table answers for it.
        JournalError: as :func:`controller.journal.reading.copy_of`.
    """
    if not holder(file):
        with copy_of(file) as journal:
            yield journal
        return
    known = anchored_head(file)
    with TemporaryDirectory(prefix="table-controller-") as folder:
        copy = Path(folder) / "copy.journal"
        try:
            with TableClient(reached_at(file)) as table, closing(Journal(copy)) as journal:
                entries = RunningJournal(table).entries()
                while some := list(islice(entries, MOST_ENTRIES)):
                    journal.take_over(some)
        except UnreachableError as error:
            raise JournalInUseError(f"{in_use(file)}; nor does the table answer: {error}") from error
        with closing(Journal(copy, read_only=True)) as journal:
            journal.known_head = known
            if journal.missing_at_end():  # It is another table that answers.
                raise in_use(file)
            yield journal


@contextmanager
def traces_of(journal: Path) -> Iterator[Traces | None]:
    """The edges kept beside a journal, of a copy unless its table runs; None if there are none."""
    file = trace_file(journal)
    if not file.exists():
        yield None
    elif holder(file):  # Of a running table, they are in nobody's exclusive use.
        with closing(Traces(file, rounds=0)) as traces:
            yield traces
    else:
        with copied(file) as copy, closing(Traces(copy, rounds=0)) as traces:
            yield traces
