"""Parses YAML to plain data with the position of each value. Used by the loader.

Every scalar is the text as written; only a plain ``null``, ``~`` or nothing is None. The parts of YAML that a
table's file does not need (anchors, tags, several documents, keys that are not text) are refused. The parser's
events are read one by one, so that no depth of nesting and no repeated alias can exhaust memory or the stack.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

import yaml

from config.characters import describe, first_unseen
from config.problems import ConfigError, Path, Problem, dotted, quoted
from config.yaml_errors import YamlMark, explain

MAX_DEPTH = 40

_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_EMPTY = ("", "~", "null")
_TAG_PREFIX = "tag:yaml.org,2002:"


class Spot(NamedTuple):
    """Where a key and its value begin. A list's entry has no key: both are its value's."""

    key: YamlMark
    value: YamlMark


@dataclass(slots=True)
class YamlSource:
    """The data of a file, with their positions."""

    name: str
    data: object = None
    spots: dict[Path, Spot] = field(default_factory=dict)
    problems: list[Problem] = field(default_factory=list)
    refused: set[Path] = field(default_factory=set)
    """The paths of values that were written in a form that is not allowed; those in ``data`` are not valid."""

    def find(self, path: Path, on_key: bool = False) -> YamlMark:
        """Where a value begins, or the key of the nearest section around it if the file lacks it."""
        spot = self.spots.get(path)
        if spot is not None and not on_key:
            return spot.value
        while spot is None and path:
            path = path[:-1]
            spot = self.spots.get(path)
        return spot.key if spot is not None else YamlMark(1, 1)

    def report(self, mark: YamlMark, path: Path, message: str, remedy: str) -> None:
        self.problems.append(Problem(self.name, mark.line, mark.column, dotted(path), message, remedy))

    def stop(self, mark: YamlMark, path: Path, message: str, remedy: str) -> ConfigError:
        """The error to raise when the rest of the file cannot be read."""
        self.report(mark, path, message, remedy)
        return ConfigError(self.problems)


def parse(text: str, name: str, first: str = "table") -> YamlSource:
    """Read a file's text. Problems that leave the rest readable are in the result.

    Args:
        first: the first key of such a file, for the remedy if it has none.

    Raises:
        ConfigError: the text is not YAML, is empty, is nested too deeply, or is not a mapping.
    """
    source = YamlSource(name)
    reader = _Reader(text, source, first)
    source.data = reader.document()
    return source


class _Reader:
    def __init__(self, text: str, source: YamlSource, first: str) -> None:
        self._source = source
        self._begin = f"begin with '{first}: …'"
        self._at = YamlMark(1, 1)
        self._events: Iterator[yaml.Event] = yaml.parse(text, Loader=_LOADER)

    def document(self) -> dict[str, object]:
        self._next()
        if isinstance(self._next(), yaml.StreamEndEvent):
            raise self._source.stop(YamlMark(1, 1), (), "the file is empty", self._begin)
        root = self._next()
        if isinstance(root, yaml.ScalarEvent) and root.value in _EMPTY and not root.style:
            raise self._source.stop(YamlMark(1, 1), (), "the file is empty", self._begin)
        if not isinstance(root, yaml.MappingStartEvent):
            kind = "a list" if isinstance(root, yaml.SequenceStartEvent) else "text"
            message = f"the file must be made of keys with values, but this is {kind}"
            raise self._source.stop(self._at, (), message, self._begin)
        self._source.spots[()] = Spot(self._at, self._at)
        data = self._mapping(root, ())
        self._next()
        if not isinstance(self._next(), yaml.StreamEndEvent):
            self._source.report(self._at, (), "a second document begins here", "keep one table and remove '---'")
        return data

    def _next(self) -> yaml.Event:
        try:
            event = next(self._events)
        except yaml.MarkedYAMLError as error:
            raise self._source.stop(explain(error)[0], (), *explain(error)[1:]) from None
        except (yaml.YAMLError, ValueError, OverflowError) as error:
            raise self._source.stop(self._at, (), f"the file is not YAML after this: {error}", "") from None
        if event.start_mark is not None:
            self._at = YamlMark(event.start_mark.line + 1, event.start_mark.column + 1)
        return event

    def _value(self, event: yaml.Event, path: Path, key: YamlMark | None) -> object:
        self._source.spots[path] = self._spot(event, key)
        if isinstance(event, yaml.AliasEvent):
            self._refuse(path, f"aliases (*{event.anchor}) are not used here", "write the value out")
            return None
        self._check_marks(event, path)
        if isinstance(event, yaml.ScalarEvent):
            return self._scalar(event, path)
        self._check_depth(len(path))
        if isinstance(event, yaml.MappingStartEvent):
            return self._mapping(event, path)
        return self._sequence(path)

    def _check_depth(self, depth: int) -> None:
        if depth >= MAX_DEPTH:
            message = f"sections and lists are nested more than {MAX_DEPTH} deep"
            raise self._source.stop(self._at, (), message, "check the brackets and the indentation")

    def _spot(self, event: yaml.Event, key: YamlMark | None) -> Spot:
        """The position of a section, or of a missing value, is that of its key."""
        block = isinstance(event, yaml.CollectionStartEvent) and not event.flow_style
        nothing = isinstance(event, yaml.ScalarEvent) and not event.value and not event.style
        if key is None:
            return Spot(self._at, self._at)
        return Spot(key, key if block or nothing else self._at)

    def _check_marks(self, event: yaml.Event, path: Path) -> None:
        """Anchors and tags."""
        anchor, tag = getattr(event, "anchor", None), getattr(event, "tag", None)
        if anchor:
            remedy = f"remove '&{anchor}' and write the value out wherever it is used"
            self._source.report(self._at, path, f"anchors (&{anchor}) are not used here", remedy)
        if tag:
            written = f"!!{tag.removeprefix(_TAG_PREFIX)}" if tag.startswith(_TAG_PREFIX) else tag
            remedy = "remove the tag; put text that begins with '!' in quotes"
            self._refuse(path, f"tags ({quoted(written)}) are not used here", remedy)

    def _refuse(self, path: Path, message: str, remedy: str) -> None:
        self._source.report(self._at, path, message, remedy)
        if path:
            self._source.refused.add(path)

    def _scalar(self, event: yaml.ScalarEvent, path: Path) -> str | None:
        text = str(event.value)
        if not event.style and text in _EMPTY:
            return None
        at = first_unseen(text)
        if at is not None:
            remedy = "write it on one line, in characters that can be seen"
            self._refuse(path, f"the text holds {describe(text[at])}", remedy)
        return text

    def _sequence(self, path: Path) -> list[object]:
        entries: list[object] = []
        while not isinstance(event := self._next(), yaml.SequenceEndEvent):
            entries.append(self._value(event, (*path, len(entries)), None))
        return entries

    def _mapping(self, opening: yaml.MappingStartEvent, path: Path) -> dict[str, object]:
        if not path:
            self._check_marks(opening, path)
        section: dict[str, object] = {}
        while not isinstance(event := self._next(), yaml.MappingEndEvent):
            key, mark = self._key(event, path), self._at
            if key is None:
                self._skip(self._next())
            elif key in section:
                first = self._source.spots[(*path, key)].key
                message = f"the key was already given on line {first.line}"
                self._source.report(mark, (*path, key), message, "remove one of the two")
                self._value(self._next(), (*path, f"{key} (again)"), mark)
            else:
                section[key] = self._value(self._next(), (*path, key), mark)
        return section

    def _key(self, event: yaml.Event, path: Path) -> str | None:
        """The key's text, or None (and a problem) if it is not text."""
        mark = self._at
        if not isinstance(event, yaml.ScalarEvent):
            self._source.report(mark, path, "a key must be plain text", "write 'key: value'")
            self._skip(event)
            self._at = mark
            return None
        key = str(event.value)
        unseen = first_unseen(key)
        if not key or unseen is not None:
            what = "the key is missing before ':'" if unseen is None else f"the key holds {describe(key[unseen])}"
            self._source.report(mark, path, what, "write 'key: value'")
            return None
        self._check_marks(event, (*path, key))
        return key

    def _skip(self, event: yaml.Event) -> None:
        """Read past a value."""
        depth = 0
        while True:
            self._check_depth(depth)
            depth += isinstance(event, yaml.CollectionStartEvent) - isinstance(event, yaml.CollectionEndEvent)
            if depth <= 0:
                return
            event = self._next()
