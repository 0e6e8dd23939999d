"""Blocks of code on the documents' pages, and the commands of the program that stand in them."""

import re
import shlex
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from project import ROOT

from controller.commands.command_parser import PROGRAM

PAGES = (*sorted(ROOT.glob("*.md")), *sorted((ROOT / "docs").rglob("*.md")))
_BLOCK = re.compile(r"^(?P<indent> *)```(?P<info>[^\n`]*)\n(?P<text>.*?)^(?P=indent)```$", re.DOTALL | re.MULTILINE)
_SHELL = ("", "sh")
_BEFORE = re.compile(r"(?:sudo (?:-u \S+ )?)?(?:\.venv/bin/)?" + PROGRAM + r"\s")


@dataclass(frozen=True)
class Block:
    """A block of code."""

    info: str
    """What stands behind its opening fence, as ``sh bench``."""
    text: str


def blocks(page: Path) -> list[Block]:
    """All blocks of a page, in order."""
    text = page.read_text(encoding="utf-8")
    return [Block(one["info"].strip(), one["text"]) for one in _BLOCK.finditer(text)]


def commands(page: Path) -> Iterator[list[str]]:
    """What stands behind the program's name wherever a page calls it, as a shell would split it."""
    for block in blocks(page):
        if block.info.partition(" ")[0] in _SHELL:
            for line in block.text.replace("\\\n", " ").splitlines():
                found = _BEFORE.match(line.strip())
                if found:
                    yield words(line.strip()[found.end() :])


def words(line: str) -> list[str]:
    """The words of a command up to what a shell takes for itself: a comment, a pipe, the next command."""
    split = shlex.shlex(line, posix=True, punctuation_chars="|&;<>")
    split.whitespace_split = True
    found: list[str] = []
    for word in split:
        if set(word) <= set("|&;<>"):
            break
        found.append(word)
    return found
