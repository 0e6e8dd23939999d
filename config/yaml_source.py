"""Bytes to plain data with the place of each value, by PyYAML's events and marks.

Every scalar is the text as written; only a plain ``null``, ``~`` or nothing is None. What a file of ours does not
need (anchors, tags, several documents, keys that are not text, invisible characters) is refused at its place. The
events are read one by one, so that no depth of nesting can exhaust memory or the stack.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NamedTuple, NoReturn

import yaml

from config.problems import ConfigError, Finding, Path, Problem, dotted, quoted

MAX_DEPTH = 40

_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_TAG_PREFIX = "tag:yaml.org,2002:"
_BREAK = re.compile(r"\r\n|\r|\n")
_BOM = b"\xef\xbb\xbf"


class Mark(NamedTuple):
    """A place in the file, counted from 1."""

    line: int
    column: int


class Spot(NamedTuple):
    """Where a key and its value begin. A list's entry has no key: both are its value's."""

    key: Mark
    value: Mark
    last_line: int = 0
    """Of the value, without comments behind it."""


@dataclass(slots=True)
class YamlSource:
    """The data of a file, with their places."""

    name: str
    data: object = None
    spots: dict[Path, Spot] = field(default_factory=dict)
    problems: list[Problem] = field(default_factory=list)
    """Keys that are given twice: the first one is in ``data``."""

    def find(self, path: Path, on_key: bool = False) -> Mark:
        """Where a value begins, or the key of the nearest section around it if the file lacks it."""
        spot = self.spots.get(path)
        if spot is not None and not on_key:
            return spot.value
        while spot is None and path:
            path = path[:-1]
            spot = self.spots.get(path)
        return spot.key if spot is not None else Mark(1, 1)

    def problem(self, found: Finding) -> Problem:
        """A finding with its place in the file."""
        cited = (self.find(path) for path in found.see if path in self.spots)
        also = "".join(f" (also {self.name}:{at.line}:{at.column})" for at in cited)
        mark = self.find(found.path, found.on_key)
        return Problem(self.name, *mark, dotted(found.path), found.message + also, found.remedy)


def parse(data: bytes, name: str, first: str = "table") -> YamlSource:
    """Read a file's contents.

    Args:
        first: the first key of such a file, for the remedy if it has none.

    Raises:
        ConfigError: this is not text or not YAML, is empty or nested too deeply, is not a mapping, or has something
            that is not used here.
    """
    reader = _Reader(_decoded(data, name), YamlSource(name))
    reader.source.data = reader.document(f"begin with '{first}: …'")
    return reader.source


def _decoded(data: bytes, name: str) -> str:
    """The file's text without a byte order mark.

    Raises:
        ConfigError: not UTF-8, or there is a tab, a control character or an invisible character.
    """

    def refused(at: int, message: str, remedy: str) -> ConfigError:
        *_, line = lines = _BREAK.split(text[:at])
        return ConfigError([Problem(name, len(lines), len(line) + 1, "", message, remedy)])

    text = ""
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        raise refused(0, "the file is saved as UTF-16", "save it as UTF-8")
    if data.startswith(b"SQLite format 3"):
        raise refused(0, "this is a database, such as a journal", "name the table's YAML file")
    data = data.removeprefix(_BOM)
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        text, byte = data[: error.start].decode("utf-8"), data[error.start]
        remedy = "save the file as UTF-8, or type the character again"
        raise refused(len(text), f"the byte 0x{byte:02X} is not UTF-8", remedy) from None
    if unseen := _unseen(_BREAK.sub("", text)):
        remedy = "use spaces instead of tabs" if unseen == "\t" else "delete it, or type an ordinary character"
        raise refused(text.index(unseen), f"{_described(unseen)} is not allowed here", remedy)
    return text


def _unseen(text: str) -> str:
    """The first character that is not printable; empty if there is none."""
    return "" if text.isprintable() else next(one for one in text if not one.isprintable())


def _described(character: str) -> str:
    named = {"\t": "a tab", "\n": "a line break"}
    return named.get(character) or f"the invisible or control character U+{ord(character):04X}"


class _Reader:
    """Reads the parser's events."""

    def __init__(self, text: str, source: YamlSource) -> None:
        self.source = source
        self._at = Mark(1, 1)
        self._last_line = 1
        """Of what was read last and is no comment."""
        self._events: Iterator[yaml.Event] = yaml.parse(text, Loader=_LOADER)

    def document(self, remedy: str) -> object:
        self._next()
        root = self._next()
        if isinstance(root, yaml.DocumentStartEvent):
            root = self._next()
        if isinstance(root, yaml.StreamEndEvent) or _is_nothing(root):
            self._at = Mark(1, 1)
            self._refuse((), "the file is empty", remedy)
        if not isinstance(root, yaml.MappingStartEvent):
            kind = "a list" if isinstance(root, yaml.SequenceStartEvent) else "text"
            if ":" in getattr(root, "value", ""):
                remedy += ", with a space after each colon"
            self._refuse((), f"the file must be made of keys with values, but this is {kind}", remedy)
        data = self._value(root, (), None)
        self._next()
        if not isinstance(self._next(), yaml.StreamEndEvent):
            self._refuse((), "a second document begins here", "keep one and remove '---'")
        return data

    def _next(self) -> yaml.Event:
        try:
            event = next(self._events)
        except yaml.MarkedYAMLError as error:
            self._at, message, remedy = _explained(error)
            self._refuse((), message, remedy)
        except (yaml.YAMLError, ValueError, OverflowError) as error:
            self._refuse((), f"the file is not YAML after this: {error}", "")
        start, end = event.start_mark, event.end_mark
        assert start is not None
        assert end is not None
        self._at = Mark(start.line + 1, start.column + 1)
        if end.index > start.index:  # A block of text ends at the beginning of the next line.
            self._last_line = end.line + (end.column > 0)
        return event

    def _until(self, end: type[yaml.Event]) -> Iterator[yaml.Event]:
        """What begins in a section or list."""
        while not isinstance(event := self._next(), end):
            yield event

    def _value(self, event: yaml.Event, path: Path, key: Mark | None) -> object:
        block = isinstance(event, yaml.CollectionStartEvent) and not event.flow_style
        absent = _is_nothing(event) and not getattr(event, "value", "")
        spot = Spot(key or self._at, key if key and (block or absent) else self._at)
        self.source.spots[path] = spot
        data = self._content(event, path)
        self.source.spots[path] = spot._replace(last_line=self._last_line)
        return data

    def _content(self, event: yaml.Event, path: Path) -> object:
        self._check(event, path)
        if isinstance(event, yaml.ScalarEvent):
            if unseen := _unseen(event.value):
                remedy = "write it on one line, in characters that can be seen"
                if event.style in ("'", '"') and unseen == "\n":
                    remedy += f"; did you forget the closing {event.style} ?"
                self._refuse(path, f"the text holds {_described(unseen)}", remedy)
            return None if _is_nothing(event) else event.value
        if len(path) >= MAX_DEPTH:
            message = f"sections and lists are nested more than {MAX_DEPTH} deep"
            self._refuse((), message, "check the brackets and the indentation")
        if isinstance(event, yaml.SequenceStartEvent):
            entries = enumerate(self._until(yaml.SequenceEndEvent))
            return [self._value(entry, (*path, place), None) for place, entry in entries]
        section: dict[str, object] = {}
        for first in self._until(yaml.MappingEndEvent):
            key, mark = self._key(first, path), self._at
            place = (*path, key)
            if key in section:
                message = f"the key was already given on line {self.source.spots[place].key.line}"
                problem = Problem(self.source.name, *mark, dotted(place), message, "remove one of the two")
                self.source.problems.append(problem)
                place = (*path, f"{key} (again)")
            value = self._value(self._next(), place, mark)
            section.setdefault(key, value)
        return section

    def _key(self, event: yaml.Event, path: Path) -> str:
        key = str(event.value) if isinstance(event, yaml.ScalarEvent) else None
        wrong = "a key must be plain text" if key is None else "" if key else "the key is missing before ':'"
        if unseen := _unseen(key or ""):
            wrong = f"the key holds {_described(unseen)}"
        if wrong or key is None:
            self._refuse(path, wrong, "write 'key: value'")
        self._check(event, (*path, key))
        return key

    def _check(self, event: yaml.Event, path: Path) -> None:
        """Aliases, anchors and tags."""
        anchor, tag = getattr(event, "anchor", None), getattr(event, "tag", None)
        if isinstance(event, yaml.AliasEvent):
            self._refuse(path, f"aliases (*{anchor}) are not used here", "write the value out")
        if anchor:
            remedy = f"remove '&{anchor}' and write the value out wherever it is used"
            self._refuse(path, f"anchors (&{anchor}) are not used here", remedy)
        if tag:
            written = f"!!{tag.removeprefix(_TAG_PREFIX)}" if tag.startswith(_TAG_PREFIX) else tag
            remedy = "remove the tag; put text that begins with '!' in quotes"
            self._refuse(path, f"tags ({quoted(written)}) are not used here", remedy)

    def _refuse(self, path: Path, message: str, remedy: str) -> NoReturn:
        """The rest of the file is not read."""
        problem = Problem(self.source.name, *self._at, dotted(path), message, remedy)
        raise ConfigError([*self.source.problems, problem])


