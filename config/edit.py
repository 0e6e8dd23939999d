"""Changes entries of a section in a table's file, for ``calibrate``. Comments, order and layout stay."""

import os
import tempfile
from collections.abc import Sequence
from pathlib import Path

import yaml

from config.problems import Path as Key
from config.problems import dotted


class NotFoundError(Exception):
    """The file does not have the section, or has it in a form that cannot be changed in place."""


def with_value(text: str, name: str, key: Key, value: str) -> str:
    """The text with another value of a section's entry that is a number.

    Raises:
        NotFoundError: the entry is not there.
    """
    mark = _entry(text, name, key)[1].start_mark
    lines = text.splitlines(keepends=True)
    line = lines[mark.line]
    lines[mark.line] = line[: mark.column] + value + line[mark.column :].lstrip("0123456789")
    return "".join(lines)


def with_entry(text: str, name: str, key: Key, block: Sequence[str]) -> str:
    """The text with an entry of a section: in place of the one that is there, or after the section's last.

    Args:
        block: the entry's lines, its key first, as they are written without the section's indentation.

    Raises:
        NotFoundError: the section is not there, or its entries are not on lines of their own.
    """
    section = _section(text, name, key)
    if section.flow_style or not section.value:
        raise NotFoundError(f"{name}: write {key[0]} on lines of its own, without braces; then run this again")
    lines = text.splitlines(keepends=True)
    ending = "\r\n" if lines[0].endswith("\r\n") else "\n"
    indent = " " * section.value[0][0].start_mark.column
    begin = end = _last_line(section) + 1
    for entry, value in section.value:
        if entry.value == key[-1]:
            begin, end = entry.start_mark.line, max(_last_line(entry), _last_line(value)) + 1
    if not lines[begin - 1].endswith(("\n", "\r")):
        lines[begin - 1] += ending
    return "".join([*lines[:begin], *(f"{indent}{line}{ending}" for line in block), *lines[end:]])


def replace(path: Path, text: str) -> None:
    """Write a file so that after a power cut it is the old one or the new one, with its owner and mode.

    Raises:
        OSError: it cannot be written; the old file is unchanged.
    """
    path = path.resolve()
    check_writable(path)
    status = path.stat()
    with tempfile.NamedTemporaryFile(
        "w", dir=path.parent, prefix=f".{path.name}.", delete=False, encoding="utf-8", newline=""
    ) as file:
        try:
            file.write(text)
            file.flush()
            os.fchmod(file.fileno(), status.st_mode & 0o7777)
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


def _section(text: str, name: str, key: Key) -> yaml.MappingNode:
    root = yaml.compose(text, Loader=yaml.SafeLoader)
    for entry, value in root.value if isinstance(root, yaml.MappingNode) else ():
        if entry.value == key[0] and isinstance(value, yaml.MappingNode):
            return value
    raise NotFoundError(f"{name}: there is no section {key[0]}; add it")


def _entry(text: str, name: str, key: Key) -> tuple[yaml.Node, yaml.Node]:
    for entry, value in _section(text, name, key).value:
        if entry.value == key[-1]:
            return entry, value
    raise NotFoundError(f"{name}: there is no {dotted(key)}; add it")


def _last_line(node: yaml.Node) -> int:
    """The last line, from 0, on which a part of a node is; comments behind it are not the node's."""
    if isinstance(node, yaml.CollectionNode) and not node.flow_style and node.value:
        last = node.value[-1]
        return max(map(_last_line, last if isinstance(last, tuple) else (last,)))
    end = node.end_mark
    return end.line - 1 if end.column == 0 and end.line > node.start_mark.line else end.line
