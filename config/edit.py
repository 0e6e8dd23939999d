"""Changes a value in a table's file and nothing else: comments, order and layout stay as they are."""

import os
import re
import tempfile
from pathlib import Path

from config.positions import parse
from config.problems import Path as Key
from config.yaml_errors import YamlMark

_PLAIN = re.compile(r"[^\s#,\[\]{}]+")


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
        raise NotFoundError(f"{name}: there is no {'.'.join(map(str, key))}; add it")
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


def replace(path: Path, text: str) -> None:
    """Write a file so that after a power cut it is the old one or the new one, with its owner and mode.

    Raises:
        OSError: it cannot be written; the old file is unchanged.
    """
    path = path.resolve()
    status = path.stat()
    with tempfile.NamedTemporaryFile(
        "w", dir=path.parent, prefix=f".{path.name}.", delete=False, newline=""
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
