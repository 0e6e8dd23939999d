"""Small pieces of Markdown that the pages made from the code are written with."""

from collections.abc import Iterable, Sequence


def cell(text: str) -> str:
    """A text in a cell of a table: on one line, with no bar that would end the cell."""
    return " ".join(text.split()).replace("|", "\\|")


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table; nothing if it has no rows."""
    lines = [f"| {' | '.join(map(cell, row))} |\n" for row in rows]
    if not lines:
        return ""
    return f"| {' | '.join(head)} |\n|{' --- |' * len(head)}\n{''.join(lines)}\n"


def plain(text: str) -> str:
    """A docstring's text as Markdown: its double marks of code as single ones, no tags, no emphasis."""
    text = text.replace("``", "`")
    parts = text.split("`")
    for number in range(0, len(parts), 2):  # Between marks of code all stands as it is.
        parts[number] = parts[number].replace("<", "&lt;").replace("*", "\\*").replace("[", "\\[")
    return "`".join(parts)
