"""The calls by which a process changes the files of a folder, and what a power cut may leave of them on a disk.

``strace`` records the calls of the very library and the very journal that a table runs on. A table's own reports
(:mod:`campaigns.interrupted`) are writes like any other, so they have their place among them.

A sync of a file makes its own writes durable and nobody else's; a file's name, and that it has gone, are durable
after a sync of its folder. Writes that were not synced may have reached the disk or not, in any order, each of them
cut at the edge of a sector. The rest of a sector beside a write stays whole, as SQLite takes for granted (its
documentation calls it powersafe overwrite).
"""

import os
import random
import re
import shutil
import subprocess
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

SECTOR = 512
"""Bytes that reach a disk together."""
TORN = 0.3
"""Part of the random crashes' writes that are cut."""

_KNOWN = ("openat", "write", "pwrite64", "fsync", "fdatasync", "ftruncate", "unlink")
_REFUSED = (
    *("open", "creat", "rename", "renameat", "renameat2", "link", "linkat", "unlinkat", "truncate", "fallocate"),
    *("writev", "pwritev", "pwritev2", "copy_file_range", "sendfile", "sync_file_range"),
)
"""Calls that change files, too. Nobody makes them; a recording with one of them would not be understood."""
_CALL = re.compile(r"\d+ +(?P<name>\w+)\((?P<words>.*)\) += (?P<result>-?\d+)")
_STRING = re.compile(r'"((?:\\x[0-9a-f]{2})*)"')
_OF = re.compile(r"\d+<((?:\\x[0-9a-f]{2})+)>")
"""A descriptor, with the path of its file."""
_TESTS = Path(__file__).parents[1]
_IMPORTS = os.pathsep.join(map(str, (_TESTS.parent, _TESTS, _TESTS / "support")))
_LONGEST = 1 << 20
"""Bytes of a write that are recorded; no page of a journal is as long."""


class RecordingError(Exception):
    """Nothing could be recorded, or it is not understood."""


class Call(NamedTuple):
    """A system call that succeeded.

    Attributes:
        name: ``create``, ``write``, ``truncate``, ``sync`` or ``unlink``.
        file: the file's name within the folder; empty for the folder itself.
        offset: where it was written, in bytes; None for the end of the file.
        size: to which it was truncated, in bytes.
        node: the file that then had the name: another file may have it later.
    """

    name: str
    file: str
    offset: int | None = None
    data: bytes = b""
    size: int = 0
    node: int = 0

    @property
    def names(self) -> bool:
        """It changes the folder."""
        return self.name in ("create", "unlink")


# -- recording ---------------------------------------------------------------------------------------------------


def record(command: Sequence[str], log: Path) -> None:
    """Run a command and keep every call that changes a file.

    Raises:
        RecordingError: strace is not installed or may not trace, or the command failed.
    """
    if shutil.which("strace") is None:
        raise RecordingError("strace is not installed: sudo apt install strace")
    traced = f"trace={','.join((*_KNOWN, *_REFUSED))}"
    how = ["--follow-forks", "--seccomp-bpf", "--decode-fds=path", "-qqq", "-xx", f"--string-limit={_LONGEST}"]
    done = subprocess.run(
        ["strace", *how, "-e", "signal=none", "-e", "status=successful", "-e", traced, "-o", str(log), *command],
        capture_output=True,
        text=True,
        check=False,
        env=os.environ | {"PYTHONPATH": _IMPORTS},
    )
    if done.returncode:
        raise RecordingError(f"the table could not be recorded: {done.stderr.strip()}")


def calls(log: Path, folder: Path) -> Iterator[Call]:
    """The calls that changed files of a folder, in order.

    Raises:
        RecordingError: there is one that is not understood.
    """
    place = os.fsencode(folder.resolve())
    with log.open(encoding="ascii") as lines:
        for line in lines:
            match = _CALL.match(line)
            if match is None:
                raise RecordingError(f"strace said what is not understood: {line[:200].strip()}")
            name, words = match["name"], match["words"]
            file = _file(name, words, place)
            if file is None:
                continue
            match name:
                case "openat":
                    if "O_CREAT" in words:
                        yield Call("create", file)
                case "fsync" | "fdatasync":
                    yield Call("sync", file)
                case "unlink":
                    yield Call("unlink", file)
                case "ftruncate":
                    yield Call("truncate", file, size=int(words.rpartition(",")[2]))
                case "write" | "pwrite64":
                    data = _bytes(_STRING.findall(words)[0])[: int(match["result"])]  # Some are cut short.
                    yield Call("write", file, int(words.rpartition(",")[2]) if name == "pwrite64" else None, data)
                case _:
                    raise RecordingError(f"{file} was changed by {name}, which is not understood")


