"""Messages for the errors of the YAML parser. Used by the loader."""

from typing import NamedTuple

import yaml


class YamlMark(NamedTuple):
    """A place in the file, counted from 1."""

    line: int
    column: int


_WORDS = (
    # Part of the message of libyaml or PyYAML, our message, and the remedy.
    (
        "mapping values are not allowed",
        "a ':' where no key is allowed",
        "check how far this line and the one before it are indented; put text that holds ': ' in quotes",
    ),
    (
        "entries are not allowed",
        "a list cannot begin behind a key on the same line",
        "begin the list on the next line, or write it as [a, b]; put text that begins with '- ' in quotes",
    ),
    ("keys are not allowed", "a value cannot begin with '? '", "put the value in quotes"),
    ("could not find expected ':'", "a key without ': '", "write 'key: value', with a space after the colon"),
    (
        "did not find expected key",
        "this does not fit the lines before it",
        "indent the keys of one section by the same number of spaces; put text that holds quotes in quotes",
    ),
    (
        "expected '-' indicator",
        "a list goes on here without '- '",
        "begin each entry of the list with '- ', all indented alike",
    ),
    (
        "expected <block end>",
        "this does not fit the lines before it",
        "indent what belongs together by the same number of spaces; put text that holds quotes in quotes",
    ),
    ("',' or ']'", "the list is not closed", "put ',' between its entries and ']' after the last"),
    ("',' or '}'", "the '{' is not closed", "put ',' between its entries and '}' after the last"),
    ("cannot start any token", "a value cannot begin with this character", "put the value in quotes"),
    ("unexpected end of stream", "the quote is not closed", "put the same quote after the text"),
    ("document indicator", "the quote is not closed", "put the same quote after the text"),
    ("unknown escape", r"after '\' this character means nothing", "write the character itself"),
    ("invalid Unicode", "there is no such character", "write the character itself"),
    ("hexdecimal", "the escape is not complete", "write the character itself"),
    ("escape sequence of", "the escape is not complete", "write the character itself"),
    ("undefined tag handle", "tags (!…) are not used here", "remove the tag, or put the text in quotes"),
    ("<document start>", "there is text after the end of the document", "remove the line '...' or what follows"),
    ("node content", "a value is expected here", "write a value, or remove what should hold it"),
    ("alphabetic or numeric", "a value cannot begin with '*' or '&'", "put the value in quotes"),
    ("comment or line break", "a value cannot begin with '|' or '>'", "put the value in quotes"),
    ("chomping or indentation", "a value cannot begin with '|' or '>'", "put the value in quotes"),
    ("unknown directive", "a line cannot begin with '%'", "remove the line"),
    ("incompatible YAML", "an unknown version of YAML", "remove the line that begins with %YAML"),
)


def explain(error: yaml.MarkedYAMLError) -> tuple[YamlMark, str, str]:
    """The position of a YAML error, its message and its remedy."""
    original = str(error.problem or error.context or "")
    start, at = error.context_mark, error.problem_mark or error.context_mark
    if start is not None and "could not find expected ':'" in original:
        at = start
    mark = YamlMark(at.line + 1, at.column + 1) if at is not None else YamlMark(1, 1)
    unknown = (f"the file is not YAML here ({original})", "compare this line with one that works")
    message, remedy = next((words for part, *words in _WORDS if part in original), unknown)
    opened = any(word in str(error.context) for word in ("flow", "quoted"))
    if opened and start is not None and start.line + 1 < mark.line:
        message += f" (it begins on line {start.line + 1})"
    return mark, message, remedy
