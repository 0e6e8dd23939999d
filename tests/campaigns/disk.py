"""What a crash may leave of files: everything synced, and of what was not, whatever a disk had come to.

A sync of a file makes its own writes durable and nobody else's; a file's name, and that it has gone, are durable
after a sync of its folder. Writes that were not synced may have reached the disk or not, in any order, each of them
cut at the edge of a sector. What lies beside a write in its sector stays whole, as SQLite takes for granted (its
documentation calls it powersafe overwrite).
"""

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from campaigns.writes import Call

SECTOR = 512
"""Bytes that reach a disk together."""
TORN = 0.3
"""Part of the random crashes' writes that are cut."""

Files = dict[str, bytes]
"""Contents by name."""


@dataclass(frozen=True, slots=True)
class Change:
    """A call, about the file that then bore the name: another file may bear it later."""

    call: Call
    node: int


class Disk:
    """A folder on a disk, and what of it is durable."""

    def __init__(self) -> None:
        self.pending: list[Change] = []
        """What a crash may undo, in order."""
        self._names: dict[str, int] = {}
        self._durable: dict[str, int] = {}
        self._contents: dict[int, bytearray] = {}
        self._nodes = 0

    def take(self, call: Call) -> None:
        """A call was made.

        Raises:
            ValueError: it is about a file that is not there, or writes without a place.
        """
        if call.name == "create":
            if call.file not in self._names:
                self._nodes += 1
                self._names[call.file] = self._nodes
                self.pending.append(Change(call, self._nodes))
            return
        if call.name == "sync":
            self._sync(call.file)
            return
        if call.file not in self._names or (call.name == "write" and call.offset is None):
            raise ValueError(f"{call.name} of {call.file}: the calls before do not lead there")
        self.pending.append(Change(call, self._names[call.file]))
        if call.name == "unlink":
            del self._names[call.file]

    def _sync(self, file: str) -> None:
        """A file's contents, or the folder's names, reach the disk."""
        node = self._names.get(file, 0)
        synced: list[Change] = []
        left: list[Change] = []
        for change in self.pending:
            of_this = change.node == node and not _names(change) if file else _names(change)
            (synced if of_this else left).append(change)
        _apply(synced, self._durable, self._contents)
        self.pending = left

    def after(self, kept: Sequence[Change]) -> Files:
        """What lies there after a crash of which these changes had reached the disk, in this order."""
        names, touched = dict(self._durable), {change.node for change in kept}
        contents = {node: bytearray(data) if node in touched else data for node, data in self._contents.items()}
        _apply(kept, names, contents)
        return {name: bytes(contents.get(node, b"")) for name, node in names.items()}


def _names(change: Change) -> bool:
    """Whether it is the folder that changes."""
    return change.call.name in ("create", "unlink")


def _apply(changes: Sequence[Change], names: dict[str, int], contents: dict[int, bytearray]) -> None:
    for change in changes:
        call = change.call
        if call.name == "create":
            names[call.file] = change.node
        elif call.name == "unlink":
            names.pop(call.file, None)
        else:
            data = contents.setdefault(change.node, bytearray())
            size = call.size if call.name == "truncate" else (call.offset or 0) + len(call.data)
            data.extend(bytes(max(0, size - len(data))))
            if call.name == "truncate":
                del data[size:]
            else:
                data[call.offset or 0 : size] = call.data


def crashes(pending: Sequence[Change], rng: random.Random, samples: int) -> Iterator[list[Change]]:
    """What may have reached the disk of changes that were not synced.

    Every first part of them; each with the last write cut at every edge of a sector in it; and at random: some of
    them, in any order, some cut.

    Args:
        samples: how many at random, if there are two changes or more.
    """
    for count in range(len(pending) + 1):
        if count:
            before, last = list(pending[: count - 1]), pending[count - 1]
            for torn in _torn(last):
                yield [*before, torn]
        yield list(pending[:count])
    for _ in range(samples if len(pending) > 1 else 0):
        yield _some(pending, rng)


def _torn(change: Change) -> list[Change]:
    """A write cut at every edge of a sector within it."""
    call = change.call
    start, end = call.offset or 0, (call.offset or 0) + len(call.data)
    edges = range(start - start % SECTOR + SECTOR, end, SECTOR)
    return [replace(change, call=replace(call, data=call.data[: edge - start])) for edge in edges]


def _some(pending: Sequence[Change], rng: random.Random) -> list[Change]:
    """Some changes in any order, but those of the folder in theirs: file systems keep a journal of them."""
    names = [change for change in pending if _names(change)]
    part = rng.random()
    kept = [change for change in pending if not _names(change) and rng.random() < part]
    rng.shuffle(kept)
    cut = [rng.choice(_torn(change) or [change]) if rng.random() < TORN else change for change in kept]
    return [*names[: rng.randint(0, len(names))], *cut]
