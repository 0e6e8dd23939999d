"""Asks a running table at its socket, for commands and pages that wait for the answer."""

import json
import socket
from bisect import bisect_right
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from controller.errors import UserError
from controller.journal.chain import Entry
from controller.journal.errors import JournalDamagedError, JournalInUseError
from controller.journal.head_anchor import anchored_head
from controller.journal.journal import Journal
from controller.journal.journal_file import holder, in_use
from controller.journal.reading import copied, copy_of
from controller.journal.replay.trace import Traces, trace_file
from controller.runtime.socket import MOST_ENTRIES, reached_at

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


class RunningJournal:
    """The journal that a running table has in use, read in blocks, of which the last one is kept.

    Raises:
        UnreachableError: the table has none in use. So do the methods, where it does not answer.
    """

    def __init__(self, table: TableClient) -> None:
        self._table = table
        head = table.ask(head=True)
        if head is None:
            raise UnreachableError("the table is closed and has no record in use")
        self._record, self._last = head["record"], int(head["seq"])
        self._block, self._number = dict[int, Entry](), -1
        self._firsts: dict[int, int] = {}
        """The first entry of each round that was read; for the round to come, the entry to come."""

    def entries(self, after: int = 0, round_: int | None = None) -> Iterator[Entry]:
        """Entries in order, after a sequence number: of all rounds, or of one."""
        if round_ is not None:
            yield from self._of_round(round_)
            return
        while some := self._some(after, MOST_ENTRIES):
            yield from some
            after = some[-1].seq

    def entry(self, seq: int) -> Entry | None:
        """The entry of this number."""
        if not 1 <= seq <= self._last:
            return None
        number = (seq - 1) // MOST_ENTRIES
        if number != self._number:
            first, found = number * MOST_ENTRIES, list[Entry]()
            while len(found) < MOST_ENTRIES and (some := self._some(first + len(found), MOST_ENTRIES - len(found))):
                found += some
            self._block, self._number = {entry.seq: entry for entry in found}, number
        return self._block.get(seq)

    def last_round(self) -> int:
        """The round of the last entry; -1 for an empty journal."""
        last = self.entry(self._last)
        if last is None:
            return -1
        self._firsts[last.round + 1] = self._last + 1
        return last.round

    def _of_round(self, number: int) -> list[Entry]:
        """A round's entries: rounds are read from the newest to the oldest, most often."""
        if number + 1 not in self._firsts:
            self._firsts[number + 1] = 1 + bisect_right(range(1, self._last + 1), number, key=self._round_of)
        seq, found = self._firsts[number + 1] - 1, list[Entry]()
        while (entry := self.entry(seq)) is not None and entry.round >= number:
            found += [entry] if entry.round == number else []
            seq -= 1
        self._firsts[number] = seq + 1
        return found[::-1]

    def _round_of(self, seq: int) -> int:
        return self._some(seq - 1, 1)[0].round

    def _some(self, after: int, limit: int) -> list[Entry]:
        asked = {"record": self._record, "after": after, "limit": limit}
        return [Entry(*row) for row in self._table.ask(entries=asked)]


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
