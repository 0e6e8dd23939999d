"""Changes a value or a block in a table's file and nothing else: comments, order and layout stay as they are."""

import os
import re
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

import yaml

from config.positions import parse
from config.problems import Path as Key
from config.problems import dotted
from config.yaml_errors import YamlMark

_PLAIN = re.compile(r"[^\s#,\[\]{}]+")
_ANY_WRITE = 0o222


class NotFoundError(Exception):
    """The file does not have the value, or has it in a form that cannot be changed in place."""


def where(text: str, name: str, key: Key) -> YamlMark:
    """The position of a value.

    Raises:
        NotFoundError: the key is not there.
        ConfigError: the text is not YAML.
    """
    source = parse(text, name)
    if key not in source.spots:
        raise NotFoundError(f"{name}: there is no {dotted(key)}; add it")
    return source.spots[key].value


def with_value(text: str, name: str, key: Key, value: str) -> str:
    """The text with another plain value at a key.

    Raises:
        NotFoundError: the key is not there, or its value is not a plain one.
    """
    mark = where(text, name, key)
    lines = text.splitlines(keepends=True)
    line = lines[mark.line - 1]
    found = _PLAIN.match(line, mark.column - 1)
    if found is None or found[0][0] in "'\"|>&*!":
        raise NotFoundError(f"{name}:{mark.line}:{mark.column}: this value cannot be changed here; edit it by hand")
    lines[mark.line - 1] = line[: found.start()] + value + line[found.end() :]
    return "".join(lines)


def with_entry(text: str, name: str, key: Key, block: Sequence[str]) -> str:
    """The text with an entry of a section: in place of the one that is there, or at the section's end.

    Args:
        key: the entry's; its section is there.
        block: the entry's lines, its key first, as they are written without the section's indentation.

    Raises:
        NotFoundError: the section is not there, or it is written in braces.
        ConfigError: this is no YAML.
    """
    section = _section(text, name, key[:-1])
    lines = text.splitlines(keepends=True)
    entries = [(some, value) for some, value in section.value if some.value == key[-1]]
    first = section.value[0][0].start_mark
    ending = "\r\n" if lines[0].endswith("\r\n") else "\n"
    new = [f"{' ' * first.column if line else ''}{line}{ending}" for line in block]
    if entries:
        begin, end = entries[0][0].start_mark.line, max(map(_last_line, entries[0])) + 1
    else:
        begin = end = _end_of_section(lines, _last_line(section) + 1, first.column)
        if any(not line.strip() for line in lines[first.line : end]):
            new.insert(0, ending)
    if begin and not lines[begin - 1].endswith(("\n", "\r")):
        lines[begin - 1] += ending
    return "".join([*lines[:begin], *new, *lines[end:]])


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
    if not path.stat().st_mode & _ANY_WRITE or not os.access(path, os.W_OK):
        raise PermissionError(None, "it is read-only")
    if not os.access(path.parent, os.W_OK):
        raise PermissionError(None, "its folder is read-only")


def _section(text: str, name: str, key: Key) -> yaml.MappingNode:
    """The node of a section that is written as a block and has entries."""
    mark = where(text, name, key)
    node: yaml.Node | None = yaml.compose(text, Loader=yaml.SafeLoader)
    for part in key:
        node = next(value for some, value in _entries(node) if some.value == part)
    if not isinstance(node, yaml.MappingNode) or node.flow_style or not node.value:
        raise NotFoundError(
            f"{name}:{mark.line}:{mark.column}: nothing can be added to {dotted(key)} as it is written here; "
            "write it on lines of its own, without braces"
        )
    return node


def _entries(node: yaml.Node | None) -> Iterator[tuple[yaml.ScalarNode, yaml.Node]]:
    if isinstance(node, yaml.MappingNode):
        yield from node.value


def _last_line(node: yaml.Node) -> int:
    """The last line, from 0, on which a part of a node stands; comments behind it are not the node's."""
    if isinstance(node, yaml.CollectionNode) and not node.flow_style and node.value:
        last = node.value[-1]
        return max(map(_last_line, last if isinstance(last, tuple) else (last,)))
    end = node.end_mark
    return end.line - 1 if end.column == 0 and end.line > node.start_mark.line else end.line


def _end_of_section(lines: Sequence[str], end: int, column: int) -> int:
    """Past the comments that follow a section's last entry and are indented like it."""
    for at in range(end, len(lines)):
        text = lines[at].lstrip(" ")
        if text.strip() and not (text.startswith("#") and len(lines[at]) - len(text) >= column):
            break
        if text.strip():
            end = at + 1
    return end
