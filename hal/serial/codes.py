"""Finds a wheel reader's code in a line, and lists every code that its pattern can find. Pure: no port, no time.

The list is exact. It is made from the parsed group ``pocket``, which gives every text that the group can match, and
a sample line for each of these codes must then be read as that code. A pattern for which this fails is refused.

A code beside a character of which codes are made may be cut out of a longer one: ``3`` out of ``37``. Such a line
is not read, except where the text on that side has a fixed length, which fixes the place of the code.

The parser of :mod:`re` has no public name. An unknown construct in its result is refused.
"""

import re
from collections.abc import Iterable
from functools import lru_cache
from itertools import islice
from re import _compiler, _constants, _parser  # type: ignore[attr-defined]
from typing import Any

GROUP = "pocket"
MOST_CODES = 1000
_SAMPLES = 10
"""Texts before and after the code that are tried in sample lines."""
_LONGEST = 1000
_PRINTABLE = [chr(code) for code in range(0x20, 0x7F)]
"""The characters of a valid line (see :mod:`hal.serial.lines`)."""

_ONE_CHARACTER = (_constants.LITERAL, _constants.NOT_LITERAL, _constants.IN, _constants.ANY)
_NO_CHARACTER = (_constants.AT, _constants.ASSERT, _constants.ASSERT_NOT)
_REPEATS = (_constants.MAX_REPEAT, _constants.MIN_REPEAT)


class LinePattern:
    """The lines that hold a result, and the codes in them.

    Args:
        pattern: regular expression of a line with a result; its group ``pocket`` is the code.
        ignore: regular expression of lines that are neither results nor faults; None for no such lines.

    Raises:
        ValueError: the codes cannot be listed, or one of them is never read; the message has the remedy.
        re.error: a regular expression is not valid.
    """

    def __init__(self, pattern: str, ignore: str | None = None) -> None:
        self._pattern = re.compile(pattern, re.ASCII)
        self._ignore = None if ignore is None else re.compile(ignore, re.ASCII)
        tree = _parser.parse(pattern, re.ASCII)
        at = _place_of_group(tree)
        before, after = tree[:at], tree[at + 1 :]
        self._fixed_before, self._fixed_after = _is_fixed(before), _is_fixed(after)
        self.codes = _codes(tree[at : at + 1])
        self._characters = frozenset("".join(self.codes))
        self.samples: dict[str, str] = {}
        """A line for each code."""
        around = [(head, tail) for head in _texts(before, _SAMPLES) for tail in _texts(after, _SAMPLES)]
        for code in self.codes:
            lines = (head + code + tail for head, tail in around)
            line = next((one for one in lines if self._reads(one, code)), None)
            if line is None:
                raise ValueError(
                    f"the pattern allows the code '{code}' but reads it in no line; write longer codes first, a "
                    "separator beside the code, and no `ignore` for results"
                )
            self.samples[code] = line

    def ignores(self, line: str) -> bool:
        return self._ignore is not None and self._ignore.fullmatch(line) is not None

    def code(self, line: str) -> str | None:
        """The code in a line, one of :attr:`codes`; None if the line is not a result."""
        found = self._pattern.fullmatch(line)
        if found is None:
            return None
        start, end = found.span(GROUP)
        left = "" if self._fixed_before else line[start - 1 : start]
        right = "" if self._fixed_after else line[end : end + 1]
        return None if self._characters & {left, right} else found[GROUP]

    def _reads(self, line: str, code: str) -> bool:
        return not self.ignores(line) and self.code(line) == code


@lru_cache(maxsize=4)
def line_pattern(pattern: str, ignore: str | None) -> LinePattern:
    """As :class:`LinePattern`; made once, because the settings of a reader are validated several times."""
    return LinePattern(pattern, ignore)


def _place_of_group(tree: Any) -> int:
    """The position of the group in the pattern."""
    number = tree.state.groupdict.get(GROUP)
    if number is None:
        raise ValueError(f"the pattern has no group '{GROUP}'; write (?P<{GROUP}>...) around the number in it")
    for at, (op, argument) in enumerate(tree):
        if op is _constants.SUBPATTERN and argument[0] == number:
            return at
    raise ValueError(
        f"the group '{GROUP}' is inside another group, an alternative or a repetition; write it outside of these"
    )


def _is_fixed(part: Any) -> bool:
    """Whether a part of a pattern matches texts of one length only."""
    shortest, longest = part.getwidth()
    return bool(shortest == longest)


def _codes(group: Any) -> tuple[str, ...]:
    codes = _texts(group, MOST_CODES + 1)
    if len(codes) > MOST_CODES:
        raise ValueError(
            f"the pattern allows more than {MOST_CODES} codes; write those of pockets only: [0-2][0-9]|3[0-6]"
        )
    return tuple(dict.fromkeys(codes))


def _texts(part: Any, most: int) -> list[str]:
    """The first texts that a part of a pattern matches, if its assertions hold; at most ``most``."""
    texts = [""]
    for at in range(len(part)):
        texts = _joined(texts, _texts_of_item(part[at : at + 1], most), most)
    return texts


def _texts_of_item(item: Any, most: int) -> list[str]:
    ((op, argument),) = item
    if op in _ONE_CHARACTER:
        matches = _compiler.compile(item, re.ASCII).fullmatch
        texts = [character for character in _PRINTABLE if matches(character)]
        if not texts:
            raise ValueError("the pattern has a character that no line has; use those from space to ~")
        return texts[:most]
    if op in _NO_CHARACTER:
        return [""]
    if op is _constants.BRANCH:
        return [text for branch in argument[1] for text in _texts(branch, most)][:most]
    if op is _constants.SUBPATTERN and not any(argument[1:3]):  # Without flags of its own.
        return _texts(argument[3], most)
    if op in _REPEATS:
        return _repeated(argument, most)
    raise ValueError(
        "the codes of this pattern cannot be listed; write it without back references, conditions, atomic groups "
        "and flags of a group"
    )


def _repeated(argument: tuple[int, int, Any], most: int) -> list[str]:
    fewest, greatest, part = argument
    once, layer, texts = _texts(part, most), [""], list[str]()
    for times in range(greatest + 1):
        if fewest > _LONGEST or len(layer[0]) > _LONGEST:
            raise ValueError(f"the pattern repeats more than {_LONGEST} characters; use a shorter repetition")
        texts += layer if times >= fewest else ()
        if len(texts) >= most:
            break
        layer = _joined(layer, once, most)
    return texts[:most]


def _joined(heads: Iterable[str], tails: list[str], most: int) -> list[str]:
    return list(islice((head + tail for head in heads for tail in tails), most))
