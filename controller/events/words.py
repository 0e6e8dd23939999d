"""Makes sentences of codes and parameters, where people read them.

Records, machines and prompts hold a :class:`Text`: a code and its parameters. Each game, like the table layer, has
one table of words, which gives a sentence to each code.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from controller.events.frozen import Frozen

Parameters = Mapping[str, str | int]


@dataclass(frozen=True, slots=True, eq=False, repr=False)
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


Phrase = str | Callable[[Parameters], str]
Words = Mapping[str, Phrase]
"""Sentences by code: format strings, or functions of the parameters.

A parameter is formatted as ``{name:spec}``. Specs: ``code``, the words of another code or several, with the same
parameters; ``reason``, the same after a colon, if there is one; ``area``, the name of an area or several;
``areas``, the same after a colon, if there is one; ``who``, the floorperson with a credential number; without a
spec, the value as it is.
"""


def remedy(code: str) -> str:
    """The code of what to do about an alert or a cause."""
    return f"{code}.remedy"


def say(words: Words, what: Text, name: Callable[[str], str] = str) -> str:
    """The sentence of a code; of one without words, the code itself.

    Args:
        name: the name of an area or a key, as the game says it.
    """
    phrase = words.get(what.code)
    if phrase is None:
        return what.code
    if not isinstance(phrase, str):
        return phrase(what.parameters)
    return phrase.format_map(
        {key: _Value(words, value, name, what.parameters) for key, value in what.parameters.items()}
    )


class _Value:
    """A parameter, formatted by its spec."""

    def __init__(self, words: Words, value: str | int, name: Callable[[str], str], others: Parameters) -> None:
        self._words, self._value, self._name, self._all = words, value, name, dict(others)

    def __format__(self, spec: str) -> str:
        value = str(self._value)
        if spec == "code":
            return ", ".join(say(self._words, Text(one, self._all), self._name) for one in value.split(","))
        if spec == "reason":
            return f": {say(self._words, Text(value), self._name).removesuffix('.')}" if value else ""
        if spec in ("area", "areas"):
            names = ", ".join(self._name(one) for one in value.split(",") if one)
            return f": {names}" if names and spec == "areas" else names
        if spec == "who":
            return f"floorperson {value}" if value else "the floorperson"
        return format(self._value, spec)
