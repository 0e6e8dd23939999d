"""Texts in which a ▸ marks the places where problems are to be found."""


def in_file(text: str) -> tuple[str, list[tuple[int, int]]]:
    """A text without its ▸ marks, and the line and column at which each stood."""
    places = []
    while "▸" in text:
        before, _, after = text.partition("▸")
        text = before + after
        places.append((before.count("\n") + 1, len(before) - before.rfind("\n")))
    return text, places


def changed(table: str, *pairs: tuple[str, str]) -> tuple[str, list[tuple[int, int]]]:
    """A table's text with each first occurrence replaced; as :func:`in_file`."""
    for old, new in pairs:
        assert old in table
        table = table.replace(old, new, 1)
    return in_file(table)