def _file(name: str, words: str, place: bytes) -> str | None:
    """The name of the file in the folder that a call is about; None if it is none of its files."""
    named = _STRING.search(words) if name in ("openat", "unlink") else _OF.match(words)
    for path in [_bytes(named[1])] if named else map(_bytes, _STRING.findall(words)):
        if path == place:
            return ""
        if path.startswith(place + b"/"):
            return os.fsdecode(path[len(place) + 1 :])
    return None


def _bytes(escaped: str) -> bytes:
    return bytes.fromhex(escaped.replace("\\x", ""))


# -- the disk ----------------------------------------------------------------------------------------------------


class Disk:
    """A folder on a disk, and what of it is durable.

    Attributes:
        pending: the calls that a crash may undo, in order.
    """

    def __init__(self) -> None:
        self.pending: list[Call] = []
        self._names: dict[str, int] = {}
        self._durable: dict[str, int] = {}
        self._contents: dict[int, bytearray] = {}
        self._nodes = 0

    def take(self, call: Call) -> None:
        """A call was made.

        Raises:
            RecordingError: it is about a file that is not there, or writes without a place.
        """
        if call.name == "create":
            if call.file not in self._names:
                self._nodes += 1
                self._names[call.file] = self._nodes
                self.pending.append(call._replace(node=self._nodes))
        elif call.name == "sync":
            self._sync(call.file)
        elif call.file not in self._names or (call.name == "write" and call.offset is None):
            raise RecordingError(f"{call.name} of {call.file}: the calls before do not lead there")
        else:
            self.pending.append(call._replace(node=self._names[call.file]))
            if call.name == "unlink":
                del self._names[call.file]

    def _sync(self, file: str) -> None:
        """A file's contents, or the folder's names, reach the disk."""
        node = self._names.get(file, 0)
        synced = [one for one in self.pending if (one.node == node and not one.names if file else one.names)]
        _apply(synced, self._durable, self._contents)
        self.pending = [one for one in self.pending if one not in synced]

    def after(self, kept: Sequence[Call]) -> dict[str, bytes]:
        """The files after a crash before which these calls had reached the disk, in this order."""
        names, touched = dict(self._durable), {call.node for call in kept}
        contents = {node: bytearray(data) if node in touched else data for node, data in self._contents.items()}
        _apply(kept, names, contents)
        return {name: bytes(contents.get(node, b"")) for name, node in names.items()}


def _apply(calls: Sequence[Call], names: dict[str, int], contents: dict[int, bytearray]) -> None:
    for call in calls:
        if call.name == "create":
            names[call.file] = call.node
        elif call.name == "unlink":
            names.pop(call.file, None)
        else:
            data = contents.setdefault(call.node, bytearray())
            size = call.size if call.name == "truncate" else (call.offset or 0) + len(call.data)
            data.extend(bytes(max(0, size - len(data))))
            if call.name == "truncate":
                del data[size:]
            else:
                data[call.offset or 0 : size] = call.data


def crashes(pending: Sequence[Call], rng: random.Random, samples: int) -> Iterator[list[Call]]:
    """What may have reached the disk of changes that were not synced.

    Every first part of them; each with the last write cut at every edge of a sector in it; and at random: some of
    them, in any order, some cut.

    Args:
        samples: how many at random, if there are two changes or more.
    """
    yield []
    for count, last in enumerate(pending):
        yield from ([*pending[:count], torn] for torn in (*_torn(last), last))
    for _ in range(samples if len(pending) > 1 else 0):
        names = [change for change in pending if change.names]  # In order: file systems keep a journal of them.
        part = rng.random()
        kept = [change for change in pending if not change.names and rng.random() < part]
        rng.shuffle(kept)
        cut = [rng.choice(_torn(change) or [change]) if rng.random() < TORN else change for change in kept]
        yield [*names[: rng.randint(0, len(names))], *cut]


def _torn(call: Call) -> list[Call]:
    """A write cut at every edge of a sector within it."""
    start, end = call.offset or 0, (call.offset or 0) + len(call.data)
    edges = range(start - start % SECTOR + SECTOR, end, SECTOR)
    return [call._replace(data=call.data[: edge - start]) for edge in edges]
