"""Compares a journal with what table and floor signed of it, and names the first entry that is not theirs.

The hash of an entry covers all entries before it. So the newest receipt with the journal's own hash proves every
entry up to there, and a receipt with another hash shows a wrong entry after that. Between two receipts, only the
floor's own entries show which one; without them, the finding is a range. The table's signatures count only where
there is no receipt, because its key may be stolen.
"""

import json
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from operator import attrgetter
from pathlib import Path
from typing import NamedTuple

from controller.journal.chain import GENESIS, Entry
from controller.journal.errors import JournalDamagedError
from controller.journal.reading import copied
from controller.signing.keys import SigningError, Verifier
from controller.signing.receipts import Receipt

_SQLITE = b"SQLite format 3\0"
# A table, and not by an index: a view or an index in the file could show other entries than a table reads.
_ENTRIES = f"SELECT {', '.join(Entry._fields)} FROM entries NOT INDEXED ORDER BY seq"


class Finding(NamedTuple):
    """The first entry that was changed, removed or inserted: one of ``first`` to ``last``, often the same."""

    first: int
    last: int
    reason: str

    def __str__(self) -> str:
        which = f"one of {self.first} to {self.last}" if self.first < self.last else self.first
        return f"the first wrong entry is {which}: {self.reason}"


@dataclass(slots=True)
class Verdict:
    """What an audit found.

    Attributes:
        record: the hash of the first entry, computed from its content.
        entries: how many could be read in order.
        proven: the floor vouches for all entries up to this one; 0 for none.
        signed: after that and up to this one, the table alone does.
        finding: None if nothing contradicts the signatures.
        problems: what else is wrong.
        notes: what else an auditor should know.
    """

    table: str
    record: str
    entries: int
    proven: int
    signed: int
    finding: Finding | None = None
    problems: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)


class _Chain:
    """The hashes of entries, computed from their content, up to the first entry that cannot follow.

    Args:
        begins_later: entry 1 need not be there: older entries were deleted. The hash of the first one is believed.
    """

    def __init__(self, entries: Iterable[Entry], begins_later: bool = False) -> None:
        self.last = 0
        self.wrong: tuple[int, str] | None = None
        """The first entry that contradicts itself or its place, and how."""
        self.hashes = dict(self._follow(entries, begins_later))

    def _follow(self, entries: Iterable[Entry], begins_later: bool) -> Iterator[tuple[int, str]]:
        computed = GENESIS
        try:
            for entry in entries:
                if begins_later and not self.last and type(entry.seq) is int and entry.seq > 1:
                    self.last, computed = entry.seq, entry.hash
                else:
                    computed = self._next(entry, computed)
                if not computed:
                    return
                yield self.last, computed
        except JournalDamagedError as error:
            self._found(self.last + 1, str(error))

    def _next(self, entry: Entry, before: str) -> str:
        """The hash of the next entry; empty if this is not the next entry."""
        seq = self.last + 1
        if entry.seq != seq:
            self._found(seq, f"it is missing, and entry {entry.seq!r} is in its place")
            return ""
        try:
            computed = entry.expected_hash(before)
        except UnicodeEncodeError:
            computed = ""
        if computed != entry.hash:
            self._found(seq, "it does not fit the entry before it" if computed else "no table writes such an entry")
        self.last += bool(computed)
        return computed

    def _found(self, seq: int, reason: str) -> None:
        self.wrong = self.wrong or (seq, reason)


