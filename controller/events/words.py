"""Makes sentences of codes and parameters, where people read them.

Records, machines and prompts hold a :class:`Text`: a code and its parameters. Each game, like the table layer, has
one table of words, which gives a sentence to each code.
"""

from collections.abc import Callable, Mapping
from dataclasses import field
from enum import Enum
from types import MappingProxyType
from typing import Any

from controller.events.effect import Alert
from controller.events.frozen import Frozen

Parameters = Mapping[str, str | int]


class Text(Frozen):
    """What is to be said, as a code. A parameter that names several things has commas between them."""

    code: str
    parameters: dict[str, str | int] = field(default_factory=dict)

    def __bool__(self) -> bool:
        return bool(self.code)


NOTHING = Text("")
"""Nothing is to be said."""


def text(code: str, **parameters: str | int) -> Text:
    """A code with its parameters."""
    return Text(code, parameters)


Phrase = str | Callable[[Any], str]
Words = Mapping[str, Phrase]
"""Sentences by code or kind: format strings, or functions of the parameters.

A parameter is formatted as ``{name:spec}``. Specs: ``code``, the words of another code or several, with the same
parameters; ``reason``, the same after a colon, if there is one; ``because``, the same if it has words; ``remedy``,
what to do about it, in parentheses; ``area``, the name of an area or several; ``who``,
the floorperson with a credential number; ``plain``, a name without hyphens; without a spec, the value as it is.
``if , by @`` puts the value in the place of ``@``, and is empty if the value is, or what follows ``else``; a spec
may stand before it: ``plain if , @``. A tuple's values have commas between them.
"""
NO_WORDS: Words = MappingProxyType({})


def remedy(code: str) -> str:
    """The code of what to do about an alert or a cause."""
    return f"{code}.remedy"


def plain(name: str) -> str:
    """A name of the record as words: ``no-more-bets`` as ``no more bets``."""
    return name.replace("-", " ")


def spoken(name: str) -> str:
    """A recorded name as display text: ``two-dice-1-4`` becomes ``two dice 1-4``."""
    words = ""
    for before, part in zip(("", *name.split("-")), name.split("-"), strict=False):
        words += ("-" if before[-1:].isdigit() and part[:1].isdigit() else " ") + part
    return words[1:]


def say(words: Words, what: Text, name: Callable[[str], str] = str) -> str:
    """The sentence of a code; of one without words, the code itself.

    Args:
        name: the name of an area or a key, as the game says it.
    """
    phrase = words.get(what.code)
    if phrase is None:
        return what.code
    return filled(phrase, what.parameters, words, name) if isinstance(phrase, str) else phrase(what.parameters)


def remedy_of(alert: Alert, words: Words) -> str:
    """What to do about an alert; empty if its words have no remedy."""
    code = remedy(alert.text)
    return say(words, Text(code, alert.parameters)) if code in words else ""


def filled(
    phrase: str,
    values: Mapping[str, object],
    words: Words = NO_WORDS,
    name: Callable[[str], str] = str,
    parameters: Parameters | None = None,
) -> str:
    """A format string with its values.

    Args:
        parameters: of the codes among the values; None: the values themselves.
    """
    others = values if parameters is None else parameters
    return phrase.format_map({key: _Value(words, value, name, others) for key, value in values.items()})


class _Value:
    """A value, formatted by its spec."""

    def __init__(self, words: Words, value: object, name: Callable[[str], str], others: Mapping[str, Any]) -> None:
        self._words, self._name, self._others = words, name, dict(others)
        if isinstance(value, Text):
            value = say(words, value, name) if value else ""
        elif isinstance(value, tuple):
            value = ", ".join(say(words, one, name) if isinstance(one, Text) else str(one) for one in value)
        self._value = value.value if isinstance(value, Enum) else value

    def __format__(self, spec: str) -> str:
        spec, optional, sentence = spec.partition("if ")
        if optional:
            sentence, _, otherwise = sentence.partition(" else ")
            return sentence.replace("@", self._formatted(spec.strip())) if self._value else otherwise
        return self._formatted(spec)

    def _formatted(self, spec: str) -> str:
        value = str(self._value)
        if spec == "code":
            return ", ".join(say(self._words, Text(one, self._others), self._name) for one in value.split(","))
        if spec == "reason":
            return f": {say(self._words, Text(value), self._name).removesuffix('.')}" if value else ""
        if spec == "because":
            return f": {say(self._words, Text(value, self._others))}" if value in self._words else ""
        if spec == "remedy":
            code = remedy(value)
            return f" ({say(self._words, Text(code, self._others))})" if code in self._words else ""
        if spec == "area":
            return ", ".join(self._name(one) for one in value.split(",") if one)
        if spec == "who":
            return f"floorperson {value}" if value else "the floorperson"
        return plain(value) if spec == "plain" else format(self._value, spec)
