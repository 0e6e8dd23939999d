"""Decodes a file to text without invisible characters. Used by the loader."""

import re

from config.problems import ConfigError, Problem

_BREAK = re.compile(r"\r\n|\r|\n")
_BOM = b"\xef\xbb\xbf"
_UTF16_MARKS = (b"\xff\xfe", b"\xfe\xff")
_SAMPLE = 256


def decode(data: bytes, name: str) -> str:
    """The file's text. A byte order mark is dropped.

    Raises:
        ConfigError: not UTF-8; tabs, control characters or invisible characters, the first of each line.
    """
    if _is_utf16(data):
        raise ConfigError([Problem(name, 1, 1, "", "the file is saved as UTF-16", "save it as UTF-8")])
    data = data.removeprefix(_BOM)
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        *_, line = lines = _BREAK.split(data[: error.start].decode("utf-8"))
        message = f"the byte 0x{data[error.start]:02X} is not UTF-8"
        problem = Problem(
            name, len(lines), len(line) + 1, "", message, "save the file as UTF-8, or type the character again"
        )
        raise ConfigError([problem]) from None
    if problems := _unseen(text, name):
        raise ConfigError(problems)
    return text


def describe(character: str) -> str:
    """The text for an invisible character."""
    words = {"\t": "a tab", "\n": "a line break", "\0": "a NUL character", "\u00a0": "a no-break space"}
    return words.get(character) or f"the invisible or control character U+{ord(character):04X}"


def first_unseen(text: str) -> int | None:
    """Position of the first character that is not printable, or None."""
    if text.isprintable():
        return None
    return next(at for at, character in enumerate(text) if not character.isprintable())


def _is_utf16(data: bytes) -> bool:
    sample = data[:_SAMPLE]
    zeros = {sample[0::2].strip(b"\0"), sample[1::2].strip(b"\0")}
    return data.startswith(_UTF16_MARKS) or (len(sample) >= 4 and b"" in zeros and len(zeros) == 2)


def _unseen(text: str, name: str) -> list[Problem]:
    problems = []
    for number, line in enumerate(_BREAK.split(text), 1):
        at = first_unseen(line)
        if at is not None:
            tab = line[at] == "\t"
            remedy = "use spaces instead of tabs" if tab else "delete it, or put an ordinary character in its place"
            problems.append(Problem(name, number, at + 1, "", f"{describe(line[at])} is not allowed here", remedy))
    return problems