class Audit:
    """An audit of one journal.

    Args:
        receipts: of all records of the table.
        copy: the floor's own entries, if they are there. They count up to the last one that a receipt covers.
    """

    def __init__(
        self,
        entries: Iterable[Entry],
        receipts: Iterable[Receipt],
        floor: Verifier,
        table: Verifier,
        copy: Iterable[Entry] = (),
    ) -> None:
        self._floor, self._table = floor, table
        named = sorted(receipts, key=attrgetter("seq"))
        name = next((one.table for one in named if one.table), "")
        self._receipts = [one._replace(table=one.table or name) for one in named]
        self._chain, self._copy = _Chain(entries), _Chain(copy, begins_later=True).hashes
        hashes = self._chain.hashes
        self._record = hashes.get(1, "")
        own = [one for one in self._receipts if one.record == self._record]
        self._like = [one for one in own if hashes.get(one.seq) == one.hash]
        self._unlike = [one for one in own if hashes.get(one.seq) != one.hash]
        of_copy = [one for one in self._receipts if self._copy.get(one.seq) == one.hash]
        self._copied = _seq(_last(of_copy, self._by_floor))
        """The last entry of the floor's copy that a receipt covers."""
        both = hashes.keys() & self._copy.keys()
        self._agrees = max((seq for seq in both if hashes[seq] == self._copy[seq]), default=0)
        self._differs = min((seq for seq in both if hashes[seq] != self._copy[seq]), default=0)

    def run(self) -> Verdict:
        by_floor, by_table = _last(self._like, self._by_floor), _last(self._like, self._by_table)
        table = next((one.table for one in (by_floor, by_table) if one is not None), "")
        proven = max(_seq(by_floor), min(self._agrees, self._copied))
        verdict = Verdict(table, self._record, self._chain.last, proven, max(_seq(by_table), proven))
        verdict.finding = self._finding(proven)
        verdict.problems += self._problems(proven)
        verdict.notes += self._other_records()
        if verdict.finding is not None and verdict.signed >= verdict.finding.last:
            verdict.notes.append("the table's key signed the wrong entries too: it may be stolen")
        return verdict

    def _by_floor(self, one: Receipt) -> bool:
        return self._floor.verify(one.table, one.record, one.seq, one.hash, one.receipt)

    def _by_table(self, one: Receipt) -> bool:
        return self._table.verify(one.table, one.record, one.seq, one.hash, one.head)

    def _finding(self, proven: int) -> Finding | None:
        """The first wrong entry: the lowest number that shows one, and what was proven before it."""
        of_floor = self._contradicted(self._by_floor, "floor", proven)
        shown = [of_floor]
        if self._chain.wrong is not None:
            seq, reason = self._chain.wrong
            shown.append(
                Finding(min(proven + 1, seq), seq, reason if seq > proven else "only its hash was changed")
            )
        if 0 < self._differs <= self._copied:
            shown.append(Finding(proven + 1, self._differs, "the floor has another one"))
        if of_floor is None and not proven and _last(self._receipts, self._by_floor) is not None:
            shown.append(Finding(1, 1, "the floor has no record of this table that begins with it"))
        if of_floor is None:  # A stolen key could show any entry as wrong.
            shown.append(self._contradicted(self._by_table, "table", proven))
        return min((one for one in shown if one is not None), key=attrgetter("last"), default=None)

    def _contradicted(self, by: Callable[[Receipt], bool], whose: str, proven: int) -> Finding | None:
        """What was signed after the last proven entry, and is not in the journal."""
        end = self._chain.last
        other = next((one for one in self._unlike if one.seq > proven and by(one)), None)
        if other is None:
            return None
        if other.seq <= end:
            return Finding(proven + 1, other.seq, f"the {whose} signed another entry {other.seq}")
        last = _seq(_last(self._unlike, by))
        return Finding(
            proven + 1, end + 1, f"the journal ends at {end}, and the {whose} signed entries up to {last}"
        )

    def _problems(self, proven: int) -> Iterator[str]:
        if _last(self._receipts, self._by_floor) is None:
            yield "no receipt is signed by the floor's key"
        if _last([*self._like, *self._unlike], self._by_table) is None:
            yield "the table's key signed nothing of this record; is it the key of this table?"
        for by, whose in ((self._by_floor, "floor"), (self._by_table, "table")):
            twice = next((one for one in self._unlike if one.seq <= proven and by(one)), None)
            if twice is not None:
                yield f"the {whose}'s key signed another entry {twice.seq} as well"
        if self._differs > self._copied:
            yield f"the floor's entries differ from entry {self._differs} on, where no receipt covers them"

    def _other_records(self) -> Iterator[str]:
        for record in dict.fromkeys(one.record for one in self._receipts if one.record != self._record):
            last = _last([one for one in self._receipts if one.record == record], self._by_floor)
            if last is not None:
                yield f"the floor has another record of this table, {record}, up to entry {last.seq}"


def _last(receipts: Sequence[Receipt], by: Callable[[Receipt], bool]) -> Receipt | None:
    """The newest with a valid signature."""
    return next(filter(by, reversed(receipts)), None)


def _seq(receipt: Receipt | None) -> int:
    return receipt.seq if receipt is not None else 0


# -- what is compared ----------------------------------------------------------------------------------------------


def entries_of(file: Path) -> Iterator[Entry]:
    """The entries of a journal, or of a file with a JSON object per line that has the columns of an entry.

    Nothing in them is believed.

    Raises:
        JournalDamagedError: it can be read no further.
        JournalError: there is no file, or it cannot be read.
        SigningError: it is another kind of file.
    """
    with copied(file) as copy:
        with copy.open("rb") as stream:
            lines = stream.read(len(_SQLITE)) != _SQLITE
        yield from _of_lines(copy, file) if lines else _of_database(copy)


def _of_lines(copy: Path, file: Path) -> Iterator[Entry]:
    with copy.open("rb") as stream:
        for number, line in enumerate(stream, 1):
            try:
                row = json.loads(line)
                entry = Entry(*(row[column] for column in Entry._fields))
            except (ValueError, KeyError, TypeError, RecursionError) as error:
                if number > 1:
                    raise JournalDamagedError(f"line {number} of the file is no entry") from error
                words = "this is neither a journal nor entries, a JSON object in each line; name another file"
                raise SigningError(f"{file}: {words}") from error
            yield entry


def _of_database(file: Path) -> Iterator[Entry]:
    try:
        with closing(sqlite3.connect(file)) as db:
            db.execute("PRAGMA trusted_schema=OFF")
            if db.execute("SELECT type FROM pragma_table_list('entries')").fetchone() != ("table",):
                raise JournalDamagedError("the file has no table of entries")
            yield from map(Entry._make, db.execute(_ENTRIES))
    except (sqlite3.Error, UnicodeDecodeError) as error:
        raise JournalDamagedError(f"the file cannot be read: {error}") from error
