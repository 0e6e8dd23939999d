"""What a process writes to the files of a folder, in order, as its system calls: recorded by ``strace``.

``strace`` sees what the kernel is asked for, by the very library that a table uses and by whatever journal it was
given; nothing in between has to be rebuilt or trusted. A table's own words (:mod:`campaigns.reporting_table`) are
writes like any other, so they have their place among them.
"""

import os
import re
import shutil
import subprocess
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

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
    """Nothing could be recorded; the message says why and what to do."""


@dataclass(frozen=True, slots=True)
class Call:
    """A system call that succeeded.

    Attributes:
        name: ``create``, ``write``, ``truncate``, ``sync`` or ``unlink``.
        file: the file's name within the folder; empty for the folder itself.
        offset: where it was written, in bytes; None for the end of the file.
        data: what was written.
        size: to which it was truncated, in bytes.
    """

    name: str
    file: str
    offset: int | None = None
    data: bytes = b""
    size: int = 0


def record(command: Sequence[str], log: Path) -> None:
    """Run a command and keep every call that changes a file.

    Args:
        log: takes the calls.

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
            found = _call(line, place)
            if found is not None:
                yield found


def _call(line: str, place: bytes) -> Call | None:
    match = _CALL.match(line)
    if match is None:
        raise RecordingError(f"strace said what is not understood: {line[:200].strip()}")
    name, words = match["name"], match["words"]
    file = _file(name, words, place)
    if file is None:
        return None
    if name == "openat":
        return Call("create", file) if "O_CREAT" in words else None
    if name in ("fsync", "fdatasync"):
        return Call("sync", file)
    if name == "unlink":
        return Call("unlink", file)
    if name == "ftruncate":
        return Call("truncate", file, size=int(words.rpartition(",")[2]))
    if name not in _KNOWN:
        raise RecordingError(f"{file} was changed by {name}, which is not understood")
    return _write(name, words, file, int(match["result"]))


def _write(name: str, words: str, file: str, written: int) -> Call:
    """Of a write that was cut short, what was written."""
    strings = _STRING.findall(words)
    data = _bytes(strings[0])[:written]
    if len(data) != written:
        raise RecordingError(f"a write of {written} bytes to {file} is longer than what strace keeps")
    return Call("write", file, int(words.rpartition(",")[2]) if name == "pwrite64" else None, data)


def _file(name: str, words: str, place: bytes) -> str | None:
    """The name of the file in the folder that a call is about; None if it is none of its files."""
    named = _STRING.search(words) if name in ("openat", "unlink") else _OF.match(words)
    paths = [_bytes(named[1])] if named else [_bytes(text) for text in _STRING.findall(words)]
    for path in paths:
        if path == place:
            return ""
        if path.startswith(place + b"/"):
            return os.fsdecode(path[len(place) + 1 :])
    return None


def _bytes(escaped: str) -> bytes:
    return bytes.fromhex(escaped.replace("\\x", ""))