def _is_nothing(event: yaml.Event) -> bool:
    return isinstance(event, yaml.ScalarEvent) and not event.style and event.value in ("", "~", "null")


_INDENT = "indent what belongs together by the same number of spaces; put text that holds quotes in quotes"
_QUOTES = "put the value in quotes"
_UNFIT = "this does not fit the lines before it"
_WORDS = (
    # Part of the message of PyYAML's parser, our message, and the remedy.
    ("mapping values are not allowed", "a ':' where no key is allowed", f"{_INDENT}, as well as text with ': '"),
    (
        "entries are not allowed",
        "a list cannot begin behind a key",
        "write it as [a, b], or in quotes if it is text",
    ),
    ("could not find expected ':'", "a key without ': '", "write 'key: value', with a space after the colon"),
    ("did not find expected key", _UNFIT, _INDENT),
    ("expected <block end>", _UNFIT, _INDENT),
    ("expected '-' indicator", "a list goes on here without '- '", "begin each entry with '- ', indented alike"),
    ("',' or ']'", "the list is not closed", "put ',' between its entries and ']' after the last"),
    ("',' or '}'", "the '{' is not closed", "put ',' between its entries and '}' after the last"),
    ("cannot start any token", "a value cannot begin with this character", _QUOTES),
    ("keys are not allowed", "a value cannot begin with '? '", _QUOTES),
    ("alphabetic or numeric", "a value cannot begin with '*' or '&'", _QUOTES),
    ("comment or line break", "a value cannot begin with '|' or '>'", _QUOTES),
    ("unexpected end of stream", "the quote is not closed", "put the same quote after the text"),
    ("escape", r"after '\' these characters mean nothing", "write the character itself"),
    ("node content", "a value is expected here", "write a value, or remove what should hold it"),
)


def _explained(error: yaml.MarkedYAMLError) -> tuple[Mark, str, str]:
    """The place of a syntax error, its message and its remedy."""
    original = str(error.problem or error.context or "")
    start, at = error.context_mark, error.problem_mark or error.context_mark
    if start is not None and "could not find expected ':'" in original:
        at = start
    mark = Mark(at.line + 1, at.column + 1) if at is not None else Mark(1, 1)
    unknown = (f"the file is not YAML here ({original})", "compare this line with one that works")
    message, remedy = next(((said, do) for part, said, do in _WORDS if part in original), unknown)
    opened = any(word in str(error.context) for word in ("flow", "quoted"))
    if opened and start is not None and start.line + 1 < mark.line:
        message += f" (it begins on line {start.line + 1})"
    return mark, message, remedy
