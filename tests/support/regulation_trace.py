"""The trace from the regulation's clauses to code, tests and mutants: the rows of ``docs/regulations.md``."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from project import ROOT

TRACE = (ROOT / "docs" / "regulations.md").read_text(encoding="utf-8")
COLUMNS = ["clause", "what it asks of the table", "code", "test", "mutant"]


@dataclass(frozen=True)
class Row:
    """A row of the trace."""

    line: int
    clause: str
    code: str
    tests: str
    mutants: str

    @property
    def test_ids(self) -> tuple[str, ...]:
        return tuple(re.findall("`(tests/[^`]+)`", self.tests))

    @property
    def mutant_names(self) -> tuple[str, ...]:
        return tuple(re.findall("`([^`]+)`", self.mutants))


def table_rows(text: str) -> Iterator[tuple[int, list[str]]]:
    """The cells of every row of a table, with its line."""
    for line, words in enumerate(text.splitlines(), 1):
        if words.lstrip().startswith("|"):
            yield line, [cell.strip() for cell in words.strip().removeprefix("|").removesuffix("|").split("|")]


def rows(text: str) -> Iterator[Row]:
    """The rows that are complete."""
    for line, cells in table_rows(text):
        if len(cells) == len(COLUMNS) and cells != COLUMNS and set("".join(cells)) != {"-"}:
            yield Row(line, cells[0], *cells[2:])
