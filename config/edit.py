"""Changes a section's entries in a table's file, for ``calibrate``: comments and layout stay. Replaces files."""

import os
import re
import tempfile
from collections.abc import Sequence
from pathlib import Path

from config.problems import Path as Key
from config.yaml_source import parse


class NotFoundError(Exception):
    """The file does not have the section, or has it in a form that cannot be changed in place."""


def with_entry(text: str, name: str, key: Key, block: Sequence[str]) -> str:
    """The text with an entry of a section: in place of the one that is there, or after the section's last.

    Args:
        block: the entry's lines, its key first, as they are written without the section's indentation. A comment
            behind a value on one line stays.

    Raises:
        NotFoundError: the section is not there, or its entries are not on lines of their own.
    """
    spots = parse(text.encode(), name).spots
    section, old = spots.get(key[:1]), spots.get(key)
    if section is None:
        raise NotFoundError(f"{name}: there is no section {key[0]}; add it")
    entries = [spot for path, spot in spots.items() if path[:-1] == key[:1]]
    if not entries or section.key != section.value:
        raise NotFoundError(f"{name}: write {key[0]} on lines of its own, without braces; then run this again")
    lines = text.splitlines(keepends=True)
    ending = "\r\n" if lines[0].endswith("\r\n") else "\n"
    indent = " " * (entries[0].key.column - 1)
    begin, end = (old.key.line - 1, old.last_line) if old is not None else (section.last_line, section.last_line)
    comment = re.search(" +#.*", lines[begin].rstrip()) if len(block) == end - begin == 1 else None
    behind = comment[0] if comment is not None else ""
    if not lines[begin - 1].endswith(("\n", "\r")):
        lines[begin - 1] += ending
    written = (f"{indent}{line}{behind}{ending}" for line in block)
    return "".join([*lines[:begin], *written, *lines[end:]])


def replace(path: Path, text: str, mode: int = 0o640) -> None:
    """Write a file so that after a power cut it is the old one or the new one, with its owner and mode.

    Args:
        mode: of a file that is new; its owner is that of the folder.

    Raises:
        OSError: it cannot be written; the old file is unchanged.
    """
    path = path.resolve()
    if path.exists():
        check_writable(path)
    status = (path if path.exists() else path.parent).stat()
    with tempfile.NamedTemporaryFile(
        "w", dir=path.parent, prefix=f".{path.name}.", delete=False, encoding="utf-8", newline=""
    ) as file:
        try:
            file.write(text)
            file.flush()
            os.fchmod(file.fileno(), status.st_mode & 0o7777 if path.exists() else mode)
            if os.geteuid() == 0:
                os.fchown(file.fileno(), status.st_uid, status.st_gid)
            os.fsync(file.fileno())
            os.replace(file.name, path)
        except BaseException:
            Path(file.name).unlink(missing_ok=True)
            raise
    folder = os.open(path.parent, os.O_RDONLY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)


def check_writable(path: Path) -> None:
    """A file that nobody may write to is not replaced either, whoever asks.

    Raises:
        PermissionError: the file, or its folder, is read-only.
    """
    path = path.resolve()
    if not path.stat().st_mode & 0o222 or not os.access(path, os.W_OK):
        raise PermissionError(None, "it is read-only")
    if not os.access(path.parent, os.W_OK):
        raise PermissionError(None, "its folder is read-only")
